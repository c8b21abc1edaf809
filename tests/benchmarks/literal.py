"""What tables and bounds spare: naturals and layouts by trying every split, fewest transfers by trying every subset."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

from scoring.engine.bonuses import bonus_tables, hand_bonuses
from scoring.engine.cards import Card
from scoring.engine.hand_input import order_fault
from scoring.engine.hands import row_tables
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.typical import typical_opposition

Row = Sequence[Card]
Strengths = tuple[int, int, int]
"""Of front, middle and back."""


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


def best_layouts(
    cards: Sequence[Card], ruleset: Ruleset, worth: Callable[[Strengths], int], count: int
) -> list[tuple[int, Strengths]]:
    """The layouts of the highest worth that no other one beats, by trying all 72,072 splits."""
    legal = {strengths for strengths in _every_split(cards, ruleset) if not order_fault(*strengths)}
    best: list[tuple[int, Strengths]] = []
    for points, layout in sorted([(worth(strengths), strengths) for strengths in legal], reverse=True):
        if not any(all(map(int.__ge__, better, layout)) for _, better in best):
            best.append((points, layout))
            if len(best) == count:
                break
    return best


def best_values(cards: Sequence[Card], ruleset: Ruleset) -> list[float]:
    """What the best five layouts are worth against typical hands."""
    opposition, bonuses = typical_opposition(ruleset), bonus_tables(ruleset)

    def worth(rows: Strengths) -> int:
        return opposition.total(*rows, hand_bonuses(*rows, cards, ROWS, bonuses))

    return [points / opposition.tables for points, _ in best_layouts(cards, ruleset, worth, 5)]


def _every_split(cards: Sequence[Card], ruleset: Ruleset) -> Iterator[Strengths]:
    lay = row_tables(ruleset).lay
    for back in combinations(cards, 5):
        rest = [card for card in cards if card not in back]
        for middle in combinations(rest, 5):
            yield lay([card for card in rest if card not in middle], middle, back)[:3]
