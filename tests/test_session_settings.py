"""Changing an evening's settings, and what keeps two hosts from undoing each other's work."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from scoring import ledger
from scoring.models import Session


@pytest.fixture
def url(session) -> str:
    return reverse("session-settings", args=[session.pk])


def drawn(response) -> dict[str, object]:
    """What the page carries and shows, as a browser would send it back."""
    form = response.context["form"]
    shown = {name: form[name].value() for name in form.fields}
    return {"version": form.session.version, "drawn": form.drawn} | {
        name: value for name, value in shown.items() if value is not None
    }


def test_date_stake_and_number_of_rounds_are_changed(host, url, session) -> None:
    typed = drawn(host.get(url)) | {"date": "2026-11-27", "stake": "25rb", "rounds_planned": "10"}
    assertRedirects(host.post(url, typed), reverse("session", args=[session.pk]))
    before = session.version
    session.refresh_from_db()
    assert (session.date.isoformat(), session.stake, session.rounds_planned) == ("2026-11-27", 25_000, 10)
    assert session.version == before + 1


def test_rounds_already_scored_keep_their_stake(host, url, session, score) -> None:
    round_ = score()
    host.post(url, drawn(host.get(url)) | {"stake": "1"})
    round_.refresh_from_db()
    assert round_.stake == 10_000
    assert ledger.totals(session)[round_.hands.first().player_id] > 0


def test_a_stale_form_is_told_what_changed_and_overwrites_nothing(host, url, session) -> None:
    mine = drawn(host.get(url))
    host.post(url, drawn(host.get(url)) | {"stake": "20.000"})
    response = host.post(url, mine | {"stake": "30.000"})
    assertContains(response, "Stake of a point: now 20.000", status_code=409)
    assertContains(response, "30.000", status_code=409)
    session.refresh_from_db()
    assert session.stake == 20_000


def test_saving_again_after_the_warning_goes_through(host, url, session) -> None:
    mine = drawn(host.get(url))
    host.post(url, drawn(host.get(url)) | {"stake": "20.000"})
    warned = host.post(url, mine | {"stake": "30.000"})
    assert host.post(url, drawn(warned)).status_code == 302
    session.refresh_from_db()
    assert session.stake == 30_000


def test_a_round_scored_meanwhile_is_no_conflict(host, url, session, score) -> None:
    mine = drawn(host.get(url))
    score()
    assert host.post(url, mine | {"stake": "30.000"}).status_code == 302


@pytest.mark.parametrize("carried", ["", "nonsense", "stake=1&colour=red", "%ff=%00"], ids=repr)
def test_a_form_that_carries_nothing_sensible_counts_as_stale(host, url, session, carried) -> None:
    typed = {"version": "-1", "drawn": carried, "date": "2026-11-27", "stake": "5"}
    assert host.post(url, typed).status_code == 409
    session.refresh_from_db()
    assert session.stake == 10_000


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stake": "-5"}, "Enter an amount"),
        ({"rounds_planned": "1001"}, "less than or equal"),
        ({"date": ""}, "required"),
    ],
    ids=["stake", "rounds", "date"],
)
def test_bad_input_is_told_at_its_field(host, url, fields, message) -> None:
    assertContains(host.post(url, drawn(host.get(url)) | fields), message, status_code=422)


def test_a_closed_evening_is_not_changed(host, url, session, rudi) -> None:
    mine = drawn(host.get(url))
    ledger.close_session(session, rudi)
    assertContains(host.post(url, mine | {"stake": "1"}), "This session is closed", status_code=409)
    assertContains(host.get(url), "Reopen the evening")
    session.refresh_from_db()
    assert session.stake == 10_000


def test_an_evening_of_others_does_not_exist(stranger, url) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, {"stake": "1"}).status_code == 404
    assert Session.objects.get().stake == 10_000
