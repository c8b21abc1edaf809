"""What holds for every round whatsoever."""

import random
from itertools import combinations, permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import DECK
from scoring.engine.rounds import HandInput, RoundError, RoundScore, read_hand, score_round
from scoring.engine.rules import NATURALS, ROWS, Ruleset, parse_ruleset
from tests.engine.test_reference import deal, rulesets

seeds = st.integers(0, 2**32)
ALL_NATURALS = [{"name": name, "points": place} for place, name in enumerate(NATURALS, start=1)]


def with_naturals(ruleset: Ruleset, **fields: Any) -> Ruleset:
    return parse_ruleset(ruleset.as_dict() | {"naturals": ALL_NATURALS} | fields)


def by_name(scored: RoundScore) -> dict[Any, tuple[Any, ...]]:
    return {player.who: tuple(player) for player in scored.players}


@settings(max_examples=150, deadline=None)
@given(rulesets(), seeds, st.integers(0, 10**15), st.decimals(0, 100, places=3), st.data())
def test_points_and_money_sum_to_zero(
    ruleset: Ruleset, seed: int, stake: int, percent: Any, data: st.DataObject
) -> None:
    hands = deal(ruleset, random.Random(seed))
    pairs = [frozenset(pair) for pair in combinations([hand.who for hand in hands], 2)]
    stakes = data.draw(st.dictionaries(st.sampled_from(pairs), st.integers(0, 10**9)))
    scored = score_round(hands, with_naturals(ruleset, room_fee_percent=percent), stake, stakes)
    assert sum(player.points for player in scored.players) == 0
    assert sum(player.money for player in scored.players) == 0
    assert sum(player.net for player in scored.players) + scored.house == 0
    for player in scored.players:
        assert (player.net, player.fee >= 0) == (player.money - player.fee, True)
        assert player.fee * 100 <= max(player.money, 0) * percent < (player.fee + 1) * 100 or player.money <= 0
    for pair in scored.pairs:
        assert pair.points == pair.row_points * pair.multiplier + pair.extra + pair.bonus
        assert pair.extra == sum(points for _, points in pair.extras)
        assert all(bonus.points > 0 for bonus in pair.bonuses)
        assert pair.money == pair.points * pair.stake
        assert pair.stake == stakes.get(frozenset((pair.a, pair.b)), stake)


@settings(max_examples=60, deadline=None)
@given(rulesets(), seeds)
def test_the_order_of_the_players_changes_nothing(ruleset: Ruleset, seed: int) -> None:
    hands, ruleset = deal(ruleset, random.Random(seed)), with_naturals(ruleset)
    expected = by_name(score_round(hands, ruleset))
    for order in permutations(hands):
        scored = score_round(order, ruleset)
        assert by_name(scored) == expected
        assert [player.who for player in scored.players] == [hand.who for hand in order]
        assert [(pair.a, pair.b) for pair in scored.pairs] == list(combinations([hand.who for hand in order], 2))


@settings(max_examples=60, deadline=None)
@given(rulesets(), seeds)
def test_the_order_of_the_cards_in_a_row_changes_nothing(ruleset: Ruleset, seed: int) -> None:
    dealer, ruleset = random.Random(seed), with_naturals(ruleset)
    hands = deal(ruleset, dealer)
    shuffled = [
        HandInput(
            hand.who,
            *(tuple(dealer.sample(hand.row(row), len(hand.row(row)))) for row in ROWS),
            declare=hand.declare,
            declared=hand.declared,
        )
        for hand in hands
    ]
    assert score_round(shuffled, ruleset) == score_round(hands, ruleset)


@settings(max_examples=100, deadline=None)
@given(rulesets(), seeds)
def test_rows_compare_antisymmetrically_and_transitively(ruleset: Ruleset, seed: int) -> None:
    hands = [HandInput(hand.who, hand.front, hand.middle, hand.back) for hand in deal(ruleset, random.Random(seed))]
    results = {}
    for one, other in permutations(hands, 2):
        pair = score_round([one, other], ruleset).pairs[0]
        results[one.who, other.who] = pair.rows
    statuses = {hand.who: read_hand(hand, ruleset).status for hand in hands}
    legal = [who for who, status in statuses.items() if status == "played"]
    for row in ROWS:
        for a, b in permutations(legal, 2):
            assert results[a, b][row] == -results[b, a][row]
        for a, b, c in permutations(legal, 3):
            if results[a, b][row] >= 0 and results[b, c][row] >= 0:
                assert results[a, c][row] == max(results[a, b][row], results[b, c][row])


few_cards = st.sampled_from(DECK[::3])
cards = st.lists(st.sampled_from(DECK), max_size=14).map(tuple)
whole_rows = [st.lists(few_cards, min_size=size, max_size=size).map(tuple) for size in (3, 5, 5)]


@st.composite
def any_hands(draw: st.DrawFn) -> HandInput:
    """Anything that the types allow."""
    return HandInput(
        draw(st.sampled_from(("Ana", "Budi", "Citra", "Dewi", "Rudi"))),
        *(draw(st.none() | cards | whole) for whole in whole_rows),
        cards=draw(st.none() | cards),
        declare=draw(st.sampled_from(("", "play", "pao", "surrender", "natural", "fold"))),
        natural=draw(st.none() | st.sampled_from((*NATURALS, "wyvern"))),
        declared=frozenset(draw(st.sets(st.sampled_from(ROWS)))),
    )


@settings(max_examples=300, deadline=None)
@given(rulesets(), st.lists(any_hands(), max_size=5))
def test_any_hands_are_scored_or_refused_with_their_place(ruleset: Ruleset, hands: list[HandInput]) -> None:
    ruleset = with_naturals(ruleset)
    try:
        scored = score_round(hands, ruleset)
    except RoundError as error:
        assert error.row is not None
        assert error.who is None or error.who in [hand.who for hand in hands]
    else:
        assert sum(player.points for player in scored.players) == 0
    for hand in hands:
        try:
            read_hand(hand, ruleset)
        except RoundError as error:
            assert error.who == hand.who
