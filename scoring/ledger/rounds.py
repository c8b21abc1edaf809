"""Rounds: opened, filled by several hands at once, scored exactly once, voided and restored."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.change_log import change
from scoring.engine.rounds import RoundScore
from scoring.engine.rules import ROWS
from scoring.ledger.book import (
    LedgerError,
    StaleError,
    lock_round,
    lock_session,
    post,
    require_open,
    require_unscored,
    reverse,
    touch,
)
from scoring.ledger.booking import amounts_of, fill_hands, pair_stakes, pairs_of, refuse_too_large, require_players
from scoring.ledger.hands import HAND_FIELDS, as_kept, put_back
from scoring.ledger.reveal import require_all_ready
from scoring.ledger.sums import totals
from scoring.ledger.terms import apply_planned
from scoring.models import Change, Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.models.answers import Answer, with_answer

KEPT_OF_HANDS = (*ROWS, "status", "natural", "is_super", "points", "money", "fee", "net", "set_aside")


class AmendedError(StaleError):
    """The round was corrected meanwhile: `current` is the version that stands now."""

    def __init__(self, round_: Round) -> None:
        self.current = round_.newest
        super().__init__(_("Round %(number)s was corrected meanwhile.") % {"number": round_.number})


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
        apply_planned(session, number, round_)
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
    hands = list(round_.hands.all())
    return round_.score(hands, pair_stakes(round_.session, [hand.player_id for hand in hands]))


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
        score = round_.score(hands, pair_stakes(round_.session, [hand.player_id for hand in hands]))
        amounts = amounts_of(score, hands)
        refuse_too_large(totals(round_.session), (pair.money for pair in score.pairs), amounts)
        _keep_terms(round_, score, user)
        fill_hands(hands, round_.ruleset, score)
        Hand.objects.bulk_update(hands, KEPT_OF_HANDS)
        PairScore.objects.bulk_create(pairs_of(round_, hands, score))
        post(round_.session, Entry.Kind.ROUND, amounts, user, round_=round_)
        round_change(round_, "scored", user, new={hand.player.name: hand.net for hand in hands}).save()
        return round_


def void_round(round_: Round, user: User, reason: str = "") -> Round:
    """Take a scored round out of the sums; it stays visible with who, when and why. Voiding it again changes nothing.

    Raises:
        AmendedError: it was corrected meanwhile.
        LedgerError: the session is closed, or the round is still open.
    """
    with transaction.atomic():
        round_ = lock_scored(round_)
        if not round_.is_voided:
            _void(round_, "voided", user, reason)
        return round_


def restore_round(round_: Round, user: User) -> Round:
    """Put a voided round back into the sums. Restoring it again changes nothing.

    Raises:
        AmendedError: it was corrected meanwhile.
        LedgerError: the session is closed, the round is still open, or an amount would not fit the book any more.
    """
    with transaction.atomic():
        round_ = lock_scored(round_)
        if round_.is_voided:
            refuse_too_large(totals(round_.session), (), _nets(round_))
            round_.voided_at, round_.voided_by, round_.void_reason = None, None, ""
            taken_out = _flip(round_, Round.State.SCORED, user)
            nets = {name: -amount for name, amount in taken_out.items()}
            round_change(round_, "restored", user, new=nets).save()
        return round_


def take_back_round(round_: Round, user: User) -> Round:
    """Void a scored round and lay its hands out again in a new open round, to be corrected and scored anew.

    Where a round has been opened meanwhile, that one is taken, and hands that somebody has touched in it stay as
    they are. A second tap leads to the same open round.

    Raises:
        AmendedError: it was corrected meanwhile.
        LedgerError: the session is closed, or the round is still open, or was voided before and nothing is open: its
            hands may have been scored anew already.
    """
    with transaction.atomic():
        voided = lock_scored(round_)
        if voided.is_voided:
            return _open_after(voided)
        _void(voided, "taken back", user)
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
    require_players(round_.session, players)
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


def lock_scored(round_: Round) -> Round:
    """The scored or voided round as it stands, its `session` held until the transaction ends.

    Raises:
        AmendedError: another version stands in its place.
        LedgerError: the session is closed, or the round is still open.
    """
    round_ = lock_round(round_)
    require_open(round_.session)
    if round_.is_open:
        raise LedgerError(_("Round %(number)s is not scored yet.") % {"number": round_.number})
    if round_.is_amended:
        raise AmendedError(round_)
    return round_


def _flip(round_: Round, state: str, user: User, reason: str = "") -> dict[str, int]:
    """Turn a round of the book to `state` by reversing its last entry, be that the round or an earlier reversal.

    Gives what that entry said, by player's name.
    """
    round_.state = state
    round_.save(update_fields=["state", "voided_at", "voided_by", "void_reason"])
    lines = Prefetch("lines", Line.objects.select_related("player"))
    last = round_.entries.prefetch_related(lines).get(reversed_by=None)
    reverse(round_.session, last, user, note=reason)
    return {line.player.name: line.amount for line in last.lines.all() if line.player}


def round_change(
    round_: Round,
    action: str,
    user: User,
    *,
    old: Mapping[str, int | None] | None = None,
    new: Mapping[str, int | None] | None = None,
    **told: Any,
) -> Change:
    """What was done to a round as a line of the change log, not written yet: what it brought by player's name before
    and after, None where it counted for nothing, and whatever else is `told` about the change."""
    of_round = {"number": round_.number, "currency": round_.session.currency}
    before = None if old is None else of_round | {"nets": old}
    return change(round_, Change.Kind.ROUND, action, user, old=before, new=of_round | {"nets": new} | told)


def _nets(round_: Round) -> dict[int | None, int]:
    """What a round that was scored brought each player, and the house."""
    nets: dict[int | None, int] = {hand.player_id: hand.net or 0 for hand in round_.hands.all()}
    return nets | {None: round_.fee}


def _void(round_: Round, action: str, user: User, reason: str = "") -> None:
    round_.voided_at, round_.voided_by, round_.void_reason = timezone.now(), user, reason
    nets = _flip(round_, Round.State.VOIDED, user, reason)
    round_change(round_, action, user, old=nets, reason=reason).save()


def _keep_terms(round_: Round, score: RoundScore, user: User) -> None:
    """What the round was scored under, when and by whom."""
    session = round_.session
    round_.state = Round.State.SCORED
    round_.ruleset_fields, round_.stake, round_.fee = session.ruleset_fields, session.stake, score.house
    round_.scored_at, round_.scored_by = timezone.now(), user
    round_.set_aside = {}
    round_.save()
