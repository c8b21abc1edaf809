"""The history of a club: its evenings by month, found again by player, rules, period and text."""

import csv
import re
from io import BytesIO, StringIO

import pytest
import time_machine
from django.urls import reverse
from openpyxl import load_workbook
from pytest_django.asserts import assertContains

from scoring import ledger
from scoring.models import PlayedRuleset, Seat, Session
from tests.past import Past, play_past


@pytest.fixture
def url(club) -> str:
    return reverse("sessions", args=[club.pk])


@pytest.fixture
def past(club, cast, rudi) -> Past:
    return play_past(club, cast, rudi)


@pytest.fixture
def meet(club, cast, rudi):
    """More evenings of the cast, one a day from the first of January 2025 on."""

    def meet(count: int) -> list[Session]:
        sessions = Session.objects.bulk_create(
            Session(club=club, date=f"2025-{1 + day // 28:02}-{1 + day % 28:02}", currency="IDR", stake=1)
            for day in range(count)
        )
        Seat.objects.bulk_create(
            Seat(session=session, club=club, player=player, position=place)
            for session in sessions
            for place, player in enumerate(cast)
        )
        return sessions

    return meet


def text(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def days(response) -> list[int]:
    """The days of the evenings that are listed."""
    return [session.date.day for _month, evenings in response.context["months"] for session, _best in evenings]


def test_a_club_that_never_met(host, url) -> None:
    assertContains(host.get(url), "No evening yet")


def test_an_evening_tells_date_players_rounds_winner_and_state(host, url, session, score) -> None:
    score()
    page = text(host.get(url))
    assert re.search(
        r"November 2026 26 Thu Thursday open Ana ahead \+Rp.640\.200 1 round · Ana , Budi , Citra , Dewi", page
    )


def test_a_closed_evening_tells_its_place_and_notes(host, url, past) -> None:
    """The first evening of the paper: Citra took home 12,300, Ana 6,500."""
    page = text(host.get(url))
    assert re.search(r"5 Thu Rumah Ana not settled Citra \+Rp.12\.300 4 rounds · Ana , Budi , Citra Hujan deras", page)


def test_a_payment_does_not_change_who_was_ahead(host, url, session, score, rudi, ana, citra) -> None:
    score()
    claim = next(claim for claim in ledger.settlement(session).claims if claim.payer == citra.pk)
    ledger.record_payment(session, citra, ana if claim.payee == ana.pk else None, claim.open, claim.key, rudi)
    assert "640.200" in text(host.get(url))


def test_by_month_newest_first_and_paged(host, url, meet) -> None:
    meet(30)
    response = host.get(url)
    months = [month.isoformat() for month, _evenings in response.context["months"]]
    assert months == ["2025-02-01", "2025-01-01"]
    assert days(response) == [2, 1, *range(28, 5, -1)]
    assert days(host.get(url, {"page": 2})) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param({}, [19, 12, 5], id="everything"),
        pytest.param({"text": "hujan"}, [5], id="notes"),
        pytest.param({"text": "RUMAH"}, [5], id="place"),
        pytest.param({"text": "100%"}, [], id="no-wildcards"),
        pytest.param({"period": "days", "since": "2026-11-06"}, [19, 12], id="since"),
        pytest.param({"until": "2026-11-12"}, [12, 5], id="until"),
        pytest.param({"since": "2026-11-12", "until": "2026-11-12"}, [12], id="one-day"),
        pytest.param({"period": "month"}, [19, 12, 5], id="this-month"),
        pytest.param({"period": "year", "text": "hujan"}, [5], id="this-year-and-text"),
    ],
)
@time_machine.travel("2026-11-20 12:00Z", tick=False)
def test_evenings_are_found_again(host, url, past, asked, expected) -> None:
    assert days(host.get(url, asked)) == expected


@time_machine.travel("2026-12-01 12:00Z", tick=False)
def test_the_month_that_is_is_that_of_the_club(host, url, past) -> None:
    assert days(host.get(url, {"period": "month"})) == []
    assertContains(host.get(url, {"period": "month"}), "No such evening")


def test_evenings_of_a_player(host, url, past, citra, dewi) -> None:
    assert days(host.get(url, {"player": citra.pk})) == [19, 5]
    assert days(host.get(url, {"player": dewi.pk})) == []


def test_evenings_under_rules(host, url, past) -> None:
    """The first and the third evening; the third still runs, nothing is kept of it."""
    digests = [ledger.rules_digest(session.ruleset_fields) for session in past]
    assert days(host.get(url, {"rules": digests[0]})) == [19, 5]
    assert days(host.get(url, {"rules": digests[1]})) == [12]


def test_rules_are_named_by_what_differs_from_their_preset(host, url, past) -> None:
    page = text(host.get(url))
    assert "Plain points Plain points: " in page
    assert re.search(r"Plain points: A super multiplies the rows by 3, Players needed for a super 3, 2 more", page)


def test_rules_that_can_no_longer_be_read(host, url, past) -> None:
    PlayedRuleset.objects.update(ruleset_fields={"ties": "sometimes"})
    Session.objects.update(ruleset_fields={})
    assertContains(host.get(url), "in a form that can no longer be read")


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        pytest.param(
            {"since": "2026-11-12", "until": "2026-11-06"}, "The period ends before it begins.", id="backwards"
        ),
        pytest.param({"since": "yesterday"}, "Enter a valid date.", id="no-date"),
        pytest.param({"rules": "chess"}, "Choose one from the list.", id="no-rules"),
        pytest.param({"player": "0"}, "Choose one from the list.", id="no-player"),
        pytest.param({"period": "century"}, "Choose one from the list.", id="no-period"),
        pytest.param({"text": "x" * 101}, "at most 100 characters", id="long-text"),
    ],
)
def test_what_cannot_be_understood_is_said_and_chooses_nothing_away(host, url, past, asked, complaint) -> None:
    response = host.get(url, asked)
    assertContains(response, complaint)
    assert days(response) == [19, 12, 5]


@pytest.mark.parametrize("leaf", ["0", "-1", "99", "x"])
def test_a_page_that_does_not_exist_is_the_nearest(host, url, past, leaf) -> None:
    assert days(host.get(url, {"page": leaf})) == [19, 12, 5]


def test_what_is_shown_as_csv(host, club, past) -> None:
    response = host.get(reverse("sessions-export", args=[club.pk]), {"text": "hujan", "file": "csv"})
    rows = list(csv.reader(StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))
    assert rows == [
        ["Date", "Place", "Players", "Rounds", "Biggest win", "Amount", "Currency", "State", "Notes"],
        ["2026-11-05", "Rumah Ana", "Ana, Budi, Citra", "4", "Citra", "12300", "IDR", "closed", "Hujan deras"],
    ]


def test_what_is_shown_as_a_workbook(host, club, past) -> None:
    response = host.get(reverse("sessions-export", args=[club.pk]), {"file": "xlsx"})
    sheet = load_workbook(BytesIO(b"".join(response.streaming_content))).active
    assert [row[4].value for row in sheet.rows] == ["Biggest win", "Ana", "Ana", "Citra"]
    assert [row[7].value for row in sheet.rows] == ["State", "running", "closed", "closed"]


def test_the_page_leads_to_the_file_of_what_it_shows(host, url, club, past) -> None:
    export = reverse("sessions-export", args=[club.pk])
    page = host.get(url, {"text": "hujan", "page": 1}).content.decode()
    assert f'href="{export}?text=hujan&amp;file=csv"' in page


def test_as_many_queries_for_twenty_evenings_as_for_two(
    host, url, meet, session, score, django_assert_num_queries
) -> None:
    score()
    meet(1)
    with django_assert_num_queries(12) as queries:
        host.get(url)
    meet(18)
    with django_assert_num_queries(len(queries)):
        host.get(url)


def test_a_club_of_others_does_not_exist(stranger, url, club) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.get(reverse("sessions-export", args=[club.pk])).status_code == 404


def test_the_list_is_only_read(host, url, club) -> None:
    assert host.post(url).status_code == 405
    assert host.post(reverse("sessions-export", args=[club.pk])).status_code == 405
