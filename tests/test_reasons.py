"""What the engine found, told so that a player understands it: rows, who beat whom, multipliers, bonuses, errors."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring import wording
from scoring.engine.cards import parse_cards
from scoring.engine.errors import ScoringError
from scoring.engine.hands import decided_by, describe_row, row_tables
from scoring.engine.rounds import HandInput, RowReason
from scoring.engine.rules import PRESETS, Ruleset
from tests.engine.laid import ANA, ANA_PLAIN, BUDI, CITRA, DEWI, against, lay, rules, score

NAMES = {who: f"{who} S." for who in ("Ana", "Budi", "Citra", "Dewi")}
CAPSA = PRESETS["capsa"]
WESTERN = PRESETS["chinese-2-4"]


@pytest.mark.parametrize(
    ("row", "text", "short"),
    [
        ("AsKd9c", "High card, ace", "A high"),
        ("QsQdAc4h2s", "Pair of queens", "Pair of Q"),
        ("KsKd9c9h2s", "Two pair, kings and nines", "Two pair K 9"),
        ("QsQdQc", "Three of a kind, queens", "Three Q"),
        ("Ac2d3h4d5c", "Straight, five high", "Straight 5"),
        ("6c7dTh9d8c", "Straight, ten high", "Straight 10"),
        ("KcJc8c6c3c", "Flush, king high in clubs", "Flush ♣\ufe0e"),
        ("JsJhJd3c3d", "Full house, jacks over threes", "Full house J"),
        ("6s6h6d6c3d", "Four of a kind, sixes", "Four 6"),
        ("5d6d7d8d9d", "Straight flush, nine high in diamonds", "Straight flush 9 ♦\ufe0e"),
        ("TsJsQsKsAs", "Royal flush in spades", "Royal flush ♠\ufe0e"),
    ],
)
@pytest.mark.parametrize("preset", ["capsa", "points"])
def test_a_row_in_full_and_in_short(preset: str, row: str, text: str, short: str) -> None:
    reading = describe_row(parse_cards(row), PRESETS[preset])
    assert (wording.row_text(reading), wording.row_short(reading)) == (text, short)


@pytest.mark.parametrize(
    ("fields", "one", "other", "sentence"),
    [
        ({}, "JsJhJd3c3d", "AhKh9h7h5h", "Full house, jacks over threes, beats flush, ace high in hearts"),
        ({}, "AhKh9h7h5h", "JsJhJd3c3d", "Full house, jacks over threes, beats flush, ace high in hearts"),
        ({}, "KsKd9c7h2s", "QsQd9h7c2d", "Pair of kings beats pair of queens"),
        ({}, "KsKdAc7h2s", "KhKc9h7c2d", "Pair of kings against pair of kings: the ace kicker decides"),
        ({}, "AsKdQc7h2s", "AhKcQh6c2d", "High card, ace against high card, ace: the seven decides"),
        ({"ties": "suits"}, "KsKd9c7h2s", "KhKc9h7c2d", "Pair of kings against pair of kings: the spade decides"),
        (
            {"flush_by_suit": True}, "8s6s5s3s2s", "AhKh9h7h5h",
            "Flush, eight high in spades against flush, ace high in hearts: the spade decides",
        ),
        ({}, "9s8d7c6h5s", "9h8c7d6s5h", "Straight, nine high on both sides: nobody wins the row"),
    ],
    ids=["category", "lost", "rank", "kicker", "high-card", "suit", "flush-by-suit", "tie"],
)  # fmt: skip
def test_who_won_a_row_and_by_what(fields: dict[str, Any], one: str, other: str, sentence: str) -> None:
    ruleset = rules(**fields)
    rows = [parse_cards(text) for text in (one, other)]
    mine, theirs = (row_tables(ruleset).strength(row) for row in rows)
    reason = RowReason("back", (mine > theirs) - (mine < theirs), decided_by(mine, theirs))
    assert wording.row_reason(reason, *(describe_row(row, ruleset) for row in rows)) == sentence


def intro(ruleset: Ruleset, *hands: HandInput | str) -> str:
    scored = score(ruleset, *hands)
    return wording.pair_intro(scored.pairs[0], scored, NAMES)


GONE = {"declare": "surrender"}
DRAGON = {"declare": "natural", "natural": "dragon"}
SIX_PAIRS = {"declare": "natural", "natural": "six_pairs"}
PAO = {"declare": "pao"}


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ((ANA, BUDI), "Ana S. wins all three rows from Budi S.: tembus."),
        ((ANA_PLAIN, against(1, 0, 1)), ""),
        ((ANA, lay("Budi", **PAO)), "Budi S. is PAO and loses all three rows."),
        ((lay("Ana", **PAO), BUDI), "Ana S. is PAO and loses all three rows."),
        ((lay("Ana", **PAO), lay("Budi", **PAO)), "Both are PAO: neither pays the other."),
        ((lay("Ana", **GONE), BUDI), "Ana S. surrendered and pays Budi S. without comparing rows."),
        ((lay("Ana", **GONE), lay("Budi", **PAO)), "Neither plays a legal hand: neither pays the other."),
        ((BUDI, lay("Budi", **DRAGON)), "Budi S. has a natural, Dragon: rows are not compared."),
        (
            (lay("Ana", **SIX_PAIRS), lay("Budi", **DRAGON)),
            "Budi S. has the stronger natural: Dragon against Six pairs of Ana S..",
        ),
        (
            (lay("Ana", **DRAGON), lay("Budi", **DRAGON)),
            "Both have a natural of the same strength, Dragon: neither pays the other.",
        ),
    ],
)
def test_why_a_pair_is_as_it_is(hands: tuple[HandInput | str, ...], sentence: str) -> None:
    assert intro(WESTERN, *hands) == sentence


def test_a_super_is_told_with_its_multiplier() -> None:
    scored = score(CAPSA, ANA, BUDI, CITRA, DEWI)
    assert wording.pair_intro(scored.pairs[0], scored, NAMES) == "Ana S. wins all three rows from everyone: super."
    assert wording.pair_sum(scored.pairs[0], 1, NAMES) == [
        ("Rows", "+3"),
        ("Super, all three rows from everyone", "× 4"),
        ("Full house in the middle, to Ana S.", "+3"),
        ("Four of a kind in the back, to Ana S.", "+7"),
    ]


def test_a_pair_is_told_from_either_side() -> None:
    scored = score(rules(majority_bonus=2, tembus_bonus=1), ANA, BUDI)
    told = wording.pair_sum(scored.pairs[0], -1, NAMES)
    assert [worth for _, worth in told] == ["−3", "× 2", "−1", "−2"]


def test_a_natural_and_a_broken_bonus_are_told() -> None:
    scored = score(WESTERN, lay("Ana", **DRAGON), BUDI)
    assert wording.pair_sum(scored.pairs[0], 1, NAMES) == [("Natural", "+13")]
    broken = score(rules("capsa", bonus_broken=True), "7s7d2c / 8h8d7hKh4c / 7cAsAdJcJd", lay("Budi", **PAO))
    assert wording.pair_sum(broken.pairs[0], 1, NAMES)[-1] == ("Four of a kind broken up, to Ana S.", "+7")


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["Ana"], "Ana"), (["Ana", "Budi"], "Ana and Budi"), (["Ana", "Budi", "Citra"], "Ana, Budi and Citra")],
    ids=len,
)
def test_names_as_one(names: list[str], text: str) -> None:
    assert wording.listed(names) == text


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (lambda: parse_cards("As Xx"), '"Xx" at position 4 is not a card'),
        (lambda: rules(ties="x"), "expected one of split, suits, not 'x'"),
        (lambda: score(CAPSA, ANA, "AsKsQs / 5s5h4s3s8c / TsTh6s6h2s"), "A♠\ufe0e is also in the front of Ana S."),
        (lambda: score(CAPSA, "AsAhAs / QsQhQd7c7d / 9s9h9d9c2c", BUDI), "A♠\ufe0e stands here twice"),
        (lambda: score(CAPSA, lay("Ana", **SIX_PAIRS), BUDI), "Six pairs is no natural under these rules"),
        (lambda: score(CAPSA, "AsAh / 5d / 6d", BUDI), "2 cards instead of 3"),
    ],
    ids=["card", "ruleset", "card-of-two", "card-twice", "natural", "count"],
)
def test_an_error_is_told_without_its_place(fault: Callable[[], Any], text: str) -> None:
    with pytest.raises(ScoringError) as refused:
        fault()
    assert wording.explain(refused.value, NAMES) == text
