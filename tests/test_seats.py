"""Coming, leaving and coming back during an evening."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring import ledger
from scoring.models import PairStake, Player, Seat


@pytest.fixture
def url(session) -> str:
    return reverse("seats", args=[session.pk])


@pytest.fixture
def seat_players(host, url, session):
    """Tick exactly these players, and save the form as it was drawn just now."""

    def seat_players(*players: Player, new_names: str = ""):
        form = host.get(url).context["form"]
        carried = {"version": form.session.version, "drawn": form.drawn, "new_names": new_names}
        return host.post(url, carried | {"players": [player.pk for player in players]})

    return seat_players


def seated(session) -> list[str]:
    return [seat.player.name for seat in session.seats.filter(left_at=None)]


def test_a_newcomer_sits_down_last(seat_players, session, cast, club) -> None:
    eka = Player.objects.create(club=club, name="Eka")
    assert seat_players(*cast, eka).status_code == 302
    assert seated(session) == ["Ana", "Budi", "Citra", "Dewi", "Eka"]


def test_a_new_name_joins_club_and_table(seat_players, session, cast, club) -> None:
    seat_players(*cast, new_names="Fajar")
    assert seated(session)[-1] == "Fajar"
    assert club.players.filter(name="Fajar").exists()


def test_who_has_played_leaves_and_comes_back_to_the_same_seat(seat_players, session, cast, score, ana) -> None:
    score()
    seat_players(*cast[1:])
    assert seated(session) == ["Budi", "Citra", "Dewi"]
    assert Seat.objects.get(player=ana).left_at
    seat_players(*cast)
    assert seated(session) == ["Ana", "Budi", "Citra", "Dewi"]


def test_who_never_played_gives_up_seat_and_stakes(seat_players, session, cast, ana, budi) -> None:
    PairStake.objects.create(session=session, club=session.club, a=ana, b=budi, stake=1)
    seat_players(*cast[1:])
    assert not Seat.objects.filter(player=ana).exists()
    assert not session.pair_stakes.exists()


def test_a_player_with_a_voided_round_keeps_the_seat(seat_players, session, cast, score, ana, rudi) -> None:
    ledger.void_round(score(), rudi, "entered twice")
    seat_players(*cast[1:])
    assert Seat.objects.get(player=ana).left_at


def test_nobody_leaves_with_cards_in_the_hand(seat_players, session, cast) -> None:
    ledger.open_round(session, cast)
    assertContains(seat_players(*cast[:3]), "Dewi holds cards in round 1", status_code=409)
    assert len(seated(session)) == 4


def test_two_stay_at_least(seat_players, session, ana) -> None:
    assertContains(seat_players(ana), "At least two players stay", status_code=422)
    assert len(seated(session)) == 4


def test_every_change_is_counted(seat_players, session, cast) -> None:
    before = session.version
    seat_players(*cast[:3])
    session.refresh_from_db()
    assert session.version == before + 1


def test_a_retired_player_who_sits_here_can_come_back(seat_players, session, cast, score, ana) -> None:
    score()
    seat_players(*cast[1:])
    Player.objects.filter(pk=ana.pk).update(retired_at="2026-11-26T20:00Z")
    seat_players(*cast)
    assert "Ana" in seated(session)


def test_a_stale_form_is_told_who_came_and_went(host, url, seat_players, session, cast, score) -> None:
    score()
    form = host.get(url).context["form"]
    carried = {"version": form.session.version, "drawn": form.drawn}
    seat_players(*cast[1:], new_names="Eka")
    response = host.post(url, carried | {"players": [player.pk for player in cast]})
    assertContains(response, "Ana has left.", status_code=409)
    assertContains(response, "Eka is at the table.", status_code=409)
    assert "Ana" not in seated(session)


def test_a_closed_evening_keeps_its_seats(seat_players, session, cast, rudi) -> None:
    ledger.close_session(session, rudi)
    assertContains(seat_players(*cast[:2]), "This session is closed", status_code=409)
    assert len(seated(session)) == 4


def test_an_evening_of_others_does_not_exist(stranger, url) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, {}).status_code == 404
