"""What the book of an evening should come to, worked out from scratch: nothing here knows the program.

Amounts are minor units by player's key, None for the house.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Who = int | None
Pair = tuple[int, int]  # the lower key first

# The four hands of RULES 11 under `capsa`, told apart by their place there. The first beats the others in every row: 6
# for the rows, 3 and 7 for its bonuses; with all four at the table it is a super, 12 for the rows. The others win one.
FIRST, SUPER = 16, 22
AMONG_THE_REST = {(1, 2): 1, (1, 3): -1, (2, 3): -1}


def points_between(a: int, b: int, is_super: bool) -> int:
    """What hand `a` wins of hand `b`."""
    if a > b:
        return -points_between(b, a, is_super)
    return AMONG_THE_REST[a, b] if a else SUPER if is_super else FIRST


def as_pair(a: int, b: int) -> Pair:
    return min(a, b), max(a, b)


def without_zeros(amounts: Mapping[Who, int]) -> dict[Who, int]:
    return {who: amount for who, amount in amounts.items() if amount}


@dataclass(frozen=True)
class Version:
    """A round as it was scored: who held which hand, the stake of all, and what each pair played for."""

    hands: Mapping[int, int]
    stake: int
    stakes: Mapping[Pair, int]
    fee_percent: int

    @property
    def nets(self) -> Counter[Who]:
        money: Counter[Who] = Counter(dict.fromkeys(self.hands, 0))
        for a, b in combinations(self.hands, 2):
            points = points_between(self.hands[a], self.hands[b], len(self.hands) == 4)
            money[a] += points * self.stakes[as_pair(a, b)]
            money[b] -= points * self.stakes[as_pair(a, b)]
        for player in self.hands:
            fee = max(money[player], 0) * self.fee_percent // 100
            money[player] -= fee
            money[None] += fee
        return money


@dataclass
class Round:
    """All versions of a round, the one that counts last."""

    versions: list[Version]
    is_voided: bool = False


@dataclass
class Moved:
    """Amounts written by hand, a payment or an adjustment, that can be taken back."""

    amounts: Mapping[Who, int]
    stands: bool = True


def sum_of(moved: Iterable[Moved]) -> Counter[Who]:
    total: Counter[Who] = Counter()
    for one in moved:
        if one.stands:
            total.update(one.amounts)
    return total


@dataclass
class Evening:
    stake: int
    fee_percent: int
    fee_at_end: bool
    present: set[int] = field(default_factory=set)
    seated: set[int] = field(default_factory=set)  # those too who have left, once they played or paid
    own: dict[Pair, int] = field(default_factory=dict)
    plans: dict[tuple[int, Pair | None], int | None] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    payments: list[Moved] = field(default_factory=list)
    adjustments: list[Moved] = field(default_factory=list)
    fees: dict[Who, int] = field(default_factory=dict)
    is_open: bool = True
    carried: dict[Who, int] = field(default_factory=dict)

    # ---------------------------------------------------------------- what it comes to

    @property
    def played(self) -> Counter[Who]:
        total: Counter[Who] = Counter()
        for round_ in self.rounds:
            if not round_.is_voided:
                total.update(round_.versions[-1].nets)
        return total

    @property
    def won(self) -> Counter[Who]:
        total = self.played
        total.update(self.fees)
        return total

    @property
    def balances(self) -> Counter[Who]:
        total = self.won
        for part in (sum_of(self.payments), sum_of(self.adjustments)):
            total.update(part)
        total.subtract(self.carried)
        return total

    # ---------------------------------------------------------------- what happens

    def seat(self, present: set[int]) -> None:
        """These are at the table now. Who leaves without a trace in the book takes the stakes along."""
        self.present = present
        self.seated = present | (self.seated & self._in_the_book())
        self.own = {pair: stake for pair, stake in self.own.items() if self.seated.issuperset(pair)}
        self.plans = {key: plan for key, plan in self.plans.items() if self.seated.issuperset(key[1] or ())}

    def play(self, hands: Mapping[int, int]) -> None:
        self._apply_plans(len(self.rounds) + 1)
        stakes = {pair: self._stake_of(pair) for pair in self._pairs(hands)}
        self.rounds.append(Round([Version(hands, self.stake, stakes, 0 if self.fee_at_end else self.fee_percent)]))

    def amend(self, place: int, hands: Mapping[int, int], stake: int | None) -> None:
        """Other hands, and perhaps another stake for the pairs that have none of their own."""
        old = self.rounds[place].versions[-1]
        stake = old.stake if stake is None else stake
        own = {pair: played for pair, played in old.stakes.items() if played != old.stake}
        own |= {pair: self.own[pair] for pair in self._pairs(hands) if pair in self.own and pair not in old.stakes}
        stakes = {pair: own.get(pair, stake) for pair in self._pairs(hands)}
        self.rounds[place].versions.append(Version(hands, stake, stakes, old.fee_percent))

    def bring_back(self, place: int, version: int) -> None:
        self.rounds[place].versions.append(self.rounds[place].versions[version])

    def change_stake(self, pair: Pair | None, stake: int | None, from_round: int) -> None:
        at_hand = len(self.rounds) + 1
        self._apply_plans(at_hand)
        if self._planned(pair, from_round) == stake:
            return
        if from_round > at_hand:
            self.plans.pop((from_round, pair), None)
            if self._planned(pair, from_round - 1) != stake:
                self.plans[from_round, pair] = stake
        else:
            self._put(pair, stake)

    def close(self) -> None:
        self.is_open = False
        if self.fee_at_end:
            fees = {who: max(amount, 0) * self.fee_percent // 100 for who, amount in self.played.items() if who}
            self.fees = {who: -fee for who, fee in fees.items()} | {None: sum(fees.values())}

    def reopen(self) -> None:
        self.is_open = True
        self.fees = {}
        self.carried = {}

    def _in_the_book(self) -> set[Who]:
        held = {player for round_ in self.rounds for version in round_.versions for player in version.hands}
        return held.union(*(moved.amounts for moved in (*self.payments, *self.adjustments)))

    # ---------------------------------------------------------------- stakes

    def _pairs(self, players: Iterable[int]) -> Iterator[Pair]:
        return (as_pair(a, b) for a, b in combinations(players, 2))

    def _stake_of(self, pair: Pair) -> int:
        return self.own.get(pair, self.stake)

    def _planned(self, pair: Pair | None, number: int) -> int | None:
        """What holds for the pair, or for all, in the round of this number, as things are planned."""
        stake = self.own.get(pair) if pair else self.stake
        due = sorted((start, plan) for (start, of), plan in self.plans.items() if of == pair and start <= number)
        return due[-1][1] if due else stake

    def _apply_plans(self, number: int) -> None:
        for start, pair in sorted((key for key in self.plans if key[0] <= number), key=lambda key: key[0]):
            self._put(pair, self.plans.pop((start, pair)))

    def _put(self, pair: Pair | None, stake: int | None) -> None:
        if pair is None:
            self.stake = stake or 0
        elif stake is None:
            self.own.pop(pair, None)
        else:
            self.own[pair] = stake


@dataclass
class Club:
    """The club's own book: what was carried over and stands, and what was paid of it."""

    evenings: Sequence[Evening]
    payments: list[Moved] = field(default_factory=list)

    @property
    def balances(self) -> Counter[Who]:
        total = sum_of(self.payments)
        for evening in self.evenings:
            total.update(evening.carried)
        return total
