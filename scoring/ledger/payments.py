"""Payments: written down once, taken back by a counter entry."""

import uuid
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.ledger.book import Book, LedgerError, StaleError, book_of, lock_book, post, reverse
from scoring.ledger.carry_over import require_not_carried
from scoring.ledger.sums import settlement
from scoring.models import Entry, Player
from scoring.money import format_money


class OverpaymentError(LedgerError):
    """A payment of more than the plan has open between the two; `rest` is what is open, in minor units."""

    def __init__(self, rest: int, currency: str) -> None:
        self.rest = rest
        message = (
            _("At most %(rest)s is open between the two.")
            if rest
            else _("Nothing is open between the two any more. Nothing was recorded.")
        )
        super().__init__(message % {"rest": format_money(rest, currency)})


def record_payment(
    book: Book, payer: Player | None, payee: Player | None, amount: int, key: uuid.UUID, user: User
) -> Entry:
    """Write down, in an evening's book or in the club's, that `payer` gave `payee` `amount`; None is the house.

    `key` came with the form: once is enough.

    Raises:
        StaleError: `key` was used for a payment of another amount or since taken back.
        OverpaymentError: more than is open between the two by the plan, so that its other rows stay as they are.
        LedgerError: payer and payee are the same, the amount is not positive, or the evening is carried over.
    """
    if payer == payee:
        raise LedgerError(_("Nobody pays himself."))
    if amount <= 0:
        raise LedgerError(_("Enter an amount above 0."))
    payer_key, payee_key = (player.pk if player else None for player in (payer, payee))
    amounts = {payer_key: amount, payee_key: -amount}
    with transaction.atomic():
        book = lock_book(book)
        known = book.entries.filter(key=key).first()
        if known:
            _refuse_other(known, amounts)
            return known
        require_not_carried(book)
        rest = _open_amount(book, payer_key, payee_key)
        if amount > rest:
            raise OverpaymentError(rest, book.currency)
        return post(book, Entry.Kind.PAYMENT, amounts, user, key=key)


def reverse_payment(entry: Entry, user: User) -> Entry:
    """Take back a payment by a counter entry; taking it back again returns the first counter entry.

    Raises:
        LedgerError: the entry is no payment, or one of an evening that was carried over since.
    """
    if entry.kind != Entry.Kind.PAYMENT:
        raise LedgerError(_("Only a payment can be taken back here."))
    with transaction.atomic():
        book = lock_book(book_of(entry))
        known = Entry.objects.filter(reverses=entry).first()
        if known:
            return known
        require_not_carried(book)
        return reverse(book, entry, user)


def _open_amount(book: Book, payer: int | None, payee: int | None) -> int:
    transfers = settlement(book).plan.transfers
    return sum(transfer.amount for transfer in transfers if (transfer.payer, transfer.payee) == (payer, payee))


def _refuse_other(known: Entry, amounts: Mapping[int | None, int]) -> None:
    """The same form may arrive twice, but not with other contents, and not to revive what was taken back."""
    if Entry.objects.filter(reverses=known).exists():
        raise StaleError(
            _("This payment has been taken back meanwhile. Nothing was recorded; look at what is open now.")
        )
    if {line.player_id: line.amount for line in known.lines.all()} != amounts:
        raise StaleError(
            _("Another payment between the two has been recorded meanwhile. Yours was not; look at what is open now.")
        )
