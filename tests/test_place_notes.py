"""Where an evening is, and what its hosts noted."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring import sharing
from scoring.models import Session
from tests.test_session_settings import drawn


@pytest.fixture
def settings(session) -> str:
    return reverse("session-settings", args=[session.pk])


def test_an_evening_is_set_up_with_them(host, club, cast) -> None:
    typed = {"date": "2026-11-26", "stake": "10rb", "rules": "club", "players": [player.pk for player in cast]}
    host.post(reverse("session-new", args=[club.pk]), typed | {"place": " Warung Bu Tini ", "notes": "Bring\nchange"})
    session = Session.objects.get()
    assert (session.place, session.notes.split()) == ("Warung Bu Tini", ["Bring", "change"])


def test_they_are_shown_to_hosts_and_on_the_board(host, client, session, settings, rudi) -> None:
    pages = reverse("session", args=[session.pk]), reverse("board", args=[sharing.share_board(session, rudi).token])
    for page in pages:
        assertNotContains(host.get(page), "<dt>Place</dt>")
    host.post(settings, drawn(host.get(settings)) | {"place": "Warung <b>Tini</b>", "notes": "Bring change"})
    for reader, page in zip((host, client), pages, strict=True):
        assertContains(reader.get(page), "Warung &lt;b&gt;Tini&lt;/b&gt;")
        assertContains(reader.get(page), "Bring change")


def test_earlier_places_are_offered_once_each_the_latest_first(host, club, session, settings) -> None:
    for day, place in (("2026-11-01", "Bar"), ("2026-11-08", "Rumah Ana"), ("2026-11-15", "Bar"), ("2026-11-16", "")):
        Session.objects.create(
            club=club, date=day, currency="IDR", stake=1, place=place, ruleset_fields=club.ruleset_fields
        )
    offered = '<option value="Bar"></option><option value="Rumah Ana"></option>'
    for page in (settings, reverse("session-new", args=[club.pk])):
        assertContains(host.get(page), f'<datalist id="places-place">{offered}</datalist>')
        assertContains(host.get(page), 'list="places-place"')


@pytest.mark.parametrize(("field", "most"), [("place", 100), ("notes", 2000)])
def test_what_is_too_long_is_told_and_kept(host, session, settings, field, most) -> None:
    response = host.post(settings, drawn(host.get(settings)) | {field: "x" * (most + 1)})
    assertContains(response, f"at most {most} characters", status_code=422)
    assertContains(response, "x" * (most + 1), status_code=422)


def test_a_stale_form_is_told_which_of_them_changed(host, settings) -> None:
    mine = drawn(host.get(settings)) | {"place": "Bar"}
    host.post(settings, drawn(host.get(settings)) | {"notes": "Bring change"})
    assertContains(host.post(settings, mine), "Notes: now Bring change.", status_code=409)
