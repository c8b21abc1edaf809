"""Rules of an evening as a whole: who has a seat, what lies ahead, how it was closed, and whose rows they are."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from scoring.audit.faults import Check, Fault, Rows, entry_place, place
from scoring.models import (
    Change,
    Entry,
    Hand,
    Line,
    OpenBalance,
    PairScore,
    PairStake,
    PlannedStake,
    Round,
    Seat,
    Session,
    ShareLink,
)


def check_players_are_seated(rows: Rows) -> Iterator[Fault]:
    """Whoever has a line, a hand or a stake of his own has a seat in that session, and is of its club."""
    lines = rows(Line).filter(session__isnull=False, player__isnull=False).exclude(session__seats__player=F("player"))
    for line in lines.select_related("entry"):
        yield Fault(entry_place(line.entry), f"player {line.player_id} has no seat there", line.entry)
    for hand in rows(Hand).exclude(round__session__seats__player=F("player")).select_related("round"):
        yield Fault(place(hand.round), f"player {hand.player_id} has no seat there", hand.round)
    for seat in rows(Seat).exclude(player__club=F("club")):
        yield Fault(f"session {seat.session_id}", f"player {seat.player_id} is none of the club", seat)
    for model in (PairStake, PlannedStake):
        unseated = ~Q(session__seats__player=F("a")) | ~Q(session__seats__player=F("b"))
        for stake in rows(model).filter(a__isnull=False).filter(unseated):
            yield Fault(f"session {stake.session_id}", f"{stake} is of players without a seat there", stake)


def check_planned_stakes(rows: Rows) -> Iterator[Fault]:
    """What is planned lies ahead: its round was not opened yet."""
    reached = rows(PlannedStake).annotate(newest=Max("session__rounds__number")).filter(from_round__lte=F("newest"))
    for planned in reached:
        what = f"a stake is planned from round {planned.from_round}, but round {planned.newest} was played"
        yield Fault(f"session {planned.session_id}", what, planned)


def check_numbers(rows: Rows) -> Iterator[Fault]:
    """The rounds of an evening are numbered from 1 without a gap."""
    sessions = rows(Session).annotate(last=Max("rounds__number"), count=Count("rounds__number", distinct=True))
    for session in sessions.exclude(last=None).exclude(last=F("count")):
        yield Fault(f"session {session.pk}", f"has {session.count} rounds, the last is round {session.last}", session)


def check_closed_sessions(rows: Rows) -> Iterator[Fault]:
    """A closed session has no open round; a room fee on the evening is taken there only, and once."""
    for session in rows(Session).filter(closed_at__isnull=False, rounds__state=Round.State.OPEN):
        yield Fault(f"session {session.pk}", "is closed, but a round of it is open", session)
    standing = Q(entries__kind=Entry.Kind.FEE, entries__reversed_by=None)
    taken = rows(Session).annotate(fees=Count("entries", filter=standing)).filter(fees__gt=0)
    for session in taken.filter(Q(fees__gt=1) | Q(closed_at=None)):
        state = "open" if session.is_open else "closed"
        yield Fault(f"session {session.pk}", f"is {state}, and its fee was taken {session.fees} times", session)


def check_open_balances(rows: Rows) -> Iterator[Fault]:
    """What is kept as open of an evening is what its lines come to, and only a closed one has any."""
    sums = rows(Line).filter(session__closed_at__isnull=False).order_by().values_list("session", "player")
    due = {(session, player): amount for session, player, amount in sums.annotate(open=Sum("amount")).exclude(open=0)}
    kept = {(balance.session_id, balance.player_id): balance.amount for balance in rows(OpenBalance)}
    wrong = {place for place in due.keys() | kept.keys() if due.get(place) != kept.get(place)}
    sessions = Session.objects.in_bulk({session for session, _player in wrong if session})
    for session, player in sorted(wrong, key=str):
        found, should = kept.get((session, player), 0), due.get((session, player), 0)
        what = f"{found:+} is kept as open of {_named(player)}, it should be {should:+}"
        yield Fault(f"session {session}", what, sessions[session or 0])


def _named(player: int | None) -> str:
    return f"player {player}" if player else "the house"


def check_clubs(rows: Rows) -> Iterator[Fault]:
    """Every row carries the club of what it belongs to."""
    of_session = (Round, Seat, PairStake, PlannedStake, ShareLink, OpenBalance)
    strays: Iterable[QuerySet[Any]] = (
        *(rows(model).exclude(club=F("session__club")) for model in of_session),
        *(rows(model).filter(session__isnull=False).exclude(club=F("session__club")) for model in (Entry, Change)),
        rows(Line).exclude(club=F("entry__club")),
        rows(Line).filter(session__isnull=False).exclude(session=F("entry__session")),
        rows(Line).filter(session__isnull=True, entry__session__isnull=False),
        *(rows(model).exclude(club=F("round__club")) for model in (Hand, PairScore)),
    )
    for row in (row for found in strays for row in found):
        what = "carries another club or session than what it belongs to"
        yield Fault(f"{row._meta.verbose_name} {row.pk}", what, row)


CHECKS: tuple[Check, ...] = (
    check_players_are_seated,
    check_planned_stakes,
    check_numbers,
    check_closed_sessions,
    check_open_balances,
    check_clubs,
)
