"""From round to round on a phone with five at the table: the score, the next round, the way back."""

import pytest
from playwright.sync_api import Page, expect

from scoring import ledger
from scoring.models import Player, Round, Seat, Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import PHONE, OpenPage

LONG = "Fajar Ramadhan Wijayakusuma Hadiningrat dari Yogyakarta Ok"
NATURAL = ("2s3h4d / 5c6s7h8d9c / TsJhQdKcAs", "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c")


@pytest.fixture
def fifth(session: Session, club) -> Player:
    """The fifth at the table, with a long name."""
    player = Player.objects.create(club=club, name=LONG)
    Seat.objects.create(session=session, club=club, player=player, position=4)
    return player


def test_the_next_round_is_one_tap_and_the_last_one_can_be_undone(
    open_page: OpenPage, rudi, session, score, fifth, javascript: bool
) -> None:
    page = open_page(f"/rounds/{score().pk}/", user=rudi, javascript=javascript)
    expect(page.locator(".win")).to_contain_text("+640.200")
    look(page, "super", javascript)
    page.get_by_role("button", name="Next: round 2").click()
    expect(page.get_by_text("Budi deals. Ana sits out.").first).to_be_visible()
    players = session.rounds.get(number=2).hands.values_list("player__name", flat=True)
    assert list(players) == ["Budi", "Citra", "Dewi", LONG]
    page.get_by_role("link", name="Back to the evening").click()
    look(page, "session", javascript)
    ledger.discard_round(session.rounds.get(number=2))
    page.goto(f"/rounds/{session.rounds.get(number=1).pk}/")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Ana deals.").first).to_be_visible()
    assert session.rounds.get(number=1).state == Round.State.VOIDED


def test_the_proposal_can_be_changed(open_page: OpenPage, rudi, session, score, fifth, javascript: bool) -> None:
    page = open_page(f"/rounds/{score().pk}/", user=rudi, javascript=javascript)
    page.get_by_role("link", name="Who plays next").click()
    expect(page.get_by_role("checkbox", name="Ana")).not_to_be_checked()
    look(page, "seats", javascript)
    page.get_by_text("Ana", exact=True).last.click()
    page.get_by_text("Dewi", exact=True).last.click()
    page.get_by_role("button", name="Open the round").click()
    expect(page.get_by_text("Budi deals. Dewi sits out.").first).to_be_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_joy_moves_only_where_motion_is_welcome(open_page: OpenPage, rudi, session, score, cast, motion: str) -> None:
    page = open_page(f"/rounds/{score(*NATURAL, players=cast[:2]).pk}/", user=rudi)
    page.emulate_media(reduced_motion=motion)
    names = page.evaluate(
        """() => [".win .lead .c", ".win .rows > li", ".win .rows .badge"].map(
            (place) => getComputedStyle(document.querySelector(place)).animationName)"""
    )
    assert names == (["none"] * 3 if motion == "reduce" else ["deal", "come-in", "stamp"])
    expect(page.locator(".win .lead")).to_contain_text("Ana shows a natural")
    look(page, "natural", motion == "reduce")


def look(page: Page, name: str, javascript: bool) -> None:
    assert_no_sideways_scroll(page)
    if javascript:
        assert_accessible(page)
        screenshot(page, f"flow-{name}")


def test_a_long_name_takes_two_lines_at_most(open_page: OpenPage, rudi, session, fifth) -> None:
    page = open_page(f"/sessions/{session.pk}/seats/", user=rudi, device=PHONE)
    choice = page.locator(".choice span", has_text="Fajar")
    line = page.locator(".choice span", has_text="Ana").bounding_box()
    assert choice.bounding_box()["height"] <= 2.2 * line["height"]
