"""Stakes and rules that change during an evening, and the log that tells of it, on a phone."""

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import Session
from scoring.sharing import share_board
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll
from tests.browser.conftest import OpenPage


def test_a_host_plans_a_stake_and_everybody_reads_it(open_page: OpenPage, session: Session, rudi: User) -> None:
    board = share_board(session, rudi)
    page = open_page(reverse("stakes", args=[session.pk]), user=rudi)
    page.get_by_label("Stake of a point").fill("20rb")
    page.get_by_label("Stakes hold from round").fill("5")
    page.get_by_role("button", name="Save the stakes").click()
    page.get_by_role("link", name="1 planned").click()
    expect(page.get_by_role("link", name="From round 5")).to_be_visible()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("The plan is withdrawn.")).to_be_visible()

    guest = open_page(reverse("board", args=[board.token]))
    guest.get_by_role("link", name="Change log").click()
    expect(guest.get_by_text("Stake planned from round 5 on")).to_be_visible()
    assert_accessible(guest)
    assert_no_sideways_scroll(guest)
    guest.get_by_label("Changes of").select_option("Link")
    guest.get_by_role("button", name="Show").click()
    expect(guest.get_by_text("Link to the board made")).to_be_visible()
    expect(guest.get_by_text("Stake planned")).to_have_count(0)


def test_a_host_changes_the_rules_of_rounds_that_are_scored(
    open_page: OpenPage, session: Session, rudi: User, score, javascript: bool
) -> None:
    score()
    score()
    page = open_page(reverse("session-rules", args=[session.pk]), user=rudi, javascript=javascript)
    page.get_by_label("A super multiplies the rows by").fill("8")
    page.get_by_role("button", name="Save the rules").click()
    expect(page.get_by_text("Nothing is saved yet.")).to_be_visible()
    page.get_by_label("Also score again").check()
    page.get_by_label("Look at the rounds from number").fill("2")
    page.get_by_label("Look at the rounds from number").press("Enter")
    expect(page.get_by_text("1 round would be corrected, visibly.")).to_be_visible()
    if javascript:
        assert_accessible(page)
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The rules are saved. 1 round was scored again.")).to_be_visible()
    assert [round_.hands.get(position=0).points for round_ in session.rounds.current().order_by("number")] == [66, 102]
