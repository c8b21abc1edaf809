"""Rows told in words: what can be told of a row, and how two rows compare as far as they are told (RULES 9)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, repeat
from typing import NamedTuple

from scoring.engine.cards import RANKS, SUITS
from scoring.engine.errors import ScoringError, gettext_noop
from scoring.engine.hands import (
    CATEGORY_SHIFT,
    DECIDED_BY,
    RowReading,
    leading_rank,
    rank_shifts,
    straight_of,
    straight_place,
)
from scoring.engine.rules import BONUS_ROWS, CATEGORIES, Ruleset

_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(10)
_STRAIGHTS = frozenset((_STRAIGHT, _STRAIGHT_FLUSH, _ROYAL))
_SUITED = frozenset((_FLUSH, _STRAIGHT_FLUSH, _ROYAL))
_UNGROUPED = frozenset((_HIGH_CARD, _FLUSH))
_THREES = frozenset((_TRIPS, _FULL_HOUSE, _QUADS))
_ACE, _SPADES = 12, 3

GROUP_SIZES: tuple[tuple[int, ...], ...] = (
    (1,) * 5,
    (2, 1, 1, 1),
    (2, 2, 1),
    (3, 1, 1),
    (),
    (1,) * 5,
    (3, 2),
    (4, 1),
    (),
    (),
)
"""For each category how many cards there are of each of its ranks; a straight is told by its top card alone."""

_SUIT_PLACE = 3
"""The mask of the suit where that is the last place."""

_NOT_IN_FRONT = gettext_noop("%(category)s cannot stand in the front")
_TOO_MANY_RANKS = gettext_noop("too many ranks for %(category)s: %(count)d instead of at most %(most)d")
_RANK_TWICE = gettext_noop("%(rank)s is told twice")
_NOT_FALLING = gettext_noop("%(rank)s is out of order: ranks are told from the highest down")
_NO_STRAIGHT = gettext_noop("there is no %(category)s to %(rank)s under these rules")
_NO_SUCH_ROW = gettext_noop("there is no %(category)s with %(ranks)s as its highest ranks")
_NO_SUCH_SUIT = gettext_noop("%(suit)s cannot be the suit that decides for %(category)s")


class ToldError(ScoringError):
    """A row told in words that is not understood or cannot be. `word` is the word at fault and `position` where it
    starts in the text, counted from 1; both are None where the row as a whole is at fault."""

    def __init__(self, message: str, word: str | None = None, position: int | None = None, **params: object) -> None:
        self.word = word
        self.position = position
        super().__init__(message, word=word, position=position, **params)


class Told(NamedTuple):
    """What was told of a row: its category; as many of its ranks (0..12) as were told, largest group first, then
    kickers, of a straight the top one; the suit (0..3) of the card that decides in RULES 3."""

    category: str
    ranks: tuple[int, ...] = ()
    suit: int | None = None


class RowStrength(NamedTuple):
    """The strength of a row as far as it is known, and a mask from the first place that nobody told down to the last.

    Where only the suit is untold it lies between the lowest that can be and spades: it meets neither in another hand
    that told it, since one deck has every card once.
    """

    strength: int
    untold: int = 0

    @property
    def category(self) -> int:
        """The category by its number."""
        return self.strength >> CATEGORY_SHIFT

    @property
    def least(self) -> int:
        """The lowest strength that the row may have."""
        return self.strength + min(_lowest_suit(self.category), 1) + 1 if self.untold == _SUIT_PLACE else self.strength

    @property
    def most(self) -> int:
        """The highest strength that the row may have."""
        return self.strength + _SPADES - 1 if self.untold == _SUIT_PLACE else self.strength | self.untold


def rank_count(category: str, row: str) -> int:
    """How many ranks can be told of such a row."""
    return len(rank_shifts(CATEGORIES.index(category), _size(row), kickers=True))


@lru_cache(maxsize=4096)
def checked(told: Told, row: str, ruleset: Ruleset) -> Told:
    """The same row in its usual form: a straight flush to the ace is a royal flush. Raises ToldError for a row that
    cannot be, in this place and under this ruleset."""
    category = CATEGORIES.index(told.category)
    if category == _STRAIGHT_FLUSH and told.ranks == (_ACE,):
        category = _ROYAL
    ranks = told.ranks or (_ACE,) if category == _ROYAL else told.ranks
    told = Told(CATEGORIES[category], ranks, told.suit)
    if told.category not in BONUS_ROWS[row]:
        raise ToldError(_NOT_IN_FRONT, category=told.category)
    most = rank_count(told.category, row)
    if len(ranks) > most:
        raise ToldError(_TOO_MANY_RANKS, category=told.category, count=len(ranks), most=most)
    if category in _STRAIGHTS:
        _refuse_missing_straight(told, ruleset)
    else:
        _refuse_impossible_ranks(told, _size(row), ruleset)
    if told.suit is not None and told.suit < _lowest_suit(category):
        raise ToldError(_NO_SUCH_SUIT, suit=SUITS[told.suit], category=told.category)
    return told


@lru_cache(maxsize=4096)
def told_strength(told: Told, row: str, ruleset: Ruleset) -> RowStrength:
    """How strong a row is as far as it is told. Raises ToldError where it cannot be."""
    told = checked(told, row, ruleset)
    strength = CATEGORIES.index(told.category) << CATEGORY_SHIFT
    for shift, width, value in _places(told, row, ruleset):
        if value is None:
            return RowStrength(strength, (1 << shift + width) - 1)
        strength |= value << shift
    return RowStrength(strength)


def read_told(told: Told, row: str, ruleset: Ruleset) -> RowReading:
    """What is known of a told row, as `describe_row` says it of cards; the ranks end where nothing is told."""
    told = checked(told, row, ruleset)
    compared = len(_compared_shifts(told, row, ruleset))
    has_suit = ruleset.ties == "suits" or CATEGORIES.index(told.category) in _SUITED
    return RowReading(told.category, told.ranks[:compared], told.suit if has_suit else None)


def compare_rows(one: RowStrength, other: RowStrength) -> int | None:
    """1, 0 or -1: which of two rows of the same place is the stronger; None where too little is told."""
    if one.least > other.most:
        return 1
    if other.least > one.most:
        return -1
    return None if one.untold or other.untold else 0


def needed_place(one: RowStrength, other: RowStrength) -> tuple[str, bool, bool]:
    """Where an undecided comparison stands still, "rank" or "suit", and which of the two rows has not told it."""
    place = (one.untold | other.untold).bit_length()
    name = "suit" if DECIDED_BY[place] == "suit" else "rank"
    return name, one.untold.bit_length() == place, other.untold.bit_length() == place


def shared_rank(one: RowStrength, other: RowStrength) -> int | None:
    """The rank of which both rows are told to hold three or four, which one deck does not have; None for none."""
    rank = leading_rank(one.strength)
    if one.category != other.category or one.category not in _THREES or rank != leading_rank(other.strength):
        return None
    return rank if max(one.untold, other.untold) < 1 << 22 else None


def can_tie(row: RowStrength, ruleset: Ruleset) -> bool:
    """Whether such a row can meet an equal one: never where a suit decides, since one deck has every card once."""
    return _suit_shift(row.category, ruleset) is None


class Proof(NamedTuple):
    """Cards that a told row must hold: so many of a rank, the highest of them of this suit where it is known."""

    rank: int
    cards: int
    highest: int | None


def proven_cards(told: Told, row: str, ruleset: Ruleset) -> Iterator[Proof]:
    """What a told row proves about its cards."""
    told = checked(told, row, ruleset)
    category = CATEGORIES.index(told.category)
    if category in _STRAIGHTS:
        yield from _proven_straight(told, category, ruleset)
        return
    for number, (rank, count) in enumerate(zip(told.ranks, GROUP_SIZES[category], strict=False)):
        yield Proof(rank, count, told.suit if number == 0 or category == _FLUSH else None)


def _proven_straight(told: Told, category: int, ruleset: Ruleset) -> Iterator[Proof]:
    for top in told.ranks:
        place = straight_place(top, ruleset.wheel)
        for rank in range(top - 4, top + 1):
            is_deciding = category in _SUITED or (place is not None and rank % 13 == place[0])
            yield Proof(rank % 13, 1, told.suit if is_deciding else None)


def _size(row: str) -> int:
    return 3 if row == "front" else 5


def _suit_shift(category: int, ruleset: Ruleset) -> int | None:
    """Where the suit stands in the strength of such a row; None where no suit is compared."""
    if category == _FLUSH and ruleset.flush_by_suit:
        return 26
    return 0 if ruleset.ties == "suits" else None


def _places(told: Told, row: str, ruleset: Ruleset) -> list[tuple[int, int, int | None]]:
    """The places of a strength in which rows of a category compare, the first one first: where it stands, how many bits
    it has, and what is told of it."""
    category = CATEGORIES.index(told.category)
    shift = _suit_shift(category, ruleset)
    suit = [] if shift is None else [(shift, 2, told.suit)]
    ranks = _straight_places(told, ruleset) if category in _STRAIGHTS else _rank_places(told, row, ruleset)
    return suit + ranks if shift else ranks + suit


def _straight_places(told: Told, ruleset: Ruleset) -> list[tuple[int, int, int | None]]:
    place = straight_place(told.ranks[0], ruleset.wheel) if told.ranks else None
    return [(18, 8, place and place[0] << 4 | place[1])]


def _rank_places(told: Told, row: str, ruleset: Ruleset) -> list[tuple[int, int, int | None]]:
    shifts = _compared_shifts(told, row, ruleset)
    return [(shift, 4, rank) for shift, rank in zip(shifts, chain(told.ranks, repeat(None)), strict=False)]


def _compared_shifts(told: Told, row: str, ruleset: Ruleset) -> tuple[int, ...]:
    """Where the ranks stand that the ruleset compares. Where suits decide nothing, kickers always do (RULES 3)."""
    kickers = ruleset.kickers or ruleset.ties != "suits"
    return rank_shifts(CATEGORIES.index(told.category), _size(row), kickers)


def _lowest_suit(category: int) -> int:
    """The lowest suit that can decide: the better one of a pair is never the lowest of the deck."""
    return GROUP_SIZES[category][0] - 1 if GROUP_SIZES[category] else 0


def _refuse_missing_straight(told: Told, ruleset: Ruleset) -> None:
    for top in told.ranks:
        if straight_place(top, ruleset.wheel) is None or (told.category == "royal_flush" and top != _ACE):
            raise ToldError(_NO_STRAIGHT, category=told.category, rank=RANKS[top])


def _refuse_impossible_ranks(told: Told, size: int, ruleset: Ruleset) -> None:
    """Raise ToldError where no cards of one deck have these ranks in this order."""
    for place, rank in enumerate(told.ranks):
        if rank in told.ranks[:place]:
            raise ToldError(_RANK_TWICE, rank=RANKS[rank])
    falling, count = _falling_ranks(CATEGORIES.index(told.category), told.ranks, size)
    for above, below in pairwise(falling):
        if below > above:
            raise ToldError(_NOT_FALLING, rank=RANKS[below])
    below_all = falling[-1] if falling else _ACE + 1
    lower = [rank for rank in range(below_all - 1, -1, -1) if rank not in told.ranks]
    rests = combinations(lower, count - len(falling))
    if all(straight_of(falling + rest, ruleset.wheel) for rest in rests):
        ranks = " ".join(RANKS[rank] for rank in told.ranks)
        raise ToldError(_NO_SUCH_ROW, category=told.category, ranks=ranks)


def _falling_ranks(category: int, ranks: Sequence[int], size: int) -> tuple[tuple[int, ...], int]:
    """Those of the told ranks that fall from one to the next, and how many such ranks the whole row has."""
    sizes = GROUP_SIZES[category]
    if category in _UNGROUPED:
        return tuple(ranks), size
    if category == _TWO_PAIR:
        return tuple(ranks[:2]), 2
    if category == _FULL_HOUSE:
        return (), 0
    return tuple(ranks[1:]), size - sizes[0]
