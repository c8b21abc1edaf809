"""Making a club, and the start page that leads to it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.engine.rules import PRESETS
from scoring.models import Club, Host, Player

TYPED = {"name": "Kamis Malam", "currency": "IDR", "stake": "10rb", "time_zone": "Asia/Makassar", "preset": "pusoy"}


@pytest.fixture
def url(rudi: User) -> str:
    return reverse("club-new")


def test_who_makes_a_club_owns_it_and_adds_players_next(host: Client, rudi: User, url: str) -> None:
    assert host.get(url).status_code == 200
    response = host.post(url, TYPED)
    club = Club.objects.get()
    assert response.headers["Location"] == reverse("players", args=[club.pk])
    assert (club.name, club.currency, club.stake, club.time_zone) == ("Kamis Malam", "IDR", 10_000, "Asia/Makassar")
    assert (club.preset, club.ruleset) == ("pusoy", PRESETS["pusoy"])
    assert list(club.hosts.values_list("user", "role")) == [(rudi.pk, Host.Role.OWNER)]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_chosen(host: Client, url: str, preset: str) -> None:
    host.post(url, TYPED | {"preset": preset})
    assert Club.objects.get().ruleset == PRESETS[preset]


@pytest.mark.parametrize(
    ("currency", "stake", "units"),
    [
        ("IDR", "0", 0),
        ("IDR", "3 000 000 000", 3_000_000_000),
        ("IDR", "1.000.000.000.000", 10**12),
        ("IDR", "Rp 12.500", 12_500),
        ("MYR", "0.50", 50),
        ("SGD", "1", 100),
        ("PTS", "1", 1),
    ],
)
def test_a_stake_is_read_in_the_currency_beside_it(
    host: Client, url: str, currency: str, stake: str, units: int
) -> None:
    host.post(url, TYPED | {"currency": currency, "stake": stake})
    club = Club.objects.get()
    assert (club.currency, club.stake) == (currency, units)


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        *(
            ("stake", typed, "Enter an amount in figures")
            for typed in ("−5", "-5", "abc", "1e9", "NaN", "5 5", "1_000")
        ),
        ("stake", "", "This field is required"),
        ("stake", "1.000.000.000.001", "At most 1.000.000.000.000."),
        ("stake", "0.50", "Whole amounts only: Rupiah has nothing behind the mark."),
        ("name", "", "Enter a name."),
        ("name", "\u200b\u3164", "Enter a name."),
        ("name", "x" * 61, "is too long"),
        ("currency", "XXX", "Select a valid choice"),
        ("time_zone", "Asia/Atlantis", "Select a valid choice"),
        ("time_zone", "../etc/passwd", "Select a valid choice"),
        ("preset", "poker", "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_told_at_the_field_and_kept(
    host: Client, url: str, field: str, typed: str, message: str
) -> None:
    response = host.post(url, TYPED | {field: typed})
    assert response.status_code == 422
    assert message in " ".join(response.context["form"].errors[field])
    assert response.context["form"][field].value() == typed
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    "name", ["X", "x" * 60, "♠" * 60, "<i>Kamis</i>", "خميس"], ids=["1", "60", "60 signs", "html", "rtl"]
)
def test_any_name_is_shown_as_text(host: Client, url: str, name: str) -> None:
    host.post(url, TYPED | {"name": name})
    club = Club.objects.get()
    assert club.name == name
    for page in (club.get_absolute_url(), reverse("club-settings", args=[club.pk])):
        assert "<i>Kamis" not in host.get(page).text


# ---------------------------------------------------------------- the start page


def test_without_a_club_the_start_page_leads_to_the_first(host: Client, url: str) -> None:
    response = host.get(reverse("home"))
    assert "You host no club yet" in response.text and url in response.text


def test_one_club_is_the_start_page(host: Client, club: Club) -> None:
    assert host.get(reverse("home")).headers["Location"] == club.get_absolute_url()


def test_several_clubs_are_listed_and_nobody_elses(
    host: Client, rudi: User, club: Club, cast: list[Player], django_assert_num_queries
) -> None:
    Club.objects.create(name="Not Rudi's")
    for number in range(5):
        other = Club.objects.create(name=f"Minggu {number}")
        Host.objects.create(club=other, user=rudi)
        with django_assert_num_queries(3):
            response = host.get(reverse("home"))
        assert other.name in response.text
    assert "Kamis Malam" in response.text and "4 players" in response.text
    assert "Not Rudi" not in response.text
