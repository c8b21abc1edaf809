"""The tables of an evening and of a club as downloads: read back as a spreadsheet would."""

import csv
import io
from zipfile import ZipFile

import pytest
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from scoring import ledger
from scoring.exports.tables import CLUB_TABLES, SESSION_TABLES
from scoring.models import Player


@pytest.fixture
def table(host, session):
    """A table of the session, or of its club, as rows of text by heading."""

    def table(name, of="session"):
        pk = session.pk if of == "session" else session.club_id
        response = host.get(reverse(f"{of}-csv", args=[pk]), {"table": name})
        assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
        return list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))

    return table


def workbook(host, name, pk):
    return load_workbook(io.BytesIO(host.get(reverse(name, args=[pk])).getvalue()))


def column(rows, heading):
    return [row[heading] for row in rows]


# ---------------------------------------------------------------- an evening


def test_rounds_stand_one_below_the_other_and_players_side_by_side(table, score):
    score()
    (row,) = table("rounds")
    assert (row["Round"], row["Ana, points"], row["Ana, net"], row["House"]) == ("1", "66", "640200", "19800")
    nets = [int(row[f"{name}, net"]) for name in ("Ana", "Budi", "Citra", "Dewi")]
    assert sum(nets) + int(row["House"]) == 0
    assert row["Currency"] == "IDR"


def test_who_sat_out_has_an_empty_cell(table, score, ana, budi):
    score(*("As Ah Kd / Qs Qh Qd 7c 7d / 9s 9h 9d 9c 2c", "surrender")[:1], "pao", players=[ana, budi])
    (row,) = table("rounds")
    assert (row["Citra, points"], row["Citra, net"]) == ("", "")


def test_rounds_out_of_the_sums_are_in_no_table_but_the_book(table, score, rudi):
    ledger.void_round(score(), rudi)
    ledger.amend_round(score(), rudi)
    assert column(table("rounds"), "Round") == ["2"]
    assert len(table("hands")) == 4
    assert len(table("pairs")) == 6
    book = table("book")
    assert [(row["Entry"], row["Takes back"]) for row in book if row["Player"] == "Ana"] == [
        ("1", ""),
        ("2", "1"),
        ("3", ""),
        ("4", "3"),
        ("5", ""),
    ]
    assert sum(int(row["Amount"]) for row in book) == 0


def test_hands_and_pairs_tell_what_the_round_tells(table, score):
    score()
    ana = table("hands")[0]
    assert (ana["Player"], ana["Front"], ana["Result"], ana["Points"], ana["Room fee"], ana["Net"]) == (
        *("Ana", "As Ah Kd", "Super", "66", "19800", "640200"),
    )
    first = table("pairs")[0]
    told = [first[name] for name in ("Player", "Against", "Front", "Middle", "Back", "Rows", "Multiplier", "Bonus")]
    assert told == ["Ana", "Budi", "1", "1", "1", "3", "4", "10"]
    assert int(first["Amount"]) == int(first["Points"]) * int(first["Stake"])


def test_settle_up_and_players_say_who_pays(table, score, session, rudi):
    score()
    claim = ledger.settlement(session).claims[0]
    payer, payee = Player.objects.get(pk=claim.payer), Player.objects.get(pk=claim.payee)
    ledger.record_payment(session, payer, payee, 1000, claim.key, rudi)
    assert table("settle-up")[0] == {
        "From": str(payer),
        "To": str(payee),
        "Open": str(claim.open - 1000),
        "Paid": "1000",
        "Currency": "IDR",
    }
    players = table("players")
    assert column(players, "Player") == ["Ana", "Budi", "Citra", "Dewi", "House"]
    assert sum(int(amount) for amount in column(players, "Open balance")) == 0


def test_amounts_with_digits_are_numbers_in_both_forms(table, host, score, session):
    session.currency = "USD"
    session.save()
    score()
    assert table("rounds")[0]["Ana, net"] == "6402.00"
    assert min(float(row["Amount"]) for row in table("book")) < 0
    tab = workbook(host, "session-excel", session.pk)["Rounds"]
    ana = next(place for place, cell in enumerate(tab[1], start=1) if cell.value == "Ana, net")
    assert (tab.cell(2, ana).value, tab.cell(2, ana).number_format) == (6402, "#,##0.00")


def test_times_are_those_of_the_place(table, score, time_machine):
    time_machine.move_to("2026-11-26T18:30:00+00:00", tick=False)
    score()
    assert table("rounds")[0]["Scored"] == "2026-11-27 01:30:00"  # in Jakarta


# ---------------------------------------------------------------- a club


def test_evenings_stand_one_below_the_other(table, evening_of, ana, budi):
    evening_of("2026-11-12", {ana: 5000, budi: -5000})
    evening_of("2026-11-05", {ana: -250, budi: 250}, "USD")
    rows = [row for row in table("evenings", of="club") if row["State"] == "closed"]
    assert [(row["Date"], row["Ana"], row["Budi"], row["Citra"], row["Currency"]) for row in rows] == [
        ("2026-11-05", "-2.50", "2.50", "", "USD"),
        ("2026-11-12", "5000", "-5000", "", "IDR"),
    ]


def test_amounts_of_two_currencies_are_never_added(table, evening_of, ana, budi):
    evening_of("2026-11-12", {ana: 5000, budi: -5000})
    evening_of("2026-11-05", {ana: -250, budi: 250}, "USD")
    rows = table("players", of="club")
    assert [(row["Player"], row["Won"], row["Open balance"], row["Currency"]) for row in rows] == [
        ("Ana", "5000", "5000", "IDR"),
        ("Budi", "-5000", "-5000", "IDR"),
        ("Ana", "-2.50", "-2.50", "USD"),
        ("Budi", "2.50", "2.50", "USD"),
    ]


def test_what_was_carried_over_is_settled_in_the_club(table, evening_of, ana, budi, rudi):
    ledger.carry_over(evening_of("2026-11-12", {ana: 5000, budi: -5000}), rudi)
    assert table("settle-up", of="club") == [
        {"From": "Budi", "To": "Ana", "Open": "5000", "Paid": "0", "Currency": "IDR"}
    ]


@pytest.mark.parametrize(
    ("of", "tables"), [("session", SESSION_TABLES), ("club", CLUB_TABLES)], ids=["session", "club"]
)
def test_all_tables_are_one_workbook_or_one_archive(host, full_club, session, of, tables):
    pk = session.pk if of == "session" else full_club.pk
    titles = [str(one.title) for one in tables.values()]
    assert workbook(host, f"{of}-excel", pk).sheetnames == titles
    archive = ZipFile(io.BytesIO(host.get(reverse(f"{of}-csv", args=[pk])).getvalue()))
    assert len(archive.namelist()) == len(titles)
    assert all(archive.read(name).startswith(b"\xef\xbb\xbf") for name in archive.namelist())


# ---------------------------------------------------------------- pages and downloads


def test_downloads_have_good_names(host, session):
    for name, pk, file in (
        ("session-csv", session.pk, "kamis-malam-2026-11-26.zip"),
        ("session-excel", session.pk, "kamis-malam-2026-11-26.xlsx"),
    ):
        response = host.get(reverse(name, args=[pk]))
        assert response.headers["Content-Disposition"] == f'attachment; filename="{file}"'
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        response.getvalue()
    response = host.get(reverse("session-csv", args=[session.pk]), {"table": "settle-up"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="kamis-malam-2026-11-26-settle-up.csv"'
    response.getvalue()


def test_a_table_that_does_not_exist_is_not_found(host, session):
    assert host.get(reverse("session-csv", args=[session.pk]), {"table": "evenings"}).status_code == 404


def test_headings_are_in_the_language_of_the_page(host, session):
    titles = [str(one.title) for one in SESSION_TABLES.values()]
    with translation.override("id"):
        assert [str(one.title) for one in SESSION_TABLES.values()] != titles


@pytest.mark.parametrize("page", ["session-export", "club-export"])
def test_the_page_leads_to_every_table(host, session, page):
    of = page.removesuffix("-export")
    pk = session.pk if of == "session" else session.club_id
    content = host.get(reverse(page, args=[pk])).content.decode()
    for name in SESSION_TABLES if of == "session" else CLUB_TABLES:
        assert f'href="{reverse(f"{of}-csv", args=[pk])}?table={name}"' in content
    assert reverse(f"{of}-excel", args=[pk]) in content


def test_the_way_there(host, session):
    assert reverse("session-export", args=[session.pk]) in host.get(session.get_absolute_url()).content.decode()
    settings = host.get(reverse("club-settings", args=[session.club_id])).content.decode()
    assert reverse("club-export", args=[session.club_id]) in settings


@pytest.mark.parametrize("of", ["session", "club"])
def test_more_rounds_take_no_more_queries(host, session, full_club, score, django_assert_num_queries, of):
    url = reverse(f"{of}-excel", args=[session.pk if of == "session" else full_club.pk])
    ledger.discard_round(session.rounds.get(state="open"))
    with django_assert_num_queries(22 if of == "session" else 17) as counted:
        host.get(url).getvalue()
    for _more in range(3):
        score()
    with django_assert_num_queries(len(counted)):
        host.get(url).getvalue()
