"""Two hands against each other: every pair of a round, with its super and its bonuses (RULES 5 and 6)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from scoring.engine.bonuses import HandBonus, bonus_tables, paid_bonuses
from scoring.engine.hand_input import NATURAL, PAO, PLAYED, SURRENDERED, Standing
from scoring.engine.naturals import compare_same_natural
from scoring.engine.outcomes import (
    ALL_LOST,
    ALL_TIED,
    ALL_WON,
    BOTH_PAO,
    RESULTS,
    Outcome,
    OutcomeTables,
    outcome_tables,
    unplayed,
)
from scoring.engine.rules import Ruleset

PairResult = tuple[int | None, Outcome, Sequence[tuple[bool, HandBonus]], int]
"""A scored pair: its results as a number of RESULTS (None where no rows are compared), its outcome, its bonuses (each
as whether it goes to the first player), and all points of the first player."""

PAIRS = {players: tuple(combinations(range(players), 2)) for players in (2, 3, 4)}
"""The pairs of a round of so many players, in table order."""

# What each player has from his pairs, by the number of pairs. Written out: three times as fast as a loop over them.
_TOTALS: Mapping[int, Callable[..., tuple[int, ...]]] = {
    1: lambda ab: (ab, -ab),
    3: lambda ab, ac, bc: (ab + ac, bc - ab, -ac - bc),
    6: lambda ab, ac, ad, bc, bd, cd: (ab + ac + ad, bc + bd - ab, cd - ac - bc, -ad - bd - cd),
}


def player_totals(amounts: Sequence[int]) -> tuple[int, ...]:
    """Amounts of pairs in table order, each the first player's, summed for every player. They sum to zero."""
    return _TOTALS[len(amounts)](*amounts)


def score_pairs(standings: Sequence[Standing], ruleset: Ruleset) -> tuple[list[PairResult], list[bool]]:
    """Every pair in table order, and who has a super."""
    tables = outcome_tables(ruleset)
    played = tables.played
    scored: list[PairResult] = []
    for place, one in enumerate(standings, 1):
        status, front, middle, back, bonuses, _, _, _ = one
        for other in standings[place:]:
            other_status, other_front, other_middle, other_back, other_bonuses, _, _, _ = other
            if status or other_status:
                scored.append(_special_pair(one, other, tables, ruleset))
                continue
            results = ALL_TIED
            if front != other_front:
                results += 9 if front > other_front else -9
            if middle != other_middle:
                results += 3 if middle > other_middle else -3
            if back != other_back:
                results += 1 if back > other_back else -1
            outcome = played[results]
            if bonuses or other_bonuses:
                scored.append(_with_bonuses(results, outcome, one, other, ruleset))
            else:
                scored.append((results, outcome, (), outcome.points))
    supers = _supers(scored, len(standings), ruleset)
    if True in supers:
        _apply_supers(scored, standings, supers, ruleset)
    return scored, supers


def _special_pair(one: Standing, other: Standing, tables: OutcomeTables, ruleset: Ruleset) -> PairResult:
    """A pair in which at least one hand is not compared: PAO, natural or surrendered."""
    if one[0] > PAO or other[0] > PAO:
        outcome = _unplayed(one, other, ruleset)
        return None, outcome, (), outcome.points
    results = ALL_TIED + 13 * (other[0] - one[0])  # a PAO hand loses all three rows
    outcome = BOTH_PAO if results == ALL_TIED else tables.pao[results]
    return _with_bonuses(results, outcome, one, other, ruleset)


def _with_bonuses(results: int, outcome: Outcome, one: Standing, other: Standing, ruleset: Ruleset) -> PairResult:
    if not (one[4] or other[4]):
        return results, outcome, (), outcome.points
    paid = paid_bonuses(one[4], other[4], RESULTS[results], outcome.multiplier, bonus_tables(ruleset))
    bonus = sum([bonus.points if to_first else -bonus.points for to_first, bonus in paid])
    return results, outcome, paid, outcome.points + bonus


def _supers(scored: Sequence[PairResult], players: int, ruleset: Ruleset) -> list[bool]:
    """Who swept every opponent in a round that is large enough for a super; a PAO hand counts as swept."""
    if ruleset.super_multiplier is None or players < (ruleset.super_players or 0):
        return [False] * players
    results = [pair[0] for pair in scored]
    if results.count(ALL_WON) + results.count(ALL_LOST) < players - 1:
        return [False] * players
    swept = [0] * players
    for (first, second), result in zip(PAIRS[players], results, strict=True):
        if result == ALL_WON:
            swept[first] += 1
        elif result == ALL_LOST:
            swept[second] += 1
    return [count == players - 1 for count in swept]


def _apply_supers(
    scored: list[PairResult], standings: Sequence[Standing], supers: Sequence[bool], ruleset: Ruleset
) -> None:
    """Score the pairs of whoever has a super anew, by the super's multiplier."""
    tables = outcome_tables(ruleset)
    for place, (first, second) in enumerate(PAIRS[len(standings)]):
        results = scored[place][0]
        if results is not None and (supers[first] or supers[second]):
            one, other = standings[first], standings[second]
            outcomes = tables.super if one[0] == other[0] == PLAYED else tables.super_over_pao
            scored[place] = _with_bonuses(results, outcomes[results], one, other, ruleset)


def _unplayed(one: Standing, other: Standing, ruleset: Ruleset) -> Outcome:
    if NATURAL in (one[0], other[0]):
        return unplayed("natural", _natural_points(one, other, ruleset))
    return unplayed("surrender", _surrender_points(one[0], other[0], ruleset))


def _natural_points(one: Standing, other: Standing, ruleset: Ruleset) -> int:
    """The stronger natural takes its own points; equals are compared where RULES 5 compares them."""
    names = [natural.name for natural in ruleset.naturals]
    place, other_place = (len(names) if side[6] is None else names.index(side[6]) for side in (one, other))
    if place != other_place:
        return ruleset.naturals[min(place, other_place)].points * (1 if place < other_place else -1)
    return ruleset.naturals[place].points * compare_same_natural(names[place], one[5], other[5], ruleset)


def _surrender_points(status: int, other_status: int, ruleset: Ruleset) -> int:
    """A surrender pays whoever plays a legal hand, and nobody else."""
    if PLAYED not in (status, other_status):
        return 0
    return (ruleset.surrender_points or 0) * (-1 if status == SURRENDERED else 1)
