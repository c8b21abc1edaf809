"""All that is open, paid at one tap: one payment for each row of the plan, in one transaction, taken back as one."""

import uuid

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.ledger.book import Book, LedgerError, StaleError, lock_book, post
from scoring.ledger.carry_over import require_not_carried
from scoring.ledger.payments import log_payment, payment_told, reverse_payment
from scoring.ledger.sums import Settlement, settlement
from scoring.models import Entry, Player

_ALL_PAID = uuid.UUID("0b6d0e5f-6f7c-4a0e-8a35-54d9f1c1a6e2")  # the name space of the keys of all that is open


def all_paid_key(settlement: Settlement) -> uuid.UUID:
    """The key of paying all that is open: two pages that show the same rows carry the same key, any others do not."""
    rows = [f"{claim.key} {claim.open}" for claim in settlement.claims if claim.open]
    return uuid.uuid5(_ALL_PAID, "\n".join(rows))


def record_all_paid(book: Book, key: uuid.UUID, user: User, *, direct: bool = False) -> list[Entry]:
    """Write down that every row of the plan was paid, all of them or none. `key` is the page's `all_paid_key`.

    A second tap returns the payments of the first. `direct` where the plan is that of direct debts.

    Raises:
        StaleError: something else is open by now than on the page, or what it recorded has been taken back since.
        LedgerError: the evening is carried over.
    """
    with transaction.atomic():
        book = lock_book(book)
        known = list(book.entries.filter(batch=key))
        if known:
            _refuse_taken_back(known)
            return known
        require_not_carried(book)
        due = settlement(book, direct=direct)
        if key != all_paid_key(due) or not due.plan.transfers:
            raise StaleError(_("What is open has changed meanwhile. Nothing was recorded; look at what is open now."))
        return _pay_all(book, due, key, user)


def reverse_all_paid(book: Book, key: uuid.UUID, user: User) -> list[Entry]:
    """Take back exactly the payments that one tap recorded, those that still stand; doing it again changes nothing.

    Raises:
        LedgerError: no payment was recorded by that tap, or the evening is carried over since.
    """
    with transaction.atomic():
        book = lock_book(book)
        payments = list(book.entries.filter(batch=key).order_by("pk"))
        if not payments:
            raise LedgerError(_("Nothing was recorded by that tap."))
        return [reverse_payment(payment, user) for payment in payments]


def _pay_all(book: Book, due: Settlement, key: uuid.UUID, user: User) -> list[Entry]:
    named: dict[int | None, Player] = {**Player.objects.in_bulk([who for who in due.balances if who])}
    payments = []
    for claim in due.claims:
        if claim.open:
            amounts = {claim.payer: claim.open, claim.payee: -claim.open}
            payments.append(post(book, Entry.Kind.PAYMENT, amounts, user, key=claim.key, batch=key))
            told = payment_told(book, named.get(claim.payer), named.get(claim.payee), claim.open)
            log_payment(book, "recorded", user, new=told)
    return payments


def _refuse_taken_back(payments: list[Entry]) -> None:
    if Entry.objects.filter(reverses__in=payments).exists():
        raise StaleError(
            _("These payments have been taken back meanwhile. Nothing was recorded; look at what is open now.")
        )
