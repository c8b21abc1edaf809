"""Many entries of an evening written at once: two statements, however many they are."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from scoring.models import Entry, Line, Round, Session


@dataclass(frozen=True)
class NewEntry:
    """An entry to be written: what it is about, its lines by player's key (None the house), and when."""

    kind: str
    amounts: Mapping[int | None, int]
    at: datetime
    round: Round | None = None
    reverses: Entry | None = None
    note: str = ""
    key: uuid.UUID | None = None


def reversal_of(entry: Entry, amounts: Mapping[int | None, int], at: datetime, note: str = "") -> NewEntry:
    """The counter entry of one of these `amounts` that has none yet."""
    against = {who: -amount for who, amount in amounts.items()}
    return NewEntry(Entry.Kind.REVERSAL, against, at, entry.round, entry, note)


def write_entries(session: Session, new: Sequence[NewEntry], user: User) -> list[Entry]:
    """Write them in their order into the book of a locked session, as `book.post` writes one.

    What is open of a closed one is for the caller to keep.
    """
    off = [entry for entry in new if sum(entry.amounts.values())]
    if off:
        raise AssertionError(f"entries must sum to zero, these do not: {off}")
    written = Entry.objects.bulk_create(_entry(session, entry, user) for entry in new)
    Line.objects.bulk_create(
        Line(entry=entry, session=session, club_id=session.club_id, player_id=player, amount=amount)
        for entry, one in zip(written, new, strict=True)
        for player, amount in one.amounts.items()
    )
    session.version += len(written)
    session.save(update_fields=["version"])
    return written


def _entry(session: Session, new: NewEntry, user: User) -> Entry:
    return Entry(
        session=session,
        club_id=session.club_id,
        currency=session.currency,
        kind=new.kind,
        round=new.round,
        reverses=new.reverses,
        key=new.key or uuid.uuid4(),
        note=new.note,
        created_at=new.at,
        created_by=user,
    )
