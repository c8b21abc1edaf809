"""What differs between two rulesets, place by place, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.rules import BONUS_ROWS, CATEGORIES, FIELDS, NATURALS, Ruleset
from scoring.rules_text import names
from scoring.rules_text.extras import percent_text

SWITCH_FIELDS = (
    "kickers",
    "flush_by_suit",
    "bonus_replaces_row",
    "bonus_multiplied",
    "bonus_declared",
    "bonus_broken",
    "quads_are_two_pairs",
)


@dataclass(frozen=True)
class Difference:
    """One place in which two rulesets differ, with both values in words.

    `place` is the field's name, for one bonus or natural `bonuses-middle-full_house` or `naturals-dragon`, and for the
    order of the naturals `naturals-order`.
    """

    place: str
    label: str
    before: str
    after: str


def differences(before: Ruleset, after: Ruleset) -> list[Difference]:
    """Every place in which two rulesets differ, in the order of the fields; empty where they are equal."""
    return list(_differences(before, after))


def _differences(before: Ruleset, after: Ruleset) -> Iterator[Difference]:
    for field in FIELDS:
        if getattr(before, field) == getattr(after, field):
            continue
        if field == "bonuses":
            yield from _bonus_differences(before, after)
        elif field == "naturals":
            yield from _natural_differences(before, after)
        else:
            yield Difference(field, str(names.FIELDS[field]), value_text(field, before), value_text(field, after))


def _bonus_differences(before: Ruleset, after: Ruleset) -> Iterator[Difference]:
    old, new = ({(bonus.row, bonus.category): bonus.points for bonus in each.bonuses} for each in (before, after))
    for row, categories in BONUS_ROWS.items():
        for category in reversed([name for name in CATEGORIES if name in categories]):
            place = row, category
            if old.get(place) != new.get(place):
                label = _("Bonus, %(row)s: %(category)s") % {
                    "row": wording.row_name(row),
                    "category": wording.category_name(category),
                }
                yield Difference(f"bonuses-{row}-{category}", label, _points(old.get(place)), _points(new.get(place)))


def _natural_differences(before: Ruleset, after: Ruleset) -> Iterator[Difference]:
    for name in NATURALS:
        old, new = before.natural_points(name), after.natural_points(name)
        if old != new:
            label = _("Natural: %(natural)s") % {"natural": wording.natural_name(name)}
            yield Difference(f"naturals-{name}", label, _points(old), _points(new))
    both = {natural.name for natural in before.naturals} & {natural.name for natural in after.naturals}
    orders = [[natural.name for natural in each.naturals if natural.name in both] for each in (before, after)]
    if orders[0] != orders[1]:
        old_order, new_order = (", ".join(str(wording.natural_name(name)) for name in order) for order in orders)
        yield Difference("naturals-order", _("Order of the naturals"), old_order, new_order)


def value_text(field: str, ruleset: Ruleset) -> str:
    """The value of a field in a word or two; `bonuses` and `naturals` are told place by place instead."""
    value = getattr(ruleset, field)
    if field in names.CHOICES:
        return str(names.CHOICES[field][value])
    if field in SWITCH_FIELDS:
        return _("yes") if value else _("no")
    if field == "bonus_limit":
        return _("yes") if value == 1 else _("no")
    if field == "room_fee_percent":
        return percent_text(value)
    if field == "super_players":
        return _("any number") if value is None else str(value)
    return _points(value) if field == "surrender_points" else _number(value)


def _points(points: int | None) -> str:
    if points is None:
        return _("none")
    return ngettext("%(number)d point", "%(number)d points", points) % {"number": points}


def _number(number: int | None) -> str:
    return _("none") if number is None else str(number)
