"""Rows told in words: what can be told of a row, and how two rows compare as far as they are told (RULES 9).

A told row has a strength as a row of cards has, where nothing is told with zeros, and beside it a mask of the places
that are still untold. Flush, hearts, K 9 where suits come first:

    strength    0101 | 10 | 1011 0000 | 0111 0000 0000 0000 | 00
    untold      0000 | 00 | 0000 0000 | 0000 1111 1111 1111 | 00
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from scoring.engine.cards import RANKS, SUITS
from scoring.engine.errors import ScoringError, gettext_noop
from scoring.engine.hands import _GROUPS, _KICKERS, CATEGORY_SHIFT, DECIDED_BY, RowReading, _straight
from scoring.engine.rules import BONUS_ROWS, CATEGORIES, Ruleset

_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(10)
_STRAIGHTS = frozenset((_STRAIGHT, _STRAIGHT_FLUSH, _ROYAL))
_SUITED = frozenset((_FLUSH, _STRAIGHT_FLUSH, _ROYAL))
_UNGROUPED = frozenset((_HIGH_CARD, _FLUSH))
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

_STRAIGHT_PLACE = 0xFF << 18
_SUIT_PLACE = 3
_UNTOLD_SUIT = 2
"""In place of a suit that nobody told: above the lowest that can be and below spades, as it compares with those two."""

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
    """The strength of a row as far as it is known, and a mask of the places in it that nobody told."""

    strength: int
    untold: int = 0


def straight_place(top: int, wheel: str) -> tuple[int, int] | None:
    """How the straight up to this rank compares; None where there is none. A second-highest wheel is an ace-high
    straight just under the best one."""
    if top == 3:
        return {"lowest": (3, 0), "second": (_ACE, 0)}.get(wheel)
    return (top, 1) if top > 3 else None


def rank_shifts(category: int, size: int, kickers: bool) -> tuple[int, ...]:
    """Where in a strength the ranks stand that are compared, in the order in which they are."""
    count = _KICKERS[size].get(category, 0) if kickers or category in _UNGROUPED else 0
    return (22, 18)[: _GROUPS[category]] + (14, 10, 6, 2)[:count]


def rank_count(category: str, row: str) -> int:
    """How many ranks can be told of such a row."""
    return len(rank_shifts(CATEGORIES.index(category), _size(row), kickers=True))


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
    category = CATEGORIES.index(told.category)
    strength, untold = _told_ranks(told, row, ruleset)
    shift = _suit_shift(category, ruleset)
    if shift is None:
        return RowStrength(strength, untold)
    if told.suit is not None:
        return RowStrength(strength | told.suit << shift, untold)
    return RowStrength(strength | (0 if shift else _UNTOLD_SUIT), untold | 3 << shift)


def read_told(told: Told, row: str, ruleset: Ruleset) -> RowReading:
    """What is known of a told row, as `describe_row` says it of cards; the ranks end where nothing is told."""
    told = checked(told, row, ruleset)
    category = CATEGORIES.index(told.category)
    compared = len(rank_shifts(category, _size(row), _kickers_count(ruleset)))
    has_suit = ruleset.ties == "suits" or category in _SUITED
    return RowReading(told.category, told.ranks[:compared], told.suit if has_suit else None)


def compare_rows(one: RowStrength, other: RowStrength) -> int | None:
    """1, 0 or -1: which of two rows of the same place is the stronger; None where too little is told."""
    untold = one.untold | other.untold
    difference = (one.strength ^ other.strength) & ~untold
    if difference < untold and not (untold == _SUIT_PLACE and (_is_extreme(one) or _is_extreme(other))):
        return None
    return (one.strength > other.strength) - (one.strength < other.strength)


def is_proven_higher(one: RowStrength, other: RowStrength) -> bool:
    """Whether one row is higher than another of the same hand by what is told."""
    return one.strength > other.strength and bool(compare_rows(one, other))


def needed_place(one: RowStrength, other: RowStrength) -> tuple[str, bool, bool]:
    """The place at which an undecided comparison stands still, rank or suit, and which of the two has not told it."""
    untold = one.untold | other.untold
    place = 1 << untold.bit_length() - 1
    name = "suit" if DECIDED_BY[untold.bit_length()] == "suit" else "rank"
    return name, bool(one.untold & place), bool(other.untold & place)


def can_tie(category: str, ruleset: Ruleset) -> bool:
    """Whether two rows of this category can be equal: never where a suit decides, and one deck has every card once."""
    return _suit_shift(CATEGORIES.index(category), ruleset) is None


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


def _kickers_count(ruleset: Ruleset) -> bool:
    return ruleset.kickers or ruleset.ties != "suits"


def _suit_shift(category: int, ruleset: Ruleset) -> int | None:
    """Where the suit stands in the strength of such a row; None where no suit is compared."""
    if category == _FLUSH and ruleset.flush_by_suit:
        return 26
    return 0 if ruleset.ties == "suits" else None


def _told_ranks(told: Told, row: str, ruleset: Ruleset) -> tuple[int, int]:
    """Strength and mask of a row, its suit apart."""
    category = CATEGORIES.index(told.category)
    strength, untold = category << CATEGORY_SHIFT, 0
    if category in _STRAIGHTS:
        place = straight_place(told.ranks[0], ruleset.wheel) if told.ranks else None
        return (strength | place[0] << 22 | place[1] << 18, 0) if place else (strength, _STRAIGHT_PLACE)
    for number, shift in enumerate(rank_shifts(category, _size(row), _kickers_count(ruleset))):
        if number < len(told.ranks):
            strength |= told.ranks[number] << shift
        else:
            untold |= 15 << shift
    return strength, untold


def _is_extreme(row: RowStrength) -> bool:
    """Whether a row has told a suit that beats every other that it can meet, or loses to every other."""
    return not row.untold & 3 and row.strength & 3 in (_SPADES, _lowest_suit(row.strength >> CATEGORY_SHIFT))


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
    lower = [rank for rank in range(_ACE, -1, -1) if rank not in told.ranks and rank < min((*falling, 13))]
    rests = combinations(lower, count - len(falling))
    if all(_straight(falling + rest, ruleset.wheel) for rest in rests):
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
