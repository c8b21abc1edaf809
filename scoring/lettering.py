"""How wide a text stands in a drawing that the server makes, and how a long one is cut to fit.

No font is asked: every letter has about the width it has in the fonts of phones, rather too wide than too narrow.
Lengths are units of the drawing.
"""

import re
import unicodedata

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no drawing and no workbook may hold: one of them and the whole file cannot be opened."""
SIZE = 12  # of the letters that the widths below were taken from, bold ones


def text_width(text: str, size: float = SIZE) -> float:
    """About how wide `text` stands in bold letters of that size."""
    return sum(map(_cluster_width, _clusters(text))) * size / SIZE


def cut(text: str, width: float, size: float = SIZE) -> str:
    """`text`, or as much of its beginning as fits into `width`, and an ellipsis."""
    if text_width(text, size) <= width:
        return text
    kept = ""
    for cluster in _clusters(text):
        if text_width(kept + cluster + "…", size) > width:
            break
        kept += cluster
    return kept.rstrip() + "…"


def wrap(text: str, width: float, size: float = SIZE, most: int = 2) -> list[str]:
    """`text` in lines of whole words, `most` of them; what does not fit there is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if len(lines) == most or not lines[-1] or text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [cut(line, width, size) for line in lines]


def cut_middle(text: str, width: float) -> str:
    """`text` with an ellipsis in the place of its middle; its beginning and its end fit into `width`."""
    half = (width - text_width("…")) / 2
    end = ""
    for cluster in reversed(_clusters(text)):
        if text_width(cluster + end) > half:
            break
        end = cluster + end
    return cut(text, width - text_width(end)) + end


def _clusters(text: str) -> list[str]:
    """Characters as people see them: accents stay on their letter, an emoji of several parts stays whole."""
    clusters: list[str] = []
    for char in text:
        joins = clusters and (_is_attached(char) or clusters[-1].endswith("\u200d"))
        if joins:
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _is_attached(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me", "Mc", "Cf") or "\U0001f3fb" <= char <= "\U0001f3ff"


def _cluster_width(cluster: str) -> float:
    char = cluster[0]
    if unicodedata.east_asian_width(char) in "WF":
        return 14
    if char in "mwMW@%…":
        return 11.5
    return 9 if char.isupper() else 7.2
