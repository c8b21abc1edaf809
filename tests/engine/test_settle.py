"""Who pays whom: fewest transfers, the same plan for everyone who looks, and a plan that stays while people pay."""

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.settle import BalanceError, Transfer, UnbalancedError, settle
from scoring.engine.zero_groups import zero_groups
from tests.benchmarks.literal import count_transfers


def arrange(*amounts: int) -> dict[str, int]:
    """Balances of people named A, B, C …"""
    return {chr(ord("A") + place): amount for place, amount in enumerate(amounts)}


def rows(balances: dict[str, int], order: str | None = None) -> list[str]:
    """The plan as it would stand in a chat: `C>A 1`."""
    plan = settle(balances, order)
    assert plan.proven_minimal
    return [f"{transfer.payer}>{transfer.payee} {transfer.amount}" for transfer in plan.transfers]


@st.composite
def evenings(draw: st.DrawFn, most: int = 9) -> dict[str, int]:
    """Balances that sum to zero, often with several smallest plans."""
    amounts = draw(st.lists(st.integers(-9, 9), max_size=most - 1))
    return arrange(*amounts, -sum(amounts))


def after(balances: dict[str, int], transfer: Transfer[str]) -> dict[str, int]:
    paid = {transfer.payer: transfer.amount, transfer.payee: -transfer.amount}
    return {who: amount + paid.get(who, 0) for who, amount in balances.items()}


@pytest.mark.parametrize(
    ("balances", "expected"),
    [
        pytest.param(arrange(1, 2, -1, -2), ["C>A 1", "D>B 2"], id="L011 opposites find each other"),
        pytest.param(arrange(9, -3, -3, -3), ["B>A 3", "C>A 3", "D>A 3"], id="L018 everyone pays the winner"),
        pytest.param(arrange(0, 0, 0), [], id="L019 nobody owes anything"),
        pytest.param(arrange(-4, 4), ["A>B 4"], id="L020 one debt"),
        pytest.param(arrange(-95, 140, -45), ["A>B 95", "C>B 45"], id="L024 pair debts run together"),
        pytest.param({}, [], id="nobody"),
        pytest.param(arrange(10**30, -(10**30) - 1, 1), ["B>A 1" + "0" * 30, "B>C 1"], id="beyond 64 bits"),
        pytest.param(arrange(5, 0, -5), ["C>A 5"], id="no row for a zero balance"),
    ],
)
def test_the_plan(balances: dict[str, int], expected: list[str]) -> None:
    assert rows(balances) == expected


@pytest.mark.parametrize(
    ("amounts", "transfers"),
    [
        pytest.param([4, 3, -3, -2, -2], 3, id="L012 largest with largest needs 4"),
        pytest.param([3, 2, -2, -2, -1], 3, id="largest sorted once needs 4"),
        pytest.param([10, 3, 3, -6, -5, -5], 4, id="L014 published"),
        pytest.param([-7, 5, 4, 7, -9, 8, -8], 4, id="L015"),
        pytest.param([-6, 6, 7, -4, 9, -7, 8, -8, -5], 5, id="L016"),
        pytest.param([1] * 12 + [-3] * 4, 12, id="many equal balances"),
        pytest.param([2**place for place in range(15)] + [1 - 2**15], 15, id="16 people, no group but all"),
    ],
)
def test_fewest_transfers(amounts: list[int], transfers: int) -> None:
    assert len(rows(arrange(*amounts))) == transfers


@given(evenings())
def test_no_plan_has_fewer(balances: dict[str, int]) -> None:
    assert len(rows(balances)) == count_transfers(list(balances.values()))


@given(evenings(most=30))
def test_every_plan_settles_and_only_losers_pay(balances: dict[str, int]) -> None:
    transfers = settle(balances).transfers
    left = dict(balances)
    for transfer in transfers:
        assert transfer.amount > 0
        assert balances[transfer.payer] < 0 < balances[transfer.payee]
        left = after(left, transfer)
    assert not any(left.values())
    assert sum(transfer.amount for transfer in transfers) == sum(amount for amount in balances.values() if amount > 0)


@given(evenings(), st.randoms(use_true_random=False))
def test_l022_the_order_of_entry_changes_nothing(balances: dict[str, int], dealer: random.Random) -> None:
    entered_otherwise = list(balances.items())
    dealer.shuffle(entered_otherwise)
    assert settle(dict(entered_otherwise)) == settle(balances)


@given(evenings())
def test_the_rest_of_the_plan_stays_after_each_payment(balances: dict[str, int]) -> None:
    plan = settle(balances).transfers
    for paid in plan:
        assert settle(after(balances, paid)).transfers == tuple(transfer for transfer in plan if transfer != paid)


def test_the_plan_stays_whatever_the_order_of_payments() -> None:
    balances = arrange(-6, -4, -3, 5, 1, 2, 5)
    for paid in permutations(settle(balances).transfers):
        left = balances
        for number, transfer in enumerate(paid, start=1):
            left = after(left, transfer)
            assert set(settle(left).transfers) == set(paid[number:])


def test_a_group_of_three_is_chosen_by_the_order_of_the_seats() -> None:
    balances = arrange(-3, -2, -5, 5, 5)
    assert rows(balances) == ["A>D 3", "B>D 2", "C>E 5"]
    assert rows(balances, order="CBAED") == ["C>E 5", "B>D 2", "A>D 3"]


def test_names_of_any_kind_have_an_order() -> None:
    house = frozenset({"house"})
    balances = {2: -5, "A": -5, house: 4, 10: 6}
    plan = settle(balances)
    assert plan == settle(dict(reversed(balances.items())))
    assert [transfer.payer for transfer in plan.transfers] == [2, 2, "A"]


@pytest.mark.parametrize(
    ("balances", "excess", "correction"),
    [
        pytest.param(arrange(10, -4, -5), 1, "sum to +1 instead of 0; take 1 off", id="L007 too much"),
        pytest.param(arrange(400, -700), -300, "sum to -300 instead of 0; add 300", id="too little"),
    ],
)
def test_unbalanced(balances: dict[str, int], excess: int, correction: str) -> None:
    with pytest.raises(UnbalancedError, match=r"^balances: ") as caught:
        settle(balances)
    assert caught.value.excess == excess
    assert correction in str(caught.value)


@pytest.mark.parametrize("amount", [1.0, True, "1", None, float("nan")], ids=repr)
def test_only_whole_numbers(amount: object) -> None:
    with pytest.raises(BalanceError, match=r"balances\['A'\]: expected a whole number"):
        settle({"A": amount, "B": -1})  # type: ignore[dict-item] # the point of the test


def test_someone_without_a_place_in_the_order() -> None:
    with pytest.raises(BalanceError, match="'B' has a balance but no place"):
        settle({"A": 1, "B": -1}, order=["A"])


class TestMoreThanSixteen:
    """Beyond 16 people the plan says whether it is proven."""

    def test_proven_where_opposites_leave_few(self) -> None:
        amounts = [place for number in range(1, 41) for place in (number, -number)]
        plan = settle(arrange(*amounts))
        assert plan.proven_minimal
        assert len(plan.transfers) == 40

    def test_l023_twenty_people_with_odd_sums(self) -> None:
        dealer = random.Random(20)
        amounts = [dealer.randrange(-(10**9), 10**9) for _ in range(19)]
        plan = settle(arrange(*amounts, -sum(amounts)))
        assert plan.proven_minimal
        assert len(plan.transfers) == 19

    def test_hundreds_with_equal_balances_are_settled_in_groups(self) -> None:
        assert len(settle(arrange(*[1] * 270, *[-3] * 90)).transfers) == 270

    def test_a_thousand_people_are_settled_at_all(self) -> None:
        amounts = [3**10 + place for place in range(999)]
        plan = settle(arrange(*amounts, -sum(amounts)))
        assert len(plan.transfers) == 999

    def test_not_proven_where_the_search_is_too_long(self) -> None:
        dealer = random.Random(40)
        amounts = [dealer.choice((-1, 1)) * amount for amount in dealer.sample(range(100, 10_000), 39)]
        plan = settle(arrange(*amounts, -sum(amounts)))
        assert not plan.proven_minimal
        assert len(plan.transfers) < 39

    def test_forty_people_without_a_small_group_are_one(self) -> None:
        amounts = [2**place for place in range(39)]
        plan = settle(arrange(*amounts, -sum(amounts)))
        assert not plan.proven_minimal
        assert len(plan.transfers) == 39

    def test_proven_where_no_more_groups_have_room(self) -> None:
        thirds = [
            amount for base in range(3, 43, 2) for amount in (1000**2 + base, base * 1000, -(1000**2) - base * 1001)
        ]
        groups, proven = zero_groups(thirds)
        assert proven
        assert len(groups) == len(thirds) // 3

    def test_up_to_twentyfour_the_plan_stays_too(self) -> None:
        dealer = random.Random(18)
        amounts = [dealer.randrange(-12, 13) for _ in range(17)]
        balances = arrange(*amounts, -sum(amounts))
        plan = settle(balances).transfers
        for paid in plan:
            assert settle(after(balances, paid)).transfers == tuple(transfer for transfer in plan if transfer != paid)

    def test_beyond_that_any_plan_of_that_length(self) -> None:
        dealer = random.Random(30)
        amounts = [dealer.randrange(-12, 13) for _ in range(29)]
        balances = arrange(*amounts, -sum(amounts))
        groups, _ = zero_groups([amount for amount in balances.values() if amount])
        with_balance = sum(1 for amount in balances.values() if amount)
        assert len(settle(balances).transfers) == with_balance - len(groups)
