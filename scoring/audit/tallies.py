"""What is kept of closed evenings for the statistics is what their rounds come to."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import QuerySet

from scoring import ledger
from scoring.audit.faults import Check, Fault, Rows
from scoring.models import PairTally, Session, Tally

CHUNK = 100  # evenings in memory at a time
_FIGURES = {
    Tally: ("date", "currency", *Tally.SUMS, *Tally.MOST, *Tally.LEAST),
    PairTally: ("date", "currency", *PairTally.SUMS),
}


def check_tallies(rows: Rows) -> Iterator[Fault]:
    """Every closed evening has the tallies that are counted from its rounds; one that runs has none."""
    closed = list(rows(Session).exclude(closed_at=None).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(closed), CHUNK):
        sessions = closed[start : start + CHUNK]
        count = ledger.TallyCount(sessions)
        yield from _compared(Tally.objects.filter(session__in=sessions).select_related("rules"), count.tallies)
        yield from _compared(PairTally.objects.filter(session__in=sessions).select_related("rules"), count.pairs)
    for model in (Tally, PairTally):
        for tally in rows(model).filter(session__closed_at=None):
            yield Fault(f"session {tally.session_id}", f"is open, but tally {tally.pk} is kept of it", tally)


def _compared(kept: QuerySet[Any], counted: Collection[Any]) -> Iterator[Fault]:
    found = {_key(tally): tally for tally in kept}
    due = {_key(tally): tally for tally in counted}
    for key in found.keys() | due.keys():
        session, *players, _rules = key
        who = " and ".join(f"player {player}" for player in players)
        place = f"session {session}"
        if key not in found:
            yield Fault(place, f"the tally of {who} is missing", due[key].session)
        elif key not in due:
            yield Fault(place, f"tally {found[key].pk} is of {who} with no round there", found[key])
        elif _figures(found[key]) != _figures(due[key]):
            kept_as, counts = _figures(found[key]), _figures(due[key])
            yield Fault(place, f"the tally of {who} is kept as {kept_as}, counts {counts}", found[key])


def _key(tally: Tally | PairTally) -> tuple[Any, ...]:
    who = (tally.player_id,) if isinstance(tally, Tally) else (tally.a_id, tally.b_id)
    return (tally.session_id, *who, tally.rules.digest)


def _figures(tally: Tally | PairTally) -> list[Any]:
    return [getattr(tally, name) for name in _FIGURES[type(tally)]]


CHECKS: tuple[Check, ...] = (check_tallies,)
