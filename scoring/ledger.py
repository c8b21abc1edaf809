"""The only writer of rounds, entries, lines and payments, and the place where balances are summed.

Every writer takes one transaction and locks the session's row first, so that what it decides on cannot change under it.
Amounts are minor units of the session's currency. Entries are only ever added: what was wrong is reversed.
"""

import uuid
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.engine.rounds import RoundScore, score_round
from scoring.engine.rules import Ruleset
from scoring.engine.settle import Plan, settle
from scoring.models import Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.money import format_amount

LARGEST_AMOUNT = 2**63 - 1  # what the database holds
ROWS = ("front", "middle", "back")
HAND_FIELDS = (*ROWS, "declare", "natural", "declared")


class LedgerError(Exception):
    """Something that the book does not allow; the message says to a person what and why."""


class StaleError(LedgerError):
    """Somebody else changed it since the form was drawn; nothing was written."""


# ---------------------------------------------------------------- rounds


def open_round(session: Session, players: Sequence[Player]) -> Round:
    """The open round of `session`; where there is none, a new one in which `players` (2–4, in table order) hold hands.

    Raises:
        LedgerError: the session is closed, or not 2–4 of its own players are named.
    """
    with transaction.atomic():
        session = _lock_open(session)
        existing = session.rounds.filter(state=Round.State.OPEN).first()
        if existing:
            return existing
        number = (session.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
        round_ = Round.objects.create(session=session, club_id=session.club_id, number=number)
        _seat(round_, players)
        _touch(session)
        return round_


def reseat_round(round_: Round, players: Sequence[Player]) -> Round:
    """Change who plays in an open round; what was typed for those who stay is kept.

    Raises:
        LedgerError: the round is not open any more, or not 2–4 players of the session are named.
    """
    with transaction.atomic():
        round_ = _lock_round(round_)
        if not round_.is_open:
            raise LedgerError(_("Round %(number)s is scored already.") % {"number": round_.number})
        round_.hands.exclude(player__in=players).delete()
        _seat(round_, players)
        _touch(round_.session)
        return round_


def take_back_round(round_: Round, user: User) -> Round:
    """Void a scored round and lay its hands out again in a new open round, to be corrected and scored anew.

    Where the next round has been opened meanwhile, that one is returned as it is and the hands are not laid out.

    Raises:
        LedgerError: the session is closed, or the round is still open.
    """
    with transaction.atomic():
        voided = void_round(round_, user)
        hands = {hand.player_id: hand for hand in voided.hands.select_related("player")}
        again = open_round(voided.session, [hand.player for hand in hands.values()])
        for hand in again.hands.filter(version=0, player__in=hands):
            for field in HAND_FIELDS:
                setattr(hand, field, getattr(hands[hand.player_id], field))
            hand.save(update_fields=HAND_FIELDS)
        return again


def discard_round(round_: Round) -> None:
    """Drop an open round and what was typed in it. A scored round is left alone: it can only be voided."""
    with transaction.atomic():
        session = _lock(round_.session)
        Round.objects.filter(pk=round_.pk, state=Round.State.OPEN).delete()
        _touch(session)


def keep_hand(hand: Hand, typed: Mapping[str, object], version: int, editor: str = "") -> Hand:
    """Keep on the open round what was `typed` for a hand (any of HAND_FIELDS), cards or not.

    `version` is the one that the form was drawn from, `editor` names the page it is on: two requests of one page may
    overtake each other. The same text arriving again changes nothing.

    Raises:
        StaleError: the hand was changed by somebody else since then.
        LedgerError: its round is not open any more.
    """
    with transaction.atomic():
        round_ = _lock_round(hand.round)
        if not round_.is_open:
            raise LedgerError(_("Round %(number)s is scored already.") % {"number": round_.number})
        hand = Hand.objects.select_related("player", "round").get(pk=hand.pk)
        changed = {field: value for field, value in typed.items() if getattr(hand, field) != value}
        if not changed:
            return hand
        if hand.version != version and not (editor and hand.editor == editor):
            raise StaleError(_("The hand of %(player)s was changed on another device.") % {"player": hand.player})
        for field, value in changed.items():
            setattr(hand, field, value)
        hand.version += 1
        hand.editor = editor
        hand.save(update_fields=[*changed, "version", "editor"])
        _touch(round_.session)
        return hand


def preview_round(round_: Round) -> RoundScore:
    """What the open round comes to with the hands as they stand; nothing is written.

    Raises:
        ValueError: something is missing or wrong (the engine's error names the player and the row).
    """
    return _score(round_.session, list(round_.hands.all()))


def record_round(round_: Round, user: User) -> Round:
    """Score the open round into the book. A second tap, or a retry after a lost answer, returns the first result.

    Raises:
        ValueError: something is missing or wrong (the engine's error names the player and the row).
        LedgerError: the session is closed, or an amount would not fit the book.
    """
    with transaction.atomic():
        round_ = _lock_round(round_)
        if not round_.is_open:
            return round_
        session = _lock_open(round_.session)
        hands = list(round_.hands.select_related("player"))
        score = _score(session, hands)
        _refuse_too_large(score)
        _keep_score(round_, session, hands, score, user)
        _post(
            session,
            Entry.Kind.ROUND,
            {player.who: player.net for player in score.players} | ({None: score.house} if score.house else {}),
            user,
            round_=round_,
        )
        return round_


def void_round(round_: Round, user: User, reason: str = "") -> Round:
    """Take a scored round out of the sums; it stays visible with who, when and why. Voiding it again changes nothing.

    Raises:
        LedgerError: the session is closed, or the round is still open.
    """
    return _flip(round_, Round.State.SCORED, Round.State.VOIDED, user, reason)


def restore_round(round_: Round, user: User) -> Round:
    """Put a voided round back into the sums. Restoring it again changes nothing.

    Raises:
        LedgerError: the session is closed, or the round is still open.
    """
    return _flip(round_, Round.State.VOIDED, Round.State.SCORED, user, "")


def _flip(round_: Round, before: str, after: str, user: User, reason: str) -> Round:
    with transaction.atomic():
        round_ = _lock_round(round_)
        session = _lock_open(round_.session)
        if round_.is_open:
            raise LedgerError(_("Round %(number)s is not scored yet.") % {"number": round_.number})
        if round_.state != before:
            return round_
        _reverse(round_.entries.get(reversed_by=None), user, note=reason)
        voided = after == Round.State.VOIDED
        round_.state = after
        round_.voided_at = timezone.now() if voided else None
        round_.voided_by = user if voided else None
        round_.void_reason = reason
        round_.save(update_fields=["state", "voided_at", "voided_by", "void_reason"])
        _touch(session)
        return round_


def _seat(round_: Round, players: Sequence[Player]) -> None:
    seated = set(round_.session.seats.values_list("player_id", flat=True))
    if not 2 <= len(players) <= 4 or len({player.pk for player in players}) != len(players):
        raise LedgerError(_("Two, three or four different players hold cards in a round."))
    for player in players:
        if player.pk not in seated:
            raise LedgerError(_("%(player)s has no seat in this session.") % {"player": player})
    for position, player in enumerate(players):
        Hand.objects.update_or_create(
            round=round_, player=player, defaults={"position": position}, create_defaults={"position": position, "club_id": round_.club_id}
        )


def _score(session: Session, hands: Sequence[Hand]) -> RoundScore:
    here = {hand.player_id for hand in hands}
    pairs = session.pair_stakes.filter(a__in=here, b__in=here)
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    return score_round([hand.as_input() for hand in hands], session.ruleset, session.stake, stakes)


def _refuse_too_large(score: RoundScore) -> None:
    if any(abs(player.money) > LARGEST_AMOUNT for player in score.players):
        raise LedgerError(_("The amounts of this round are too large for the book. Lower the stake."))


def _keep_score(round_: Round, session: Session, hands: Sequence[Hand], score: RoundScore, user: User) -> None:
    round_.state = Round.State.SCORED
    round_.ruleset_fields = session.ruleset_fields
    round_.stake = session.stake
    round_.fee = score.house
    round_.scored_at = timezone.now()
    round_.scored_by = user
    round_.save()
    for hand, player in zip(hands, score.players, strict=True):
        hand.status, hand.natural, hand.is_super = player.status, player.natural or "", player.super
        hand.points, hand.money, hand.fee, hand.net = player.points, player.money, player.fee, player.net
    Hand.objects.bulk_update(hands, ["status", "natural", "is_super", "points", "money", "fee", "net"])
    PairScore.objects.bulk_create(
        PairScore(
            round=round_,
            club_id=round_.club_id,
            a_id=pair.a,
            b_id=pair.b,
            **(pair.rows or {}),
            row_points=pair.row_points,
            multiplier=pair.multiplier,
            extra=pair.extra,
            bonus=pair.bonus,
            points=pair.points,
            stake=pair.stake,
            money=pair.money,
        )
        for pair in score.pairs
    )


# ---------------------------------------------------------------- payments


def record_payment(
    session: Session, payer: Player | None, payee: Player | None, amount: int, key: uuid.UUID, user: User
) -> Entry:
    """Write down that `payer` gave `payee` `amount`; None is the house. `key` came with the form: once is enough.

    Raises:
        LedgerError: payer and payee are the same, the amount is not positive, or more than is open between the two.
    """
    if payer == payee:
        raise LedgerError(_("Nobody pays himself."))
    if amount <= 0:
        raise LedgerError(_("Enter an amount above 0."))
    with transaction.atomic():
        session = _lock(session)
        known = session.entries.filter(key=key).first()
        if known:
            return known
        payer_key, payee_key = (player.pk if player else None for player in (payer, payee))
        _refuse_overpayment(session, payer_key, payee_key, amount)
        return _post(session, Entry.Kind.PAYMENT, {payer_key: amount, payee_key: -amount}, user, key=key)


def reverse_payment(entry: Entry, user: User) -> Entry:
    """Take back a payment by a counter entry; taking it back again returns the first counter entry.

    Raises:
        LedgerError: the entry is no payment.
    """
    if entry.kind != Entry.Kind.PAYMENT:
        raise LedgerError(_("Only a payment can be taken back here."))
    with transaction.atomic():
        session = _lock(entry.session)
        known = Entry.objects.filter(reverses=entry).first()
        if known:
            return known
        _touch(session)
        return _reverse(entry, user)


def _refuse_overpayment(session: Session, payer: int | None, payee: int | None, amount: int) -> None:
    """A payment moves both sides towards nought, never past it."""
    balances = settlement(session).balances
    rest = max(0, min(-balances.get(payer, 0), balances.get(payee, 0)))
    if amount > rest:
        message = _("Only %(rest)s is open between the two. Enter that or less.")
        raise LedgerError(message % {"rest": format_amount(rest, session.currency)})


# ---------------------------------------------------------------- sessions


def close_session(session: Session, user: User) -> Session:
    """End the evening; a room fee on the evening (RULES 7) is taken now. Closing it again changes nothing.

    Raises:
        LedgerError: a round is still open.
    """
    with transaction.atomic():
        session = _lock(session)
        if not session.is_open:
            return session
        unfinished = session.rounds.filter(state=Round.State.OPEN).first()
        if unfinished:
            raise LedgerError(
                _("Round %(number)s is still open. Score it or discard it first.") % {"number": unfinished.number}
            )
        fees = fee_due(session)
        if fees:
            amounts: dict[int | None, int] = {player: -fee for player, fee in fees.items()}
            _post(session, Entry.Kind.FEE, amounts | {None: sum(fees.values())}, user)
        session.closed_at, session.closed_by = timezone.now(), user
        session.save(update_fields=["closed_at", "closed_by"])
        _touch(session)
        return session


def reopen_session(session: Session, user: User) -> Session:
    """Take up a closed evening again; a fee taken at its end is given back until it is closed anew."""
    with transaction.atomic():
        session = _lock(session)
        if session.is_open:
            return session
        for fee in session.entries.filter(kind=Entry.Kind.FEE, reversed_by=None):
            _reverse(fee, user)
        session.closed_at = session.closed_by = None
        session.save(update_fields=["closed_at", "closed_by"])
        _touch(session)
        return session


# ---------------------------------------------------------------- sums


@dataclass(frozen=True)
class Payment:
    """A payment that stands: its entry, who gave and who got (None is the house), minor units."""

    entry: Entry
    payer: int | None
    payee: int | None
    amount: int


@dataclass(frozen=True)
class Settlement:
    """Who still owes whom. Keys are players' keys, None the house; minor units, a claim is positive.

    `won` is before payments, `balances` after them; both hold the fee of the evening, taken or still to be taken.
    """

    won: dict[int | None, int]
    balances: dict[int | None, int]
    plan: Plan
    payments: tuple[Payment, ...]


def totals(session: Session) -> dict[int | None, int]:
    """What each player has won so far, the room fees to the house (None) included; payments are no winnings."""
    return _sums(session.lines.exclude(is_payment()))


def fee_due(session: Session) -> dict[int, int]:
    """The room fee of the evening by player, where it is taken at settle-up and was not taken yet (RULES 7)."""
    if not session.takes_fee_at_end or not session.is_open:
        return {}
    won = _sums(session.lines.filter(entry__round__isnull=False))
    fees = {player: room_fee(amount, session.ruleset) for player, amount in won.items() if player is not None}
    return {player: fee for player, fee in fees.items() if fee}


def settlement(session: Session) -> Settlement:
    """Everything the settle-up page tells, in four queries whatever the number of rounds."""
    fees = fee_due(session)
    due = {None: sum(fees.values())} | {player: -fee for player, fee in fees.items()}
    won = _added(totals(session), due)
    payments = tuple(_payments(session))
    balances = dict(won)
    for payment in payments:
        balances[payment.payer] = balances.get(payment.payer, 0) + payment.amount
        balances[payment.payee] = balances.get(payment.payee, 0) - payment.amount
    order = list(session.seats.values_list("player_id", flat=True))
    return Settlement(won, balances, settle(balances, [*order, None]), payments)


def room_fee(net_win: int, ruleset: Ruleset) -> int:
    """The fee on a net win, rounded down to a whole minor unit, exactly (RULES 7); nought on a loss."""
    return int(max(net_win, 0) * ruleset.room_fee_percent // 100)


def _payments(session: Session) -> Iterable[Payment]:
    entries = session.entries.filter(kind=Entry.Kind.PAYMENT, reversed_by=None)
    for entry in entries.select_related("created_by").prefetch_related("lines"):
        payer, payee = sorted(entry.lines.all(), key=lambda line: -line.amount)
        yield Payment(entry, payer.player_id, payee.player_id, payer.amount)


def _sums(lines: QuerySet[Line]) -> dict[int | None, int]:
    return dict(lines.order_by().values_list("player").annotate(Sum("amount")))


def is_payment() -> Q:
    """The lines that come from payments, and from payments taken back: no winnings."""
    return Q(entry__kind=Entry.Kind.PAYMENT) | Q(entry__reverses__kind=Entry.Kind.PAYMENT)


def _added(amounts: Mapping[int | None, int], more: Mapping[int | None, int]) -> dict[int | None, int]:
    return {who: amounts.get(who, 0) + more.get(who, 0) for who in amounts.keys() | more.keys()}


# ---------------------------------------------------------------- the pen


def _lock(session: Session) -> Session:
    return Session.objects.select_for_update().get(pk=session.pk)


def _lock_open(session: Session) -> Session:
    session = _lock(session)
    if not session.is_open:
        raise LedgerError(_("This session is closed. Reopen it to change anything."))
    return session


def _lock_round(round_: Round) -> Round:
    session = _lock(round_.session)
    locked = Round.objects.select_for_update().get(pk=round_.pk)
    locked.session = session
    return locked


def _touch(session: Session) -> None:
    """Count a write, so that pages drawn before it can tell."""
    Session.objects.filter(pk=session.pk).update(version=F("version") + 1)


def _post(
    session: Session,
    kind: str,
    amounts: Mapping[int | None, int],
    user: User,
    *,
    round_: Round | None = None,
    key: uuid.UUID | None = None,
    reverses: Entry | None = None,
    note: str = "",
) -> Entry:
    """Write one entry with a line for each of `amounts` (by player's key, None the house), which must sum to zero."""
    gap = sum(amounts.values())
    if gap:
        raise AssertionError(f"an entry must sum to zero, this {kind} is off by {gap:+}")
    entry = Entry.objects.create(
        session=session,
        club_id=session.club_id,
        kind=kind,
        round=round_,
        reverses=reverses,
        key=key or uuid.uuid4(),
        note=note,
        created_by=user,
    )
    Line.objects.bulk_create(
        Line(entry=entry, session=session, club_id=session.club_id, player_id=player, amount=amount)
        for player, amount in amounts.items()
    )
    _touch(session)
    return entry


def _reverse(entry: Entry, user: User, note: str = "") -> Entry:
    amounts = {line.player_id: -line.amount for line in entry.lines.all()}
    return _post(entry.session, Entry.Kind.REVERSAL, amounts, user, round_=entry.round, reverses=entry, note=note)
