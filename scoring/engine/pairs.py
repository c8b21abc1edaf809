"""Two hands against each other: rows, multiplier, extras and bonuses of every pair of a round (RULES 5 and 6)."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from scoring.engine.bonuses import HandBonus, bonus_tables, paid_bonuses
from scoring.engine.errors import gettext_noop
from scoring.engine.hand_input import NATURAL, PAO, PLAYED, SURRENDERED, HandInput, RoundError, Standing
from scoring.engine.naturals import compare_same_natural
from scoring.engine.rules import Ruleset

# The results of three rows as one number: 9 × front + 3 × middle + back, each -1, 0 or 1, moved up by 13.
RESULTS: tuple[tuple[int, int, int, int], ...] = tuple(
    (front, middle, back, 0) for front, middle, back in product((-1, 0, 1), repeat=3)
)
"""By that number the result of front, middle and back, and a 0 in the place of a broken bonus."""

ALL_LOST: Final = 0
ALL_TIED: Final = 13
ALL_WON: Final = 26

_PAIRS = {count: tuple(combinations(range(count), 2)) for count in (2, 3, 4)}
_COMPARED_NATURALS = ("six_pairs", "three_flushes", "three_straights")
_CARDS_NEEDED = gettext_noop("the cards are needed: %(other)s has %(natural)s too, and the two are compared")


class Outcome(NamedTuple):
    """What a pair's rows, or a natural or surrender in their place, are worth to the first of the two players."""

    row_points: int
    multiplier: int
    cause: str | None
    """Why rows are multiplied or do not count: tembus, super, pao, both_pao, natural, surrender."""
    extras: tuple[tuple[str, int], ...]
    extra: int
    points: int
    """row_points × multiplier + extra: everything but the bonuses."""


class OutcomeTables(NamedTuple):
    """The outcomes by the number of the results, for a pair that plays on and for one with a PAO hand in it, each
    without and with a super of the winner."""

    played: tuple[Outcome, ...]
    super: tuple[Outcome, ...]
    pao: tuple[Outcome, ...]
    super_over_pao: tuple[Outcome, ...]


class PairResult(NamedTuple):
    """A pair by its places at the table; `results` is a number as in RESULTS, None where no rows are compared.
    `bonuses` say whether they go to the first; `points` are the first player's, bonuses included."""

    first: int
    second: int
    results: int | None
    outcome: Outcome
    bonuses: Sequence[tuple[bool, HandBonus]]
    points: int


@lru_cache(maxsize=256)
def outcome_tables(ruleset: Ruleset) -> OutcomeTables:
    """Everything that rows can come to under a ruleset, bonuses apart."""
    by_super = ruleset.super_multiplier or 0
    by_pao = ruleset.pao_multiplier

    def table(multiplier: int, cause: str) -> tuple[Outcome, ...]:
        return tuple(_outcome(results[:3], multiplier, cause, ruleset) for results in RESULTS)

    return OutcomeTables(
        played=table(ruleset.tembus_multiplier, "tembus"),
        super=table(by_super, "super"),
        pao=table(by_pao, "pao"),
        super_over_pao=table(by_super, "super") if by_super > by_pao else table(by_pao, "pao"),
    )


def _outcome(results: Sequence[int], sweep_multiplier: int, cause: str, ruleset: Ruleset) -> Outcome:
    won, lost = results.count(1), results.count(-1)
    sign = 1 if won > lost else -1
    is_sweep = max(won, lost) == 3
    extras = []
    if is_sweep and ruleset.tembus_bonus:
        extras.append(("tembus_bonus", sign * ruleset.tembus_bonus))
    if max(won, lost) >= 2 and ruleset.majority_bonus:
        extras.append(("majority_bonus", sign * ruleset.majority_bonus))
    multiplier = sweep_multiplier if is_sweep else 1
    return _with_sum((won - lost) * ruleset.row_points, multiplier, cause if is_sweep else None, tuple(extras))


def _with_sum(row_points: int, multiplier: int, cause: str | None, extras: tuple[tuple[str, int], ...]) -> Outcome:
    extra = sum(points for _, points in extras)
    return Outcome(row_points, multiplier, cause, extras, extra, row_points * multiplier + extra)


_BOTH_PAO = _with_sum(0, 1, "both_pao", ())


def score_pairs(
    hands: Sequence[HandInput], standings: Sequence[Standing], ruleset: Ruleset
) -> tuple[list[PairResult], list[bool]]:
    """Every pair in table order, and who has a super."""
    pairs = _PAIRS[len(standings)]
    compared = [_compare(standings[first], standings[second]) for first, second in pairs]
    supers = _supers(compared, len(standings), ruleset)
    outcomes, bonuses = outcome_tables(ruleset), bonus_tables(ruleset)
    scored = []
    for (first, second), results in zip(pairs, compared, strict=True):
        one, other = standings[first], standings[second]
        if results is None:
            outcome = _unplayed(one, other, hands[first], hands[second], ruleset)
        else:
            has_super = (supers[first] and results == ALL_WON) or (supers[second] and results == ALL_LOST)
            outcome = _played(one, other, results, has_super, outcomes)
        paid: Sequence[tuple[bool, HandBonus]] = ()
        points = outcome.points
        if results is not None and (one.bonuses or other.bonuses):
            paid = paid_bonuses(one.bonuses, other.bonuses, RESULTS[results], outcome.multiplier, bonuses)
            points += sum(bonus.points if to_first else -bonus.points for to_first, bonus in paid)
        scored.append(PairResult(first, second, results, outcome, paid, points))
    return scored, supers


def _compare(one: Standing, other: Standing) -> int | None:
    """The results of the three rows; None where rows are not compared. A PAO hand loses all of them."""
    if one.status > PAO or other.status > PAO:
        return None
    if one.status or other.status:
        return ALL_TIED + 13 * (one.status - other.status) * -1
    results = ALL_TIED
    if one.front != other.front:
        results += 9 if one.front > other.front else -9
    if one.middle != other.middle:
        results += 3 if one.middle > other.middle else -3
    if one.back != other.back:
        results += 1 if one.back > other.back else -1
    return results


def _supers(compared: Sequence[int | None], players: int, ruleset: Ruleset) -> list[bool]:
    """Who swept every opponent in a round that is large enough for a super."""
    if ruleset.super_multiplier is None or players < (ruleset.super_players or 0):
        return [False] * players
    swept = [0] * players
    for (first, second), results in zip(_PAIRS[players], compared, strict=True):
        if results == ALL_WON:
            swept[first] += 1
        elif results == ALL_LOST:
            swept[second] += 1
    return [count == players - 1 for count in swept]


def _played(one: Standing, other: Standing, results: int, has_super: bool, outcomes: OutcomeTables) -> Outcome:
    if one.status == PLAYED == other.status:
        return (outcomes.super if has_super else outcomes.played)[results]
    if results == ALL_TIED:
        return _BOTH_PAO
    return (outcomes.super_over_pao if has_super else outcomes.pao)[results]


def _unplayed(one: Standing, other: Standing, hand: HandInput, other_hand: HandInput, ruleset: Ruleset) -> Outcome:
    """The outcome of a pair in which a natural or a surrender takes the place of the rows."""
    if NATURAL in (one.status, other.status):
        points, kind = _natural_points(one, other, hand, other_hand, ruleset), "natural"
    else:
        points, kind = _surrender_points(one, other, ruleset), "surrender"
    return _with_sum(0, 1, kind, ((kind, points),) if points else ())


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
