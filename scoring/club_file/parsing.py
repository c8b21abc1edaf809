"""Bytes that somebody sends, as an object of JSON, or where they are none."""

import json
import math
from typing import Any

from django.utils.translation import gettext as _

from scoring.club_file.places import RefusedError

MOST_BYTES = 25 * 1024 * 1024  # some ten thousand rounds
MOST_PARTS = 5_000_000  # marks that part one thing from another: what a small text can blow up to in memory
LONGEST_NUMBER = 20  # digits


def parse_file(raw: bytes) -> dict[str, Any]:
    """The object that the text of a file holds.

    Stricter than `json.loads`: a name that stands twice in one object, NaN and numbers beyond all money are refused.

    Raises:
        RefusedError: it is no text or no JSON; the place is the line and the column.
    """
    text = _decoded(raw)
    if sum(map(text.count, "{[,")) > MOST_PARTS:
        raise RefusedError("", _("There is more in this file than any club holds."))
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique_names,
            parse_constant=_no_number,
            parse_int=_short_number,
            parse_float=_finite_number,
        )
    except json.JSONDecodeError as error:
        raise RefusedError(
            _line(error.lineno, error.colno), _("This is no JSON: %(why)s.") % {"why": error.msg}
        ) from error
    except RecursionError as error:
        raise RefusedError("", _("The file is nested too deeply.")) from error
    if not isinstance(value, dict):
        raise RefusedError(_line(1, 1), _("A club is an object: { … }."))
    return value


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        place = _line(before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        raise RefusedError(place, _("This is no text in UTF-8. Choose the .json file that was exported.")) from error


def _line(line: int, column: int) -> str:
    return _("Line %(line)s, column %(column)s") % {"line": line, "column": column}


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for name, value in pairs:
        if name in unique:
            raise RefusedError("", _("“%(name)s” stands twice in one object.") % {"name": name[:40]})
        unique[name] = value
    return unique


def _no_number(text: str) -> float:
    raise RefusedError("", _("“%(text)s” is no number.") % {"text": text})


def _short_number(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise RefusedError("", _("“%(text)s…” is too large.") % {"text": text[:LONGEST_NUMBER]})
    return int(text)


def _finite_number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text[:LONGEST_NUMBER])
