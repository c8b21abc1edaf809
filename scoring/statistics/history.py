"""The evenings of a club: which of them, how long they were, who won most."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from scoring import ledger
from scoring.models import Club, Line, OpenBalance, Round, Seat, Session, Tally
from scoring.statistics.selection import EVERYTHING, Selection
from scoring.statistics.sums import untallied


@dataclass(frozen=True)
class Best:
    """Who won most in an evening, and how much (minor units of that evening's currency)."""

    names: list[str]
    amount: int


def sessions_of(club_sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Evenings, newest first, with `rounds_scored`, their players, and whether they are `settled` once closed.

    Choose a page first: PostgreSQL counts also for the evenings that an offset passes over.
    """
    rounds = Round.objects.filter(session=OuterRef("pk"), state=Round.State.SCORED)
    scored = rounds.order_by().values("session").annotate(count=Count("pk")).values("count")
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    settled = ~Exists(OpenBalance.objects.filter(session=OuterRef("pk")))
    evenings = club_sessions.annotate(rounds_scored=Coalesce(Subquery(scored), 0), settled=settled)
    return evenings.prefetch_related(seats).order_by("-date", "-pk")


def find_sessions(
    club: Club, selection: Selection = EVERYTHING, player: int | None = None, text: str = ""
) -> QuerySet[Session]:
    """The selected evenings of a club, newest first: with rounds under the selected rules, with a seat for `player`
    (a key), with `text` in their notes or their place."""
    sessions = club.sessions.filter(selection.of_sessions())
    if selection.rules:
        sessions = sessions.filter(_played_under(club, selection.rules))
    if player:
        sessions = sessions.filter(Exists(Seat.objects.filter(session=OuterRef("pk"), player=player)))
    if text:
        sessions = sessions.filter(Q(notes__icontains=text) | Q(place__icontains=text))
    return sessions.order_by("-date", "-pk")


def best_of(sessions: Iterable[Session]) -> dict[int, Best]:
    """By session's key who won most in it, from two queries; an evening in which nobody won has none.

    What counts are the rounds and room fees. They are read from the tally where one is kept, else from the book.
    """
    keys = [session.pk for session in sessions]
    tallies = Tally.objects.filter(session__in=keys).order_by("session", "player__name_key")
    took_home = Sum(F("money") - F("fee") - F("closing_fee"))
    rows = list(tallies.values_list("session", "player__name").annotate(took_home=took_home))
    tallied = {session for session, _name, _amount in rows}
    lines = Line.objects.filter(session__in=set(keys) - tallied, player__isnull=False).filter(ledger.is_winning())
    rows += lines.order_by("session", "player__name_key").values_list("session", "player__name").annotate(Sum("amount"))
    won: dict[int, dict[str, int]] = {}
    for session, name, amount in rows:
        won.setdefault(session, {})[name] = amount
    return {session: _best(amounts) for session, amounts in won.items() if max(amounts.values()) > 0}


def _best(amounts: Mapping[str, int]) -> Best:
    most = max(amounts.values())
    return Best([name for name, amount in amounts.items() if amount == most], most)


def _played_under(club: Club, rules: str) -> Q:
    """The evenings with a scored round under rules of that digest."""
    running = Round.objects.filter(session__in=untallied(club.sessions.all()), state=Round.State.SCORED)
    terms = running.order_by().values_list("session", "ruleset_fields").distinct()
    kept = Tally.objects.filter(session=OuterRef("pk"), rules__digest=rules)
    return Q(pk__in={session for session, fields in terms if ledger.rules_digest(fields) == rules}) | Q(Exists(kept))
