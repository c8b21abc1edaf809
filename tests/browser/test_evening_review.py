"""Looking back on an evening on a phone."""

from django.contrib.auth.models import User
from playwright.sync_api import expect

from scoring.models import Session
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import OpenPage


def test_a_host_looks_back_and_keeps_the_picture(open_page: OpenPage, session: Session, rudi: User, score) -> None:
    score()
    score()
    page = open_page(session.get_absolute_url(), user=rudi)
    page.get_by_role("link", name="Review of the evening").click()
    expect(page.get_by_role("heading", name="Highlights")).to_be_visible()
    assert page.locator("#picture").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 720
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "review")
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save as PNG").click()
    assert kept.value.suggested_filename == "kamis-malam-2026-11-26.png"
    assert kept.value.path().read_bytes().startswith(b"\x89PNG")

    page.get_by_role("link", name="Biggest win").click()
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    assert_accessible(page)
    assert_no_sideways_scroll(page)
    screenshot(page, "replay")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
