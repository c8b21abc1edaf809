"""The thirteen naturals of RULES 5: each held and just missed, against a literal search, and against themselves."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import DECK, Card, format_cards, parse_cards
from scoring.engine.hands import row_tables
from scoring.engine.naturals import compare_same_natural, detect_natural, holds
from scoring.engine.rules import NATURALS, Ruleset, parse_ruleset

POINTS = [{"name": name, "points": 1} for name in NATURALS]


def rules(preset: str = "points", **fields: Any) -> Ruleset:
    """A ruleset that lists every natural, in the order of RULES 5."""
    return parse_ruleset({"preset": preset, "naturals": POINTS} | fields)


def hand(text: str) -> tuple[Card, ...]:
    cards = parse_cards(text)
    assert len(set(cards)) == 13
    return cards


HELD = [
    ("clean_dragon", "2s3s4s5s6s7s8s9sTsJsQsKsAs", "2s3s4s5s6s7s8s9sTsJsQsKsAh"),
    ("dragon", "2d3c4h5s6s7s8s9sTsJsQsKsAs", "2d2c4h5s6s7s8s9sTsJsQsKsAs"),
    ("twelve_royals", "JdJcJhJsQdQcQhQsKdKcKhKs2d", "JdJcJhJsQdQcQhQsKdKcKh2c2d"),
    ("twelve_royals", "JdJcJhQdQcQhKdKcKhAdAcAhAs", "JdJcJhQdQcQhKdKcTdTcAcAhAs"),
    ("three_straight_flushes", "2d3d4d 5c6c7c8c9c TsJsQsKsAs", "2d3d5d 5c6c7c8c9c TsJsQsKsAs"),
    ("three_straight_flushes", "Ad2d3d Ac2c3c4c5c 6s7s8s9sTs", "KdAd2d Ac2c3c4c5c 6s7s8s9sTs"),
    ("three_straight_flushes", "2d3d4d5d6d 2s3s4s 6s7s8s9sTs", "2d3d4d5d7d 2s3s4s 6s7s8s9sTs"),
    ("three_straight_flushes", "2d3d4d5d6d 8d9dTdJdQd 2s3s4s", "2d3d4d5d6d 8d9dTdJdKd 2s3s4s"),
    ("three_quads", "2d2c2h2s 7d7c7h7s AdAcAhAs Ks", "2d2c2h2s 7d7c7h7s AdAcAh KdKs"),
    ("all_high", "8d8c9d9hTdTsJdJcQcKhKsAdAs", "7d8c9d9hTdTsJdJcQcKhKsAdAs"),
    ("all_low", "2d2c3d3h4d4s5d5c6c7h7s8d8s", "2d2c3d3h4d4s5d5c6c7h7s8d9s"),
    ("one_colour", "2d3h4d5h6d7h8d9hTdJhQdKhAd", "2d3h4d5h6d7h8d9hTdJhQdKhAc"),
    ("one_colour", "2c2sTc3s4c4s5c6s7c8s9cTsQc", "2c2sTc3s4c4s5c6s7c8s9cTsQd"),
    ("four_triples", "2d2c2h 5d5c5s 9d9c9h KdKhKs As", "2d2c2h 5d5c5s 9d9c9h KdKhQs Qd"),
    ("four_triples", "2d2c2h2s 5d5c5s 9d9c9h KdKhKs", "2d2c2h2s 5d5c5h5s 9d9c9h KdKs"),
    ("five_pairs_and_triple", "2d2c 4d4c 6d6h 8d8s TcTs QdQcQh", "2d2c 4d4c 6d6h 8d8s TcTs QdQcAh"),
    ("five_pairs_and_triple", "2d2c2h2s 6d6h 8d8s TcTs QdQcQh", "2d2c2h2s 6d6h 8d8s QdQcQhQs As"),
    ("six_pairs", "2d2c 4d4c 6d6h 8d8s TcTs QdQc Ah", "2d2c 4d4c 6d6h 8d8s TcTs QdKc Ah"),
    ("six_pairs", "2d2c 4d4c 6d6h 8d8s TcTs QdQcQh", "2d2c2h 4d4c4h 6d6h6s 8d8s TcTs"),
    ("six_pairs", "2d2c2h2s 4d4c4h4s 6d6h TcTs 9c", "2d2c2h2s 4d4c4h4s 6d6h6s Ts 9c"),
    ("three_flushes", "2d4d6d 3c5c7c9cJc 2s6s8sTsQs", "2d4d6h 3c5c7c9cJc 2s6s8sTsQs"),
    ("three_flushes", "2d3d5d6d8d9dJdQd 3c5c7c9cJc", "2d3d5d6d8d9dJd 3c5c7c9cJcKc"),
    ("three_flushes", "2d3d5d6d8d9dJdQdKdAd 3c5c7c", "2d3d5d6d8d9dJdQdKd 3c5c7cKc"),
    ("three_straights", "3d4c5h 2s3s4d5d6h 9dTcJhQsKs", "3d4c6c 2s3s4d5d6h 9dTcJhQsKs"),
    ("three_straights", "Ad2c3h Ah2s3s4c5d 9dTcJhQsKs", "Ad2c3h KhAs2s3c4d 9dTcJhQsKs"),
    ("three_straights", "QdKcAh TsJsQcKdAd 2d3d4h5s6c", "QdKcAh JsQcKdAd2c 2d3d4h5s6c"),
]


@pytest.mark.parametrize(("name", "held", "missed"), HELD)
def test_held_and_just_missed(name: str, held: str, missed: str) -> None:
    assert holds(name, hand(held), rules())
    assert not holds(name, hand(missed), rules())


@pytest.mark.parametrize("name", NATURALS)
def test_the_only_listed_natural_is_found(name: str) -> None:
    ruleset = rules(naturals=[{"name": name, "points": 1}])
    for natural, held, missed in HELD:
        if natural == name:
            assert detect_natural(hand(held), ruleset) == name
            assert detect_natural(hand(missed), ruleset) is None


def test_the_first_listed_natural_counts() -> None:
    clean_dragon = hand("2s3s4s5s6s7s8s9sTsJsQsKsAs")
    assert detect_natural(clean_dragon, rules("thirteen-water")) == "clean_dragon"
    assert detect_natural(clean_dragon, parse_ruleset("capsa")) == "dragon"
    weakest_first = rules(naturals=[{"name": "three_straights", "points": 6}, {"name": "dragon", "points": 3}])
    assert detect_natural(clean_dragon, weakest_first) == "three_straights"


def test_what_is_not_listed_does_not_exist() -> None:
    assert detect_natural(hand("2d2c 4d4c 6d6h 8d8s TcTs QdQc Ah"), parse_ruleset("capsa")) is None
    assert detect_natural(hand("2s3s4s5s6s7s8s9sTsJsQsKsAs"), parse_ruleset("points")) is None


@pytest.mark.parametrize("cards", ["", "2s3s4s", "2s3s4s5s6s7s8s9sTsJsQsKsAs2d"], ids=["none", "three", "fourteen"])
def test_only_thirteen_cards_are_a_natural(cards: str) -> None:
    assert detect_natural(parse_cards(cards), rules()) is None
    assert not holds("all_low", parse_cards(cards), rules())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("three_straights", "Ad2c3h 2d3s4h5s6c 9dTcJhQsKs"),
        ("three_straights", "Ad2c3h4c5h 4h5s6c 9dTcJhQsKs"),
        ("three_straight_flushes", "Ad2d3d 4h5h6h7h8h 9sTsJsQsKs"),
        ("three_straight_flushes", "Ad2d3d4d5d 4h5h6h 9sTsJsQsKs"),
    ],
)
def test_without_a_wheel_an_ace_is_high_only(name: str, text: str) -> None:
    for wheel, expected in (("lowest", True), ("second", True), ("none", False)):
        assert holds(name, hand(text), rules(wheel=wheel)) == expected


@pytest.mark.parametrize(
    ("name", "text", "without_the_switch"),
    [
        pytest.param("six_pairs", "2d2c2h2s 4d4c 6d6h 8d8s TcTs Qd", False, id="four of a kind among six pairs"),
        pytest.param("six_pairs", "2d2c2h 4d4c 6d6h 8d8s TcTs QdQc", True, id="the odd card matches a pair"),
        pytest.param("six_pairs", "2d2c2h2s 6d6h 8d8s TcTs QdQcQh", False, id="four and three of a kind"),
        pytest.param(
            "five_pairs_and_triple", "2d2c2h2s 6d6h 8d8s TcTs QdQcQh", False, id="four of a kind and a triple"
        ),
        pytest.param("five_pairs_and_triple", "2d2c2h 4d4c 6d6h 8d8s TcTs QdQc", True, id="five pairs and a triple"),
    ],
)
def test_four_of_a_kind_as_two_pairs(name: str, text: str, without_the_switch: bool) -> None:
    assert holds(name, hand(text), rules(quads_are_two_pairs=True))
    assert holds(name, hand(text), rules(quads_are_two_pairs=False)) == without_the_switch


# The literal search: the words of RULES 5, without a table.


def is_flush(row: Sequence[Card], ruleset: Ruleset) -> bool:
    return len({card % 4 for card in row}) == 1


def is_straight(row: Sequence[Card], ruleset: Ruleset) -> bool:
    ranks = sorted(card // 4 for card in row)
    if ranks == [*range(len(row) - 1), 12]:
        return ruleset.wheel != "none"
    return ranks == list(range(ranks[0], ranks[0] + len(row)))


def is_straight_flush(row: Sequence[Card], ruleset: Ruleset) -> bool:
    return is_flush(row, ruleset) and is_straight(row, ruleset)


Fits = Callable[[Sequence[Card], Ruleset], bool]


def layouts(cards: Sequence[Card], fits: Fits, ruleset: Ruleset) -> list[tuple[Sequence[Card], ...]]:
    """Every front, middle and back in which all three rows fit."""
    found: list[tuple[Sequence[Card], ...]] = []
    for back in combinations(cards, 5):
        if fits(back, ruleset):
            others = [card for card in cards if card not in back]
            for middle in combinations(others, 5):
                front = [card for card in others if card not in middle]
                if fits(middle, ruleset) and fits(front, ruleset):
                    found.append((front, middle, back))
    return found


def can_take(counts: tuple[int, ...], groups: tuple[int, ...], twice: bool) -> bool:
    """Whether groups of these sizes, each of one rank, can be taken; a rank gives two only where it may."""
    if not groups:
        return True
    size, rest = groups[0], groups[1:]
    for place, count in enumerate(counts):
        if count >= size:
            left = (*counts[:place], count - size if twice else 0, *counts[place + 1 :])
            if can_take(left, rest, twice):
                return True
    return False


def is_held_literally(name: str, cards: Sequence[Card], ruleset: Ruleset) -> bool:
    ranks = [card // 4 for card in cards]
    counts = tuple(sorted(Counter(ranks).values(), reverse=True))
    twice = ruleset.quads_are_two_pairs
    rows = {"three_flushes": is_flush, "three_straights": is_straight, "three_straight_flushes": is_straight_flush}
    if name in rows:
        return bool(layouts(cards, rows[name], ruleset))
    return {
        "clean_dragon": len(set(ranks)) == 13 and is_flush(cards, ruleset),
        "dragon": len(set(ranks)) == 13,
        "twelve_royals": sum(rank >= 9 for rank in ranks) >= 12,
        "three_quads": can_take(counts, (4, 4, 4), twice=False),
        "all_high": min(ranks) >= 6,
        "all_low": max(ranks) <= 6,
        "one_colour": {card % 4 for card in cards} <= {0, 2} or {card % 4 for card in cards} <= {1, 3},
        "four_triples": can_take(counts, (3, 3, 3, 3), twice=False),
        "five_pairs_and_triple": can_take(counts, (3, 2, 2, 2, 2, 2), twice),
        "six_pairs": can_take(counts, (2, 2, 2, 2, 2, 2), twice),
    }[name]


SMALL_DECKS = {
    "whole": DECK,
    "low": DECK[:28],
    "high": DECK[24:],
    "royals and twos": DECK[:2] + DECK[36:],
    "six ranks": DECK[8:32],
    "four ranks and two cards": DECK[8:26],
    "red": tuple(card for card in DECK if card % 4 in (0, 2)),
    "without clubs": tuple(card for card in DECK if card % 4 != 1),
}


@st.composite
def dealt(draw: st.DrawFn) -> tuple[Card, ...]:
    """Thirteen cards, mostly from a deck in which naturals are common."""
    deck = SMALL_DECKS[draw(st.sampled_from(sorted(SMALL_DECKS)))]
    return tuple(draw(st.lists(st.sampled_from(deck), min_size=13, max_size=13, unique=True)))


@st.composite
def laid_as_straights(draw: st.DrawFn) -> tuple[Card, ...]:
    """Three straights, often suited; sometimes one card is changed."""
    cards: list[Card] = []
    for size in (3, 5, 5):
        lowest = draw(st.integers(-1, 13 - size))
        suit = draw(st.none() | st.integers(0, 3))
        for rank in range(lowest, lowest + size):
            of_rank = [card for card in DECK[rank % 13 * 4 :][:4] if card not in cards]
            cards.append(next((card for card in of_rank if card % 4 == suit), draw(st.sampled_from(of_rank))))
    if draw(st.booleans()):
        cards[0] = draw(st.sampled_from([card for card in DECK if card not in cards[1:]]))
    return tuple(cards)


variants = st.builds(rules, wheel=st.sampled_from(["lowest", "second", "none"]), quads_are_two_pairs=st.booleans())


@settings(max_examples=150, deadline=None)
@given(dealt() | laid_as_straights(), variants)
def test_every_natural_agrees_with_the_literal_search(cards: tuple[Card, ...], ruleset: Ruleset) -> None:
    held = [name for name in NATURALS if is_held_literally(name, cards, ruleset)]
    assert [name for name in NATURALS if holds(name, cards, ruleset)] == held
    assert detect_natural(cards, ruleset) == (held[0] if held else None)


def test_random_deals_agree_with_the_literal_search() -> None:
    dealer = random.Random(13)
    ruleset = rules("thirteen-water")
    for _ in range(150):
        cards = tuple(dealer.sample(DECK, 13))
        held = [name for name in NATURALS if is_held_literally(name, cards, ruleset)]
        assert detect_natural(cards, ruleset) == (held[0] if held else None), format_cards(cards)


# The same natural against itself.


def assert_compares(name: str, one: str, other: str, ruleset: Ruleset, expected: int) -> None:
    first, second = hand(one), hand(other)
    assert not set(first) & set(second)
    assert holds(name, first, ruleset)
    assert holds(name, second, ruleset)
    assert compare_same_natural(name, first, second, ruleset) == expected
    assert compare_same_natural(name, second, first, ruleset) == -expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("AdAc 4d4c 6d6h 8d8s TcTs QdQc 2h", "KdKc 4h4s 6c6s 8c8h ThTd JdJc Ah", 1, id="highest pair"),
        pytest.param("AdAc 2d2c 6d6h 8d8s TcTs QdQc 3h", "AhAs 4h4s 6c6s 8c8h ThTd QhQs 2h", -1, id="lowest pair"),
        pytest.param("AdAc 4d4c 6d6h 8d8s TcTs QdQc 2h", "AhAs 4h4s 6c6s 8c8h ThTd QhQs Kh", 0, id="the odd card"),
        pytest.param("QdQcQhQs TdTc 9d9c 8d8c 7d7c 3h", "KdKc JdJc ThTs 9h9s 8h8s 7h7s 3d", -1, id="queens under it"),
        pytest.param("KdKc QdQcQhQs 4d4c 3d3c 2d2c 5h", "KhKs JdJc TdTc 9d9c 8d8c 7d7c 3h", 1, id="four queens count"),
        pytest.param("AdAcAh 4d4c 6d6h 8d8s TcTs QdQc", "KdKcKh 4h4s 6c6s 8c8h ThTd QhQs", 1, id="three aces"),
    ],
)  # fmt: skip
def test_six_pairs_compare_their_pairs_from_the_top(one: str, other: str, expected: int) -> None:
    assert_compares("six_pairs", one, other, rules(ties="suits"), expected)


HEARTS_SPADES, DIAMONDS_CLUBS = "AhKhQhJh9h Ts8s6s4s2s ", "AdKdQdJd9d Tc8c6c4c2c "
SUIT_FIRST = {"flush_by_suit": True}


@pytest.mark.parametrize(
    ("one", "other", "fields", "expected"),
    [
        pytest.param("AhKhQhJh9h Ts8s6s4s2s 3d5d7d", "AcKcQcJc8c Js9s7s5s3s 4d6d8d", {}, 1, id="back by rank"),
        pytest.param("AhKhQhJh9h Ts8s6s4s2s 3d5d7d", "AcKcQcJc8c AdKdQdJd9d 2h3h4h", {}, -1, id="then the middle"),
        pytest.param("AhKhQhJh9h Ts8s6s4s2s 3d5d7d", "AcKcQcJc8c AdKdQdJd9d 2h3h4h", SUIT_FIRST, 1, id="spades back"),
        pytest.param("AhKhQhJh9h 6s5s4s3s2s 3d5d7d", "AcKcQcJc8c AdKdQdJd9d 2h4h6h", {}, 1, id="straight flush back"),
        pytest.param(HEARTS_SPADES + "7d5d3d", DIAMONDS_CLUBS + "7s5s3s", {}, 0, id="equal ranks"),
        pytest.param(HEARTS_SPADES + "7d5d3d", DIAMONDS_CLUBS + "7s5s3s", {"ties": "suits"}, 1, id="hearts back"),
        pytest.param(HEARTS_SPADES + "7d5d3d", DIAMONDS_CLUBS + "9s7s5s", {}, -1, id="then the front"),
        pytest.param(HEARTS_SPADES + "5d4d3d", DIAMONDS_CLUBS + "AsKsJs", {}, 1, id="straight flush in front"),
        pytest.param(HEARTS_SPADES + "4h3h2h", DIAMONDS_CLUBS + "AsKsQs", {}, -1, id="best five of eight hearts"),
    ],
)  # fmt: skip
def test_three_flushes_compare_row_by_row(one: str, other: str, fields: dict[str, Any], expected: int) -> None:
    assert_compares("three_flushes", one, other, rules(**fields), expected)


HIGH, HIGH_TOO = "TdJcQdKcAd 5d6c7d8c9d ", "ThJsQhKsAh 5h6s7h8s9h "
SUITS = {"ties": "suits"}


@pytest.mark.parametrize(
    ("one", "other", "fields", "expected"),
    [
        pytest.param(HIGH + "2d3c4d", HIGH_TOO + "3h4c5s", {}, -1, id="front by rank"),
        pytest.param(HIGH + "Ac2c3d", HIGH_TOO + "2h3s4h", {"wheel": "lowest"}, -1, id="A-2-3 lowest"),
        pytest.param(HIGH + "Ac2c3d", HIGH_TOO + "2h3s4h", {"wheel": "second"}, 1, id="A-2-3 second"),
        pytest.param(HIGH + "Ac2c3d", HIGH_TOO + "QsKhAs", {"wheel": "second"}, -1, id="Q-K-A over A-2-3"),
        pytest.param(HIGH + "2d3d4d", HIGH_TOO + "3h4c5s", {}, 1, id="suited front over a higher one"),
        pytest.param(HIGH + "2d3c4d", HIGH_TOO + "2h3s4h", {}, 0, id="equal ranks"),
        pytest.param(HIGH + "2d3c4d", HIGH_TOO + "2h3s4h", SUITS, -1, id="ace of hearts over ace of diamonds"),
        pytest.param("TdJcQdKcAs 5d6c7d8c9d Ad2c3d", HIGH_TOO + "2h3s4h", SUITS, 1, id="the better ace at the back"),
        pytest.param(HIGH + "2d3d4d", "ThJhQhKhAh 5h6s7h8s9h 2h3s4c", {}, -1, id="royal flush at the back"),
        pytest.param("2d3c4d5c6d 7d8c9dTcJd QdKcAd", "9hTsJhQsKh 4h5s6h7s8h 2h3s4s", {}, 1, id="laid out anew"),
    ],
)  # fmt: skip
def test_three_straights_compare_row_by_row(one: str, other: str, fields: dict[str, Any], expected: int) -> None:
    assert_compares("three_straights", one, other, rules(**fields), expected)


@pytest.mark.parametrize("wheel", ["lowest", "second"])
def test_the_suit_of_a_front_that_is_a_wheel(wheel: str) -> None:
    """All rows but the front are equal to the suit: the three decides where the wheel is lowest, else the ace."""
    high_three, high_ace = hand("9dTcJhQsKd 5d6c7d8c9c Ac2c3s"), hand("9dTcJhQsKd 5d6c7d8c9c As2d3h")
    ruleset = rules(ties="suits", wheel=wheel)
    expected = 1 if wheel == "lowest" else -1
    assert compare_same_natural("three_straights", high_three, high_ace, ruleset) == expected


@pytest.mark.parametrize("name", sorted(set(NATURALS) - {"six_pairs", "three_flushes", "three_straights"}))
def test_all_others_are_equal(name: str) -> None:
    (first, *_), (*_, last) = zip(*[(held, held) for natural, held, _ in HELD if natural == name], strict=True)
    assert compare_same_natural(name, hand(first), hand(last), rules(ties="suits")) == 0


@settings(max_examples=60, deadline=None)
@given(laid_as_straights(), laid_as_straights(), variants, st.randoms(use_true_random=False))
def test_the_best_layout_agrees_with_the_literal_search(
    one: tuple[Card, ...], other: tuple[Card, ...], ruleset: Ruleset, dealer: random.Random
) -> None:
    tables = row_tables(ruleset)
    for name, fits in (("three_straights", is_straight), ("three_flushes", is_flush)):
        if not (holds(name, one, ruleset) and holds(name, other, ruleset)):
            continue
        best = [
            max((tables.strength(back), tables.strength(middle)) for _, middle, back in layouts(cards, fits, ruleset))
            for cards in (one, other)
        ]
        result = compare_same_natural(name, one, other, ruleset)
        if best[0] != best[1]:
            assert result == (1 if best[0] > best[1] else -1)
        assert compare_same_natural(name, dealer.sample(other, 13), dealer.sample(one, 13), ruleset) == -result
