"""A whole round: two to four hands in, points and money with every reason out (RULES 6 and 7)."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from scoring.engine.bonuses import BROKEN
from scoring.engine.errors import gettext_noop, shown
from scoring.engine.hand_input import (
    ROW_SIZES,
    STATUSES,
    HandInput,
    HandReading,
    PaoReason,
    RoundError,
    Standing,
    pao_reason,
    read_hand,
    refuse_doubles,
    stand,
)
from scoring.engine.hands import RowReading, RowTables, row_tables
from scoring.engine.pairs import RESULTS, PairResult, score_pairs
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset

__all__ = [
    "BonusPaid",
    "HandInput",
    "HandReading",
    "PairScore",
    "PaoReason",
    "PlayerScore",
    "RoundError",
    "RoundScore",
    "RowReason",
    "read_hand",
    "score_points",
    "score_round",
]

LARGEST_STAKE = 2**63 - 1

_PLAYER_COUNT = gettext_noop("a round has 2, 3 or 4 players, not %(count)d")
_PLAYER_TWICE = gettext_noop("this player is listed twice")
_BAD_STAKE = gettext_noop("expected a stake as a whole number from 0 to %(most)d, not %(got)s")
_BAD_PAIR = gettext_noop("expected a pair of players of this round, not %(got)s")


class RowReason(NamedTuple):
    """The result of one row for the first player of a pair (1, 0, -1) and what decided it: category, rank, kicker,
    suit, or equal."""

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


# Few enough to keep, and much faster to look up than to build: the results of a pair's rows, and their reasons.
_ROWS_OF = tuple(MappingProxyType(dict(zip(ROWS, results, strict=False))) for results in RESULTS)
_REASONS = {
    (row, result, decided_by): RowReason(row, result, decided_by)
    for row, result, decided_by in product(ROWS, (1, 0, -1), ("category", "rank", "kicker", "suit", "equal"))
}


def score_round(
    hands: Sequence[HandInput],
    ruleset: Ruleset,
    stake: int = 1,
    stakes: Mapping[frozenset[Hashable], int] | None = None,
) -> RoundScore:
    """Score a round with every reason in it.

    `stake` is the money of one point in minor units; `stakes` gives pairs of players their own. Raises RoundError,
    which names the player, the row and the card where there is one.
    """
    _refuse_bad_stakes(hands, stake, stakes or {})
    tables = row_tables(ruleset)
    standings = _standings(hands, ruleset)
    results, supers = score_pairs(hands, standings, ruleset)
    pairs = tuple(_pair_score(result, hands, standings, tables, stake, stakes) for result in results)
    players = _player_scores(hands, standings, supers, pairs, ruleset)
    return RoundScore(players, pairs, sum(player.fee for player in players))


def score_points(hands: Sequence[HandInput], ruleset: Ruleset) -> tuple[int, ...]:
    """Only the points of each player, in the order of the hands. Raises RoundError as `score_round` does."""
    results, _ = score_pairs(hands, _standings(hands, ruleset), ruleset)
    totals = [0] * len(hands)
    for result in results:
        totals[result.first] += result.points
        totals[result.second] -= result.points
    return tuple(totals)


def _standings(hands: Sequence[HandInput], ruleset: Ruleset) -> list[Standing]:
    if not 2 <= len(hands) <= 4:
        raise RoundError(None, "players", _PLAYER_COUNT, count=len(hands))
    names = [hand.who for hand in hands]
    if len(set(names)) < len(names):
        raise RoundError(next(name for name in names if names.count(name) > 1), "name", _PLAYER_TWICE)
    standings = [stand(hand, ruleset) for hand in hands]
    refuse_doubles(hands, standings)
    return standings


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
    result: PairResult,
    hands: Sequence[HandInput],
    standings: Sequence[Standing],
    tables: RowTables,
    stake: int,
    stakes: Mapping[frozenset[Hashable], int] | None,
) -> PairScore:
    a, b = hands[result.first].who, hands[result.second].who
    outcome = result.outcome
    if stakes:
        stake = stakes.get(frozenset((a, b)), stake)
    bonuses = tuple(
        BonusPaid(
            a if to_a else b,
            None if bonus.row == BROKEN else ROWS[bonus.row],
            CATEGORIES[bonus.category],
            bonus.points,
        )
        for to_a, bonus in result.bonuses
    )
    return PairScore(
        a,
        b,
        None if result.results is None else _ROWS_OF[result.results],
        outcome.row_points,
        outcome.multiplier,
        outcome.cause,
        outcome.extra,
        result.points - outcome.points,
        result.points,
        stake,
        result.points * stake,
        bonuses,
        _row_reasons(result, standings[result.first], standings[result.second], tables),
        outcome.extras,
    )


def _row_reasons(result: PairResult, one: Standing, other: Standing, tables: RowTables) -> tuple[RowReason, ...]:
    """Why each row went as it did; empty where rows were not compared."""
    if result.results is None or one.status or other.status:
        return ()
    front, middle, back, _ = RESULTS[result.results]
    return (
        _REASONS["front", front, tables.decided_by(one.front, other.front)],
        _REASONS["middle", middle, tables.decided_by(one.middle, other.middle)],
        _REASONS["back", back, tables.decided_by(one.back, other.back)],
    )


def _player_scores(
    hands: Sequence[HandInput],
    standings: Sequence[Standing],
    supers: Sequence[bool],
    pairs: Sequence[PairScore],
    ruleset: Ruleset,
) -> tuple[PlayerScore, ...]:
    points = {hand.who: 0 for hand in hands}
    money = dict(points)
    for pair in pairs:
        points[pair.a] += pair.points
        points[pair.b] -= pair.points
        money[pair.a] += pair.money
        money[pair.b] -= pair.money
    scores = []
    for hand, standing, has_super in zip(hands, standings, supers, strict=True):
        fee = room_fee(money[hand.who], ruleset) if ruleset.room_fee_basis == "round" else 0
        scores.append(
            PlayerScore(
                hand.who,
                STATUSES[standing.status],
                standing.natural,
                has_super,
                _rows_as_laid(hand, ruleset),
                points[hand.who],
                money[hand.who],
                fee,
                money[hand.who] - fee,
                pao_reason(hand, ruleset) if STATUSES[standing.status] == "pao" else None,
            )
        )
    return tuple(scores)


def room_fee(winnings: int, ruleset: Ruleset) -> int:
    """The room fee on a net win in minor units, rounded down; 0 on a loss. Exact: it never passes through a float."""
    if winnings <= 0:
        return 0
    numerator, denominator = ruleset.room_fee_percent.as_integer_ratio()
    return winnings * numerator // (denominator * 100)


def _rows_as_laid(hand: HandInput, ruleset: Ruleset) -> Mapping[str, RowReading] | None:
    if any(len(hand.row(row)) != size for row, size in ROW_SIZES.items()):
        return None
    tables = row_tables(ruleset)
    return {row: tables.describe(hand.row(row)) for row in ROWS}
