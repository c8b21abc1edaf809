"""Fewest transfers: who pays whom so that every balance ends at zero.

n people need at least n − k transfers, where k is the largest number of groups into which they fall so that each
group's balances sum to zero. Finding k is NP-hard in general; `zero_groups` does it for the sizes of a card evening.

**The plan stays put while people pay.** Of all plans with the fewest transfers, `settle` takes the one in which the
first payer pays as much as possible to the first payee, then to the second, and so on: the lexicographically largest
table of amounts. After a payment of the plan the rest of it is the plan again. For were there a better plan for what
is left, that payment added to it would give a better plan for the whole. This holds for up to 16 people with a
balance, as long as their order (the argument `order`, or their names) does not change; for more people it is usual
up to `CANONICAL_UP_TO`, but not promised. Payments of another amount than the plan's may change any row.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Generic, TypeVar

from scoring.engine.errors import ScoringError, gettext_noop
from scoring.engine.zero_groups import zero_groups

Who = TypeVar("Who", bound=Hashable)

# For more people with a balance than this the plan is any one with that number of transfers: choosing asks for the
# best groups again at every pair that might pay each other.
CANONICAL_UP_TO = 24


_NOT_WHOLE = gettext_noop("balances[%(who)r]: expected a whole number, not %(got)s")
_NO_PLACE = gettext_noop("order: %(who)r has a balance but no place in the order")
_TOO_MUCH = gettext_noop("balances: they sum to +%(gap)d instead of 0; take %(gap)d off")
_TOO_LITTLE = gettext_noop("balances: they sum to -%(gap)d instead of 0; add %(gap)d")


class BalanceError(ScoringError):
    """Balances that cannot be settled; the message names the balance."""


class UnbalancedError(BalanceError):
    """Balances that do not sum to zero; `excess` is their sum."""

    def __init__(self, excess: int) -> None:
        super().__init__(_TOO_MUCH if excess > 0 else _TOO_LITTLE, gap=abs(excess))
        self.excess = excess


@dataclass(frozen=True, slots=True)
class Transfer(Generic[Who]):
    """`payer` gives `payee` `amount` (positive, in the unit of the balances)."""

    payer: Who
    payee: Who
    amount: int


@dataclass(frozen=True, slots=True)
class Plan(Generic[Who]):
    """Transfers in the order of payers, then payees. `proven_minimal`: no plan has fewer."""

    transfers: tuple[Transfer[Who], ...]
    proven_minimal: bool


def settle(balances: Mapping[Who, int], order: Sequence[Who] | None = None) -> Plan[Who]:
    """The plan with the fewest transfers for balances in whole minor units (a winner's is positive).

    Proven to be the fewest for up to 16 people with a balance other than zero, and whenever the search for more
    people came to its end. Only losers pay and only winners receive, so the total moved is the sum of the winnings.
    `order` settles which of several such plans is taken (all people, in a lasting order such as the seats); without
    it that of the names. The order of the mapping changes nothing, unless two names read alike.
    Raises `UnbalancedError` where the balances do not sum to zero, else `BalanceError`.

    >>> settle({"Ana": 160, "Budi": -240, "Citra": 80}).transfers
    (Transfer(payer='Budi', payee='Ana', amount=160), Transfer(payer='Budi', payee='Citra', amount=80))
    """
    _check(balances)
    people = [who for who in _in_order(balances, order) if balances[who]]
    amounts = [balances[who] for who in people]
    groups, proven = zero_groups(amounts)
    evening = _Settlement(amounts, groups, choose=proven and len(people) <= CANONICAL_UP_TO)
    transfers = [Transfer(people[payer], people[payee], amount) for payer, payee, amount in evening.payments()]
    return Plan(tuple(transfers), proven)


def _check(balances: Mapping[Who, int]) -> None:
    for who, amount in balances.items():
        if type(amount) is not int:
            raise BalanceError(_NOT_WHOLE, who=who, got=short_repr(amount))
    if excess := sum(balances.values()):
        raise UnbalancedError(excess)


def _in_order(balances: Mapping[Who, int], order: Sequence[Who] | None) -> list[Who]:
    if order is None:
        return sorted(balances, key=_own_order)
    place = {who: number for number, who in enumerate(order)}
    for who in balances:
        if who not in place:
            raise BalanceError(_NO_PLACE, who=who)
    return sorted(balances, key=place.__getitem__)


def _own_order(who: Hashable) -> tuple[str, int | str]:
    """An order that does not depend on where people stand in the mapping, for names of any type."""
    return type(who).__name__, who if isinstance(who, int | str) else str(who)


class _Settlement:
    """What is still open while the payments of the plan are made. People are numbers, in their order."""

    def __init__(self, balances: list[int], groups: list[list[int]], choose: bool) -> None:
        self.choose = choose
        self.open = dict(enumerate(balances))
        self._set_groups(groups)

    def _set_groups(self, groups: list[list[int]]) -> None:
        """Groups that prove how few transfers settle what is open."""
        self.fewest = len(self.open) - len(groups)
        self.group_of = {who: number for number, group in enumerate(groups) for who in group}
        self.refused: set[tuple[int, int]] = set()

    def payments(self) -> Iterator[tuple[int, int, int]]:
        """(payer, payee, amount) of every payment, in the order of payers, then payees."""
        payers = [who for who, amount in self.open.items() if amount < 0]
        payees = [who for who, amount in self.open.items() if amount > 0]
        for payer in payers:
            for payee in payees:
                if payer not in self.open:
                    break
                if payee in self.open and (amount := self._pay(payer, payee)):
                    yield payer, payee, amount

    def _pay(self, payer: int, payee: int) -> int:
        """Makes the largest possible payment between the two; 0 where no plan with the fewest transfers holds one."""
        amount = min(-self.open[payer], self.open[payee])
        if self.group_of[payer] == self.group_of[payee]:
            _book(self.open, payer, payee, amount)
            self.fewest -= 1
            self.refused.clear()
        elif not self.choose or not self._regroup(payer, payee, amount):
            return 0
        return amount

    def _regroup(self, payer: int, payee: int, amount: int) -> bool:
        """Makes a payment between two groups if that leaves one transfer less to make."""
        balances = self.open[payer], self.open[payee]
        if balances in self.refused:
            return False
        after = dict(self.open)
        _book(after, payer, payee, amount)
        groups, _ = zero_groups(list(after.values()))
        if len(after) - len(groups) >= self.fewest:
            self.refused.add(balances)
            return False
        people = list(after)
        self.open = after
        self._set_groups([[people[place] for place in group] for group in groups])
        return True


def _book(balances: dict[int, int], payer: int, payee: int, amount: int) -> None:
    """Books a payment; whoever is even after it drops out."""
    for who, change in ((payer, amount), (payee, -amount)):
        balances[who] += change
        if not balances[who]:
            del balances[who]
