"""Correcting a scored round on a phone: two cards swapped, the difference, somebody who was faster, undo."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring import ledger
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot


def check(page: Page, name: str, javascript: bool) -> None:
    assert_no_sideways_scroll(page)
    if javascript:
        page.mouse.move(0, 0)  # a button under the pointer has other colours
        assert_accessible(page)
    screenshot(page, f"{name}-{'with' if javascript else 'without'}-script")


def test_round_is_corrected_and_the_correction_undone(open_page, rudi, siti, session, score, budi, javascript):
    round_ = score()
    page = open_page(reverse("round", args=[round_.pk]), rudi, javascript)
    page.get_by_role("button", name="Correct this round").click()
    if javascript:  # Budi's first card of the front for his first of the middle
        page.get_by_role("navigation", name="Players").get_by_role("button", name="Budi").click()
        page.locator('[data-row="front"] .slot:not(.said)').first.click()
        page.locator('[data-row="middle"] .slot:not(.said)').first.click()
        expect(page.locator("#score small")).to_contain_text("B −7")
    else:
        page.get_by_label("Budi, Front").fill("5s Qc Js")
        page.get_by_label("Budi, Middle").fill("5h 4s 3s 8c Ks")
    check(page, "amend", javascript)
    page.get_by_role("button", name="The difference").click()
    expect(page.locator("#difference li", has_text="Budi")).to_contain_text("−22 → −29 points")
    check(page, "amend-difference", javascript)

    # Siti is faster. Both versions are shown, nothing is overwritten, and what was typed goes on.
    with_pao = {
        player: {**hand, "declare": "pao"} for player, hand in ledger.hands_of(round_).items() if player == budi
    }
    ledger.amend_round(round_, siti, "Budi was PAO", {**ledger.hands_of(round_), **with_pao})
    page.get_by_label("Why").fill("King and five were swapped")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_role("alert").first).to_contain_text("Round 1 was corrected by siti")
    check(page, "amend-stale", javascript)
    page.get_by_role("button", name="Go on with mine").click()
    page.get_by_role("button", name="The difference").click()
    page.get_by_label("Why").fill("King and five were swapped")
    page.get_by_role("button", name="Save the correction").click()

    expect(page.get_by_text("King and five were swapped")).to_be_visible()
    check(page, "round-corrected", javascript)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Correction undone")).to_be_visible()
    current = session.rounds.current().get()
    assert current.hands.get(player=budi).status == "pao"
    assert session.rounds.count() == 4
