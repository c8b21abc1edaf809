"""Settling up on a phone: one tap, a part payment, undo, with and without JavaScript."""

import re
import uuid

import pytest
from django.db import transaction
from django.urls import reverse
from playwright.sync_api import expect

from scoring import ledger, sharing
from scoring.ledger.book import lock_session, post
from scoring.models import Entry, Player, Seat
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot

LONG = "Maximiliana-Konstantinopolitanischedudelsackspfeifenmacherin"


@pytest.fixture
def path(session, rudi, ana, budi, citra, dewi):
    """The page of an evening: Budi owes Ana 612.000, Citra owes Ana 675.500, Dewi 201.900 and the house 116.700."""
    amounts = {ana.pk: 1_287_500, budi.pk: -612_000, citra.pk: -994_100, dewi.pk: 201_900, None: 116_700}
    with transaction.atomic():
        post(lock_session(session.pk), Entry.Kind.ROUND, amounts, rudi)
    return reverse("settle-up", args=[session.pk])


def test_payments_are_recorded_in_full_and_in_part_and_taken_back(open_page, rudi, path, session, javascript):
    page = open_page(path, rudi, javascript)
    left = page.locator(".hero .meta")
    rows = page.locator("article.payment")
    rows.first.get_by_role("button", name="Paid").click()
    expect(left).to_have_text("1 is paid. 994.100 still to pay.", use_inner_text=True)

    rows.first.locator("summary", has_text="Part payment").click()
    rows.first.get_by_label("Amount received").fill("700rb")
    rows.first.get_by_role("button", name="Record").click()
    expect(rows.first.locator(".err")).to_contain_text("At most Rp\u00a0675.500 is open")
    rows.first.get_by_label("Amount received").fill("500rb")
    rows.first.get_by_role("button", name="Record").click()
    expect(left).to_have_text("1 is paid. 1 is paid in part. 494.100 still to pay.", use_inner_text=True)
    expect(rows.first).to_contain_text("175.500 left")
    if javascript:
        page.mouse.move(0, 0)  # a button under the pointer has other colours
        assert_accessible(page)
    screenshot(page, f"settle-up-{'with' if javascript else 'without'}-script")

    page.locator("article.done").get_by_role("button", name="Undo").click()
    expect(left).to_have_text("1 is paid in part. 1.106.100 still to pay.", use_inner_text=True)
    assert session.entries.filter(kind=Entry.Kind.PAYMENT).count() == 2
    assert page.url.endswith(path)


def test_a_payment_whose_answer_is_lost_is_told_and_sent_again_without_harm(open_page, rudi, path, session):
    page = open_page(path, rudi).context.new_page()  # one that may complain in its console
    page.goto(path)
    page.route("**/payments/", lambda route: (route.fetch(max_redirects=0), route.abort()), times=1)
    paid = page.locator("article.payment").first.get_by_role("button", name="Paid")
    paid.click()
    expect(page.get_by_text("That did not go through. Try again: nothing is counted twice.")).to_be_visible()
    paid.click()
    expect(page.get_by_text("The payment is recorded.").first).to_be_visible()
    assert session.entries.filter(kind=Entry.Kind.PAYMENT).count() == 1


def test_why_opens_in_place(open_page, rudi, path):
    page = open_page(path, rudi)
    row = page.locator("article.payment").nth(1)
    row.locator("summary", has_text="Why this amount?").click()
    expect(row).to_contain_text("Citra ended the evening 994.100 down.")


@pytest.mark.parametrize(
    "name", [LONG, "x" * 60, "🎉" * 60, "<img src=x onerror=alert(1)>"], ids=["long", "x", "emoji", "html"]
)
def test_long_names_never_scroll_sideways(open_page, rudi, path, ana, citra, name):
    ana.name = name
    ana.save()
    citra.name = name[:-1]
    citra.save()
    page = open_page(path, rudi)
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    assert_no_sideways_scroll(page)
    screenshot(page, "settle-up-long-names")


def test_drinks_are_split_and_all_is_paid_pair_by_pair(open_page, rudi, path, session, ana):
    page = open_page(path, rudi)
    page.get_by_role("link", name="Add or undo").click()
    page.locator("form", has_text="One paid for several").get_by_label("What for?").fill("Fried rice")
    page.get_by_label("How much in all?").fill("120rb")
    page.get_by_role("button", name="Split it equally").click()
    expect(page.get_by_text("The adjustment is recorded: Rp\u00a030.000 each.")).to_be_visible()
    page.locator("summary", has_text="Amounts by hand").click()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "adjustments")

    page.get_by_role("link", name="To settling up").click()
    page.get_by_role("link", name="Direct debts").click()
    rows = page.locator("article.payment")
    rows.first.locator("summary", has_text="Why this amount?").click()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name=re.compile(r"All \d paid")).click()
    expect(page.get_by_role("heading", name="Everyone is even")).to_be_visible()
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_role("button", name=re.compile(r"All \d paid"))).to_be_visible()
    assert session.entries.filter(kind=Entry.Kind.PAYMENT, reversed_by=None).count() == 0

    page.get_by_role("link", name="Print").click()
    expect(page.get_by_role("heading", name="Who pays whom")).to_be_visible()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    page.goto(f"/sessions/{session.pk}/players/{ana.pk}/")
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "statement")


@pytest.mark.parametrize("paper", ["A4", "A5"])
def test_a_dozen_players_are_settled_on_one_sheet(open_page, rudi, session, club, paper):
    players = [Player.objects.create(club=club, name=f"{place}. Ratu Wilhelmina") for place in range(12)]
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=player, position=4 + place) for place, player in enumerate(players)
    )
    amounts = {player.pk: 100_000 * (place - 6) + 7**place for place, player in enumerate(players)}
    with transaction.atomic():
        post(lock_session(session.pk), Entry.Kind.ROUND, amounts | {None: -sum(amounts.values())}, rudi)
    for place in range(3):
        by_key = {players[place].pk: 30_000, players[5].pk: -30_000}
        ledger.record_adjustment(session, by_key, f"Fried rice {place}", uuid.uuid4(), rudi)
    sharing.share_board(session, rudi)
    page = open_page(reverse("settle-print", args=[session.pk]), rudi)
    expect(page.get_by_role("row")).to_have_count(2 + 12 + 13)
    assert len(re.findall(rb"/Type /Page\b", page.pdf(format=paper))) == 1
