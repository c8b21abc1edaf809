"""Figures worked out of a tally: means with their interval, shares, streaks."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from scoring.engine.rules import ROWS
from scoring.models import Tally

# Student’s t for 95 %, by 1, 2, 3 … degrees of freedom; of more than these it is that of the normal curve.
_T95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
_NORMAL95 = 1.96


class Share(NamedTuple):
    """How many of how many."""

    part: int
    whole: int

    @property
    def percent(self) -> float | None:
        """None where there is nothing to have a share of."""
        return 100 * self.part / self.whole if self.whole else None


class RowRecord(NamedTuple):
    """How a player did in one of the rows; `row` is its name in the rules."""

    row: str
    won: int
    tied: int
    lost: int

    @property
    def share(self) -> Share:
        """The rows won, of all that were compared."""
        return Share(self.won, self.won + self.tied + self.lost)


class Mean(NamedTuple):
    """A mean of rounds, and how far to either side of it lies the interval that holds the true one in 95 of 100 cases.

    No `margin` where one round alone says nothing of how much they differ.
    """

    value: float
    margin: float | None

    @property
    def low(self) -> float | None:
        return None if self.margin is None else self.value - self.margin

    @property
    def high(self) -> float | None:
        return None if self.margin is None else self.value + self.margin


def mean(count: int, total: int, squares: float) -> Mean | None:
    """The mean of `count` values with that sum and that sum of squares; None where there are none.

    The margin is t·s/√n with s² = (Σx² − (Σx)²/n) / (n − 1), as if every round were drawn anew.
    """
    if not count:
        return None
    if count == 1:
        return Mean(float(total), None)
    variance = max(0.0, squares - total * total / count) / (count - 1)
    t = _T95[count - 2] if count - 2 < len(_T95) else _NORMAL95
    return Mean(total / count, t * sqrt(variance / count))


@dataclass(frozen=True)
class Figures:
    """What a tally says of a player."""

    tally: Tally

    @property
    def mean(self) -> Mean | None:
        """Points a round."""
        return mean(self.tally.rounds, self.tally.points, self.tally.points_squared)

    @property
    def won(self) -> Share:
        """Rounds that ended with more points won than lost."""
        return Share(self.tally.won, self.tally.rounds)

    @property
    def even(self) -> int:
        """Rounds that ended as they began."""
        return self.tally.rounds - self.tally.won - self.tally.lost

    @property
    def rows(self) -> list[RowRecord]:
        return [
            RowRecord(row, *(getattr(self.tally, f"{row}_{result}") for result in ("won", "tied", "lost")))
            for row in ROWS
        ]

    @property
    def pao(self) -> Share:
        """Rounds in which the hand was PAO."""
        return Share(self.tally.paos, self.tally.rounds)

    @property
    def bonus(self) -> int:
        """Points that bonuses brought, less what was paid for those of others."""
        return self.tally.bonus_won - self.tally.bonus_paid


class Streaks(NamedTuple):
    """Evenings won or lost in a row: the most of each, and those up to the last evening, negative where lost."""

    won: int
    lost: int
    now: int

    @property
    def length(self) -> int:
        """Of the one that lasts."""
        return abs(self.now)


def streaks(evenings: Iterable[int]) -> Streaks:
    """The streaks of evenings that brought these points, the first one first; an even one ends either."""
    won = lost = now = 0
    for points in evenings:
        sign = (points > 0) - (points < 0)
        now = now + sign if now * sign > 0 else sign
        won, lost = max(won, now), max(lost, -now)
    return Streaks(won, lost, now)
