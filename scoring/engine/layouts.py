"""Every way of laying thirteen cards that can be worth a thought (RULES 4).

There are 72,072 splits into rows of three, five and five, but only 1,287 different fives and 286 different threes. Each
of these is evaluated once; which of them fit together is the same for every hand and is worked out once for all. Then
backs are tried from the strongest down: whatever a later back leaves for middle and front must beat what an earlier
one left, or it can be passed over, often for a whole back at once, and soon for all that are left.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, starmap
from operator import add, itemgetter
from typing import NamedTuple

from scoring.engine.cards import Card
from scoring.engine.hands import SUIT_OFF, leading_rank, row_tables
from scoring.engine.rules import Ruleset

HAND_SIZE = 13
_PLACES = range(HAND_SIZE)

Places = tuple[int, ...]
Row = tuple[Card, ...]
_Getter = Callable[[Sequence[int]], tuple[int, ...]]


class Strengths(NamedTuple):
    """The strengths of every five and every three among thirteen cards, in the order of `combinations`."""

    fives: list[int]
    threes: list[int]


class Candidate(NamedTuple):
    """A legal layout: the strengths of its rows, and which five is the back and which three the front."""

    front: int
    middle: int
    back: int
    back_number: int
    front_number: int


class _Subsets(NamedTuple):
    """What is the same for every hand: its fives and threes as places among thirteen sorted cards, and how they fit.

    `number` finds a subset by its places. `middles[back]` and `fronts[back]` pick the 56 pairs which that back leaves
    from lists of all fives and all threes; `front_numbers` are the numbers of these fronts. A mask is a subset in which
    the highest card has the highest bit. A sum over a five is one over its first three places, picked by `heads` from a
    list by threes, and one over its last two, picked by `tails` from a list by pairs.
    """

    fives: tuple[Places, ...]
    threes: tuple[Places, ...]
    number: Mapping[Places, int]
    five_masks: tuple[int, ...]
    three_masks: tuple[int, ...]
    heads: _Getter
    tails: _Getter
    middles: tuple[_Getter, ...]
    fronts: tuple[_Getter, ...]
    front_numbers: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1)
def _subsets() -> _Subsets:
    fives, threes = tuple(combinations(_PLACES, 5)), tuple(combinations(_PLACES, 3))
    number = {subset: place for subsets in (fives, threes) for place, subset in enumerate(subsets)}
    pair_number = {pair: place for place, pair in enumerate(combinations(_PLACES, 2))}
    middles, fronts = [], []
    for back in fives:
        left = [place for place in _PLACES if place not in back]
        fronts.append([number[front] for front in combinations(left, 3)])
        middles.append([number[tuple(p for p in left if p not in front)] for front in combinations(left, 3)])
    return _Subsets(
        fives=fives,
        threes=threes,
        number=number,
        five_masks=tuple(map(_mask, fives)),
        three_masks=tuple(map(_mask, threes)),
        heads=itemgetter(*[number[five[:3]] for five in fives]),
        tails=itemgetter(*[pair_number[five[3:]] for five in fives]),
        middles=tuple(itemgetter(*numbers) for numbers in middles),
        fronts=tuple(itemgetter(*numbers) for numbers in fronts),
        front_numbers=tuple(map(tuple, fronts)),
    )


def _mask(places: Places) -> int:
    return sum(1 << HAND_SIZE - 1 - place for place in places)


class _Unsuited(dict[int, int]):
    """The strengths of sets of three or five ranks without their suit, found when they are first asked for. The key is
    the sum of 5 ** rank, each digit of which tells how often a rank is held."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._strength = row_tables(ruleset).strength

    def __missing__(self, key: int) -> int:
        ranks = [rank for rank in range(13) for _ in range(key // 5**rank % 5)]
        # Suits in turn: no rank holds a card twice, and five different ranks are no flush.
        cards = [Card(rank * 4 + place % 4) for place, rank in enumerate(ranks)]
        self[key] = self._strength(cards) & SUIT_OFF
        return self[key]


@lru_cache(maxsize=32)
def _unsuited(ruleset: Ruleset) -> _Unsuited:
    return _Unsuited(ruleset)


def all_strengths(cards: Sequence[Card], ruleset: Ruleset) -> Strengths:
    """The strengths of every five and every three among thirteen cards, which must come from the highest down."""
    subsets, unsuited = _subsets(), _unsuited(ruleset).__getitem__
    keys = [5 ** (card >> 2) for card in cards]
    pairs, triples = list(starmap(add, combinations(keys, 2))), list(map(sum, combinations(keys, 3)))
    fives = list(map(unsuited, map(add, subsets.heads(triples), subsets.tails(pairs))))
    threes = list(map(unsuited, triples))
    if ruleset.ties == "suits":
        suit = _deciding_suits(cards)
        fives = [suit(strength, mask) for strength, mask in zip(fives, subsets.five_masks, strict=True)]
        threes = [suit(strength, mask) for strength, mask in zip(threes, subsets.three_masks, strict=True)]
    for places, strength in _flushes(cards, ruleset):
        fives[subsets.number[places]] = strength
    return Strengths(fives, threes)


def _deciding_suits(cards: Sequence[Card]) -> Callable[[int, int], int]:
    """A function that puts into a strength the suit of the highest card of its leading rank among a mask of places."""
    of_rank = [_mask(tuple(p for p in _PLACES if cards[p] >> 2 == rank)) for rank in range(13)]
    suits = [0, *(card & 3 for card in reversed(cards))]

    def with_suit(strength: int, mask: int) -> int:
        return strength | suits[(mask & of_rank[leading_rank(strength)]).bit_length()]

    return with_suit


def _flushes(cards: Sequence[Card], ruleset: Ruleset) -> Iterator[tuple[Places, int]]:
    """The fives of one suit, as places, with their strengths."""
    strength = row_tables(ruleset).strength
    for suit in range(4):
        for places in combinations([place for place in _PLACES if cards[place] & 3 == suit], 5):
            yield places, strength([cards[place] for place in places])


NOT_THIS = -1
_ABOVE_EVERY_ROW = 1 << 32


class _Stairs:
    """The best pairs of a middle and a front so far, of which none has both rows at least as strong as another: from
    step to step the middle is stronger and the front weaker. The last step is above every middle and has no front."""

    def __init__(self) -> None:
        self.middles = [_ABOVE_EVERY_ROW]
        self.fronts = [NOT_THIS]

    def front_beside(self, middle: int) -> int:
        """The best front that stands beside a middle at least as strong as this one; NOT_THIS for none."""
        return self.fronts[bisect_left(self.middles, middle)]

    def add(self, middle: int, front: int) -> None:
        """Put in a pair that the stairs do not reach, and take out those that it surpasses."""
        end = bisect_right(self.middles, middle)
        start = end
        while start and self.fronts[start - 1] <= front:
            start -= 1
        self.middles[start:end] = [middle]
        self.fronts[start:end] = [front]


def best_candidates(backs: Sequence[int], middles: Sequence[int], fronts: Sequence[int]) -> list[Candidate]:
    """The legal layouts to which no other is at least as strong in all rows, of equal ones the first, and few others.

    The strengths are those of all fives and threes, or NOT_THIS in place of those that must not stand in the row. Backs
    come from the strongest down, so a middle and front that some earlier back had at least as strong are beaten.
    """
    subsets, stairs = _subsets(), _Stairs()
    falling_fronts = sorted(fronts, reverse=True)
    highest = 0
    found: list[Candidate] = []
    for back in _from_strongest(backs):
        limit = backs[back]
        beaten = stairs.front_beside(limit)
        while falling_fronts[highest] & SUIT_OFF > limit:
            highest += 1
        if falling_fronts[highest] <= beaten:
            break  # no weaker back can bring anything either
        fronts_left = subsets.fronts[back](fronts)
        best_front = max(fronts_left)
        if best_front <= beaten:
            continue
        middles_left = subsets.middles[back](middles)
        beaten = stairs.front_beside(min(limit, max(middles_left)))
        if best_front <= beaten:
            continue
        options = [
            (middle, front, number)
            for middle, front, number in zip(middles_left, fronts_left, subsets.front_numbers[back], strict=True)
            if front > beaten and front & SUIT_OFF <= middle <= limit
        ]
        for middle, front, number in sorted(options, reverse=True):
            if front > stairs.front_beside(middle):
                stairs.add(middle, front)
                found.append(Candidate(front, middle, limit, back, number))
    return found


def every_candidate(strengths: Strengths) -> list[Candidate]:
    """All legal layouts, of equal ones the first: for rules under which a stronger row can be the worse one."""
    fives, threes = strengths
    subsets = _subsets()
    found: dict[tuple[int, int, int], Candidate] = {}
    for back in _from_strongest(fives):
        limit = fives[back]
        fronts, middles = subsets.fronts[back](threes), subsets.middles[back](fives)
        for middle, front, number in zip(middles, fronts, subsets.front_numbers[back], strict=True):
            if front & SUIT_OFF <= middle <= limit:
                found.setdefault((front, middle, limit), Candidate(front, middle, limit, back, number))
    return list(found.values())


def rows_of(candidate: Candidate, cards: Sequence[Card]) -> tuple[Row, Row, Row]:
    """The front, middle and back of a candidate among the thirteen sorted cards."""
    subsets = _subsets()
    back, front = subsets.fives[candidate.back_number], subsets.threes[candidate.front_number]
    middle = [place for place in _PLACES if place not in back and place not in front]
    return _cards_at(front, cards), _cards_at(middle, cards), _cards_at(back, cards)


def _cards_at(places: Sequence[int], cards: Sequence[Card]) -> Row:
    return tuple([cards[place] for place in places])


def _from_strongest(fives: Sequence[int]) -> list[int]:
    """The numbers of the fives that may be laid."""
    allowed = [number for number, strength in enumerate(fives) if strength != NOT_THIS]
    return sorted(allowed, key=fives.__getitem__, reverse=True)
