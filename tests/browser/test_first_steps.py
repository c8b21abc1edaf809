"""From an empty site to a club with players and a second host, on a phone."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring import ledger
from scoring.invitations import setup_token
from scoring.models import Club, Host, Player, Round, Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, OpenPage

LONG = "Maximiliana-Konstantinopolitanischedudelsackspfeifenmacherin"


@pytest.fixture
def look(javascript: bool) -> Callable[[Page, str], None]:
    """Look at a page as it is: it fits, it is accessible, and it has its picture taken."""

    def look(page: Page, name: str) -> None:
        assert_no_sideways_scroll(page)
        if javascript:
            page.mouse.move(0, 0)  # a button under the pointer has other colours
            assert_accessible(page)
        screenshot(page, name)

    return look


def _make_account(page: Page, name: str, button: str) -> None:
    page.get_by_label("Name to log in with").fill(name)
    page.get_by_label("Password").fill("kartu-remi-52")
    page.get_by_label("The same once more").fill("kartu-remi-52")
    page.get_by_role("button", name=button).click()


def test_the_first_host_sets_up_the_site_and_lets_a_second_in(
    open_page: OpenPage, javascript: bool, look: Callable[[Page, str], None]
) -> None:
    page = open_page(reverse("setup", args=[setup_token()]), javascript=javascript)
    _make_account(page, "ru di", "Make the account")
    expect(page.get_by_text("Enter a valid username")).to_be_visible()
    look(page, "setup")
    _make_account(page, "rudi", "Make the account")

    page.get_by_label("Name of the club").fill("Kamis Malam")
    page.get_by_label("Stake of a point").fill("1e9")
    page.get_by_label("Pusoy").check()
    page.get_by_role("button", name="Make the club").click()
    expect(page.get_by_text("Enter an amount in figures")).to_be_visible()
    expect(page.get_by_label("Pusoy")).to_be_checked()
    look(page, "club-new")
    page.get_by_label("Stake of a point").fill("10rb")
    page.get_by_role("button", name="Make the club").click()

    page.get_by_label("New players").fill("Ana, Budi\nana")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("read as one name")).to_be_visible()
    look(page, "players")
    page.get_by_label("New players").fill(f"Ana, Budi\n{LONG}")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("3 players were added.")).to_be_visible()
    page.get_by_role("link", name="Back to the club").click()
    look(page, "club-ready")

    page.get_by_role("link", name="Club settings").click()
    look(page, "club-settings")
    page.get_by_role("link", name="Hosts").click()
    page.get_by_role("button", name="Invite a host").click()
    look(page, "hosts")
    link = urlsplit(page.get_by_role("textbox", name="Invitation link").input_value())

    guest = open_page(link.path, javascript=javascript)
    look(guest, "invitation")
    _make_account(guest, "siti", "Make an account and join")
    expect(guest.get_by_role("heading", name="Kamis Malam")).to_be_visible()
    guest.goto(link.path)
    expect(guest.get_by_text("This invitation is not open")).to_be_visible()
    look(guest, "invitation-closed")


def test_the_page_of_a_club_in_the_middle_of_an_evening(
    open_page: OpenPage,
    rudi: User,
    club: Club,
    session: Session,
    score: Callable[..., Round],
    ana: Player,
    javascript: bool,
    look: Callable[[Page, str], None],
) -> None:
    ana.name = LONG
    ana.save()
    score()
    ledger.close_session(session, rudi)
    Session.objects.update(currency="MYR")
    Session.objects.create(club=club, date="2026-11-26", currency="IDR", stake=0, ruleset_fields=club.ruleset_fields)
    for name in ("😀" * 60, "<b>Eko</b>", "مريم"):
        Player.objects.create(club=club, name=name)
    page = open_page(club.get_absolute_url(), rudi, javascript)
    look(page, "club")
    page.get_by_role("link", name="Players").click()
    look(page, "players-many")
    screenshot(open_page(club.get_absolute_url(), rudi, device=DESKTOP), "club-1280")


def test_pages_of_the_own_account(
    open_page: OpenPage, rudi: User, club: Club, javascript: bool, look: Callable[[Page, str], None]
) -> None:
    page = open_page(user=rudi, javascript=javascript)
    for name in ("account", "password"):
        page.goto(reverse(name))
        look(page, name)
    Host.objects.create(club=Club.objects.create(name=LONG), user=rudi)
    page.goto(reverse("home"))
    look(page, "home")
    page.get_by_role("button", name="Log out").click()
    look(page, "login")
