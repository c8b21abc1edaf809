"""A ruleset is data: its fields, the presets, and what is refused (RULES 3 to 8)."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from scoring.engine.errors import ScoringError, gettext_noop, shown

ROWS = ("front", "middle", "back")
CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
FRONT_CATEGORIES = ("high_card", "pair", "three_of_a_kind")
BONUS_ROWS: Mapping[str, tuple[str, ...]] = {"front": FRONT_CATEGORIES, "middle": CATEGORIES, "back": CATEGORIES}
"""For each row the categories that it can hold, and that may therefore carry a bonus."""

NATURALS = (
    "clean_dragon",
    "dragon",
    "twelve_royals",
    "three_straight_flushes",
    "three_quads",
    "all_high",
    "all_low",
    "one_colour",
    "four_triples",
    "five_pairs_and_triple",
    "six_pairs",
    "three_flushes",
    "three_straights",
)

LARGEST_NUMBER = 1_000_000
"""No number of a ruleset is larger: far above any table's habit, and a typing slip is caught."""


class Natural(NamedTuple):
    """A natural that the ruleset knows, and the points that it takes from every opponent."""

    name: str
    points: int


class RowBonus(NamedTuple):
    """The points that a category pays in one row."""

    row: str
    category: str
    points: int


class RulesetError(ScoringError):
    """A ruleset that is refused: `field` is the name of the field, `path` the exact place inside it."""

    def __init__(self, path: str, message: str, **params: object) -> None:
        self.path = path
        self.field = re.split(r"[.\[]", path)[0]
        super().__init__(message, **params)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}" if self.path else super().__str__()


@dataclass(frozen=True)
class Ruleset:
    """The house rules of one table. Made by `parse_ruleset`, which is where the values are checked."""

    ties: str
    kickers: bool
    flush_by_suit: bool
    wheel: str
    row_points: int
    majority_bonus: int
    tembus_multiplier: int
    tembus_bonus: int
    super_multiplier: int | None
    super_players: int | None
    pao_multiplier: int
    bonuses: tuple[RowBonus, ...]
    bonus_rule: str
    bonus_replaces_row: bool
    bonus_multiplied: bool
    bonus_declared: bool
    bonus_limit: int | None
    bonus_broken: bool
    naturals: tuple[Natural, ...]
    quads_are_two_pairs: bool
    surrender_points: int | None
    room_fee_percent: Decimal
    room_fee_basis: str

    def as_dict(self) -> dict[str, Any]:
        """Every field in the form that JSON keeps; `parse_ruleset` reads it back to an equal ruleset."""
        plain = {field: getattr(self, field) for field in FIELDS}
        plain["bonuses"] = {row: points for row in ROWS if (points := self._bonuses_of(row))}
        plain["naturals"] = [natural._asdict() for natural in self.naturals]
        percent = self.room_fee_percent
        plain["room_fee_percent"] = int(percent) if percent == int(percent) else f"{percent:f}"
        return plain

    def natural_points(self, name: str) -> int | None:
        """What a natural takes from every opponent; None where the ruleset does not list it."""
        return next((natural.points for natural in self.naturals if natural.name == name), None)

    def _bonuses_of(self, row: str) -> dict[str, int]:
        return {bonus.category: bonus.points for bonus in self.bonuses if bonus.row == row}

    # Tables are looked up by ruleset for every round, so the hash of two dozen fields is worth keeping.
    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field) for field in FIELDS))

    def __hash__(self) -> int:
        return self._hash

    # Hashes of strings differ from one process to the next: the kept one must not travel with a pickle.
    def __getstate__(self) -> dict[str, Any]:
        return {field: getattr(self, field) for field in FIELDS}


FIELDS = tuple(field.name for field in fields(Ruleset))


def parse_ruleset(value: object) -> Ruleset:
    """A ruleset from the name of a preset, from `{"preset": name, …}` with fields replaced, or from all fields.

    Raises RulesetError, which names the field, what was expected and what came.
    """
    if isinstance(value, str):
        return _preset(value)
    if not isinstance(value, Mapping):
        raise RulesetError("", _NOT_A_RULESET, got=shown(value))
    given = dict(value)
    base = _preset(given.pop("preset")).as_dict() if "preset" in given else {}
    for name in given:
        if name not in FIELDS:
            raise RulesetError(str(name), _UNKNOWN_FIELD)
    return _checked(base | given)


def _checked(values: Mapping[str, object]) -> Ruleset:
    for name in FIELDS:
        if name not in values:
            raise RulesetError(name, _MISSING_FIELD)
    return Ruleset(**{name: _CHECKS[name](values[name], name) for name in FIELDS})


def _preset(name: object) -> Ruleset:
    if not isinstance(name, str) or name not in PRESETS:
        raise RulesetError("preset", _ONE_OF, choices=", ".join(PRESETS), got=shown(name))
    return PRESETS[name]


_NOT_A_RULESET = gettext_noop("expected the name of a preset or a table of fields, not %(got)s")
_UNKNOWN_FIELD = gettext_noop("there is no such field")
_MISSING_FIELD = gettext_noop("this field is missing")
_ONE_OF = gettext_noop("expected one of %(choices)s, not %(got)s")
_NOT_A_SWITCH = gettext_noop("expected true or false, not %(got)s")
_NOT_IN_RANGE = gettext_noop("expected a whole number from %(least)d to %(most)d, not %(got)s")
_NOT_IN_RANGE_OR_NONE = gettext_noop("expected nothing or a whole number from %(least)d to %(most)d, not %(got)s")
_NOT_A_PERCENTAGE = gettext_noop("expected a percentage from 0 to 100 with at most 20 decimals, not %(got)s")
_NOT_A_TABLE = gettext_noop("expected a table, not %(got)s")
_NOT_A_LIST = gettext_noop("expected a list, not %(got)s")
_NOT_A_NATURAL = gettext_noop("expected a natural as its name and points, not %(got)s")
_NATURAL_TWICE = gettext_noop("%(natural)s is listed twice")

_Check = Callable[[object, str], Any]


def _one_of(*choices: str) -> _Check:
    def check(value: object, path: str) -> str:
        if not isinstance(value, str) or value not in choices:
            raise RulesetError(path, _ONE_OF, choices=", ".join(choices), got=shown(value))
        return value

    return check


def _switch(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise RulesetError(path, _NOT_A_SWITCH, got=shown(value))
    return value


def _number(least: int = 0, most: int = LARGEST_NUMBER, *, optional: bool = False) -> _Check:
    message = _NOT_IN_RANGE_OR_NONE if optional else _NOT_IN_RANGE

    def check(value: object, path: str) -> int | None:
        if value is None and optional:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise RulesetError(path, message, least=least, most=most, got=shown(value))
        return value

    return check


def _percentage(value: object, path: str) -> Decimal:
    """A percentage kept exactly: a float counts as the decimals that it is written with."""
    percent = None
    if isinstance(value, int) and not isinstance(value, bool):
        percent = Decimal(value)
    elif isinstance(value, float | Decimal):
        percent = Decimal(str(value))
    elif isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?", value):
        percent = Decimal(value)
    if percent is None or not percent.is_finite() or not 0 <= percent <= 100 or _decimals(percent) > 20:
        raise RulesetError(path, _NOT_A_PERCENTAGE, got=shown(value))
    return percent


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _bonuses(value: object, path: str) -> tuple[RowBonus, ...]:
    """The bonuses in one fixed order. Null stands for none: for all, for a row, or for a category."""
    given = {row: _table(points, f"{path}.{row}") for row, points in _table(value, path).items()}
    for row, points_of in given.items():
        _require_key(row, ROWS, f"{path}.{row}")
        for category in points_of:
            _require_key(category, BONUS_ROWS[row], f"{path}.{row}.{category}")
    return tuple(
        RowBonus(row, category, points)
        for row in ROWS
        for category in CATEGORIES
        if (points := _optional_number(given.get(row, {}).get(category), f"{path}.{row}.{category}"))
    )


def _naturals(value: object, path: str) -> tuple[Natural, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise RulesetError(path, _NOT_A_LIST, got=shown(value))
    naturals = tuple(_natural(item, f"{path}[{place}]") for place, item in enumerate(value))
    names = [natural.name for natural in naturals]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise RulesetError(f"{path}[{place}].name", _NATURAL_TWICE, natural=name)
    return naturals


def _natural(value: object, path: str) -> Natural:
    if isinstance(value, Natural):
        value = value._asdict()
    if not isinstance(value, Mapping) or set(value) != {"name", "points"}:
        raise RulesetError(path, _NOT_A_NATURAL, got=shown(value))
    return Natural(_natural_name(value["name"], f"{path}.name"), _plain_number(value["points"], f"{path}.points"))


def _table(value: object, path: str) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RulesetError(path, _NOT_A_TABLE, got=shown(value))
    return value


def _require_key(key: object, choices: tuple[str, ...], path: str) -> None:
    if key not in choices:
        raise RulesetError(path, _ONE_OF, choices=", ".join(choices), got=shown(key))


_plain_number = _number()
_optional_number = _number(optional=True)
_natural_name = _one_of(*NATURALS)

_CHECKS: Mapping[str, _Check] = {
    "ties": _one_of("split", "suits"),
    "kickers": _switch,
    "flush_by_suit": _switch,
    "wheel": _one_of("lowest", "second", "none"),
    "row_points": _plain_number,
    "majority_bonus": _plain_number,
    "tembus_multiplier": _plain_number,
    "tembus_bonus": _plain_number,
    "super_multiplier": _optional_number,
    "super_players": _number(2, 4, optional=True),
    "pao_multiplier": _plain_number,
    "bonuses": _bonuses,
    "bonus_rule": _one_of("winner", "cancel", "difference"),
    "bonus_replaces_row": _switch,
    "bonus_multiplied": _switch,
    "bonus_declared": _switch,
    "bonus_limit": _number(1, 1, optional=True),
    "bonus_broken": _switch,
    "naturals": _naturals,
    "quads_are_two_pairs": _switch,
    "surrender_points": _optional_number,
    "room_fee_percent": _percentage,
    "room_fee_basis": _one_of("round", "session"),
}


def _read_presets() -> tuple[dict[str, Ruleset], dict[str, dict[str, dict[str, Any]]]]:
    """The presets in the order of the file, and the switches of those that have some."""
    file = tomllib.loads((Path(__file__).parent / "presets.toml").read_text(encoding="utf-8"))
    empty = dict.fromkeys(("super_multiplier", "super_players", "bonus_limit", "surrender_points"))
    shared = empty | file["defaults"]
    return {name: _checked(shared | table) for name, table in file["presets"].items()}, file["switches"]


PRESETS: Mapping[str, Ruleset]
SWITCHES: Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Per preset its switches: the fields that a switch fills, to be merged into `{"preset": name, …}`."""
PRESETS, SWITCHES = _read_presets()
