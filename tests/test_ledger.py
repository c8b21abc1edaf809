"""The book: entries that add up, sums, the fee of the evening, closing and reopening, many writers at once."""

import threading
import uuid
from collections.abc import Callable
from itertools import count

import pytest
from django.db import IntegrityError, connections, transaction

from scoring import ledger
from scoring.engine.rules import parse_ruleset
from scoring.ledger.book import lock_session, post, reverse
from scoring.models import Entry, Line, Round
from tests.conftest import SUPER


@pytest.fixture
def win(session, rudi) -> Callable[..., Entry]:
    """Write winnings into the book by hand, by player and in minor units: `win({ana: 50, budi: -50})`."""

    def win(amounts, kind=Entry.Kind.ROUND):
        by_key = {player and player.pk: amount for player, amount in amounts.items()}
        with transaction.atomic():
            return post(lock_session(session.pk), kind, by_key, rudi)

    return win


def use_rules(session, **fields):
    session.ruleset = parse_ruleset({"preset": "capsa"} | fields)
    session.save()


# ---------------------------------------------------------------- entries


def test_entry_that_does_not_sum_to_zero_is_never_written(session, rudi, ana, budi):
    with pytest.raises(AssertionError, match=r"off by \+1"):
        post(session, Entry.Kind.ROUND, {ana.pk: 10, budi.pk: -9}, rudi)
    assert not Entry.objects.exists()


@pytest.mark.parametrize("player", ["ana", "house"])
def test_nobody_has_two_lines_in_an_entry(win, session, ana, budi, player):
    entry = win({ana: 10, budi: -30, None: 20})
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.create(
            entry=entry, session=session, club=session.club, player=ana if player == "ana" else None, amount=0
        )


def test_entry_is_reversed_once_at_most(win, session, rudi, ana, budi):
    entry = win({ana: 10, budi: -10})
    reverse(lock_session(session.pk), entry, rudi)
    with pytest.raises(IntegrityError), transaction.atomic():
        reverse(lock_session(session.pk), entry, rudi)


def test_reversal_without_an_entry_is_refused(session):
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(session=session, club=session.club, kind=Entry.Kind.REVERSAL)


# ---------------------------------------------------------------- sums


def test_totals_are_winnings_and_balances_count_payments(win, session, rudi, ana, budi):
    win({ana: 50, budi: -50})
    ledger.record_payment(session, budi, ana, 20, uuid.uuid4(), rudi)
    assert ledger.totals(session) == {ana.pk: 50, budi.pk: -50}
    assert ledger.settlement(session).balances == {ana.pk: 30, budi.pk: -30}


def test_payment_taken_back_leaves_totals_and_balances(win, session, rudi, ana, budi):
    win({ana: 50, budi: -50})
    ledger.reverse_payment(ledger.record_payment(session, budi, ana, 20, uuid.uuid4(), rudi), rudi)
    assert ledger.totals(session) == ledger.settlement(session).balances == {ana.pk: 50, budi.pk: -50}


def test_empty_book_has_no_sums(session):
    assert ledger.totals(session) == {}
    assert ledger.settlement(session).plan.transfers == ()


def test_damaged_book_has_a_gap_and_no_plan(win, session, ana, budi):
    win({ana: 50, budi: -50})
    Line.objects.filter(player=ana).update(amount=49)
    settlement = ledger.settlement(session)
    assert (settlement.gap, settlement.plan.transfers) == (-1, ())


def test_one_without_a_seat_is_settled_too(win, session, ana, budi):
    session.seats.filter(player=ana).delete()
    win({ana: 50, budi: -50})
    assert [(t.payer, t.payee) for t in ledger.settlement(session).plan.transfers] == [(budi.pk, ana.pk)]


def test_settling_takes_as_many_queries_after_many_rounds(score, session, rudi, ana, budi, django_assert_num_queries):
    for _round in range(3):
        score()
    for amount in (1_000, 2_000, 3_000):
        ledger.record_payment(session, budi, ana, amount, uuid.uuid4(), rudi)
    with django_assert_num_queries(5):  # sums, seats, payments, their lines, what else was written last
        ledger.settlement(session)


# ---------------------------------------------------------------- the fee of the evening


@pytest.fixture
def fee_at_end(session, score, cast):
    """An evening with a fee of 3 % at its end: Ana wins 660.000 in the first round."""
    use_rules(session, room_fee_basis="session", room_fee_percent=3)
    score()


def test_fee_of_the_evening_is_due_while_it_is_open(fee_at_end, session, ana):
    assert ledger.fee_due(session) == {ana.pk: 19_800}
    assert None not in ledger.totals(session)
    settlement = ledger.settlement(session)
    assert (settlement.won[ana.pk], settlement.won[None]) == (640_200, 19_800)
    assert settlement.gap == 0


def test_fee_of_the_evening_is_taken_on_the_net_win_of_all_rounds(fee_at_end, score, session, cast):
    score(*reversed(SUPER))  # now Dewi has Ana's cards, Citra has Budi's and so on
    won = ledger.totals(session)
    assert sum(won.values()) == 0
    assert ledger.fee_due(session) == {
        player: amount * 3 // 100 for player, amount in won.items() if amount * 3 // 100 > 0
    }


def test_closing_takes_the_fee_and_changes_no_balance(fee_at_end, session, rudi, ana):
    before = ledger.settlement(session)
    closed = ledger.close_session(session, rudi)
    assert not closed.is_open
    fee = session.entries.get(kind=Entry.Kind.FEE)
    assert {line.player_id: line.amount for line in fee.lines.all()} == {ana.pk: -19_800, None: 19_800}
    after = ledger.settlement(closed)
    assert (after.won, after.balances, after.fees) == (before.won, before.balances, {})


def test_closing_twice_takes_the_fee_once(fee_at_end, session, rudi):
    ledger.close_session(session, rudi)
    ledger.close_session(session, rudi)
    assert session.entries.filter(kind=Entry.Kind.FEE).count() == 1


def test_reopening_gives_the_fee_back_until_the_evening_is_closed_anew(fee_at_end, score, session, rudi, ana):
    ledger.close_session(session, rudi)
    reopened = ledger.reopen_session(session, rudi)
    assert ledger.fee_due(reopened) == {ana.pk: 19_800}
    score()
    closed = ledger.close_session(session, rudi)
    assert ledger.totals(closed)[None] == 2 * 19_800
    assert ledger.settlement(closed).gap == 0


def test_reopening_twice_gives_the_fee_back_once(fee_at_end, session, rudi):
    ledger.close_session(session, rudi)
    ledger.reopen_session(session, rudi)
    ledger.reopen_session(session, rudi)
    assert session.entries.filter(kind=Entry.Kind.REVERSAL).count() == 1


def test_voided_round_is_free_of_the_fee(fee_at_end, session, rudi):
    ledger.void_round(session.rounds.get(), rudi)
    assert ledger.fee_due(session) == {}
    assert not ledger.close_session(session, rudi).entries.filter(kind=Entry.Kind.FEE).exists()


def test_round_that_paid_its_own_fee_does_not_pay_again(score, session):
    score()  # under a fee of 3 % in each round
    use_rules(session, room_fee_basis="session", room_fee_percent=3)
    assert ledger.fee_due(session) == {}


def test_fee_of_a_round_is_not_due_again(score, session):
    score()
    assert ledger.fee_due(session) == {}


@pytest.mark.parametrize(
    ("percent", "won", "fee"),
    [("2.3", 3_000, 69), ("3", 33, 0), ("3", 34, 1), ("0.000000000001", 10**17, 1_000), ("100", 7, 7)],
    ids=["2.3-percent", "rounds-to-nought", "rounds-down", "twelve-decimals", "all"],
)
def test_fee_of_the_evening_is_exact(session, rudi, ana, budi, percent, won, fee):
    use_rules(session, room_fee_basis="session", room_fee_percent=percent)
    round_ = Round.objects.create(
        session=session, club=session.club, number=1, state="scored", ruleset_fields=session.ruleset_fields
    )
    post(session, Entry.Kind.ROUND, {ana.pk: won, budi.pk: -won}, rudi, round_=round_)
    assert ledger.fee_due(session).get(ana.pk, 0) == fee


# ---------------------------------------------------------------- closing


def test_closing_is_refused_while_a_round_is_being_entered(session, cast, rudi):
    round_ = ledger.open_round(session, cast)
    ledger.keep_hand(round_.hands.get(position=0), {"back": "2s"}, 0)
    with pytest.raises(ledger.LedgerError, match="Round 1 is still open"):
        ledger.close_session(session, rudi)


def test_closing_drops_a_round_that_was_opened_and_left_untouched(session, cast, rudi):
    ledger.open_round(session, cast)
    assert not ledger.close_session(session, rudi).is_open
    assert not session.rounds.exists()


def test_closed_and_reopened_by_whom_and_when(session, rudi):
    closed = ledger.close_session(session, rudi)
    assert closed.closed_by == rudi and closed.closed_at
    session.refresh_from_db()
    assert session.version == 1
    reopened = ledger.reopen_session(session, rudi)
    assert reopened.is_open and reopened.closed_by is None


# ---------------------------------------------------------------- many writers at once


def at_once(*writers: Callable[[], object]) -> list[object]:
    """What the writers return, each in a thread and with a connection of its own, all let loose at the same moment."""
    gate = threading.Barrier(len(writers))
    results: list[object] = [None] * len(writers)

    def run(place: int, writer: Callable[[], object]) -> None:
        gate.wait()
        try:
            results[place] = writer()
        except Exception as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=job) for job in enumerate(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_two_phones_score_the_same_round_once(session, cast, rudi, lay):
    round_ = ledger.open_round(session, cast)
    lay(round_, SUPER)
    results = at_once(*[lambda: ledger.record_round(Round.objects.get(pk=round_.pk), rudi)] * 2)
    assert results == [round_, round_]
    assert session.entries.count() == 1
    assert round_.pair_scores.count() == 6


@pytest.mark.django_db(transaction=True)
def test_two_phones_void_the_same_round_once(session, score, rudi):
    round_ = score()
    results = at_once(*[lambda: ledger.void_round(Round.objects.get(pk=round_.pk), rudi)] * 4)
    assert results == [round_] * 4
    assert session.entries.filter(kind=Entry.Kind.REVERSAL).count() == 1


@pytest.mark.django_db(transaction=True)
def test_eight_phones_open_the_next_round_once(session, cast):
    results = at_once(*[lambda: ledger.open_round(session, cast)] * 8)
    assert set(results) == {session.rounds.get()}


@pytest.mark.django_db(transaction=True)
def test_eight_phones_record_the_same_payment_once(win, session, rudi, ana, budi):
    win({ana: 50, budi: -50})
    key = uuid.uuid4()
    results = at_once(*[lambda: ledger.record_payment(session, budi, ana, 20, key, rudi)] * 8)
    assert set(results) == {session.entries.get(kind=Entry.Kind.PAYMENT)}
    assert ledger.settlement(session).balances == {ana.pk: 30, budi.pk: -30}


@pytest.mark.django_db(transaction=True)
def test_payments_at_the_same_moment_never_exceed_what_is_open(win, session, rudi, ana, budi):
    win({ana: 50, budi: -50})
    results = at_once(*[lambda: ledger.record_payment(session, budi, ana, 20, uuid.uuid4(), rudi)] * 8)
    assert sum(isinstance(result, Entry) for result in results) == 2
    assert sum(isinstance(result, ledger.OverpaymentError) for result in results) == 6
    assert ledger.settlement(session).balances == {ana.pk: 10, budi.pk: -10}


@pytest.mark.django_db(transaction=True)
def test_every_write_of_many_is_counted(win, session, rudi, ana, budi):
    win({ana: 50, budi: -50})
    amounts = count(1)
    at_once(*[lambda: ledger.record_payment(session, budi, ana, next(amounts), uuid.uuid4(), rudi)] * 8)
    session.refresh_from_db()
    assert session.version == 9
    assert ledger.settlement(session).balances[ana.pk] == 50 - sum(range(1, 9))
