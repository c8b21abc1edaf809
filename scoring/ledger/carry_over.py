"""What is open of closed evenings, carried over into the book of their club, and taken back from it.

A carry-over is a pair of entries: one in the book of the evening that brings every balance there to zero, and its
counterpart in the club's book with the opposite amounts. While it stands nothing else is written in the evening's book.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.change_log import log_change, told_amounts
from scoring.ledger.book import LARGEST_TOTAL, Book, ClubBook, LedgerError, lock_book, lock_session, post, reverse
from scoring.ledger.sums import balances
from scoring.models import Change, Entry, Session


def carry_over(session: Session, user: User) -> Entry:
    """Carry what is open of a closed evening over to its club; gives the entry in the evening's book.

    Carrying it over again changes nothing.

    Raises:
        LedgerError: the evening is open, or nothing is open of it, or its book or the club's cannot take it.
    """
    (entry,) = carry_all_over([session], user)
    return entry


def carry_all_over(sessions: Sequence[Session], user: User) -> list[Entry]:
    """The same for several evenings of one club, all or none of them; gives the entries in the order of their keys."""
    with transaction.atomic():
        held = [lock_session(pk) for pk in sorted({session.pk for session in sessions})]
        if len({session.club_id for session in held}) > 1:
            raise AssertionError("evenings of several clubs are not carried over together")
        return [standing_carry_over(session) or _carry_over(session, user) for session in held]


def take_back_carry_over(entry: Entry, user: User) -> Entry:
    """Take a carry-over back into its evening by a counter entry in either book; gives the one in the evening's.

    What has been paid of it in the club meanwhile stays paid there. Taking it back again changes nothing.

    Raises:
        LedgerError: `entry` is no carry-over of an evening.
    """
    if entry.kind != Entry.Kind.CARRY_OVER or entry.session is None:
        raise LedgerError(_("Only what was carried over from an evening can be taken back here."))
    with transaction.atomic():
        session = lock_session(entry.session.pk)
        known = Entry.objects.filter(reverses=entry).first()
        return known or take_back(session, entry, user)


def standing_carry_over(session: Session) -> Entry | None:
    """The entry that carries what was open of the evening over to the club, as long as it is not taken back."""
    return session.entries.filter(kind=Entry.Kind.CARRY_OVER, reversed_by=None).first()


def carried_over(sessions: Iterable[Session]) -> set[int]:
    """The keys of those evenings that are carried over, from one query."""
    standing = Entry.objects.filter(session__in=sessions, kind=Entry.Kind.CARRY_OVER, reversed_by=None)
    return {session for session in standing.values_list("session_id", flat=True) if session}


def taken_back_after_payments(book: ClubBook) -> QuerySet[Session]:
    """The evenings that were carried over into a club's book and taken back when payments had been made there, and that
    are not carried over again yet: what was paid of them stands in the one book, what it was paid for in the other."""
    payments = book.entries.filter(
        kind=Entry.Kind.PAYMENT, reversed_by=None, pk__gt=OuterRef("pk"), pk__lt=OuterRef("reversed_by")
    )
    taken_back = book.entries.filter(Exists(payments), kind=Entry.Kind.CARRY_OVER).values("carries__session")
    standing = book.entries.filter(kind=Entry.Kind.CARRY_OVER, reversed_by=None).values("carries__session")
    return book.club.sessions.filter(pk__in=taken_back).exclude(pk__in=standing)


def require_not_carried(book: Book) -> None:
    """Raises LedgerError where the book is that of an evening that is carried over: it is paid in the club's book."""
    if isinstance(book, Session) and not book.is_open and standing_carry_over(book):
        raise LedgerError(
            _("What was open of this evening was carried over to the club. Settle it there, or take it back first.")
        )


def take_back(session: Session, entry: Entry, user: User) -> Entry:
    """Take back the standing carry-over `entry` of a locked session."""
    club = lock_book(ClubBook(session.club, entry.currency))
    reverse(club, entry.carried_by, user)
    back = reverse(session, entry, user)
    log_change(
        session,
        Change.Kind.CARRY_OVER,
        "taken back",
        user,
        old=told_amounts(session.currency, entry.carried_by.amounts),
    )
    return back


def _carry_over(session: Session, user: User) -> Entry:
    club = lock_book(ClubBook(session.club, session.currency))
    open_amounts = _open_amounts(session)
    _refuse_too_large(club, open_amounts)
    entry = post(session, Entry.Kind.CARRY_OVER, {who: -amount for who, amount in open_amounts.items()}, user)
    post(club, Entry.Kind.CARRY_OVER, open_amounts, user, carries=entry)
    log_change(session, Change.Kind.CARRY_OVER, "carried over", user, new=told_amounts(session.currency, open_amounts))
    return entry


def _open_amounts(session: Session) -> dict[int | None, int]:
    """The balances of a closed evening that are not zero."""
    day = {"day": date_format(session.date, "j M Y")}
    if session.is_open:
        raise LedgerError(_("The evening of %(day)s is not closed yet. Nothing was carried over.") % day)
    amounts = {who: amount for who, amount in balances(session).items() if amount}
    if sum(amounts.values()):
        raise LedgerError(_("The book of the evening of %(day)s does not add up. Nothing was carried over.") % day)
    if not amounts:
        raise LedgerError(_("Nothing is open of the evening of %(day)s any more. Nothing was carried over.") % day)
    return amounts


def _refuse_too_large(club: Book, amounts: Mapping[int | None, int]) -> None:
    held = balances(club)
    if any(abs(held.get(who, 0) + amount) > LARGEST_TOTAL for who, amount in amounts.items()):
        raise LedgerError(_("The amounts are too large for the club's book. Settle this evening by itself."))
