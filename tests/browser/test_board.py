"""The live board in a browser: it renews itself within two seconds, rests while nothing happens, and stops politely."""

import time
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, Response, expect

from scoring import ledger, sharing
from scoring.models import Player, Round, Session, ShareLink
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, OpenPage
from tests.conftest import SUPER

TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
AT_MOST = 2.0  # seconds from a change to its being seen

# Counts every change of the board, wherever it comes from.
WATCH = """() => {
    window.changes = 0;
    new MutationObserver(list => { window.changes += list.length; })
        .observe(document.querySelector("#inside"), { subtree: true, childList: true, attributes: true });
}"""
SLEEP = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def link(session: Session, rudi: User) -> ShareLink:
    return sharing.share_board(session, rudi)


@pytest.fixture
def path(link: ShareLink) -> str:
    return reverse("board", args=[link.token])


def listen(page: Page) -> list[Response]:
    """The answers to what the page asks by itself from now on."""
    answers: list[Response] = []

    def note(answer: Response) -> None:
        if "v=" in answer.url:
            answers.append(answer)

    page.on("response", note)
    return answers


def seconds_until(page: Page, write: Callable[[], object], text: str) -> float:
    """How long after `write` the board shows `text`."""
    write()
    start = time.monotonic()
    expect(page.locator("#inside")).to_contain_text(text)
    return time.monotonic() - start


@pytest.mark.parametrize("name", ["board", "board-tv"])
def test_what_happens_is_seen_within_two_seconds_without_a_reload(open_page, link, session, cast, lay, rudi, name):
    page = open_page(reverse(name, args=[link.token]), device=DESKTOP)
    page.evaluate("window.isThere = true")
    waits = [
        seconds_until(page, lambda: ledger.open_round(session, cast), "Round 1: 4 still setting"),
        seconds_until(page, lambda: lay(session.rounds.get(), SUPER), "Round 1: everybody is ready"),
        seconds_until(page, lambda: ledger.record_round(session.rounds.get(), rudi), "+640.200"),
        seconds_until(page, lambda: ledger.void_round(session.rounds.get(), rudi), "The next round is not open yet."),
    ]
    assert max(waits) <= AT_MOST
    assert page.evaluate("window.isThere")
    expect(page.locator("#news")).to_have_text("The next round is not open yet.")


def test_idle_polls_are_empty_and_change_nothing(open_page, path, score):
    score()
    page = open_page(path)
    page.evaluate(WATCH)
    answers = listen(page)
    page.wait_for_timeout(5000)
    assert len(answers) >= 3
    assert {answer.status for answer in answers} == {204}
    assert page.evaluate("window.changes") == 0


def test_cards_that_are_laid_elsewhere_change_nothing_either(open_page, path, session, cast):
    hand = ledger.open_round(session, cast).hands.first()
    page = open_page(path)
    ledger.keep_hand(hand, {"front": "As"}, 0, "a-page", at_seat="a-phone")
    page.wait_for_timeout(2000)  # the first answer draws what stands there anyway
    page.evaluate(WATCH)
    answers = listen(page)
    ledger.keep_hand(hand, {"front": "As Ah"}, 1, "a-page", at_seat="a-phone")
    page.wait_for_timeout(2000)
    assert {answer.status for answer in answers} == {204}
    assert page.evaluate("window.changes") == 0


def test_a_page_that_nobody_sees_rests_and_is_right_at_once_when_it_is_seen(open_page, path, session, cast):
    page = open_page(path)
    answers = listen(page)
    page.evaluate(SLEEP, True)
    page.wait_for_timeout(500)  # one that was under way may still come in
    answers.clear()
    ledger.open_round(session, cast)
    page.wait_for_timeout(3500)
    assert answers == []
    page.evaluate(SLEEP, False)
    expect(page.locator("#inside")).to_contain_text("Round 1: 4 still setting", timeout=1000)


def test_a_revoked_link_ends_it_with_a_word(open_page, path, link, rudi):
    page = open_page(path)
    sharing.revoke_link(link, rudi)
    expect(page.locator("#inside")).to_contain_text("This link is not open")
    answers = listen(page)
    page.wait_for_timeout(3500)
    assert answers == []


def test_a_closed_evening_ends_it_with_the_last_state(open_page, path, session, score, rudi):
    score()
    page = open_page(path)
    ledger.close_session(session, rudi)
    expect(page.locator("#inside")).to_contain_text("The evening is closed.")
    expect(page.locator("#inside")).to_contain_text("wins the evening")
    answers = listen(page)
    page.wait_for_timeout(3500)
    assert answers == []


def test_without_a_connection_it_says_so_and_goes_on_by_itself(open_page, path, session, cast):
    page = open_page(path, may_fail=True)
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.")).to_be_visible()
    ledger.open_round(session, cast)
    page.context.set_offline(False)
    expect(page.locator("#inside")).to_contain_text("Round 1: 4 still setting")
    expect(page.get_by_text("No connection.")).to_be_hidden()


def test_the_focus_stays_where_it_was(open_page, path, session, cast, score):
    score()
    page = open_page(path, device=DESKTOP)
    page.locator("#all-rounds").focus()
    ledger.open_round(session, cast)
    expect(page.locator("#inside")).to_contain_text("Round 2: 4 still setting")
    assert page.evaluate("document.activeElement.id") == "all-rounds"


def test_a_round_opens_with_its_reasons_and_leads_back(open_page, path, score, javascript):
    score()
    page = open_page(path, javascript=javascript)
    page.get_by_role("link", name="Ana ★ Super").click()
    expect(page.locator(".win")).to_contain_text("+66 points")
    assert_no_sideways_scroll(page)
    if javascript:
        assert_accessible(page)
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", name="Kamis Malam")).to_be_visible()


def test_without_javascript_a_tap_shows_what_is_new(open_page, path, session, cast):
    page = open_page(path, javascript=False)
    ledger.open_round(session, cast)
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("#inside")).to_contain_text("Round 1: 4 still setting")
    assert_no_sideways_scroll(page)


@pytest.fixture
def busy_evening(session: Session, cast: list[Player], score: Callable[..., Round]) -> Round:
    """A round scored, the next one half set, long names."""
    for player, name in zip(cast, ("Maximiliana-" * 5, "🎉" * 60, "<b>x</b>", "Ana"), strict=True):
        player.name = name
        player.save()
    score()
    round_ = ledger.open_round(session, cast)
    ledger.keep_hand(round_.hands.all()[0], {"declare": "pao"}, 0)
    return round_


@pytest.mark.parametrize(("name", "device"), [("board", None), ("board-tv", TELEVISION), ("board-tv", None)])
def test_the_board_can_be_read_by_everybody(open_page: OpenPage, link, busy_evening, name, device) -> None:
    page = open_page(reverse(name, args=[link.token]), **({"device": device} if device else {}))
    assert_no_sideways_scroll(page)
    assert_accessible(page)
    screenshot(page, f"{name}-{'phone' if device is None else 'big'}")


def test_on_a_television_everything_is_in_sight_and_large(open_page, link, busy_evening):
    page = open_page(reverse("board-tv", args=[link.token]), device=TELEVISION)
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    sizes = page.locator(".tv-scores li > .m").evaluate_all(
        "all => all.map(m => parseFloat(getComputedStyle(m).fontSize))"
    )
    assert min(sizes) >= 48


def test_the_page_of_codes_can_be_read_by_everybody(open_page, session, rudi, link):
    sharing.share_seats(session, rudi)
    page = open_page(reverse("share", args=[session.pk]), rudi)
    assert_no_sideways_scroll(page)
    assert_accessible(page)
    screenshot(page, "share")
    expect(page.locator(".qr:visible")).to_have_count(2)  # the board's, and one seat's at a time
    page.locator("summary", has_text="Budi").click()
    expect(page.locator(".qr:visible")).to_have_count(2)


def test_a_closed_link_can_be_read_by_everybody(open_page, link, rudi):
    sharing.revoke_link(link, rudi)
    page = open_page(reverse("board", args=[link.token]))
    assert_no_sideways_scroll(page)
    assert_accessible(page)
