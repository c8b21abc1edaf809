"""White words on coloured buttons can be read, also under the pointer: 4.5 to 1 (WCAG 2.2 AA)."""

import re

import pytest
from django.conf import settings

TOKENS = (settings.BASE_DIR / "static/css/tokens.css").read_text()
SCHEMES = dict(zip(("light", "dark"), TOKENS.split("@media screen and (prefers-color-scheme: dark)"), strict=True))


def colour(scheme: str, token: str) -> str:
    """A token as #rrggbb; what dark leaves unsaid is as in light."""
    found = re.search(rf"--{token}: (#[0-9a-f]{{6}});", SCHEMES[scheme]) or re.search(
        rf"--{token}: (#[0-9a-f]{{6}});", SCHEMES["light"]
    )
    assert found, token
    return found[1]


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("button", ["accent-fill", "accent-fill-hover"])
def test_the_word_on_a_button_can_be_read(scheme: str, button: str) -> None:
    assert contrast(colour(scheme, "on-accent"), colour(scheme, button)) >= 4.5
