"""Changing a club; what was played before keeps what it was played for."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Club, Session

TYPED = {"name": "Jumat Malam", "currency": "IDR", "stake": "12.500", "time_zone": "Asia/Jakarta"}


@pytest.fixture
def url(club: Club) -> str:
    return reverse("club-settings", args=[club.pk])


def test_what_is_set_is_shown_and_can_be_changed(host: Client, club: Club, url: str) -> None:
    page = host.get(url)
    assert 'value="10.000"' in page.text and 'value="Kamis Malam"' in page.text
    response = host.post(url, TYPED, follow=True)
    assert "New evenings start with Rp\u00a012.500 a point." in response.text
    club.refresh_from_db()
    assert (club.name, club.stake) == ("Jumat Malam", 12_500)


def test_saving_what_is_shown_changes_nothing(host: Client, club: Club, url: str) -> None:
    before = Club.objects.values().get()
    form = host.get(url).context["form"]
    host.post(url, {name: form[name].value() for name in form.fields})
    assert Club.objects.values().get() == before


def test_house_rules_stay(host: Client, club: Club, url: str) -> None:
    club.ruleset_fields = club.ruleset_fields | {"row_points": 7}
    club.save()
    host.post(url, TYPED)
    club.refresh_from_db()
    assert club.ruleset.row_points == 7


def test_another_currency_leaves_past_evenings_alone(host: Client, club: Club, url: str, session: Session) -> None:
    host.post(url, TYPED | {"currency": "MYR", "stake": "0.50"})
    club.refresh_from_db()
    session.refresh_from_db()
    assert (club.currency, club.stake) == ("MYR", 50)
    assert (session.currency, session.stake) == ("IDR", 10_000)


@pytest.mark.parametrize(("field", "typed"), [("stake", "−5"), ("name", " "), ("currency", "IDRX"), ("time_zone", "x")])
def test_bad_input_changes_nothing_and_is_kept(host: Client, club: Club, url: str, field: str, typed: str) -> None:
    response = host.post(url, TYPED | {field: typed})
    assert response.status_code == 422
    assert response.context["form"][field].value() == typed
    assert "Kamis Malam" in response.text
    club.refresh_from_db()
    assert (club.name, club.stake) == ("Kamis Malam", 10_000)


def test_a_stranger_finds_nothing(stranger: Client, club: Club, url: str) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, TYPED).status_code == 404
    club.refresh_from_db()
    assert club.name == "Kamis Malam"


def test_a_time_zone_that_is_not_in_the_list_is_kept(host: Client, club: Club, url: str) -> None:
    Club.objects.update(time_zone="Etc/GMT-8")
    assert 'value="Etc/GMT-8" selected' in host.get(url).text
