"""Direct debts: what every two of an evening owe each other, pair by pair, without anybody in between."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Sum

from scoring.engine.circles import without_circles
from scoring.models import Entry, Line, PairScore, Round, Session

Who = int | None  # a player's key, None the house
Flow = tuple[Who, Who, int]  # from whom to whom, minor units


@dataclass
class PairDebt:
    """What one of two owes the other, part by part, in minor units; a part that works the other way is negative.

    `cards` is what was lost in `rounds` rounds (to the house: the room fee), `adjusted` what was adjusted by hand,
    `settled` what was paid or carried over, `circle` what cancels because it would go round in a circle.
    """

    rounds: int = 0
    cards: int = 0
    adjusted: int = 0
    settled: int = 0
    circle: int = 0

    @property
    def open(self) -> int:
        return self.cards + self.adjusted + self.settled + self.circle

    def turned(self) -> "PairDebt":
        """The same, told from the other side."""
        return PairDebt(self.rounds, -self.cards, -self.adjusted, -self.settled, -self.circle)


def direct_debts(
    session: Session, order: Sequence[Who], won: Mapping[Who, int], payments: Iterable[Flow]
) -> dict[tuple[Who, Who], PairDebt]:
    """By debtor and creditor what is open between every two, in two queries.

    `order` holds everybody, `won` what the cards and room fees brought each, `payments` what was paid. What each gives
    and gets by these debts is exactly his balance.
    """
    pairs = _Pairs(order)
    pairs.add_rounds(session, won)
    for kind, debtor, creditor, amount in _entries_by_hand(session, order):
        part = "adjusted" if kind == Entry.Kind.ADJUSTMENT else "settled"
        pairs.add(part, debtor, creditor, amount)
    for payer, payee, amount in payments:
        pairs.add("settled", payer, payee, -amount)
    pairs.cancel_circles()
    return pairs.open()


class _Pairs:
    """Debts of pairs; within a pair the one who comes first in the order is taken as the debtor."""

    def __init__(self, order: Sequence[Who]) -> None:
        self.order = order
        self.place = {who: number for number, who in enumerate(order)}
        self.debts: dict[tuple[Who, Who], PairDebt] = {}

    def add(self, part: str, debtor: Who, creditor: Who, amount: int) -> PairDebt:
        """Add to a part of what `debtor` owes `creditor`; gives the debt of the pair."""
        is_turned = self.place[debtor] > self.place[creditor]
        debt = self.debts.setdefault((creditor, debtor) if is_turned else (debtor, creditor), PairDebt())
        setattr(debt, part, getattr(debt, part) + (-amount if is_turned else amount))
        return debt

    def add_rounds(self, session: Session, won: Mapping[Who, int]) -> None:
        """What each lost to each; what he won less than that went to the house."""
        gained: dict[Who, int] = {}
        for a, b, money, rounds in _pair_sums(session):
            self.add("cards", b, a, money).rounds += rounds
            gained[a] = gained.get(a, 0) + money
            gained[b] = gained.get(b, 0) - money
        for player in self.order:
            fee = gained.get(player, 0) - won.get(player, 0)
            if player is not None and fee:
                self.add("cards", player, None, fee)

    def cancel_circles(self) -> None:
        debts = {pair: debt.open for pair, debt in self.open().items()}
        kept = without_circles(debts, self.order)
        for (debtor, creditor), amount in debts.items():
            self.add("circle", debtor, creditor, kept.get((debtor, creditor), 0) - amount)

    def open(self) -> dict[tuple[Who, Who], PairDebt]:
        """What is open by debtor and creditor, those that owe in the order, then those they owe."""
        owed = {
            (pair if debt.open > 0 else pair[::-1]): debt if debt.open > 0 else debt.turned()
            for pair, debt in self.debts.items()
            if debt.open
        }
        return dict(sorted(owed.items(), key=lambda item: [self.place[who] for who in item[0]]))


def spread(amounts: Mapping[Who, int], order: Sequence[Who]) -> Iterator[Flow]:
    """Who of an entry that sums to zero owes whom: the first who lost owes the first who gained, and so on."""
    losses = {who: -amounts[who] for who in order if amounts.get(who, 0) < 0}
    for creditor in order:
        gain = max(amounts.get(creditor, 0), 0)
        for debtor in list(losses):
            amount = min(gain, losses[debtor])
            if not amount:
                break
            yield debtor, creditor, amount
            gain -= amount
            losses[debtor] -= amount
            if not losses[debtor]:
                del losses[debtor]


def _pair_sums(session: Session) -> Iterable[tuple[int, int, int, int]]:
    """What `a` has won of `b` in the scored rounds in which they met, and how many these were."""
    pairs = PairScore.objects.filter(round__session=session, round__state=Round.State.SCORED).order_by()
    return pairs.values_list("a", "b").annotate(Sum("money"), Count("pk"))


def _entries_by_hand(session: Session, order: Sequence[Who]) -> Iterator[tuple[str, Who, Who, int]]:
    """What adjustments, and carrying over, mean between any two: each entry for itself."""
    kinds = (Entry.Kind.ADJUSTMENT, Entry.Kind.CARRY_OVER)
    lines = Line.objects.filter(session=session, entry__kind__in=kinds, entry__reversed_by=None)
    entries: dict[tuple[int, str], dict[Who, int]] = {}
    for entry, kind, player, amount in lines.values_list("entry", "entry__kind", "player", "amount"):
        entries.setdefault((entry, kind), {})[player] = amount
    for (_entry, kind), amounts in entries.items():
        for flow in spread(amounts, order):
            yield kind, *flow
