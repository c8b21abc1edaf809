"""All that is open paid at one tap: one transaction, one undo, and only what the page showed."""

import uuid

import pytest
from django.urls import reverse

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.ledger.book import post
from scoring.models import Change, Entry
from tests.test_adjustments import messages_of
from tests.test_settle_up import words


@pytest.fixture
def evening(session, score):
    """Ana has a super: Budi, Citra and Dewi pay her, and the house gets its fee."""
    score()
    session.refresh_from_db()
    return session


def key_of(session, direct=False):
    return ledger.all_paid_key(ledger.settlement(session, direct=direct))


def pay_all(client, session, key=None, **form):
    return client.post(reverse("pay-all", args=[session.pk]), {"key": key or key_of(session), **form})


def take_back_all(client, session, key, **form):
    return client.post(reverse("pay-all-reverse", args=[session.pk]), {"key": key, **form})


def payments(session):
    return session.entries.filter(kind=Entry.Kind.PAYMENT)


@pytest.mark.parametrize("plan", ["", "direct"])
def test_every_open_row_is_recorded(host, evening, rudi, plan):
    direct = plan == "direct"
    rows = ledger.settlement(evening, direct=direct).plan.transfers
    key = key_of(evening, direct)
    response = pay_all(host, evening, key, plan=plan)
    assert response.url == reverse("settle-up", args=[evening.pk]) + ("?plan=direct" if direct else "")
    assert messages_of(response) == [f"{len(rows)} payments are recorded."]
    assert payments(evening).count() == len(rows) > 3
    assert set(payments(evening).values_list("batch", "created_by")) == {(key, rudi.pk)}
    assert set(ledger.balances(evening).values()) == {0}
    assert audit_ledger().faults == ()


def test_rest_of_a_part_payment_is_recorded(host, evening, rudi, ana, budi):
    ledger.record_payment(evening, budi, ana, 1_000, uuid.uuid4(), rudi)
    pay_all(host, evening)
    assert ledger.settlement(evening).plan.transfers == ()
    assert payments(evening).filter(batch=None).count() == 1


def test_double_tap_and_resend_are_one(host, evening):
    key = key_of(evening)
    for _tap in range(3):
        assert pay_all(host, evening, key).status_code == 302
    assert payments(evening).count() == len(set(payments(evening).values_list("key")))
    assert set(ledger.balances(evening).values()) == {0}


def test_undo_takes_exactly_these_back(host, evening, rudi, ana, budi):
    single = ledger.record_payment(evening, budi, ana, 1_000, uuid.uuid4(), rudi)
    before = ledger.balances(evening)
    key = key_of(evening)
    pay_all(host, evening, key)
    for _tap in range(2):
        response = take_back_all(host, evening, key)
        assert response.status_code == 302
    assert ledger.balances(evening) == before
    assert not hasattr(single, "reversed_by")
    assert payments(evening).exclude(batch=None).filter(reversed_by=None).count() == 0
    assert evening.entries.filter(kind=Entry.Kind.REVERSAL).count() == payments(evening).count() - 1


def test_undo_leaves_out_what_is_taken_back_already(host, evening, rudi):
    key = key_of(evening)
    pay_all(host, evening, key)
    ledger.reverse_payment(payments(evening).first(), rudi)
    assert take_back_all(host, evening, key).status_code == 302
    assert evening.entries.filter(kind=Entry.Kind.REVERSAL).count() == payments(evening).count()


@pytest.mark.parametrize("what", ["payment", "round", "adjustment"])
def test_page_that_shows_other_amounts_is_refused(host, evening, score, rudi, ana, budi, what):
    key = key_of(evening)
    if what == "payment":
        ledger.record_payment(evening, budi, ana, 1_000, uuid.uuid4(), rudi)
    elif what == "round":
        score()
    else:
        ledger.record_adjustment(evening, {ana.pk: 1, budi.pk: -1}, "", uuid.uuid4(), rudi)
    before = payments(evening).count()
    response = pay_all(host, evening, key)
    assert response.status_code == 409
    text = words(response.content)
    assert "What is open has changed meanwhile. Nothing was recorded; look at what is open now." in text
    assert "Budi pays Ana" in text
    assert payments(evening).count() == before


def test_key_of_the_other_plan_is_refused(host, evening):
    assert pay_all(host, evening, key_of(evening, direct=True)).status_code == 409
    assert not payments(evening).exists()


def test_page_drawn_before_the_undo_does_not_pay_again(host, evening):
    key = key_of(evening)
    pay_all(host, evening, key)
    take_back_all(host, evening, key)
    response = pay_all(host, evening, key)
    assert response.status_code == 409
    assert "These payments have been taken back meanwhile." in words(response.content)
    assert pay_all(host, evening).status_code == 302
    assert set(ledger.balances(evening).values()) == {0}


def test_single_tap_on_an_old_page_after_all_is_paid_is_no_second_payment(host, evening, ana, budi):
    claim = next(claim for claim in ledger.settlement(evening).claims if claim.payer == budi.pk)
    pay_all(host, evening)
    form = {"key": claim.key, "payer": budi.pk, "payee": claim.payee or "", "amount": claim.open}
    before = payments(evening).count()
    assert host.post(reverse("pay", args=[evening.pk]), form).status_code == 302
    assert payments(evening).count() == before


def test_nothing_open_is_nothing_to_pay(host, session):
    assert pay_all(host, session).status_code == 409


@pytest.mark.parametrize("name", ["pay-all", "pay-all-reverse"])
@pytest.mark.parametrize("key", ["", "x", str(uuid.UUID(int=7))], ids=["none", "bad", "unknown"])
def test_bad_key_changes_nothing(host, evening, name, key):
    response = host.post(reverse(name, args=[evening.pk]), {"key": key})
    assert response.status_code == 409
    assert not payments(evening).exists()


def test_all_or_nothing(evening, rudi, monkeypatch):
    """What fails in the middle leaves nothing behind."""
    seen = []

    def fail_at_the_second(*args, **more):
        seen.append(args)
        if len(seen) == 2:
            raise RuntimeError("the power went")
        return post(*args, **more)

    monkeypatch.setattr("scoring.ledger.all_paid.post", fail_at_the_second)
    with pytest.raises(RuntimeError):
        ledger.record_all_paid(evening, key_of(evening), rudi)
    assert not payments(evening).exists()


def test_page_offers_both(host, evening):
    page = host.get(reverse("settle-up", args=[evening.pk]))
    assert "All 4 paid" in words(page.content)
    assert str(key_of(evening)) in page.content.decode()
    pay_all(host, evening)
    text = words(host.get(reverse("settle-up", args=[evening.pk])).content)
    assert "4 payments at one tap" in text
    assert "Undo all" in text


def test_each_payment_is_in_the_change_log(host, evening):
    pay_all(host, evening)
    changes = Change.objects.filter(kind=Change.Kind.PAYMENT, action="recorded")
    assert sorted(change.new["amount"] for change in changes) == sorted(
        line.amount for payment in payments(evening) for line in payment.lines.all() if line.amount > 0
    )


@pytest.mark.parametrize("name", ["pay-all", "pay-all-reverse"])
def test_evening_of_another_host_does_not_exist(host, stranger, evening, name):
    key = key_of(evening)
    assert stranger.post(reverse(name, args=[evening.pk]), {"key": key}).status_code == 404
    assert host.get(reverse(name, args=[evening.pk])).status_code == 405
    assert not payments(evening).exists()
