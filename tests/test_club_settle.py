"""Settling up over all evenings of a club: which go over, who pays whom, paid and taken back, the way there."""

import re
import uuid
from html import unescape

import pytest
import time_machine
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring import ledger
from scoring.ledger.book import ClubBook
from scoring.models import Change, Entry, Player


@pytest.fixture(autouse=True)
def a_thursday():
    with time_machine.travel("2026-11-26T14:00Z"):
        yield


@pytest.fixture
def book(club):
    return ClubBook(club, "IDR")


@pytest.fixture
def evenings(evening_of, ana, budi, citra):
    """In all Budi owes Ana 250 and Citra owes her 150: three payments evening by evening, two together."""
    return [
        evening_of("2026-11-12", {ana: 300, budi: -200, citra: -100}),
        evening_of("2026-11-19", {ana: 100, budi: -50, citra: -50}),
    ]


@pytest.fixture
def carried(evenings, rudi):
    ledger.carry_all_over(evenings, rudi)
    return evenings


@pytest.fixture
def look(host, club):
    """The page as text, white space single."""

    def look(currency="IDR", **query):
        response = host.get(reverse("club-settle-in", args=[club.pk, currency]), query)
        assert response.status_code == 200
        return words(response)

    return look


@pytest.fixture
def pay(host, club, book):
    """Record what is open between two as their row on the page does, or a part of it."""

    def pay(payer, payee, amount=None, key=None):
        pair = payer and payer.pk, payee and payee.pk
        claim = next(claim for claim in ledger.settlement(book).claims if (claim.payer, claim.payee) == pair)
        form = {"key": key or claim.key, "payer": pair[0] or "", "payee": pair[1] or ""}
        form["amount"] = claim.open if amount is None else amount
        return host.post(reverse("club-pay", args=[club.pk, "IDR"]), form)

    return pay


def words(response):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())


def plan(book):
    names = {None: "House", **dict(book.club.players.values_list("pk", "name"))}
    return [(names[one.payer], names[one.payee], one.amount) for one in ledger.settlement(book).plan.transfers]


# ---------------------------------------------------------------- which evenings go over


def test_evenings_that_are_not_settled_wait(look, evenings):
    text = look()
    assert "2 evenings are not settled" in text
    assert "Thu, 12 November 2026 300 open" in text and "Thu, 19 November 2026 100 open" in text
    assert "With all of them 2 payments make everyone even." in text
    assert "Kamis Malam, all evenings until Thu 26 Nov 2 evenings are not settled" in text


def test_one_tap_carries_all_over(host, club, book, look, evenings):
    url = reverse("club-carry-over", args=[club.pk, "IDR"])
    response = host.post(url, {"sessions": [one.pk for one in evenings]}, follow=True)
    assert "2 evenings are carried over." in words(response)
    assert plan(book) == [("Budi", "Ana", 250), ("Citra", "Ana", 150)]
    text = look()
    assert "2 payments and everyone is even 400 still to pay." in text
    assert "Evenings to carry over" not in text and "Thu, 19 November 2026 100, 21:00 by rudi" in text


def test_a_second_tap_changes_nothing(host, club, evenings):
    url = reverse("club-carry-over", args=[club.pk, "IDR"])
    for _tap in range(2):
        assert host.post(url, {"sessions": [one.pk for one in evenings]}).status_code == 302
    assert Entry.objects.filter(kind=Entry.Kind.CARRY_OVER, session=None).count() == 2


def test_evenings_can_be_left_out(host, club, book, look, evenings):
    host.post(reverse("club-carry-over", args=[club.pk, "IDR"]), {"sessions": [evenings[1].pk]})
    assert plan(book) == [("Budi", "Ana", 50), ("Citra", "Ana", 50)]
    assert "Thu, 12 November 2026 300 open" in look()


@pytest.mark.parametrize("chosen", [[], ["x"], [999_999]], ids=["none", "no-key", "nobodys"])
def test_a_choice_that_is_none_is_refused(host, club, evenings, chosen):
    response = host.post(reverse("club-carry-over", args=[club.pk, "IDR"]), {"sessions": chosen})
    assert response.status_code == 409
    assert not Entry.objects.filter(kind=Entry.Kind.CARRY_OVER).exists()


def test_an_evening_that_was_settled_meanwhile_is_told(host, club, rudi, evenings, ana, budi, citra):
    for payer, amount in ((budi, 50), (citra, 50)):
        ledger.record_payment(evenings[1], payer, ana, amount, uuid.uuid4(), rudi)
    response = host.post(reverse("club-carry-over", args=[club.pk, "IDR"]), {"sessions": [one.pk for one in evenings]})
    assert response.status_code == 409
    assert "Nothing is open of the evening of 19 Nov 2026 any more. Nothing was carried over." in words(response)


def test_an_evening_still_open_or_of_another_currency_does_not_wait(look, evenings, evening_of, rudi, ana, budi):
    ledger.reopen_session(evenings[1], rudi)
    evening_of("2026-11-05", {ana: 700, budi: -700}, currency="MYR")
    text = look()
    assert "1 evening is not settled" in text and "19 November" not in text and "5 November" not in text


def test_an_evening_is_taken_back(host, book, look, rudi, carried):
    entry = ledger.standing_carry_over(carried[0])
    response = host.post(reverse("carry-over-take-back", args=[entry.pk]), follow=True)
    assert "Taken back" in words(response)
    assert plan(book) == [("Budi", "Ana", 50), ("Citra", "Ana", 50)]
    assert "Thu, 12 November 2026 300 open" in look()


def test_nothing_to_settle(look):
    assert "Nobody owes anything No closed evening waits to be settled." in look()


# ---------------------------------------------------------------- payments


def test_a_payment_is_recorded_once(host, book, pay, carried, ana, budi, rudi):
    key = next(claim.key for claim in ledger.settlement(book).claims if claim.payer == budi.pk)
    for _tap in range(2):
        assert pay(budi, ana, 250, key).status_code == 302
    (payment,) = book.entries.filter(kind=Entry.Kind.PAYMENT)
    assert {line.player: line.amount for line in payment.lines.all()} == {budi: 250, ana: -250}
    assert plan(book) == [("Citra", "Ana", 150)]


def test_a_part_leaves_the_rest_open(look, pay, carried, ana, budi):
    pay(budi, ana, 100)
    text = look()
    assert "100 paid, 21:00 by rudi" in text and "150 left" in text
    assert "1 is paid in part. 300 still to pay." in text


def test_more_than_is_open_is_refused(book, pay, carried, ana, budi):
    response = pay(budi, ana, 251)
    assert response.status_code == 422
    assert "At most Rp\u00a0250 is open between the two." in response.text
    assert not book.entries.filter(kind=Entry.Kind.PAYMENT).exists()


def test_a_payment_is_taken_back(host, book, look, pay, carried, ana, budi):
    pay(budi, ana)
    payment = book.entries.get(kind=Entry.Kind.PAYMENT)
    response = host.post(reverse("entry-reverse", args=[payment.pk]))
    assert (response.status_code, response.url) == (302, reverse("club-settle-in", args=[book.club_id, "IDR"]))
    assert plan(book) == [("Budi", "Ana", 250), ("Citra", "Ana", 150)]
    assert "1 payment taken back" in look()


def test_all_is_paid_at_one_tap_and_taken_back_at_one(host, club, book, look, carried):
    key = ledger.all_paid_key(ledger.settlement(book))
    for _tap in range(2):
        assert host.post(reverse("club-pay-all", args=[club.pk, "IDR"]), {"key": key}).status_code == 302
    assert book.entries.filter(kind=Entry.Kind.PAYMENT, batch=key).count() == 2
    assert "Everyone is even Everything is paid." in look()
    response = host.post(reverse("club-pay-all-reverse", args=[club.pk, "IDR"]), {"key": key}, follow=True)
    assert "2 payments are taken back." in words(response)
    assert len(plan(book)) == 2


def test_the_house_is_paid_too(book, pay, evening_of, rudi, ana, budi):
    ledger.carry_over(evening_of("2026-11-12", {ana: 97, budi: -100, None: 3}), rudi)
    pay(budi, None)
    assert plan(book) == [("Budi", "Ana", 97)]


def test_who_left_the_club_can_still_pay_and_be_paid(book, pay, carried, look, ana, budi):
    Player.objects.filter(pk__in=[ana.pk, budi.pk]).update(retired_at="2026-11-20T00:00Z")
    assert pay(budi, ana).status_code == 302
    assert "Budi pays Ana 250 ✓ Paid" in look()


def test_a_payment_stands_in_the_change_log_of_the_club(pay, carried, club, ana, budi):
    pay(budi, ana, 100)
    change = Change.objects.filter(kind=Change.Kind.PAYMENT).get()
    assert (change.club, change.session) == (club, None)
    assert change.new == {"payer": "Budi", "payee": "Ana", "amount": 100, "currency": "IDR"}


def test_payments_count_in_no_evening(pay, carried, ana, budi):
    pay(budi, ana)
    assert ledger.totals(carried[0])[budi.pk] == -200
    assert not any(ledger.balances(carried[0]).values())


# ---------------------------------------------------------------- one plan after the other


def test_with_another_evening_a_new_plan_begins(book, look, pay, carried, evening_of, rudi, ana, budi, citra):
    pay(budi, ana, 100)
    ledger.carry_over(evening_of("2026-11-25", {ana: -30, budi: 30}), rudi)
    assert plan(book) == [("Budi", "Ana", 120), ("Citra", "Ana", 150)]
    text = look()
    assert "2 payments and everyone is even 270 still to pay." in text
    assert "Earlier payments Budi pays Ana 100 ✓ Paid" in text


def test_why_it_is_that_much(look, pay, carried, evening_of, rudi, ana, budi):
    pay(budi, ana, 100)
    ledger.carry_over(evening_of("2026-11-25", {ana: -30, budi: 30}), rudi)
    pay(budi, ana, 20)
    text = look()
    assert "Budi was 120 down after the last carry-over. All of it goes to Ana." in text
    assert "Ana after the last carry-over +270 from Citra −150 left from Budi 120" in text


def test_a_row_of_the_old_plan_is_not_paid_twice(book, pay, carried, evening_of, rudi, ana, budi):
    key = next(claim.key for claim in ledger.settlement(book).claims if claim.payer == budi.pk)
    pay(budi, ana, 250, key)
    ledger.carry_over(evening_of("2026-11-25", {ana: 30, budi: -30}), rudi)
    pay(budi, ana, 250, key)
    assert plan(book) == [("Budi", "Ana", 30), ("Citra", "Ana", 150)]


def test_an_earlier_payment_can_be_taken_back(host, book, pay, carried, evening_of, rudi, ana, budi):
    pay(budi, ana)
    payment = book.entries.get(kind=Entry.Kind.PAYMENT)
    ledger.carry_over(evening_of("2026-11-25", {ana: 30, budi: -30}), rudi)
    host.post(reverse("entry-reverse", args=[payment.pk]))
    settlement = ledger.settlement(book)
    assert plan(book) == [("Budi", "Ana", 280), ("Citra", "Ana", 150)]
    assert settlement.won[budi.pk] == -280


def test_what_was_long_ago_is_told_when_asked_for(look, evening_of, rudi, ana, budi):
    for day in range(1, 11):
        ledger.carry_over(evening_of(f"2026-10-{day:02}", {ana: 1, budi: -1}), rudi)
    text = look()
    assert "10 October" in text and " 2 October" not in text
    assert "Carried over and paid before" in text and "Newer" not in text
    text = look(leaf=2)
    assert " 1 October" in text and " 2 October" in text and " 3 October" not in text
    assert "paid before" not in text and "Newer" in text


@pytest.mark.parametrize("leaf", ["0", "-1", "x", "9" * 30])
def test_a_leaf_that_does_not_exist_is_the_first(look, carried, leaf):
    assert "19 November" in look(leaf=leaf)


def test_the_oldest_evenings_go_over_first(look, evening_of, monkeypatch, ana, budi):
    monkeypatch.setattr("scoring.club_settle.MOST_AT_ONCE", 2)
    for day in (3, 1, 2):
        evening_of(f"2026-10-{day:02}", {ana: 1, budi: -1})
    text = look()
    assert "3 evenings are not settled" in text and "The oldest 2" in text
    assert " 1 October" in text and " 2 October" in text and " 3 October" not in text


# ---------------------------------------------------------------- currencies


def test_currencies_are_settled_apart(host, club, look, carried, evening_of, rudi, ana, budi):
    ledger.carry_over(evening_of("2026-11-13", {ana: -700, budi: 700}, currency="MYR"), rudi)
    assert "What is open in MYR" in look() and "7.00" not in look()
    text = look("MYR")
    assert "Ana pays Budi 7.00" in text and "What is open in IDR" in text


def test_without_a_currency_it_is_that_of_the_club(host, club, carried):
    page = words(host.get(reverse("club-settle", args=[club.pk])))
    assert "Kamis Malam · Rupiah" in page and "Budi pays Ana 250" in page


def test_a_currency_that_is_none_does_not_exist(host, club):
    assert host.get(reverse("club-settle-in", args=[club.pk, "XXX"])).status_code == 404


# ---------------------------------------------------------------- text, page of the club, access


def test_text_for_the_group(look, pay, carried, ana, budi, citra):
    pay(budi, ana)
    text = look().replace("\u00a0", " ")
    assert "Kamis Malam, all evenings until Thu 26 Nov Citra → Ana: Rp 150 Paid: Budi → Ana Rp 250" in text


def test_the_page_of_the_club_tells_who_pays_whom_in_all(host, club, evenings, rudi):
    ledger.carry_over(evenings[0], rudi)
    text = words(host.get(club.get_absolute_url()))
    assert "Who pays whom in all Budi pays Ana 250 Citra pays Ana 150 Settle up over all evenings" in text
    assert "from 19 Nov · carried over" in text
    assert "carried over" in text.partition("Evenings All 2")[2] and "100 open" in text


def test_rows_without_a_page_of_their_own_come_by_htmx(host, club, carried):
    response = host.get(reverse("club-settle-in", args=[club.pk, "IDR"]), headers={"HX-Request": "true"})
    assert "<html" not in response.text and "Budi" in response.text


def test_a_damaged_book_is_told(look, carried, book):
    book.lines.filter(amount=300).update(amount=299)
    text = look()
    assert "The book does not add up" in text and "difference −1" in text


@pytest.mark.parametrize("name", ["club-carry-over", "club-pay", "club-pay-all", "club-pay-all-reverse"])
def test_looking_changes_nothing(host, club, name):
    assert host.get(reverse(name, args=[club.pk, "IDR"])).status_code == 405


@pytest.mark.parametrize("name", ["club-settle-in", "club-carry-over", "club-pay", "club-pay-all"])
def test_another_hosts_club_does_not_exist(stranger, club, name):
    url = reverse(name, args=[club.pk, "IDR"])
    assert stranger.post(url).status_code in (404, 405)
    assert stranger.get(url).status_code in (404, 405)


def test_what_was_paid_before_an_evening_was_taken_back_is_pointed_out_on_both_pages(
    host, evening_of, club, rudi, ana, budi
):
    """The same money seems to be open twice, one way here and the other way there, until it is carried over again."""
    evening = evening_of("2026-11-12", {ana: 50_000, budi: -50_000})
    in_club, in_evening = reverse("club-settle", args=[club.pk]), reverse("settle-up", args=[evening.pk])
    book = ledger.ClubBook(club, "IDR")
    ledger.carry_over(evening, rudi)
    ledger.record_all_paid(book, ledger.all_paid_key(ledger.settlement(book)), rudi)
    ledger.reopen_session(evening, rudi)
    assertContains(host.get(in_evening), "Do not pay it twice")
    assertContains(host.get(in_club), "The evening of Thu, 12 November 2026 was taken back from here after payments.")
    ledger.carry_over(ledger.close_session(evening, rudi), rudi)
    assert not any(ledger.balances(book).values())
    for page in (in_club, in_evening):
        assert "taken back" not in host.get(page).content.decode()


def test_an_evening_that_is_taken_back_unpaid_needs_no_word(host, evening_of, club, rudi, ana, budi):
    evening = evening_of("2026-11-12", {ana: 50_000, budi: -50_000})
    ledger.take_back_carry_over(ledger.carry_over(evening, rudi), rudi)
    assert not ledger.taken_back_after_payments(ledger.ClubBook(club, "IDR"))


def test_an_evening_that_no_database_could_hold_is_none(host, club):
    url = reverse("club-carry-over", args=[club.pk, "IDR"])
    assertContains(host.post(url, {"sessions": ["9" * 40]}), "is not one of the available choices", status_code=409)


def test_queries_do_not_grow(host, club, carried, evening_of, rudi, pay, ana, budi, django_assert_num_queries):
    url = reverse("club-settle-in", args=[club.pk, "IDR"])
    pay(budi, ana, 1)
    ledger.carry_over(evening_of("2026-10-01", {ana: 2, budi: -2}), rudi)
    pay(budi, ana, 1)
    evening_of("2026-10-08", {ana: 2, budi: -2})
    for number in range(2):
        with django_assert_num_queries(20):
            host.get(url)
        for day in range(3):
            ledger.carry_over(evening_of(f"2026-09-{10 * number + day + 1:02}", {ana: 2, budi: -2}), rudi)
            pay(budi, ana, 1)
            evening_of(f"2026-08-{10 * number + day + 1:02}", {ana: 2, budi: -2})
