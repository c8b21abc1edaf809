"""The players of a club beside each other: who leads, and everybody against everybody."""

from dataclasses import dataclass
from typing import Literal

from scoring.models import Club, PairTally, Player, Tally
from scoring.statistics.figures import Figures
from scoring.statistics.players import Amounts, amounts, turned
from scoring.statistics.selection import EVERYTHING, Selection
from scoring.statistics.sums import ClubSums, added

_IN_MATRIX = ("rounds", "points", "money")  # the index of pair tallies holds these
MOST_IN_MATRIX = 16  # players who fit into a table that can still be read


@dataclass(frozen=True)
class Leader:
    """One line of the leaderboard; those who are level share a place."""

    place: int
    player: Player
    figures: Figures
    evenings: int
    money: Amounts


Measure = Literal["points", "mean", "won", "money"]


def leaderboard(club: Club, selection: Selection = EVERYTHING, measure: Measure = "points") -> list[Leader]:
    """Everybody who played in the selected evenings, best first by points, points a round, the share of rounds won, or
    the money of the club's currency; then by name."""
    totals: dict[int, Tally] = {}
    evenings: dict[int, int] = {}
    money: dict[int, dict[str, int]] = {}
    for (player, currency), one in ClubSums(club, selection).players().items():
        totals[player] = added(totals.get(player), one.tally)
        evenings[player] = evenings.get(player, 0) + one.evenings
        money.setdefault(player, {})[currency] = one.tally.net
    figures = {player: Figures(tally) for player, tally in totals.items()}
    values = {player: _value(figures[player], money[player].get(club.currency, 0), measure) for player in totals}
    return [
        Leader(
            place=1 + sum(other > values[player.pk] for other in values.values()),
            player=player,
            figures=figures[player.pk],
            evenings=evenings[player.pk],
            money=amounts(money[player.pk], club.currency),
        )
        for player in sorted(club.players.filter(pk__in=totals), key=lambda player: -values[player.pk])
    ]


def _value(figures: Figures, money: int, measure: Measure) -> float:
    match measure:
        case "mean":
            return figures.mean.value if figures.mean else 0
        case "won":
            return figures.won.percent or 0
        case "money":
            return money
    return figures.tally.points


@dataclass(frozen=True)
class Matrix:
    """Everybody against everybody: a row for each player in the order of `players`, None against himself and against
    those he never met. Where there are too many, only those who met most often stand in it, and `left_out` do not."""

    rows: list[tuple[Player, list[PairTally | None]]]
    left_out: int

    @property
    def players(self) -> list[Player]:
        return [player for player, _cells in self.rows]


def matrix(club: Club, selection: Selection = EVERYTHING, currency: str = "") -> Matrix:
    """What each pair did in the selected evenings, of those in one `currency` where one is named; by name."""
    cells: dict[tuple[int, int], PairTally] = {}
    met: dict[int, int] = {}
    for (a, b, played_for), pair in ClubSums(club, selection).pairs(_IN_MATRIX).items():
        if currency in ("", played_for):
            for one, other, tally in ((a, b, pair), (b, a, turned(pair))):
                cells[one, other] = added(cells.get((one, other)), tally)
                met[one] = met.get(one, 0) + pair.rounds
    shown = sorted(met, key=lambda player: -met[player])[:MOST_IN_MATRIX]
    players = list(club.players.filter(pk__in=shown))
    rows = [(one, [cells.get((one.pk, other.pk)) for other in players]) for one in players]
    return Matrix(rows, left_out=len(met) - len(players))
