"""The evenings of a club as its history shows them, for a spreadsheet."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.exports.sheets import Amount, Sheet, Value
from scoring.models import Session
from scoring.statistics import Best, best_of, sessions_of

CHUNK = 250  # evenings in memory at a time


def history_sheet(sessions: QuerySet[Session]) -> Sheet:
    """One evening a row, newest first: when and where, who played, how many rounds, who won most."""
    headings = (
        *(_("Date"), _("Place"), _("Players"), _("Rounds"), _("Biggest win"), _("Amount"), _("Currency")),
        *(_("State"), _("Notes")),
    )
    return Sheet(gettext_lazy("Evenings"), headings, _rows(list(sessions.values_list("pk", flat=True))))


def _rows(keys: Sequence[int]) -> Iterator[list[Value]]:
    for start in range(0, len(keys), CHUNK):
        chunk = list(sessions_of(Session.objects.filter(pk__in=keys[start : start + CHUNK])))
        best = best_of(chunk)
        yield from (_row(session, best.get(session.pk)) for session in chunk)


def _row(session: Session, best: Best | None) -> list[Value]:
    return [
        session.date,
        session.place,
        ", ".join(seat.player.name for seat in session.seats.all()),
        session.rounds_scored,  # type: ignore[attr-defined]  # counted by `sessions_of`
        ", ".join(best.names) if best else "",
        Amount(best.amount, session.currency) if best else None,
        session.currency,
        _("running") if session.is_open else _("closed"),
        session.notes,
    ]
