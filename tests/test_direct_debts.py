"""Direct debts: what two owe each other; together they are the balances, and they stay while people pay."""

import random
import uuid
from collections import Counter

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring import ledger
from scoring.engine.cards import format_cards
from scoring.engine.circles import without_circles
from scoring.engine.rules import ROWS, parse_ruleset
from scoring.ledger.direct import spread
from scoring.models import Entry, PairStake, Player, Seat
from scoring.settle_up import SettleUp
from tests.test_ledger_cases import deal
from tests.test_settle_up import words

PEOPLE = "ABCDEF"


def flow_of(debts):
    """What each gives (plus) or gets (minus) in all."""
    flow = Counter(dict.fromkeys(PEOPLE, 0))
    for (debtor, creditor), amount in debts.items():
        flow[debtor] += amount
        flow[creditor] -= amount
    return flow


def has_circle(debts):
    """Whether somebody can be reached from himself along the debts."""
    reach = {who: {creditor for debtor, creditor in debts if debtor == who} for who in PEOPLE}
    for _step in PEOPLE:
        reach = {who: near.union(*(reach[other] for other in near)) for who, near in reach.items()}
    return any(who in near for who, near in reach.items())


DEBTS = st.dictionaries(
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)).filter(lambda pair: pair[0] < pair[1]),
    st.integers(-60, 60).filter(bool),
).map(lambda signed: {(pair if amount > 0 else pair[::-1]): abs(amount) for pair, amount in signed.items()})


# ---------------------------------------------------------------- circles


@given(DEBTS)
def test_circles_are_cancelled_and_nobody_gives_or_gets_more(debts):
    left = without_circles(debts, PEOPLE)
    assert flow_of(left) == flow_of(debts)
    assert all(0 < amount <= debts[pair] for pair, amount in left.items())
    assert not has_circle(left)


@given(DEBTS, st.randoms(use_true_random=False))
def test_what_is_left_stays_while_people_pay(debts, rng):
    left = without_circles(debts, PEOPLE)
    while left:
        pair = rng.choice(sorted(left))
        amount = rng.choice([left[pair], rng.randint(1, left[pair])])
        debts, left = ({p: n - amount * (p == pair) for p, n in some.items()} for some in (debts, left))
        debts, left = ({p: n for p, n in some.items() if n} for some in (debts, left))
        assert without_circles(debts, PEOPLE) == left


@given(st.permutations(PEOPLE[:4]), st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_entry_by_hand_is_spread_over_pairs(order, some):
    amounts = dict(zip(PEOPLE, [*some, -sum(some)], strict=False))
    flows = list(spread(amounts, order))
    spent = Counter(dict.fromkeys(PEOPLE[:4], 0))
    for debtor, creditor, amount in flows:
        assert amount > 0
        assert amounts[debtor] < 0 < amounts[creditor]
        spent[debtor] -= amount
        spent[creditor] += amount
    assert spent == Counter(amounts)
    assert flows == list(spread(dict(reversed(amounts.items())), order))


# ---------------------------------------------------------------- in the book


def plan(session):
    """The direct debts by name: (payer, payee, amount)."""
    names = {None: "House", **dict(session.club.players.values_list("pk", "name"))}
    transfers = ledger.settlement(session, direct=True).plan.transfers
    return [(names[each.payer], names[each.payee], each.amount) for each in transfers]


def assert_sums_are_balances(session):
    due = ledger.settlement(session, direct=True)
    given_ = dict.fromkeys(due.balances, 0)
    for each in due.plan.transfers:
        assert each.amount > 0
        given_[each.payer] -= each.amount
        given_[each.payee] += each.amount
    assert given_ == due.balances
    assert sum(debt.open for debt in due.pairs.values()) == sum(each.amount for each in due.plan.transfers)


def pay(session, rudi, payer, payee, amount, direct=True):
    return ledger.record_payment(session, payer, payee, amount, uuid.uuid4(), rudi, direct=direct)


def adjust(session, rudi, amounts):
    by_key = {who and who.pk: amount for who, amount in amounts.items()}
    return ledger.record_adjustment(session, by_key, "by hand", uuid.uuid4(), rudi)


def test_each_owes_each_what_their_pair_came_to(score, session):
    """The super of RULES 11: Ana wins 220.000 of each, and 3 % of that is the house's."""
    round_ = score()
    assert plan(session) == [
        ("Ana", "House", 19_800),
        *sorted(
            (
                pair.b.name if pair.money > 0 else pair.a.name,
                pair.a.name if pair.money > 0 else pair.b.name,
                abs(pair.money),
            )
            for pair in round_.pair_scores.all()
            if pair.money
        ),
    ]
    assert_sums_are_balances(session)


def test_debts_of_a_pair_cancel(session, rudi, ana, budi):
    """L020: Ana owes 10 from one round and is owed 6 from another."""
    adjust(session, rudi, {ana: -10, budi: 10})
    adjust(session, rudi, {ana: 6, budi: -6})
    assert plan(session) == [("Ana", "Budi", 4)]


def test_debts_in_a_circle_cancel(session, rudi, ana, budi, citra):
    """L019."""
    for debtor, creditor in ((ana, budi), (budi, citra), (citra, ana)):
        adjust(session, rudi, {debtor: -10, creditor: 10})
    assert plan(session) == []


def test_debts_along_a_chain_stay_as_they_are(session, rudi, ana, budi, citra):
    adjust(session, rudi, {ana: -10, budi: 10})
    adjust(session, rudi, {budi: -10, citra: 10})
    assert plan(session) == [("Ana", "Budi", 10), ("Budi", "Citra", 10)]
    assert len(ledger.settlement(session).plan.transfers) == 1


def test_each_entry_by_hand_stays_between_those_it_names(session, rudi, ana, budi, citra, dewi):
    adjust(session, rudi, {ana: -10, budi: 10})
    adjust(session, rudi, {citra: -10, dewi: 10})
    assert plan(session) == [("Ana", "Budi", 10), ("Citra", "Dewi", 10)]


def test_adjustment_taken_back_is_no_debt(session, rudi, ana, budi):
    ledger.reverse_adjustment(adjust(session, rudi, {ana: -10, budi: 10}), rudi)
    assert plan(session) == []


def test_voided_round_is_no_debt(score, session, rudi):
    ledger.void_round(score(), rudi)
    assert plan(session) == []


def test_fee_of_the_evening_is_owed_to_the_house(score, session, rudi):
    session.ruleset = parse_ruleset({"preset": "capsa", "room_fee_basis": "session", "room_fee_percent": 3})
    session.save()
    score()
    before = plan(session)
    assert before[0] == ("Ana", "House", 19_800)
    ledger.close_session(session, rudi)
    session.refresh_from_db()
    assert plan(session) == before
    assert_sums_are_balances(session)


def test_other_rows_stay_while_people_pay(score, session, rudi):
    score()
    players = {None: None} | session.club.players.in_bulk()
    rows = list(ledger.settlement(session, direct=True).plan.transfers)
    random.Random(5).shuffle(rows)
    while rows:
        row = rows.pop()
        part = max(1, row.amount // 3)
        for amount in (part, row.amount - part):
            pay(session, rudi, players[row.payer], players[row.payee], amount)
            assert_sums_are_balances(session)
        left = ledger.settlement(session, direct=True).plan.transfers
        assert sorted(left, key=repr) == sorted(rows, key=repr)
    assert set(ledger.balances(session).values()) == {0}


def test_part_payment_leaves_the_rest(session, rudi, ana, budi):
    adjust(session, rudi, {ana: -10, budi: 10})
    pay(session, rudi, ana, budi, 4)
    (claim,) = ledger.settlement(session, direct=True).claims
    assert (claim.paid, claim.open) == (4, 6)


def test_more_than_a_pair_has_open_is_refused(session, rudi, ana, budi, citra):
    adjust(session, rudi, {ana: -10, budi: 10})
    adjust(session, rudi, {budi: -10, citra: 10})
    with pytest.raises(ledger.OverpaymentError) as refused:
        pay(session, rudi, ana, budi, 11)
    assert refused.value.rest == 10
    with pytest.raises(ledger.OverpaymentError):
        pay(session, rudi, ana, citra, 10)  # open by the fewest transfers, not between the two
    assert pay(session, rudi, ana, citra, 10, direct=False)


def test_all_paid_by_the_fewest_transfers_leaves_no_direct_debt(score, session, rudi):
    score()
    players = {None: None} | session.club.players.in_bulk()
    for row in ledger.settlement(session).plan.transfers:
        pay(session, rudi, players[row.payer], players[row.payee], row.amount, direct=False)
        assert_sums_are_balances(session)
    assert plan(session) == []


def test_payment_has_the_same_key_in_both_plans(session, rudi, ana, budi):
    adjust(session, rudi, {ana: -10, budi: 10})
    keys = {ledger.settlement(session, direct=direct).claims[0].key for direct in (True, False)}
    assert len(keys) == 1


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_any_evening_settles_pair_by_pair(seed, club, rudi, lay):
    """Random rounds for random stakes, adjustments, voided rounds and payments of both plans."""
    rng = random.Random(seed)
    session = club.sessions.create(
        date="2026-11-26", currency="IDR", stake=700, ruleset_fields=club.ruleset_fields, created_by=rudi
    )
    players = [Player.objects.create(club=club, name=f"{seed} {place} {session.pk}") for place in range(5)]
    for place, player in enumerate(players):
        Seat.objects.create(session=session, club=club, player=player, position=place)
    PairStake.objects.create(session=session, club=club, a=players[0], b=players[2], stake=rng.randint(0, 900))
    for _round in range(rng.randint(1, 3)):
        here = rng.sample(players, rng.randint(2, 4))
        round_ = ledger.open_round(session, here)
        for hand, laid in zip(round_.hands.all(), deal(rng, here), strict=True):
            ledger.keep_hand(hand, {row: format_cards(laid.row(row)) for row in ROWS}, hand.version)
        round_ = ledger.record_round(round_, rudi)
        if rng.random() < 0.2:
            ledger.void_round(round_, rudi)
    one, other, third = rng.sample(players, 3)
    adjust(session, rudi, {one: 100, other: -70, third: -50, None: 20})
    assert_sums_are_balances(session)
    named = {None: None, **{player.pk: player for player in players}}
    while rows := ledger.settlement(session, direct=True).plan.transfers:
        row, direct = rng.choice(rows), True
        if rng.random() < 0.4 and (fewest := ledger.settlement(session).plan.transfers):
            row, direct = rng.choice(fewest), False
        pay(session, rudi, named[row.payer], named[row.payee], row.amount, direct)
        assert_sums_are_balances(session)
    assert set(ledger.balances(session).values()) == {0}


# ---------------------------------------------------------------- the page


def page_of(client, session, **headers):
    return client.get(reverse("settle-up", args=[session.pk]) + "?plan=direct", headers=headers)


def test_page_switches_between_the_plans(host, score, session):
    score()
    fewest, direct = host.get(reverse("settle-up", args=[session.pk])), page_of(host, session)
    assert b'aria-current="page">Fewest payments' in fewest.content
    assert b'aria-current="page">Direct debts' in direct.content
    assert "Budi pays Dewi" in words(direct.content)
    assert "Budi pays Dewi" not in words(fewest.content)


def test_why_is_told_by_pair(score, session, rudi, ana, budi):
    score()
    adjust(session, rudi, {ana: 30_000, budi: -30_000})
    row = SettleUp(session, direct=True).row(budi.pk, ana.pk)
    assert [(line.label, line.amount) for line in row.pair_account] == [
        ("1 round against each other", "+220.000"),
        ("adjustments", "+30.000"),
    ]
    assert row.amount == "250.000"


def test_payments_stay_in_the_plan_they_were_taken_from(host, score, session, ana, budi):
    score()
    claim = next(
        claim
        for claim in ledger.settlement(session, direct=True).claims
        if (claim.payer, claim.payee) == (budi.pk, ana.pk)
    )
    form = {"key": claim.key, "payer": budi.pk, "payee": ana.pk, "amount": "1.000", "plan": "direct"}
    for _tap in range(2):
        response = host.post(reverse("pay", args=[session.pk]), form)
        assert response.url == reverse("settle-up", args=[session.pk]) + "?plan=direct"
    payment = session.entries.get(kind=Entry.Kind.PAYMENT)
    assert b'name="plan" value="direct"' in page_of(host, session).content
    response = host.post(reverse("entry-reverse", args=[payment.pk]), {"plan": "direct"})
    assert response.url.endswith("?plan=direct")


def test_overpayment_is_refused_beside_the_field(host, score, session, ana, budi):
    score()
    claim = next(
        claim
        for claim in ledger.settlement(session, direct=True).claims
        if (claim.payer, claim.payee) == (budi.pk, ana.pk)
    )
    form = {"key": claim.key, "payer": budi.pk, "payee": ana.pk, "amount": claim.open + 1, "plan": "direct"}
    response = host.post(reverse("pay", args=[session.pk]), form)
    assert response.status_code == 422
    assert "At most Rp\u00a0220.000 is open between the two." in response.content.decode()


def test_text_says_that_the_debts_are_direct(score, session):
    score()
    session.refresh_from_db()
    lines = SettleUp(session, direct=True).text.split("\n")
    assert lines[1:3] == ["Direct debts, pair by pair:", "Ana → House: Rp\u00a019.800"]


def test_queries_do_not_grow(host, score, session, rudi, ana, budi, django_assert_max_num_queries):
    for _round in range(3):
        score()
        adjust(session, rudi, {ana: 5, budi: -5})
    with django_assert_max_num_queries(20):
        page_of(host, session)
