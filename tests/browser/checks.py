"""What a page must hold in a browser, whatever it shows."""

import os
from pathlib import Path
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Reading the style sheets anew would need inline styles, which the security policy forbids; no rule asked for needs it.
# Asked for violations only, axe need not name every element that passed, which takes it far longer than the checks.
TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"preload": False, "resultTypes": ["violations"], "runOnly": {"type": "tag", "values": TAGS}}
PICTURES = Path(__file__).parents[2] / "screenshots"


def assert_accessible(page: Page) -> None:
    """axe finds nothing against WCAG 2.2 AA and its own good practice, in light and in dark colours.

    axe is a script: `ValueError` on a page without JavaScript, where it would never come to an end.
    """
    page.wait_for_load_state()
    if page.evaluate("matchMedia('(scripting: none)').matches"):
        raise ValueError("axe needs a page with JavaScript")
    window = page.viewport_size
    height = page.evaluate("document.documentElement.scrollHeight")
    if window:
        # What the dock hides until one scrolls would count as covered: make room for the whole page.
        page.set_viewport_size({"width": window["width"], "height": max(height, window["height"])})
    page.evaluate(AXE_SCRIPT)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = AxeResults(page.evaluate("async rules => ({violations: (await axe.run(rules)).violations})", RULES))
        assert found.violations_count == 0, f"{page.url}, {scheme}:\n{found.generate_report()}"
    page.emulate_media(color_scheme=None)
    if window:
        page.set_viewport_size(window)


def assert_no_sideways_scroll(page: Page) -> None:
    """The page is no wider than the window; the message names what sticks out."""
    page.wait_for_load_state()
    wide = page.evaluate(
        """() => {
            const room = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= room) return [];
            return [...document.body.querySelectorAll("*")]
                .filter(element => element.getBoundingClientRect().right > room + 1)
                .map(element => element.outerHTML.slice(0, 120));
        }"""
    )
    assert not wide, f"{page.url} scrolls sideways at {page.viewport_size}: {wide}"


def screenshot(page: Page, name: str) -> None:
    """With CAPSA_SCREENSHOTS set: the whole page in both colour schemes, as `screenshots/<name>-<scheme>.png`."""
    if not os.environ.get("CAPSA_SCREENSHOTS"):
        return
    page.wait_for_load_state()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=PICTURES / f"{name}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme=None)
