"""Inviting a co-host, accepting, withdrawing; who owns a club and who leaves it."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scoring import invitations
from scoring.invitations import ClosedLinkError
from scoring.models import Club, Host

ACCOUNT = {"username": "wati", "password1": "kartu-remi-52", "password2": "kartu-remi-52"}
CLOSED = "This invitation is not open"


@pytest.fixture
def token(club: Club, rudi: User) -> str:
    return invitations.invite(club, rudi)


@pytest.fixture
def link(token: str) -> str:
    return reverse("invitation", args=[token])


@pytest.fixture
def cohost(club: Club, siti: User) -> Host:
    return Host.objects.create(club=club, user=siti)


def roles(club: Club) -> dict[str, str]:
    return dict(club.hosts.values_list("user__username", "role"))


# ---------------------------------------------------------------- inviting


def test_a_new_link_is_shown_once(host: Client, club: Club) -> None:
    page = host.post(reverse("host-invite", args=[club.pk]), follow=True)
    shown = page.context["link"]
    assert shown in page.text and "<svg" in page.text
    assert Client().get(shown).status_code == 200
    again = host.get(reverse("hosts", args=[club.pk]))
    assert shown not in again.text and "open until" in again.text


@pytest.mark.parametrize(
    ("opened_as", "expected"),
    [
        ("localhost:8123", "http://192.0.2.7:8123/"),
        ("[::1]:8123", "http://192.0.2.7:8123/"),
        ("localhost", "http://192.0.2.7/"),
        ("192.0.2.7:8123", "http://192.0.2.7:8123/"),
        ("capsa.home", "http://capsa.home/"),
    ],
)
def test_the_link_opens_on_another_phone(
    host: Client, club: Club, settings: Settings, opened_as: str, expected: str
) -> None:
    settings.SITE_HOSTS = ["192.0.2.7"]
    settings.ALLOWED_HOSTS = ["localhost", "[::1]", "192.0.2.7", "capsa.home"]
    page = host.post(reverse("host-invite", args=[club.pk]), follow=True, headers={"host": opened_as})
    assert page.context["link"].startswith(expected + "invitations/")


def test_only_an_owner_invites_and_withdraws(stranger: Client, club: Club, cohost: Host, token: str) -> None:
    invitation = club.invitations.get()
    assert stranger.post(reverse("host-invite", args=[club.pk])).status_code == 404
    assert stranger.post(reverse("invitation-withdraw", args=[club.pk, invitation.pk])).status_code == 404
    page = stranger.get(reverse("hosts", args=[club.pk]))
    assert page.status_code == 200 and "Invite a host" not in page.text
    assert club.invitations.count() == 1


def test_a_withdrawn_link_lets_nobody_in(host: Client, club: Club, link: str) -> None:
    host.post(reverse("invitation-withdraw", args=[club.pk, club.invitations.get().pk]))
    response = Client().post(link, ACCOUNT)
    assert (response.status_code, CLOSED in response.text) == (404, True)
    assert not User.objects.filter(username="wati").exists()


def test_an_invitation_of_another_club_cannot_be_withdrawn(host: Client, club: Club, siti: User) -> None:
    theirs = Club.objects.create(name="Minggu")
    invitations.invite(theirs, siti)
    url = reverse("invitation-withdraw", args=[club.pk, theirs.invitations.get().pk])
    assert host.post(url).status_code == 404
    assert theirs.invitations.exists()


# ---------------------------------------------------------------- accepting


def test_a_new_account_joins(client: Client, club: Club, link: str) -> None:
    page = client.get(link)
    assert "rudi invites you" in page.text and "Kamis Malam" in page.text
    response = client.post(link, ACCOUNT, follow=True)
    assert response.redirect_chain == [(club.get_absolute_url(), 302)]
    assert roles(club) == {"rudi": "owner", "wati": "host"}


def test_one_who_is_logged_in_joins_with_a_tap(stranger: Client, club: Club, link: str) -> None:
    assert "You join as siti" in stranger.get(link).text
    assert roles(club) == {"rudi": "owner"}
    assert stranger.post(link).headers["Location"] == club.get_absolute_url()
    assert roles(club) == {"rudi": "owner", "siti": "host"}


def test_who_logs_in_comes_back_to_the_invitation(client: Client, siti: User, link: str) -> None:
    login = f"{reverse('login')}?next={link}"
    assert login in client.get(link).text
    response = client.post(login, {"username": "siti", "password": "kartu-remi-52", "next": link})
    assert response.headers["Location"] == link


def test_a_link_works_once(stranger: Client, link: str, club: Club) -> None:
    stranger.post(link)
    for response in (Client().get(link), Client().post(link, ACCOUNT), stranger.get(link)):
        assert (response.status_code, CLOSED in response.text) == (404, True)
    assert len(roles(club)) == 2


def test_of_two_at_once_only_one_gets_in_and_no_account_is_left_over(club: Club, siti: User, token: str) -> None:
    invitations.accept(token, siti)
    with pytest.raises(ClosedLinkError):
        invitations.accept_with_new_account(token, "wati", "kartu-remi-52")
    assert not User.objects.filter(username="wati").exists()


def test_a_host_who_tries_his_own_link_does_not_use_it_up(host: Client, club: Club, link: str) -> None:
    assert host.get(link).headers["Location"] == club.get_absolute_url()
    assert Client().get(link).status_code == 200


def test_a_link_lasts_seven_days(client: Client, link: str) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=6, hours=23)):
        assert client.get(link).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1)):
        assert client.get(link).status_code == 404


@pytest.mark.django_db
def test_a_wrong_link_says_what_to_do(client: Client) -> None:
    response = client.get(reverse("invitation", args=["x"]))
    assert (response.status_code, "Ask the host for a new one" in response.text) == (404, True)


@pytest.mark.parametrize("changed", [{"username": "rudi"}, {"password2": "x"}, {"password1": "1", "password2": "1"}])
def test_bad_input_leaves_the_link_open(client: Client, link: str, changed: dict[str, str]) -> None:
    assert client.post(link, ACCOUNT | changed).status_code == 422
    assert client.post(link, ACCOUNT).status_code == 302


def test_a_name_taken_at_the_last_moment_is_told(
    client: Client, club: Club, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = invitations.accept_with_new_account

    def overtaken(token: str, username: str, password: str) -> Host:
        User.objects.create_user(username)
        return make(token, username, password)

    monkeypatch.setattr(invitations, "accept_with_new_account", overtaken)
    response = client.post(link, ACCOUNT)
    assert (response.status_code, "already exists" in response.text) == (422, True)
    assert roles(club) == {"rudi": "owner"}


# ---------------------------------------------------------------- hosts of a club


def test_an_owner_removes_a_cohost(host: Client, club: Club, cohost: Host) -> None:
    response = host.post(reverse("host-remove", args=[club.pk, cohost.pk]))
    assert response.headers["Location"] == reverse("hosts", args=[club.pk])
    assert roles(club) == {"rudi": "owner"}


def test_a_cohost_leaves_but_removes_nobody(stranger: Client, club: Club, cohost: Host) -> None:
    owner = club.hosts.get(role=Host.Role.OWNER)
    assert stranger.post(reverse("host-remove", args=[club.pk, owner.pk])).status_code == 404
    assert stranger.post(reverse("host-promote", args=[club.pk, cohost.pk])).status_code == 404
    assert stranger.post(reverse("host-remove", args=[club.pk, cohost.pk])).headers["Location"] == reverse("home")
    assert roles(club) == {"rudi": "owner"}


def test_the_last_owner_stays(host: Client, club: Club, cohost: Host) -> None:
    owner = club.hosts.get(role=Host.Role.OWNER)
    response = host.post(reverse("host-remove", args=[club.pk, owner.pk]), follow=True)
    assert "A club needs an owner" in response.text
    assert roles(club) == {"rudi": "owner", "siti": "host"}


def test_an_owner_leaves_after_making_another(host: Client, club: Club, cohost: Host) -> None:
    owner = club.hosts.get(role=Host.Role.OWNER)
    host.post(reverse("host-promote", args=[club.pk, cohost.pk]))
    assert roles(club) == {"rudi": "owner", "siti": "owner"}
    host.post(reverse("host-remove", args=[club.pk, owner.pk]))
    assert roles(club) == {"siti": "owner"}


def test_a_host_of_another_club_cannot_be_removed(host: Client, club: Club, siti: User) -> None:
    theirs = Club.objects.create(name="Minggu")
    stranger = Host.objects.create(club=theirs, user=siti, role=Host.Role.OWNER)
    assert host.post(reverse("host-remove", args=[club.pk, stranger.pk])).status_code == 404
    assert host.post(reverse("host-promote", args=[club.pk, stranger.pk])).status_code == 404


@pytest.mark.parametrize("name", ["host-invite", "host-promote", "host-remove", "invitation-withdraw"])
def test_a_verb_is_no_page(host: Client, club: Club, name: str) -> None:
    args = [club.pk] if name == "host-invite" else [club.pk, 1]
    assert host.get(reverse(name, args=args)).status_code == 405


def test_the_page_of_the_hosts_asks_the_same_number_of_questions(
    host: Client, club: Club, rudi: User, django_assert_num_queries
) -> None:
    url = reverse("hosts", args=[club.pk])
    for number in range(5):
        with django_assert_num_queries(5):
            host.get(url)
        Host.objects.create(club=club, user=User.objects.create_user(f"host{number}"))
        invitations.invite(club, rudi)
