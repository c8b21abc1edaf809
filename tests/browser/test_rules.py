"""The house-rules editor and the rules as text on a phone, with and without JavaScript."""

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from scoring.engine.rules import PRESETS
from scoring.models import Club, Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, OpenPage


def test_a_host_changes_the_rules(open_page: OpenPage, club: Club, rudi: User, javascript: bool) -> None:
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi, javascript=javascript)
    page.get_by_text("Start from another preset").click()
    page.get_by_role("link", name="Chinese 2-4").click()
    page.get_by_label("Points of a row").fill("2")
    page.get_by_role("button", name="Six pairs up").click()
    expect(page.get_by_label("Points of a row")).to_have_value("2")
    expect(page.get_by_text("Differs from Chinese 2-4: 1 there.")).to_be_visible()
    page.get_by_role("button", name="Save the rules").click()
    expect(page.get_by_text("The rules are saved.")).to_be_visible()
    club.refresh_from_db()
    assert [natural.name for natural in club.ruleset.naturals][:2] == ["six_pairs", "dragon"]
    assert (club.preset, club.ruleset.row_points) == ("chinese-2-4", 2)


def test_enter_saves(open_page: OpenPage, club: Club, rudi: User, javascript: bool) -> None:
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi, javascript=javascript)
    page.get_by_label("Points of a row").fill("3")
    page.get_by_label("Points of a row").press("Enter")
    expect(page.get_by_text("The rules are saved.")).to_be_visible()
    club.refresh_from_db()
    assert club.ruleset.row_points == 3


def test_what_differs_is_told_while_typing(open_page: OpenPage, club: Club, rudi: User) -> None:
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi)
    field = page.get_by_label("PAO multiplies the rows by")
    field.fill("5")
    expect(page.get_by_text("Differs from Capsa: 4 there.")).to_be_visible()
    expect(page.get_by_text("1 place differs from Capsa")).to_be_visible()
    expect(field).to_be_focused()
    page.get_by_label("Middle: Full house").fill("")
    expect(page.get_by_text("2 places differ from Capsa")).to_be_visible()
    page.get_by_role("button", name="As in Capsa").first.click()
    expect(field).to_have_value("4")
    expect(page.get_by_label("Middle: Full house")).to_have_value("")


def test_a_moved_natural_keeps_the_focus(open_page: OpenPage, club: Club, rudi: User) -> None:
    club.preset, club.ruleset = "pusoy", PRESETS["pusoy"]
    club.save()
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi)
    button = page.get_by_role("button", name="Six pairs up")
    for place in (2, 1, 0):
        button.press("Enter")
        expect(page.locator(".rules-naturals > li").nth(place)).to_contain_text("Six pairs")
    expect(button).to_be_focused()


def test_a_quick_finger_moves_a_natural_twice(open_page: OpenPage, club: Club, rudi: User) -> None:
    """The next tap comes the moment that the answer is there: it must not fall through to the whole page."""
    club.preset, club.ruleset = "pusoy", PRESETS["pusoy"]
    club.save()
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi)
    button = page.get_by_role("button", name="Six pairs up")
    page.evaluate(
        """() => document.addEventListener(
            "htmx:afterSwap", () => setTimeout(() => document.querySelector("#up-six_pairs").click()), {once: true})"""
    )
    button.press("Enter")
    expect(page.locator(".rules-naturals > li").nth(1)).to_contain_text("Six pairs")
    expect(button).to_be_focused()


def test_the_pages_fit_a_phone_and_are_accessible(open_page: OpenPage, session: Session, rudi: User) -> None:
    paths = {
        "session-rules": reverse("session-rules", args=[session.pk]) + "?preset=points",
        "session-rules-text": reverse("session-rules-text", args=[session.pk]),
    }
    page = open_page(user=rudi)
    wide = open_page(user=rudi, device=DESKTOP)
    for name, path in paths.items():
        page.goto(path)
        assert_no_sideways_scroll(page)
        assert_accessible(page)
        screenshot(page, f"{name}-360")
        wide.goto(path)
        screenshot(wide, f"{name}-1280")


def test_marks_and_errors_fit_a_phone(open_page: OpenPage, club: Club, rudi: User, javascript: bool) -> None:
    club.ruleset = PRESETS["thirteen-water"]
    club.save()
    page = open_page(reverse("club-rules", args=[club.pk]), user=rudi, javascript=javascript)
    page.get_by_label("Middle: Full house").fill("many")
    page.get_by_label("Points of Dragon", exact=True).fill("-1")
    page.get_by_role("button", name="Save the rules").click()
    expect(page.get_by_text("not 'many'")).to_be_visible()
    expect(page.get_by_label("Middle: Full house")).to_have_value("many")
    assert_no_sideways_scroll(page)
    screenshot(page, "club-rules-errors-360")
