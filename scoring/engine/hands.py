"""What a row is and how strong it is under a ruleset (RULES 2 to 4).

The strength of a row is one integer, so that rows compare with `<`, `>` and `==`. From the highest bits down:

    category (4 bits) | two ranks of groups (8) | four kickers (16) | suit (2)

Ranks that the ruleset does not compare are left at zero. It is read from a table by the sum of a key per rank, suits
apart: there are only 6,175 different sets of five ranks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from scoring.engine.cards import Card
from scoring.engine.rules import CATEGORIES, Ruleset

__all__ = [
    "CATEGORIES",
    "CATEGORY_SHIFT",
    "RANK_KEYS",
    "RowReading",
    "RowTables",
    "describe_row",
    "is_legal_order",
    "leading_rank",
    "row_tables",
]

CATEGORY_SHIFT = 26
_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(10)

RANK_KEYS = tuple(5 ** (card >> 2) for card in range(52))
"""For each card the key of its rank: the sum over a row tells how often each rank is in it."""

_BY_GROUPS = {
    (1, 1, 1, 1, 1): _HIGH_CARD,
    (2, 1, 1, 1): _PAIR,
    (2, 2, 1): _TWO_PAIR,
    (3, 1, 1): _TRIPS,
    (3, 2): _FULL_HOUSE,
    (4, 1): _QUADS,
    (1, 1, 1): _HIGH_CARD,
    (2, 1): _PAIR,
    (3,): _TRIPS,
}
_GROUPS = {_HIGH_CARD: 1, _PAIR: 1, _TWO_PAIR: 2, _TRIPS: 1, _STRAIGHT: 1, _FLUSH: 1, _FULL_HOUSE: 2, _QUADS: 1}
_WHEEL = (12, 3, 2, 1, 0)
_FIVE, _ACE = 3, 12

# What decided between two strengths, by the position of the highest bit in which they differ.
_DECIDED_BY = ("equal",) + ("suit",) * 2 + ("kicker",) * 16 + ("rank",) * 8 + ("category",) * 4
_DECIDED_BY_SUIT_FIRST = ("equal",) + ("kicker",) * 18 + ("rank",) * 4 + ("suit",) * 4 + ("category",) * 4


class RowReading(NamedTuple):
    """What a row is: its category, its ranks (0..12) with the largest group first, and the suit that decides.

    A straight has one rank, that of its top card; of the wheel this is the five. `suit` (0..3) is the suit that would
    decide in RULES 3 between equal ranks, whether or not the ruleset looks at it; of a flush it is the flush's.
    """

    category: str
    ranks: tuple[int, ...]
    suit: int


class _Class(NamedTuple):
    """A set of ranks, suits apart: its category, its ranks by group, and where it stands among its category."""

    category: int
    ranks: tuple[int, ...]
    group: tuple[int, int]
    """The ranks of the groups as they are compared. The first is also the rank of the card whose suit decides."""


Evaluate = Callable[[Sequence[Card]], int]


class RowTables(NamedTuple):
    """The strengths of rows under one ruleset. `five` and `three` take the cards of a row in any order."""

    five: Evaluate
    three: Evaluate
    describe: Callable[[Sequence[Card]], RowReading]
    suit_first: bool

    def decided_by(self, one: int, other: int) -> str:
        """What decides between two strengths: `category`, `rank`, `kicker`, `suit`, or `equal` where nothing does."""
        suit_first = self.suit_first and one >> CATEGORY_SHIFT == _FLUSH
        return (_DECIDED_BY_SUIT_FIRST if suit_first else _DECIDED_BY)[(one ^ other).bit_length()]


def leading_rank(strength: int) -> int:
    """The rank of the largest group, or of the highest card that counts; not for flushes under `flush_by_suit`."""
    return strength >> 22 & 15


def is_legal_order(front: int, middle: int, back: int) -> bool:
    """Whether back >= middle >= front by their strengths (RULES 4).

    The front's suit is taken off. Kickers that only the middle has stand in lower bits, where the front has zeros:
    they can never make the middle the lower one.
    """
    return back >= middle >= (front & -4)


@lru_cache(maxsize=256)
def row_tables(ruleset: Ruleset) -> RowTables:
    """The compiled tables of a ruleset; those that compare rows alike share them."""
    suits = ruleset.ties == "suits"
    # Where suits decide nothing, kickers always do: `kickers` only says what comes first (RULES 3).
    return _compile(suits, ruleset.kickers or not suits, ruleset.flush_by_suit, ruleset.wheel)


def describe_row(cards: Sequence[Card], ruleset: Ruleset) -> RowReading:
    """What a row of three or five cards is, in any order of the cards."""
    return row_tables(ruleset).describe(cards)


@lru_cache(maxsize=32)
def _compile(suits: bool, kickers: bool, suit_first: bool, wheel: str) -> RowTables:
    unsuited = dict(_unsuited_classes(wheel))
    suited = dict(_suited_classes(wheel))
    strengths = {key: _strength(row, kickers) for key, row in unsuited.items()}
    flushes = tuple(
        {key: _flush_strength(row, suit, suits, suit_first) for key, row in suited.items()} for suit in range(4)
    )
    five, three = _five(strengths, flushes, suits), _three(strengths, suits)
    return RowTables(five, three, _describe(unsuited, suited), suit_first)


def _unsuited_classes(wheel: str) -> Iterator[tuple[int, _Class]]:
    """Every set of three or five ranks, under the sum of its keys, as if no flush were possible."""
    for size in (3, 5):
        for ranks in combinations_with_replacement(range(12, -1, -1), size):
            counts = Counter(ranks)
            if counts[ranks[0]] < 5:
                yield _key(ranks), _class_of(ranks, counts, wheel)


def _suited_classes(wheel: str) -> Iterator[tuple[int, _Class]]:
    """Every set of five different ranks as it is in one suit."""
    for key, row in _unsuited_classes(wheel):
        if row.category == _STRAIGHT:
            is_royal = row.ranks == (_ACE,)
            yield key, row._replace(category=_ROYAL if is_royal else _STRAIGHT_FLUSH)
        elif row.category == _HIGH_CARD and len(row.ranks) == 5:
            yield key, row._replace(category=_FLUSH)


def _class_of(ranks: tuple[int, ...], counts: Counter[int], wheel: str) -> _Class:
    straight = _straight(ranks, wheel)
    if straight:
        return straight
    by_group = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    category = _BY_GROUPS[tuple(counts[rank] for rank in by_group)]
    return _Class(category, tuple(by_group), (by_group[0], by_group[1] if _GROUPS[category] == 2 else 0))


def _straight(ranks: tuple[int, ...], wheel: str) -> _Class | None:
    """The straight of five ranks in falling order. A second-highest wheel is an ace-high one just under the best."""
    if len(ranks) < 5:
        return None
    if ranks == _WHEEL:
        places = {"lowest": (_FIVE, 0), "second": (_ACE, 0)}
        return _Class(_STRAIGHT, (_FIVE,), places[wheel]) if wheel in places else None
    if ranks == tuple(range(ranks[0], ranks[0] - 5, -1)):
        return _Class(_STRAIGHT, (ranks[0],), (ranks[0], 1))
    return None


def _key(ranks: tuple[int, ...]) -> int:
    return sum(RANK_KEYS[rank * 4] for rank in ranks)


def _strength(row: _Class, kickers: bool) -> int:
    """The strength of a row without its suit. High cards and flushes have no group: all their ranks count always."""
    strength = row.category << 8 | row.group[0] << 4 | row.group[1]
    rest = row.ranks[_GROUPS[row.category] :] if row.category in _GROUPS else ()
    counted = rest if kickers or row.category in (_HIGH_CARD, _FLUSH) else ()
    for place in range(4):
        strength = strength << 4 | (counted[place] if place < len(counted) else 0)
    return strength << 2


def _flush_strength(row: _Class, suit: int, suits: bool, suit_first: bool) -> int:
    strength = _strength(row, kickers=True)
    if suit_first and row.category == _FLUSH:
        high, below = row.group[0] << 22, strength & ((1 << 18) - 1)
        return _FLUSH << CATEGORY_SHIFT | suit << 22 | high >> 4 | below
    return strength | suit if suits else strength


def _five(strengths: Mapping[int, int], flushes: tuple[Mapping[int, int], ...], suits: bool) -> Evaluate:
    def five(cards: Sequence[Card], keys: tuple[int, ...] = RANK_KEYS) -> int:
        a, b, c, d, e = cards
        key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        if not ((a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3):
            return flushes[a & 3][key]
        return strengths[key] | _deciding_suit(strengths[key], cards) if suits else strengths[key]

    return five


def _three(strengths: Mapping[int, int], suits: bool) -> Evaluate:
    def three(cards: Sequence[Card], keys: tuple[int, ...] = RANK_KEYS) -> int:
        a, b, c = cards
        strength = strengths[keys[a] + keys[b] + keys[c]]
        return strength | _deciding_suit(strength, cards) if suits else strength

    return three


def _deciding_suit(strength: int, cards: Sequence[Card]) -> int:
    """The suit of the highest card of the first group, whose rank stands in the strength."""
    card = leading_rank(strength) << 2 | 3
    while card not in cards:
        card -= 1
    return card & 3


def _describe(unsuited: Mapping[int, _Class], suited: Mapping[int, _Class]) -> Callable[[Sequence[Card]], RowReading]:
    known: dict[tuple[int, bool, int], RowReading] = {}

    def describe(cards: Sequence[Card]) -> RowReading:
        key = sum([RANK_KEYS[card] for card in cards])
        is_suited = len(cards) == 5 and len({card & 3 for card in cards}) == 1
        row = suited[key] if is_suited else unsuited[key]
        deciding = row.group[0] << 2 | 3
        while deciding not in cards:
            deciding -= 1
        place = (key, is_suited, deciding & 3)
        reading = known.get(place)
        if reading is None:
            reading = known[place] = RowReading(CATEGORIES[row.category], row.ranks, deciding & 3)
        return reading

    return describe
