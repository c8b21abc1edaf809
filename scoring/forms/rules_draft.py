"""A ruleset as the values of a form, and the changes that a button makes to them.

The form's names are those of the ruleset's fields; one bonus is `bonuses-<row>-<category>`, a natural is a check box
`naturals-<name>` with `naturals-<name>-points`, and `naturals-order` lists all thirteen, strongest first.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from scoring.engine.rules import BONUS_ROWS, FIELDS, NATURALS, PRESETS, SWITCHES, Ruleset, parse_ruleset

Draft = dict[str, str]

BONUS_PLACES = {f"bonuses-{row}-{category}": (row, category) for row, names in BONUS_ROWS.items() for category in names}
PLAIN_FIELDS = tuple(field for field in FIELDS if field not in ("bonuses", "naturals"))
ORDER = "naturals-order"


def draft_of(ruleset: Ruleset) -> Draft:
    """What a browser sends for `ruleset`: switches that are off, and numbers that are none, are missing."""
    plain = ruleset.as_dict()
    draft = {
        field: "on" if plain[field] is True else str(plain[field]) for field in PLAIN_FIELDS if _is_set(plain[field])
    }
    draft |= {f"bonuses-{bonus.row}-{bonus.category}": str(bonus.points) for bonus in ruleset.bonuses}
    for natural in ruleset.naturals:
        draft |= {f"naturals-{natural.name}": "on", f"naturals-{natural.name}-points": str(natural.points)}
    return draft | {ORDER: ",".join(full_order(natural.name for natural in ruleset.naturals))}


def _is_set(value: object) -> bool:
    return value is not None and value is not False


def full_order(names: Iterable[str]) -> list[str]:
    """All thirteen naturals: those named, in that order, then the others. What is no natural is passed over."""
    first = [name for name in dict.fromkeys(names) if name in NATURALS]
    return first + [name for name in NATURALS if name not in first]


def ruleset_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """The cleaned values of the form as the fields that `parse_ruleset` takes."""
    fields = {field: values[field] for field in PLAIN_FIELDS}
    fields["bonuses"] = {row: {} for row in BONUS_ROWS}
    for place, (row, category) in BONUS_PLACES.items():
        fields["bonuses"][row][category] = values[place]
    fields["naturals"] = [
        {"name": name, "points": values[f"naturals-{name}-points"]} for name in listed_naturals(values)
    ]
    return fields


def listed_naturals(values: Mapping[str, Any]) -> list[str]:
    """The naturals that are switched on, strongest first."""
    return [name for name in full_order(values[ORDER].split(",")) if values[f"naturals-{name}"]]


def place_of(path: str, values: Mapping[str, Any]) -> str:
    """The name in the form for the path of a RulesetError: `bonuses.back.flush`, `naturals[2].points`, `wheel`."""
    if path.startswith("naturals["):
        number = int(path.removeprefix("naturals[").split("]")[0])
        return f"naturals-{listed_naturals(values)[number]}-points"
    return path.replace(".", "-")


def with_field(draft: Draft, field: str, ruleset: Ruleset) -> Draft:
    """The draft with one field of the ruleset, all its places in the form, taken from `ruleset`."""
    kept = {name: text for name, text in draft.items() if not _is_place(name, field)}
    return kept | {name: text for name, text in draft_of(ruleset).items() if _is_place(name, field)}


def _is_place(name: str, field: str) -> bool:
    return name == field or name.startswith(f"{field}-")


def with_switch(draft: Draft, preset: str, switch: str, is_on: bool) -> Draft:
    """The draft with the fields of a preset's switch filled, or as in the preset itself where `is_on` is false."""
    fields = SWITCHES[preset][switch]
    ruleset = parse_ruleset({"preset": preset, **fields}) if is_on else PRESETS[preset]
    for field in fields:
        draft = with_field(draft, field, ruleset)
    return draft


def is_switched_on(ruleset: Ruleset, preset: str, switch: str) -> bool:
    """Whether the ruleset has in the fields of the switch what the switch would fill in."""
    filled = parse_ruleset({"preset": preset, **SWITCHES[preset][switch]})
    return all(getattr(ruleset, field) == getattr(filled, field) for field in SWITCHES[preset][switch])


def with_natural_moved(draft: Draft, name: str, step: int) -> Draft:
    """The draft with one natural `step` places further down (up where negative), as far as the list goes."""
    order = full_order(draft.get(ORDER, "").split(","))
    place = order.index(name)
    order.insert(max(0, place + step), order.pop(place))
    return draft | {ORDER: ",".join(order)}
