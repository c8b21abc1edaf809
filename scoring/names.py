"""Names of people and clubs: how they are cleaned, and when two of them are the same name."""

import unicodedata

NAME_LENGTH = 60
KEY_LENGTH = 4 * NAME_LENGTH
_JOINER = "\u200d"  # holds an emoji of several parts together
_HIDDEN = ("Cc", "Cf", "Cs")  # control and format characters, halves of a pair
# Letters, marks and signs by their category, but nothing to see by themselves.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Choose between the drawings of one character; the name is read the same with and without.
_SELECTORS = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def clean_name(text: str) -> str:
    """`text` as it is stored: composed, single spaces, without characters that nobody can see.

    The empty string where nothing of it is to be seen.
    """
    seen = "".join(char for char in text if char == _JOINER or not _is_hidden(char))
    name = unicodedata.normalize("NFC", " ".join(seen.split())).strip(_JOINER + " ")
    return name if name_key(name) else ""


def name_key(text: str) -> str:
    """What two names share when people would read them as one: case, width and invisible characters do not count.

    At most KEY_LENGTH characters of it; the few signs that stand for whole words make no longer key.
    """
    folded = _seen(unicodedata.normalize("NFKC", _seen(text)).casefold())
    return " ".join(_seen(unicodedata.normalize("NFKC", folded)).split())[:KEY_LENGTH].rstrip()


def _seen(text: str) -> str:
    return "".join(char for char in text if not _is_hidden(char) and char not in _SELECTORS)


def _is_hidden(char: str) -> bool:
    # White space keeps its place: it becomes a single space.
    return char in _BLANK or (unicodedata.category(char) in _HIDDEN and not char.isspace())
