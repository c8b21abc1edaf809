"""The evenings of a club."""

import re

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring import ledger
from scoring.models import Seat, Session


@pytest.fixture
def url(club) -> str:
    return reverse("sessions", args=[club.pk])


@pytest.fixture
def meet(club, cast, rudi):
    """More evenings of the cast, one a day from the first of October on."""

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


def test_a_club_that_never_met(host, url) -> None:
    assertContains(host.get(url), "No evening yet")


def test_an_evening_tells_date_players_rounds_winner_and_state(host, url, session, score) -> None:
    score()
    page = text(host.get(url))
    assert re.search(r"26 Nov 2026 Thursday open Ana ahead \+Rp.640\.200 1 round · Ana , Budi , Citra , Dewi", page)


def test_a_payment_does_not_change_who_was_ahead(host, url, session, score, rudi, ana, citra) -> None:
    score()
    claim = next(claim for claim in ledger.settlement(session).claims if claim.payer == citra.pk)
    ledger.record_payment(session, citra, ana if claim.payee == ana.pk else None, claim.open, claim.key, rudi)
    assert "640.200" in text(host.get(url))


def test_newest_first_and_paged(host, url, meet) -> None:
    meet(30)
    dates = [row.record.date.isoformat() for row in host.get(url).context["table"].page.object_list]
    assert len(dates) == 25
    assert dates == sorted(dates, reverse=True)
    assertContains(host.get(url, {"page": 2}), "Jan 2025")


def test_as_many_queries_for_twenty_evenings_as_for_two(
    host, url, meet, session, score, django_assert_num_queries
) -> None:
    score()
    meet(1)
    with django_assert_num_queries(7) as queries:
        host.get(url)
    meet(18)
    with django_assert_num_queries(len(queries)):
        host.get(url)


def test_a_club_of_others_does_not_exist(stranger, url) -> None:
    assert stranger.get(url).status_code == 404


def test_the_list_is_only_read(host, url) -> None:
    assert host.post(url).status_code == 405
