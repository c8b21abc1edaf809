"""Stakes of their own for single pairs."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring import ledger
from scoring.models import PairStake, Player, Seat


@pytest.fixture
def url(session) -> str:
    return reverse("stakes", args=[session.pk])


@pytest.fixture
def type_stakes(host, url):
    """Type stakes by pair into the form as it was drawn just now; what is not named stays as it is."""

    def type_stakes(typed: dict[tuple[Player, Player], str]):
        form = host.get(url).context["form"]
        fields = {name: form[name].value() or "" for name in form.fields}
        named = {"{}-{}".format(*sorted((a.pk, b.pk))): text for (a, b), text in typed.items()}
        return host.post(url, {"version": form.session.version, "drawn": form.drawn} | fields | named)

    return type_stakes


def stakes(session) -> dict[tuple[str, str], int]:
    return {(pair.a.name, pair.b.name): pair.stake for pair in session.pair_stakes.all()}


def test_each_pair_is_asked_once(host, url) -> None:
    form = host.get(url).context["form"]
    assert len(form.pairs) == 6
    assert sum(field is not None for _player, fields in form.matrix for field in fields) == 6


def test_a_pair_gets_its_own_stake_and_loses_it_again(type_stakes, session, ana, budi, citra) -> None:
    assert type_stakes({(budi, ana): "25rb", (ana, citra): "0"}).status_code == 302
    assert stakes(session) == {("Ana", "Budi"): 25_000, ("Ana", "Citra"): 0}
    type_stakes({(ana, budi): ""})
    assert stakes(session) == {("Ana", "Citra"): 0}


def test_the_lower_player_is_stored_first_whatever_the_seats(type_stakes, session, club, cast) -> None:
    Seat.objects.filter(player=cast[0]).update(position=9)
    type_stakes({(cast[1], cast[0]): "5"})
    assert stakes(session) == {("Ana", "Budi"): 5}


def test_later_rounds_are_played_for_it_and_earlier_ones_are_not(type_stakes, session, score, ana, budi) -> None:
    first = score()
    type_stakes({(ana, budi): "1"})
    second = score()
    assert first.pair_scores.get(a=ana, b=budi).stake == 10_000
    assert second.pair_scores.get(a=ana, b=budi).stake == 1


@pytest.mark.parametrize("typed", ["-5", "abc", "1e9", "NaN", "0,5", "9" * 30])
def test_bad_input_is_told_at_the_pair(type_stakes, session, ana, budi, typed) -> None:
    response = type_stakes({(ana, budi): typed})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [f"{ana.pk}-{budi.pk}"]
    assertContains(response, f'value="{typed}"', status_code=422)
    assert not session.pair_stakes.exists()


def test_every_change_is_counted(type_stakes, session, ana, budi) -> None:
    before = session.version
    type_stakes({(ana, budi): "1"})
    session.refresh_from_db()
    assert session.version == before + 1


def test_a_stale_form_is_told_which_pair_changed(host, url, type_stakes, session, ana, budi, citra) -> None:
    form = host.get(url).context["form"]
    mine = {"version": form.session.version, "drawn": form.drawn, "stake": "10rb", f"{ana.pk}-{citra.pk}": "7"}
    type_stakes({(ana, budi): "25.000"})
    assertContains(host.post(url, mine), "Ana and Budi: now 25.000", status_code=409)
    assert stakes(session) == {("Ana", "Budi"): 25_000}


def test_stakes_with_one_who_has_left_are_kept(type_stakes, session, ana, budi, citra, dewi) -> None:
    PairStake.objects.create(session=session, club=session.club, a=ana, b=dewi, stake=3)
    Seat.objects.filter(player=dewi).update(left_at="2026-11-26T20:00Z")
    type_stakes({(budi, citra): "4"})
    assert stakes(session) == {("Ana", "Dewi"): 3, ("Budi", "Citra"): 4}


def test_many_players_are_asked_in_a_list(host, url, session, club) -> None:
    assert "as-matrix" in host.get(url).content.decode()
    for place in range(8):
        player = Player.objects.create(club=club, name=f"Guest {place}")
        Seat.objects.create(session=session, club=club, player=player, position=4 + place)
    response = host.get(url)
    assert "as-matrix" not in response.content.decode()
    assert len(response.context["form"].pairs) == 66


def test_the_page_and_its_save_take_few_queries(
    host, url, type_stakes, ana, budi, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(10):
        host.get(url)
    with django_assert_max_num_queries(35):
        type_stakes({(ana, budi): "1"})


def test_a_closed_evening_keeps_its_stakes(type_stakes, session, ana, budi, rudi) -> None:
    ledger.close_session(session, rudi)
    assertContains(type_stakes({(ana, budi): "1"}), "This session is closed", status_code=409)
    assert not session.pair_stakes.exists()


def test_an_evening_of_others_does_not_exist(stranger, url) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, {}).status_code == 404
