"""What people will tell of an evening: its highlights, worked out from its scored rounds.

All of it goes by points, so that it holds whatever was played for. Of two that are equal the earlier one counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from scoring.models import Hand, Round, Session


class Brought(NamedTuple):
    """What a round brought to one player: points, and minor units with the room fee taken off. `natural` is the key of
    the one he showed."""

    points: int
    net: int = 0
    status: str = "played"
    natural: str = ""
    is_super: bool = False


class PlayedRound(NamedTuple):
    """A scored round: its number, and by player's key what it brought to those who had cards."""

    number: int
    hands: Mapping[int, Brought]


class Moment(NamedTuple):
    """A hand to remember: the number of its round, the player's key, what it brought."""

    round: int
    player: int
    brought: Brought


class Comeback(NamedTuple):
    """How far a player came back: from his lowest total, which he had after `round`, to his last one."""

    round: int
    player: int
    lowest: int
    final: int

    @property
    def points(self) -> int:
        return self.final - self.lowest


class Closest(NamedTuple):
    """The round with the fewest points between its best and its worst."""

    round: int
    points: int


class Run(NamedTuple):
    """Rounds that a player won one after the other, those he sat out aside: from `round` to `last`."""

    round: int
    player: int
    last: int
    length: int


@dataclass(frozen=True)
class Highlights:
    """What an evening had; None, or nothing in the list, where there was nothing of the kind."""

    supers: list[Moment]
    naturals: list[Moment]
    paos: list[Moment]
    win: Moment | None
    loss: Moment | None
    comeback: Comeback | None
    closest: Closest | None
    run: Run | None


def played_rounds(session: Session) -> list[PlayedRound]:
    """The scored rounds of an evening, oldest first, from one query; the hands are those of players with a seat."""
    scored = Hand.objects.filter(round__session=session, round__state=Round.State.SCORED)
    hands = scored.filter(player__seats__session=session)
    rows = hands.order_by("round__number", "position").values_list(
        "round__number", "player_id", "points", "net", "status", "natural", "is_super"
    )
    rounds: dict[int, dict[int, Brought]] = {}
    for number, player, points, net, status, natural, is_super in rows:
        rounds.setdefault(number, {})[player] = Brought(points or 0, net or 0, status, natural, is_super)
    return [PlayedRound(number, hands) for number, hands in rounds.items()]


def find_highlights(rounds: Sequence[PlayedRound]) -> Highlights:
    """The highlights of an evening; `rounds` are its scored ones, oldest first."""
    moments = [Moment(round_.number, *hand) for round_ in rounds for hand in round_.hands.items()]
    best = max(moments, key=_points, default=None)
    worst = min(moments, key=_points, default=None)
    return Highlights(
        supers=[moment for moment in moments if moment.brought.is_super],
        naturals=[moment for moment in moments if moment.brought.status == "natural"],
        paos=[moment for moment in moments if moment.brought.status == "pao"],
        win=best if best and _points(best) > 0 else None,
        loss=worst if worst and _points(worst) < 0 else None,
        comeback=max(_comebacks(moments), key=lambda one: (one.points, -one.round), default=None),
        closest=min(map(_closeness, rounds), key=lambda one: one.points) if len(rounds) > 1 else None,
        run=max(_runs(moments), key=lambda one: (one.length, -one.round), default=None),
    )


def _points(moment: Moment) -> int:
    return moment.brought.points


def _comebacks(moments: Sequence[Moment]) -> Iterator[Comeback]:
    """For everybody who was below nought and ended higher than his lowest."""
    for player, hands in _by_player(moments).items():
        totals = list(accumulate(map(_points, hands)))
        lowest = min(totals)
        if lowest < min(0, totals[-1]):
            yield Comeback(hands[totals.index(lowest)].round, player, lowest, totals[-1])


def _closeness(round_: PlayedRound) -> Closest:
    points = [brought.points for brought in round_.hands.values()]
    return Closest(round_.number, max(points) - min(points))


def _runs(moments: Sequence[Moment]) -> Iterator[Run]:
    """Every run of two won rounds and more, with each round that made it longer."""
    for player, hands in _by_player(moments).items():
        won: list[int] = []
        for hand in hands:
            if _points(hand) <= 0:
                won.clear()
                continue
            won.append(hand.round)
            if len(won) > 1:
                yield Run(won[0], player, won[-1], len(won))


def _by_player(moments: Sequence[Moment]) -> dict[int, list[Moment]]:
    players: dict[int, list[Moment]] = {}
    for moment in moments:
        players.setdefault(moment.player, []).append(moment)
    return players
