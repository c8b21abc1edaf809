"""What a row is and how strong it is under a ruleset (RULES 2 to 4).

The strength of a row is one integer, so that rows compare with `<`, `>` and `==`. From the highest bits down:

    category (4 bits) | suit of a flush where that is first (2) | two ranks of groups (8) | four kickers (16) | suit (2)

What the ruleset does not compare is left at zero. The strength is read from a table by the sum of a key per card, suits
apart: there are only 6,175 different sets of five ranks. The highest bit in which two strengths differ tells what
decided between them.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from scoring.engine.cards import Card
from scoring.engine.rules import CATEGORIES, Ruleset

__all__ = [
    "CARD_KEYS",
    "CATEGORIES",
    "CATEGORY_SHIFT",
    "COUNTS_MASK",
    "COUNTS_SHIFT",
    "DECIDED_BY",
    "RANKS_MASK",
    "SUITS_SHIFT",
    "SUIT_OFF",
    "RowReading",
    "RowTables",
    "are_different",
    "decided_by",
    "describe_row",
    "leading_rank",
    "rank_shifts",
    "row_tables",
    "straight_of",
    "straight_place",
]

CATEGORY_SHIFT = 28
_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(10)

# Of these, one for each rank, no two different sets of five have the same sum, and none of three.
_RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_LARGEST_SUM = 4 * _RANK_KEYS[12] + _RANK_KEYS[11]
COUNTS_SHIFT = 20
RANKS_MASK = (1 << COUNTS_SHIFT) - 1
COUNTS_MASK = (1 << 3 * 13) - 1
_CARDS_SHIFT = COUNTS_SHIFT + 3 * 13 + 3  # room for all that four hands can add to the counts
_CARDS_MASK = (1 << 58) - 1
SUITS_SHIFT = _CARDS_SHIFT + 58
CARD_KEYS = tuple(
    _RANK_KEYS[card >> 2]
    + (1 << COUNTS_SHIFT + 3 * (card >> 2))
    + (1 << _CARDS_SHIFT + card)
    + (1 << SUITS_SHIFT + 4 * (card & 3))
    for card in range(52)
)
"""A number for each card, to be summed. Over a row the sum within RANKS_MASK tells its ranks. Over a hand it tells
above COUNTS_SHIFT how often each rank is held, in fields of three bits, and above SUITS_SHIFT how often each suit, in
fields of four. Over a whole table it still tells whether a card is there twice, see `are_different`."""


def are_different(keys: int, count: int) -> bool:
    """Whether so many cards, at most 52, with this sum of CARD_KEYS are all different.

    Each stands for its own power of two. A sum of `count` powers of two has as many bits only if none is there twice.
    """
    return (keys >> _CARDS_SHIFT & _CARDS_MASK).bit_count() == count


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
_GROUPS = (1, 1, 2, 1, 1, 1, 2, 1, 1, 1)
_KICKERS = {5: {_HIGH_CARD: 4, _PAIR: 3, _TWO_PAIR: 1, _TRIPS: 2, _FLUSH: 4, _QUADS: 1}, 3: {_HIGH_CARD: 2, _PAIR: 1}}
_SUITED = frozenset((_FLUSH, _STRAIGHT_FLUSH, _ROYAL))
_WHEEL = (12, 3, 2, 1, 0)
_FIVE, _ACE = 3, 12

SUIT_OFF = ~3
"""Takes the suit off a strength, as a front compares with a middle: what only the middle has then stands in lower bits,
where the front has zeros, and can never make the middle the lower one (RULES 4)."""

DECIDED_BY = ("equal",) + ("suit",) * 2 + ("kicker",) * 16 + ("rank",) * 8 + ("suit",) * 2 + ("category",) * 4
"""What decided between two strengths, by the bit length of their difference `one ^ other`."""


Row = Sequence[Card]


class RowReading(NamedTuple):
    """What a row is, as far as the ruleset looks at it.

    `ranks` (0..12) are those that are compared, largest group first, then kickers; a straight has one, that of its top
    card, which is the five in a wheel. `suit` (0..3) is the one that decides in RULES 3, None where no suit does; a
    flush always has its suit.
    """

    category: str
    ranks: tuple[int, ...]
    suit: int | None


class _Class(NamedTuple):
    """A set of ranks, suits apart: its category, its ranks by group, and its groups as they are compared."""

    category: int
    ranks: tuple[int, ...]
    groups: tuple[int, int]
    """The first is also the rank of the card whose suit decides."""


class _Readings(dict[int, RowReading]):
    """Readings of rows of one size by strength << 2 | suit, made when they are first asked for."""

    def __init__(self, size: int, suits: bool, kickers: bool) -> None:
        self.size, self.suits, self.kickers = size, suits, kickers

    def __missing__(self, place: int) -> RowReading:
        strength, suit = place >> 2, place & 3
        category = strength >> CATEGORY_SHIFT
        known_suit = suit if self.suits or category in _SUITED else None
        self[place] = RowReading(CATEGORIES[category], self._ranks(strength, category), known_suit)
        return self[place]

    def _ranks(self, strength: int, category: int) -> tuple[int, ...]:
        first, second = strength >> 22 & 15, strength >> 18 & 15
        if category in (_STRAIGHT, _STRAIGHT_FLUSH, _ROYAL):
            return (_FIVE if second == 0 else first,)
        return tuple(strength >> shift & 15 for shift in rank_shifts(category, self.size, self.kickers))


_Fives: TypeAlias = "array[int]"
_Flushes = Mapping[int, Mapping[int, int]]


class RowTables(NamedTuple):
    """Rows under one ruleset, their cards in any order.

    `strength` is that of a row of three or five cards. `lay` takes front, middle and back at once, which is faster, and
    gives their strengths and the sum of CARD_KEYS over all thirteen cards.
    """

    strength: Callable[[Row], int]
    lay: Callable[[Row, Row, Row], tuple[int, int, int, int]]
    describe: Callable[[Row, int], RowReading]
    """What a row is, from its cards and its strength."""


def decided_by(one: int, other: int) -> str:
    """What decides between two strengths: `category`, `rank`, `kicker`, `suit`, or `equal` where nothing does."""
    return DECIDED_BY[(one ^ other).bit_length()]


def rank_shifts(category: int, size: int, kickers: bool) -> tuple[int, ...]:
    """Where in a strength the ranks stand that a row of three or five cards has, in the order in which they compare."""
    count = _KICKERS[size].get(category, 0) if kickers or category in (_HIGH_CARD, _FLUSH) else 0
    return (22, 18)[: _GROUPS[category]] + (14, 10, 6, 2)[:count]


def straight_place(top: int, wheel: str) -> tuple[int, int] | None:
    """What stands in the two places of groups for a straight up to this rank; None where there is none. A wheel that
    is second-highest stands there as an ace-high straight just under the best."""
    if top == _FIVE:
        return {"lowest": (_FIVE, 0), "second": (_ACE, 0)}.get(wheel)
    return (top, 1) if top > _FIVE else None


def leading_rank(strength: int) -> int:
    """The rank of the largest group, or of the highest card that counts."""
    return strength >> 22 & 15


@lru_cache(maxsize=256)
def row_tables(ruleset: Ruleset) -> RowTables:
    """The compiled tables of a ruleset; those that compare rows alike share them."""
    suits = ruleset.ties == "suits"
    # Where suits decide nothing, kickers always do: `kickers` only says what comes first (RULES 3).
    return _compile(suits, ruleset.kickers or not suits, ruleset.flush_by_suit, ruleset.wheel)


def describe_row(cards: Row, ruleset: Ruleset) -> RowReading:
    """What a row of three or five cards is, in any order of the cards."""
    tables = row_tables(ruleset)
    return tables.describe(cards, tables.strength(cards))


@lru_cache(maxsize=32)
def _compile(suits: bool, kickers: bool, suit_first: bool, wheel: str) -> RowTables:
    threes, fives = _unsuited_strengths(kickers, wheel)
    suited = dict(_suited_classes(wheel))
    flushes = {
        5 << 4 * suit: {key: _suited_strength(row, suit, suits, suit_first) for key, row in suited.items()}
        for suit in range(4)
    }
    return RowTables(
        _evaluate(threes, fives, flushes, suits),
        _evaluate_hand(threes, fives, flushes, suits),
        _describe(suits, kickers),
    )


@lru_cache(maxsize=8)
def _unsuited_strengths(kickers: bool, wheel: str) -> tuple[Mapping[int, int], _Fives]:
    """The strengths of three and of five ranks by the sum of their keys, without a suit.

    Those of five stand in an array with many gaps: a look-up touches one place in memory where a dictionary takes four,
    which tells when other work has emptied the caches.
    """
    fives = array("I", bytes(4 * (_LARGEST_SUM + 1)))
    for key, row in _unsuited_classes(5, wheel):
        fives[key] = _strength(row, kickers)
    return {key: _strength(row, kickers) for key, row in _unsuited_classes(3, wheel)}, fives


def _unsuited_classes(size: int, wheel: str) -> Iterator[tuple[int, _Class]]:
    """Every set of so many ranks, under the sum of its keys, as if no flush were possible."""
    for ranks in combinations_with_replacement(range(12, -1, -1), size):
        counts = Counter(ranks)
        if counts[ranks[0]] < 5:
            yield _key(ranks), _class_of(ranks, counts, wheel)


def _suited_classes(wheel: str) -> Iterator[tuple[int, _Class]]:
    """Every set of five different ranks as it is in one suit."""
    for key, row in _unsuited_classes(5, wheel):
        if row.category == _STRAIGHT:
            is_royal = row.ranks == (_ACE,)
            yield key, row._replace(category=_ROYAL if is_royal else _STRAIGHT_FLUSH)
        elif row.category == _HIGH_CARD:
            yield key, row._replace(category=_FLUSH)


def _class_of(ranks: tuple[int, ...], counts: Counter[int], wheel: str) -> _Class:
    straight = straight_of(ranks, wheel)
    if straight:
        return straight
    by_group = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    category = _BY_GROUPS[tuple(counts[rank] for rank in by_group)]
    return _Class(category, tuple(by_group), (by_group[0], by_group[1] if _GROUPS[category] == 2 else 0))


def straight_of(ranks: tuple[int, ...], wheel: str) -> _Class | None:
    """The straight that five ranks in falling order make; None where they make none, or are only three."""
    if ranks != _WHEEL and (len(ranks) < 5 or ranks != tuple(range(ranks[0], ranks[0] - 5, -1))):
        return None
    top = _FIVE if ranks == _WHEEL else ranks[0]
    place = straight_place(top, wheel)
    return place and _Class(_STRAIGHT, (top,), place)


def _key(ranks: tuple[int, ...]) -> int:
    return sum(_RANK_KEYS[rank] for rank in ranks)


def _strength(row: _Class, kickers: bool) -> int:
    """The strength of a row without its suit. High cards and flushes have no group: all their ranks count always."""
    strength = row.category << 10 | row.groups[0] << 4 | row.groups[1]
    rest = row.ranks[_GROUPS[row.category] :] if kickers or row.category in (_HIGH_CARD, _FLUSH) else ()
    for place in range(4):
        strength = strength << 4 | (rest[place] if place < len(rest) else 0)
    return strength << 2


def _suited_strength(row: _Class, suit: int, suits: bool, suit_first: bool) -> int:
    strength = _strength(row, kickers=True)
    if suit_first and row.category == _FLUSH:
        return strength | suit << 26
    return strength | suit if suits else strength


def _evaluate(threes: Mapping[int, int], fives: _Fives, flushes: _Flushes, suits: bool) -> Callable[[Row], int]:
    """The strength of one row. `flushes` are by what stands above SUITS_SHIFT when all cards are of one suit."""

    def strength(cards: Row) -> int:
        key = sum([CARD_KEYS[card] for card in cards])
        suited = flushes.get(key >> SUITS_SHIFT)
        if suited:
            return suited[key & RANKS_MASK]
        unsuited = (threes if len(cards) == 3 else fives)[key & RANKS_MASK]
        return unsuited | _deciding_suit(unsuited, cards) if suits else unsuited

    return strength


def _evaluate_hand(
    threes: Mapping[int, int], fives: _Fives, flushes: _Flushes, suits: bool
) -> Callable[[Row, Row, Row], tuple[int, int, int, int]]:
    """The same for three rows at once, written out since it is the inner loop of everything that scores."""
    keys, mask, shift = CARD_KEYS, RANKS_MASK, SUITS_SHIFT

    def lay(front: Row, middle: Row, back: Row) -> tuple[int, int, int, int]:
        a, b, c = front
        front_key = keys[a] + keys[b] + keys[c]
        of_front = threes[front_key & mask]
        a, b, c, d, e = middle
        middle_key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        middle_suited = flushes.get(middle_key >> shift)
        of_middle = (middle_suited or fives)[middle_key & mask]
        a, b, c, d, e = back
        back_key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        back_suited = flushes.get(back_key >> shift)
        of_back = (back_suited or fives)[back_key & mask]
        if suits:
            of_front |= _deciding_suit(of_front, front)
            of_middle |= 0 if middle_suited else _deciding_suit(of_middle, middle)
            of_back |= 0 if back_suited else _deciding_suit(of_back, back)
        return of_front, of_middle, of_back, front_key + middle_key + back_key

    return lay


def _describe(suits: bool, kickers: bool) -> Callable[[Row, int], RowReading]:
    threes, fives = _Readings(3, suits, kickers), _Readings(5, suits, kickers)
    suited = tuple(category in _SUITED for category in range(len(CATEGORIES)))

    def describe(cards: Row, strength: int) -> RowReading:
        if len(cards) == 3:
            return threes[strength << 2 | strength & 3]
        return fives[strength << 2 | (cards[0] if suited[strength >> CATEGORY_SHIFT] else strength) & 3]

    return describe


def _deciding_suit(strength: int, cards: Row) -> int:
    """The suit of the highest card of the first group, whose rank stands in the strength."""
    card = leading_rank(strength) << 2 | 3
    while card & 3 and card not in cards:
        card -= 1
    return card & 3
