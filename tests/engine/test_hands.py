"""What a row is and which of two is the stronger (RULES 2 and 3)."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import DECK, Card, parse_cards
from scoring.engine.hands import CARD_KEYS, are_different, decided_by, describe_row, row_tables
from scoring.engine.rules import Ruleset
from tests.engine.laid import ranked, rules

SPLIT = rules("points")
SUITS = rules("capsa")
SUITS_LAST = rules("points", ties="suits")
BY_SUIT = rules("points", flush_by_suit=True)
SECOND = rules("thirteen-water")
NO_WHEEL = rules("points", wheel="none")
EVERY = [
    rules("points", ties=ties, kickers=kickers, flush_by_suit=by_suit, wheel=wheel)
    for ties, kickers, by_suit, wheel in product(
        ("split", "suits"), (True, False), (True, False), ("lowest", "second", "none")
    )
]


def compare(ruleset: Ruleset, one: str, other: str) -> int:
    first, second = (row_tables(ruleset).strength(parse_cards(text)) for text in (one, other))
    return (first > second) - (first < second)


def decider(ruleset: Ruleset, one: str, other: str) -> str:
    tables = row_tables(ruleset)
    return decided_by(tables.strength(parse_cards(one)), tables.strength(parse_cards(other)))


@pytest.mark.parametrize(
    ("row", "category", "ranks"),
    [
        ("As Kd 9c 5h 2s", "high_card", "AK952"),
        ("Qs Qd 9c 5h 2s", "pair", "Q952"),
        ("Qs Qd 9c 9h 2s", "two_pair", "Q92"),
        ("9s 9d 9c Qh 2s", "three_of_a_kind", "9Q2"),
        ("5s 6d 7c 8h 9s", "straight", "9"),
        ("As 2d 3c 4h 5s", "straight", "5"),
        ("Ts Jd Qc Kh As", "straight", "A"),
        ("Js 9s 7s 3s 2s", "flush", "J9732"),
        ("3s 3d Jc Jh Js", "full_house", "J3"),
        ("3s 3d 3c 3h As", "four_of_a_kind", "3A"),
        ("5h 6h 7h 8h 9h", "straight_flush", "9"),
        ("Ah 2h 3h 4h 5h", "straight_flush", "5"),
        ("Tc Jc Qc Kc Ac", "royal_flush", "A"),
        ("As Ks Qs", "high_card", "AKQ"),
        ("Ac Ad Kd", "pair", "AK"),
        ("2c 2d 2h", "three_of_a_kind", "2"),
        ("Qc Kd Ah 2s 3s", "high_card", "AKQ32"),
    ],
)
def test_row(row: str, category: str, ranks: str) -> None:
    reading = describe_row(parse_cards(row), SPLIT)
    assert (reading.category, "".join("23456789TJQKA"[rank] for rank in reading.ranks)) == (category, ranks)


@pytest.mark.parametrize(
    ("row", "suit"),
    [
        ("Ac Kd 9s", "c"),
        ("Kd Kh 2s", "h"),
        ("Kd Kh 9s 9c As", "h"),
        ("5d 6s 7s 8s 9c", "c"),
        ("As 2d 3c 4h 5h", "h"),
        ("3d 5d 7d 9d Jd", "d"),
        ("3c 3h 3s Kd Kc", "s"),
        ("7d 7c 7h 7s 2d", "s"),
    ],
)
def test_the_suit_that_decides(row: str, suit: str) -> None:
    assert describe_row(parse_cards(row), SUITS).suit == "dchs".index(suit)


def test_the_ace_decides_for_a_wheel_that_is_second() -> None:
    wheel = parse_cards("As 2d 3c 4h 5h")
    assert describe_row(wheel, rules("capsa", wheel="second")).suit == "dchs".index("s")


def test_where_no_suit_decides_only_a_flush_has_one() -> None:
    assert describe_row(parse_cards("Ac Kd 9s"), SPLIT).suit is None
    assert describe_row(parse_cards("3h 5h 7h 9h Jh"), SPLIT).suit == "dchs".index("h")


@pytest.mark.parametrize(
    ("weak", "strong"),
    ranked(
        "7s 5d 4c 3h 2s",
        "As Kd Qc Jh 9s",
        "2s 2d 5c 4h 3s",
        "As Ad Kc Qh Js",
        "3s 3d 2c 2h 4s",
        "As Ad Kc Kh Qs",
        "2s 2d 2c 4h 3s",
        "As 2d 3c 4h 5s",
        "6s 2d 3c 4h 5s",
        "Ts Jd Qc Kh As",
        "7s 5s 4s 3s 2s",
        "As Ks Qs Js 9s",
        "2s 2d 2c 3h 3s",
        "3s 3d 3c 2h 2s",
        "2s 2d 2c 2h 3s",
        "As Ad Ac Ah Ks",
        "As 2s 3s 4s 5s",
        "2s 3s 4s 5s 6s",
        "9s Ts Js Qs Ks",
        "Ts Js Qs Ks As",
    ),
)
@pytest.mark.parametrize("ruleset", [SPLIT, SUITS, BY_SUIT], ids=["split", "suits", "flush-by-suit"])
def test_categories_and_ranks(ruleset: Ruleset, weak: str, strong: str) -> None:
    assert compare(ruleset, strong, weak) == 1


@pytest.mark.parametrize(
    ("ruleset", "one", "other", "result", "by"),
    [
        pytest.param(SPLIT, "Ks Kd 4h 3c 2d", "Kh Kc 4s 3d 2c", 0, "equal", id="split-equal"),
        pytest.param(SPLIT, "Ks Kd 5h 3c 2d", "Kh Kc 4s 3d 2c", 1, "kicker", id="split-kicker"),
        pytest.param(SPLIT, "Ks Kd 9h 3c 2d", "Kh Kc 9s 3d 4c", -1, "kicker", id="split-last-kicker"),
        pytest.param(SUITS, "Ks Kd 4h 3c 2d", "Kh Kc Ad Qs Jh", 1, "suit", id="suits-no-kickers-pair"),
        pytest.param(SUITS, "Ks Kd 9h 9c 2d", "Kh Kc 9d 9s Ah", 1, "suit", id="suits-no-kickers-two-pair"),
        pytest.param(SUITS, "Ks Kd 8h 8c Ad", "Kh Kc 9d 9s 2h", -1, "rank", id="both-pairs-before-suits"),
        pytest.param(SUITS, "As Kd 4h 3c 2d", "Ah Kc 4s 3d 5c", -1, "kicker", id="high-card-all-ranks"),
        pytest.param(SUITS, "As Kd 9h 3c 2d", "Ah Kc 9s 3d 2c", 1, "suit", id="high-card-then-suit"),
        pytest.param(SUITS_LAST, "Ks Kd 4h 3c 2d", "Kh Kc Ad Qs Jh", -1, "kicker", id="suits-last-kicker"),
        pytest.param(SUITS_LAST, "Ks Kd 4h 3c 2d", "Kh Kc 4s 3d 2c", 1, "suit", id="suits-last-suit"),
        pytest.param(SUITS, "5d 6s 7s 8s 9c", "5s 6c 7c 8c 9h", -1, "suit", id="straight-top-card"),
        pytest.param(SUITS, "Ad 2s 3s 4s 5c", "As 2c 3c 4c 5h", -1, "suit", id="wheel-five"),
        pytest.param(SUITS, "2s 3s 5s 7s 8s", "Ah Kh Qh Jh 9h", 1, "suit", id="flush-suit-first"),
        pytest.param(BY_SUIT, "2s 3s 5s 7s 8s", "Ah Kh Qh Jh 9h", 1, "suit", id="flush-suit-first-with-split"),
        pytest.param(BY_SUIT, "2s 3s 5s 7s 8s", "4s 6s 9s Js Ts", -1, "rank", id="flush-same-suit"),
        pytest.param(SUITS_LAST, "2s 3s 5s 7s 8s", "Ah Kh Qh Jh 9h", -1, "rank", id="flush-rank-first"),
        pytest.param(SUITS_LAST, "2s 3s 5s 7s 8s", "2h 3h 5h 7h 8h", 1, "suit", id="flush-then-suit"),
        pytest.param(SUITS, "5s 6s 7s 8s 9s", "6h 7h 8h 9h Th", -1, "rank", id="straight-flush-rank-first"),
        pytest.param(SUITS, "Ts Js Qs Ks As", "Th Jh Qh Kh Ah", 1, "suit", id="royal-suit"),
        pytest.param(SPLIT, "Ts Js Qs Ks As", "Th Jh Qh Kh Ah", 0, "equal", id="royal-split"),
        pytest.param(SECOND, "As 2d 3h 4c 5s", "9h Tc Jd Qh Ks", 1, "rank", id="wheel-second-beats-king-high"),
        pytest.param(SECOND, "As 2d 3h 4c 5s", "Th Jc Qd Kh Ac", -1, "rank", id="wheel-second-loses-to-ace-high"),
        pytest.param(SECOND, "As 2s 3s 4s 5s", "9h Th Jh Qh Kh", 1, "rank", id="steel-wheel-second"),
        pytest.param(NO_WHEEL, "As 2d 3h 4c 5s", "2h 2c 4d 5h 6s", -1, "category", id="no-wheel-is-high-card"),
        pytest.param(NO_WHEEL, "As 2s 3s 4s 5s", "Kh Qh Jh Th 8h", 1, "rank", id="no-wheel-suited-is-flush"),
        pytest.param(SPLIT, "3s 3h 3d Kc Kd", "4s 4h 4d Qc Qd", -1, "rank", id="full-house-by-its-three"),
        pytest.param(SPLIT, "Ks Kd 2h", "Qh Qc Ad", 1, "rank", id="front-pair"),
        pytest.param(SPLIT, "Ks Kd 2h", "Kh Kc Ad", -1, "kicker", id="front-kicker"),
        pytest.param(SUITS, "Ks Kd 2h", "Kh Kc Ad", 1, "suit", id="front-suit"),
    ],
)  # fmt: skip
def test_what_decides(ruleset: Ruleset, one: str, other: str, result: int, by: str) -> None:
    assert compare(ruleset, one, other) == result
    assert compare(ruleset, other, one) == -result
    assert decider(ruleset, one, other) == by


def test_without_suits_kickers_always_count() -> None:
    assert compare(rules(ties="split", kickers=False), "Ks Kd 4h 3c 2d", "Kh Kc Ad Qs Jh") == -1


any_rows = st.sampled_from((3, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True), min_size=3, max_size=3
    )
)


@settings(deadline=None)
@given(st.sampled_from(EVERY), any_rows)
def test_comparison_is_antisymmetric_and_transitive(ruleset: Ruleset, rows: list[list[Card]]) -> None:
    """By strengths it cannot be otherwise; here it is said of `decided_by` and of rows as they are read."""
    strength = row_tables(ruleset).strength
    low, middle, high = sorted(rows, key=strength)
    assert strength(low) <= strength(middle) <= strength(high)
    assert strength(low) <= strength(high)
    assert decided_by(strength(low), strength(high)) == decided_by(strength(high), strength(low))
    assert (decided_by(strength(low), strength(high)) == "equal") == (strength(low) == strength(high))


@settings(deadline=None)
@given(st.sampled_from(EVERY), any_rows, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_changes_nothing(
    ruleset: Ruleset, rows: list[list[Card]], dealer: random.Random
) -> None:
    row = tuple(rows[0])
    shuffled = tuple(dealer.sample(row, len(row)))
    assert row_tables(ruleset).strength(row) == row_tables(ruleset).strength(shuffled)
    assert describe_row(row, ruleset) == describe_row(shuffled, ruleset)


@settings(deadline=None)
@given(st.sampled_from(EVERY), st.permutations(DECK))
def test_three_rows_at_once_are_the_three_rows(ruleset: Ruleset, deck: list[Card]) -> None:
    tables = row_tables(ruleset)
    front, middle, back = deck[:3], deck[3:8], deck[8:13]
    assert tables.lay(front, middle, back)[:3] == tuple(tables.strength(row) for row in (front, middle, back))


@given(st.lists(st.sampled_from(DECK), max_size=52))
def test_a_sum_of_keys_tells_whether_a_card_is_there_twice(cards: list[Card]) -> None:
    assert are_different(sum(CARD_KEYS[card] for card in cards), len(cards)) == (len(set(cards)) == len(cards))


@pytest.mark.parametrize("card", [DECK[0], DECK[-1]])
def test_a_table_of_one_card_alone_is_found_out(card: Card) -> None:
    assert not are_different(52 * CARD_KEYS[card], 52)
