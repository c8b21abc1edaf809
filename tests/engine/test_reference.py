"""The fast engine against the literal one, on deals made to be eventful, under rulesets drawn at random."""

import random
from itertools import combinations_with_replacement, pairwise
from math import comb, prod
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import DECK, Card
from scoring.engine.hands import CATEGORIES, describe_row, row_tables
from scoring.engine.rounds import HandInput, score_points, score_round
from scoring.engine.rules import BONUS_ROWS, ROWS, Ruleset
from tests.engine import reference
from tests.engine.laid import rules

NAMES = ("Ana", "Budi", "Citra", "Dewi")
small = st.integers(0, 9)
switch = st.booleans()


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset without naturals."""
    fields: dict[str, Any] = {
        "ties": draw(st.sampled_from(("split", "suits"))),
        "wheel": draw(st.sampled_from(("lowest", "second", "none"))),
        "bonus_rule": draw(st.sampled_from(("winner", "cancel", "difference"))),
        "super_multiplier": draw(st.none() | small),
        "super_players": draw(st.none() | st.integers(2, 4)),
        "bonus_limit": draw(st.sampled_from((None, 1))),
        "surrender_points": draw(small),
        "bonuses": {
            row: draw(st.dictionaries(st.sampled_from(categories), st.integers(1, 9)))
            for row, categories in BONUS_ROWS.items()
        },
    }
    numbers = ("row_points", "majority_bonus", "tembus_multiplier", "tembus_bonus", "pao_multiplier")
    switches = ("kickers", "flush_by_suit", "bonus_replaces_row", "bonus_multiplied", "bonus_declared", "bonus_broken")
    return rules(**fields, **{name: draw(small) for name in numbers}, **{name: draw(switch) for name in switches})


def stacked_deck(dealer: random.Random) -> list[Card]:
    """The deck in an order in which neighbours share ranks or suits more often than chance would have it."""
    by_rank, by_suit, noise = dealer.choice((0, 1, 3)), dealer.choice((0, 4, 13)), dealer.choice((3, 10, 50))
    return sorted(DECK, key=lambda card: by_rank * (card >> 2) + by_suit * (card & 3) + noise * dealer.random())


def arranged(who: str, cards: list[Card], ruleset: Ruleset, dealer: random.Random) -> HandInput:
    """Thirteen cards in the best of a few random layouts, so that most hands are legal."""
    tables = row_tables(ruleset)
    layouts = []
    for _ in range(dealer.choice((1, 4, 20))):
        dealer.shuffle(cards)
        rows = tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])
        layouts.append((not reference.order_fault(*rows, ruleset), tables.strength(rows[2]), rows))
    rows = max(layouts)[2]
    declare = dealer.choice(("", "", "", "", "", "", "pao", "surrender"))
    declared = frozenset(row for row in ROWS if dealer.random() < 0.7)
    return HandInput(who, *rows, declare=declare, declared=declared)


def deal(ruleset: Ruleset, dealer: random.Random) -> list[HandInput]:
    deck, players = stacked_deck(dealer), dealer.choice((2, 3, 4))
    return [arranged(NAMES[seat], deck[seat * 13 : seat * 13 + 13], ruleset, dealer) for seat in range(players)]


@settings(max_examples=150, deadline=None)
@given(rulesets(), st.integers(0, 2**32))
def test_a_round_scores_as_by_the_letter(ruleset: Ruleset, seed: int) -> None:
    hands = deal(ruleset, random.Random(seed))
    scored = score_round(hands, ruleset)
    expected = reference.score_pairs(hands, ruleset)
    told = [
        (pair.rows and tuple(pair.rows[row] for row in ROWS), pair.row_points, pair.multiplier, pair.extra, pair.bonus,
         pair.points) for pair in scored.pairs
    ]  # fmt: skip
    assert told == expected
    assert [player.status for player in scored.players] == [reference.status(hand, ruleset) for hand in hands]
    assert [player.super for player in scored.players] == [reference.has_super(h, hands, ruleset) for h in hands]
    assert score_points(hands, ruleset) == tuple(player.points for player in scored.players)


@settings(max_examples=150, deadline=None)
@given(rulesets(), st.integers(0, 2**32), st.sampled_from((3, 5)))
def test_two_rows_compare_as_by_the_letter(ruleset: Ruleset, seed: int, size: int) -> None:
    deck, tables = stacked_deck(random.Random(seed)), row_tables(ruleset)
    rows = [tuple(deck[place : place + size]) for place in range(0, 50 - size, size)]
    for one, other in pairwise(rows):
        keys = reference.strength(one, ruleset), reference.strength(other, ruleset)
        fast = tables.strength(one), tables.strength(other)
        assert (fast[0] > fast[1]) - (fast[0] < fast[1]) == (keys[0] > keys[1]) - (keys[0] < keys[1])
        assert describe_row(one, ruleset).category == reference.category(one, ruleset)


def test_every_five_cards_of_a_deck_fall_into_the_known_numbers_of_categories() -> None:
    """All 2,598,960 rows by their ranks and suits: how many there are of each category is known."""
    tables = row_tables(rules())
    counts = dict.fromkeys(CATEGORIES, 0)
    for ranks, ways in rank_sets():
        cards = tuple(Card(rank * 4 + place % 4) for place, rank in enumerate(ranks))
        counts[tables.describe(cards, tables.strength(cards)).category] += ways - 4 * (len(set(ranks)) == 5)
        if len(set(ranks)) == 5:
            suited = tuple(Card(rank * 4) for rank in ranks)
            counts[tables.describe(suited, tables.strength(suited)).category] += 4
    assert list(counts.values()) == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]


def rank_sets() -> list[tuple[tuple[int, ...], int]]:
    """Every set of five ranks, and in how many ways its suits can be chosen."""
    sets = (ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4])
    return [(ranks, prod(comb(4, ranks.count(rank)) for rank in set(ranks))) for ranks in sets]
