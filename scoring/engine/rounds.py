"""A whole round: two to four hands in, points and money with every reason out (RULES 6 and 7)."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import combinations
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from scoring.engine.bonuses import BROKEN, HandBonus
from scoring.engine.errors import gettext_noop, shown
from scoring.engine.hand_input import (
    PAO,
    STATUSES,
    HandInput,
    HandReading,
    PaoReason,
    RoundError,
    Standing,
    hand_reader,
    pao_reason,
    read_hand,
    refuse_doubles,
    row_readings,
)
from scoring.engine.hands import DECIDED_BY, RowReading, RowTables, row_tables
from scoring.engine.needs import Need, Place, RoundNeeds, Undecided, Won, resolve_told_rows
from scoring.engine.outcomes import RESULTS
from scoring.engine.pairs import PAIRS, PairResult, player_totals, score_pairs
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset

__all__ = [
    "BonusPaid",
    "HandInput",
    "HandReading",
    "Need",
    "PairScore",
    "PaoReason",
    "PlayerScore",
    "RoundError",
    "RoundNeeds",
    "RoundScore",
    "RowReason",
    "Undecided",
    "Won",
    "read_hand",
    "score_points",
    "score_round",
]

LARGEST_STAKE = 2**63 - 1
_WHO = attrgetter("who")

_PLAYER_COUNT = gettext_noop("a round has 2, 3 or 4 players, not %(count)d")
_PLAYER_TWICE = gettext_noop("this player is listed twice")
_BAD_STAKE = gettext_noop("expected a stake as a whole number from 0 to %(most)d, not %(got)s")
_BAD_PAIR = gettext_noop("expected a pair of players of this round, not %(got)s")


class RowReason(NamedTuple):
    """The result of one row for the first player of a pair (1, 0, -1) and what decided it: category, rank, kicker,
    suit, equal, or host where the host gave the result of rows that were told in words."""

    row: str
    result: int
    decided_by: str


class BonusPaid(NamedTuple):
    """Points that one player collects from another for a row; `row` is None for a broken bonus."""

    to: Hashable
    row: str | None
    category: str
    points: int


class PairScore(NamedTuple):
    """Two players in table order; all figures are signed for `a`. `rows` is None where a natural or a surrender takes
    the place of the rows; `cause` says why: tembus, super, pao, both_pao, natural, surrender, or None.
    points = row_points × multiplier + extra + bonus; money is in minor units of the currency."""

    a: Hashable
    b: Hashable
    rows: Mapping[str, int] | None
    row_points: int
    multiplier: int
    cause: str | None
    extra: int
    bonus: int
    points: int
    stake: int
    money: int
    bonuses: tuple[BonusPaid, ...]
    row_reasons: tuple[RowReason, ...]
    extras: tuple[tuple[str, int], ...]


class PlayerScore(NamedTuple):
    """One player's round. `rows` are as laid, None where not all three are known; money, fee and net in minor units."""

    who: Hashable
    status: str
    natural: str | None
    super: bool
    rows: Mapping[str, RowReading] | None
    points: int
    money: int
    fee: int
    net: int
    pao: PaoReason | None


class RoundScore(NamedTuple):
    """A scored round: the players and pairs in table order, and the fees that go to the house."""

    players: tuple[PlayerScore, ...]
    pairs: tuple[PairScore, ...]
    house: int


# Few enough to keep, and much faster to look up than to build: for each number of RESULTS the results by row, and the
# reasons of front, middle and back by the bit length of what the two strengths differ in.
_ROWS_OF = tuple(MappingProxyType(dict(zip(ROWS, results, strict=False))) for results in RESULTS)
_REASONS = {
    (row, result): tuple(RowReason(row, result, by) for by in DECIDED_BY) for row in ROWS for result in (1, 0, -1)
}
_REASONS_OF = tuple(tuple(_REASONS[place] for place in zip(ROWS, results, strict=False)) for results in RESULTS)


def score_round(
    hands: Sequence[HandInput],
    ruleset: Ruleset,
    stake: int = 1,
    stakes: Mapping[frozenset[Hashable], int] | None = None,
    won: Sequence[Won] = (),
) -> RoundScore:
    """Score a round with every reason in it.

    `stake` is the money of one point in minor units; `stakes` gives pairs of players their own; `won` are the host's
    results for rows of which too little is told. Raises RoundNeeds with everything that must still be told, and
    RoundError, which names the player, the row and the card where there is one.
    """
    _refuse_bad_stakes(hands, stake, stakes or {})
    standings, compared, answered = _standings(hands, ruleset, won)
    results, supers = score_pairs(compared, ruleset)
    pairs = tuple(
        [
            _pair_score(hand.who, other.who, one, another, result, stake, stakes)
            for (hand, other), (one, another), result in zip(
                combinations(hands, 2), combinations(standings, 2), results, strict=True
            )
        ]
    )
    if answered:
        pairs = tuple(
            _with_answers(pair, numbers, answered) for pair, numbers in zip(pairs, PAIRS[len(hands)], strict=True)
        )
    players = _player_scores(hands, standings, supers, pairs, ruleset)
    return RoundScore(players, pairs, sum([player.fee for player in players]))


def score_points(hands: Sequence[HandInput], ruleset: Ruleset, won: Sequence[Won] = ()) -> tuple[int, ...]:
    """Only the points of each player, in the order of the hands. Raises what `score_round` does."""
    _, compared, _ = _standings(hands, ruleset, won)
    results, _ = score_pairs(compared, ruleset)
    return player_totals([points for _, _, _, points in results])


def _standings(
    hands: Sequence[HandInput], ruleset: Ruleset, won: Sequence[Won]
) -> tuple[list[Standing], list[Standing], frozenset[Place]]:
    """What each hand stands for, the same as its rows compare, and where the host's results decide between rows.

    Raises RoundError or RoundNeeds for everything that keeps the round from being scored.
    """
    if not 2 <= len(hands) <= 4:
        raise RoundError(None, "players", _PLAYER_COUNT, count=len(hands))
    if len(set(map(_WHO, hands))) < len(hands):
        names = [hand.who for hand in hands]
        raise RoundError(next(name for name in names if names.count(name) > 1), "name", _PLAYER_TWICE)
    standings = list(map(hand_reader(ruleset), hands))
    is_whole = refuse_doubles(hands, standings)
    if not won and (is_whole or not any(hand.told for hand in hands)):
        return standings, standings, frozenset()
    compared, answered = resolve_told_rows(hands, standings, won, ruleset)
    return standings, compared, answered


def _refuse_bad_stakes(hands: Sequence[HandInput], stake: int, stakes: Mapping[frozenset[Hashable], int]) -> None:
    for pair, amount in ((None, stake), *stakes.items()):
        field = "stake" if pair is None else "stakes"
        if not isinstance(amount, int) or isinstance(amount, bool) or not 0 <= amount <= LARGEST_STAKE:
            raise RoundError(None, field, _BAD_STAKE, most=LARGEST_STAKE, got=shown(amount))
    names = {hand.who for hand in hands}
    for pair in stakes:
        if len(pair) != 2 or not pair <= names:
            raise RoundError(None, "stakes", _BAD_PAIR, got=" – ".join(sorted(map(str, pair))))


def _pair_score(
    a: Hashable,
    b: Hashable,
    one: Standing,
    other: Standing,
    result: PairResult,
    stake: int,
    stakes: Mapping[frozenset[Hashable], int] | None,
) -> PairScore:
    results, outcome, paid, points = result
    if stakes:
        stake = stakes.get(frozenset((a, b)), stake)
    return PairScore(
        a,
        b,
        None if results is None else _ROWS_OF[results],
        outcome.row_points,
        outcome.multiplier,
        outcome.cause,
        outcome.extra,
        points - outcome.points,
        points,
        stake,
        points * stake,
        tuple([_bonus_paid(a if to_a else b, bonus) for to_a, bonus in paid]) if paid else (),
        () if results is None or one[0] or other[0] else _row_reasons(one, other, _REASONS_OF[results]),
        outcome.extras,
    )


def _bonus_paid(to: Hashable, bonus: HandBonus) -> BonusPaid:
    row = None if bonus.row == BROKEN else ROWS[bonus.row]
    return BonusPaid(to, row, CATEGORIES[bonus.category], bonus.points)


def _row_reasons(
    one: Standing, other: Standing, reasons: Sequence[Sequence[RowReason]]
) -> tuple[RowReason, RowReason, RowReason]:
    """Why each row of two hands that play went as it did."""
    of_front, of_middle, of_back = reasons
    return (
        of_front[(one[1] ^ other[1]).bit_length()],
        of_middle[(one[2] ^ other[2]).bit_length()],
        of_back[(one[3] ^ other[3]).bit_length()],
    )


def _with_answers(pair: PairScore, numbers: tuple[int, int], answered: Collection[Place]) -> PairScore:
    """The pair with the host as the reason for the rows that he decided."""
    return pair._replace(
        row_reasons=tuple(
            reason._replace(decided_by="host") if (reason.row, *numbers) in answered else reason
            for reason in pair.row_reasons
        )
    )


def _player_scores(
    hands: Sequence[HandInput],
    standings: Sequence[Standing],
    supers: Sequence[bool],
    pairs: Sequence[PairScore],
    ruleset: Ruleset,
) -> tuple[PlayerScore, ...]:
    points = player_totals([pair.points for pair in pairs])
    money = player_totals([pair.money for pair in pairs])
    tables = row_tables(ruleset)
    has_fee = ruleset.room_fee_basis == "round" and ruleset.room_fee_percent
    scores = []
    for hand, standing, has_super, won, earned in zip(hands, standings, supers, points, money, strict=True):
        status = standing[0]
        fee = room_fee(earned, ruleset) if has_fee and earned > 0 else 0
        rows = _rows_as_told(hand, ruleset) if hand.told else _rows_as_laid(hand, standing, tables)
        pao = pao_reason(hand, standing, ruleset) if status == PAO else None
        scores.append(
            PlayerScore(hand.who, STATUSES[status], standing[6], has_super, rows, won, earned, fee, earned - fee, pao)
        )
    return tuple(scores)


def room_fee(winnings: int, ruleset: Ruleset) -> int:
    """The room fee on a net win in minor units, rounded down; 0 on a loss. Exact: it never passes through a float."""
    if winnings <= 0:
        return 0
    numerator, denominator = ruleset.room_fee_percent.as_integer_ratio()
    return winnings * numerator // (denominator * 100)


def _rows_as_laid(hand: HandInput, standing: Standing, tables: RowTables) -> Mapping[str, RowReading] | None:
    front, middle, back = hand.front, hand.middle, hand.back
    if not (front and middle and back and len(front) == 3 and len(middle) == 5 and len(back) == 5):
        return None
    of_front, of_middle, of_back = standing[1:4]
    if not of_back:  # nobody had to look at the rows to score the round
        of_front, of_middle, of_back, _ = tables.lay(front, middle, back)
    describe = tables.describe
    return {"front": describe(front, of_front), "middle": describe(middle, of_middle), "back": describe(back, of_back)}


def _rows_as_told(hand: HandInput, ruleset: Ruleset) -> Mapping[str, RowReading] | None:
    rows = row_readings(hand, ruleset)
    return rows if len(rows) == len(ROWS) else None
