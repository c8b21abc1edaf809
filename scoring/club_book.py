"""What is open in a club: by player and by evening. Amounts of two currencies are never added.

An evening that is settled, or carried over to the club, sums to nought for everybody. So what is open in all is the sum
of the lines of the other evenings and of the club's own book.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Case, Count, Min, QuerySet, Sum, When
from django.utils.translation import gettext as _

from scoring import ledger, statistics
from scoring.engine.settle import Plan, settle
from scoring.models import Club, Line, OpenBalance, Player, Round, Session
from scoring.seating import Table, next_table, rounds_played
from scoring.statistics import Best

RECENT = 4  # evenings that the page of the club lists


@dataclass(frozen=True)
class OpenAmount:
    """What one player, or the house (None), has open: of so many `evenings`, or with none of what was carried over to
    the club; minor units, a claim is positive.

    `session` and `date` are those of the first of these evenings. `is_final`: they are closed.
    """

    evenings: int
    session: int | None
    date: date | None
    is_final: bool
    currency: str
    player: int | None
    amount: int


def open_sums(club: Club) -> list[OpenAmount]:
    """All that is not settled in a club: by player and currency of closed evenings, of each one that runs, and of what
    was carried over. Three queries, whatever the number of evenings."""
    closed = club.open_balances.order_by("session__currency", "player").values_list("session__currency", "player")
    sums = closed.annotate(Sum("amount"), Count("pk"), Min("session"), Min("session__date"))
    return [
        *(
            OpenAmount(evenings, first, day, True, currency, player, amount)
            for currency, player, amount, evenings, first, day in sums
        ),
        *_of_running_evenings(Line.objects.filter(session__in=club.sessions.filter(closed_at=None))),
        *_carried_over(Line.objects.filter(club=club)),
    ]


def open_amounts(player: Player) -> list[OpenAmount]:
    """All that is not settled of one player, evening by evening, the oldest first."""
    balances = player.open_balances.order_by("session__date", "session")
    closed = balances.values_list("session", "session__date", "session__currency", "amount")
    running = Line.objects.filter(player=player, session__closed_at=None, session__isnull=False)
    return [
        *(OpenAmount(1, pk, day, True, currency, player.pk, amount) for pk, day, currency, amount in closed),
        *_of_running_evenings(running),
        *_carried_over(Line.objects.filter(player=player)),
    ]


def _of_running_evenings(lines: QuerySet[Line]) -> Iterator[OpenAmount]:
    keys = ("session", "session__date", "session__currency", "player")
    sums = lines.values_list(*keys).annotate(open=Sum("amount")).exclude(open=0)
    for session, day, *rest in sums.order_by("session__date", "session", "player"):
        yield OpenAmount(1, session, day, False, *rest)


def _carried_over(lines: QuerySet[Line]) -> Iterator[OpenAmount]:
    keys = ("entry__currency", "player")
    sums = lines.filter(session=None).values_list(*keys).annotate(open=Sum("amount")).exclude(open=0)
    for carried in sums.order_by(*keys):
        yield OpenAmount(0, None, None, True, *carried)


def open_of_evenings(balances: QuerySet[OpenBalance]) -> QuerySet[OpenBalance, tuple[int, int]]:
    """By evening, the oldest first, how much is open: what those who won are still to get, in minor units."""
    sums = balances.filter(amount__gt=0).order_by("session__date", "session")
    return sums.values_list("session").annotate(Sum("amount"))


def in_all(amounts: Iterable[OpenAmount], currency: str) -> Plan[int | None]:
    """Who pays whom of all closed evenings and of what was carried over, in one currency and the fewest payments.

    There is no plan where a book is damaged and does not sum to zero.
    """
    balances: dict[int | None, int] = {}
    for amount in amounts:
        if amount.is_final and amount.currency == currency:
            balances[amount.player] = balances.get(amount.player, 0) + amount.amount
    if sum(balances.values()):
        return Plan((), proven_minimal=False)
    return settle(balances, [*sorted(who for who in balances if who), None])


def by_currency(amounts: Iterable[OpenAmount], first: str) -> list[tuple[str, int]]:
    """The sum for each currency, `first` in front of the others; nought in that one where there is nothing."""
    sums: dict[str, int] = {}
    for amount in amounts:
        sums[amount.currency] = sums.get(amount.currency, 0) + amount.amount
    return sorted(sums.items(), key=lambda item: (item[0] != first, item[0])) or [(first, 0)]


@dataclass(frozen=True)
class PlayerStanding:
    """A player, what he has open by currency, of how many evenings before the running one, and whether carried over.

    `day` is that of the first of these evenings.
    """

    player: Player
    balances: list[tuple[str, int]]
    evenings: int
    day: date | None
    carried: bool
    is_here: bool  # at the table of the evening that runs


@dataclass(frozen=True)
class Debts:
    """Who pays whom in one currency: payer, payee and minor units."""

    currency: str
    payments: list[tuple[str, str, int]]


@dataclass(frozen=True)
class Evening:
    """An evening in one line: who was best, what is still open of it (minor units), and whether it is carried over."""

    session: Session
    best: Best | None
    open: int
    carried: bool


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


class ClubPage:
    """Everything that the page of a club tells, in a constant number of queries. `today` is the day where it plays."""

    def __init__(self, club: Club, today: date) -> None:
        self.club = club
        self.today = today
        self.players = list(club.players.all())
        self.amounts = open_sums(club)
        planned = Case(When(date__gt=today, then=1), default=0)  # an evening set up ahead does not run yet
        running = statistics.sessions_of(club.sessions.filter(closed_at=None))
        unfinished = running.order_by(planned, "-date", "-pk").first()
        others = club.sessions.exclude(pk=unfinished.pk) if unfinished else club.sessions.all()
        recent = list(statistics.sessions_of(others)[:RECENT])
        best = statistics.best_of([unfinished, *recent] if unfinished else recent)
        self.running = (
            RunningEvening(unfinished, best.get(unfinished.pk), unfinished.rounds.first()) if unfinished else None
        )
        carried, still_open = (
            ledger.carried_over(recent),
            dict(open_of_evenings(club.open_balances.filter(session__in=recent))),
        )
        self.evenings = [
            Evening(session, best.get(session.pk), still_open.get(session.pk, 0), session.pk in carried)
            for session in recent
        ]

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
        earlier = [amount for amount in amounts if amount.evenings and amount.session != running]
        return PlayerStanding(
            player,
            by_currency(amounts, self.club.currency),
            evenings=sum(amount.evenings for amount in earlier),
            day=earlier[0].date if earlier else None,
            carried=any(not amount.evenings for amount in amounts),
            is_here=is_here,
        )

    @cached_property
    def debts(self) -> list[Debts]:
        """Who pays whom in all, for each currency in which something is open of evenings that are over."""
        names: dict[int | None, str] = {player.pk: player.name for player in self.players} | {None: _("House")}
        debts = [
            Debts(currency, [(names[one.payer], names[one.payee], one.amount) for one in plan.transfers])
            for currency, _sum in by_currency(self.amounts, self.club.currency)
            for plan in [in_all(self.amounts, currency)]
        ]
        return [one for one in debts if one.payments]
