"""Settling up over all evenings on a phone: what is open goes over to the club, is paid there, and all of it undone."""

from django.urls import reverse
from playwright.sync_api import expect

from scoring import ledger
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot


def test_evenings_are_carried_over_and_paid_together(open_page, rudi, club, evening_of, ana, budi, citra):
    ana.name, citra.name = "A" * 60, "<b>Citra</b>"
    ana.save()
    citra.save()
    for day in ("2026-11-05", "2026-11-12", "2026-11-19"):
        evening_of(day, {ana: 300_000, budi: -200_000, citra: -100_000})
    page = open_page(reverse("club", args=[club.pk]), rudi)
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Settle up over all evenings").click()
    expect(page.locator(".hero h2")).to_have_text("3 evenings are not settled")
    page.get_by_role("checkbox", name="Thu, 19 November 2026").uncheck()
    page.get_by_role("button", name="Carry over").click()
    left = page.locator(".hero .meta")
    expect(left).to_have_text("600.000 still to pay.", use_inner_text=True)
    expect(page.get_by_text("2 evenings are carried over.").first).to_be_visible()

    page.locator("article.payment").first.get_by_role("button", name="Paid").click()
    expect(left).to_have_text("1 is paid. 200.000 still to pay.", use_inner_text=True)
    page.mouse.move(0, 0)  # a button under the pointer has other colours
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "club-settle")

    page.locator("article.done").get_by_role("button", name="Undo").click()
    expect(left).to_have_text("600.000 still to pay.", use_inner_text=True)
    page.get_by_role("button", name="Take back Thu, 12 November 2026").click()
    expect(left).to_have_text("300.000 still to pay.", use_inner_text=True)
    assert ledger.balances(ledger.ClubBook(club, "IDR"))[budi.pk] == -200_000
