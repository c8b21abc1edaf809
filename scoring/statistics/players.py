"""How one player did: figures, evenings, and how he did against each of the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.models import PairTally, Player, Tally
from scoring.statistics.figures import Figures, Streaks, streaks
from scoring.statistics.selection import EVERYTHING, Selection
from scoring.statistics.sums import ClubSums, PlayerEvening, added

FORM = 30  # evenings that the chart of a player's form shows
NO_MONEY = "PTS"  # points are told apart from money already

Amounts = list[tuple[str, int]]
"""Minor units by currency, that of the club first."""


@dataclass(frozen=True)
class HeadToHead:
    """What a player did against one other, signed for the player."""

    opponent: Player
    tally: PairTally
    money: Amounts


class PlayerRecord:
    """What a player did in the selected evenings of his club, in nine queries at most."""

    def __init__(self, player: Player, selection: Selection = EVERYTHING) -> None:
        self.player = player
        self._sums = ClubSums(player.club, selection, player)
        self._by_currency = {currency: one for (_player, currency), one in self._sums.players().items()}

    @cached_property
    def figures(self) -> Figures | None:
        """None where he did not play."""
        total: Tally | None = None
        for one in self._by_currency.values():
            total = added(total, one.tally)
        return Figures(total) if total else None

    @property
    def money(self) -> Amounts:
        """What he took home in each currency, room fees paid."""
        return amounts({currency: one.tally.net for currency, one in self._by_currency.items()}, self._currency)

    @cached_property
    def evenings(self) -> list[PlayerEvening]:
        """The first one first."""
        return self._sums.evenings()

    @property
    def form(self) -> list[PlayerEvening]:
        """The last evenings, the newest one last."""
        return self.evenings[-FORM:]

    @property
    def best(self) -> PlayerEvening:
        """The evening that brought most points; the first of equals."""
        return max(self.evenings, key=lambda one: one.points)

    @property
    def worst(self) -> PlayerEvening:
        return min(self.evenings, key=lambda one: one.points)

    @property
    def streaks(self) -> Streaks:
        """Evenings won or lost in a row, by their points."""
        return streaks(one.points for one in self.evenings)

    @cached_property
    def opponents(self) -> list[HeadToHead]:
        """Everybody he met, by name."""
        tallies: dict[int, PairTally] = {}
        money: dict[int, dict[str, int]] = {}
        for (a, b, currency), pair in self._sums.pairs().items():
            other, mine = (b, pair) if a == self.player.pk else (a, turned(pair))
            tallies[other] = added(tallies.get(other), mine)
            money.setdefault(other, {})[currency] = mine.money
        met = self.player.club.players.filter(pk__in=tallies)
        return [HeadToHead(one, tallies[one.pk], amounts(money[one.pk], self._currency)) for one in met]

    @property
    def _currency(self) -> str:
        return self.player.club.currency


def amounts(by_currency: Mapping[str, int], first: str) -> Amounts:
    """Money in the order in which a page tells it; points are none."""
    money = [(currency, amount) for currency, amount in by_currency.items() if currency != NO_MONEY]
    return sorted(money, key=lambda item: (item[0] != first, item[0]))


def turned(pair: PairTally) -> PairTally:
    """The tally of a pair as its second player sees it."""
    return PairTally(
        rounds=pair.rounds,
        points=-pair.points,
        money=-pair.money,
        rows_won=pair.rows_lost,
        rows_tied=pair.rows_tied,
        rows_lost=pair.rows_won,
        tembus_given=pair.tembus_taken,
        tembus_taken=pair.tembus_given,
    )


def columns(lines: Sequence[Amounts]) -> tuple[list[str], list[list[tuple[str, int | None]]]]:
    """Amounts one below the other: the currencies that occur, and for each line what stands in their columns."""
    currencies = list(dict.fromkeys(currency for line in lines for currency, _amount in line))
    return currencies, [[(currency, dict(line).get(currency)) for currency in currencies] for line in lines]
