"""Debts that run in a circle: Ana owes Budi, he owes Citra, she owes Ana. Nobody has to pay for those.

**What is left stays put while people pay.** Of all ways to take the circles out, `without_circles` takes the one that
leaves the least to pay, and among those the cheapest by a price that every debt has by its place in a fixed order. No
two ways cost the same: prices are different powers of two, so nothing that is added to one debt and taken off others
comes to nought. After a payment of what is left, the rest is what `without_circles` leaves again. For were there a
cheaper way by then, that payment added to it would have been a cheaper way for the whole.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Who = TypeVar("Who", bound=Hashable)


def without_circles(debts: Mapping[tuple[Who, Who], int], order: Sequence[Who]) -> dict[tuple[Who, Who], int]:
    """What is left of debts, each (debtor, creditor) with a positive amount, once all circles are cancelled.

    No debt grows or turns round, and what each person gets and gives in all stays as it is. `order` holds everybody,
    in an order that lasts, such as the seats.

    >>> without_circles({("Ana", "Budi"): 10, ("Budi", "Citra"): 7, ("Citra", "Ana"): 7}, ["Ana", "Budi", "Citra"])
    {('Ana', 'Budi'): 3}
    """
    flow = _CheapestFlow(debts, order)
    while path := flow.cheapest_path():
        flow.send_along(path)
    return {pair: amount for pair, amount in flow.kept.items() if amount}


class _CheapestFlow(Generic[Who]):
    """What every debtor owes in all is sent along the debts that there are, the cheapest way first.

    That the cheapest paths one after the other make the cheapest whole is the theorem of successive shortest paths.
    """

    def __init__(self, debts: Mapping[tuple[Who, Who], int], order: Sequence[Who]) -> None:
        place = {who: number for number, who in enumerate(order)}
        one_more = 1 << len(order) ** 2  # above all other prices together: first of all few amounts are to be paid
        self.debts = debts
        self.price = {(a, b): one_more + (1 << (place[a] * len(order) + place[b])) for a, b in debts}
        self.kept = dict.fromkeys(debts, 0)
        self.open: dict[Who, int] = dict.fromkeys(order, 0)  # what each is still to give, negative: to get
        for (debtor, creditor), amount in debts.items():
            self.open[debtor] += amount
            self.open[creditor] -= amount

    def cheapest_path(self) -> list[tuple[Who, Who]]:
        """The steps from somebody who is still to give to somebody who is still to get; none where all is sent."""
        costs: dict[Who, int] = {who: 0 for who, amount in self.open.items() if amount > 0}
        came_from: dict[Who, Who] = {}
        changed = bool(costs)
        while changed:
            changed = False
            for giver, taker, price in self._steps():
                if giver in costs and costs[giver] + price < costs.get(taker, costs[giver] + price + 1):
                    costs[taker], came_from[taker], changed = costs[giver] + price, giver, True
        ends = [who for who, amount in self.open.items() if amount < 0 and who in costs]
        return self._path_to(min(ends, key=costs.__getitem__), came_from) if ends else []

    def send_along(self, path: list[tuple[Who, Who]]) -> None:
        """Send as much along a path as fits."""
        giver, taker = path[0][0], path[-1][1]
        amount = min(self.open[giver], -self.open[taker], *(self._room(step) for step in path))
        for step in path:
            if self._is_forward(step):
                self.kept[step] += amount
            else:
                self.kept[step[::-1]] -= amount
        self.open[giver] -= amount
        self.open[taker] += amount

    def _steps(self) -> Iterator[tuple[Who, Who, int]]:
        """Along every debt with room, and back along every one where something was sent."""
        for (debtor, creditor), kept in self.kept.items():
            price = self.price[debtor, creditor]
            if kept < self.debts[debtor, creditor]:
                yield debtor, creditor, price
            if kept:
                yield creditor, debtor, -price

    def _is_forward(self, step: tuple[Who, Who]) -> bool:
        return step in self.debts

    def _room(self, step: tuple[Who, Who]) -> int:
        return self.debts[step] - self.kept[step] if self._is_forward(step) else self.kept[step[::-1]]

    @staticmethod
    def _path_to(end: Who, came_from: Mapping[Who, Who]) -> list[tuple[Who, Who]]:
        path = []
        while end in came_from:
            path.append((came_from[end], end))
            end = came_from[end]
        return path[::-1]
