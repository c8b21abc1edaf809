"""The largest number of groups into which balances fall so that each group sums to zero (for `settle`)."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice
from math import comb, prod

# Without opposites a group has at least three members.
SMALLEST = 3
# So many balances, after pairs of opposites are taken out, are always searched to the end.
EXACT_UP_TO = 16
# With more of them the search is given up beyond these numbers, each worth about a tenth of a second.
MOST_HALF_SUMS = 1 << 14
MOST_ZERO_SETS = 20_000
MOST_STEPS = 300_000
MOST_COMBINATIONS = 20_000


def zero_groups(amounts: Sequence[int]) -> tuple[list[list[int]], bool]:
    """Places of nonzero amounts that sum to zero → the groups, and whether more are proven impossible.

    Opposite amounts are paired first: were x and −x in two groups, what is left of both would be one group again,
    and were they in one, what is left of it would be another, so pairing them loses nothing.
    """
    places: dict[int, list[int]] = {}
    for place, amount in enumerate(amounts):
        places.setdefault(amount, []).append(place)
    groups = []
    for amount in [amount for amount in places if amount > 0]:
        while places[amount] and places.get(-amount):
            groups.append([places[amount].pop(0), places[-amount].pop(0)])
    rest = Counter({amount: len(those) for amount, those in places.items() if those})
    parts, proven = _part(rest)
    return groups + [[places[amount].pop(0) for amount in part] for part in parts], proven


def _part(rest: Counter[int]) -> tuple[list[list[int]], bool]:
    """Amounts without opposites → zero-sum parts, as many as the search finds, and whether that is proven."""
    bound = rest.total() // SMALLEST
    parts: list[list[int]] = []
    proven = True
    while rest.total() >= 2 * SMALLEST:
        search = _Search(rest)
        if search.is_feasible:
            parts += search.parts()
            return parts, (proven and search.is_complete) or len(parts) == bound
        proven = False
        part = _small_zero_set(rest)
        if not part:
            break
        parts.append(part)
        rest = rest - Counter(part)
    if rest:
        parts.append(list(rest.elements()))
    return parts, proven or len(parts) == bound


def _small_zero_set(amounts: Counter[int]) -> list[int]:
    """One of the smallest zero-sum parts, or nothing where it would have many members."""
    members = sorted(amounts.elements())
    size = SMALLEST
    while comb(len(members), (size + 1) // 2) <= MOST_COMBINATIONS:
        halves = {sum(members[place] for place in half): half for half in combinations(range(len(members)), size // 2)}
        for half in combinations(range(len(members)), size - size // 2):
            other = halves.get(-sum(members[place] for place in half), half)
            if not set(half) & set(other):
                return [members[place] for place in half + other]
        size += 1
    return []


class _Search:
    """The most disjoint zero-sum parts of a multiset of amounts without opposites.

    A multiset is one integer: the low byte counts its members, and above it each distinct amount has a field with its
    multiplicity and a spare bit on top. `(whole | spare) - part` keeps all the spare bits exactly where `part` lies
    within `whole`, and then `whole - part` is the rest.
    """

    SIZE = (1 << 8) - 1

    def __init__(self, amounts: Counter[int]) -> None:
        self.is_bounded = amounts.total() > EXACT_UP_TO
        self.steps_left = MOST_STEPS if self.is_bounded else sys.maxsize
        # Large amounts first: few parts hold them, which keeps the search narrow.
        self.fields = self._lay_out(sorted(amounts.items(), key=lambda item: (-abs(item[0]), item[0])))
        self.whole = sum(unit * count for _, unit, count in self.fields)
        self.found: dict[int, tuple[int, int]] = {0: (0, 0)}
        self.is_feasible = self._find_zero_sets()

    def parts(self) -> list[list[int]]:
        """As many parts as were found, each as its amounts."""
        parts = []
        rest = self.whole
        while rest:
            _, part = self._most(rest)
            parts.append(self._members(part))
            rest -= part
        return parts

    @property
    def is_complete(self) -> bool:
        """Whether the search came to its end, so that more parts are impossible."""
        return self.steps_left > 0

    def _lay_out(self, counts: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """(amount, the integer of one of it, how many there are) of each field."""
        fields = []
        self.spare = 0
        self.starting_with: dict[int, list[int]] = {}
        bit = self.SIZE.bit_length()
        for amount, count in counts:
            fields.append((amount, (1 << bit) + 1, count))
            starting_here: list[int] = []
            for _ in range(count.bit_length()):
                self.starting_with[1 << bit] = starting_here
                bit += 1
            self.spare |= 1 << bit
            bit += 1
        return fields

    def _find_zero_sets(self) -> bool:
        """Lists every zero-sum part by its first field: two halves of the fields, met in the middle.

        False where there would be too many of them, or more members than the low byte can count.
        """
        halves = self.fields[::2], self.fields[1::2]
        most_sums = max(prod(count + 1 for _, _, count in half) for half in halves)
        if self.is_bounded and (most_sums > MOST_HALF_SUMS or sum(count for _, _, count in self.fields) > self.SIZE):
            return False
        by_sum: dict[int, list[int]] = {}
        for total, part in _sums(halves[0]):
            by_sum.setdefault(-total, []).append(part)
        matches = (part + other for total, part in _sums(halves[1]) if total in by_sum for other in by_sum[total])
        largest = (self.whole & self.SIZE) - SMALLEST
        zero_sets = list(islice(matches, MOST_ZERO_SETS + 1 if self.is_bounded else None))
        for part in sorted(zero_sets, key=self.SIZE.__and__):
            if 0 < part & self.SIZE <= largest:
                self.starting_with[_first_bit(part)].append(part)
        return not self.is_bounded or len(zero_sets) <= MOST_ZERO_SETS

    def _most(self, rest: int) -> tuple[int, int]:
        """The largest number of parts of `rest`, and one of them."""
        known = self.found.get(rest)
        if known:
            return known
        most, choice = 1, rest
        size = rest & self.SIZE
        room = rest | self.spare
        for part in self.starting_with[_first_bit(rest)]:
            self.steps_left -= 1
            if 1 + (size - (part & self.SIZE)) // SMALLEST <= most or self.steps_left < 0:
                break
            if (room - part) & self.spare == self.spare:
                count = 1 + self._most(rest - part)[0]
                if count > most:
                    most, choice = count, part
        self.found[rest] = most, choice
        return most, choice

    def _members(self, part: int) -> list[int]:
        members = []
        for amount, unit, count in self.fields:
            held = (part >> (unit - 1).bit_length() - 1) & ((1 << count.bit_length()) - 1)
            members += [amount] * held
        return members


def _first_bit(part: int) -> int:
    """The lowest bit of a multiset above its size."""
    fields = part & ~_Search.SIZE
    return fields & -fields


def _sums(fields: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """(sum, part) of every part of these fields."""
    sums = [(0, 0)]
    for amount, unit, count in fields:
        sums = [(total + held * amount, part + held * unit) for held in range(count + 1) for total, part in sums]
    return sums
