"""Keeping a quick score: the round on its way from page to page, and the evening that is made of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.contrib.auth.models import User
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import ledger
from scoring.change_log import log_change
from scoring.engine.rules import PRESETS, SWITCHES, Ruleset, parse_ruleset
from scoring.forms.clubs import log_new_club
from scoring.forms.names import NameField
from scoring.forms.seats import add_players, seat_players
from scoring.forms.sessions import log_new_session, today
from scoring.models import Change, Club, Host, Player, Round, Session
from scoring.models.answers import Answer
from scoring.names import name_key
from scoring.wording import listed

_SALT = "quick-score"


def _all_rules() -> Iterator[tuple[str, Ruleset]]:
    for preset, switches in ((preset, SWITCHES.get(preset, {})) for preset in PRESETS):
        for names in chain.from_iterable(combinations(switches, count) for count in range(len(switches) + 1)):
            fields = {field: value for name in names for field, value in switches[name].items()}
            yield "+".join((preset, *names)), parse_ruleset({"preset": preset, **fields})


QUICK_RULES = dict(_all_rules())
"""Every preset, and those that have switches with each choice of them: `points`, `points+bonuses`, …"""


@dataclass(frozen=True)
class QuickHand:
    """One hand as it travels: the player's name and what was typed."""

    name: str
    typed: Mapping[str, Any]


@dataclass(frozen=True)
class QuickRound:
    """A round that is scored but kept nowhere. `key` makes one evening of it however often a host asks for that; in
    the answers `won` players go by their place among the hands."""

    rules: str
    currency: str
    stake: int
    hands: list[QuickHand]
    key: UUID
    won: list[Answer]

    @property
    def ruleset(self) -> Ruleset:
        return QUICK_RULES[self.rules]

    @property
    def preset(self) -> str:
        return self.rules.split("+")[0]

    @property
    def names(self) -> list[str]:
        return [hand.name for hand in self.hands]

    @property
    def listed_names(self) -> str:
        return listed(self.names)

    def as_token(self) -> str:
        """The round as a part of an address; nobody can change it on the way."""
        return signing.dumps(asdict(self) | {"key": str(self.key)}, salt=_SALT, compress=True)

    @classmethod
    def from_token(cls, token: str) -> "QuickRound":
        """The round that `as_token` packed.

        Raises:
            BadSignature: it was cut short or changed.
        """
        plain = signing.loads(token, salt=_SALT)
        hands = [QuickHand(**hand) for hand in plain["hands"]]
        won = [Answer(row, a, b, result, tuple(told)) for row, a, b, result, told in plain["won"]]
        return cls(**plain | {"hands": hands, "key": UUID(plain["key"]), "won": won})


class KeepForm(forms.Form):
    """The club in whose book a quick score is written: one of the host's, or one that is made for it."""

    def __init__(self, data: Any = None, *, user: User, quick: QuickRound) -> None:
        self.user, self.quick = user, quick
        super().__init__(data)
        clubs = list(user.clubs.all())
        if clubs:
            self.fields["club"] = forms.ModelChoiceField(
                label=_("Club"),
                queryset=user.clubs.all(),
                widget=forms.RadioSelect,
                empty_label=None,
                initial=clubs[0].pk if len(clubs) == 1 else None,
            )
            self.fields["club"].label_from_instance = self._choice  # type: ignore[attr-defined]  # a ModelChoiceField
        else:
            self.fields["new_club"] = NameField(
                label=_("Name of your club"), help_text=_("A club is the circle of friends you play with.")
            )

    def _choice(self, club: Club) -> SafeString:
        """A club, and what becomes of the names in it."""
        lines = format_html_join("", "<small>{}</small>", ((line,) for line in self._what_happens(club)))
        return format_html("<b>{}</b>{}", club.name, lines)

    def _what_happens(self, club: Club) -> list[str]:
        known = {player.name_key: player for player in _namesakes(club, self.quick.names)}
        found = [known.get(name_key(name)) for name in self.quick.names]
        plays = [player.name for player in found if player and not player.is_retired]
        returns = [player.name for player in found if player and player.is_retired]
        joins = [name for name, player in zip(self.quick.names, found, strict=True) if not player]
        told = (
            (plays, gettext("Plays here already: %(names)s.")),
            (returns, gettext("Comes back: %(names)s.")),
            (joins, gettext("Joins the club: %(names)s.")),
        )
        return [text % {"names": listed(names)} for names, text in told if names]

    def kept_already(self) -> Round | None:
        """The round in the book, where this host kept it before."""
        rounds = Round.objects.filter(session__key=self._key, club__users=self.user)
        return rounds.order_by("number").first()

    def save(self) -> Round:
        """The round in the book, in an evening of its own; the same one however often it is asked for.

        Raises:
            LedgerError: the book does not take it.
        """
        try:
            with transaction.atomic():
                return self._score(self._set_up())
        except IntegrityError:
            kept = self.kept_already()
            if kept is None:
                raise
            return kept  # a second tap came first

    @property
    def _key(self) -> UUID:
        """Two hosts may each keep the same round, everyone in a book of his own."""
        return uuid5(self.quick.key, str(self.user.pk))

    def _set_up(self) -> Session:
        club = self.cleaned_data.get("club") or self._new_club()
        return Session.objects.create(
            key=self._key,
            club=club,
            date=today(club),
            currency=self.quick.currency,
            stake=self.quick.stake,
            preset=self.quick.preset,
            ruleset_fields=self.quick.ruleset.as_dict(),
            created_by=self.user,
        )

    def _new_club(self) -> Club:
        quick = self.quick
        club = Club(name=self.cleaned_data["new_club"], currency=quick.currency, stake=quick.stake, preset=quick.preset)
        club.ruleset = quick.ruleset
        club.save()
        Host.objects.create(club=club, user=self.user, role=Host.Role.OWNER)
        log_new_club(club, self.user)
        return club

    def _score(self, session: Session) -> Round:
        players = self._players(session.club)
        seat_players(session, players)
        log_new_session(session, players, self.user)
        round_ = ledger.open_round(session, players)
        hands = round_.hands.select_related("player").order_by("position")
        for hand, laid in zip(hands, self.quick.hands, strict=True):
            ledger.keep_hand(hand, laid.typed, hand.version)
        for answer in self.quick.won:
            ledger.answer_row(round_, answer._replace(a=players[answer.a].pk, b=players[answer.b].pk))
        return ledger.record_round(round_, self.user)

    def _players(self, club: Club) -> list[Player]:
        """The players of these names in their order: those of the club, who comes back, and who joins."""
        for player in _namesakes(club, self.quick.names).exclude(retired_at=None):
            player.retired_at = None
            player.save(update_fields=["retired_at"])
            log_change(club, Change.Kind.PLAYER, "returned", self.user, new={"name": player.name})
        return add_players(club, self.quick.names, self.user)


def _namesakes(club: Club, names: Sequence[str]) -> Any:
    return club.players.filter(name_key__in=[name_key(name) for name in names])
