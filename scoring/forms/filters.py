"""What to look back on: a period, rules, a player. These forms come by GET, so that their addresses can be kept."""

from datetime import date
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.forms.sessions import DayInput, today
from scoring.models import Club, Session
from scoring.money import CURRENCIES
from scoring.statistics.club import Measure
from scoring.statistics.history import find_sessions
from scoring.statistics.players import NO_MONEY
from scoring.statistics.rules import rules_played
from scoring.statistics.selection import EVERYTHING, Selection

LONGEST_TEXT = 100


class SelectionForm(forms.Form):
    """The evenings that a page is about. What is left empty chooses nothing away."""

    period = forms.ChoiceField(
        label=_("Period"),
        required=False,
        choices=[
            ("", _("All time")),
            ("month", _("This month")),
            ("year", _("This year")),
            ("days", _("From day to day")),
        ],
    )
    since = forms.DateField(label=_("From"), required=False, widget=DayInput)
    until = forms.DateField(label=_("Until"), required=False, widget=DayInput)
    rules = forms.ChoiceField(label=_("Rules"), required=False)

    def __init__(self, data: Any, *, club: Club) -> None:
        super().__init__(data)
        self.club = club
        self.today = today(club)
        for field in self.fields.values():
            field.error_messages["invalid_choice"] = _("Choose one from the list.")
        rules = [("", gettext("All rules")), *rules_played(club)]
        self.fields["rules"].choices = rules  # type: ignore[attr-defined]  # a ChoiceField

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("since") and cleaned.get("until") and cleaned["since"] > cleaned["until"]:
            self.add_error("until", _("The period ends before it begins."))
        return cleaned

    @property
    def selection(self) -> Selection:
        """What was chosen; everything where a choice cannot be understood."""
        if not self.is_valid():
            return EVERYTHING
        since, until = self._days()
        return Selection(since, until, self.cleaned_data["rules"])

    @property
    def told(self) -> list[str]:
        """What was chosen, in words; empty for everything."""
        if not self.is_valid():
            return []
        return [text for text in (self._period_told(), self._chosen("rules")) if text]

    def _days(self) -> tuple[date | None, date | None]:
        chosen = self.cleaned_data
        if chosen["period"] == "month":
            return self.today.replace(day=1), None
        if chosen["period"] == "year":
            return self.today.replace(month=1, day=1), None
        return chosen["since"], chosen["until"]

    def _period_told(self) -> str:
        since, until = (date_format(day, "j M Y") if day else "" for day in self._days())
        if self.cleaned_data["period"] in ("month", "year"):
            return self._chosen("period")
        if since and until:
            return gettext("%(since)s to %(until)s") % {"since": since, "until": until}
        if since:
            return gettext("from %(since)s") % {"since": since}
        return gettext("until %(until)s") % {"until": until} if until else ""

    def _chosen(self, name: str) -> str:
        """The label of what was chosen in a field of choices; empty where nothing was."""
        value = self.cleaned_data[name]
        choices: Any = self.fields[name]
        return str(dict(choices.choices)[value]) if value else ""


class HistoryForm(SelectionForm):
    """Evenings of a club to look for: with a player, with a text in their notes or place."""

    player = forms.ChoiceField(label=_("Player"), required=False)
    text = forms.CharField(label=_("In notes or place"), required=False, max_length=LONGEST_TEXT)

    field_order = ("text", "player", "period", "since", "until", "rules")

    def __init__(self, data: Any, *, club: Club) -> None:
        super().__init__(data, club=club)
        players = [("", gettext("Everybody")), *((str(one.pk), one.name) for one in club.players.all())]
        self.fields["player"].choices = players  # type: ignore[attr-defined]  # a ChoiceField

    @property
    def told(self) -> list[str]:
        if not self.is_valid():
            return []
        return [text for text in (self.cleaned_data["text"], self._chosen("player"), *super().told) if text]

    def found(self) -> QuerySet[Session]:
        """The evenings that were asked for; all of them where a choice cannot be understood."""
        if not self.is_valid():
            return find_sessions(self.club)
        player, text = self.cleaned_data["player"], self.cleaned_data["text"]
        return find_sessions(self.club, self.selection, int(player) if player else None, text)


class LeaderboardForm(SelectionForm):
    """How to rank the players of a club."""

    by = forms.ChoiceField(
        label=_("Ranked by"),
        required=False,
        choices=[
            ("", _("Points")),
            ("mean", _("Points a round")),
            ("won", _("Rounds won")),
            ("money", _("Money")),
        ],
    )

    field_order = ("by", "period", "since", "until", "rules")

    @property
    def measure(self) -> Measure:
        """What was chosen, points where nothing was."""
        return (self.is_valid() and self.cleaned_data["by"]) or "points"

    @property
    def measure_name(self) -> str:
        choices: Any = self.fields["by"]
        return str(dict(choices.choices)["" if self.measure == "points" else self.measure])


class MatrixForm(SelectionForm):
    """What to show of each pair: points, or the money of one currency."""

    show = forms.ChoiceField(label=_("Show"), required=False)

    field_order = ("show", "period", "since", "until", "rules")

    def __init__(self, data: Any, *, club: Club) -> None:
        super().__init__(data, club=club)
        codes = club.sessions.order_by("currency").values_list("currency", flat=True).distinct()
        money = [(code, CURRENCIES[code].name) for code in codes if code != NO_MONEY]
        self.fields["show"].choices = [("", gettext("Points")), *money]  # type: ignore[attr-defined]  # a ChoiceField

    @property
    def currency(self) -> str:
        """The currency whose money is to be shown; empty for points."""
        return self.cleaned_data["show"] if self.is_valid() else ""

    @property
    def shown(self) -> str:
        """What the cells hold, in words."""
        choices: Any = self.fields["show"]
        return str(dict(choices.choices)[self.currency])
