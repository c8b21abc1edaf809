"""Rows told by tapping what was called: how many taps a round takes, what is asked, and that nothing gets lost."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from scoring import ledger, sharing
from scoring.models import Player, Round, Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.test_picker import expect_kept, expect_turn, offline, tab, tell, type_into

__all__ = ["tell"]  # a fixture

MOST_TAPS = 24

# What four people laid, front to back: a category with its rank or suit, or by itself. Ana and Budi have a flush in the
# same suit, Citra and Dewi the same pair in front: who wins there is asked.
ORDINARY = {
    "Ana": ("Pair of queens", "Two pair, kings", "Flush, hearts"),
    "Budi": ("High card, ace", "Pair of aces", "Flush, hearts"),
    "Citra": ("Pair of nines", "Three of a kind, sevens", "Full house, jacks"),
    "Dewi": ("Pair of nines", "Straight, eight high", "Full house, fives"),
}


@pytest.fixture
def open_round(session: Session, cast: list[Player]) -> Round:
    return ledger.open_round(session, cast)


@pytest.fixture
def page(open_page: OpenPage, rudi: User, open_round: Round) -> Page:
    """Rudi's phone with the round open, in words."""
    page = open_page(open_round.get_absolute_url(), rudi)
    to_words(page)
    return page


def to_words(page: Page) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="In words").click()


def key(page: Page, name: str) -> Locator:
    return page.locator(".words").get_by_role("button", name=name, exact=True)


def unfold(page: Page, name: str) -> Locator:
    return page.locator(".others").get_by_role("button", name=f"{name} …", exact=True)


def row(page: Page, name: str) -> Locator:
    return page.locator(f'.laid-row[data-row="{name}"]')


def call(page: Page, name: str, tap: Callable[[Locator], None]) -> None:
    """Tap what was called; where its category is not among the likely ones that comes first."""
    if not key(page, name).is_visible():
        tap(unfold(page, name.split(",")[0].split(" of ")[0]))
    tap(key(page, name))


def click(target: Locator) -> None:
    target.click()


# ---------------------------------------------------------------- figures


def test_an_ordinary_round_takes_few_taps(open_page: OpenPage, rudi: User, session: Session, tell) -> None:
    page = open_page(session.get_absolute_url(), rudi)
    taps = 0

    def tap(target: Locator) -> None:
        nonlocal taps
        target.tap()
        taps += 1

    tap(page.get_by_role("button", name="Round 1"))
    tap(page.get_by_role("button", name="More"))
    tap(page.get_by_role("button", name="In words"))
    for name, rows in ORDINARY.items():
        expect_turn(page, name)
        for called in rows:
            call(page, called, tap)
    tap(page.get_by_role("button", name="Dewi wins the front against Citra"))
    tap(page.get_by_role("button", name="Budi wins the back against Ana"))
    score = page.locator("#score")
    expect(score).not_to_have_class(re.compile("waits"))
    tap(score)
    expect(page.locator(".win")).to_be_visible()
    tell(f"four hands in words, from opening the round to saved: {taps} taps, with two rows too close to call")
    assert Round.objects.get().state == Round.State.SCORED
    assert taps <= MOST_TAPS


# ---------------------------------------------------------------- what a tap does


def test_a_key_tells_the_row_and_the_next_one_comes(page: Page, open_round: Round) -> None:
    expect(row(page, "front")).to_have_class(re.compile("telling"))
    key(page, "Pair of aces").click()
    expect(row(page, "front").locator(".said")).to_have_text("Pair of aces")
    expect(row(page, "middle")).to_have_class(re.compile("telling"))
    expect(key(page, "High card, ace")).to_be_hidden()
    key(page, "Two pair").click()
    key(page, "Full house, jacks").click()
    expect(tab(page, "Ana")).to_contain_text("Full house J")
    expect_turn(page, "Budi")
    expect_kept(open_round.hands.first(), "back", "full house J", page)


def test_rows_that_are_not_likely_are_unfolded_by_their_category(page: Page) -> None:
    key(page, "Pair of aces").click()
    unfold(page, "Straight").click()
    expect(key(page, "Pair of aces")).to_be_hidden()
    key(page, "Straight, nine high").click()
    expect(row(page, "middle").locator(".said")).to_have_text("Straight, nine high")
    expect(key(page, "Full house, jacks")).to_be_visible()


def test_nothing_that_cannot_be_is_offered_in_the_front(page: Page) -> None:
    for name in ("Straight", "Flush", "Full house", "Two pair", "Four of a kind"):
        expect(page.locator(".words").get_by_role("button", name=name)).to_have_count(0)
    expect(key(page, "High card, four")).to_be_visible()


def test_a_row_is_told_anew(page: Page, open_round: Round) -> None:
    key(page, "Pair of aces").click()
    row(page, "front").locator(".said").click()
    key(page, "Pair of kings").click()
    expect_kept(open_round.hands.first(), "front", "pair K", page)
    expect(row(page, "middle")).to_have_class(re.compile("telling"))


def test_the_last_row_is_taken_back(page: Page, open_round: Round) -> None:
    key(page, "Pair of aces").click()
    key(page, "Two pair, kings").click()
    page.get_by_role("button", name="Last").click()
    expect(row(page, "middle").locator(".said")).to_be_hidden()
    page.reload()
    expect(row(page, "front").locator(".said")).to_be_visible()
    expect(row(page, "middle").locator(".said")).to_be_hidden()
    page.get_by_role("button", name="Last").click()
    expect(row(page, "front").locator(".said")).to_be_hidden()
    expect_kept(open_round.hands.first(), "front", "", page)


def test_a_quick_finger_need_not_wait_for_the_next_turn(page: Page) -> None:
    for called in ORDINARY["Ana"]:
        call(page, called, click)
    key(page, "High card, ace").click()
    expect_turn(page, "Budi")
    expect(row(page, "front").locator(".said")).to_have_text("High card, ace")


def test_the_back_may_come_first(page: Page) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("group", name="Laid first").get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Close").click()
    key(page, "Flush, hearts").click()
    expect(row(page, "back").locator(".said")).to_have_text("Flush, hearts")


def test_words_stay_until_the_cards_are_chosen(page: Page) -> None:
    page.reload()
    expect(key(page, "Pair of aces")).to_be_visible()
    page.locator(".others").get_by_role("button", name="Cards").click()
    expect(page.locator('[data-card="As"]')).to_be_visible()
    page.reload()
    expect(page.locator('[data-card="As"]')).to_be_visible()


def test_cards_and_words_meet_in_one_hand(page: Page, open_round: Round) -> None:
    key(page, "Pair of aces").click()
    page.locator(".others").get_by_role("button", name="Cards").click()
    for card in ("Ks", "Kd", "9s", "9d", "2c"):
        page.locator(f'[data-card="{card}"]').click()
    expect_kept(open_round.hands.first(), "middle", "Ks Kd 9s 9d 2c", page)
    expect(tab(page, "Ana")).to_contain_text("8/13")


# ---------------------------------------------------------------- what is asked


CLOSE = (
    "pair A / two pair K 9 / flush hati",
    "pair K / two pair Q 8 / flush hearts",
    "pair Q / trips 7 / straight 9",
    "high 9 / pair 2 / pair 3",
)


@pytest.fixture
def close_page(open_page: OpenPage, rudi: User, open_round: Round, lay: Callable) -> Page:
    """Everything is told, and Ana and Budi have a flush of hearts."""
    lay(open_round, CLOSE)
    return open_page(open_round.get_absolute_url(), rudi)


def question(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name)


def test_ranks_are_asked_one_after_the_other_until_it_is_decided(close_page: Page, open_round: Round) -> None:
    page = close_page
    close_score = page.locator("#score")
    expect(close_score).to_contain_text("2 questions left")
    question(page, "Ana · Back").get_by_role("button", name="king").click()
    expect(question(page, "Ana · Back")).to_be_hidden()
    expect(close_score).to_contain_text("1 question left")
    question(page, "Budi · Back").get_by_role("button", name="king").click()
    expect(close_score).to_contain_text("2 questions left")
    question(page, "Ana · Back").get_by_role("button", name="nine").click()
    expect(close_score).to_contain_text("1 question left")
    question(page, "Budi · Back").get_by_role("button", name="ten").click()
    expect(close_score).to_contain_text("B +")
    expect_kept(open_round.hands.first(), "back", "flush hati K 9", page)
    close_score.click()
    expect(page.get_by_text("the ten decides").first).to_be_attached()


def test_the_result_answers_as_well_and_can_be_taken_back(close_page: Page, open_round: Round) -> None:
    page = close_page
    page.get_by_role("button", name="Budi wins the back").click()
    expect(page.locator("#score")).to_contain_text("B +")
    page.reload()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Type instead").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#score")).to_contain_text("2 questions left")
    open_round.refresh_from_db()
    assert open_round.won == []


def test_who_wins_is_undone_by_last_and_lost_by_no_network(
    open_page: OpenPage, rudi: User, open_round: Round, lay: Callable
) -> None:
    lay(open_round, CLOSE)
    page = open_page(open_round.get_absolute_url(), rudi, may_fail=True)
    with offline(page):
        page.get_by_role("button", name="Budi wins the back").click()
        expect(page.get_by_text("Not saved yet")).to_be_visible()
    expect(page.locator("#score")).to_contain_text("B +")
    page.get_by_role("button", name="Last").click()
    expect(page.locator("#score")).to_contain_text("2 questions left")
    expect(question(page, "Ana · Back")).to_be_visible()


def test_an_answer_is_undone_by_last(close_page: Page, open_round: Round) -> None:
    page = close_page
    question(page, "Ana · Back").get_by_role("button", name="king").click()
    expect_kept(open_round.hands.first(), "back", "flush hati K", page)
    page.get_by_role("button", name="Last").click()
    expect_kept(open_round.hands.first(), "back", "flush hati", page)
    expect(page.locator("#score")).to_contain_text("2 questions left")


def test_score_leads_to_what_is_asked(close_page: Page) -> None:
    page = close_page
    tab(page, "Citra").click()
    expect(question(page, "Ana · Back")).to_be_hidden()
    page.locator("#score").click()
    expect(question(page, "Ana · Back")).to_be_visible()


# ---------------------------------------------------------------- without JavaScript, keyboard, screens, eyes


def test_without_javascript_the_questions_are_buttons(open_page: OpenPage, rudi: User, open_round: Round) -> None:
    page = open_page(open_round.get_absolute_url(), rudi, javascript=False)
    for name, hand in zip(("Ana", "Budi", "Citra", "Dewi"), CLOSE, strict=True):
        for label, text in zip(("Front", "Middle", "Back"), hand.split("/"), strict=True):
            page.get_by_label(f"{name}, {label}").fill(text.strip())
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#told-" + str(open_round.hands.first().pk) + "-back")).to_contain_text("Flush, hearts")
    question(page, "Ana · Back").get_by_role("button", name="king").click()
    expect(page.get_by_label("Ana, Back")).to_have_value("flush hati K")
    page.get_by_role("button", name="Budi wins the back").click()
    expect(page.get_by_text("It comes to")).to_be_visible()
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Score round 1").click()
    expect(page.locator(".win")).to_be_visible()


def test_a_row_is_told_with_the_keyboard(open_page: OpenPage, rudi: User, open_round: Round) -> None:
    page = open_page(open_round.get_absolute_url(), rudi, device=DESKTOP)
    page.keyboard.type("b flush hati")
    page.keyboard.press("Enter")
    expect(row(page, "back").locator(".said")).to_have_text("flush hati")
    to_words(page)
    key(page, "Pair of aces").focus()
    for name in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(name)
    expect(row(page, "front").locator(".said")).to_have_text("Three of a kind, kings")


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["360", "1280"])
def test_axe_finds_nothing(open_page: OpenPage, rudi: User, open_round: Round, device) -> None:
    page = open_page(open_round.get_absolute_url(), rudi, device=device)
    to_words(page)
    for place, called in enumerate(ORDINARY["Ana"]):
        assert_accessible(page)
        assert_one_screen(page, device)
        screenshot(page, f"words-{place}-{device['viewport']['width']}")
        call(page, called, click)
    expect_turn(page, "Budi")
    key(page, "Pair of aces").click()
    unfold(page, "Straight").click()
    assert_accessible(page)
    assert_one_screen(page, device)


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["360", "1280"])
def test_axe_finds_nothing_where_something_is_asked(
    open_page: OpenPage, rudi: User, open_round: Round, lay: Callable, device
) -> None:
    lay(open_round, (*CLOSE[:2], "pair Q / trips 7 / flush", "high 9 / pair 2 / flush"))
    page = open_page(open_round.get_absolute_url(), rudi, device=device)
    expect(question(page, "Ana · Back")).to_be_visible()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Ana wins the back against Budi").click()
    expect(page.get_by_role("button", name="Ana wins the back against Budi")).to_be_hidden()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Type instead").click()
    assert_accessible(page)
    screenshot(page, f"words-asked-{device['viewport']['width']}")


def test_the_result_of_a_round_in_words(open_page: OpenPage, rudi: User, score: Callable) -> None:
    round_ = score("pair A / two pair K 9 / flush hearts", "pair K / two pair Q 8 / straight 10", *CLOSE[2:])
    page = open_page(round_.get_absolute_url(), rudi)
    expect(page.locator(".duel-hand").first).to_contain_text("Pair of A")
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "words-result")


def assert_one_screen(page: Page, device: dict) -> None:
    assert_no_sideways_scroll(page)
    if device is PHONE:
        assert page.evaluate("document.documentElement.scrollHeight") == device["viewport"]["height"]
    small = page.locator(".words button:visible").evaluate_all(
        "all => all.filter(one => one.offsetWidth < 44 || one.offsetHeight < 44).map(one => one.textContent)"
    )
    assert not small


def test_what_another_phone_tells_comes_in(page: Page, open_round: Round) -> None:
    type_into(open_round, "Budi", "pair A / two pair K / flush hati")
    key(page, "Pair of kings").click()
    expect(tab(page, "Budi")).to_contain_text("Flush")


def test_a_seat_tells_rows_as_well(open_page: OpenPage, rudi: User, session: Session, open_round: Round) -> None:
    hand = open_round.hands.earliest("position")
    page = open_page(reverse("seat", args=[sharing.share_seats(session, rudi)[0].token]))
    to_words(page)
    for called in ORDINARY["Ana"]:
        call(page, called, click)
    page.locator("#score").click()
    expect(page.get_by_text("You are ready")).to_be_visible()
    hand.refresh_from_db()
    assert (hand.front, hand.back) == ("pair Q", "flush hearts")
