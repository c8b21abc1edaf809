"""What is open in a club: by player and by evening. Amounts of two currencies are never added.

An evening that is settled sums to nought for everybody, so what is open of all evenings is simply the sum of all lines.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Case, Sum, When
from django.urls import reverse

from scoring import statistics
from scoring.models import Club, Line, Player, Round, Session
from scoring.seating import Table, next_table, rounds_played
from scoring.statistics import Best

RECENT = 4  # evenings that the page of the club lists


@dataclass(frozen=True)
class OpenAmount:
    """What one player, or the house (None), has open of one evening; minor units, a claim is positive."""

    session: int
    date: date
    currency: str
    player: int | None
    amount: int


def open_amounts(club: Club) -> list[OpenAmount]:
    """All that is not settled, oldest evening first, from one query whatever the number of evenings."""
    keys = ("session", "session__date", "session__currency", "player")
    sums = Line.objects.filter(club=club).values_list(*keys).annotate(open=Sum("amount")).exclude(open=0)
    return [OpenAmount(*row) for row in sums.order_by("session__date", "session", "player")]


def by_currency(amounts: Iterable[OpenAmount], first: str) -> list[tuple[str, int]]:
    """The sum for each currency, `first` in front of the others; nought in that one where there is nothing."""
    sums: dict[str, int] = {}
    for amount in amounts:
        sums[amount.currency] = sums.get(amount.currency, 0) + amount.amount
    return sorted(sums.items(), key=lambda item: (item[0] != first, item[0])) or [(first, 0)]


@dataclass(frozen=True)
class PlayerStanding:
    """A player, what he has open by currency, and of which evenings before the running one."""

    player: Player
    balances: list[tuple[str, int]]
    earlier: list[OpenAmount]
    is_here: bool  # at the table of the evening that runs
    url: str  # where to see what it comes from; empty where nothing is open


@dataclass(frozen=True)
class Evening:
    """An evening in one line: who was best, and what is still open of it (minor units)."""

    session: Session
    best: Best | None
    open: int


@dataclass(frozen=True)
class RunningEvening:
    """The evening that is played just now: who was best so far, and its newest round, which may still be open."""

    session: Session
    best: Best | None
    newest_round: Round | None

    @property
    def open_round(self) -> Round | None:
        return self.newest_round if self.newest_round and self.newest_round.is_open else None

    @property
    def next_number(self) -> int:
        return self.newest_round.number + 1 if self.newest_round else 1

    @property
    def present(self) -> list[Player]:
        """Who is at the table and has not left."""
        return [seat.player for seat in self.session.seats.all() if seat.left_at is None]

    @cached_property
    def table(self) -> Table | None:
        """Who plays and who deals in the next round; None where it must be asked."""
        return next_table(list(self.session.seats.all()), rounds_played(self.session))


class ClubBook:
    """Everything that the page of a club tells, in a constant number of queries. `today` is the day where it plays."""

    def __init__(self, club: Club, today: date) -> None:
        self.club = club
        self.today = today
        self.players = list(club.players.all())
        self.amounts = open_amounts(club)
        planned = Case(When(date__gt=today, then=1), default=0)  # an evening set up ahead does not run yet
        running = statistics.sessions_of(club.sessions.filter(closed_at=None))
        unfinished = running.order_by(planned, "-date", "-pk").first()
        others = club.sessions.exclude(pk=unfinished.pk) if unfinished else club.sessions.all()
        recent = list(statistics.sessions_of(others)[:RECENT])
        best = statistics.best_of([unfinished, *recent] if unfinished else recent)
        self.running = (
            RunningEvening(unfinished, best.get(unfinished.pk), unfinished.rounds.first()) if unfinished else None
        )
        self.evenings = [Evening(session, best.get(session.pk), self._open_of(session)) for session in recent]

    @property
    def is_tonight(self) -> bool:
        """Whether the running evening is today's, or began yesterday and goes on past midnight."""
        return self.running is not None and self.running.session.date in (self.today, self.today - timedelta(days=1))

    @property
    def playing(self) -> int:
        """How many players are not retired."""
        return sum(not player.is_retired for player in self.players)

    @cached_property
    def standings(self) -> list[PlayerStanding]:
        """Who plays in the club or has something open: those of the running evening first, then by name."""
        here = {player.pk for player in self.running.present} if self.running else set()
        open_of: dict[int | None, list[OpenAmount]] = {}
        for amount in self.amounts:
            open_of.setdefault(amount.player, []).append(amount)
        standings = [
            self._standing(player, open_of.get(player.pk, []), player.pk in here)
            for player in self.players
            if player.pk in here or player.pk in open_of or not player.is_retired
        ]
        return sorted(standings, key=lambda one: not one.is_here)

    def check(self) -> list[tuple[str, int, int]]:
        """For each currency with something open: what the house has, and what all have together: nought."""
        house = dict(by_currency((amount for amount in self.amounts if amount.player is None), self.club.currency))
        together = by_currency(self.amounts, self.club.currency)
        return [(currency, house.get(currency, 0), amount) for currency, amount in together if house.get(currency)]

    def _standing(self, player: Player, amounts: list[OpenAmount], is_here: bool) -> PlayerStanding:
        running = self.running.session.pk if self.running else None
        earlier = [amount for amount in amounts if amount.session != running]
        if len(earlier) > 1:
            url = reverse("sessions", args=[self.club.pk])
        elif earlier:
            url = reverse("settle-up", args=[earlier[0].session])
        else:
            url = reverse("session", args=[running]) if amounts or is_here else ""
        return PlayerStanding(player, by_currency(amounts, self.club.currency), earlier, is_here, url)

    def _open_of(self, session: Session) -> int:
        return sum(amount.amount for amount in self.amounts if amount.session == session.pk and amount.amount > 0)
