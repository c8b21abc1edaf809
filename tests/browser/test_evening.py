"""A whole evening on a phone: from the set-up link to a settled book, with and without JavaScript."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page, expect

from scoring import ledger
from scoring.invitations import setup_token
from scoring.models import Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import OpenPage
from tests.conftest import SUPER

NAMES = ("Ana", "Budi", "Citra", "Dewi")
ROWS = ("front", "middle", "back")
CASES = Path(settings.BASE_DIR, "tests", "data", "rounds.jsonl")


def deal(case_id: str) -> list[str]:
    """The four hands of a case, as `front / middle / back`."""
    cases = map(json.loads, CASES.read_text().splitlines())
    players = next(case for case in cases if case["id"] == case_id)["request"]["players"]
    return [" / ".join(player[row] for row in ROWS) for player in players]


def test_an_evening_of_five_rounds(open_page: OpenPage, javascript: bool) -> None:
    """The super of RULES 11, a PAO at Ana's and one at Dewi's, Citra's dragon, and a plain round.

    Points: Ana 66 − 46 + 14 − 215 − 27 = −208, Budi −181, Citra 616, Dewi −227. At Rp 10.000 a point, less 3 % of each
    round's wins: Ana −2.104.000, Budi −1.827.700, Citra +5.967.100, Dewi −2.282.000, the house 246.600.
    """
    page = open_page(f"/setup/{setup_token()}/", javascript=javascript)
    set_up(page)
    start_evening(page)
    for number, hands in enumerate((SUPER, *map(deal, ("R049", "R066", "R070", "R178"))), start=1):
        play(page, number, hands, javascript)
        if number == 1:
            look_at_the_super(page, javascript)
    page.get_by_role("link", name="Back to the evening").click()
    for total in ("−2.104.000", "−1.827.700", "+5.967.100", "−2.282.000"):
        expect(page.locator(".score")).to_contain_text(total)
    look(page, "session", javascript)
    settle(page, javascript)
    session = Session.objects.get()
    assert not session.is_open
    assert not any(ledger.settlement(session).balances.values())


def set_up(page: Page) -> None:
    page.get_by_label("Name to log in with").fill("rudi")
    page.get_by_label("Password", exact=True).fill("kartu-remi-52")
    page.get_by_label("The same once more").fill("kartu-remi-52")
    page.get_by_role("button", name="Make the account").click()
    page.get_by_label("Name of the club").fill("Kamis Malam")
    page.get_by_label("Stake of a point").fill("10rb")
    page.get_by_role("button", name="Make the club").click()
    page.get_by_label("New players").fill("\n".join(NAMES))
    page.get_by_role("button", name="Add", exact=True).click()


def start_evening(page: Page) -> None:
    page.get_by_role("button", name="Start a new evening").first.click()
    for name in NAMES:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Start the evening").click()


def play(page: Page, number: int, hands: Sequence[str], javascript: bool) -> None:
    page.get_by_role("button", name=re.compile(f"[Rr]ound {number}$")).click()
    if javascript:
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Type instead").click()
    for name, hand in zip(NAMES, hands, strict=True):
        if javascript:
            page.get_by_role("navigation", name="Players").get_by_role("button", name=name).click()
        for row, cards in zip(("Front", "Middle", "Back"), hand.split("/"), strict=True):
            page.get_by_label(f"{name}, {row}").fill(cards.strip())
    if javascript:
        expect(page.locator("#preview")).to_be_visible()
    elif number == 1:
        page.get_by_role("button", name="Check").last.click()
        expect(page.locator("#preview")).to_contain_text("+640.200")
        look(page, "round-entry", javascript)
    if number == 1 and javascript:
        look(page, "round-entry", javascript)
    page.get_by_role("button", name=f"Score round {number}").click()
    expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()


def look_at_the_super(page: Page, javascript: bool) -> None:
    expect(page.locator(".win")).to_contain_text("+66 points")
    expect(page.locator(".win")).to_contain_text("+640.200")
    look(page, "round", javascript)


def settle(page: Page, javascript: bool) -> None:
    page.get_by_role("button", name="Settle up").click()
    expect(page.get_by_role("heading", name="4 payments and everyone is even")).to_be_visible()
    look(page, "settle-up", javascript)
    for left in (3, 2, 1, 0):
        page.get_by_role("button", name=re.compile("^Paid")).first.click()
        expect(page.locator(".payment.done")).to_have_count(4 - left)
    expect(page.get_by_role("heading", name="Everyone is even")).to_be_visible()
    page.get_by_role("button", name="Close the evening").click()
    expect(page.get_by_text("The evening is closed").first).to_be_visible()


def look(page: Page, name: str, javascript: bool) -> None:
    """Each page of the evening fits the phone; with JavaScript also axe looks at it."""
    assert_no_sideways_scroll(page)
    if javascript:
        assert_accessible(page)
        screenshot(page, f"evening-{name}")
