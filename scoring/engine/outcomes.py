"""What the rows of a pair are worth: row points, multiplier and extras, bonuses apart (RULES 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from scoring.engine.rules import Ruleset

# The results of three rows as one number: 9 × front + 3 × middle + back, each -1, 0 or 1, moved up by 13.
RESULTS: tuple[tuple[int, int, int, int], ...] = tuple(
    (front, middle, back, 0) for front, middle, back in product((-1, 0, 1), repeat=3)
)
"""By that number the result of front, middle and back, and a 0 in the place of a broken bonus."""

ALL_LOST: Final = 0
ALL_TIED: Final = 13
ALL_WON: Final = 26


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pair's rows, or a natural or surrender in their place, are worth to the first of the two players.

    `cause` says why rows are multiplied or do not count: tembus, super, pao, both_pao, natural, surrender. `extra` is
    the sum of `extras`; `points` = row_points × multiplier + extra.
    """

    row_points: int
    multiplier: int
    cause: str | None
    extras: tuple[tuple[str, int], ...]
    extra: int
    points: int


class OutcomeTables(NamedTuple):
    """The outcomes by the number of the results: for a pair that plays on and for one with a PAO hand in it, each
    without and with a super of the winner."""

    played: tuple[Outcome, ...]
    super: tuple[Outcome, ...]
    pao: tuple[Outcome, ...]
    super_over_pao: tuple[Outcome, ...]


@lru_cache(maxsize=256)
def outcome_tables(ruleset: Ruleset) -> OutcomeTables:
    """Everything that rows can come to under a ruleset, bonuses apart."""
    by_super = ruleset.super_multiplier or 0
    by_pao = ruleset.pao_multiplier

    def table(multiplier: int, cause: str) -> tuple[Outcome, ...]:
        return tuple(_rows_outcome(results[:3], multiplier, cause, ruleset) for results in RESULTS)

    return OutcomeTables(
        played=table(ruleset.tembus_multiplier, "tembus"),
        super=table(by_super, "super"),
        pao=table(by_pao, "pao"),
        super_over_pao=table(by_super, "super") if by_super > by_pao else table(by_pao, "pao"),
    )


def _rows_outcome(results: Sequence[int], sweep_multiplier: int, cause: str, ruleset: Ruleset) -> Outcome:
    won, lost = results.count(1), results.count(-1)
    sign = 1 if won > lost else -1
    is_sweep = max(won, lost) == 3
    extras = []
    if is_sweep and ruleset.tembus_bonus:
        extras.append(("tembus_bonus", sign * ruleset.tembus_bonus))
    if max(won, lost) >= 2 and ruleset.majority_bonus:
        extras.append(("majority_bonus", sign * ruleset.majority_bonus))
    multiplier = sweep_multiplier if is_sweep else 1
    return _with_sums((won - lost) * ruleset.row_points, multiplier, cause if is_sweep else None, tuple(extras))


def unplayed(kind: str, points: int) -> Outcome:
    """The outcome of a pair in which a `natural` or a `surrender` takes the place of the rows."""
    return _with_sums(0, 1, kind, ((kind, points),) if points else ())


def _with_sums(row_points: int, multiplier: int, cause: str | None, extras: tuple[tuple[str, int], ...]) -> Outcome:
    extra = sum(points for _, points in extras)
    return Outcome(row_points, multiplier, cause, extras, extra, row_points * multiplier + extra)


BOTH_PAO: Final = _with_sums(0, 1, "both_pao", ())
