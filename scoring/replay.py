"""A round of an evening as it was laid: every hand row by row, what it brought, and where everybody stood then."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Max, Min, Q, Sum

from scoring import wording
from scoring.engine.cards import Card, CardError, parse_cards
from scoring.engine.hand_input import HandInput, row_readings
from scoring.engine.hands import RowReading
from scoring.engine.rules import ROWS
from scoring.evening import Place, money_title, places_of
from scoring.models import Hand, Round, Session
from scoring.result import RoundResult, Standing, result_of


@dataclass(frozen=True)
class LaidRow:
    """A row as it was laid: its cards as far as they are known, and what it is in words."""

    label: str
    cards: tuple[Card, ...]
    told: str


@dataclass(frozen=True)
class LaidHand:
    """A hand on the table, and what it brought; `rows` are those that are known."""

    standing: Standing
    rows: list[LaidRow]

    @property
    def name(self) -> str:
        return self.standing.name

    @property
    def reason(self) -> str:
        """Why it is PAO; its badge says the rest."""
        return wording.pao_reason(self.standing.score.pao) if self.standing.score.pao else ""


@dataclass(frozen=True)
class Way:
    """Where a round stands among the scored ones: how many there are, how many up to it, the numbers of its
    neighbours."""

    rounds: int
    place: int
    previous: int | None
    next: int | None


def way_of(session: Session, number: int) -> Way:
    """The way through the scored rounds of an evening as it leads past round `number`; one query."""
    found = session.rounds.filter(state=Round.State.SCORED).aggregate(
        rounds=Count("pk"),
        place=Count("pk", filter=Q(number__lte=number)),
        previous=Max("number", filter=Q(number__lt=number)),
        next=Min("number", filter=Q(number__gt=number)),
    )
    return Way(**found)


class Replay:
    """A scored round laid out again, from a constant number of queries."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.session = round_.session
        self.result: RoundResult = result_of(round_)

    @property
    def hands(self) -> list[LaidHand]:
        """The hands, the best first."""
        typed = {} if self.result.ruleset else self._typed
        return [
            LaidHand(standing, self._rows(standing.score.who, typed.get(standing.score.who)))
            for standing in self.result.standings
        ]

    @cached_property
    def totals(self) -> list[Place]:
        """Where everybody stood after the round, the best first."""
        scored = Hand.objects.filter(
            round__session=self.session, round__state=Round.State.SCORED, round__number__lte=self.round.number
        )
        rows = list(scored.order_by().values_list("player").annotate(Sum("points"), Sum("net")))
        points = {player: points or 0 for player, points, _net in rows}
        money = {player: net or 0 for player, _points, net in rows}
        is_played_for = any(money.values()) and not (self.session.currency == "PTS" and money == points)
        return places_of(list(self.session.seats.select_related("player")), points, money if is_played_for else {})

    @property
    def has_money(self) -> bool:
        """Whether money is worth telling beside the points."""
        return any(total.money for total in self.totals)

    @property
    def money_title(self) -> str:
        """What the money of this evening is called."""
        return money_title(self.session)

    def _rows(self, who: Hashable, typed: Hand | None) -> list[LaidRow]:
        if typed:
            return [row for name in ROWS if (row := _as_typed(name, getattr(typed, name)))]
        hand, ruleset = self.result.hands[who], self.result.ruleset
        readings = row_readings(hand, ruleset) if ruleset else {}
        return [row for name in ROWS if (row := _laid(name, hand, readings))]

    @cached_property
    def _typed(self) -> Mapping[Hashable, Hand]:
        """The hands as they stand in the book, for rules that can no longer be read."""
        return {hand.player_id: hand for hand in self.round.hands.all()}


def _laid(name: str, hand: HandInput, readings: Mapping[str, RowReading]) -> LaidRow | None:
    cards = hand.row(name)
    if not cards and name not in readings:
        return None
    told = wording.row_short(readings[name]) if name in readings else ""
    return LaidRow(str(wording.row_name(name)), cards, told)


def _as_typed(name: str, text: str) -> LaidRow | None:
    if not text:
        return None
    label = str(wording.row_name(name))
    try:
        return LaidRow(label, parse_cards(text), "")
    except CardError:
        return LaidRow(label, (), text)
