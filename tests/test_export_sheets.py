"""Tables as files: what a spreadsheet reads, and what it must not run."""

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from scoring.exports.sheets import CSV, EXCEL, Amount, Sheet, file_name, harmless, spreadsheet_response


def sheet(*rows, title="Players"):
    return Sheet(title, ["Name", "Amount"], rows)


def content(*sheets, form=CSV):
    return read(spreadsheet_response(sheets, "kamis", form))


def read(response):
    """What is sent. The response itself is not closed: it would close the database too, which nobody opened."""
    content = response.getvalue()
    response.file_to_stream.close()
    return content


def read_csv(raw):
    return list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))


def read_tab(raw, place=0):
    return list(load_workbook(io.BytesIO(raw)).worksheets[place].values)


@pytest.mark.parametrize("text", ["=1+1", "+62", "-5", "@x", "\tX", "\rX", " =1+1", "＝1+1", "-5 and more"], ids=repr)
def test_a_text_that_a_spreadsheet_would_run_is_text(text):
    assert harmless(text) == f"'{text}"
    (_head, (name, amount)) = read_csv(content(sheet([text, Amount(-50, "IDR")])))
    assert (name, amount) == (f"'{text}", "-50")
    tab = load_workbook(io.BytesIO(content(sheet([text, Amount(-50, "IDR")]), form=EXCEL))).worksheets[0]
    assert [cell.data_type for cell in tab[2]] == ["s", "n"]
    assert tab["B2"].value == -50


@pytest.mark.parametrize("text", ["", "Ana", "5-3", "a=b", "12", "Ana; Budi", "Budi, -5", "’t"], ids=repr)
def test_other_texts_stay_as_they_are(text):
    assert harmless(text) == text


def test_a_spreadsheet_that_cuts_at_semicolons_runs_nothing_either():
    assert harmless("Ana;=1+1;-2") == "Ana;'=1+1;'-2"


@pytest.mark.parametrize(
    ("amount", "text", "number_format"),
    [
        (Amount(-1_250_000, "IDR"), "-1250000", "#,##0"),
        (Amount(-5, "USD"), "-0.05", "#,##0.00"),
        (Amount(1250, "MYR"), "12.50", "#,##0.00"),
        (Amount(0, "USD"), "0.00", "#,##0.00"),
    ],
)
def test_amounts_are_numbers_in_the_units_people_count_in(amount, text, number_format):
    raw = content(sheet(["Ana", amount]))
    assert raw.decode("utf-8-sig").splitlines()[1] == f'"Ana",{text}'  # a number is not quoted
    cell = load_workbook(io.BytesIO(content(sheet(["Ana", amount]), form=EXCEL))).worksheets[0]["B2"]
    assert (cell.data_type, Decimal(str(cell.value)), cell.number_format) == ("n", Decimal(text), number_format)


def test_accents_and_other_scripts_open_by_double_click():
    raw = content(sheet(["José 陳", 1]))
    assert raw.startswith(b"\xef\xbb\xbf")
    assert read_csv(raw)[1] == ["José 陳", "1"]


def test_days_and_times_as_they_were_where_it_was_played():
    late = datetime(2026, 11, 26, 18, 30, tzinfo=UTC).astimezone(ZoneInfo("Asia/Jakarta"))
    rows = sheet([date(2026, 11, 26), late])
    assert read_csv(content(rows))[1] == ["2026-11-26", "2026-11-27 01:30:00"]
    assert [f"{cell}" for cell in read_tab(content(rows, form=EXCEL))[1]] == [
        "2026-11-26 00:00:00",
        "2026-11-27 01:30:00",
    ]


@pytest.mark.parametrize("form", [CSV, EXCEL])
def test_an_empty_table_has_its_headings(form):
    read = read_csv if form == CSV else read_tab
    assert [list(row) for row in read(content(sheet(), form=form))] == [["Name", "Amount"]]


def test_what_no_file_can_hold_is_left_out():
    assert read_tab(content(sheet(["Ana\x07\ufffe\ud800", None]), form=EXCEL))[1] == ("Ana", None)


def test_several_tables_are_one_workbook():
    book = load_workbook(
        io.BytesIO(content(sheet(["Ana", 1]), sheet(title="Who owes: what? [all of it, told at length]"), form=EXCEL))
    )
    assert book.sheetnames == ["Players", "Who owes- what- -all of it, tol"]
    assert book.worksheets[0].freeze_panes == "A2"


def test_several_tables_are_one_archive_of_csv_files():
    archive = ZipFile(io.BytesIO(content(sheet(["Ana", 1]), sheet(title="Pair results"))))
    assert archive.namelist() == ["1-players.csv", "2-pair-results.csv"]
    assert read_csv(archive.read("1-players.csv")) == [["Name", "Amount"], ["Ana", "1"]]


@pytest.mark.parametrize(
    ("sheets", "form", "ending", "kind"),
    [
        ([sheet()], CSV, "csv", "text/csv; charset=utf-8"),
        ([sheet(), sheet()], CSV, "zip", "application/zip"),
        ([sheet()], EXCEL, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ],
)
def test_a_download_says_what_it_is(sheets, form, ending, kind):
    response = spreadsheet_response(sheets, "kamis-malam", form)
    assert response.headers["Content-Type"] == kind
    assert response.headers["Content-Disposition"] == f'attachment; filename="kamis-malam.{ending}"'
    assert int(response.headers["Content-Length"]) == len(read(response))


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("Kamis Malam", date(2026, 11, 26)), "kamis-malam-2026-11-26"),
        (("星期四/../x", 1), "星期四x-1"),
        (("🎴",), "capsa"),
    ],
)
def test_a_file_is_named_after_what_is_in_it(parts, name):
    assert file_name(*parts) == name
