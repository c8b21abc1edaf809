"""Setting up an evening."""

import re

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from scoring.models import Club, Player, Session


@pytest.fixture
def url(club) -> str:
    return reverse("session-new", args=[club.pk])


def form(*players: Player, **fields: object) -> dict[str, object]:
    plain = {"date": "2026-11-26", "stake": "10.000", "rules": "club"}
    return plain | {"players": [player.pk for player in players]} | fields


def test_an_evening_starts_with_what_the_club_has(host, url, club, cast, rudi) -> None:
    response = host.post(url, form(*cast))
    session = Session.objects.get()
    assertRedirects(response, reverse("session", args=[session.pk]), fetch_redirect_response=False)
    assert [seat.player for seat in session.seats.all()] == cast
    assert (session.stake, session.currency, session.preset) == (10_000, "IDR", "capsa")
    assert session.ruleset_fields == club.ruleset_fields
    assert session.rounds_planned is None
    assert session.created_by == rudi


def test_a_later_change_of_the_club_leaves_the_evening_alone(host, url, club, cast) -> None:
    host.post(url, form(*cast))
    Club.objects.update(stake=5, currency="EUR", ruleset_fields={})
    session = Session.objects.get()
    assert (session.stake, session.currency) == (10_000, "IDR")
    assert session.ruleset.super_multiplier == 4


def test_another_preset_with_a_room_fee_of_its_own(host, url, ana, budi) -> None:
    host.post(
        url, form(ana, budi, rules="pusoy", room_fee_percent="2,5 %", room_fee_basis="session", rounds_planned="12")
    )
    session = Session.objects.get()
    assert session.preset == "pusoy"
    assert session.ruleset.tembus_bonus == 3
    assert str(session.ruleset.room_fee_percent) == "2.5"
    assert session.takes_fee_at_end
    assert session.rounds_planned == 12


def test_new_names_join_the_club_and_the_evening(host, url, ana, club) -> None:
    host.post(url, form(ana, new_names="Eka\n  Fajar <b>  , 🐯"))
    assert [seat.player.name for seat in Session.objects.get().seats.all()] == ["Ana", "Eka", "Fajar <b>", "🐯"]
    assert club.players.filter(name="Eka").exists()


def test_a_second_tap_finds_the_evening_of_the_first(host, url, club, ana) -> None:
    key = re.search(r'name="key" value="([^"]+)"', host.get(url).content.decode())[1]
    answers = [host.post(url, form(ana, new_names="Eka", key=key)) for _tap in range(2)]
    assert {answer.headers["Location"] for answer in answers} == {reverse("session", args=[Session.objects.get().pk])}
    assert Session.objects.get().seats.count() == 2


def test_every_page_sets_up_an_evening_of_its_own(host, url, cast) -> None:
    pages = [host.get(url).content.decode() for _page in range(2)]
    for page in pages:
        host.post(url, form(*cast, key=re.search(r'name="key" value="([^"]+)"', page)[1]))
    assert Session.objects.count() == 2


@pytest.mark.parametrize("key", ["", "abc", "0" * 999], ids=["none", "nonsense", "long"])
def test_a_key_that_is_none_is_no_error_of_the_server(host, url, cast, key) -> None:
    assert host.post(url, form(*cast, key=key)).status_code in (302, 422)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stake": "abc"}, "Enter an amount"),
        ({"stake": "-5"}, "Enter an amount"),
        ({"stake": "1e9"}, "Enter an amount"),
        ({"stake": "NaN"}, "Enter an amount"),
        ({"stake": ""}, "This field is required"),
        ({"stake": "0,5"}, "Whole amounts only"),
        ({"date": "yesterday"}, "Enter a valid date"),
        ({"rules": "poker"}, "Select a valid choice"),
        ({"room_fee_percent": "101"}, "percentage from 0 to 100"),
        ({"room_fee_percent": "-1"}, "percentage from 0 to 100"),
        ({"rounds_planned": "0"}, "greater than or equal to 1"),
        ({"new_names": "adi, Adi"}, "read as one name"),
        ({"new_names": "ana "}, "plays in this club already"),
        ({"new_names": "x" * 61}, "at most 60"),
        ({"players": []}, "two players or more"),
        ({"players": [0]}, "Select a valid choice"),
        ({"players": ["9" * 30]}, "Select a valid choice"),
        ({"players": ["\0"]}, "Null characters are not allowed"),
        ({"new_names": "E\nE"}, "read as one name"),
        ({"date": "0206-11-26"}, "Check the year"),
        ({"date": "9999-12-31"}, "Check the year"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_input_is_told_at_its_field_and_nothing_is_lost(host, url, cast, fields, message) -> None:
    response = host.post(url, form(*cast, **fields))
    assertContains(response, message, status_code=422)
    assert not Session.objects.exists()
    for value in fields.values():
        if isinstance(value, str) and value not in ("poker", ""):
            assertContains(response, value.strip(), status_code=422)


@pytest.mark.parametrize(
    ("typed", "stake"),
    [("0", 0), ("3 000 000 000", 3_000_000_000), ("50rb", 50_000), ("12.500", 12_500)],
    ids=["nought", "three-milliards", "ribu", "grouped"],
)
def test_stakes_of_any_size_are_exact(host, url, ana, budi, typed, stake) -> None:
    host.post(url, form(ana, budi, stake=typed))
    assert Session.objects.get().stake == stake


def test_rules_that_can_no_longer_be_read_are_told(host, url, club, ana, budi) -> None:
    Club.objects.update(ruleset_fields=club.ruleset_fields | {"wheel": "sideways"})
    assertContains(host.post(url, form(ana, budi)), "can no longer be read", status_code=422)


def test_today_is_the_day_where_the_club_plays(host, url, time_machine) -> None:
    time_machine.move_to("2026-11-26T18:30:00+00:00")  # half past one in the night of Jakarta
    assertContains(host.get(url), 'value="2026-11-27"')


def ticked(response) -> set[str]:
    return set(re.findall(r'name="players" value="(\d+)"[^>]*checked', response.content.decode()))


def test_a_club_that_never_met_proposes_everybody_who_fits_one_table(host, url, cast) -> None:
    assert ticked(host.get(url)) == {str(player.pk) for player in cast}


def test_a_club_without_players_says_how_to_start(host, url, club) -> None:
    assertContains(host.get(url), "type the names below")
    host.post(url, form(new_names="Ana, Budi"))
    assert [seat.player.name for seat in Session.objects.get().seats.all()] == ["Ana", "Budi"]


def test_the_players_of_the_last_evening_are_proposed(host, url, session, club, ana, budi) -> None:
    Player.objects.create(club=club, name="Eka")
    session.seats.exclude(player__in=[ana, budi]).delete()
    assert ticked(host.get(url)) == {str(ana.pk), str(budi.pk)}


def test_the_retired_are_not_offered(host, url, session, ana) -> None:
    Player.objects.filter(pk=ana.pk).update(retired_at="2026-11-01T00:00Z")
    response = host.get(url)
    assert str(ana.pk) not in ticked(response)
    assert ">Ana<" not in response.content.decode()
    assertContains(host.post(url, form(ana)), "Select a valid choice", status_code=422)


def test_an_evening_that_is_still_open_is_pointed_out(host, url, session) -> None:
    assertContains(host.get(url), "Thursday, 26 November is still open")
    assertContains(host.get(url), reverse("session", args=[session.pk]))


def test_a_club_of_others_does_not_exist(stranger, url, cast) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, form(*cast)).status_code == 404
    assert not Session.objects.exists()


def test_a_player_of_another_club_is_refused(host, url, ana) -> None:
    other = Player.objects.create(club=Club.objects.create(name="Jumat"), name="Zaki")
    assertContains(host.post(url, form(ana, other)), "Select a valid choice", status_code=422)
