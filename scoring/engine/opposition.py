"""What a layout brings at given tables of four, all together, by the rules of a whole round (RULES 6), quickly.

The points are those of `score_pairs`, only added up in another order. What a row brings by itself over all opponents,
and whom it beats, as a set of bits, depends on its strength alone and is kept. What rows bring together, a majority or
a sweep, is counted on the intersections of these sets. The cards of the tables may be anybody's: no pack of one deck is
split between them and the hand that is measured, but where one deck can never leave it to a kicker, nor do they.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from scoring.engine.bonuses import BROKEN, HandBonus, bonus_tables, paid_bonuses
from scoring.engine.hand_input import PLAYED, Standing
from scoring.engine.hands import CATEGORIES, CATEGORY_SHIFT, leading_rank
from scoring.engine.outcomes import ALL_LOST, ALL_TIED, ALL_WON, RESULTS, Outcome, outcome_tables
from scoring.engine.pairs import score_pairs
from scoring.engine.rules import ROWS, Ruleset

Bonuses = tuple[HandBonus, ...]
OPPONENTS = 3

Bits = int
"""A set of opponents. Those in the first seat of each table have the lowest bits, then the second seats, the third."""

_THREE_OF_A_RANK = frozenset(map(CATEGORIES.index, ("three_of_a_kind", "full_house", "four_of_a_kind")))
_NOBODY: Standing = (PLAYED, 0, 0, 0, (), (), None, 0)


class RowWorth(NamedTuple):
    """What a row brings by itself over all opponents, and whom it beats and loses to."""

    points: int
    won: Bits
    lost: Bits


class _Sweeps(NamedTuple):
    """What a sweep brings beyond its rows, as who is swept and the points for each of them: to the winner, to one with
    a super on top of that, and likewise for the loser."""

    won: Sequence[tuple[Bits, int]]
    super: Sequence[tuple[Bits, int]]
    lost: Sequence[tuple[Bits, int]]
    lost_to_super: Sequence[tuple[Bits, int]]


class Opposition:
    """Tables of three opponents each, who play or hold a natural, made ready for one ruleset."""

    def __init__(self, tables: Sequence[Sequence[Standing]], ruleset: Ruleset) -> None:
        self.tables, self._ruleset = len(tables), ruleset
        self._sweepers = 0
        opponents = []
        for place, table in enumerate(tables):
            for seat, opponent in enumerate(table):
                bit = 1 << seat * len(tables) + place
                opponents.append((bit, opponent))
                if _sweeps_the_others(opponent, table, ruleset):
                    self._sweepers |= bit
        playing = [(bit, opponent) for bit, opponent in opponents if opponent[0] == PLAYED]
        self._playing = len(playing)
        self._regardless = sum(_points_regardless(opponent, ruleset) for _, opponent in opponents)
        points = bonus_tables(ruleset).points
        self._rows = tuple(_Row(row, playing, points[row], ruleset) for row in range(len(ROWS)))
        if ruleset.bonus_limit is None:
            self._rows_without_bonus = self._rows
        else:
            self._rows_without_bonus = tuple(_Row(row, playing, (), ruleset) for row in range(len(ROWS)))
        self._by_bonuses = _grouped(playing, bonus_tables(ruleset).is_multiplied)
        self._sweeps: dict[Bonuses, _Sweeps] = {}

    def total(self, front: int, middle: int, back: int, carried: Bonuses) -> int:
        """The points at all tables together of a legal hand with rows of these strengths that is played and carries
        these bonuses."""
        ours = self._rows_carrying(carried)
        of_front, won_front, lost_front = ours[0][front]
        of_middle, won_middle, lost_middle = ours[1][middle]
        of_back, won_back, lost_back = ours[2][back]
        points = self._regardless + of_front + of_middle + of_back
        if carried and carried[-1].row == BROKEN:
            points += self._playing * sum(bonus.points for bonus in carried if bonus.row == BROKEN)
        if self._ruleset.majority_bonus:
            most = _in_two(won_front, won_middle, won_back).bit_count()
            least = _in_two(lost_front, lost_middle, lost_back).bit_count()
            points += self._ruleset.majority_bonus * (most - least)
        swept, lost = won_front & won_middle & won_back, lost_front & lost_middle & lost_back
        return points + self._points_of_sweeps(swept, lost, carried) if swept or lost else points

    def _rows_carrying(self, carried: Bonuses) -> Sequence["_Row"]:
        """The rows as they count for a hand: where bonuses are limited, not every row has the one of its category."""
        if self._ruleset.bonus_limit is None:
            return self._rows
        rows = [bonus.row for bonus in carried]
        return [(self._rows if row in rows else self._rows_without_bonus)[row] for row in range(len(ROWS))]

    def _points_of_sweeps(self, swept: Bits, lost: Bits, carried: Bonuses) -> int:
        sweeps = self._sweeps.get(carried)
        if sweeps is None:
            sweeps = self._sweeps[carried] = self._worth_of_sweeps(carried)
        points = 0
        for opponents, worth in sweeps.won:
            points += (swept & opponents).bit_count() * worth
        for opponents, worth in sweeps.lost:
            points += (lost & opponents).bit_count() * worth
        whole_tables = self._whole_tables(swept) if sweeps.super else 0
        for opponents, worth in sweeps.super:
            points += (whole_tables & opponents).bit_count() * worth
        for opponents, worth in sweeps.lost_to_super:
            points += (lost & self._sweepers & opponents).bit_count() * worth
        return points

    def _whole_tables(self, opponents: Bits) -> Bits:
        """Those of some opponents whose whole table is among them."""
        seats = self.tables
        first = opponents & opponents >> seats & opponents >> 2 * seats
        return first | first << seats | first << 2 * seats

    def _worth_of_sweeps(self, carried: Bonuses) -> _Sweeps:
        played = outcome_tables(self._ruleset).played
        by_super = outcome_tables(self._ruleset).super if self._ruleset.super_multiplier is not None else played

        def beyond(outcomes: Sequence[Outcome], results: int, theirs: Bonuses) -> int:
            return self._beyond_rows(outcomes[results], results, carried, theirs)

        return _Sweeps(
            won=self._by_worth(lambda theirs: beyond(played, ALL_WON, theirs)),
            super=self._by_worth(lambda theirs: beyond(by_super, ALL_WON, theirs) - beyond(played, ALL_WON, theirs)),
            lost=self._by_worth(lambda theirs: beyond(played, ALL_LOST, theirs)),
            lost_to_super=self._by_worth(
                lambda theirs: beyond(by_super, ALL_LOST, theirs) - beyond(played, ALL_LOST, theirs)
            ),
        )

    def _beyond_rows(self, outcome: Outcome, results: int, ours: Bonuses, theirs: Bonuses) -> int:
        """What a sweep with this outcome brings beyond its three rows and its majority."""
        rows = (len(ROWS) * self._ruleset.row_points + self._ruleset.majority_bonus) * (1 if results == ALL_WON else -1)
        multiplied = _bonus(ours, theirs, results, outcome.multiplier, self._ruleset)
        return outcome.points - rows + multiplied - _bonus(ours, theirs, results, 1, self._ruleset)

    def _by_worth(self, worth: Callable[[Bonuses], int]) -> list[tuple[Bits, int]]:
        """The opponents by the points that their bonuses make something worth; without those of whom it is nothing."""
        opponents_of: dict[int, Bits] = {}
        for theirs, opponents in self._by_bonuses.items():
            points = worth(theirs)
            opponents_of[points] = opponents_of.get(points, 0) | opponents
        return [(opponents, points) for points, opponents in opponents_of.items() if points]


class _Row(dict[int, RowWorth]):
    """The worth of a row by its strength, found when it is first asked for; `bonuses` are those of its categories that
    the player collects, () for none."""

    def __init__(
        self, row: int, opponents: Sequence[tuple[Bits, Standing]], bonuses: Sequence[int], ruleset: Ruleset
    ) -> None:
        self._row, self._bonuses, self._ruleset = row, bonuses, ruleset
        rising = sorted([(decisive(opponent[1:4][row]), bit, opponent[4]) for bit, opponent in opponents])
        self._strengths = [strength for strength, _, _ in rising]
        self._weakest = list(accumulate([bit for _, bit, _ in rising], int.__or__, initial=0))
        self._strongest = [self._weakest[-1] ^ weakest for weakest in self._weakest]
        self._theirs = [tuple(bonus for bonus in carried if bonus.row == row) for _, _, carried in rising]
        self._sums: dict[int, list[list[int]]] = {}

    def __missing__(self, strength: int) -> RowWorth:
        compared = decisive(strength)
        beaten, at_most = bisect_left(self._strengths, compared), bisect_right(self._strengths, compared)
        won, tied, lost = self._bonus_sums(strength >> CATEGORY_SHIFT)
        bonus = won[beaten] + tied[at_most] - tied[beaten] + lost[-1] - lost[at_most]
        points = self._ruleset.row_points * (beaten + at_most - len(self._strengths)) + bonus
        self[strength] = RowWorth(points, self._weakest[beaten], self._strongest[at_most])
        return self[strength]

    def _bonus_sums(self, category: int) -> list[list[int]]:
        """What the row's bonuses bring, ours less theirs, if it is won, tied or lost: by how many of the weakest
        opponents this is summed over."""
        points = self._bonuses[category] if self._bonuses else 0
        if points not in self._sums:
            ours = (HandBonus(self._row, category, points),) if points else ()
            self._sums[points] = [self._summed(ours, results) for results in (ALL_WON, ALL_TIED, ALL_LOST)]
        return self._sums[points]

    def _summed(self, ours: Bonuses, results: int) -> list[int]:
        each = [_bonus(ours, theirs, results, 1, self._ruleset) for theirs in self._theirs]
        return list(accumulate(each, initial=0))


def decisive(strength: int) -> int:
    """The strength of a row as far as it can matter in one deck: only one player can hold three cards of a rank."""
    category = strength >> CATEGORY_SHIFT
    return category << CATEGORY_SHIFT | leading_rank(strength) if category in _THREE_OF_A_RANK else strength


def _bonus(ours: Bonuses, theirs: Bonuses, results: int, multiplier: int, ruleset: Ruleset) -> int:
    """What our bonuses bring less theirs."""
    paid = paid_bonuses(ours, theirs, RESULTS[results], multiplier, bonus_tables(ruleset)) if ours or theirs else ()
    return sum(bonus.points if to_us else -bonus.points for to_us, bonus in paid)


def _points_regardless(opponent: Standing, ruleset: Ruleset) -> int:
    """What an opponent brings whatever is laid against him, because of a natural or of bonuses that he holds broken."""
    if opponent[0] == PLAYED:
        return _bonus((), tuple(bonus for bonus in opponent[4] if bonus.row == BROKEN), ALL_TIED, 1, ruleset)
    results, _ = score_pairs((_NOBODY, opponent), ruleset)
    return results[0][3]


def _sweeps_the_others(opponent: Standing, table: Sequence[Standing], ruleset: Ruleset) -> bool:
    pairs = (score_pairs((opponent, other), ruleset)[0][0] for other in table if other is not opponent)
    return all(results == ALL_WON for results, _, _, _ in pairs)


def _grouped(opponents: Sequence[tuple[Bits, Standing]], by_bonuses: bool) -> dict[Bonuses, Bits]:
    """Who carries which bonuses; all together where the same sweep brings the same against everybody."""
    groups: dict[Bonuses, Bits] = {}
    for bit, opponent in opponents:
        carried = opponent[4] if by_bonuses else ()
        groups[carried] = groups.get(carried, 0) | bit
    return groups


def _in_two(one: Bits, other: Bits, third: Bits) -> Bits:
    """Who is in at least two of three sets."""
    return one & other | third & (one | other)
