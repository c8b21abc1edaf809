"""Looking back on a phone: the history of a club, its leaderboard, who won what from whom, one player."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import Player
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import OpenPage
from tests.past import play_past


@pytest.fixture
def past(club, cast, rudi):
    """With a name that needs all the room there is."""
    Player.objects.filter(pk=cast[1].pk).update(name="Wilhelmina-Konstantinopolitanskaja van Oranje-Nassau tot Lippe")
    return play_past(club, cast, rudi)


def look(page: Page, name: str, javascript: bool) -> None:
    assert_no_sideways_scroll(page)
    screenshot(page, name)
    if javascript:
        assert_accessible(page)


def test_from_the_club_to_its_history_and_a_player(open_page: OpenPage, club, rudi, past, javascript: bool) -> None:
    page = open_page(club.get_absolute_url(), rudi, javascript)
    page.get_by_role("link", name="All 3").click()
    expect(page.get_by_role("heading", name="November 2026")).to_be_visible()
    look(page, "history", javascript)
    page.get_by_text("All evenings, all rules").click()
    page.get_by_label("In notes or place").fill("hujan")
    page.get_by_label("Player").select_option("Citra")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("1 evening, newest first")).to_be_visible()
    expect(page).to_have_url(re.compile("text=hujan"))
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "kamis-malam-evenings.csv"
    page.get_by_role("link", name="Leaderboard").click()
    look(page, "leaderboard", javascript)
    page.get_by_role("link", name="Head to head").click()
    look(page, "matrix", javascript)
    page.get_by_role("row").get_by_role("link", name="Ana").click()
    expect(page.get_by_role("heading", name="Ana", level=1)).to_be_visible()
    expect(page.get_by_role("img", name="Points of the last evenings")).to_be_visible()
    page.get_by_text("The same as a table").click()
    look(page, "player", javascript)


def test_a_club_without_evenings_and_a_choice_without_sense(open_page: OpenPage, club, ana, rudi) -> None:
    for name, pk in (("sessions", club.pk), ("leaderboard", club.pk), ("matrix", club.pk), ("player", ana.pk)):
        page = open_page(f"{reverse(name, args=[pk])}?since=2026-12-01&until=2026-11-01", rudi)
        expect(page.get_by_text("The period ends before it begins.")).to_be_visible()
        look(page, f"{name}-nothing", javascript=True)
