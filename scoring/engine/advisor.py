"""The best layouts of thirteen cards, against typical hands or against those on the table."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.engine.bonuses import bonus_tables, hand_bonuses
from scoring.engine.cards import Card
from scoring.engine.errors import ScoringError, gettext_noop
from scoring.engine.hand_input import PLAYED, HandInput, Standing, hand_reader
from scoring.engine.hands import CATEGORIES, CATEGORY_SHIFT
from scoring.engine.layouts import (
    HAND_SIZE,
    Candidate,
    Row,
    Strengths,
    all_strengths,
    best_candidates,
    every_candidate,
    rows_of,
)
from scoring.engine.opposition import Bonuses, Opposition
from scoring.engine.outcomes import ALL_WON, RESULTS, outcome_tables
from scoring.engine.pairs import score_pairs
from scoring.engine.rules import BONUS_ROWS, ROWS, Ruleset
from scoring.engine.typical import typical_opposition

_NOT_A_HAND = gettext_noop("expected 13 different cards, not %(count)d")
_TOLD = gettext_noop("a layout can only be compared with rows whose cards are known")

_QUADS = CATEGORIES.index("four_of_a_kind")


class Layout(NamedTuple):
    """Thirteen cards laid legally, each row from its highest card down, and the points that this is worth: against
    typical hands on average, against known ones exactly."""

    front: Row
    middle: Row
    back: Row
    value: float

    @property
    def cards(self) -> Row:
        """All thirteen, in the order of the rows."""
        return self.front + self.middle + self.back


def suggest(cards: Sequence[Card], ruleset: Ruleset, count: int = 5) -> tuple[Layout, ...]:
    """The best legal layouts of thirteen cards under a ruleset, the best first; at least one, and as many as asked for
    where there are so many to choose from.

    Their value is what they bring in a round of four, on average, at the typical tables (see `typical`): exactly the
    points of RULES 6, with every bonus declared where that is asked for. Only layouts that no other one beats are
    given: another that is at least as strong in every row, stronger in one and worth no less. Of layouts that are
    equally strong in every row one stands for all. A natural is not looked for; `detect_natural` says whether the cards
    hold one, and these layouts are for who plays on. Raises ScoringError unless the cards are thirteen different ones.
    """
    return best_layouts(cards, typical_opposition(ruleset), ruleset, count)


def best_layouts(cards: Sequence[Card], opposition: Opposition, ruleset: Ruleset, count: int = 5) -> tuple[Layout, ...]:
    """`suggest` against any given tables, made ready for the same ruleset."""
    hand = _sorted_hand(cards)
    valued = [(opposition.total(*option[:3], carried), option) for option, carried in _options(hand, ruleset)]
    # From the most valuable down, and of equal value from the strongest, whatever beats a layout comes before it.
    best: list[tuple[int, Candidate]] = []
    for points, option in sorted(valued, reverse=True):
        if not any(_is_as_strong(better, option) for _, better in best):
            best.append((points, option))
            if len(best) == count:
                break
    return tuple([Layout(*rows_of(option, hand), points / opposition.tables) for points, option in best])


def best_against(cards: Sequence[Card], opponents: Sequence[HandInput], ruleset: Ruleset) -> Layout:
    """The legal layout that brings most points against the one to three hands that are on the table; its value are
    these points.

    Whatever the others have is counted as in the round: PAO, a natural, a surrender, a super on either side. The cards
    are taken as played on, with every bonus declared; a natural that they hold is for the caller to compare. Of equally
    good layouts it is the one that `suggest` values most. Raises ScoringError unless the cards are thirteen different
    ones, or where an opponent's rows are only told, and RoundError for a hand that cannot be scored.
    """
    hand = _sorted_hand(cards)
    if any(opponent.told for opponent in opponents):
        raise ScoringError(_TOLD)
    standings = list(map(hand_reader(ruleset), opponents))
    valued = [
        (_points_against(standings, (PLAYED, *option[:3], carried, hand, None), ruleset), option, carried)
        for option, carried in _options(hand, ruleset)
    ]
    most = max(points for points, _, _ in valued)
    typical = typical_opposition(ruleset)
    equals = [(typical.total(*option[:3], carried), option) for points, option, carried in valued if points == most]
    return Layout(*rows_of(max(equals)[1], hand), most)


def _points_against(opponents: Sequence[Standing], ours: Standing, ruleset: Ruleset) -> int:
    pairs, _ = score_pairs((ours, *opponents), ruleset)
    return sum(points for _, _, _, points in pairs[: len(opponents)])


def _sorted_hand(cards: Sequence[Card]) -> Row:
    hand = tuple(sorted(set(cards), reverse=True))
    if len(hand) != HAND_SIZE or len(cards) != HAND_SIZE:
        raise ScoringError(_NOT_A_HAND, count=len(hand))
    return hand


def _options(hand: Row, ruleset: Ruleset) -> list[tuple[Candidate, Bonuses]]:
    """The layouts that can be the best in some respect, and the bonuses that they carry: where these must be declared,
    all that there are."""
    strengths, tables = all_strengths(hand, ruleset), bonus_tables(ruleset)
    least_front, least_middle, least_back = tables.least
    candidates = best_candidates if _stronger_is_better(strengths, ruleset) else every_candidate
    options: list[tuple[Candidate, Bonuses]] = []
    for option in candidates(strengths):
        front, middle, back = option[:3]
        has_bonus = front >= least_front or middle >= least_middle or back >= least_back
        carried = hand_bonuses(front, middle, back, hand, ROWS, tables) if has_bonus else ()
        options.append((option, carried))
    return options


def _is_as_strong(one: Candidate, other: Candidate) -> bool:
    return one.front >= other.front and one.middle >= other.middle and one.back >= other.back


def _stronger_is_better(strengths: Strengths, ruleset: Ruleset) -> bool:
    strongest = max(strengths.fives) >> CATEGORY_SHIFT
    return _rises_with_strength(ruleset, max(strengths.threes) >> CATEGORY_SHIFT, strongest)


@lru_cache(maxsize=1024)
def _rises_with_strength(ruleset: Ruleset, best_front: int, best_five: int) -> bool:
    """Whether a layout that is at least as strong in every row never brings less, given the highest categories that
    the cards allow. Nearly always; but unusual rules can pay less for more: a bonus below that of a weaker row or below
    the row's point that it replaces, one that grows by being swept, one of several, or one for what is not laid."""
    if ruleset.bonus_broken and best_five >= _QUADS:
        return False
    bonuses = [
        _reachable_bonuses(row, best, ruleset)
        for row, best in zip(ROWS, (best_front, best_five, best_five), strict=True)
    ]
    if ruleset.bonus_limit is not None and sum(map(any, bonuses)) > ruleset.bonus_limit:
        return False
    least = bonus_tables(ruleset).given_up
    return _outcomes_rise(ruleset) and all(
        points == sorted(points) and all(amount >= least for amount in points if amount) for points in bonuses
    )


def _reachable_bonuses(row: str, best: int, ruleset: Ruleset) -> list[int]:
    """The bonuses of the categories that the row can have, up to the best of these cards."""
    points = bonus_tables(ruleset).points[ROWS.index(row)]
    categories = [CATEGORIES.index(category) for category in BONUS_ROWS[row]]
    return [points[category] for category in categories if category <= best]


def _outcomes_rise(ruleset: Ruleset) -> bool:
    """Whether winning one row more never brings less."""
    multipliers = [1, ruleset.tembus_multiplier]
    played, by_super = outcome_tables(ruleset).played, outcome_tables(ruleset).super
    if ruleset.super_multiplier is not None:
        multipliers.append(ruleset.super_multiplier)
        if by_super[ALL_WON].points < played[ALL_WON].points:
            return False
    if ruleset.bonus_multiplied and (multipliers != sorted(multipliers) or ruleset.bonus_rule == "difference"):
        return False
    return all(
        played[results].points <= played[results + step].points
        for results in range(len(played))
        for step, result in zip((9, 3, 1), RESULTS[results], strict=False)
        if result < 1
    )
