"""Who is at the table: choosing players, adding names on the spot, coming and going during the evening."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.change_log import log_change
from scoring.forms.changes import SessionForm
from scoring.forms.choices import RowsField
from scoring.forms.names import NamesField
from scoring.ledger import LedgerError
from scoring.models import Change, Club, Hand, Player, Round, Seat, Session
from scoring.names import name_key


def player_choice(club: Club, also_seated: Session | None = None) -> RowsField:
    """A choice out of those who play in the club; who sits at `also_seated` may be chosen though retired."""
    active = Q(retired_at=None)
    seated = Q(pk__in=also_seated.seats.values("player")) if also_seated else active
    return RowsField(
        label=_("Players"),
        queryset=club.players.filter(active | seated),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "narrow-choices names"}),
    )


def new_names(club: Club) -> NamesField:
    """A field for people who join the club by sitting down tonight."""
    hint = _("One name a line. They join the club as well.")
    return NamesField(club=club, rows=2, label=_("New players"), help_text=hint, required=False)


def add_players(club: Club, names: list[str], user: User) -> list[Player]:
    """Players of these names. One whom somebody else added a moment ago is the same person."""
    found = [
        Player.objects.get_or_create(club=club, name_key=name_key(name), defaults={"name": name}) for name in names
    ]
    added = [player.name for player, is_new in found if is_new]
    if added:
        log_change(club, Change.Kind.PLAYER, "added", user, new={"names": added})
    return [player for player, _is_new in found]


def seat_players(session: Session, players: list[Player], first: int = 0) -> None:
    """Give `players` seats in their order, from the place `first` on."""
    Seat.objects.bulk_create(
        Seat(session=session, club_id=session.club_id, player=player, position=place)
        for place, player in enumerate(players, start=first)
    )


class SeatsForm(SessionForm):
    """Who is at the table: newcomers are seated, who is gone leaves, who comes back gets the old seat."""

    def __init__(self, data: Any = None, *, session: Session) -> None:
        present = list(session.seats.filter(left_at=None).values_list("player", flat=True))
        super().__init__(data, session=session, initial={"players": present})
        self.fields["players"] = player_choice(session.club, also_seated=session)
        self.fields["players"].label = _("At the table")
        self.fields["new_names"] = new_names(session.club)

    def shown(self) -> dict[str, str]:
        return {
            str(player): "" if left else "seated"
            for player, left in self.session.seats.values_list("player", "left_at")
        }

    def told(self, key: str, value: str) -> str:
        names = {str(pk): name for pk, name in self.session.club.players.values_list("pk", "name")}
        text = gettext("%(player)s is at the table.") if value else gettext("%(player)s has left.")
        return text % {"player": names.get(key, key)}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if {"players", "new_names"} <= cleaned.keys() and len(cleaned["players"]) + len(cleaned["new_names"]) < 2:
            self.add_error("players", _("At least two players stay at the table. To end the evening, close it."))
        return cleaned

    def write(self, user: User) -> None:
        newly_named = add_players(self.session.club, self.cleaned_data["new_names"], user)
        players = [*self.cleaned_data["players"], *newly_named]
        self._refuse_leaving_with_cards(players)
        self._part(players, user)
        returning = self.session.seats.filter(player__in=players).exclude(left_at=None)
        self._log("returned", returning, user)
        returning.update(left_at=None)
        seats = dict(self.session.seats.values_list("player", "position"))
        newcomers = [player for player in players if player.pk not in seats]
        seat_players(self.session, newcomers, first=max(seats.values(), default=-1) + 1)
        self._log("joined", self.session.seats.filter(player__in=newcomers), user)

    def _refuse_leaving_with_cards(self, staying: list[Player]) -> None:
        holding = Hand.objects.filter(round__session=self.session, round__state=Round.State.OPEN)
        hand = holding.exclude(player__in=staying).select_related("player", "round").first()
        if hand:
            text = gettext("%(player)s holds cards in round %(number)s. Score or discard it, or change who plays it.")
            raise LedgerError(text % {"player": hand.player, "number": hand.round.number})

    def _log(self, action: str, seats: QuerySet[Seat], user: User) -> None:
        names = list(seats.values_list("player__name", flat=True))
        if names:
            log_change(self.session, Change.Kind.SEAT, action, user, new={"names": names})

    def _part(self, staying: list[Player], user: User) -> None:
        """Mark who left; who never held cards here needs no mark and gives up the seat."""
        leaving = self.session.seats.exclude(player__in=staying)
        self._log("left", leaving.filter(left_at=None), user)
        played = Hand.objects.filter(round__session=self.session).values("player")
        paid = self.session.lines.filter(player__isnull=False).values("player")
        never_played = leaving.exclude(player__in=played).exclude(player__in=paid)
        gone = list(never_played.values_list("player", flat=True))
        for stakes in (self.session.pair_stakes, self.session.planned_stakes):
            stakes.filter(Q(a__in=gone) | Q(b__in=gone)).delete()
        never_played.delete()
        leaving.filter(left_at=None).update(left_at=timezone.now())
