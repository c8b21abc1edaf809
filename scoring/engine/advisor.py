"""The best layouts of thirteen cards, against typical hands or against those on the table."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.engine.bonuses import bonus_tables, hand_bonuses
from scoring.engine.cards import Card
from scoring.engine.errors import ScoringError, gettext_noop
from scoring.engine.hand_input import PLAYED, HandInput, Standing, hand_reader
from scoring.engine.hands import CATEGORIES, CATEGORY_SHIFT
from scoring.engine.layouts import (
    HAND_SIZE,
    NOT_THIS,
    Candidate,
    Row,
    Strengths,
    all_strengths,
    best_candidates,
    every_candidate,
    rows_of,
)
from scoring.engine.opposition import Bonuses, Opposition, decisive
from scoring.engine.outcomes import ALL_WON, RESULTS, outcome_tables
from scoring.engine.pairs import score_pairs
from scoring.engine.rules import BONUS_ROWS, ROWS, Ruleset
from scoring.engine.typical import typical_opposition

_NOT_A_HAND = gettext_noop("expected 13 different cards, not %(count)d")
_TOLD = gettext_noop("a layout can only be compared with rows whose cards are known")

_QUADS = CATEGORIES.index("four_of_a_kind")
_LEAST_QUADS = _QUADS << CATEGORY_SHIFT


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
        if len(best) == count:
            break
        if not any(_is_as_strong(better, option) for _, better in best):
            best.append((points, option))
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
        (_points_against(standings, (PLAYED, *option[:3], carried, hand, None, 0), ruleset), option, carried)
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
    of_front, of_middle, of_back = tables.points
    may_be_broken = tables.is_broken and max(strengths.fives) >= _LEAST_QUADS
    options: list[tuple[Candidate, Bonuses]] = []
    for option in _candidates(strengths, ruleset):
        front, middle, back = option[:3]
        has_bonus = (
            of_front[front >> CATEGORY_SHIFT] or of_middle[middle >> CATEGORY_SHIFT] or of_back[back >> CATEGORY_SHIFT]
        )
        carries = has_bonus or may_be_broken
        options.append((option, hand_bonuses(front, middle, back, hand, ROWS, tables) if carries else ()))
    return options


def _is_as_strong(one: Candidate, other: Candidate) -> bool:
    return one.front >= other.front and one.middle >= other.middle and one.back >= other.back


def _candidates(strengths: Strengths, ruleset: Ruleset) -> list[Candidate]:
    """All legal layouts but those that are worth no more than another one under these rules."""
    fives, threes = strengths
    if not _winning_more_pays(ruleset):
        return every_candidate(strengths)
    if _bonuses_rise(ruleset, max(threes) >> CATEGORY_SHIFT, max(fives) >> CATEGORY_SHIFT):
        return best_candidates(fives, fives, threes)
    # Where a stronger row can have the lesser bonus, only layouts with the same bonuses are compared.
    fronts, middles, backs = (_by_bonus(row, of_row, ruleset) for row, of_row in enumerate((threes, fives, fives)))
    return [candidate for rows in product(backs, middles, fronts) for candidate in best_candidates(*rows)]


def _by_bonus(row: int, strengths: Sequence[int], ruleset: Ruleset) -> list[list[int]]:
    """The strengths of a row parted by what they mean for the bonuses of the hand, NOT_THIS in the place of others."""
    points = bonus_tables(ruleset).points[row]
    kinds = [(points[strength >> CATEGORY_SHIFT], _unbroken(strength, ruleset)) for strength in strengths]
    return [
        [strength if kind == this else NOT_THIS for strength, kind in zip(strengths, kinds, strict=True)]
        for this in sorted(set(kinds))
    ]


def _unbroken(strength: int, ruleset: Ruleset) -> int:
    """What a row leaves unbroken that would bring a bonus if it were broken: the category and rank of a four of a kind
    or a straight flush, else 0."""
    return decisive(strength) if ruleset.bonus_broken and strength >= _LEAST_QUADS else 0


@lru_cache(maxsize=256)
def _winning_more_pays(ruleset: Ruleset) -> bool:
    """Whether a hand with given bonuses never brings less by winning a row more. It can under unusual rules: a sweep
    that is worth less than two rows, a bonus below the point that it replaces, one that grows by being swept."""
    multipliers = [1, ruleset.tembus_multiplier]
    played, by_super = outcome_tables(ruleset).played, outcome_tables(ruleset).super
    if ruleset.super_multiplier is not None:
        multipliers.append(ruleset.super_multiplier)
        if by_super[ALL_WON].points < played[ALL_WON].points:
            return False
    if ruleset.bonus_multiplied and (multipliers != sorted(multipliers) or ruleset.bonus_rule == "difference"):
        return False
    if any(bonus.points < bonus_tables(ruleset).given_up for bonus in ruleset.bonuses):
        return False
    return all(
        played[results].points <= played[results + step].points
        for results in range(len(played))
        for step, result in zip((9, 3, 1), RESULTS[results], strict=False)
        if result < 1
    )


@lru_cache(maxsize=1024)
def _bonuses_rise(ruleset: Ruleset, best_front: int, best_five: int) -> bool:
    """Whether a stronger row never means a lesser bonus in the hand, given the highest categories of its cards. It can
    where a bonus is below that of a weaker row, where one is chosen of several, or paid for what is not laid."""
    if ruleset.bonus_broken and best_five >= _QUADS:
        return False
    points = [_points_up_to(best, row, ruleset) for row, best in enumerate((best_front, best_five, best_five))]
    if ruleset.bonus_limit is not None and sum(map(any, points)) > ruleset.bonus_limit:
        return False
    return all(of_row == sorted(of_row) for of_row in points)


def _points_up_to(best: int, row: int, ruleset: Ruleset) -> list[int]:
    """The bonuses of the categories that the row can have, up to the best of these cards."""
    points = bonus_tables(ruleset).points[row]
    categories = [CATEGORIES.index(category) for category in BONUS_ROWS[ROWS[row]]]
    return [points[category] for category in categories if category <= best]
