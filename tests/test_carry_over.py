"""Carrying what is open of an evening over to its club: exactly once, and back."""

import uuid
from itertools import chain

import pytest
from django.urls import reverse

from scoring import ledger, sharing
from scoring.ledger.book import ClubBook
from scoring.models import Change, Entry, Line
from tests.test_ledger import at_once


@pytest.fixture
def thursday(evening_of, ana, budi, citra):
    """Ana won 300: 200 from Budi, 100 from Citra."""
    return evening_of("2026-11-12", {ana: 300, budi: -200, citra: -100})


@pytest.fixture
def book(club):
    return ClubBook(club, "IDR")


def open_of(book, *players):
    balances = ledger.balances(book)
    return [balances.get(player and player.pk, 0) for player in players]


def pay(book, payer, payee, amount, rudi):
    return ledger.record_payment(book, payer, payee, amount, uuid.uuid4(), rudi)


# ---------------------------------------------------------------- the pair of entries


def test_every_balance_of_the_evening_goes_over_to_the_club(thursday, book, rudi, ana, budi, citra, dewi):
    ledger.carry_over(thursday, rudi)
    assert set(ledger.balances(thursday).values()) == {0}
    assert open_of(book, ana, budi, citra, dewi) == [300, -200, -100, 0]


def test_the_entry_in_the_club_names_the_one_in_the_evening(thursday, book, rudi, ana, budi, citra):
    entry = ledger.carry_over(thursday, rudi)
    assert (entry.session, entry.kind, entry.currency) == (thursday, Entry.Kind.CARRY_OVER, "IDR")
    (counterpart,) = book.entries
    assert (counterpart.carries, counterpart.session, counterpart.kind) == (entry, None, Entry.Kind.CARRY_OVER)
    lines = {line.player: line.amount for line in entry.lines.all()}
    assert lines == {ana: -300, budi: 200, citra: 100}
    assert {line.player: -line.amount for line in counterpart.lines.all()} == lines


def test_what_is_paid_before_stays_in_the_evening(thursday, book, rudi, ana, budi, citra):
    pay(thursday, budi, ana, 150, rudi)
    ledger.carry_over(thursday, rudi)
    assert open_of(book, ana, budi, citra) == [150, -50, -100]


def test_the_house_is_carried_over_too(evening_of, book, rudi, ana, budi):
    ledger.carry_over(evening_of("2026-11-12", {ana: 97, budi: -100, None: 3}), rudi)
    assert open_of(book, ana, budi, None) == [97, -100, 3]


def test_winnings_stay_where_they_were_won(thursday, rudi, ana):
    before = ledger.totals(thursday)
    ledger.carry_over(thursday, rudi)
    assert ledger.totals(thursday) == before
    assert ledger.settlement(thursday).carried[ana.pk] == -300


def test_two_evenings_even_out_in_the_club(thursday, evening_of, book, rudi, ana, budi, citra):
    friday = evening_of("2026-11-13", {ana: -300, budi: 200, citra: 100})
    for session in (thursday, friday):
        ledger.carry_over(session, rudi)
    assert ledger.settlement(book).plan.transfers == ()


def test_each_currency_has_a_book_of_its_own(thursday, evening_of, book, club, rudi, ana, budi):
    ledger.carry_over(evening_of("2026-11-13", {ana: -5000, budi: 5000}, currency="MYR"), rudi)
    ledger.carry_over(thursday, rudi)
    assert open_of(book, ana, budi) == [300, -200]
    assert open_of(ClubBook(club, "MYR"), ana, budi) == [-5000, 5000]


def test_it_stands_in_the_change_log(thursday, rudi):
    ledger.take_back_carry_over(ledger.carry_over(thursday, rudi), rudi)
    back, over = Change.objects.filter(session=thursday, kind=Change.Kind.CARRY_OVER)
    told = {"currency": "IDR", "amounts": [["Ana", 300], ["Budi", -200], ["Citra", -100]]}
    assert (over.action, over.old, over.new, over.created_by) == ("carried over", None, told, rudi)
    assert (back.action, back.old, back.new) == ("taken back", told, None)


# ---------------------------------------------------------------- once


def test_carrying_over_again_changes_nothing(thursday, rudi):
    assert ledger.carry_over(thursday, rudi) == ledger.carry_over(thursday, rudi)
    assert Entry.objects.filter(kind=Entry.Kind.CARRY_OVER).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_phones_carry_the_same_evenings_over_once(thursday, evening_of, book, rudi, ana, budi):
    friday = evening_of("2026-11-13", {ana: 50, budi: -50})
    some = [thursday, friday]
    results = at_once(*(lambda some=some: ledger.carry_all_over(some, rudi) for some in (some, some[::-1]) * 4))
    assert len(set(chain(*results))) == 2
    assert open_of(book, ana, budi) == [350, -250]


@pytest.mark.django_db(transaction=True)
def test_carrying_over_and_paying_at_once_count_once(thursday, book, rudi, ana, budi):
    key = next(claim.key for claim in ledger.settlement(thursday).claims if claim.payer == budi.pk)
    at_once(
        lambda: ledger.carry_over(thursday, rudi), lambda: ledger.record_payment(thursday, budi, ana, 200, key, rudi)
    )
    paid = thursday.entries.filter(kind=Entry.Kind.PAYMENT).count()
    assert open_of(book, budi) == [0 if paid else -200]
    assert not any(ledger.balances(thursday).values())


@pytest.mark.django_db(transaction=True)
def test_evenings_go_over_and_come_back_while_the_club_pays(thursday, evening_of, book, rudi, ana, budi):
    friday = evening_of("2026-11-13", {ana: 50, budi: -50})
    entry = ledger.carry_over(thursday, rudi)
    results = at_once(
        lambda: ledger.carry_all_over([thursday, friday], rudi),
        lambda: ledger.take_back_carry_over(entry, rudi),
        lambda: ledger.reopen_session(friday, rudi),
        *[lambda: pay(book, budi, ana, 1, rudi)] * 5,
    )
    # What comes too late is refused in words; nobody waits for another in a circle.
    assert {type(result) for result in results if isinstance(result, Exception)} <= {
        ledger.LedgerError,
        ledger.OverpaymentError,
    }
    paid = book.entries.filter(kind=Entry.Kind.PAYMENT).count()
    assert sum(open_of(one, budi)[0] for one in (thursday, friday, book)) == paid - 250


# ---------------------------------------------------------------- refused


def test_an_open_evening_is_not_carried_over(thursday, rudi):
    ledger.reopen_session(thursday, rudi)
    with pytest.raises(ledger.LedgerError, match="12 Nov 2026 is not closed yet"):
        ledger.carry_over(thursday, rudi)


def test_a_settled_evening_has_nothing_to_carry_over(thursday, rudi, ana, budi, citra):
    pay(thursday, budi, ana, 200, rudi)
    pay(thursday, citra, ana, 100, rudi)
    with pytest.raises(ledger.LedgerError, match="Nothing is open of the evening of 12 Nov 2026 any more"):
        ledger.carry_over(thursday, rudi)


def test_of_several_evenings_all_go_over_or_none(thursday, evening_of, rudi, ana, budi):
    even = evening_of("2026-11-13", {ana: 0, budi: 0})
    with pytest.raises(ledger.LedgerError, match="13 Nov"):
        ledger.carry_all_over([thursday, even], rudi)
    assert not Entry.objects.filter(kind=Entry.Kind.CARRY_OVER).exists()


def test_a_damaged_book_is_not_carried_over(thursday, rudi):
    Line.objects.filter(amount=300).update(amount=301)
    with pytest.raises(ledger.LedgerError, match="does not add up"):
        ledger.carry_over(thursday, rudi)


def test_sums_that_the_clubs_book_cannot_hold_are_refused(evening_of, rudi, ana, budi):
    most = {ana: ledger.LARGEST_TOTAL, budi: -ledger.LARGEST_TOTAL}
    ledger.carry_over(evening_of("2026-11-12", most), rudi)
    with pytest.raises(ledger.LedgerError, match="too large for the club's book"):
        ledger.carry_over(evening_of("2026-11-13", most), rudi)


def test_nothing_is_paid_in_the_evening_any_more(thursday, rudi, ana, budi):
    payment = pay(thursday, budi, ana, 50, rudi)
    ledger.carry_over(thursday, rudi)
    with pytest.raises(ledger.LedgerError, match="was carried over to the club"):
        pay(thursday, budi, ana, 50, rudi)
    with pytest.raises(ledger.LedgerError, match="was carried over to the club"):
        ledger.reverse_payment(payment, rudi)


# ---------------------------------------------------------------- back


def test_it_is_taken_back_into_the_evening(thursday, book, rudi, ana, budi, citra):
    entry = ledger.carry_over(thursday, rudi)
    back = ledger.take_back_carry_over(entry, rudi)
    assert (back.reverses, back.session) == (entry, thursday)
    assert open_of(thursday, ana, budi, citra) == [300, -200, -100]
    assert open_of(book, ana, budi, citra) == [0, 0, 0]
    assert ledger.take_back_carry_over(entry, rudi) == back


def test_afterwards_it_can_be_carried_over_anew(thursday, book, rudi, ana, budi):
    first = ledger.carry_over(thursday, rudi)
    ledger.take_back_carry_over(first, rudi)
    pay(thursday, budi, ana, 200, rudi)
    second = ledger.carry_over(thursday, rudi)
    assert ledger.standing_carry_over(thursday) == second != first
    assert open_of(book, ana, budi) == [100, 0]


def test_only_a_carry_over_is_taken_back(thursday, book, rudi):
    ledger.carry_over(thursday, rudi)
    for entry in (thursday.entries.first(), book.entries.first()):
        with pytest.raises(ledger.LedgerError, match="Only what was carried over from an evening"):
            ledger.take_back_carry_over(entry, rudi)


def test_reopening_the_evening_takes_it_back(thursday, book, rudi, ana, budi):
    ledger.carry_over(thursday, rudi)
    pay(book, budi, ana, 200, rudi)
    ledger.reopen_session(thursday, rudi)
    assert open_of(thursday, ana, budi) == [300, -200]
    assert open_of(book, ana, budi) == [-200, 200]
    ledger.carry_over(ledger.close_session(thursday, rudi), rudi)
    assert open_of(book, ana, budi) == [100, 0]


def test_reopening_says_that_it_comes_back(host, thursday, rudi):
    ledger.carry_over(thursday, rudi)
    url = reverse("settle-up", args=[thursday.pk])
    assert "What was carried over to the club then comes back." in host.get(url).text
    response = host.post(reverse("session-reopen", args=[thursday.pk]), follow=True)
    assert "What was carried over to the club is back in it." in response.text
    assert not any(ledger.balances(ClubBook(thursday.club, "IDR")).values())


# ---------------------------------------------------------------- what is open is kept with the evening


def test_what_is_open_is_kept_with_the_evening(thursday, rudi, ana, budi, citra):
    def kept():
        return {balance.player.name: balance.amount for balance in thursday.open_balances.all()}

    assert kept() == {"Ana": 300, "Budi": -200, "Citra": -100}
    entry = ledger.carry_over(thursday, rudi)
    assert kept() == {}
    ledger.take_back_carry_over(entry, rudi)
    pay(thursday, budi, ana, 200, rudi)
    payment = pay(thursday, citra, ana, 60, rudi)
    assert kept() == {"Ana": 40, "Citra": -40}
    ledger.reverse_payment(payment, rudi)
    assert kept() == {"Ana": 100, "Citra": -100}
    ledger.reopen_session(thursday, rudi)
    assert kept() == {}
    ledger.close_session(thursday, rudi)
    assert kept() == {"Ana": 100, "Citra": -100}


# ---------------------------------------------------------------- pages of the evening


def test_the_evening_leads_to_the_club(host, thursday, rudi):
    page = host.get(reverse("settle-up", args=[thursday.pk])).text
    assert "Pay later: carry over to the club" in page
    response = host.post(reverse("carry-over", args=[thursday.pk]))
    to_the_club = reverse("club-settle-in", args=[thursday.club_id, "IDR"])
    assert (response.status_code, response.url) == (302, to_the_club)
    page = host.get(reverse("settle-up", args=[thursday.pk])).text
    assert "Carried over to the club" in page and to_the_club in page
    assert "What was open, 300, is settled together with other evenings." in page
    assert "Carried over to the club: Rp\u00a0300." in page
    assert "Pay later" not in page


def test_the_page_of_the_evening_leads_to_the_club(host, thursday, rudi):
    url = reverse("session", args=[thursday.pk])
    assert "payments can still be written down" in host.get(url).text
    ledger.carry_over(thursday, rudi)
    page = host.get(url).text
    assert "Closed. What was open is carried over to the club." in page
    assert reverse("club-settle-in", args=[thursday.club_id, "IDR"]) in page


def test_the_board_says_so(client, thursday, rudi):
    link = sharing.share_board(thursday, rudi)
    ledger.carry_over(thursday, rudi)
    assert "What was open is carried over to the club." in client.get(reverse("board", args=[link.token])).text


def test_the_list_of_evenings_marks_those_that_are_not_settled(host, thursday, rudi):
    url = reverse("sessions", args=[thursday.club_id])
    assert "not settled" in host.get(url).text
    ledger.carry_over(thursday, rudi)
    assert "not settled" not in host.get(url).text


def test_a_double_tap_carries_over_once(host, thursday):
    for _tap in range(2):
        assert host.post(reverse("carry-over", args=[thursday.pk])).status_code == 302
    assert Entry.objects.filter(kind=Entry.Kind.CARRY_OVER).count() == 2


def test_what_cannot_be_carried_over_is_told(host, session):
    response = host.post(reverse("carry-over", args=[session.pk]))
    assert response.status_code == 409
    assert "is not closed yet. Nothing was carried over." in response.text


@pytest.mark.parametrize("name", ["carry-over", "carry-over-take-back"])
def test_looking_changes_nothing(host, thursday, rudi, name):
    keys = {"carry-over": thursday.pk, "carry-over-take-back": ledger.carry_over(thursday, rudi).pk}
    assert host.get(reverse(name, args=[keys[name]])).status_code == 405


def test_another_hosts_evening_does_not_exist(stranger, thursday, rudi):
    entry = ledger.carry_over(thursday, rudi)
    assert stranger.post(reverse("carry-over", args=[thursday.pk])).status_code == 404
    assert stranger.post(reverse("carry-over-take-back", args=[entry.pk])).status_code == 404
    assert ledger.standing_carry_over(thursday) == entry
