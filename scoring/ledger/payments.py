"""Payments: written down once, taken back by a counter entry."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

from scoring.change_log import log_change
from scoring.ledger.book import Book, LedgerError, StaleError, book_of, lock_book, post, reverse
from scoring.ledger.carry_over import require_not_carried
from scoring.ledger.sums import settlement
from scoring.models import Change, Entry, Line, Player, Session
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
    book: Book,
    payer: Player | None,
    payee: Player | None,
    amount: int,
    key: uuid.UUID,
    user: User,
    *,
    direct: bool = False,
) -> Entry:
    """Write down, in an evening's book or in the club's, that `payer` gave `payee` `amount`; None is the house.

    `key` came with the form: once is enough. `direct` where the plan that it was taken from is that of direct debts.

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
        rest = _open_amount(book, payer_key, payee_key, direct)
        if amount > rest:
            raise OverpaymentError(rest, book.currency)
        entry = post(book, Entry.Kind.PAYMENT, amounts, user, key=key)
        log_payment(book, "recorded", user, new=payment_told(book, payer, payee, amount))
        return entry


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
        prefetch_related_objects([entry], Prefetch("lines", Line.objects.select_related("player")))
        payer, payee = sorted(entry.lines.all(), key=lambda line: -line.amount)
        log_payment(book, "taken back", user, old=payment_told(book, payer.player, payee.player, payer.amount))
        return reverse(book, entry, user)


def payment_told(book: Book, payer: Player | None, payee: Player | None, amount: int) -> dict[str, str | int | None]:
    """A payment as the change log tells it: names as they are now, None the house, minor units."""
    return {
        "payer": payer.name if payer else None,
        "payee": payee.name if payee else None,
        "amount": amount,
        "currency": book.currency,
    }


def log_payment(book: Book, action: str, user: User, *, old: Any = None, new: Any = None) -> None:
    """Write into the change log of the evening, or of the club, what was done to payments told by `payment_told`."""
    about = book if isinstance(book, Session) else book.club
    log_change(about, Change.Kind.PAYMENT, action, user, old=old, new=new)


def _open_amount(book: Book, payer: int | None, payee: int | None, direct: bool) -> int:
    transfers = settlement(book, direct=direct).plan.transfers
    return sum(transfer.amount for transfer in transfers if (transfer.payer, transfer.payee) == (payer, payee))


def _refuse_other(known: Entry, amounts: Mapping[int | None, int]) -> None:
    """The same form may arrive twice, but not with other contents, and not to revive what was taken back."""
    if Entry.objects.filter(reverses=known).exists():
        raise StaleError(
            _("This payment has been taken back meanwhile. Nothing was recorded; look at what is open now.")
        )
    if (known.kind, known.amounts) != (Entry.Kind.PAYMENT, amounts):
        raise StaleError(
            _("Another payment between the two has been recorded meanwhile. Yours was not; look at what is open now.")
        )
