"""What a row earns beyond its own points: the bonus, also called barang or royalty (RULES 6.2)."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from scoring.engine.cards import Card
from scoring.engine.hands import CATEGORY_SHIFT, leading_rank
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset

BROKEN: Final = 3
"""In place of a row: a four of a kind or a straight flush that is held but not laid in one row."""

_BACK: Final = 2
_QUADS: Final = CATEGORIES.index("four_of_a_kind")
_STRAIGHT_FLUSH: Final = CATEGORIES.index("straight_flush")
_ROYAL: Final = CATEGORIES.index("royal_flush")


class HandBonus(NamedTuple):
    """A bonus that a hand carries: row 0, 1, 2 or BROKEN, the category by number, the points of the ruleset's table."""

    row: int
    category: int
    points: int


class BonusTables(NamedTuple):
    """The bonus fields of a ruleset. `points` is by row and category number, 0 where nothing is paid; `least` by row
    the strength below which there is never a bonus; `given_up` what the winner of a row gives up for its bonus; `wheel`
    tells which straight flushes can be held broken."""

    points: tuple[tuple[int, ...], ...]
    least: tuple[int, int, int]
    rule: str
    given_up: int
    is_multiplied: bool
    is_declared: bool
    limit: int | None
    is_broken: bool
    wheel: str


@lru_cache(maxsize=256)
def bonus_tables(ruleset: Ruleset) -> BonusTables:
    """The compiled bonus fields of a ruleset."""
    points_of = {(bonus.row, bonus.category): bonus.points for bonus in ruleset.bonuses}
    points = tuple(tuple(points_of.get((row, category), 0) for category in CATEGORIES) for row in ROWS)
    front, middle, back = (0 if ruleset.bonus_broken else _least(points_of_row) for points_of_row in points)
    return BonusTables(
        points=points,
        least=(front, middle, back),
        rule=ruleset.bonus_rule,
        given_up=ruleset.row_points if ruleset.bonus_replaces_row else 0,
        is_multiplied=ruleset.bonus_multiplied,
        is_declared=ruleset.bonus_declared,
        limit=ruleset.bonus_limit,
        is_broken=ruleset.bonus_broken,
        wheel=ruleset.wheel,
    )


def _least(points: Sequence[int]) -> int:
    """The strength below which no category pays any of these points."""
    first = next((category for category, amount in enumerate(points) if amount), len(points))
    return first << CATEGORY_SHIFT


def hand_bonuses(
    front: int, middle: int, back: int, cards: Sequence[Card], declared: Collection[str], tables: BonusTables
) -> tuple[HandBonus, ...]:
    """The bonuses that a legal hand carries into every pair, after `bonus_declared` and `bonus_limit`.

    `front`, `middle` and `back` are the strengths of the rows, `cards` all thirteen.
    """
    of_front, of_middle, of_back = tables.points
    points = (of_front[front >> CATEGORY_SHIFT], of_middle[middle >> CATEGORY_SHIFT], of_back[back >> CATEGORY_SHIFT])
    carried = [
        HandBonus(row, strength >> CATEGORY_SHIFT, points[row])
        for row, strength in enumerate((front, middle, back))
        if points[row] and (not tables.is_declared or ROWS[row] in declared)
    ]
    if tables.is_broken:
        carried += _broken_bonuses((middle, back), set(cards), tables)
    if tables.limit is not None:
        carried = sorted(carried, key=_choice, reverse=True)[: tables.limit]
    return tuple(carried)


def paid_bonuses(
    ours: Sequence[HandBonus], theirs: Sequence[HandBonus], results: Sequence[int], multiplier: int, tables: BonusTables
) -> list[tuple[bool, HandBonus]]:
    """Which bonuses are paid between two hands, each as whether it goes to us and with the points that count.

    `results` are those of the three rows for us (1, 0, -1) and a 0 in the place of BROKEN. A PAO hand carries none.
    """
    paid = []
    for to_us, bonuses, others, win in ((True, ours, theirs, 1), (False, theirs, ours, -1)):
        for bonus in bonuses:
            row, category, points = bonus
            has_won = results[row] == win
            if not (has_won or row == BROKEN or tables.rule == "difference"):
                continue
            if tables.rule == "cancel" and row in [other.row for other in others] and row != BROKEN:
                continue
            if has_won:
                points -= tables.given_up
            if tables.is_multiplied:
                points *= multiplier
            # A replaced row can be worth more than its bonus: what is lacking then goes to the other side.
            if points:
                paid.append((to_us == (points > 0), HandBonus(row, category, abs(points))))
    return paid


def _choice(bonus: HandBonus) -> tuple[int, int]:
    """What `bonus_limit` chooses by: the points, then back before middle before front before broken."""
    return bonus.points, -1 if bonus.row == BROKEN else bonus.row


def _broken_bonuses(laid: Sequence[int], held: set[Card], tables: BonusTables) -> Iterator[HandBonus]:
    """Fours of a kind and the best straight flush that are held but not laid, at their points in the back."""
    categories = [strength >> CATEGORY_SHIFT for strength in laid]
    quads_laid = [leading_rank(strength) for strength in laid if strength >> CATEGORY_SHIFT == _QUADS]
    broken = [_QUADS for rank in range(13) if rank not in quads_laid and _holds(held, (rank,), range(4))]
    if max(categories) < _STRAIGHT_FLUSH:
        broken += _best_straight_flush(held, tables.wheel)
    for category in broken:
        if tables.points[_BACK][category]:
            yield HandBonus(BROKEN, category, tables.points[_BACK][category])


def _best_straight_flush(held: set[Card], wheel: str) -> list[int]:
    """The category of the best straight flush among the cards, or nothing."""
    runs: list[Sequence[int]] = [range(top - 4, top + 1) for top in range(12, 3, -1)]
    if wheel != "none":
        runs.append((12, 0, 1, 2, 3))
    for run in runs:
        if any(_holds(held, run, (suit,)) for suit in range(4)):
            return [_ROYAL if run[0] == 8 else _STRAIGHT_FLUSH]
    return []


def _holds(held: set[Card], ranks: Sequence[int], suits: Sequence[int]) -> bool:
    return all(rank * 4 + suit in held for rank in ranks for suit in suits)
