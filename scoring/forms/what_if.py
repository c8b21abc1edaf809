"""Which rules to try on the evenings of a club, and on how many."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.rules import PRESETS, Ruleset
from scoring.models import Club
from scoring.rules_text import preset_name

CLUB_RULES = "club"
EVENINGS = (10, 25, 50, 100)


def _numbers() -> list[tuple[str, str]]:
    return [(str(number), gettext("the last %(number)s") % {"number": number}) for number in EVENINGS]


class EveningsForm(forms.Form):
    """How many of the last evenings."""

    evenings = forms.TypedChoiceField(
        label=_("Evenings"),
        choices=_numbers,
        coerce=int,
        required=False,
    )

    @property
    def number(self) -> int:
        """As many as were chosen; the fewest where the choice cannot be understood."""
        return int(self.cleaned_data.get("evenings") or EVENINGS[0])


class WhatIfForm(EveningsForm):
    """The rules by name: a preset, or those of the club by now."""

    rules = forms.ChoiceField(label=_("Rules"), required=False)

    field_order = ("rules", "evenings")

    def __init__(self, data: Any, *, club: Club, own: Ruleset | None) -> None:
        super().__init__(data)
        names = [(preset, preset_name(preset)) for preset in PRESETS]
        mine = [(CLUB_RULES, gettext("The club’s own rules"))] if own else []
        self.fields["rules"].choices = [("", gettext("Choose")), *mine, *names]  # type: ignore[attr-defined]  # a ChoiceField
        self._own = own

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules that were chosen; None for none."""
        chosen = self.cleaned_data.get("rules") if self.is_valid() else ""
        return self._own if chosen == CLUB_RULES else PRESETS.get(chosen or "")
