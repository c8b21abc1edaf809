"""Adding players: many at once, and names that clash."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.forms.players import PlayersForm
from scoring.models import Club, Player


@pytest.fixture
def url(club: Club) -> str:
    return reverse("players", args=[club.pk])


def names(club: Club) -> list[str]:
    return list(club.players.order_by("pk").values_list("name", flat=True))


@pytest.mark.parametrize(
    "typed",
    ["Ana\nBudi\nCitra", "Ana, Budi,Citra", "Ana\r\n\r\n Budi ; \u200bCitra,", "Ana、Budi，Citra"],
    ids=["lines", "commas", "untidy", "chinese commas"],
)
def test_many_at_once(host: Client, club: Club, url: str, typed: str) -> None:
    response = host.post(url, {"names": typed}, follow=True)
    assert response.redirect_chain == [(url, 302)]
    assert "3 players were added." in response.text
    assert names(club) == ["Ana", "Budi", "Citra"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("Eko\nadi ", "“adi” is taken: Adi plays in this club already."),
        ("Eko\nＡｄｉ", "“Ａｄｉ” is taken: Adi plays in this club already."),
        ("Eko\nA\u200bdi", "“Adi” is taken: Adi plays in this club already."),
        ("Jose\u0301", "“José” is taken: José plays in this club already."),
        ("Eko, eko", "“eko” and “Eko” read as one name. Tell them apart."),
        ("E\nE", "“E” and “E” read as one name. Tell them apart."),
        ("Wati", "“Wati” is taken: Wati is retired. Take that player back instead."),
        ("Eko\n" + "x" * 61, f"“{'x' * 20}…” is too long: a name has at most 60 characters."),
        ("", "Enter at least one name."),
        (" ,\u200b\n\u3164", "Enter at least one name."),
        (",".join(f"P{number}" for number in range(201)), "At most 200 names at once."),
    ],
    ids=[
        "case",
        "full-width",
        "zero-width",
        "composed",
        "twice",
        "twice one letter",
        "retired",
        "long",
        "empty",
        "invisible",
        "too many",
    ],
)
def test_a_clash_is_named_and_nothing_is_lost(host: Client, club: Club, url: str, typed: str, message: str) -> None:
    for name in ("Adi", "José"):
        Player.objects.create(club=club, name=name)
    Player.objects.create(club=club, name="Wati", retired_at="2026-11-01T20:00Z")
    response = host.post(url, {"names": typed})
    assert response.status_code == 422
    assert message in response.text
    assert response.context["form"]["names"].value() == typed
    assert names(club) == ["Adi", "José", "Wati"]


def test_every_clash_is_named_at_once(host: Client, cast: list[Player], url: str) -> None:
    response = host.post(url, {"names": "ana\nbudi"})
    assert "“ana” is taken" in response.text and "“budi” is taken" in response.text


def test_a_name_of_another_club_is_free(rudi: User, cast: list[Player]) -> None:
    other = Club.objects.create(name="Minggu")
    form = PlayersForm({"names": "Ana"}, club=other)
    assert form.is_valid() and form.save_for(rudi)


def test_a_second_tap_at_the_same_moment_adds_nobody_twice(club: Club, rudi: User) -> None:
    form, again = (PlayersForm({"names": "Ana\nBudi"}, club=club) for _ in range(2))
    assert form.is_valid() and again.is_valid()
    assert form.save_for(rudi)
    assert not again.save_for(rudi)
    assert "“Ana” is taken" in str(again.errors)
    assert names(club) == ["Ana", "Budi"]


@pytest.mark.parametrize(
    "name",
    ["X", "x" * 60, "😀" * 60, "<script>alert(1)</script>", "مريم", 'O\'Brien & "Co"', "{{ name }}"],
    ids=["one", "sixty", "emoji", "html", "rtl", "quotes", "template"],
)
def test_any_name_is_shown_as_text(host: Client, club: Club, url: str, name: str) -> None:
    host.post(url, {"names": name})
    assert names(club) == [name]
    for page in (url, club.get_absolute_url(), reverse("player-rename", args=[club.players.get().pk])):
        text = host.get(page).text
        assert "<script>alert" not in text
        assert (
            name in text
            or "&lt;script&gt;alert(1)&lt;/script&gt;" in text
            or "O&#x27;Brien &amp; &quot;Co&quot;" in text
        )


def test_a_stranger_finds_nothing(stranger: Client, url: str, club: Club) -> None:
    assert stranger.get(url).status_code == 404
    assert stranger.post(url, {"names": "Ana"}).status_code == 404
    assert not club.players.exists()


def test_the_page_asks_the_same_number_of_questions(
    host: Client, club: Club, url: str, django_assert_num_queries
) -> None:
    for number in range(3):
        with django_assert_num_queries(4):
            host.get(url)
        Player.objects.bulk_create(Player(club=club, name=f"P{number}{n}", name_key=f"p{number}{n}") for n in range(9))
