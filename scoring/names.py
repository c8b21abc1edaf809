"""Names of people and clubs: how they are cleaned, and when two of them are the same name."""

import unicodedata

NAME_LENGTH = 60
_JOINER = "\u200d"  # holds an emoji of several parts together


def clean_name(text: str) -> str:
    """`text` as it is stored: composed, single spaces, without control and direction characters that nobody can see."""
    visible = (char for char in unicodedata.normalize("NFC", text) if _is_visible(char))
    return " ".join("".join(visible).split()).strip(_JOINER)


def name_key(text: str) -> str:
    """What two names share when people would read them as one: case, width and invisible characters do not count."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join("".join(char for char in folded if not unicodedata.category(char).startswith("C")).split())


def _is_visible(char: str) -> bool:
    return char == _JOINER or char.isspace() or not unicodedata.category(char).startswith("C")
