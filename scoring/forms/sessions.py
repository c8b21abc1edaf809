"""Forms of an evening: setting one up, and its settings while it runs."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.change_log import log_change, log_differences
from scoring.engine.rules import PRESETS, RulesetError, parse_ruleset
from scoring.forms.amounts import AmountField
from scoring.forms.seats import add_players, new_names, player_choice, seat_players
from scoring.forms.terms import MOST_ROUNDS, TermsForm
from scoring.models import Change, Club, Player, Session
from scoring.rules_text.extras import percent_text
from scoring.rules_text.names import CHOICES, PRESET_NOTES, preset_name

CLUB_RULES = "club"
PLACES = 20  # earlier places that are offered


def today(club: Club) -> date:
    """The day it is where the club plays."""
    return timezone.now().astimezone(ZoneInfo(club.time_zone)).date()


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class DayField(forms.DateField):
    """The day of an evening. A year typed wrong would put it at the wrong end of the list for good."""

    def __init__(self) -> None:
        super().__init__(label=_("Date"), widget=DayInput)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value and not 2000 <= value.year <= 2100:
            raise forms.ValidationError(_("Check the year: it must be from 2000 to 2100."), code="year")


class PlaceInput(forms.TextInput):
    """A line of text that offers the places where the club met before, the latest first."""

    template_name = "scoring/_place_input.html"

    def __init__(self, club: Club) -> None:
        super().__init__(attrs={"autocomplete": "off", "dir": "auto"})
        self.club = club

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["attrs"]["list"] = f"places-{name}"
        met = self.club.sessions.exclude(place="").order_by("-date", "-pk").values_list("place", flat=True)
        return context | {"places": list(dict.fromkeys(met[:PLACES]))}


def place_field(club: Club) -> forms.CharField:
    """Where an evening is."""
    return forms.CharField(label=_("Place"), required=False, max_length=100, widget=PlaceInput(club))


def notes_field() -> forms.CharField:
    """What the hosts want to remember of an evening."""
    hint = _("Everybody with the link to the board can read them.")
    widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
    return forms.CharField(label=_("Notes"), help_text=hint, required=False, max_length=2000, widget=widget)


class NewSessionForm(forms.Form):
    """Everything an evening starts with. What the club has is proposed; the rules are copied whole.

    Its one-time `key` makes a second tap, or a retry after a lost answer, find the evening that the first one set up.
    """

    key = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid4)
    date = DayField()
    rules = forms.ChoiceField(label=_("Rules"), widget=forms.RadioSelect)
    room_fee_percent = forms.CharField(
        label=_("Room fee, percent of a net win"),
        required=False,
        max_length=24,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    room_fee_basis = forms.ChoiceField(label=_("The room fee is taken"), required=False)
    rounds_planned = forms.IntegerField(
        label=_("Number of rounds"),
        help_text=_("The winner is announced after this many. Empty: open end."),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
    )

    field_order = ("date", "players", "new_names", "stake", "rules")

    def __init__(self, data: Any = None, *, club: Club) -> None:
        self.club = club
        initial = {"date": today(club), "players": _likely_players(club), "stake": club.stake, "rules": CLUB_RULES}
        super().__init__(data, initial=initial)
        self.fields["players"] = player_choice(club)
        self.fields["new_names"] = new_names(club)
        self.fields["stake"] = AmountField(label=_("Stake of a point"), currency=club.currency)
        self.fields["place"] = place_field(club)
        self.fields["notes"] = notes_field()
        self.fields["rules"].choices = list(_rules_choices(club))  # type: ignore[attr-defined]  # a ChoiceField
        basis = [("", gettext("as the rules say")), *CHOICES["room_fee_basis"].items()]
        self.fields["room_fee_basis"].choices = basis  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["room_fee_percent"].help_text = _fee_hint(club)
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if {"players", "new_names"} <= cleaned.keys() and len(cleaned["players"]) + len(cleaned["new_names"]) < 2:
            self.add_error("players", _("Choose two players or more."))
        if "rules" in cleaned:
            cleaned["ruleset_fields"] = self._ruleset_fields(cleaned)
        return cleaned

    def _ruleset_fields(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The rules chosen, with the room fee typed here in place of theirs."""
        chosen = cleaned["rules"]
        fields = self.club.ruleset_fields if chosen == CLUB_RULES else PRESETS[chosen].as_dict()
        percent = cleaned.get("room_fee_percent", "").replace(",", ".").removesuffix("%").strip()
        quick = {"room_fee_percent": percent, "room_fee_basis": cleaned.get("room_fee_basis")}
        try:
            return parse_ruleset(fields | {field: value for field, value in quick.items() if value}).as_dict()
        except RulesetError as error:
            self.add_error(*_fault(error))
            return fields

    def made_already(self) -> Session | None:
        """The evening that this very form set up before. Its new names are no longer new, so it is refused by now."""
        key = self.cleaned_data.get("key") if self.is_bound else None
        return self.club.sessions.filter(key=key).first() if key else None

    def save(self, user: User) -> Session:
        """Open the evening with everybody seated in the order of their names; once, however often it is sent."""
        chosen, club = self.cleaned_data, self.club
        fields = {
            "club": club,
            "date": chosen["date"],
            "currency": club.currency,
            "stake": chosen["stake"],
            "rounds_planned": chosen["rounds_planned"],
            "place": chosen["place"],
            "notes": chosen["notes"],
            "preset": club.preset if chosen["rules"] == CLUB_RULES else chosen["rules"],
            "ruleset_fields": chosen["ruleset_fields"],
            "created_by": user,
        }
        with transaction.atomic():
            session, is_new = Session.objects.get_or_create(key=chosen["key"] or uuid4(), defaults=fields)
            if is_new:
                players = [*chosen["players"], *add_players(club, chosen["new_names"], user)]
                seat_players(session, players)
                log_new_session(session, players, user)
        return session


def log_new_session(session: Session, players: Iterable[Player], user: User) -> None:
    """Write down what an evening starts with."""
    told = _settings(session) | {"stake": session.stake, "currency": session.currency, "preset": session.preset}
    names = [player.name for player in players]
    log_change(session, Change.Kind.SESSION, "created", user, new=told | {"players": names})


def _settings(session: Session) -> dict[str, Any]:
    """What the log keeps of the settings of an evening."""
    return {
        "date": str(session.date),
        "place": session.place,
        "rounds_planned": session.rounds_planned,
        "notes": session.notes,
    }


def _likely_players(club: Club) -> list[int]:
    """Those of the last evening who still play; in a club that never met, everybody if they fit one table."""
    last = club.sessions.first()
    if last:
        return list(last.seats.filter(player__retired_at=None, left_at=None).values_list("player", flat=True))
    players = list(club.players.filter(retired_at=None).values_list("pk", flat=True)[:5])
    return players if len(players) <= 4 else []


def _rules_choices(club: Club) -> Iterator[tuple[str, str]]:
    option = "<b>{}</b><small>{}</small>"
    based = gettext("Based on %(preset)s, as your club plays it.") % {"preset": preset_name(club.preset)}
    yield CLUB_RULES, format_html(option, gettext("The club’s own rules"), based)
    for preset in PRESETS:
        yield preset, format_html(option, preset_name(preset), PRESET_NOTES.get(preset, ""))


def _fee_hint(club: Club) -> str:
    percent = percent_text(Decimal(str(club.ruleset_fields["room_fee_percent"])))
    return gettext("Empty: as the rules say; the club’s say %(percent)s.") % {"percent": percent}


def _fault(error: RulesetError) -> tuple[str, str]:
    """The field of this form to blame, and the sentence to put there."""
    if error.field == "room_fee_percent":
        return "room_fee_percent", gettext("Enter a percentage from 0 to 100, such as 2.5.")
    return "rules", gettext(
        "These rules can no longer be read. Choose others, or correct them in the club. (%(error)s)"
    ) % {"error": error}


class SettingsForm(TermsForm):
    """The settings of an evening: when, where and how long, its stake, and notes."""

    date = DayField()
    rounds_planned = forms.IntegerField(
        label=_("Number of rounds"),
        help_text=_("The winner is announced after this many. Empty: open end."),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
    )

    plain_fields = ("date", "place", "rounds_planned", "notes")

    def __init__(self, data: Any = None, *, session: Session) -> None:
        super().__init__(data, session=session, initial={field: getattr(session, field) for field in self.plain_fields})
        self.fields["place"] = place_field(session.club)
        self.fields["notes"] = notes_field()

    def shown(self) -> dict[str, str]:
        return super().shown() | {field: str(value or "") for field, value in _settings(self.session).items()}

    def told(self, key: str, value: str) -> str:
        if key not in self.plain_fields:
            return super().told(key, value)
        return gettext("%(field)s: now %(value)s.") % {"field": self.label_of(key), "value": value or "–"}

    def write(self, user: User) -> None:
        before = _settings(self.session)
        for field in self.plain_fields:
            setattr(self.session, field, self.cleaned_data[field])
        self.session.save(update_fields=self.plain_fields)
        log_differences(self.session, Change.Kind.SESSION, user, before, _settings(self.session))
        super().write(user)
