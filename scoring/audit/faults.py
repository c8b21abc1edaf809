"""What an audit says, and how it says where."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet

from scoring.models import Entry, Round

CHUNK = 500  # rounds, entries or evenings in memory at a time

Rows = Callable[[type[Model]], QuerySet[Any]]
"""The rows of a table that are to be looked at."""


class Fault(NamedTuple):
    """One thing that disagrees: where, and what was found against what should be. `row` is what it was found at."""

    place: str
    what: str
    row: Model

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


Check = Callable[[Rows], Iterator[Fault]]
"""One rule, looked at over all rows."""


def place(round_: Round) -> str:
    """Where a round stands."""
    return f"session {round_.session_id}, round {round_.number}"


def entry_place(entry: Entry) -> str:
    """Where an entry stands."""
    book = f"session {entry.session_id}" if entry.session_id else f"club {entry.club_id}"
    return f"{book}, entry {entry.pk}"
