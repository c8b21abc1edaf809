"""One evening: its scoreboard, how it went round by round, its rounds in a line each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, Prefetch, QuerySet

from scoring import ledger
from scoring.models import Hand, Player, Round, Seat, Session

# ---------------------------------------------------------------- one evening


@dataclass(frozen=True)
class RunningTotals:
    """What each player had won after each scored round, room fees of the rounds taken off; minor units.

    `numbers` are those of the scored rounds, oldest first; `played` who had cards in them, by key. `totals` holds by
    player's key one total for each of them, also for rounds in which he had no cards; `last` what the newest of them
    brought to those who played.
    """

    numbers: list[int]
    played: list[Collection[int]]
    totals: dict[int, list[int]]
    last: dict[int, int]

    def rows(self, players: Sequence[Player], first: int, last: int) -> list[tuple[int, list[int]]]:
        """The totals of `players` after each of the rounds `first` to `last`, newest first."""
        return [
            (number, [self.totals[player.pk][place] for player in players])
            for place, number in reversed(list(enumerate(self.numbers)))
            if first <= number <= last
        ]


def running_totals(session: Session, players: Iterable[Player]) -> RunningTotals:
    """How the evening went for `players`, from one query whatever the number of rounds."""
    hands = Hand.objects.filter(round__session=session, round__state=Round.State.SCORED).order_by("round__number")
    nets: dict[int, dict[int, int]] = {}
    for number, player, net in hands.values_list("round__number", "player_id", "net"):
        nets.setdefault(number, {})[player] = net or 0
    totals: dict[int, list[int]] = {player.pk: [] for player in players}
    for round_nets in nets.values():
        for player, values in totals.items():
            values.append((values[-1] if values else 0) + round_nets.get(player, 0))
    played: list[Collection[int]] = [round_nets.keys() for round_nets in nets.values()]
    return RunningTotals(list(nets), played, totals, next(reversed(nets.values()), {}))


@dataclass(frozen=True)
class Standing:
    """One line of the scoreboard. `last` is what the newest round brought, None for one who had no cards in it."""

    place: int
    seat: Seat
    total: int
    last: int | None


@dataclass(frozen=True)
class Scoreboard:
    """Who stands where, best first; those who are level share a place. Minor units; payments are no winnings."""

    standings: list[Standing]
    house: int
    gap: int  # nought, unless the book is damaged

    @property
    def winners(self) -> list[Standing]:
        """Those on the first place; nobody where all are level."""
        first = [standing for standing in self.standings if standing.place == 1]
        return first if len(first) < len(self.standings) else []


def scoreboard(session: Session, seats: Sequence[Seat], last: Mapping[int, int]) -> Scoreboard:
    """The scoreboard of the evening; `last` is what the newest round brought, by player's key."""
    totals = ledger.totals(session)
    amounts = {seat.player_id: totals.get(seat.player_id, 0) for seat in seats}
    order = sorted(seats, key=lambda seat: -amounts[seat.player_id])
    standings = [
        Standing(
            place=1 + sum(other > amounts[seat.player_id] for other in amounts.values()),
            seat=seat,
            total=amounts[seat.player_id],
            last=last.get(seat.player_id),
        )
        for seat in order
    ]
    return Scoreboard(standings, house=totals.get(None, 0), gap=sum(totals.values()))


# ---------------------------------------------------------------- rounds of an evening


def finished_rounds(session: Session) -> QuerySet[Round]:
    """The scored and the voided rounds, newest first, with all that a list tells of them."""
    hands = Hand.objects.select_related("player")
    rounds = session.rounds.finished().select_related("voided_by")
    return rounds.prefetch_related(Prefetch("hands", hands), "pair_scores").order_by("-number")


def next_number(session: Session) -> int:
    """The number of the round that would be opened next."""
    return int(session.rounds.aggregate(last=Max("number", default=0))["last"]) + 1


class RoundSummary:
    """A scored round in one line: who won it, with what, and what it was for the others.

    `round_` comes with its hands, their players and its pair scores, as from `finished_rounds`.
    """

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.hands: list[Hand] = sorted(round_.hands.all(), key=lambda hand: (-(hand.net or 0), -(hand.points or 0)))

    @property
    def best(self) -> Hand:
        return self.hands[0]

    @cached_property
    def winners(self) -> list[Hand]:
        """Who won most; by points where the stake is nought. Nobody where the round brought nothing to anybody."""
        if not (self.best.net or self.best.points):
            return []
        best = (self.best.net, self.best.points)
        return [hand for hand in self.hands if (hand.net, hand.points) == best]

    @property
    def others(self) -> list[Hand]:
        return [hand for hand in self.hands if hand not in self.winners]

    @property
    def is_super(self) -> bool:
        return any(hand.is_super for hand in self.winners)

    @property
    def is_tembus(self) -> bool:
        """Whether a winner took all three rows from somebody who showed a legal hand, and that was no super."""
        played = {hand.player_id for hand in self.hands if hand.status == "played"}
        winners = {hand.player_id for hand in self.winners}
        return not self.is_super and any(
            {pair.a_id, pair.b_id} <= played
            and (pair.a_id if pair.points > 0 else pair.b_id) in winners
            and abs((pair.front or 0) + (pair.middle or 0) + (pair.back or 0)) == 3
            for pair in self.round.pair_scores.all()
        )
