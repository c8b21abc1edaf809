"""The quick score on a phone: typed, scored, kept as an evening after logging in."""

from playwright.sync_api import Page, expect

from scoring.models import Round
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, OpenPage
from tests.conftest import SUPER

NAMES = ("Ana", "Budi", "Citra", "Dewi")
ROWS = ("front", "middle", "back")


def type_hands(page: Page, *hands: str) -> None:
    for place, hand in enumerate(hands, 1):
        for row, cards in zip(ROWS, hand.split("/"), strict=True):
            page.locator(f'[name="{place}-{row}"]').fill(cards.strip())


def look(page: Page, name: str, javascript: bool) -> None:
    assert_no_sideways_scroll(page)
    if javascript:
        assert_accessible(page)
        screenshot(page, f"quick-{name}")


def test_from_the_login_page_to_an_evening(open_page: OpenPage, rudi, club, javascript: bool) -> None:
    page = open_page("/login/", javascript=javascript)
    page.get_by_role("button", name="Quick score, without an account").click()
    page.get_by_text("Names of the players").click()
    for place, name in enumerate(NAMES, 1):
        page.get_by_label(f"Player {place}", exact=True).first.fill(name)
    page.get_by_label("Stake of a point").fill("10rb")
    type_hands(page, *SUPER)
    if javascript:
        expect(page.locator("#score")).to_contain_text("A +66")
    look(page, "typed", javascript)
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".win")).to_contain_text("Ana beats everyone in every row")
    expect(page.locator(".win")).to_contain_text("+640.200")
    look(page, "score", javascript)
    page.get_by_role("button", name="Keep this as a session").click()
    page.get_by_label("Name to log in with").fill("rudi")
    page.get_by_label("Password").fill("kartu-remi-52")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Joins the club: Ana, Budi, Citra and Dewi.")).to_be_visible()
    look(page, "keep", javascript)
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Next: round 2")).to_be_visible()
    assert Round.objects.get().hands.get(player__name="Ana").net == 640_200


def test_what_is_wrong_is_told_and_changed(open_page: OpenPage, javascript: bool) -> None:
    page = open_page("/quick/", javascript=javascript)
    type_hands(page, SUPER[0].replace("2c", ""), SUPER[1])
    page.get_by_role("button", name="Show the score").click()
    expect(page.get_by_text("Back takes 5 cards, not 4.")).to_be_visible()
    look(page, "wrong", javascript)
    page.locator('[name="1-back"]').fill("9s9h9d9c2c")
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".win")).to_contain_text("Player 1 takes the round")
    page.get_by_role("button", name="Change").click()
    expect(page.locator('[name="1-back"]')).to_have_value("9s9h9d9c2c")
    page.get_by_label("Rules").select_option("pusoy")
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".bar-title p")).to_contain_text("1.000 a point")
    expect(page.locator(".calc").first).to_contain_text("Bonus for tembus")


def test_long_names_and_a_natural_fit(open_page: OpenPage) -> None:
    page = open_page("/quick/", device=DESKTOP)
    page.get_by_text("Names of the players").click()
    for place, name in enumerate(("W" * 60, "<b>x</b>", "محمد", "👩‍👩‍👧"), 1):
        page.get_by_label(f"Player {place}", exact=True).first.fill(name)
    type_hands(page, "2s3h4d / 5c6s7h8d9c / TsJhQdKcAs", "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c")
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".win h2")).to_have_text("Dragon")
    look(page, "natural", True)
    page.set_viewport_size({"width": 360, "height": 740})
    assert_no_sideways_scroll(page)
