"""How the book is written: the lock that comes first, the entries that only add up, the count of writes.

There is a book for every evening, and one of the club for each currency; what holds for both takes a `Book`.

**Order of locks.** Who writes in more than one book locks the rows of the sessions first, by their keys, and the row of
the club last. Whoever holds the club's row never waits for a session's, so that two writers cannot wait for each other.
"""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import F, QuerySet, Sum
from django.utils.translation import gettext as _

from scoring.models import Club, Entry, Line, OpenBalance, Round, Session

# The most that a player may have won or lost in an evening, in minor units. The database adds up in 64 bits, which
# leaves room for more than ninety such evenings of one player in a sum.
LARGEST_TOTAL = 10**17


class LedgerError(Exception):
    """Something that the book does not allow; the message says to a person what and why."""


class StaleError(LedgerError):
    """Somebody else changed it since the form was drawn; nothing was written."""


@dataclass(frozen=True)
class ClubBook:
    """The book of a club in one currency: what was carried over from evenings, and what was paid of it since."""

    club: Club
    currency: str

    @property
    def club_id(self) -> int:
        return self.club.pk

    @property
    def entries(self) -> QuerySet[Entry]:
        return Entry.objects.filter(club=self.club, session=None, currency=self.currency)

    @property
    def lines(self) -> QuerySet[Line]:
        return Line.objects.filter(club=self.club, session=None, entry__currency=self.currency)


Book = Session | ClubBook


def book_of(entry: Entry) -> Book:
    """The book that an entry stands in."""
    return entry.session or ClubBook(entry.club, entry.currency)


def lock_book(book: Book) -> Book:
    """The book as it stands, held until the transaction ends. A session's is to be locked before that of its club."""
    if isinstance(book, Session):
        return lock_session(book.pk)
    # Rows that name the club may still be added meanwhile: only its own book waits.
    return ClubBook(Club.objects.select_for_update(no_key=True).get(pk=book.club_id), book.currency)


def lock_session(pk: int) -> Session:
    """The session as it stands, held until the transaction ends.

    On SQLite the transaction itself is the lock: it is IMMEDIATE, there is only one writer at a time.
    """
    return Session.objects.select_for_update().get(pk=pk)


def require_open(session: Session) -> None:
    """Raises LedgerError where the session is closed."""
    if not session.is_open:
        raise LedgerError(_("This session is closed. Reopen it to change anything."))


def require_unscored(round_: Round) -> None:
    """Raises LedgerError where the round is not open any more."""
    if not round_.is_open:
        raise LedgerError(_("Round %(number)s is scored already.") % {"number": round_.number})


def lock_round(round_: Round) -> Round:
    """The round as it stands, its `session` held until the transaction ends.

    Raises:
        StaleError: the round was open and has been discarded meanwhile.
    """
    session = lock_session(round_.session_id)
    locked = session.rounds.filter(pk=round_.pk).first()
    if locked is None:
        raise StaleError(_("Round %(number)s was discarded on another device.") % {"number": round_.number})
    return locked


def touch(session: Session) -> None:
    """Count a write to a locked session, so that pages drawn before it can tell."""
    session.version += 1
    session.save(update_fields=["version"])


def touch_open_sessions(club: Club) -> None:
    """Count a change that every page of the club's open evenings shows, such as a name."""
    Session.objects.filter(club=club, closed_at=None).update(version=F("version") + 1)


def keep_open_balances(sessions: Collection[int]) -> None:
    """Keep what is open of the closed ones of `sessions` (keys), as their lines say now, and nothing of the others."""
    OpenBalance.objects.filter(session__in=sessions).delete()
    lines = Line.objects.filter(session__in=sessions, session__closed_at__isnull=False).order_by()
    balances = lines.values_list("session_id", "club_id", "player_id").annotate(open=Sum("amount")).exclude(open=0)
    OpenBalance.objects.bulk_create(
        OpenBalance(session_id=session, club_id=club, player_id=player, amount=amount)
        for session, club, player, amount in balances
    )


def post(
    book: Book,
    kind: str,
    amounts: Mapping[int | None, int],
    user: User,
    *,
    round_: Round | None = None,
    key: uuid.UUID | None = None,
    reverses: Entry | None = None,
    carries: Entry | None = None,
    batch: uuid.UUID | None = None,
    note: str = "",
) -> Entry:
    """Write one entry with a line for each of `amounts` (by player's key, None the house), which must sum to zero."""
    gap = sum(amounts.values())
    if gap:
        raise AssertionError(f"an entry must sum to zero, this {kind} is off by {gap:+}")
    session = book if isinstance(book, Session) else None
    entry = Entry.objects.create(
        session=session,
        club_id=book.club_id,
        currency=book.currency,
        kind=kind,
        round=round_,
        reverses=reverses,
        carries=carries,
        batch=batch,
        key=key or uuid.uuid4(),
        note=note,
        created_by=user,
    )
    Line.objects.bulk_create(
        Line(entry=entry, session=session, club_id=book.club_id, player_id=player, amount=amount)
        for player, amount in amounts.items()
    )
    if session:
        touch(session)
        if not session.is_open:
            keep_open_balances([session.pk])
    return entry


def reverse(book: Book, entry: Entry, user: User, note: str = "") -> Entry:
    """Write the counter entry of `entry`, which must not have one yet."""
    amounts = {who: -amount for who, amount in entry.amounts.items()}
    return post(book, Entry.Kind.REVERSAL, amounts, user, round_=entry.round, reverses=entry, note=note)
