"""Rules of carry-overs: what leaves the book of an evening comes into that of its club, whole and once."""

from collections.abc import Iterator

from django.db.models import Count, F, Q, Sum

from scoring.audit.faults import CHUNK, Check, Fault, Rows, entry_place
from scoring.models import Entry, Line, Session

_CARRY_OVER = Entry.Kind.CARRY_OVER


def check_pairs(rows: Rows) -> Iterator[Fault]:
    """A carry-over of an evening has one counterpart in its club, with the opposite amounts, and they are taken back
    together."""
    over = rows(Entry).filter(kind=_CARRY_OVER, session__isnull=False)
    over = over.select_related("carried_by__reversed_by", "reversed_by").prefetch_related("lines", "carried_by__lines")
    for entry in over.iterator(chunk_size=CHUNK):
        counterpart = getattr(entry, "carried_by", None)
        if counterpart is None:
            yield Fault(entry_place(entry), "is carried over, but not into the book of the club", entry)
            continue
        opposite = {who: -amount for who, amount in entry.amounts.items()}
        same_book = (counterpart.club_id, counterpart.currency) == (entry.club_id, entry.currency)
        if counterpart.amounts != opposite or not same_book:
            yield Fault(entry_place(counterpart), f"does not bring in what entry {entry.pk} takes out", counterpart)
        if hasattr(entry, "reversed_by") != hasattr(counterpart, "reversed_by"):
            yield Fault(entry_place(entry), f"only one of it and entry {counterpart.pk} is taken back", entry)


def check_sources(rows: Rows) -> Iterator[Fault]:
    """What comes into a club's book as carried over names where it was taken out; nothing else does."""
    comes_in = Q(kind=_CARRY_OVER, session__isnull=True)
    names_source = Q(carries__kind=_CARRY_OVER, carries__session__isnull=False)
    for entry in rows(Entry).filter(comes_in).exclude(names_source):
        yield Fault(entry_place(entry), f"is carried over from entry {entry.carries_id}, which is none", entry)
    for entry in rows(Entry).filter(carries__isnull=False).exclude(comes_in):
        yield Fault(entry_place(entry), f"is a {entry.kind}, but carries entry {entry.carries_id}", entry)


def check_carried_sessions(rows: Rows) -> Iterator[Fault]:
    """An evening that is carried over is closed, was carried over once, and everybody in it is at nought."""
    standing = Q(entries__kind=_CARRY_OVER, entries__reversed_by=None)
    carried = rows(Session).annotate(times=Count("entries", filter=standing)).filter(times__gt=0)
    for session in carried.filter(Q(times__gt=1) | Q(closed_at=None)):
        state = "open" if session.is_open else "closed"
        yield Fault(f"session {session.pk}", f"is {state}, and carried over {session.times} times", session)
    lines = rows(Line).filter(session__in=carried.values("pk"), session__isnull=False).order_by()
    for pk, player, amount in lines.values_list("session", "player").annotate(open=Sum("amount")).exclude(open=0):
        row = Session.objects.get(pk=pk)
        yield Fault(f"session {pk}", f"is carried over, but player {player} has {amount:+} open", row)


def check_players_of_the_club(rows: Rows) -> Iterator[Fault]:
    """Lines in the book of a club are of its own players."""
    strangers = rows(Line).filter(session=None, player__isnull=False).exclude(player__club=F("club"))
    for line in strangers.select_related("entry"):
        yield Fault(entry_place(line.entry), f"player {line.player_id} is none of that club", line.entry)


CHECKS: tuple[Check, ...] = (check_pairs, check_sources, check_carried_sessions, check_players_of_the_club)
