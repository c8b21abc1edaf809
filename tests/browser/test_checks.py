"""The checks that every page test leans on do complain when there is something to complain about."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.checks import assert_accessible, assert_no_sideways_scroll
from tests.browser.conftest import PHONE

PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Kamis Malam</title>
<main><h1>Kamis Malam</h1>{}</main></html>"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """An empty page that no policy forbids inline styles."""
    with browser.new_page(**PHONE) as page:
        yield page


def test_a_sound_page_passes(blank: Page) -> None:
    blank.set_content(PAGE.format("<p>Ana 300</p>"))
    assert_accessible(blank)
    assert_no_sideways_scroll(blank)


def test_a_field_without_a_name_is_found(blank: Page) -> None:
    blank.set_content(PAGE.format("<input>"))
    with pytest.raises(AssertionError, match="label"):
        assert_accessible(blank)


def test_a_target_too_small_to_tap_is_found(blank: Page) -> None:
    small = '<button style="all: unset; font-size: 9px; line-height: 9px">a</button>'
    blank.set_content(PAGE.format(f"<div>{small}{small}</div>"))
    with pytest.raises(AssertionError, match="target-size"):
        assert_accessible(blank)


def test_what_is_wider_than_the_phone_is_named(blank: Page) -> None:
    blank.set_content(PAGE.format('<p style="width: 900px">Ana</p>'))
    with pytest.raises(AssertionError, match="900px"):
        assert_no_sideways_scroll(blank)


def test_a_page_without_javascript_is_turned_down_rather_than_waited_for(browser: Browser) -> None:
    with browser.new_page(java_script_enabled=False) as page, pytest.raises(ValueError, match="JavaScript"):
        assert_accessible(page)
