"""The house-rules editor: every field of a ruleset as a form, checked as a whole by the engine."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import wording
from scoring.change_log import log_change
from scoring.engine.rules import NATURALS, PRESETS, Ruleset, RulesetError, parse_ruleset
from scoring.forms.rules_draft import (
    BONUS_PLACES,
    ORDER,
    PLAIN_FIELDS,
    draft_of,
    listed_naturals,
    place_of,
    ruleset_fields,
)
from scoring.ledger.book import StaleError, lock_session, require_open, touch
from scoring.models import Change, Club, Session
from scoring.rules_text import Difference, differences, names

_UNDISPUTED = 2
"""A number that every bonus and natural may have: stands in for a refused one, so that the rest is checked too."""


def _explained(title: Any, note: Any) -> SafeString:
    return format_html("<span><b>{}</b> <small>{}</small></span>", title, note)


explained = lazy(_explained, SafeString)


class NumberField(forms.CharField):
    """A whole number as typed, None where nothing was. Other text is passed on: the engine says what is wrong."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 20})
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text or None


class PercentField(NumberField):
    """A percentage as typed, with a point or a comma, with or without its sign; as text, for the engine to read."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.attrs["inputmode"] = "decimal"

    def to_python(self, value: Any) -> Any:
        text = forms.CharField.to_python(self, value) or ""
        return text.replace(",", ".").removesuffix("%").strip()


def _choice(field: str, help_text: Any = "", **choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=names.FIELDS[field], help_text=help_text, choices=list(choices.items()), widget=forms.RadioSelect
    )


def _switch(field: str, help_text: Any) -> forms.BooleanField:
    widget = forms.CheckboxInput(attrs={"role": "switch"})
    return forms.BooleanField(label=names.FIELDS[field], help_text=help_text, required=False, widget=widget)


def _number(field: str, help_text: Any, required: bool = True) -> NumberField:
    return NumberField(label=names.FIELDS[field], help_text=help_text, required=required)


class RulesForm(forms.Form):
    """A ruleset and the preset that it was made from. After `is_valid()` the rules are in `ruleset`.

    `drawn_from` is the stored ruleset at the time when the form was drawn: a save is compared with it.
    """

    use_required_attribute = False

    preset = forms.ChoiceField(widget=forms.HiddenInput, choices=[(name, name) for name in PRESETS])
    drawn_from = forms.CharField(widget=forms.HiddenInput)

    ties = _choice(
        "ties",
        _("What two rows of the same ranks are."),
        split=explained(_("A tie"), _("the row is worth nothing")),
        suits=explained(_("Decided by suit"), _("♠ beats ♥ beats ♣ beats ♦")),
    )
    kickers = _switch("kickers", _("The single cards beside a pair or three of a kind: A-A-K beats A-A-Q."))
    flush_by_suit = _switch("flush_by_suit", _("Any flush of spades beats any flush of hearts."))
    wheel = _choice(
        "wheel",
        lowest=explained(_("Lowest straight"), _("below 2-3-4-5-6")),
        second=explained(_("Second-highest straight"), _("just below 10-J-Q-K-A")),
        none=explained(_("No straight"), _("five single cards, or a plain flush")),
    )
    row_points = _number("row_points", _("What the winner of one row takes; nearly always 1."))
    majority_bonus = _number("majority_bonus", _("With 1, two rows to one pay 2, and two rows and a tie pay 3."))
    tembus_multiplier = _number(
        "tembus_multiplier", _("All three rows won from one opponent. With 2, they count 6, not 3.")
    )
    tembus_bonus = _number("tembus_bonus", _("Added after multiplying. With 3, a tembus times 1 pays 6."))
    super_multiplier = _number(
        "super_multiplier",
        _("A tembus against everybody, in place of the above. Empty: there is no super."),
        required=False,
    )
    super_players = forms.TypedChoiceField(
        label=names.FIELDS["super_players"],
        help_text=_("A round of fewer players knows no super."),
        choices=[("", _("Any number")), ("2", "2"), ("3", "3"), ("4", "4")],
        coerce=int,
        empty_value=None,
        required=False,
    )
    pao_multiplier = _number(
        "pao_multiplier", _("A hand in the wrong order loses all three rows. With 4, they cost 12.")
    )
    bonus_rule = _choice(
        "bonus_rule",
        winner=explained(_("The winner of the row"), _("a bonus in a row lost or tied pays nothing")),
        cancel=explained(
            _("The winner, but two cancel each other"), _("where both rows carry a bonus nobody gets one")
        ),
        difference=explained(_("Everybody his own"), _("whoever wins the row: 8 against 3 pays 5")),
    )
    bonus_replaces_row = _switch("bonus_replaces_row", _("A row won with a bonus of 8 pays 8, not 9."))
    bonus_multiplied = _switch("bonus_multiplied", _("Tembus, super and PAO multiply the bonuses like the rows."))
    bonus_declared = _switch(
        "bonus_declared", _("It counts only for rows that a player announced before the cards are shown.")
    )
    bonus_limit = _switch("bonus_limit", _("The one worth most; if it wins nothing, no other takes its place."))
    bonus_broken = _switch(
        "bonus_broken",
        _("Four of a kind or a straight flush that is held but not laid in one row pays its bonus of the back."),
    )
    quads_are_two_pairs = _switch(
        "quads_are_two_pairs", _("In six pairs, and in five pairs and a triple: 9-9-9-9 is two of them.")
    )
    surrender_points = _number(
        "surrender_points",
        _("To every opponent with a legal hand, said before the cards are shown. Empty: nobody may."),
        required=False,
    )
    room_fee_percent = PercentField(
        label=names.FIELDS["room_fee_percent"],
        help_text=_(
            "Of what a player wins, rounded down: with 3, a win of 100.000 pays 3.000. 2.3 is allowed, 0 is no fee."
        ),
    )
    room_fee_basis = _choice(
        "room_fee_basis",
        round=explained(_("In every round"), _("from whoever wins that round")),
        session=explained(_("At settle-up"), _("once, from whoever wins the evening")),
    )

    ruleset: Ruleset

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        for place, (row, category) in BONUS_PLACES.items():
            words = {"row": wording.row_name(row), "category": wording.category_name(category)}
            self._add_number(place, gettext("%(row)s: %(category)s") % words)
        for name in NATURALS:
            self.fields[f"naturals-{name}"] = forms.BooleanField(label=str(wording.natural_name(name)), required=False)
            label = gettext("Points of %(natural)s") % {"natural": wording.natural_name(name)}
            self._add_number(f"naturals-{name}-points", label)
        self.fields[ORDER] = forms.CharField(widget=forms.HiddenInput, required=False)

    def _add_number(self, place: str, label: str) -> None:
        """A number in a table, where there is no room for a label to see."""
        field = self.fields[place] = NumberField(label=label, required=False)
        field.widget.attrs["aria-label"] = label

    @classmethod
    def of(cls, ruleset: Ruleset, preset: str, stored: Ruleset) -> "RulesForm":
        """The form as it is drawn for `ruleset`, which differs from `preset` and would replace `stored`."""
        return cls(draft_of(ruleset) | {"preset": preset, "drawn_from": json.dumps(stored.as_dict())})

    @classmethod
    def redrawn(cls, typed: Mapping[str, Any], stored: Ruleset) -> "RulesForm":
        """The form with what was `typed`, to be compared from now on with the rules that are `stored` by now."""
        return cls({**typed, "drawn_from": json.dumps(stored.as_dict())})

    def clean_drawn_from(self) -> Ruleset:
        try:
            return parse_ruleset(json.loads(self.cleaned_data["drawn_from"]))
        except (ValueError, RecursionError):
            raise forms.ValidationError(_("This form is damaged. Open the page again.")) from None

    def clean(self) -> dict[str, Any]:
        """Ask the engine until it says nothing more: each refusal goes to its field, which then no longer counts."""
        values = {name: self.cleaned_data.get(name, self._spare(name)) for name in self.fields}
        values["bonus_limit"] = 1 if values["bonus_limit"] else None
        for name in listed_naturals(values):
            if values[f"naturals-{name}-points"] is None:
                self._refuse(
                    values, f"naturals-{name}-points", gettext("How many points does it take? Enter a whole number.")
                )
        while True:
            try:
                self.ruleset = parse_ruleset(ruleset_fields(values))
                return self.cleaned_data
            except RulesetError as error:
                self._refuse(values, place_of(error.path, values), capfirst(gettext(error.message) % error.params))

    def _refuse(self, values: dict[str, Any], place: str, message: str) -> None:
        self.add_error(place, message)
        values[place] = self._spare(place)

    def _spare(self, place: str) -> Any:
        """A valid value for a place whose own was refused."""
        if place == ORDER:
            return ""
        return getattr(PRESETS[self.base_preset], place) if place in PLAIN_FIELDS else _UNDISPUTED

    def save(self, owner: Club | Session, user: User) -> None:
        """Make `ruleset` the rules of `owner` on behalf of `user`. Sending the same form twice changes nothing the
        second time.

        Raises:
            StaleError: somebody changed the rules since the form was drawn; the message tells what.
            LedgerError: the session is closed.
        """
        with transaction.atomic():
            owner = _lock(owner)
            if (owner.ruleset, owner.preset) == (self.ruleset, self.base_preset):
                return
            theirs = differences(self.cleaned_data["drawn_from"], owner.ruleset)
            if theirs:
                raise StaleError(_told(theirs))
            before = _kept(owner)
            owner.preset, owner.ruleset = self.base_preset, self.ruleset
            owner.save(update_fields=["preset", "ruleset_fields"])
            log_change(owner, Change.Kind.RULES, "changed", user, old=before, new=_kept(owner))
            if isinstance(owner, Session):
                touch(owner)

    @property
    def base_preset(self) -> str:
        """The preset that the draft is compared with."""
        preset = str(self.data.get("preset"))
        return preset if preset in PRESETS else next(iter(PRESETS))


def _lock(owner: Club | Session) -> Club | Session:
    """The club or the open session as it stands, held until the transaction ends."""
    if isinstance(owner, Club):
        return Club.objects.select_for_update().get(pk=owner.pk)
    session = lock_session(owner.pk)
    require_open(session)
    return session


def _kept(owner: Club | Session) -> dict[str, Any]:
    """What the log keeps of rules."""
    return {"preset": owner.preset, "fields": owner.ruleset_fields}


def _told(theirs: list[Difference]) -> str:
    """What somebody else changed, as sentences."""
    changes = [gettext("%(label)s: was %(before)s, is now %(after)s.") % vars(each) for each in theirs]
    text = gettext(
        "Somebody changed the rules meanwhile. %(changes)s Nothing of yours was saved: look, then save again."
    )
    return text % {"changes": " ".join(changes)}
