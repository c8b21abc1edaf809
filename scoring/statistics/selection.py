"""Which evenings a statistic is about: those of a period, and under which rules."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q


@dataclass(frozen=True)
class Selection:
    """Evenings from `since` to `until`, both days included, and of them the rounds under the rules with that digest.

    What is None or empty chooses nothing away.
    """

    since: date | None = None
    until: date | None = None
    rules: str = ""

    def of_sessions(self, prefix: str = "") -> Q:
        """The period as a condition on whatever has a date: on sessions, or what reaches them by `prefix`."""
        bounds: dict[str, Any] = {"date__gte": self.since, "date__lte": self.until}
        return Q(**{f"{prefix}{name}": day for name, day in bounds.items() if day})

    def of_tallies(self) -> Q:
        """Period and rules as a condition on tallies of either kind."""
        return self.of_sessions() & (Q(rules__digest=self.rules) if self.rules else Q())


EVERYTHING = Selection()
