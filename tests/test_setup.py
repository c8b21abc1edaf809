"""The first host by the one-time link."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring import invitations
from scoring.invitations import ClosedLinkError, make_first_host, setup_token

pytestmark = pytest.mark.django_db
ACCOUNT = {"username": "rudi", "password1": "kartu-remi-52", "password2": "kartu-remi-52"}


@pytest.fixture
def link() -> str:
    return reverse("setup", args=[setup_token()])


def test_the_link_makes_the_first_account_and_leads_to_the_first_club(client: Client, link: str) -> None:
    assert client.get(link).status_code == 200
    response = client.post(link, ACCOUNT, follow=True)
    assert response.redirect_chain == [(reverse("club-new"), 302)]
    assert response.wsgi_request.user.get_username() == "rudi"


def test_the_first_host_is_no_administrator(client: Client, link: str) -> None:
    client.post(link, ACCOUNT)
    assert not User.objects.get().is_staff


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_used_link_leads_to_the_log_in(client: Client, rudi: User, link: str, method: str) -> None:
    response = getattr(client, method)(link, ACCOUNT)
    assert response.status_code == 404
    assert "set up already" in response.text and reverse("login") in response.text
    assert User.objects.count() == 1


@pytest.mark.parametrize("token", ["x", "0" * 32, "é"])
def test_a_wrong_link_says_where_the_right_one_is(client: Client, token: str) -> None:
    response = client.post(reverse("setup", args=[token]), ACCOUNT)
    assert response.status_code == 404
    assert "where the site was started" in response.text
    assert not User.objects.exists()


def test_of_two_at_once_only_one_gets_in(rudi: User) -> None:
    with pytest.raises(ClosedLinkError):
        make_first_host(setup_token(), "siti", "kartu-remi-52")


def test_who_was_overtaken_between_page_and_account_is_told(
    client: Client, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(*_args: str, **_kwargs: str) -> None:
        User.objects.create_user("siti")
        raise ClosedLinkError

    monkeypatch.setattr(invitations, "make_first_host", overtaken)
    response = client.post(link, ACCOUNT)
    assert (response.status_code, "set up already" in response.text) == (404, True)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"password1": "12345678", "password2": "12345678"}, "This password is"),
        ({"password1": "rudi", "password2": "rudi"}, "too short"),
        ({"password2": "kartu-remi-53"}, "match"),
        ({"username": ""}, "required"),
        ({"username": "ru di"}, "Enter a valid username"),
        ({"username": "r" * 61}, "at most 60 characters"),
    ],
)
def test_bad_input_keeps_the_name(client: Client, link: str, changed: dict[str, str], message: str) -> None:
    response = client.post(link, ACCOUNT | changed)
    assert response.status_code == 422
    assert message in response.text
    assert f'value="{(ACCOUNT | changed)["username"]}"' in response.text or not changed.get("username", "rudi")
    assert not User.objects.exists()
