"""The quick score on a phone: typed, scored, kept as an evening after logging in."""

from playwright.sync_api import Page, expect

from scoring.models import Round
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import DESKTOP, OpenPage
from tests.conftest import SUPER

NAMES = ("Ana", "Budi", "Citra", "Dewi")
ROWS = ("front", "middle", "back")


def lay_hands(page: Page, javascript: bool, *hands: str) -> None:
    """By tapping cards, or without JavaScript by typing them."""
    for place, hand in enumerate(hands, 1):
        if javascript:
            page.locator(f'[data-hand="{place}"]').click()
            if place == len(NAMES):
                page.get_by_role("button", name="Lay them card by card").click()
            for card in hand.replace("/", " ").split():
                page.locator(f'[data-card="{card}"]').click()
        else:
            for row, cards in zip(ROWS, hand.split("/"), strict=True):
                page.locator(f'[name="{place}-{row}"]').fill(cards.strip())


def set_terms(page: Page, **terms: str) -> None:
    """Rules, stake, players and names in their sheet, which works without JavaScript too."""
    page.get_by_role("button", name="Rules, stake and names").first.click()
    for name, text in terms.items():
        field = page.locator(f'[name="{name.replace("_", "-")}"]')
        if name in ("rules", "players"):
            field.select_option(text)
        else:
            field.fill(text)
    look(page, "terms", False)
    page.get_by_role("button", name="Play by these").click()


def look(page: Page, name: str, javascript: bool) -> None:
    assert_no_sideways_scroll(page)
    if javascript:
        assert_accessible(page)
        screenshot(page, f"quick-{name}")


def spaced(hand: str) -> str:
    """`AsAhKd / …` as `As Ah Kd / …`."""
    return " / ".join(" ".join(row[place : place + 2] for place in range(0, len(row), 2)) for row in hand.split(" / "))


HANDS = [spaced(hand) for hand in SUPER]


def test_from_the_login_page_to_an_evening(open_page: OpenPage, rudi, club, javascript: bool) -> None:
    page = open_page("/login/", javascript=javascript)
    page.get_by_role("button", name="Quick score, without an account").click()
    set_terms(page, stake="10rb", **{f"name_{place}": name for place, name in enumerate(NAMES, 1)})
    lay_hands(page, javascript, *HANDS)
    if javascript:
        expect(page.locator("#score")).to_contain_text("A +66")
    look(page, "laid", javascript)
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


def test_what_is_wrong_is_told_and_changed(open_page: OpenPage) -> None:
    page = open_page("/quick/", javascript=False)
    lay_hands(page, False, HANDS[0].replace(" 2c", ""), HANDS[1])
    page.get_by_role("button", name="Show the score").click()
    expect(page.get_by_text("Back takes 5 cards, not 4.")).to_be_visible()
    page.locator('[name="1-back"]').fill("9s9h9d9c2c")
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".win")).to_contain_text("Player 1 takes the round")
    page.get_by_role("button", name="Change").click()
    expect(page.locator('[name="1-back"]')).to_have_value("9s9h9d9c2c")


def test_two_players_by_other_rules(open_page: OpenPage, javascript: bool) -> None:
    page = open_page("/quick/", javascript=javascript)
    set_terms(page, rules="pusoy", players="2", name_1="Ana")
    lay_hands(page, javascript, *HANDS[:2])
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".bar-title p")).to_contain_text("1.000 a point")
    expect(page.locator(".calc").first).to_contain_text("Bonus for tembus")
    page.get_by_role("button", name="Change").click()
    expect(page.locator('[data-fields="1"] [name="1-back"]')).to_have_value("9s 9h 9d 9c 2c")


def test_the_terms_are_read_by_everybody(open_page: OpenPage) -> None:
    page = open_page("/quick/")
    page.get_by_role("button", name="Rules, stake and names").click()
    expect(page.get_by_label("Stake of a point")).to_be_visible()
    assert_accessible(page)
    screenshot(page, "quick-terms")
    page.locator('[name="stake"]').fill("abc")
    page.get_by_role("button", name="Play by these").click()
    expect(page.get_by_text("Stake of a point: Enter an amount")).to_be_visible()


def test_long_names_and_a_natural_fit(open_page: OpenPage) -> None:
    page = open_page("/quick/", device=DESKTOP)
    set_terms(page, name_1="W" * 60, name_2="<b>x</b>", players="2")
    dragon, plain = "2s3h4d / 5c6s7h8d9c / TsJhQdKcAs", "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c"
    lay_hands(page, True, spaced(dragon), spaced(plain))
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator(".win h2")).to_have_text("Dragon")
    look(page, "natural", True)
    page.set_viewport_size({"width": 360, "height": 740})
    assert_no_sideways_scroll(page)
