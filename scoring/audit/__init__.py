"""Does the book still say what was played? Every rule of it checked over all rows, each rule by one small function.

Nothing is written. A fault names the evening or the club, and the round or entry in it. The audit may be of one club
only; what it looks at is then all that carries that club.
"""

from typing import Any, NamedTuple

from django.db.models import Model, QuerySet

from scoring.audit import carry_overs, entries, rounds, sessions, tallies
from scoring.audit.faults import Fault
from scoring.models import Club, Entry

__all__ = ["Fault", "Report", "audit_ledger"]

_CHECKS = (*entries.CHECKS, *carry_overs.CHECKS, *sessions.CHECKS, *tallies.CHECKS)


class Report(NamedTuple):
    """What an audit looked at, and what it found."""

    rounds: int
    entries: int
    faults: tuple[Fault, ...]


def audit_ledger(club: Club | None = None) -> Report:
    """Score every stored round again, sum every entry, check every rule of the book: of all clubs, or of one."""

    def rows(model: type[Model]) -> QuerySet[Any]:
        return model._default_manager.filter(**{"club": club} if club else {})

    faults = [fault for check in _CHECKS for fault in check(rows)]
    scored = 0
    for round_ in rounds.finished_rounds(rows):
        scored += 1
        faults += [fault for check in rounds.CHECKS for fault in check(round_)]
    return Report(scored, rows(Entry).count(), tuple(faults))
