"""Payments: written down once with one tap or in part, taken back, refused where nothing is open."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.ledger.book import lock_session, post
from scoring.models import Change, Club, Entry, Host, Round


@pytest.fixture
def evening(session, rudi, ana, budi, citra, dewi):
    """Budi is 612.000 down, all for Ana. Citra is 994.100 down: 675.500 for Ana, the rest for Dewi and the house."""
    amounts = {ana.pk: 1_287_500, budi.pk: -612_000, citra.pk: -994_100, dewi.pk: 201_900, None: 116_700}
    post(lock_session(session.pk), Entry.Kind.ROUND, amounts, rudi)
    return session


def claims(session):
    """What is open: amounts by the names of payer and payee."""
    names = {None: "House", **dict(session.club.players.values_list("pk", "name"))}
    claims = ledger.settlement(session).claims
    return {(names[claim.payer], names[claim.payee]): claim.open for claim in claims if claim.open}


def claim_of(session, payer, payee):
    pair = payer and payer.pk, payee and payee.pk
    return next(claim for claim in ledger.settlement(session).claims if (claim.payer, claim.payee) == pair)


def form_of(session, payer, payee, amount=None):
    """The form of a row as the page has it."""
    claim = claim_of(session, payer, payee)
    return {
        "key": claim.key,
        "payer": claim.payer or "",
        "payee": claim.payee or "",
        "amount": claim.open if amount is None else amount,
    }


def pay(client, session, form, **headers):
    return client.post(reverse("pay", args=[session.pk]), form, **headers)


def messages_of(response):
    return [str(message) for message in response.wsgi_request._messages]


@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed"])
def test_a_part_payment_leaves_all_other_rows_as_they_are(session, rudi, cast, is_closed):
    """For what is left after it there is a plan as short in which Citra would pay Budi; she has seen that it is Dewi,
    and may have paid her already."""
    ana, budi, citra, dewi = cast
    amounts = {ana.pk: -80_000, budi.pk: 60_000, citra.pk: -20_000, dewi.pk: 40_000}
    post(lock_session(session.pk), Entry.Kind.ROUND, amounts, rudi)
    assert claims(session) == {("Ana", "Budi"): 60_000, ("Ana", "Dewi"): 20_000, ("Citra", "Dewi"): 20_000}
    if is_closed:
        ledger.close_session(session, rudi)
    ledger.record_payment(session, ana, budi, 40_000, claim_of(session, ana, budi).key, rudi)
    assert claims(session) == {("Ana", "Budi"): 20_000, ("Ana", "Dewi"): 20_000, ("Citra", "Dewi"): 20_000}
    first = ledger.record_payment(session, citra, dewi, 20_000, claim_of(session, citra, dewi).key, rudi)
    ledger.reverse_payment(first, rudi)
    assert claims(session) == {("Ana", "Budi"): 20_000, ("Ana", "Dewi"): 20_000, ("Citra", "Dewi"): 20_000}


def test_closing_the_evening_moves_no_row_after_a_part_payment(session, rudi, cast):
    ana, budi, citra, dewi = cast
    session.ruleset_fields = session.ruleset_fields | {"room_fee_basis": "session", "room_fee_percent": 10}
    session.save()
    amounts = {ana.pk: -80_000, budi.pk: 60_000, citra.pk: -20_000, dewi.pk: 40_000}
    round_ = Round.objects.create(
        session=session, club=session.club, number=1, state=Round.State.SCORED, ruleset_fields=session.ruleset_fields
    )
    post(lock_session(session.pk), Entry.Kind.ROUND, amounts, rudi, round_=round_)
    before = claims(session)
    assert before == {
        ("Ana", "Budi"): 54_000,
        ("Ana", "Dewi"): 26_000,
        ("Citra", "Dewi"): 10_000,
        ("Citra", "House"): 10_000,
    }
    ledger.record_payment(session, ana, budi, 30_000, claim_of(session, ana, budi).key, rudi)
    session = ledger.close_session(session, rudi)
    assert claims(session) == before | {("Ana", "Budi"): 24_000}


# ---------------------------------------------------------------- one tap


def test_paid_records_the_whole_rest(host, evening, budi, ana, rudi):
    amount = claims(evening)["Budi", "Ana"]
    response = pay(host, evening, form_of(evening, budi, ana))
    assert response.status_code == 302
    assert response.url == reverse("settle-up", args=[evening.pk])
    entry = evening.entries.get(kind=Entry.Kind.PAYMENT)
    assert {line.player: line.amount for line in entry.lines.all()} == {budi: amount, ana: -amount}
    assert entry.created_by == rudi


def test_other_rows_stay_as_they_are_while_people_pay(host, evening, budi, citra, dewi, ana):
    left = claims(evening)
    for payer, payee in ((citra, dewi), (budi, ana), (citra, None), (citra, ana)):
        pay(host, evening, form_of(evening, payer, payee))
        del left[payer.name, payee.name if payee else "House"]
        assert claims(evening) == left
    assert set(ledger.settlement(evening).balances.values()) == {0}


def test_house_is_paid(host, evening, citra):
    pay(host, evening, form_of(evening, citra, None))
    assert ledger.settlement(evening).balances[None] == 0


def test_payment_is_recorded_after_the_evening_is_closed(host, evening, rudi, citra, ana):
    ledger.close_session(evening, rudi)
    assert pay(host, evening, form_of(evening, citra, ana)).status_code == 302
    assert evening.entries.filter(kind=Entry.Kind.PAYMENT).count() == 1


def test_double_tap_and_resend_are_one_payment(host, evening, citra, ana):
    form = form_of(evening, citra, ana)
    for _time in range(3):
        assert pay(host, evening, form).status_code == 302
    assert evening.entries.filter(kind=Entry.Kind.PAYMENT).count() == 1


def test_tap_on_two_pages_drawn_alike_is_one_payment(host, evening, citra, ana):
    one, other = form_of(evening, citra, ana), form_of(evening, citra, ana)
    assert one == other
    pay(host, evening, one)
    pay(host, evening, other)
    assert evening.entries.filter(kind=Entry.Kind.PAYMENT).count() == 1


def test_second_payment_of_a_pair_has_a_key_of_its_own(host, evening, citra, ana):
    first = form_of(evening, citra, ana, amount="500.000")
    pay(host, evening, first)
    assert form_of(evening, citra, ana)["key"] != first["key"]


# ---------------------------------------------------------------- in part


@pytest.mark.parametrize("typed", ["500.000", "500000", "500rb", "500 000", "Rp 500.000"])
def test_part_payment_leaves_the_rest_open(host, evening, citra, ana, typed):
    before = claims(evening)
    assert pay(host, evening, form_of(evening, citra, ana, typed)).status_code == 302
    assert claims(evening) == before | {("Citra", "Ana"): before["Citra", "Ana"] - 500_000}
    assert claim_of(evening, citra, ana).paid == 500_000


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "This field is required"),
        ("0", "Enter an amount above 0"),
        ("-5", "Enter an amount in figures"),
        ("abc", "Enter an amount in figures"),
        ("1e5", "Enter an amount in figures"),
        ("NaN", "Enter an amount in figures"),
        ("0,5", "Whole amounts only"),
        ("675.501", "At most Rp\u00a0675.500 is open between the two"),
        ("9" * 40, "At most"),
    ],
)
def test_amount_that_is_none_is_refused_beside_the_field(host, evening, citra, ana, typed, told):
    response = pay(host, evening, form_of(evening, citra, ana, typed))
    assert response.status_code == 422
    field = re.search(r'<input[^>]*id="id_amount"[^>]*>.*?</div>', response.content.decode(), re.DOTALL)
    assert field and told in field[0]
    assert f'value="{typed}"' in field[0] or not typed
    assert not evening.entries.filter(kind=Entry.Kind.PAYMENT).exists()


def test_amounts_of_a_currency_with_cents_are_exact(host, session, rudi, ana, budi):
    session.currency = "MYR"
    session.save()
    post(lock_session(session.pk), Entry.Kind.ROUND, {ana.pk: 50_738, budi.pk: -50_738}, rudi)
    pay(host, session, form_of(session, budi, ana, "507.35"))
    assert claims(session) == {("Budi", "Ana"): 3}


def test_sums_beyond_the_largest_stake_are_paid(host, session, rudi, ana, budi):
    post(lock_session(session.pk), Entry.Kind.ROUND, {ana.pk: 66 * 10**12, budi.pk: -66 * 10**12}, rudi)
    assert pay(host, session, form_of(session, budi, ana)).status_code == 302
    assert claims(session) == {}


# ---------------------------------------------------------------- stale pages


def test_paid_on_an_old_page_with_another_key_is_told_and_doubles_nothing(host, evening, citra, ana):
    form = form_of(evening, citra, ana)
    pay(host, evening, form)
    response = pay(host, evening, form | {"key": uuid.uuid4()})
    assert response.status_code == 409
    assert "Nothing is open between the two any more. Nothing was recorded." in response.content.decode()
    assert evening.entries.filter(kind=Entry.Kind.PAYMENT).count() == 1


def test_paid_with_another_key_doubles_nothing_while_both_have_other_balances(host, evening, citra, dewi, ana):
    """Citra, who paid Dewi, still owes more than that; had the plan no say, Dewi's part in it could be paid twice."""
    pay(host, evening, form_of(evening, citra, ana, "100.000"))
    form = form_of(evening, citra, ana)
    pay(host, evening, form)
    assert pay(host, evening, form | {"key": uuid.uuid4()}).status_code == 409
    assert evening.entries.filter(kind=Entry.Kind.PAYMENT).count() == 2


def test_old_page_is_told_of_another_amount_recorded_meanwhile(host, evening, citra, ana):
    form = form_of(evening, citra, ana)
    pay(host, evening, form | {"amount": "100.000"})
    response = pay(host, evening, form | {"amount": "200.000"})
    assert response.status_code == 409
    assert "Another payment between the two has been recorded meanwhile" in response.content.decode()
    assert claim_of(evening, citra, ana).paid == 100_000


def test_old_page_does_not_revive_what_was_taken_back(host, evening, citra, ana, rudi):
    form = form_of(evening, citra, ana)
    pay(host, evening, form)
    ledger.reverse_payment(evening.entries.get(kind=Entry.Kind.PAYMENT), rudi)
    response = pay(host, evening, form)
    assert response.status_code == 409
    assert "has been taken back meanwhile" in response.content.decode()
    assert claim_of(evening, citra, ana).paid == 0
    assert pay(host, evening, form_of(evening, citra, ana)).status_code == 302


def test_conflict_is_swapped_in_by_htmx(host, evening, citra, ana):
    form = form_of(evening, citra, ana)
    pay(host, evening, form)
    response = pay(host, evening, form | {"key": uuid.uuid4()}, headers={"HX-Request": "true"})
    assert response.status_code == 422
    assert b"<html" not in response.content
    assert b"Nothing is open between the two any more" in response.content


@pytest.mark.parametrize(
    "change",
    [{"key": "no key"}, {"payer": "999999"}, {"payee": "x"}, {"payer": ""}, {"payee": ""}],
    ids=["key", "unknown-payer", "bad-payee", "house-pays", "house-gets"],
)
def test_form_that_was_tampered_with_records_nothing(host, evening, citra, ana, change):
    response = pay(host, evening, form_of(evening, citra, ana) | change)
    assert response.status_code in (409, 422)
    assert not evening.entries.filter(kind=Entry.Kind.PAYMENT).exists()


def test_nobody_pays_himself(host, evening, citra, ana):
    response = pay(host, evening, form_of(evening, citra, ana) | {"payee": citra.pk})
    assert response.status_code == 409
    assert "Nobody pays himself" in response.content.decode()


# ---------------------------------------------------------------- undo


def test_payment_is_taken_back(host, evening, citra, ana, rudi):
    before = claims(evening)
    pay(host, evening, form_of(evening, citra, ana))
    payment = evening.entries.get(kind=Entry.Kind.PAYMENT)
    response = host.post(reverse("entry-reverse", args=[payment.pk]))
    assert response.url == reverse("settle-up", args=[evening.pk])
    assert claims(evening) == before
    assert (payment.reversed_by.kind, payment.reversed_by.created_by) == (Entry.Kind.REVERSAL, rudi)


def test_payment_is_taken_back_once(host, evening, citra, ana):
    pay(host, evening, form_of(evening, citra, ana))
    payment = evening.entries.get(kind=Entry.Kind.PAYMENT)
    for _time in range(2):
        assert host.post(reverse("entry-reverse", args=[payment.pk])).status_code == 302
    assert evening.entries.filter(kind=Entry.Kind.REVERSAL).count() == 1


def test_what_is_no_payment_is_not_taken_back(host, evening):
    response = host.post(reverse("entry-reverse", args=[evening.entries.get().pk]))
    assert response.status_code == 409
    assert "Only a payment can be taken back here" in response.content.decode()
    assert evening.entries.count() == 1


def test_payment_before_a_correction_stays_and_the_rest_is_open(host, session, rudi, ana, budi):
    """L032: 100 are paid, then Budi turns out to owe 140."""
    post(lock_session(session.pk), Entry.Kind.ROUND, {ana.pk: 100, budi.pk: -100}, rudi)
    pay(host, session, form_of(session, budi, ana))
    post(lock_session(session.pk), Entry.Kind.ROUND, {ana.pk: 40, budi.pk: -40}, rudi)
    claim = claim_of(session, budi, ana)
    assert (claim.paid, claim.open, claim.amount) == (100, 40, 140)


def test_change_log_tells_of_payments(host, evening, citra, rudi):
    pay(host, evening, form_of(evening, citra, None))
    host.post(reverse("entry-reverse", args=[evening.entries.get(kind=Entry.Kind.PAYMENT).pk]))
    told = {"payer": "Citra", "payee": None, "amount": claim_of(evening, citra, None).open, "currency": "IDR"}
    taken_back, recorded = evening.changes.filter(kind=Change.Kind.PAYMENT)
    assert (recorded.action, recorded.old, recorded.new) == ("recorded", None, told)
    assert (taken_back.action, taken_back.old, taken_back.new) == ("taken back", told, None)
    assert recorded.created_by == taken_back.created_by == rudi


# ---------------------------------------------------------------- rights and methods


def test_session_of_another_host_does_not_exist(stranger, evening, citra, ana):
    assert pay(stranger, evening, form_of(evening, citra, ana)).status_code == 404
    assert not evening.entries.filter(kind=Entry.Kind.PAYMENT).exists()


def test_payment_of_another_host_does_not_exist(host, stranger, evening, citra, ana):
    pay(host, evening, form_of(evening, citra, ana))
    payment = evening.entries.get(kind=Entry.Kind.PAYMENT)
    assert stranger.post(reverse("entry-reverse", args=[payment.pk])).status_code == 404
    assert not hasattr(payment, "reversed_by")


def test_player_of_another_club_is_no_payer(host, siti, evening, ana, citra):
    club = Club.objects.create(name="Jumat", currency="IDR")
    Host.objects.create(club=club, user=siti)
    eko = club.players.create(name="Eko")
    assert pay(host, evening, form_of(evening, citra, ana) | {"payer": eko.pk}).status_code == 409


def test_who_is_not_logged_in_is_asked_to(evening, citra, ana):
    response = pay(Client(), evening, form_of(evening, citra, ana))
    assert response.status_code == 302
    assert response.url.startswith(reverse("login"))


def test_get_changes_nothing(host, evening):
    assert host.get(reverse("pay", args=[evening.pk])).status_code == 405
    assert host.get(reverse("entry-reverse", args=[evening.entries.get().pk])).status_code == 405


def test_a_key_that_an_adjustment_used_records_no_payment(host, evening, rudi, budi, ana):
    """The same amounts under the key of another form are not taken for the payment."""
    claim = claim_of(evening, budi, ana)
    ledger.record_adjustment(evening, {budi.pk: claim.open, ana.pk: -claim.open}, "Cash", claim.key, rudi)
    with pytest.raises(ledger.StaleError):
        ledger.record_payment(evening, budi, ana, claim.open, claim.key, rudi)
    assert not evening.entries.filter(kind=Entry.Kind.PAYMENT).exists()
