"""Rulesets: presets, overrides, and what is refused with the name of the field (RULES 3 to 8)."""

import copy
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.rules import FIELDS, NATURALS, PRESETS, SWITCHES, RulesetError, parse_ruleset
from tests.engine.laid import rules

POINTS = PRESETS["points"].as_dict()


def test_the_presets_stand_in_the_order_of_the_rules() -> None:
    assert list(PRESETS) == ["capsa", "chinese-2-4", "chinese-1-6", "points", "thirteen-water", "pusoy"]


# RULES 8, column by column; what a column leaves open stands in the last test.
@pytest.mark.parametrize(
    ("preset", "ties", "kickers", "flush_by_suit", "wheel", "majority", "tembus", "super_", "pao", "surrender", "fee"),
    [
        ("capsa", "suits", False, True, "lowest", 0, (2, 0), (4, 4), 4, None, 3),
        ("chinese-2-4", "split", True, False, "lowest", 1, (1, 0), (None, None), 1, 2, 0),
        ("chinese-1-6", "split", True, False, "lowest", 0, (1, 3), (None, None), 1, 3, 0),
        ("points", "split", True, False, "lowest", 0, (2, 0), (None, None), 2, None, 0),
        ("thirteen-water", "split", True, False, "second", 0, (2, 0), (4, 4), 2, None, 0),
        ("pusoy", "split", True, False, "lowest", 0, (1, 3), (None, None), 1, None, 0),
    ],
)
def test_preset(
    preset: str, ties: str, kickers: bool, flush_by_suit: bool, wheel: str, majority: int, tembus: tuple[int, int],
    super_: tuple[int | None, int | None], pao: int, surrender: int | None, fee: int,
) -> None:  # fmt: skip
    ruleset = PRESETS[preset]
    assert (ruleset.ties, ruleset.kickers, ruleset.flush_by_suit, ruleset.wheel) == (
        ties,
        kickers,
        flush_by_suit,
        wheel,
    )
    assert (ruleset.row_points, ruleset.majority_bonus) == (1, majority)
    assert (ruleset.tembus_multiplier, ruleset.tembus_bonus) == tembus
    assert (ruleset.super_multiplier, ruleset.super_players) == super_
    assert (ruleset.pao_multiplier, ruleset.surrender_points, ruleset.room_fee_percent) == (pao, surrender, fee)


WESTERN = {
    "front": {"three_of_a_kind": 3},
    "middle": {"full_house": 2, "four_of_a_kind": 8, "straight_flush": 10, "royal_flush": 10},
    "back": {"four_of_a_kind": 4, "straight_flush": 5, "royal_flush": 5},
}


@pytest.mark.parametrize("preset", ["chinese-2-4", "chinese-1-6", "thirteen-water", "pusoy"])
def test_bonuses_of_most_presets(preset: str) -> None:
    assert PRESETS[preset].as_dict()["bonuses"] == WESTERN


def test_bonuses_of_capsa_and_points() -> None:
    assert PRESETS["capsa"].as_dict()["bonuses"] == {
        "front": {"three_of_a_kind": 5},
        "middle": {"full_house": 3, "four_of_a_kind": 14, "straight_flush": 18, "royal_flush": 22},
        "back": {"four_of_a_kind": 7, "straight_flush": 9, "royal_flush": 11},
    }
    assert PRESETS["points"].bonuses == ()


@pytest.mark.parametrize(
    ("preset", "naturals"),
    [
        ("capsa", {"dragon": 208}),
        ("chinese-2-4", {"dragon": 13, "six_pairs": 3, "three_flushes": 3, "three_straights": 3}),
        ("chinese-1-6", {"dragon": 13, "six_pairs": 3, "three_flushes": 3, "three_straights": 3}),
        ("points", {}),
        ("pusoy", {"dragon": 13, "three_flushes": 4, "three_straights": 4, "six_pairs": 3}),
        (
            "thirteen-water",
            {"clean_dragon": 104, "dragon": 52}
            | dict.fromkeys(("three_quads", "four_triples", "three_straight_flushes", "twelve_royals"), 26)
            | dict.fromkeys(("all_high", "all_low", "one_colour", "five_pairs_and_triple", "six_pairs"), 6)
            | dict.fromkeys(("three_straights", "three_flushes"), 6),
        ),
    ],
)
def test_naturals_of_presets_with_the_strongest_first(preset: str, naturals: dict[str, int]) -> None:
    assert list(PRESETS[preset].naturals) == list(naturals.items())


def test_thirteen_water_replaces_and_multiplies_bonuses() -> None:
    named = {name for name, ruleset in PRESETS.items() if ruleset.bonus_replaces_row or ruleset.bonus_multiplied}
    assert named == {"thirteen-water"}


def test_what_a_column_leaves_open() -> None:
    for ruleset in PRESETS.values():
        assert ruleset.bonus_rule == "winner"
        assert (ruleset.bonus_limit, ruleset.bonus_declared, ruleset.bonus_broken) == (None, False, False)
        assert (ruleset.quads_are_two_pairs, ruleset.room_fee_basis) == (True, "round")


def test_the_switches_of_points_fill_whole_fields() -> None:
    special_hands = rules("points", **SWITCHES["points"]["special_hands"])
    assert dict(special_hands.naturals) == dict.fromkeys(
        ("dragon", "six_pairs", "three_flushes", "three_straights"), 6
    )  # each worth a sweep
    bonuses = rules("points", **SWITCHES["points"]["bonuses"])
    assert bonuses.as_dict()["bonuses"] == {row: WESTERN[row] for row in ("back",)} | {
        "middle": {"four_of_a_kind": 8, "straight_flush": 10, "royal_flush": 10}
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_survives_json(preset: str) -> None:
    ruleset = PRESETS[preset]
    told = json.loads(json.dumps(ruleset.as_dict()))
    assert tuple(told) == FIELDS
    assert parse_ruleset(told) == ruleset == parse_ruleset(preset) == copy.copy(ruleset)
    assert hash(parse_ruleset(told)) == hash(ruleset)


def test_a_given_field_replaces_the_whole_field() -> None:
    ruleset = rules("capsa", bonuses={"back": {"flush": 1}}, naturals=[{"name": "six_pairs", "points": 6}])
    assert ruleset.as_dict()["bonuses"] == {"back": {"flush": 1}}
    assert ruleset.naturals == (("six_pairs", 6),)
    assert ruleset.ties == "suits"


@pytest.mark.parametrize(
    "fields", [{"bonuses": None}, {"bonuses": {"back": None}}, {"bonuses": {"back": {"flush": None}}}]
)
def test_null_is_no_bonus(fields: dict[str, Any]) -> None:
    assert rules("capsa", **fields).bonuses == ()


def test_null_is_no_natural_no_super_no_surrender() -> None:
    ruleset = rules("chinese-2-4", naturals=None, super_multiplier=None, super_players=None, surrender_points=None)
    assert (ruleset.naturals, ruleset.super_multiplier, ruleset.surrender_points) == ((), None, None)


@pytest.mark.parametrize(
    ("percent", "kept", "told"),
    [(3, "3", 3), (2.3, "2.3", "2.3"), ("2.50", "2.5", "2.50"), (Decimal("0.125"), "0.125", "0.125"), (1e1, "10", 10)],
)
def test_the_fee_is_kept_in_decimals(percent: object, kept: str, told: object) -> None:
    ruleset = rules(room_fee_percent=percent)
    assert ruleset.room_fee_percent == Decimal(kept)
    assert ruleset.as_dict()["room_fee_percent"] == told
    assert parse_ruleset(ruleset.as_dict()) == ruleset


WRONG: list[tuple[str, Any]] = [
    ("ties", "suit"),
    ("ties", True),
    ("ties", ["suits"]),
    ("kickers", 1),
    ("kickers", "true"),
    ("kickers", None),
    ("flush_by_suit", 0),
    ("wheel", "low"),
    ("row_points", True),
    ("row_points", 1.0),
    ("row_points", "1"),
    ("row_points", -1),
    ("row_points", 10**9),
    ("row_points", 10**6000),
    ("row_points", None),
    ("majority_bonus", float("nan")),
    ("tembus_multiplier", -2),
    ("tembus_bonus", 0.5),
    ("super_multiplier", -4),
    ("super_multiplier", False),
    ("super_players", 1),
    ("super_players", 5),
    ("pao_multiplier", -1),
    ("pao_multiplier", {}),
    ("bonuses", []),
    ("bonuses", 5),
    ("bonuses", {"bottom": {"flush": 1}}),
    ("bonuses", {"front": {"flush": 1}}),
    ("bonuses", {"back": 5}),
    ("bonuses", {"back": {"flush": -1}}),
    ("bonuses", {"back": {"flush": True}}),
    ("bonuses", {"back": {"quads": 4}}),
    ("bonuses", {1: {}}),
    ("bonus_rule", "loser"),
    ("bonus_replaces_row", "no"),
    ("bonus_multiplied", 2),
    ("bonus_declared", []),
    ("bonus_limit", 0),
    ("bonus_limit", 2),
    ("bonus_limit", True),
    ("bonus_broken", "yes"),
    ("naturals", {"dragon": 13}),
    ("naturals", "dragon"),
    ("naturals", ["dragon"]),
    ("naturals", [{"name": "dragon"}]),
    ("naturals", [{"name": "dragon", "points": 13, "rank": 1}]),
    ("naturals", [{"name": "wyvern", "points": 13}]),
    ("naturals", [{"name": ["dragon"], "points": 13}]),
    ("naturals", [{"name": "dragon", "points": -13}]),
    ("naturals", [{"name": "dragon", "points": 13}, {"name": "dragon", "points": 1}]),
    ("quads_are_two_pairs", None),
    ("surrender_points", -3),
    ("surrender_points", "3"),
    ("room_fee_percent", -1),
    ("room_fee_percent", 100.5),
    ("room_fee_percent", True),
    ("room_fee_percent", None),
    ("room_fee_percent", "3%"),
    ("room_fee_percent", " 3"),
    ("room_fee_percent", "1_0"),
    ("room_fee_percent", "NaN"),
    ("room_fee_percent", float("inf")),
    ("room_fee_percent", Decimal("sNaN")),
    ("room_fee_percent", Decimal("1e-30")),
    ("room_fee_percent", Decimal("1e999999")),
    ("room_fee_basis", "evening"),
    ("jokers", 2),
]


@pytest.mark.parametrize(("field", "value"), WRONG, ids=[f"{field}-{place}" for place, (field, _) in enumerate(WRONG)])
def test_a_wrong_field_is_named(field: str, value: Any) -> None:
    with pytest.raises(RulesetError) as refused:
        rules(**{field: value})
    assert refused.value.field == field
    assert str(refused.value).startswith(field)
    assert len(str(refused.value)) < 400


def test_the_exact_place_is_named() -> None:
    with pytest.raises(
        RulesetError, match=r"^bonuses\.back\.flush: expected nothing or a whole number from 0 to 1000000"
    ):
        rules(bonuses={"back": {"flush": "4"}})
    with pytest.raises(RulesetError, match=r"^naturals\[1\]\.name: dragon is listed twice"):
        rules(naturals=[{"name": "dragon", "points": 1}] * 2)


@pytest.mark.parametrize("field", FIELDS)
def test_without_a_preset_every_field_is_needed(field: str) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset({name: value for name, value in POINTS.items() if name != field})
    assert refused.value.field == field


@pytest.mark.parametrize("value", [None, 5, [], True, "Capsa", "", {}, {"preset": None}, {"preset": ["capsa"]}, {5: 5}])
def test_what_is_no_ruleset_is_refused(value: object) -> None:
    with pytest.raises(RulesetError):
        parse_ruleset(value)


def test_a_preset_cannot_be_changed_through_its_dictionary() -> None:
    PRESETS["capsa"].as_dict()["bonuses"]["back"].clear()
    assert "back" in PRESETS["capsa"].as_dict()["bonuses"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(NATURALS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.sampled_from([*FIELDS, "preset", "other"]), json_values)
def test_any_value_gives_a_ruleset_or_names_its_field(field: str, value: Any) -> None:
    try:
        ruleset = parse_ruleset(POINTS | {field: value})
    except RulesetError as error:
        assert error.field == field
    else:
        assert parse_ruleset(json.loads(json.dumps(ruleset.as_dict()))) == ruleset
