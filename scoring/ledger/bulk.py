"""Evenings that were played earlier come into the book whole, with the times of then.

What stands in the book afterwards is what `record_round`, `void_round`, `close_session` and `record_payment` would have
left there, but with a handful of statements an evening instead of dozens a round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from scoring.engine.rounds import HandInput, RoundScore, score_round
from scoring.ledger.book import LARGEST_TOTAL, LedgerError, keep_open_balances, lock_session
from scoring.ledger.booking import PairStakes, amounts_of, fill_hand, pair_stakes, pairs_of
from scoring.ledger.entries import NewEntry, reversal_of, write_entries
from scoring.ledger.sums import fee_due
from scoring.ledger.tallies import keep_tallies
from scoring.models import Entry, Hand, PairScore, Round, Session


@dataclass(frozen=True)
class PastRound:
    """A round as it was played: its hands in table order, whose `who` are the players' keys, and when.

    One with `voided_at` was taken out of the sums then, for `reason`.
    """

    hands: Sequence[HandInput]
    opened_at: datetime
    scored_at: datetime
    voided_at: datetime | None = None
    reason: str = ""


def write_evening(
    session: Session, rounds: Sequence[PastRound], user: User, closed_at: datetime | None = None
) -> list[Round]:
    """Score `rounds` into a session that has none yet, under its rules and stakes; with `closed_at` it is closed then,
    and a room fee on the evening taken (RULES 7).

    Raises:
        ScoringError: a round cannot be scored as it is; nothing was written.
        LedgerError: the session has rounds already, or an amount would not fit the book.
    """
    with transaction.atomic():
        session = lock_session(session.pk)
        if session.rounds.exists():
            raise LedgerError(f"session {session.pk} has rounds already")
        ruleset = session.ruleset
        stakes = pair_stakes(session, list(session.seats.values_list("player_id", flat=True)))
        scores = [score_round(past.hands, ruleset, session.stake, _among(past, stakes)) for past in rounds]
        _refuse_too_large(scores)
        written = Round.objects.bulk_create(
            _round(session, number, past, score, user)
            for number, (past, score) in enumerate(zip(rounds, scores, strict=True), start=1)
        )
        held = [_hands(*one) for one in zip(written, rounds, scores, strict=True)]
        Hand.objects.bulk_create(hand for hands in held for hand in hands)
        PairScore.objects.bulk_create(
            pair for one in zip(written, held, scores, strict=True) for pair in pairs_of(*one)
        )
        amounts = [amounts_of(score, hands) for score, hands in zip(scores, held, strict=True)]
        _write_entries_of(session, written, rounds, amounts, user)
        if closed_at:
            _close(session, closed_at, user)
        return written


def write_payments(
    session: Session, payments: Sequence[tuple[int | None, int | None, int, datetime]], user: User
) -> None:
    """Write down who gave (None: the house) whom how much in minor units, and when."""
    with transaction.atomic():
        session = lock_session(session.pk)
        entries = [
            NewEntry(Entry.Kind.PAYMENT, {payer: amount, payee: -amount}, at) for payer, payee, amount, at in payments
        ]
        write_entries(session, entries, user)
        keep_open_balances([session.pk])


def _among(past: PastRound, stakes: PairStakes) -> PairStakes:
    here = {hand.who for hand in past.hands}
    return {pair: stake for pair, stake in stakes.items() if pair <= here}


def _refuse_too_large(scores: Sequence[RoundScore]) -> None:
    """Not even the sums without their signs may pass what the book can hold."""
    moved = sum(abs(pair.money) for score in scores for pair in score.pairs)
    if moved > LARGEST_TOTAL:
        raise LedgerError(f"{moved} are too large for the book")


def _round(session: Session, number: int, past: PastRound, score: RoundScore, user: User) -> Round:
    return Round(
        session=session,
        club_id=session.club_id,
        number=number,
        state=Round.State.VOIDED if past.voided_at else Round.State.SCORED,
        opened_at=past.opened_at,
        ruleset_fields=session.ruleset_fields,
        stake=session.stake,
        fee=score.house,
        scored_at=past.scored_at,
        scored_by=user,
        voided_at=past.voided_at,
        voided_by=user if past.voided_at else None,
        void_reason=past.reason,
    )


def _hands(round_: Round, past: PastRound, score: RoundScore) -> list[Hand]:
    hands = []
    for position, (laid, player) in enumerate(zip(past.hands, score.players, strict=True)):
        hand = Hand(round=round_, club_id=round_.club_id, player_id=laid.who, position=position)  # type: ignore[misc]  # here players go by their keys
        hand.declare, hand.declared = laid.declare, sorted(laid.declared)
        fill_hand(hand, laid, player)
        hands.append(hand)
    return hands


def _write_entries_of(
    session: Session,
    written: Sequence[Round],
    rounds: Sequence[PastRound],
    amounts: Sequence[Mapping[int | None, int]],
    user: User,
) -> None:
    """An entry for each round, and one that reverses it where it was voided."""
    won = [
        NewEntry(Entry.Kind.ROUND, amounts_, past.scored_at, round_)
        for round_, past, amounts_ in zip(written, rounds, amounts, strict=True)
    ]
    reversals = [
        reversal_of(entry, one.amounts, past.voided_at, past.reason)
        for entry, one, past in zip(write_entries(session, won, user), won, rounds, strict=True)
        if past.voided_at
    ]
    write_entries(session, reversals, user)


def _close(session: Session, closed_at: datetime, user: User) -> None:
    fees = fee_due(session)
    if fees:
        amounts: dict[int | None, int] = {player: -fee for player, fee in fees.items()}
        write_entries(session, [NewEntry(Entry.Kind.FEE, amounts | {None: sum(fees.values())}, closed_at)], user)
    session.closed_at, session.closed_by = closed_at, user
    session.version += 1
    session.save(update_fields=["closed_at", "closed_by", "version"])
    keep_open_balances([session.pk])
    keep_tallies(session)
