"""Tables as files for a spreadsheet: CSV, several of them in an archive, or a workbook. Whatever they are about.

Files are made whole before anything is sent: what cannot be finished is an error page and never half a book.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from io import TextIOWrapper
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.http import FileResponse
from django.utils.functional import Promise
from django.utils.text import slugify
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from scoring.lettering import NOT_IN_XML
from scoring.money import CURRENCIES

CSV, EXCEL = "csv", "xlsx"
_EXCEL_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KEPT_IN_MEMORY = 4 * 1024 * 1024  # bytes of a file; the rest of a larger one is written to the disk
_LONGEST_TAB, _NARROWEST, _WIDEST = 31, 8, 40  # characters
# A spreadsheet takes such a text for a formula, also where it cuts a line at other marks than we do.
_RUNS = re.compile(r"^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[;\t\r\n])(?=\s*[=+\-@＝＋－＠])")
_NOT_IN_A_TAB = re.compile(r"[\\*?:/\[\]']")


class Amount(NamedTuple):
    """Minor units of a currency: a number with the digits that the currency has, also where it is negative."""

    minor: int
    currency: str

    @property
    def digits(self) -> int:
        return CURRENCIES[self.currency].digits

    @property
    def number(self) -> Decimal:
        return Decimal(self.minor).scaleb(-self.digits)


Value = str | Promise | int | Decimal | Amount | date | datetime | None
"""What a cell may hold. Times come in the zone in which they are to be read."""


@dataclass(frozen=True)
class Sheet:
    """One table: the name of its tab or file, its headings, and its rows, which are asked for only once."""

    title: str | Promise
    headings: Sequence[str | Promise]
    rows: Iterable[Sequence[Value]]


def spreadsheet_response(sheets: Sequence[Sheet], name: str, form: str) -> FileResponse:
    """`sheets` as a download called `name` (without an ending); `form` is CSV or EXCEL.

    Several sheets make one workbook, or an archive with one CSV file each.
    """
    file = SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115 - the response closes it when it is sent
    if form == EXCEL:
        _write_workbook(sheets, file)
        ending, kind = "xlsx", _EXCEL_TYPE
    elif len(sheets) == 1:
        _write_csv(sheets[0], file)
        ending, kind = "csv", "text/csv; charset=utf-8"
    else:
        _write_archive(sheets, file)
        ending, kind = "zip", "application/zip"
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{name}.{ending}", content_type=kind)


def file_name(*parts: object) -> str:
    """A name for a download out of what it is about, in any script: `kamis-malam-2026-11-26`."""
    return "-".join(part for part in (slugify(str(part), allow_unicode=True) for part in parts) if part) or "capsa"


def harmless(text: str) -> str:
    """`text` so that no spreadsheet runs it: an apostrophe in front says that it is text."""
    return _RUNS.sub("'", text)


# ---------------------------------------------------------------- CSV


def _write_csv(sheet: Sheet, file: IO[bytes]) -> None:
    # The mark in front tells spreadsheets that it is UTF-8. Texts are quoted, numbers are not.
    with _text(file) as text:
        writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(harmless(str(heading)) for heading in sheet.headings)
        writer.writerows(map(_csv_value, row) for row in sheet.rows)


@contextmanager
def _text(file: IO[bytes]) -> Iterator[TextIOWrapper]:
    """Text into a file of bytes that stays open."""
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="")
    yield text
    text.detach()  # writes what is left


def _csv_value(value: Value) -> str | int | Decimal:
    match value:
        case None:
            return ""
        case Amount():
            return value.number
        case datetime():
            return f"{value:%Y-%m-%d %H:%M:%S}"
        case date():
            return value.isoformat()
        case int() | Decimal():
            return value
    return harmless(str(value))


def _write_archive(sheets: Sequence[Sheet], file: IO[bytes]) -> None:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for number, sheet in enumerate(sheets, start=1):
            with archive.open(f"{number}-{file_name(sheet.title)}.csv", "w") as part:
                _write_csv(sheet, part)


# ---------------------------------------------------------------- Excel


def _write_workbook(sheets: Sequence[Sheet], file: IO[bytes]) -> None:
    """Row by row: a large book needs no more memory than a small one. No text of it is taken for a formula."""
    book = Workbook(file, {"constant_memory": True})
    formats = _Formats(book)
    for sheet in sheets:
        tab = book.add_worksheet(_NOT_IN_A_TAB.sub("-", str(sheet.title))[:_LONGEST_TAB])
        tab.freeze_panes(1, 0)
        headings = [harmless(NOT_IN_XML.sub("", str(heading))) for heading in sheet.headings]
        for place, heading in enumerate(headings):
            tab.set_column(place, place, min(max(len(heading) + 2, _NARROWEST), _WIDEST))
            tab.write_string(0, place, heading, formats.heading)
        for number, row in enumerate(sheet.rows, start=1):
            for place, value in enumerate(row):
                _write_cell(tab, number, place, value, formats)
    book.close()


class _Formats:
    """How the cells of a workbook are drawn."""

    def __init__(self, book: Workbook) -> None:
        self.heading = book.add_format({"bold": True})
        self.day = book.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        patterns = {digits: "#,##0" + ("." + "0" * digits if digits else "") for digits in (0, 2)}
        self.amounts = {digits: book.add_format({"num_format": pattern}) for digits, pattern in patterns.items()}


def _write_cell(tab: Worksheet, row: int, place: int, value: Value, formats: _Formats) -> None:
    match value:
        case None:
            return
        case Amount():
            tab.write_number(row, place, value.number, formats.amounts[value.digits])
        case int() | Decimal():
            tab.write_number(row, place, value)
        case datetime():
            tab.write_datetime(row, place, value.replace(tzinfo=None), formats.moment)
        case date():
            tab.write_datetime(row, place, value, formats.day)
        case _:
            tab.write_string(row, place, harmless(NOT_IN_XML.sub("", str(value))))
