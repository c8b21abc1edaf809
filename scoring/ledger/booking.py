"""How a round that is scored comes into the book: its terms, its hands, its pairs and the lines of its entry."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations

from django.utils.translation import gettext as _

from scoring.engine.rounds import HandInput, PlayerScore, RoundScore
from scoring.engine.rules import ROWS, Ruleset
from scoring.ledger.book import LARGEST_TOTAL, LedgerError
from scoring.models import Hand, PairScore, Player, Round, Session
from scoring.models.answers import row_as_text

PairStakes = Mapping[frozenset[Hashable], int]
"""The stakes of pairs of players (their keys) that have their own, in minor units a point."""


def require_players(session: Session, players: Sequence[Player]) -> None:
    """Raises LedgerError where these are not two to four different players with a seat, be it one that was left."""
    if not 2 <= len(players) <= 4 or len({player.pk for player in players}) != len(players):
        raise LedgerError(_("Two, three or four different players hold cards in a round."))
    seated = set(session.seats.values_list("player_id", flat=True))
    for player in players:
        if player.pk not in seated:
            raise LedgerError(_("%(player)s has no seat in this session.") % {"player": player})


def pair_stakes(session: Session, players: Sequence[int]) -> PairStakes:
    """What pairs among `players` (by key) play for by now, where they have a stake of their own."""
    pairs = session.pair_stakes.filter(a__in=players, b__in=players)
    return {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}


def amounts_of(score: RoundScore, hands: Sequence[Hand]) -> dict[int | None, int]:
    """The lines of the round's entry: one for each who played, also for who came out at nought."""
    amounts: dict[int | None, int] = {
        hand.player_id: player.net for hand, player in zip(hands, score.players, strict=True)
    }
    return amounts | {None: score.house} if score.house else amounts


def refuse_too_large(won: Mapping[int | None, int], parts: Iterable[int], amounts: Mapping[int | None, int]) -> None:
    """Raises LedgerError where the amounts of a round, their `parts` pair by pair, or the sums that they lead to with
    what was `won` before would not fit the book."""
    sums = [won.get(player, 0) + amount for player, amount in amounts.items()]
    if any(abs(amount) > LARGEST_TOTAL for amount in (*sums, *parts, *amounts.values())):
        raise LedgerError(_("The amounts of this round are too large for the book. Lower the stake."))


def fill_hands(hands: Sequence[Hand], ruleset: Ruleset, score: RoundScore) -> None:
    """Set the rows to their canonical text, and what each hand came to; nothing is saved."""
    for hand, player in zip(hands, score.players, strict=True):
        fill_hand(hand, hand.as_input(ruleset), player)


def fill_hand(hand: Hand, laid: HandInput, player: PlayerScore) -> None:
    """`fill_hands` for one hand that was `laid` and scored."""
    for row in ROWS:
        setattr(hand, row, row_as_text(laid, row))
    hand.status, hand.natural, hand.is_super = player.status, player.natural or "", player.super
    hand.points, hand.money, hand.fee, hand.net = player.points, player.money, player.fee, player.net
    hand.set_aside = None


def pairs_of(round_: Round, hands: Sequence[Hand], score: RoundScore) -> list[PairScore]:
    """What each pair came to, not saved yet; the engine gives the pairs in the order of the hands."""
    return [
        PairScore(
            round=round_,
            club_id=round_.club_id,
            a_id=a.player_id,
            b_id=b.player_id,
            **(pair.rows or {}),
            row_points=pair.row_points,
            multiplier=pair.multiplier,
            extra=pair.extra,
            bonus=pair.bonus,
            points=pair.points,
            stake=pair.stake,
            money=pair.money,
        )
        for (a, b), pair in zip(combinations(hands, 2), score.pairs, strict=True)
    ]
