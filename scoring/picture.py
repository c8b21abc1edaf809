"""An evening as a picture to be sent to others: the final table and the highlights, drawn as SVG.

It needs nothing but itself: no font, no style sheet, no script; it is dark on white wherever it is opened. Texts are
cut to fit. Lengths are units of the drawing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evening import Evening, Place, signed_points
from scoring.lettering import NOT_IN_XML, cut, text_width, wrap
from scoring.money import format_amount

WIDTH = 720
_MARGIN = 36
_BAND = 132  # the head: the club and the day
_ROW, _LINE = 52, 36  # from one line of the table, and of the highlights, to the next
_WRAPPED = 26  # from a line to its second half
_NAMES = 84  # where the names begin
_LETTERS, _SMALL, _TITLE = 23, 19, 34  # sizes
_GAP = 36  # between columns
_FOOT = 56
_GAIN, _LOSS, _NEITHER = "#0a6443", "#a3281f", "#55615a"


@dataclass(frozen=True)
class Amount:
    """An amount at the right end of its column, and its colour."""

    text: str
    colour: str


@dataclass(frozen=True)
class Row:
    """A line of the final table; `at` is the line on which its letters stand."""

    at: int
    place: int
    name: str
    points: Amount
    money: Amount | None


@dataclass(frozen=True)
class Line:
    """A line of text."""

    at: int
    text: str


@dataclass(frozen=True)
class Picture:
    """The drawing of an evening: what is written, and where."""

    height: int
    title: str
    day: str
    head: int
    points_title: str
    points_right: float
    money_title: str
    rows: list[Row]
    notes: list[Line]
    foot: int

    width, margin, band, names = WIDTH, _MARGIN, _BAND, _NAMES
    right = WIDTH - _MARGIN
    letters, small, title_size = _LETTERS, _SMALL, _TITLE


def draw_evening(evening: Evening) -> Picture:
    """The picture of an evening."""
    money_title = cut(evening.money_title, 240, _SMALL) if evening.has_money else ""
    points_right, names_right = _columns(evening, money_title)
    first = _BAND + 2 * _ROW
    rows = [_row(first + index * _ROW, place, names_right, evening) for index, place in enumerate(evening.table)]
    below = first + len(rows) * _ROW
    told = [*evening.house_line(), *evening.told_highlights]
    wide = WIDTH - 2 * _MARGIN
    notes = list(_notes(told, below, wide))
    foot = (notes[-1].at if notes else below) + _LINE
    return Picture(
        height=foot + _FOOT,
        title=_fit(str(evening.session.club), wide, _TITLE),
        day=_fit(_subtitle(evening), wide, _SMALL),
        head=_BAND + _ROW - 6,
        points_title=_("Points"),
        points_right=points_right,
        money_title=money_title,
        rows=rows,
        notes=notes,
        foot=foot + _FOOT // 2,
    )


def picture_of(evening: Evening) -> str:
    """The picture of an evening as the text of an SVG file."""
    return render_to_string("scoring/picture.svg", {"picture": draw_evening(evening)})


def _notes(texts: Sequence[str], at: int, width: float) -> Iterator[Line]:
    """The texts below each other from `at` on; a long one takes two lines."""
    for text in texts:
        for line in wrap(NOT_IN_XML.sub("", text), width, _SMALL):
            yield Line(at, line)
            at += _WRAPPED
        at += _LINE - _WRAPPED


def _columns(evening: Evening, money_title: str) -> tuple[float, float]:
    """Where the points end, and where the names do: the amounts take the room that they need."""
    points = [signed_points(place.points) for place in evening.table]
    points_wide = max(map(_wide, points), default=0)
    points_wide = max(points_wide, text_width(_("Points"), _SMALL))
    right: float = WIDTH - _MARGIN
    if evening.has_money:
        money = [_money(place, evening).text for place in evening.table]
        right -= max(max(map(_wide, money)), text_width(money_title, _SMALL)) + _GAP
    return round(right, 1), right - points_wide - _GAP


def _row(at: int, place: Place, names_right: float, evening: Evening) -> Row:
    return Row(
        at=at,
        place=place.place,
        name=_fit(place.player.name, names_right - _NAMES, _LETTERS),
        points=Amount(signed_points(place.points), _colour(place.points)),
        money=_money(place, evening) if evening.has_money else None,
    )


def _money(place: Place, evening: Evening) -> Amount:
    return Amount(format_amount(place.money, evening.session.currency, signed=True), _colour(place.money))


def _subtitle(evening: Evening) -> str:
    rounds = len(evening.rounds)
    parts = {"day": evening.day, "rounds": rounds, "place": evening.session.place}
    if parts["place"]:
        return (
            ngettext("%(day)s · %(place)s · %(rounds)s round", "%(day)s · %(place)s · %(rounds)s rounds", rounds)
            % parts
        )
    return ngettext("%(day)s · %(rounds)s round", "%(day)s · %(rounds)s rounds", rounds) % parts


def _fit(text: str, width: float, size: float) -> str:
    """A text that people wrote, as far as it fits and a drawing may hold it."""
    return cut(NOT_IN_XML.sub("", text), width, size)


def _wide(text: str) -> float:
    return text_width(text, _LETTERS)


def _colour(amount: int) -> str:
    return _GAIN if amount > 0 else _LOSS if amount < 0 else _NEITHER
