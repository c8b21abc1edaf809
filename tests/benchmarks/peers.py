"""Straightforward four-player scorers on other people's evaluators, to measure ours against.

They know one set of rules, `RULES` below, and only points: no naturals, no suits, no words. They are written for the
reader, as anybody would write them, but waste nothing: each row is evaluated once and each pair compared once. (Tuned
by hand, without loops over rows or names of categories, the one on treys takes a third of the time.) Both evaluators
give the better five cards the lower number; neither of them evaluates three cards.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import phevaluator
import treys

from scoring.engine.cards import format_card
from scoring.engine.rules import ROWS, SWITCHES, parse_ruleset
from tests.benchmarks.deals import Table

RULES = parse_ruleset({"preset": "points", **SWITCHES["points"]["special_hands"], **SWITCHES["points"]["bonuses"]})

Row = Sequence[int]
Hand = Mapping[str, Row]
Five = Callable[[Row], int]
RankOf = Callable[[int], int]

# The highest, that is weakest, number of each category that both evaluators give.
WEAKEST = {"straight_flush": 10, "four_of_a_kind": 166, "full_house": 322, "flush": 1599, "straight": 1609}
WEAKEST |= {"three_of_a_kind": 2467, "two_pair": 3325, "pair": 6185, "high_card": 7462}
ORDER = tuple(reversed(WEAKEST))
FRONT_CATEGORIES = {3: "high_card", 2: "pair", 1: "three_of_a_kind"}
BONUSES = {
    "front": {},
    "middle": {"four_of_a_kind": 8, "straight_flush": 10},
    "back": {"four_of_a_kind": 4, "straight_flush": 5},
}


@dataclass
class Shown:
    """A hand on the table: how strong each row is (more is better), its bonuses, and whether it is PAO."""

    strengths: Mapping[str, tuple[int, ...]]
    bonuses: Mapping[str, int]
    is_pao: bool


def for_treys(table: Table) -> list[Hand]:
    """A table in the cards of treys."""
    return [{row: [treys.Card.new(format_card(card)) for card in hand.row(row)] for row in ROWS} for hand in table]


def for_phevaluator(table: Table) -> list[Hand]:
    """A table in the cards of phevaluator: numbers by rank and suit, as ours."""
    return [{row: hand.row(row) for row in ROWS} for hand in table]


def treys_scorer() -> Callable[[Sequence[Hand]], list[int]]:
    """The points of four hands by treys."""
    evaluator = treys.Evaluator()
    return partial(score, five=lambda row: evaluator.evaluate(row, []), rank_of=treys.Card.get_rank_int)


def phevaluator_scorer() -> Callable[[Sequence[Hand]], list[int]]:
    """The points of four hands by phevaluator."""
    return partial(score, five=lambda row: phevaluator.evaluate_cards(*row), rank_of=lambda card: card >> 2)


def score(hands: Sequence[Hand], five: Five, rank_of: RankOf) -> list[int]:
    """The points of each hand."""
    shown = [show(hand, five, rank_of) for hand in hands]
    points = [0] * len(hands)
    for first, second in combinations(range(len(hands)), 2):
        won = pair_points(shown[first], shown[second])
        points[first] += won
        points[second] -= won
    return points


def show(hand: Hand, five: Five, rank_of: RankOf) -> Shown:
    groups = by_groups(hand["front"], rank_of)
    categories = {"front": FRONT_CATEGORIES[len(groups)]}
    strengths: dict[str, tuple[int, ...]] = {"front": (ORDER.index(categories["front"]), *groups)}
    for row in ("middle", "back"):
        number = five(hand[row])
        categories[row] = next(category for category, weakest in WEAKEST.items() if number <= weakest)
        strengths[row] = (-number,)
    middle_as_front = (ORDER.index(categories["middle"]), *by_groups(hand["middle"], rank_of)[: len(groups)])
    is_pao = strengths["back"] < strengths["middle"] or middle_as_front < strengths["front"]
    return Shown(strengths, {row: BONUSES[row].get(categories[row], 0) for row in ROWS}, is_pao)


def by_groups(row: Row, rank_of: RankOf) -> list[int]:
    """The ranks of a row, those that are held most often first."""
    counts = Counter(rank_of(card) for card in row)
    return sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)


def pair_points(one: Shown, other: Shown) -> int:
    if one.is_pao and other.is_pao:
        return 0
    if one.is_pao:
        return -pair_points(other, one)
    if other.is_pao:
        return 6 + sum(one.bonuses.values())
    rows = bonus = 0
    for row in ROWS:
        if one.strengths[row] > other.strengths[row]:
            rows += 1
            bonus += one.bonuses[row]
        elif one.strengths[row] < other.strengths[row]:
            rows -= 1
            bonus -= other.bonuses[row]
    return (rows * 2 if abs(rows) == 3 else rows) + bonus
