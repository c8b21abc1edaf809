"""RULES 2 to 6 once more, slowly and by the letter: by sorting, without a table, to hold the fast engine against.

Naturals are left out; they have their own literal search in test_naturals.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from scoring.engine.cards import Card
from scoring.engine.rounds import HandInput
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset

Row = Sequence[Card]
A2345 = [0, 1, 2, 3, 12]


class Pair(NamedTuple):
    """What two hands come to, for the first of them."""

    rows: tuple[int, int, int] | None
    row_points: int
    multiplier: int
    extra: int
    bonus: int
    points: int


def ranks(row: Row) -> list[int]:
    return sorted(card // 4 for card in row)


def category(row: Row, ruleset: Ruleset) -> str:
    held = sorted(Counter(ranks(row)).values(), reverse=True)
    consecutive = ranks(row) == list(range(min(ranks(row)), min(ranks(row)) + 5))
    straight = len(row) == 5 and (consecutive or (ranks(row) == A2345 and ruleset.wheel != "none"))
    flush = len(row) == 5 and len({card % 4 for card in row}) == 1
    if straight and flush:
        return "royal_flush" if min(ranks(row)) == 8 else "straight_flush"
    if held[0] == 4:
        return "four_of_a_kind"
    if held[:2] == [3, 2]:
        return "full_house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    if held[0] == 3:
        return "three_of_a_kind"
    if held[:2] == [2, 2]:
        return "two_pair"
    return "pair" if held[0] == 2 else "high_card"


def top_of_straight(row: Row, ruleset: Ruleset) -> float:
    """The rank of the top card; the wheel just under 10-J-Q-K-A where it is the second highest."""
    if ranks(row) == A2345:
        return 3 if ruleset.wheel == "lowest" else 11.5
    return max(ranks(row))


def groups(row: Row) -> list[int]:
    """The ranks, largest group first."""
    held = Counter(ranks(row))
    return sorted(held, key=lambda rank: (-held[rank], -rank))


def compared_ranks(row: Row, ruleset: Ruleset) -> list[float]:
    """The ranks in the order in which they are compared, before any suit."""
    name = category(row, ruleset)
    if name in ("straight", "straight_flush", "royal_flush"):
        return [top_of_straight(row, ruleset)]
    largest = {"pair": 1, "two_pair": 2, "three_of_a_kind": 1, "four_of_a_kind": 1}
    if name in largest and ruleset.ties == "suits" and not ruleset.kickers:
        return list(groups(row)[: largest[name]])
    return list(groups(row))


def deciding_suit(row: Row, ruleset: Ruleset) -> int:
    """The suit of the highest card of the largest group."""
    rank = groups(row)[0]
    if category(row, ruleset) in ("straight", "straight_flush") and ranks(row) == A2345 and ruleset.wheel == "lowest":
        rank = 3
    return max(card % 4 for card in row if card // 4 == rank)


def strength(row: Row, ruleset: Ruleset) -> tuple[float, ...]:
    """Rows of the same place compare as these do (RULES 3)."""
    name = category(row, ruleset)
    key = [CATEGORIES.index(name), *compared_ranks(row, ruleset)]
    if ruleset.flush_by_suit and name == "flush":
        key.insert(1, row[0] % 4)
    elif ruleset.ties == "suits":
        key.append(deciding_suit(row, ruleset))
    return tuple(key)


def order_fault(front: Row, middle: Row, back: Row, ruleset: Ruleset) -> bool:
    """Whether back >= middle >= front does not hold (RULES 4)."""
    if strength(back, ruleset) < strength(middle, ruleset):
        return True
    keys = [(CATEGORIES.index(category(row, ruleset)), compared_ranks(row, ruleset)) for row in (front, middle)]
    as_many = len(keys[0][1])
    return (keys[1][0], keys[1][1][:as_many]) < (keys[0][0], keys[0][1])


def status(hand: HandInput, ruleset: Ruleset) -> str:
    if hand.declare in ("pao", "surrender"):
        return "pao" if hand.declare == "pao" else "surrendered"
    return "pao" if order_fault(hand.row("front"), hand.row("middle"), hand.row("back"), ruleset) else "played"


def bonuses(hand: HandInput, ruleset: Ruleset) -> list[tuple[int, str | None]]:
    """A legal hand's bonuses as points and row (None for a broken one), after declaration and limit."""
    table = {(bonus.row, bonus.category): bonus.points for bonus in ruleset.bonuses}
    found: list[tuple[int, str | None]] = []
    for row in ROWS:
        points = table.get((row, category(hand.row(row), ruleset)), 0)
        if points and (row in hand.declared or not ruleset.bonus_declared):
            found.append((points, row))
    if ruleset.bonus_broken:
        found += [(points, None) for name in broken(hand, ruleset) if (points := table.get(("back", name), 0))]
    if ruleset.bonus_limit == 1 and found:
        preference: list[str | None] = [None, "front", "middle", "back"]
        found = [max(found, key=lambda bonus: (bonus[0], preference.index(bonus[1])))]
    return found


def broken(hand: HandInput, ruleset: Ruleset) -> list[str]:
    """The categories held among the thirteen cards but not laid in one row."""
    cards = [card for row in ROWS for card in hand.row(row)]
    laid = {row: category(hand.row(row), ruleset) for row in ROWS}
    found = []
    for rank in range(13):
        quads = [card for card in cards if card // 4 == rank]
        if len(quads) == 4 and not any(set(quads) <= set(hand.row(row)) for row in ROWS):
            found.append("four_of_a_kind")
    if not {"straight_flush", "royal_flush"} & set(laid.values()):
        names = {category(row, ruleset) for row in combinations(cards, 5)}
        found += ["royal_flush"] if "royal_flush" in names else ["straight_flush"] if "straight_flush" in names else []
    return found


def collected(mine: HandInput, theirs: HandInput, results: dict[str, int], multiplier: int, ruleset: Ruleset) -> int:
    """What one legal hand collects from another for its bonuses; `results` are the rows for it."""
    others = [] if status(theirs, ruleset) == "pao" else [row for _, row in bonuses(theirs, ruleset)]
    total = 0
    for points, row in bonuses(mine, ruleset):
        has_won = row is not None and results[row] == 1
        is_paid = has_won if ruleset.bonus_rule == "winner" else has_won and row not in others
        if row is None or ruleset.bonus_rule == "difference":
            is_paid = True
        if is_paid:
            counted = points - ruleset.row_points if has_won and ruleset.bonus_replaces_row else points
            total += counted * multiplier if ruleset.bonus_multiplied else counted
    return total


def row_results(one: HandInput, other: HandInput, ruleset: Ruleset) -> dict[str, int] | None:
    statuses = status(one, ruleset), status(other, ruleset)
    if "surrendered" in statuses:
        return None
    if "pao" in statuses:
        result = (statuses[1] == "pao") - (statuses[0] == "pao")
        return dict.fromkeys(ROWS, result)
    keys = {row: (strength(one.row(row), ruleset), strength(other.row(row), ruleset)) for row in ROWS}
    return {row: (mine > theirs) - (mine < theirs) for row, (mine, theirs) in keys.items()}


def has_super(hand: HandInput, hands: Sequence[HandInput], ruleset: Ruleset) -> bool:
    if ruleset.super_multiplier is None or len(hands) < (ruleset.super_players or 0):
        return False
    others = [row_results(hand, other, ruleset) for other in hands if other is not hand]
    return status(hand, ruleset) == "played" and all(rows and set(rows.values()) == {1} for rows in others)


def pair(one: HandInput, other: HandInput, hands: Sequence[HandInput], ruleset: Ruleset) -> Pair:
    results = row_results(one, other, ruleset)
    if results is None:
        return surrender(one, other, ruleset)
    statuses = status(one, ruleset), status(other, ruleset)
    won, lost = list(results.values()).count(1), list(results.values()).count(-1)
    multiplier, extra = 1, 0
    if 3 in (won, lost):
        winner = one if won == 3 else other
        multiplier = ruleset.pao_multiplier if "pao" in statuses else ruleset.tembus_multiplier
        if has_super(winner, hands, ruleset):
            by_super = ruleset.super_multiplier or 0
            multiplier = max(multiplier, by_super) if "pao" in statuses else by_super
        extra += ruleset.tembus_bonus if won == 3 else -ruleset.tembus_bonus
    if won >= 2 or lost >= 2:
        extra += ruleset.majority_bonus if won >= 2 else -ruleset.majority_bonus
    bonus = 0
    if statuses[0] == "played":
        bonus += collected(one, other, results, multiplier, ruleset)
    if statuses[1] == "played":
        bonus -= collected(other, one, {row: -result for row, result in results.items()}, multiplier, ruleset)
    row_points = ruleset.row_points * (won - lost)
    front, middle, back = results.values()
    return Pair((front, middle, back), row_points, multiplier, extra, bonus, row_points * multiplier + extra + bonus)


def surrender(one: HandInput, other: HandInput, ruleset: Ruleset) -> Pair:
    statuses = status(one, ruleset), status(other, ruleset)
    extra = 0
    if "played" in statuses:
        extra = (ruleset.surrender_points or 0) * (1 if statuses[0] == "played" else -1)
    return Pair(None, 0, 1, extra, 0, extra)


def score_pairs(hands: Sequence[HandInput], ruleset: Ruleset) -> list[Pair]:
    return [pair(one, other, hands, ruleset) for one, other in combinations(hands, 2)]
