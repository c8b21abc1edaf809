"""Naturals: hands of thirteen cards that win as a whole (RULES 5).

No natural is searched for. All but one show in how often each rank and each suit is held, and both are read from one
sum over the cards. Three straights are a property of the ranks alone: only 589 multisets qualify.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from operator import itemgetter

from scoring.engine.cards import RANKS, Card
from scoring.engine.hands import CARD_KEYS, CATEGORIES, COUNTS_MASK, COUNTS_SHIFT, SUITS_SHIFT, row_tables
from scoring.engine.rules import Ruleset

_CARDS = 13
_ACE = 12

_ONE_EACH = sum(1 << 3 * rank for rank in range(13))

Holds = Callable[[int, int, Sequence[Card]], bool]
"""Whether a hand is the natural: from its ranks' fields, its suits' fields, and its cards."""

Row = Sequence[Card]

_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH = map(CATEGORIES.index, ("straight", "flush", "straight_flush"))
_FRONT_WHEEL = (_ACE, 1, 0)


def detect_natural(cards: Sequence[Card], ruleset: Ruleset) -> str | None:
    """The first natural of the ruleset's list that these cards hold; None for none, or where they are not thirteen."""
    return natural_detector(ruleset)(cards)


@lru_cache(maxsize=256)
def natural_detector(ruleset: Ruleset) -> Callable[[Sequence[Card]], str | None]:
    """`detect_natural` made ready for one ruleset.

    Nearly every hand is dismissed by what all naturals of a kind have in common; only the rest is asked one by one.
    """
    detect = natural_by_key(ruleset)
    return lambda cards: detect(sum(itemgetter(*cards)(CARD_KEYS)), cards) if len(cards) == _CARDS else None


@lru_cache(maxsize=256)
def natural_by_key(ruleset: Ruleset) -> Callable[..., str | None]:
    """`natural_detector` for who has the sum of CARD_KEYS over the thirteen cards already: it takes that and the cards,
    in any number of rows."""
    names = [natural.name for natural in ruleset.naturals]
    checks = _checks(ruleset)
    by_suits = frozenset().union(*(_BY_SUITS.get(name, ()) for name in names))
    by_ranks = frozenset().union(*(_by_ranks(ruleset).get(name, ()) for name in names))
    most_ranks = _FEW_RANKS if not _BY_COUNTS.isdisjoint(names) else 0
    counts_shift, counts_mask, suits_shift, one_each = COUNTS_SHIFT, COUNTS_MASK, SUITS_SHIFT, _ONE_EACH

    def first_held(ranks: int, suits: int, cards: Sequence[Card]) -> str | None:
        return next((name for name in names if checks[name](ranks, suits, cards)), None)

    def detect(key: int, *rows: Sequence[Card]) -> str | None:
        ranks, suits = key >> counts_shift & counts_mask, key >> suits_shift
        if (
            suits in by_suits
            or ranks in by_ranks
            or ((ranks | ranks >> 1 | ranks >> 2) & one_each).bit_count() <= most_ranks
        ):
            return first_held(ranks, suits, [card for row in rows for card in row])
        return None

    return detect


def holds(name: str, cards: Sequence[Card], ruleset: Ruleset) -> bool:
    """Whether thirteen cards hold this natural, whether or not the ruleset lists it or a stronger one is held too."""
    if len(cards) != _CARDS:
        return False
    key = sum(itemgetter(*cards)(CARD_KEYS))
    return _checks(ruleset)[name](key >> COUNTS_SHIFT & COUNTS_MASK, key >> SUITS_SHIFT, cards)


def compare_same_natural(name: str, one: Sequence[Card], other: Sequence[Card], ruleset: Ruleset) -> int:
    """1, 0 or −1: which of two hands that both hold this natural is the stronger."""
    strength = _STRENGTHS.get(name)
    if strength is None:
        return 0
    first, second = strength(one, ruleset), strength(other, ruleset)
    return (first > second) - (first < second)


def _runs(size: int, wheel: bool) -> list[tuple[int, ...]]:
    """The ranks of every straight of this many cards."""
    runs = [tuple(range(lowest, lowest + size)) for lowest in range(13 - size + 1)]
    return [*runs, (*range(size - 1), _ACE)] if wheel else runs


def _mask(ranks: Iterable[int]) -> int:
    return sum(1 << rank for rank in ranks)


def _ranks_of_three_straights(wheel: bool) -> frozenset[int]:
    """The ranks' fields of every hand that falls into a straight of three and two of five."""
    return frozenset(
        sum(1 << 3 * rank for rank in front + middle + back)
        for front in _runs(3, wheel)
        for middle, back in combinations_with_replacement(_runs(5, wheel), 2)
    )


def _masks_of_straight_flushes(wheel: bool) -> frozenset[int]:
    """The sets of ranks that one suit may hold where all rows are straight flushes: none, one, two or three rows."""
    threes = [0, *map(_mask, _runs(3, wheel))]
    fives = [0, *map(_mask, _runs(5, wheel))]
    return frozenset(
        front | middle | back
        for front in threes
        for middle in fives
        for back in fives
        if not (front & middle or front & back or middle & back)
    )


def _suit_fields(counts: Sequence[int]) -> int:
    return sum(count << 4 * suit for suit, count in enumerate(counts))


# Whether there is a wheel → what qualifies.
_THREE_STRAIGHTS = {wheel: _ranks_of_three_straights(wheel) for wheel in (False, True)}
_STRAIGHT_FLUSHES = {wheel: _masks_of_straight_flushes(wheel) for wheel in (False, True)}
_STRAIGHT_ROWS = {wheel: {_mask(run) for size in (3, 5) for run in _runs(size, wheel)} for wheel in (False, True)}

_ONE_SUIT = {_suit_fields(counts) for counts in permutations((13, 0, 0, 0))}
_ONE_COLOUR = {_suit_fields(counts) for red in range(14) for counts in ((red, 0, 13 - red, 0), (0, red, 0, 13 - red))}
_THREE_FLUSHES = {
    _suit_fields(counts)
    for distinct in ((3, 5, 5, 0), (8, 5, 0, 0), (10, 3, 0, 0), (13, 0, 0, 0))
    for counts in permutations(distinct)
}

_TWO_TO_SEVEN = (1 << 3 * RANKS.index("8")) - 1
_NINE_TO_ACE = COUNTS_MASK ^ ((1 << 3 * RANKS.index("9")) - 1)
_TWO_TO_TEN = (1 << 3 * RANKS.index("J")) - 1
_AT_MOST_ONE_CARD = {0, *(1 << 3 * rank for rank in range(13))}

# What a natural needs at least: suits held so often, ranks held so often, or no more than seven different ranks.
_BY_SUITS = {
    "clean_dragon": _ONE_SUIT,
    "one_colour": _ONE_COLOUR,
    "three_flushes": _THREE_FLUSHES,
    "three_straight_flushes": _THREE_FLUSHES,
}
_FEW_RANKS = 7
_BY_COUNTS = {
    "twelve_royals",
    "three_quads",
    "all_high",
    "all_low",
    "four_triples",
    "five_pairs_and_triple",
    "six_pairs",
}


def _by_ranks(ruleset: Ruleset) -> dict[str, frozenset[int]]:
    return {"dragon": frozenset((_ONE_EACH,)), "three_straights": _THREE_STRAIGHTS[ruleset.wheel != "none"]}


@lru_cache(maxsize=256)
def _checks(ruleset: Ruleset) -> dict[str, Holds]:
    """What each natural asks for under this ruleset, by name."""
    three_straights = _by_ranks(ruleset)["three_straights"]
    six_pairs = _six_pairs if ruleset.quads_are_two_pairs else _six_different_pairs
    return {
        "clean_dragon": lambda ranks, suits, cards: suits in _ONE_SUIT,
        "dragon": lambda ranks, suits, cards: ranks == _ONE_EACH,
        "twelve_royals": lambda ranks, suits, cards: ranks & _TWO_TO_TEN in _AT_MOST_ONE_CARD,
        "three_straight_flushes": _three_straight_flushes(_STRAIGHT_FLUSHES[ruleset.wheel != "none"]),
        "three_quads": lambda ranks, suits, cards: (ranks & _ONE_EACH << 2).bit_count() == 3,
        "all_high": lambda ranks, suits, cards: not ranks & _TWO_TO_SEVEN,
        "all_low": lambda ranks, suits, cards: not ranks & _NINE_TO_ACE,
        "one_colour": lambda ranks, suits, cards: suits in _ONE_COLOUR,
        "four_triples": lambda ranks, suits, cards: (_triples(ranks) | ranks >> 2 & _ONE_EACH).bit_count() >= 4,
        "five_pairs_and_triple": lambda ranks, suits, cards: six_pairs(ranks, suits, cards) and _triples(ranks) > 0,
        "six_pairs": six_pairs,
        "three_flushes": lambda ranks, suits, cards: suits in _THREE_FLUSHES,
        "three_straights": lambda ranks, suits, cards: ranks in three_straights,
    }


def _triples(ranks: int) -> int:
    """The ranks that are held exactly three times."""
    return ranks & ranks >> 1 & _ONE_EACH


def _six_pairs(ranks: int, suits: int, cards: Sequence[Card]) -> bool:
    """Exactly one rank is held an odd number of times."""
    odd = ranks & _ONE_EACH
    return not odd & (odd - 1)


def _six_different_pairs(ranks: int, suits: int, cards: Sequence[Card]) -> bool:
    """Six ranks are held two or three times."""
    return (ranks >> 1 & _ONE_EACH).bit_count() == 6


def _three_straight_flushes(masks: Container[int]) -> Holds:
    def is_held(ranks: int, suits: int, cards: Sequence[Card]) -> bool:
        if suits not in _THREE_FLUSHES:
            return False
        return all(_mask([card >> 2 for card in cards if card & 3 == suit]) in masks for suit in range(4))

    return is_held


def _pairs_from_the_top(cards: Sequence[Card], ruleset: Ruleset) -> tuple[int, ...]:
    """The ranks of the pairs, highest first; four of a kind stands twice where it counts as two pairs."""
    counts = Counter(card >> 2 for card in cards)
    most = 2 if ruleset.quads_are_two_pairs else 1
    return tuple(rank for rank in range(_ACE, -1, -1) for _ in range(min(counts[rank] // 2, most)))


def _best_flushes(cards: Sequence[Card], ruleset: Ruleset) -> tuple[int, ...]:
    return _best_layout(cards, ruleset, _is_suited)


def _best_straights(cards: Sequence[Card], ruleset: Ruleset) -> tuple[int, ...]:
    return _best_layout(cards, ruleset, lambda row: _is_straight(row, ruleset))


def _is_suited(row: Row) -> bool:
    return len({card & 3 for card in row}) == 1


def _is_straight(row: Row, ruleset: Ruleset) -> bool:
    ranks = {card >> 2 for card in row}
    return len(ranks) == len(row) and _mask(ranks) in _STRAIGHT_ROWS[ruleset.wheel != "none"]


def _best_layout(cards: Sequence[Card], ruleset: Ruleset, fits: Callable[[Row], bool]) -> tuple[int, ...]:
    """The strengths of back, middle and front of the best layout in which every row fits."""
    tables = row_tables(ruleset)
    return max(
        (tables.strength(back), tables.strength(middle), *_front_strength(front, ruleset))
        for front, middle, back in _layouts(cards, fits)
    )


def _layouts(cards: Sequence[Card], fits: Callable[[Row], bool]) -> Iterator[tuple[Row, Row, Row]]:
    for back in filter(fits, combinations(cards, 5)):
        rest = [card for card in cards if card not in back]
        for middle in filter(fits, combinations(rest, 5)):
            front = [card for card in rest if card not in middle]
            if fits(front):
                yield front, middle, back


def _front_strength(front: Row, ruleset: Ruleset) -> tuple[int, ...]:
    """A front that is a straight, a flush or both: it compares as five cards of that kind do."""
    high, middle, low = sorted(front, reverse=True)
    ranks = (high >> 2, middle >> 2, low >> 2)
    is_suited = _is_suited(front)
    if ranks == _FRONT_WHEEL and ruleset.wheel == "lowest":
        top, place = middle, 0
    else:
        top, place = high, int(ranks != _FRONT_WHEEL)
    suit = top & 3 if ruleset.ties == "suits" else 0
    if _is_straight(front, ruleset):
        return _STRAIGHT_FLUSH if is_suited else _STRAIGHT, top >> 2, place, suit
    return (_FLUSH, high & 3, *ranks) if ruleset.flush_by_suit else (_FLUSH, *ranks, suit)


_STRENGTHS = {"six_pairs": _pairs_from_the_top, "three_flushes": _best_flushes, "three_straights": _best_straights}
