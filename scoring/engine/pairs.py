"""Two hands against each other: every pair of a round, with its super and its bonuses (RULES 5 and 6)."""

from collections.abc import Sequence
from itertools import combinations

from scoring.engine.bonuses import HandBonus, bonus_tables, paid_bonuses
from scoring.engine.errors import gettext_noop
from scoring.engine.hand_input import NATURAL, PAO, PLAYED, SURRENDERED, HandInput, RoundError, Standing
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

_COMPARED_NATURALS = ("six_pairs", "three_flushes", "three_straights")
_CARDS_NEEDED = gettext_noop("the cards are needed: %(other)s has %(natural)s too, and the two are compared")


def score_pairs(
    hands: Sequence[HandInput], standings: Sequence[Standing], ruleset: Ruleset
) -> tuple[list[PairResult], list[bool]]:
    """Every pair in table order, and who has a super."""
    compared = _compare_rows(standings)
    supers = _supers(compared, len(standings), ruleset)
    outcomes = _outcomes(hands, standings, compared, supers, ruleset)
    scored: list[PairResult] = []
    for (one, other), results, outcome in zip(combinations(standings, 2), compared, outcomes, strict=True):
        if one.bonuses or other.bonuses:
            scored.append(_with_bonuses(one, other, results, outcome, ruleset))
        else:
            scored.append((results, outcome, (), outcome.points))
    return scored, supers


def _compare_rows(standings: Sequence[Standing]) -> list[int | None]:
    """For each pair the results of its rows; None where rows are not compared. A PAO hand loses all of them."""
    compared: list[int | None] = []
    for one, other in combinations(standings, 2):
        status, front, middle, back, _, _, _ = one
        other_status, other_front, other_middle, other_back, _, _, _ = other
        results = ALL_TIED
        if status or other_status:
            compared.append(results + 13 * (other_status - status) if max(status, other_status) == PAO else None)
            continue
        if front != other_front:
            results += 9 if front > other_front else -9
        if middle != other_middle:
            results += 3 if middle > other_middle else -3
        if back != other_back:
            results += 1 if back > other_back else -1
        compared.append(results)
    return compared


def _supers(compared: Sequence[int | None], players: int, ruleset: Ruleset) -> list[bool]:
    """Who swept every opponent in a round that is large enough for a super."""
    if ruleset.super_multiplier is None or players < (ruleset.super_players or 0):
        return [False] * players
    swept = [0] * players
    for (first, second), results in zip(PAIRS[players], compared, strict=True):
        if results == ALL_WON:
            swept[first] += 1
        elif results == ALL_LOST:
            swept[second] += 1
    return [count == players - 1 for count in swept]


def _outcomes(
    hands: Sequence[HandInput],
    standings: Sequence[Standing],
    compared: Sequence[int | None],
    supers: Sequence[bool],
    ruleset: Ruleset,
) -> list[Outcome]:
    """The outcome of every pair, bonuses apart."""
    tables = outcome_tables(ruleset)
    if True not in supers and not max([standing.status for standing in standings]):
        played = tables.played
        return [played[results] for results in compared if results is not None]
    outcomes = []
    for (first, second), results in zip(PAIRS[len(hands)], compared, strict=True):
        one, other = standings[first], standings[second]
        if results is None:
            outcomes.append(_unplayed(one, other, hands[first], hands[second], ruleset))
        else:
            has_super = (supers[first] and results == ALL_WON) or (supers[second] and results == ALL_LOST)
            outcomes.append(_played(one, other, results, has_super, tables))
    return outcomes


def _with_bonuses(
    one: Standing, other: Standing, results: int | None, outcome: Outcome, ruleset: Ruleset
) -> PairResult:
    if results is None:
        return results, outcome, (), outcome.points
    paid = paid_bonuses(one.bonuses, other.bonuses, RESULTS[results], outcome.multiplier, bonus_tables(ruleset))
    bonus = sum([bonus.points if to_first else -bonus.points for to_first, bonus in paid])
    return results, outcome, paid, outcome.points + bonus


def _played(one: Standing, other: Standing, results: int, has_super: bool, tables: OutcomeTables) -> Outcome:
    if one.status == PLAYED == other.status:
        return (tables.super if has_super else tables.played)[results]
    if results == ALL_TIED:
        return BOTH_PAO
    return (tables.super_over_pao if has_super else tables.pao)[results]


def _unplayed(one: Standing, other: Standing, hand: HandInput, other_hand: HandInput, ruleset: Ruleset) -> Outcome:
    if NATURAL in (one.status, other.status):
        return unplayed("natural", _natural_points(one, other, hand, other_hand, ruleset))
    return unplayed("surrender", _surrender_points(one, other, ruleset))


def _natural_points(one: Standing, other: Standing, hand: HandInput, other_hand: HandInput, ruleset: Ruleset) -> int:
    names = [natural.name for natural in ruleset.naturals]
    places = [names.index(side.natural) if side.natural else len(names) for side in (one, other)]
    if places[0] == places[1]:
        sign = _compare_naturals(one, other, hand, other_hand, ruleset)
    else:
        sign = 1 if places[0] < places[1] else -1
    return sign * ruleset.naturals[min(places)].points


def _compare_naturals(one: Standing, other: Standing, hand: HandInput, other_hand: HandInput, ruleset: Ruleset) -> int:
    """The same natural on both sides: 1, 0 or -1. Raises RoundError where cards are needed for that and missing."""
    name = one.natural
    if name is None or name not in _COMPARED_NATURALS:
        return 0
    for side, mine, opponent in ((one, hand, other_hand), (other, other_hand, hand)):
        if not side.cards:
            raise RoundError(mine.who, "cards", _CARDS_NEEDED, other=opponent.who, natural=name)
    return compare_same_natural(name, one.cards, other.cards, ruleset)


def _surrender_points(one: Standing, other: Standing, ruleset: Ruleset) -> int:
    """A surrender pays whoever plays a legal hand, and nobody else."""
    points = ruleset.surrender_points or 0
    if PLAYED not in (one.status, other.status):
        return 0
    return -points if one.status == SURRENDERED else points
