"""The end of an evening, and taking it up again."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.change_log import log_change
from scoring.ledger.book import LedgerError, keep_open_balances, lock_session, post, reverse, touch
from scoring.ledger.carry_over import standing_carry_over, take_back
from scoring.ledger.sums import fee_due
from scoring.ledger.tallies import drop_tallies, keep_tallies
from scoring.models import Change, Entry, Round, Session


def close_session(session: Session, user: User) -> Session:
    """End the evening; a room fee on the evening (RULES 7) is taken now. Closing it again changes nothing.

    A round that was opened and left untouched goes with it.

    Raises:
        LedgerError: a round is open in which something was entered.
    """
    with transaction.atomic():
        session = lock_session(session.pk)
        if not session.is_open:
            return session
        _drop_untouched_round(session)
        fees = fee_due(session)
        if fees:
            amounts: dict[int | None, int] = {player: -fee for player, fee in fees.items()}
            post(session, Entry.Kind.FEE, amounts | {None: sum(fees.values())}, user)
        session.closed_at, session.closed_by = timezone.now(), user
        session.save(update_fields=["closed_at", "closed_by"])
        keep_open_balances([session.pk])
        keep_tallies(session)
        fee = {"fee": sum(fees.values()), "currency": session.currency} if fees else None
        log_change(session, Change.Kind.SESSION, "closed", user, new=fee)
        touch(session)
        return session


def reopen_session(session: Session, user: User) -> Session:
    """Take up a closed evening again; a fee taken at its end is given back until it is closed anew.

    What was carried over to the club comes back too, instead of a refusal: who reopens an evening wants to put it
    right, and what is wrong in it is wrong in the club's book as well. Payments made in the club stay there and count
    against what is carried over when the evening is closed again.
    """
    with transaction.atomic():
        session = lock_session(session.pk)
        if session.is_open:
            return session
        carried = standing_carry_over(session)
        if carried:
            take_back(session, carried, user)
        for fee in session.entries.filter(kind=Entry.Kind.FEE, reversed_by=None):
            reverse(session, fee, user)
        drop_tallies(session)
        session.closed_at = session.closed_by = None
        session.save(update_fields=["closed_at", "closed_by"])
        keep_open_balances([session.pk])
        log_change(session, Change.Kind.SESSION, "reopened", user)
        touch(session)
        return session


def _drop_untouched_round(session: Session) -> None:
    unfinished = session.rounds.filter(state=Round.State.OPEN).first()
    if unfinished is None:
        return
    if unfinished.set_aside or any(hand.set_aside or not hand.is_empty for hand in unfinished.hands.all()):
        message = _("Round %(number)s is still open. Score it or discard it first.")
        raise LedgerError(message % {"number": unfinished.number})
    unfinished.delete()
