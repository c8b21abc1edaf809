"""Rounds: opened, filled by several hands at once, scored exactly once, voided and restored."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.engine.rounds import RoundScore
from scoring.engine.rules import ROWS, Ruleset
from scoring.ledger.book import (
    LARGEST_TOTAL,
    LedgerError,
    lock_round,
    lock_session,
    post,
    require_open,
    require_unscored,
    reverse,
    touch,
)
from scoring.ledger.hands import HAND_FIELDS, as_kept, put_back
from scoring.ledger.reveal import require_all_ready
from scoring.ledger.sums import totals
from scoring.models import Entry, Hand, PairScore, Player, Round, Session
from scoring.models.answers import Answer, row_as_text, with_answer


def open_round(session: Session, players: Sequence[Player]) -> Round:
    """The open round of `session`; where there is none, a new one in which `players` (2–4, in table order) hold hands.

    Raises:
        LedgerError: the session is closed, or not 2–4 of its own players are named.
    """
    with transaction.atomic():
        session = lock_session(session.pk)
        require_open(session)
        existing = session.rounds.filter(state=Round.State.OPEN).first()
        if existing:
            return existing
        number = (session.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
        round_ = Round.objects.create(session=session, club_id=session.club_id, number=number)
        _seat(round_, players)
        touch(session)
        return round_


def reseat_round(round_: Round, players: Sequence[Player]) -> Round:
    """Change who plays in an open round; what was typed for those who stay is kept, for those who go set aside.

    Raises:
        LedgerError: the round is not open any more, or not 2–4 players of the session are named.
    """
    with transaction.atomic():
        round_ = lock_round(round_)
        require_unscored(round_)
        _seat(round_, players)
        touch(round_.session)
        return round_


def discard_round(round_: Round) -> None:
    """Drop an open round and what was typed in it. A scored round is left alone: it can only be voided."""
    with transaction.atomic():
        session = lock_session(round_.session_id)
        deleted, _models = session.rounds.filter(pk=round_.pk, state=Round.State.OPEN).delete()
        if deleted:
            touch(session)


def preview_round(round_: Round) -> RoundScore:
    """What the open round comes to with the hands as they stand; nothing is written.

    Raises:
        ValueError: something is missing or wrong (the engine's error names the player and the row).
    """
    return _score(round_, list(round_.hands.all()))


def answer_row(round_: Round, answer: Answer) -> Round:
    """Keep on the open round who wins a row of two players of which too little is told; the last word counts.

    Raises:
        LedgerError: the round is not open any more, or one of the two does not play in it.
    """
    with transaction.atomic():
        round_ = lock_round(round_)
        require_unscored(round_)
        if len(round_.hands.filter(player__in=(answer.a, answer.b))) != 2:
            raise LedgerError(_("The two players do not meet in this round any more."))
        kept = with_answer(round_.answers, answer)
        if kept != round_.answers:
            round_.won = [list(one) for one in kept]
            round_.save(update_fields=["won"])
            touch(round_.session)
        return round_


def record_round(round_: Round, user: User) -> Round:
    """Score the open round into the book. A second tap, or a retry after a lost answer, returns the first result.

    Raises:
        ValueError: something is missing or wrong (the engine's error names the player and the row).
        StaleError: the round was discarded meanwhile.
        LedgerError: an amount would not fit the book, or a hand at a seat is not ready.
    """
    with transaction.atomic():
        round_ = lock_round(round_)
        if not round_.is_open:
            return round_
        require_open(round_.session)
        hands = list(round_.hands.select_related("player"))
        require_all_ready(hands)
        score = _score(round_, hands)
        amounts = _amounts(hands, score)
        _refuse_too_large(round_.session, score, amounts)
        _keep_terms(round_, score, user)
        _keep_hands(hands, round_.ruleset, score)
        _keep_pairs(round_, hands, score)
        post(round_.session, Entry.Kind.ROUND, amounts, user, round_=round_)
        return round_


def void_round(round_: Round, user: User, reason: str = "") -> Round:
    """Take a scored round out of the sums; it stays visible with who, when and why. Voiding it again changes nothing.

    Raises:
        LedgerError: the session is closed, or the round is still open.
    """
    with transaction.atomic():
        round_ = _lock_scored(round_)
        if not round_.is_voided:
            round_.voided_at, round_.voided_by, round_.void_reason = timezone.now(), user, reason
            _flip(round_, Round.State.VOIDED, user, reason)
        return round_


def restore_round(round_: Round, user: User) -> Round:
    """Put a voided round back into the sums. Restoring it again changes nothing.

    Raises:
        LedgerError: the session is closed, or the round is still open.
    """
    with transaction.atomic():
        round_ = _lock_scored(round_)
        if round_.is_voided:
            round_.voided_at, round_.voided_by, round_.void_reason = None, None, ""
            _flip(round_, Round.State.SCORED, user)
        return round_


def take_back_round(round_: Round, user: User) -> Round:
    """Void a scored round and lay its hands out again in a new open round, to be corrected and scored anew.

    Where a round has been opened meanwhile, that one is taken, and hands that somebody has touched in it stay as
    they are. A second tap leads to the same open round.

    Raises:
        LedgerError: the session is closed, or the round is still open, or was voided before and nothing is open: its
            hands may have been scored anew already.
    """
    with transaction.atomic():
        round_ = _lock_scored(round_)
        if round_.is_voided:
            return _open_after(round_)
        voided = void_round(round_, user)
        hands = {hand.player_id: hand for hand in voided.hands.select_related("player")}
        again = open_round(voided.session, [hand.player for hand in hands.values()])
        for hand in again.hands.filter(version=0, player__in=hands):
            for field in HAND_FIELDS:
                setattr(hand, field, getattr(hands[hand.player_id], field))
            hand.save(update_fields=HAND_FIELDS)
        if voided.won and not again.won:
            again.won = voided.won
            again.save(update_fields=["won"])
        return again


def _open_after(voided: Round) -> Round:
    unfinished = voided.session.rounds.filter(state=Round.State.OPEN).first()
    if unfinished is None:
        raise LedgerError(_("Round %(number)s is voided already.") % {"number": voided.number})
    return unfinished


def _seat(round_: Round, players: Sequence[Player]) -> None:
    """Give each of `players` a hand, in their order. Hands of others are set aside until they come back."""
    if not 2 <= len(players) <= 4 or len({player.pk for player in players}) != len(players):
        raise LedgerError(_("Two, three or four different players hold cards in a round."))
    seated = set(round_.session.seats.values_list("player_id", flat=True))
    for player in players:
        if player.pk not in seated:
            raise LedgerError(_("%(player)s has no seat in this session.") % {"player": player})
    leaving = round_.hands.exclude(player__in=players)
    round_.set_aside |= {str(hand.player_id): as_kept(hand) for hand in leaving}
    leaving.delete()
    returning = []
    for position, player in enumerate(players):
        place = {"position": position}
        hand, is_new = round_.hands.update_or_create(
            player=player, defaults=place, create_defaults=place | {"club_id": round_.club_id}
        )
        if is_new and str(player.pk) in round_.set_aside:
            returning.append((hand, round_.set_aside.pop(str(player.pk))))
    round_.save(update_fields=["set_aside"])
    for hand, kept in returning:
        put_back(hand, kept)


def _lock_scored(round_: Round) -> Round:
    round_ = lock_round(round_)
    require_open(round_.session)
    if round_.is_open:
        raise LedgerError(_("Round %(number)s is not scored yet.") % {"number": round_.number})
    return round_


def _flip(round_: Round, state: str, user: User, reason: str = "") -> None:
    """Turn a round of the book to `state` by reversing its last entry, be that the round or an earlier reversal."""
    round_.state = state
    round_.save(update_fields=["state", "voided_at", "voided_by", "void_reason"])
    reverse(round_.session, round_.entries.get(reversed_by=None), user, note=reason)


def _score(round_: Round, hands: Sequence[Hand]) -> RoundScore:
    here = [hand.player_id for hand in hands]
    pairs = round_.session.pair_stakes.filter(a__in=here, b__in=here)
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    return round_.score(hands, stakes)


def _amounts(hands: Sequence[Hand], score: RoundScore) -> dict[int | None, int]:
    """The lines of the round's entry: one for each who played, also for who came out at nought."""
    amounts: dict[int | None, int] = {
        hand.player_id: player.net for hand, player in zip(hands, score.players, strict=True)
    }
    return amounts | {None: score.house} if score.house else amounts


def _refuse_too_large(session: Session, score: RoundScore, amounts: Mapping[int | None, int]) -> None:
    won = totals(session)
    sums = [won.get(player, 0) + amount for player, amount in amounts.items()]
    parts = [pair.money for pair in score.pairs]
    if any(abs(amount) > LARGEST_TOTAL for amount in (*sums, *parts, *amounts.values())):
        raise LedgerError(_("The amounts of this round are too large for the book. Lower the stake."))


def _keep_terms(round_: Round, score: RoundScore, user: User) -> None:
    """What the round was scored under, when and by whom."""
    session = round_.session
    round_.state = Round.State.SCORED
    round_.ruleset_fields, round_.stake, round_.fee = session.ruleset_fields, session.stake, score.house
    round_.scored_at, round_.scored_by = timezone.now(), user
    round_.set_aside = {}
    round_.save()


def _keep_hands(hands: Sequence[Hand], ruleset: Ruleset, score: RoundScore) -> None:
    """The rows in canonical text, and what each hand came to."""
    for hand, player in zip(hands, score.players, strict=True):
        laid = hand.as_input(ruleset)
        for row in ROWS:
            setattr(hand, row, row_as_text(laid, row))
        hand.status, hand.natural, hand.is_super = player.status, player.natural or "", player.super
        hand.points, hand.money, hand.fee, hand.net = player.points, player.money, player.fee, player.net
        hand.set_aside = None
    figures = ["status", "natural", "is_super", "points", "money", "fee", "net"]
    Hand.objects.bulk_update(hands, [*ROWS, *figures, "set_aside"])


def _keep_pairs(round_: Round, hands: Sequence[Hand], score: RoundScore) -> None:
    """What each pair came to; the engine gives the pairs in the order of the hands."""
    PairScore.objects.bulk_create(
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
    )
