"""The rules told as text: complete, true, and silent about what a table does not play."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.utils import translation

from scoring.engine.rules import FIELDS, NATURALS, PRESETS, Natural, RowBonus, Ruleset, parse_ruleset
from scoring.rules_text import differences, preset_name, tell_ruleset

VALUES: dict[str, list[Any]] = {
    "ties": ["split", "suits"],
    "kickers": [False, True],
    "flush_by_suit": [False, True],
    "wheel": ["lowest", "second", "none"],
    "row_points": [0, 1, 37],
    "majority_bonus": [0, 1, 37],
    "tembus_multiplier": [0, 1, 2, 37],
    "tembus_bonus": [0, 1, 37],
    "super_multiplier": [None, 1, 4, 37],
    "super_players": [None, 2, 3, 4],
    "pao_multiplier": [0, 1, 4, 37],
    "bonuses": [
        (),
        (RowBonus("back", "flush", 37),),
        (RowBonus("middle", "flush", 37),),
        (RowBonus("back", "pair", 37),),
    ],
    "bonus_rule": ["winner", "cancel", "difference"],
    "bonus_replaces_row": [False, True],
    "bonus_multiplied": [False, True],
    "bonus_declared": [False, True],
    "bonus_limit": [None, 1],
    "bonus_broken": [False, True],
    "naturals": [(), (Natural("all_low", 37),), (Natural("all_high", 37),), (Natural("all_low", 41),)],
    "quads_are_two_pairs": [False, True],
    "surrender_points": [None, 0, 1, 37],
    "room_fee_percent": [Decimal(0), Decimal(3), Decimal("2.35")],
    "room_fee_basis": ["round", "session"],
}
EVERYTHING = replace(
    PRESETS["thirteen-water"],
    majority_bonus=1,
    tembus_bonus=3,
    super_players=3,
    surrender_points=3,
    room_fee_percent=Decimal("2.35"),
)
RULESETS = {**PRESETS, "everything": EVERYTHING}
ONE_CHANGES = [
    pytest.param(ruleset, field, value, id=f"{name}-{field}-{number}")
    for name, ruleset in RULESETS.items()
    for field in FIELDS
    for number, value in enumerate(VALUES[field])
    if getattr(ruleset, field) != value
]


def with_field(ruleset: Ruleset, field: str, value: Any) -> Ruleset:
    """The ruleset with one field replaced."""
    return replace(ruleset, **{field: value})


def text_of(ruleset: Ruleset) -> str:
    """Everything on the page, line by line."""
    return "\n".join(_lines(ruleset))


def _lines(ruleset: Ruleset) -> Iterator[str]:
    for section in tell_ruleset(ruleset):
        yield from (section.title, section.lead, *section.sentences)
        if section.table:
            yield from (" | ".join(row) for row in (section.table.columns, *section.table.rows))
        for example in section.examples:
            yield from (example.title, *map(" ".join, example.steps), example.total)


def has_effect(field: str, ruleset: Ruleset) -> bool:
    """Whether the field means anything beside the rest of the ruleset."""
    if field.startswith("bonus_"):
        return bool(ruleset.bonuses)
    if field == "super_players":
        return ruleset.super_multiplier is not None
    if field == "quads_are_two_pairs":
        return any(natural.name in ("six_pairs", "five_pairs_and_triple") for natural in ruleset.naturals)
    return field != "room_fee_basis" or bool(ruleset.room_fee_percent)


def test_every_field_is_tried() -> None:
    assert set(VALUES) == set(FIELDS)


@pytest.mark.parametrize(("ruleset", "field", "value"), ONE_CHANGES)
def test_a_change_of_one_field_is_told_where_it_means_something(ruleset: Ruleset, field: str, value: object) -> None:
    changed = with_field(ruleset, field, value)
    assert (text_of(changed) != text_of(ruleset)) == has_effect(field, ruleset)


@pytest.mark.parametrize(
    "field",
    [
        "row_points",
        "majority_bonus",
        "tembus_multiplier",
        "tembus_bonus",
        "super_multiplier",
        "pao_multiplier",
        "surrender_points",
    ],
)
def test_a_number_stands_in_the_text(field: str) -> None:
    assert "37" not in text_of(EVERYTHING)
    assert "37" in text_of(with_field(EVERYTHING, field, 37))


@pytest.mark.parametrize("preset", PRESETS)
def test_nobody_needs_to_know_a_field_by_name(preset: str) -> None:
    text = text_of(PRESETS[preset])
    assert "_" not in text
    assert "None" not in text
    assert "%(" not in text


def test_the_table_of_bonuses_names_every_bonus() -> None:
    section = next(section for section in tell_ruleset(PRESETS["capsa"]) if section.key == "bonuses")
    assert section.table is not None
    assert section.table.rows == (
        ("Royal flush", "–", "22", "11"),
        ("Straight flush", "–", "18", "9"),
        ("Four of a kind", "–", "14", "7"),
        ("Full house", "–", "3", "–"),
        ("Three of a kind", "5", "–", "–"),
    )


def test_naturals_are_told_strongest_first() -> None:
    naturals = [{"name": "six_pairs", "points": 9}, {"name": "dragon", "points": 8}]
    sections = tell_ruleset(parse_ruleset({"preset": "capsa", "naturals": naturals}))
    section = next(section for section in sections if section.key == "naturals")
    assert section.table is not None
    assert [(row[0], row[2]) for row in section.table.rows] == [("Six pairs", "9"), ("Dragon", "8")]


def test_what_is_not_played_has_no_section() -> None:
    keys = [section.key for section in tell_ruleset(PRESETS["points"])]
    assert keys == ["rows", "ties", "order", "points", "sweeps", "money", "absent"]
    assert text_of(PRESETS["points"]).count("super") == 1  # there is none


def test_a_table_that_plays_everything_leaves_nothing_out() -> None:
    assert "absent" not in [section.key for section in tell_ruleset(EVERYTHING)]


def test_the_fee_is_written_in_the_language_of_the_page() -> None:
    ruleset = replace(PRESETS["capsa"], room_fee_percent=Decimal("2.50"))
    assert "2.5%" in text_of(ruleset)
    with translation.override("id"):
        assert "2,5" in text_of(ruleset)


# ---------------------------------------------------------------- examples


def example_totals(ruleset: Ruleset) -> dict[str, str]:
    return {example.title: example.total for section in tell_ruleset(ruleset) for example in section.examples}


def test_the_examples_of_capsa() -> None:
    assert example_totals(PRESETS["capsa"]) == {
        "Example: Budi is PAO against Ana, his middle beats his back": "+15 points",
        "Example: Ana wins two rows from Citra": "+4 points",
        "Example: Ana has a tembus against Budi, with a full house in the middle": "+9 points",
        "Example: Ana has a super; what Budi pays": "+22 points",
    }


def test_the_steps_of_a_tembus() -> None:
    section = next(section for section in tell_ruleset(PRESETS["chinese-1-6"]) if section.key == "sweeps")
    (tembus,) = section.examples
    assert [value for _step, value in tembus.steps] == ["+3", "+3", "+2"]
    assert tembus.total == "+8 points"


@pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(
            replace(ruleset, naturals=tuple(Natural(name, 5) for name in NATURALS), super_players=players),
            id=f"{name}-{players}",
        )
        for name, ruleset in RULESETS.items()
        for players in (None, 2, 4)
    ],
)
def test_the_examples_are_what_they_say_under_any_ruleset(ruleset: Ruleset) -> None:
    steps = {
        example.title: " ".join(map(" ".join, example.steps))
        for section in tell_ruleset(ruleset)
        for example in section.examples
    }
    for title, told in steps.items():
        assert "Natural" not in told
        assert told.startswith("Rows: 2 won, 1 lost" if "two rows" in title else "Rows: 3 won, 0 lost")


# ---------------------------------------------------------------- differences


@pytest.mark.parametrize(("ruleset", "field", "value"), ONE_CHANGES)
def test_a_change_of_one_field_is_a_difference_in_that_field(ruleset: Ruleset, field: str, value: object) -> None:
    found = differences(ruleset, with_field(ruleset, field, value))
    assert found
    assert {each.place.split("-")[0] for each in found} == {field}
    assert all(each.before != each.after for each in found)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_does_not_differ_from_itself(preset: str) -> None:
    assert differences(PRESETS[preset], parse_ruleset(PRESETS[preset].as_dict())) == []


def test_bonuses_and_naturals_differ_place_by_place() -> None:
    changes = {
        "bonuses": {"back": {"flush": 2}},
        "naturals": [{"name": "six_pairs", "points": 3}, {"name": "dragon", "points": 13}],
    }
    before = parse_ruleset({"preset": "chinese-2-4", "bonuses": {"back": {"flush": 1, "straight": 1}}})
    found = differences(before, parse_ruleset({"preset": "chinese-2-4", **changes}))
    assert [(each.label, each.before, each.after) for each in found] == [
        ("Bonus, Back: Flush", "1 point", "2 points"),
        ("Bonus, Back: Straight", "1 point", "none"),
        ("Natural: Three flushes", "3 points", "none"),
        ("Natural: Three straights", "3 points", "none"),
        ("Order of the naturals", "Dragon, Six pairs", "Six pairs, Dragon"),
    ]


def test_a_preset_without_a_name_of_its_own_goes_by_its_key() -> None:
    assert preset_name("capsa") == "Capsa"
    assert preset_name("kamis-malam") == "Kamis malam"
