"""How the book is written: the lock that comes first, the entries that only add up, the count of writes."""

import uuid
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from scoring.models import Club, Entry, Line, Round, Session

# The most that a player may have won or lost in an evening, in minor units. The database adds up in 64 bits, which
# leaves room for more than ninety such evenings of one player in a sum.
LARGEST_TOTAL = 10**17


class LedgerError(Exception):
    """Something that the book does not allow; the message says to a person what and why."""


class StaleError(LedgerError):
    """Somebody else changed it since the form was drawn; nothing was written."""


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


def post(
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
        currency=session.currency,
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
    touch(session)
    return entry


def reverse(session: Session, entry: Entry, user: User, note: str = "") -> Entry:
    """Write the counter entry of `entry`, which must not have one yet."""
    amounts = {line.player_id: -line.amount for line in entry.lines.all()}
    return post(session, Entry.Kind.REVERSAL, amounts, user, round_=entry.round, reverses=entry, note=note)
