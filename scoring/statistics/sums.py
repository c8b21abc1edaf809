"""The tallies of a club added up: those of closed evenings by the database, those of running ones counted now."""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, Exists, F, Manager, Max, Min, OuterRef, Q, QuerySet, Sum

from scoring import ledger
from scoring.models import Club, PairTally, Player, Session, Tally
from scoring.statistics.selection import EVERYTHING, Selection

_AnyTally = TypeVar("_AnyTally", Tally, PairTally)
_SUMS: dict[str, Any] = {
    **{f"sum_{name}": Sum(name) for name in Tally.SUMS},
    **{f"sum_{name}": Max(name) for name in Tally.MOST},
    **{f"sum_{name}": Min(name) for name in Tally.LEAST},
}
_EVENING = ("session_id", "date", "currency", "rounds", "points")


def untallied(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Those of which no tally is kept: they still run, or have no scored round."""
    return sessions.exclude(Exists(Tally.objects.filter(session=OuterRef("pk"))))


class PlayerSum(NamedTuple):
    """What a player did in a number of evenings that were played in one currency."""

    tally: Tally
    evenings: int


class PlayerEvening(NamedTuple):
    """What a player did in an evening: points, and what he took home for them in minor units, room fees paid."""

    session: int
    date: date
    currency: str
    rounds: int
    points: int
    net: int

    def and_under_other_rules(self, other: "PlayerEvening") -> "PlayerEvening":
        """The evening with the rounds of it that were played under other rules as well."""
        rounds, points, net = self.rounds + other.rounds, self.points + other.points, self.net + other.net
        return self._replace(rounds=rounds, points=points, net=net)


class ClubSums:
    """What the selected evenings of a club add up to; with `player` only those in which he sat.

    Two currencies are never added. Each of the sums is one query; evenings that run take five more in all.
    """

    def __init__(self, club: Club, selection: Selection = EVERYTHING, player: Player | None = None) -> None:
        self.club = club
        self.selection = selection
        self.player = player

    def players(self) -> dict[tuple[int, str], PlayerSum]:
        """By player's key and currency what each of them did."""
        rows = self._kept_tallies().values("player_id", "currency")
        rows = rows.annotate(evenings=Count("session", distinct=True), **_SUMS).order_by()
        sums = {(row["player_id"], row["currency"]): PlayerSum(_total(Tally, row), row["evenings"]) for row in rows}
        sat: set[tuple[int, int]] = set()
        for tally in self._running_tallies():
            key, seat = (tally.player_id, tally.currency), (tally.player_id, tally.session_id)
            before, evenings = sums.get(key, (None, 0))
            sums[key] = PlayerSum(added(before, tally), evenings + (seat not in sat))
            sat.add(seat)
        return sums

    def pairs(self, figures: Sequence[str] = PairTally.SUMS) -> dict[tuple[int, int, str], PairTally]:
        """By the two players' keys, the lower one first, and currency what each pair did, signed for the first.

        Of closed evenings only the `figures` named are read.
        """
        tallies = self._selected(PairTally.objects)
        if self.player:
            tallies = tallies.filter(Q(a=self.player) | Q(b=self.player))
        rows = tallies.values("a_id", "b_id", "currency").annotate(**{f"sum_{name}": Sum(name) for name in figures})
        sums = {(row["a_id"], row["b_id"], row["currency"]): _total(PairTally, row) for row in rows.order_by()}
        for pair in self._count.pairs:
            if self._is_selected(pair) and (self.player is None or self.player.pk in (pair.a_id, pair.b_id)):
                key = pair.a_id, pair.b_id, pair.currency
                sums[key] = added(sums.get(key), pair)
        return sums

    def evenings(self) -> list[PlayerEvening]:
        """What `player` did in each evening, the first one first."""
        net = F("money") - F("fee") - F("closing_fee")
        kept = self._kept_tallies().annotate(took_home=net).values_list(*_EVENING, "took_home")
        running = ((*(getattr(tally, name) for name in _EVENING), tally.net) for tally in self._running_tallies())
        evenings: dict[int, PlayerEvening] = {}
        for one in map(PlayerEvening._make, (*kept, *running)):
            before = evenings.get(one.session)
            evenings[one.session] = before.and_under_other_rules(one) if before else one
        return sorted(evenings.values(), key=lambda one: (one.date, one.session))

    def _kept_tallies(self) -> QuerySet[Tally]:
        tallies = self._selected(Tally.objects)
        return tallies.filter(player=self.player) if self.player else tallies

    def _selected(self, tallies: Manager[_AnyTally]) -> QuerySet[_AnyTally]:
        return tallies.filter(self.selection.of_tallies(), club=self.club)

    @cached_property
    def _count(self) -> ledger.TallyCount:
        running = untallied(self.club.sessions.filter(self.selection.of_sessions()))
        if self.player:
            running = running.filter(seats__player=self.player)
        return ledger.TallyCount(list(running.values_list("pk", flat=True)))

    def _running_tallies(self) -> list[Tally]:
        return [
            tally
            for tally in self._count.tallies
            if self._is_selected(tally) and (self.player is None or tally.player_id == self.player.pk)
        ]

    def _is_selected(self, tally: Tally | PairTally) -> bool:
        return self.selection.rules in ("", tally.rules.digest)


def _total(model: type[_AnyTally], row: Mapping[str, Any]) -> _AnyTally:
    """A tally of many evenings out of a row of sums."""
    return model(**{name.removeprefix("sum_"): value for name, value in row.items() if name.startswith("sum_")})


def added(total: _AnyTally | None, other: _AnyTally) -> _AnyTally:
    """`total`, None for nothing so far, with what `other` holds as well."""
    if total is None:
        return copy(other)
    for name in total.SUMS:
        setattr(total, name, getattr(total, name) + getattr(other, name))
    for names, choose in ((total.MOST, max), (total.LEAST, min)):
        for name in names:
            setattr(total, name, choose(getattr(total, name), getattr(other, name)))
    return total
