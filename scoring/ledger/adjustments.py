"""Adjustments by hand: drinks, a forgotten debt, a cash-in. They count for the balance and are no winnings."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.change_log import log_change, told_amounts
from scoring.ledger.book import (
    LARGEST_TOTAL,
    LedgerError,
    StaleError,
    lock_session,
    post,
    require_open,
    reverse,
)
from scoring.ledger.carry_over import require_not_carried
from scoring.ledger.sums import before_payments
from scoring.models import Change, Entry, Session
from scoring.money import format_money


class GapError(LedgerError):
    """Amounts that do not sum to zero; `gap` is what they come to, in minor units."""

    def __init__(self, gap: int, currency: str) -> None:
        self.gap = gap
        message = (
            _("The amounts come to %(gap)s instead of 0: %(rest)s has to come off somewhere.")
            if gap > 0
            else _("The amounts come to %(gap)s instead of 0: %(rest)s has to go to somebody.")
        )
        super().__init__(
            message % {"gap": format_money(gap, currency, signed=True), "rest": format_money(abs(gap), currency)}
        )


def record_adjustment(
    session: Session, amounts: Mapping[int | None, int], note: str, key: uuid.UUID, user: User
) -> Entry:
    """Write amounts into the book of an open evening by hand: by player's key, None the house; who gets is positive.

    Amounts of nought are left out. `key` came with the form: a second arrival returns the first entry.

    Raises:
        GapError: the amounts do not sum to zero.
        StaleError: `key` was used for something else, or for an adjustment that has been taken back since.
        LedgerError: there are no amounts, or some too large, or of players without a seat; or the evening is closed.
    """
    amounts = {who: amount for who, amount in amounts.items() if amount}
    with transaction.atomic():
        session = lock_session(session.pk)
        known = session.entries.filter(key=key).first()
        if known:
            _refuse_other(known, amounts, note)
            return known
        require_open(session)
        require_not_carried(session)
        _refuse_unfit(session, amounts)
        entry = post(session, Entry.Kind.ADJUSTMENT, amounts, user, key=key, note=note)
        _log(session, "recorded", user, new=_told(session, amounts, note))
        return entry


def reverse_adjustment(entry: Entry, user: User) -> Entry:
    """Take back an adjustment by a counter entry; taking it back again returns the first counter entry.

    Raises:
        LedgerError: the entry is no adjustment, or its evening is closed.
    """
    if entry.kind != Entry.Kind.ADJUSTMENT or entry.session_id is None:
        raise LedgerError(_("Only an adjustment can be taken back here."))
    with transaction.atomic():
        session = lock_session(entry.session_id)
        known = Entry.objects.filter(reverses=entry).first()
        if known:
            return known
        require_open(session)
        require_not_carried(session)
        _log(session, "taken back", user, old=_told(session, entry.amounts, entry.note))
        return reverse(session, entry, user)


def split_equally(amount: int, sharers: Sequence[int], lot: uuid.UUID) -> dict[int, int]:
    """`amount` in equal shares by player's key. What cannot be shared, less than a unit each, falls on as many of them
    as it has units, from the one whom `lot` picks onwards: fair in the long run, and the same for the same form."""
    share, odd = divmod(amount, len(sharers))
    first = lot.int % len(sharers)
    bears_more = {sharers[(first + step) % len(sharers)] for step in range(odd)}
    return {sharer: share + (sharer in bears_more) for sharer in sharers}


def _refuse_unfit(session: Session, amounts: Mapping[int | None, int]) -> None:
    if not amounts:
        raise LedgerError(_("Enter who gets and who pays how much."))
    gap = sum(amounts.values())
    if gap:
        raise GapError(gap, session.currency)
    seated = set(session.seats.values_list("player_id", flat=True))
    if not amounts.keys() <= {*seated, None}:
        raise LedgerError(_("Only those who have a seat in this evening, and the house, can get or pay something."))
    gained = before_payments(session)
    sums = [gained.get(who, 0) + amount for who, amount in amounts.items()]
    if any(abs(amount) > LARGEST_TOTAL for amount in (*sums, *amounts.values())):
        raise LedgerError(_("These amounts are too large for the book."))


def _refuse_other(known: Entry, amounts: Mapping[int | None, int], note: str) -> None:
    """The same form may arrive twice, but not with other contents, and not to revive what was taken back."""
    if Entry.objects.filter(reverses=known).exists():
        raise StaleError(_("This has been taken back meanwhile. Nothing was recorded; begin with a new page."))
    if (known.kind, known.note, known.amounts) != (Entry.Kind.ADJUSTMENT, note, amounts):
        raise StaleError(_("This page has recorded something else already. Nothing more was recorded; see the list."))


def _log(session: Session, action: str, user: User, **sides: Any) -> None:
    log_change(session, Change.Kind.ADJUSTMENT, action, user, **sides)


def _told(session: Session, amounts: Mapping[int | None, int], note: str) -> dict[str, Any]:
    """An adjustment for the change log."""
    return {"note": note, **told_amounts(session.currency, amounts)}
