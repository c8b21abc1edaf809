"""What tables spare: naturals by trying the layouts, fewest transfers by trying the subsets."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from scoring.engine.cards import Card

Row = Sequence[Card]


def find_natural(cards: Sequence[Card]) -> str | None:
    """Dragon, six pairs, three flushes or three straights, by the words of RULES 5."""
    counts = Counter(card >> 2 for card in cards)
    if len(counts) == 13:
        return "dragon"
    if sum(count // 2 for count in counts.values()) == 6:
        return "six_pairs"
    for name, fits in (("three_flushes", _is_flush), ("three_straights", _is_straight)):
        for back in combinations(cards, 5):
            if fits(back):
                rest = [card for card in cards if card not in back]
                for middle in combinations(rest, 5):
                    if fits(middle) and fits([card for card in rest if card not in middle]):
                        return name
    return None


def _is_flush(row: Row) -> bool:
    return len({card & 3 for card in row}) == 1


def _is_straight(row: Row) -> bool:
    ranks = sorted(card >> 2 for card in row)
    if ranks == [*range(len(row) - 1), 12]:
        return True
    return all(higher == lower + 1 for lower, higher in pairwise(ranks))


def count_transfers(amounts: Sequence[int]) -> int:
    """The fewest transfers, by the most zero-sum groups within each subset."""
    open_amounts = [amount for amount in amounts if amount]
    most, totals = [0], [0]
    for subset in range(1, 1 << len(open_amounts)):
        top = subset.bit_length() - 1
        totals.append(totals[subset ^ (1 << top)] + open_amounts[top])
        best = max(most[subset ^ (1 << place)] for place in range(top + 1) if subset >> place & 1)
        most.append(best + (totals[subset] == 0))
    return len(open_amounts) - most[-1]
