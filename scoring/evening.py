"""An evening as people look back on it: who stands where in the end, how it went, what was remarkable."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import ledger, wording
from scoring.models import Player, Seat, Session
from scoring.money import format_amount, format_money
from scoring.statistics.highlights import Brought, Highlights, Moment, find_highlights, played_rounds
from scoring.wording import MINUS

TOLD = 6  # moments of one kind that are told; of the others how many there are

_ISOLATED = "\u2068%s\u2069"  # what stands between the two is written in its own direction
_SPECIALS: Mapping[str, Promise] = {
    "super": gettext_lazy("Super"),
    "natural": gettext_lazy("Naturals"),
    "pao": gettext_lazy("PAO"),
}


@dataclass(frozen=True)
class Place:
    """One line of the final table: points, and minor units with the room fees taken off."""

    place: int
    player: Player
    points: int
    money: int
    has_left: bool


@dataclass(frozen=True)
class ToldMoment:
    """A hand among the highlights: whose it was, what it was if that is not said yet, and in which round."""

    name: str
    what: str
    round: int

    def __str__(self) -> str:
        pattern = _("%(name)s, %(what)s (round %(round)s)") if self.what else _("%(name)s (round %(round)s)")
        return pattern % {"name": self.name, "what": self.what, "round": self.round}


@dataclass(frozen=True)
class Special:
    """All hands of one kind, the class of whose badge is `kind`; not all of many are told."""

    kind: str
    title: str
    count: int
    told: list[ToldMoment]

    @property
    def more(self) -> int:
        return self.count - len(self.told)

    def __str__(self) -> str:
        names = "; ".join(map(str, self.told))
        if self.more:
            names = ngettext("%(names)s; %(more)s more", "%(names)s; %(more)s more", self.more) % {
                "names": names,
                "more": self.more,
            }
        return _("%(title)s: %(names)s") % {"title": self.title, "names": names}


@dataclass(frozen=True)
class Record:
    """The most of something in an evening: who holds it, how much it was, more about it, and in which round."""

    title: str
    name: str
    figure: str
    note: str
    round: int

    def __str__(self) -> str:
        parts = {"title": self.title, "name": self.name, "figure": self.figure, "note": self.note}
        return _("%(title)s: %(name)s, %(figure)s (%(note)s)") % parts


class Evening:
    """Everything that is told of an evening when it is looked back on, read in three queries."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.seats = list(session.seats.select_related("player"))
        self.players = [seat.player for seat in self.seats]
        self.rounds = played_rounds(session)
        self._won = ledger.totals(session)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the scored rounds, oldest first."""
        return [round_.number for round_ in self.rounds]

    @cached_property
    def points(self) -> dict[int, list[int]]:
        """By player's key his points after each round."""
        return self._totals(lambda brought: brought.points)

    @cached_property
    def money(self) -> dict[int, list[int]]:
        """By player's key what he had won after each round, room fees of the rounds taken off; minor units."""
        return self._totals(lambda brought: brought.net)

    @cached_property
    def has_money(self) -> bool:
        """Whether money is worth telling beside the points: not where nothing was played for but points."""
        return any(self._won.values()) and not (self.session.currency == "PTS" and self.money == self.points)

    @property
    def money_title(self) -> str:
        """What the money of this evening is called."""
        return money_title(self.session)

    @cached_property
    def table(self) -> list[Place]:
        """Who stands where, the best first; those who are level share a place. By points where there was no money."""
        points = {player.pk: self.points[player.pk][-1] if self.rounds else 0 for player in self.players}
        return places_of(self.seats, points, self._won if self.has_money else {})

    @property
    def house(self) -> int:
        """The room fees, in minor units."""
        return self._won.get(None, 0)

    @cached_property
    def highlights(self) -> Highlights:
        return find_highlights(self.rounds)

    @cached_property
    def specials(self) -> list[Special]:
        """Supers, naturals and PAO, as far as there were any."""
        found = {"super": self.highlights.supers, "natural": self.highlights.naturals, "pao": self.highlights.paos}
        return [
            Special(kind, str(_SPECIALS[kind]), len(moments), [self._told(moment) for moment in moments[:TOLD]])
            for kind, moments in found.items()
            if moments
        ]

    @cached_property
    def records(self) -> list[Record]:
        """The largest gain and loss, the comeback, the closest round and the longest run, as far as there were any."""
        return [*self._swings(), *self._turns()]

    def _swings(self) -> Iterator[Record]:
        for title, moment in (
            (_("Biggest win"), self.highlights.win),
            (_("Biggest loss"), self.highlights.loss),
        ):
            if moment:
                yield Record(
                    title,
                    self._name(moment.player),
                    signed_points(moment.brought.points),
                    self._note(moment),
                    moment.round,
                )

    def _turns(self) -> Iterator[Record]:
        found = self.highlights
        if back := found.comeback:
            parts = {"lowest": signed_points(back.lowest), "final": signed_points(back.final), "round": back.round}
            note = _("from %(lowest)s after round %(round)s to %(final)s") % parts
            yield Record(_("Comeback"), self._name(back.player), signed_points(back.points), note, back.round)
        if close := found.closest:
            figure = ngettext("%(points)s point", "%(points)s points", close.points) % {"points": close.points}
            name = _("Round %(number)s") % {"number": close.round}
            yield Record(_("Closest round"), name, figure, _("between best and worst"), close.round)
        if run := found.run:
            figure = _("%(rounds)s in a row") % {"rounds": run.length}
            note = _("won from round %(first)s to %(last)s") % {"first": run.round, "last": run.last}
            yield Record(_("Longest run"), self._name(run.player), figure, note, run.round)

    def _note(self, moment: Moment) -> str:
        parts: dict[str, object] = {"round": moment.round}
        if not self.has_money:
            return _("in round %(round)s") % parts
        parts["money"] = format_amount(moment.brought.net, self.session.currency, signed=True)
        return _("in round %(round)s, %(money)s") % parts

    def _told(self, moment: Moment) -> ToldMoment:
        natural = moment.brought.natural if moment.brought.status == "natural" else ""
        what = str(wording.natural_name(natural)) if natural else ""
        return ToldMoment(self._name(moment.player), what, moment.round)

    def _name(self, player: int) -> str:
        return _isolated(self._names[player])

    @cached_property
    def _names(self) -> dict[int, str]:
        return {player.pk: player.name for player in self.players}

    def _totals(self, amount: Callable[[Brought], int]) -> dict[int, list[int]]:
        """Running totals: one for each player and round, also for those he sat out."""
        return {
            player.pk: list(
                accumulate(
                    amount(round_.hands[player.pk]) if player.pk in round_.hands else 0 for round_ in self.rounds
                )
            )
            for player in self.players
        }

    # ---------------------------------------------------------------- as text

    @property
    def title(self) -> str:
        """The club, the day and how many rounds it were: "Kamis Malam, Thu 26 Nov 2026, 12 rounds"."""
        pattern = ngettext(
            "%(club)s, %(day)s, %(rounds)s round", "%(club)s, %(day)s, %(rounds)s rounds", len(self.rounds)
        )
        return pattern % {"club": self.session.club, "day": self.day, "rounds": len(self.rounds)}

    @property
    def day(self) -> str:
        return date_format(self.session.date, _("D j M Y"))

    @cached_property
    def text(self) -> str:
        """The final table and the highlights as plain text, to be sent to the group."""
        return "\n".join([self.title, *map(self._line, self.table), *self.house_line(), *self.told_highlights])

    @property
    def told_highlights(self) -> list[str]:
        """Each highlight in a line."""
        return [str(one) for one in (*self.specials, *self.records)]

    def _line(self, place: Place) -> str:
        parts = {"place": place.place, "name": _isolated(place.player.name), "points": told_points(place.points)}
        if not self.has_money:
            return _("%(place)s. %(name)s: %(points)s") % parts
        money = format_money(place.money, self.session.currency, signed=True)
        return _("%(place)s. %(name)s: %(money)s, %(points)s") % {**parts, "money": money}

    def house_line(self) -> Iterator[str]:
        """What the house took, in a line; none where it took nothing."""
        if self.house:
            yield _("Room fees: %(money)s") % {"money": format_money(self.house, self.session.currency)}


def places_of(seats: Sequence[Seat], points: Mapping[int, int], money: Mapping[Any, int]) -> list[Place]:
    """Who stands where, the best first; those who are level share a place. Points and money by player's key; who is in
    neither has none. By points where there is no money."""
    scores = {seat.player_id: (money or points).get(seat.player_id, 0) for seat in seats}
    places = [
        Place(
            place=1 + sum(other > scores[seat.player_id] for other in scores.values()),
            player=seat.player,
            points=points.get(seat.player_id, 0),
            money=money.get(seat.player_id, 0),
            has_left=seat.left_at is not None,
        )
        for seat in seats
    ]
    return sorted(places, key=lambda one: (one.place, -one.points))


def money_title(session: Session) -> str:
    """What the money of an evening is called; points too may be worth more than one."""
    return _("At the stake") if session.currency == "PTS" else str(session.get_currency_display())


def told_points(points: int) -> str:
    """Points with their sign and the word: "+18 points"."""
    return ngettext("%(number)s point", "%(number)s points", abs(points)) % {"number": signed_points(points)}


def signed_points(points: int) -> str:
    """Points with their sign: "+18", "−12", "0"."""
    return f"{points:+d}".replace("-", MINUS) if points else "0"


def _isolated(name: str) -> str:
    """A name written from right to left so that it leaves the rest of a sentence in order."""
    turns = any(unicodedata.bidirectional(char) in ("R", "AL") for char in name)
    return _ISOLATED % name if turns else name
