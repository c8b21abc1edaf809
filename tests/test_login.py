"""Logging in and out, throttled; the own account and its password; open sign-up."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

pytestmark = pytest.mark.django_db
GOOD = {"username": "rudi", "password": "kartu-remi-52"}
BAD = {"username": "rudi", "password": "wrong"}
ACCOUNT = {"username": "siti", "password1": "kartu-remi-52", "password2": "kartu-remi-52"}


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_log_in_leads_to_where_one_wanted_to_go(client: Client, rudi: User) -> None:
    page = client.get(reverse("account"))
    assert page.headers["Location"] == f"{reverse('login')}?next={reverse('account')}"
    response = client.post(reverse("login"), {**GOOD, "next": reverse("account")})
    assert (response.status_code, response.headers["Location"]) == (302, reverse("account"))


def test_log_in_never_leads_away_from_the_site(client: Client, rudi: User) -> None:
    response = client.post(reverse("login"), {**GOOD, "next": "https://example.org/"})
    assert response.headers["Location"] == reverse("home")


@pytest.mark.parametrize(
    ("sent_from", "back_to"),
    [
        pytest.param("http://testserver/clubs/1/players/?page=2", "/clubs/1/players/%3Fpage%3D2", id="this site"),
        pytest.param("http://example.org/clubs/1/", "/", id="another site"),
        pytest.param("//[", "/", id="nonsense"),
        pytest.param("", "/", id="not told"),
    ],
)
def test_a_form_sent_after_logging_out_elsewhere_comes_back_to_its_page(
    client: Client, sent_from: str, back_to: str
) -> None:
    response = client.post("/sessions/1/close/", headers={"Referer": sent_from})
    assert response.headers["Location"] == f"{reverse('login')}?next={back_to}"


def test_a_part_of_a_page_asked_for_after_logging_out_opens_the_log_in_in_the_whole_window(client: Client) -> None:
    page = {"HX-Request": "true", "HX-Current-URL": "http://testserver/sessions/1/settle/"}
    for response in (client.post("/sessions/1/payments/", headers=page), client.get("/sessions/1/", headers=page)):
        assert response.headers["HX-Redirect"] == f"{reverse('login')}?next=/sessions/1/settle/"
        assert "Location" not in response.headers


def test_a_wrong_password_keeps_the_name(client: Client, rudi: User) -> None:
    response = client.post(reverse("login"), BAD)
    assert response.status_code == 422
    assert 'value="rudi"' in response.text
    assert not is_logged_in(client)


def test_who_is_logged_in_needs_no_log_in(host: Client) -> None:
    assert host.get(reverse("login")).headers["Location"] == reverse("home")


def test_after_five_failures_even_the_right_password_waits_but_others_do_not(
    client: Client, rudi: User, siti: User
) -> None:
    answers = [client.post(reverse("login"), BAD).status_code for _ in range(5)]
    assert answers == [422, 422, 422, 422, 429]
    assert client.post(reverse("login"), GOOD).status_code == 429
    assert not is_logged_in(client)
    assert client.post(reverse("login"), GOOD | {"username": "siti"}).status_code == 302


def test_log_out(host: Client) -> None:
    assert host.get(reverse("logout")).status_code == 405
    assert host.post(reverse("logout")).headers["Location"] == reverse("login")
    assert not is_logged_in(host)


@pytest.mark.parametrize("page", ["account", "club-new", "login"])
def test_after_logging_out_no_browser_has_a_page_left_to_go_back_to(host: Client, page: str) -> None:
    assert "no-store" in host.get(reverse(page)).headers["Cache-Control"]


def test_an_address_that_only_takes_forms_says_so(host: Client) -> None:
    response = host.get(reverse("logout"))
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST, OPTIONS"
    assert "only takes what a form sends" in response.text


def test_the_account_lists_its_clubs(host: Client, club) -> None:
    response = host.get(reverse("account"))
    assert "Kamis Malam" in response.text and "owner" in response.text


def test_a_new_password_logs_other_devices_out(host: Client, rudi: User) -> None:
    phone = Client()
    phone.force_login(rudi)
    new = {"old_password": "kartu-remi-52", "new_password1": "susun-tiga-baris", "new_password2": "susun-tiga-baris"}
    assert host.post(reverse("password"), new).headers["Location"] == reverse("account")
    assert host.get(reverse("account")).status_code == 200
    assert phone.get(reverse("account")).status_code == 302
    rudi.refresh_from_db()
    assert rudi.check_password("susun-tiga-baris")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"old_password": "wrong"}, "entered incorrectly"),
        ({"new_password1": "12345678", "new_password2": "12345678"}, "entirely numeric"),
        ({"new_password2": "other"}, "match"),
    ],
)
def test_a_bad_new_password_changes_nothing(host: Client, rudi: User, changed: dict[str, str], message: str) -> None:
    new = {"old_password": "kartu-remi-52", "new_password1": "susun-tiga-baris", "new_password2": "susun-tiga-baris"}
    response = host.post(reverse("password"), new | changed)
    assert response.status_code == 422
    assert message in response.text
    rudi.refresh_from_db()
    assert rudi.check_password("kartu-remi-52")


def test_sign_up_does_not_exist_by_default(client: Client) -> None:
    assert reverse("signup") not in client.get(reverse("login")).text
    assert client.get(reverse("signup")).status_code == 404
    assert client.post(reverse("signup"), ACCOUNT).status_code == 404
    assert not User.objects.exists()


def test_open_sign_up_makes_an_account(client: Client, settings: Settings) -> None:
    settings.OPEN_SIGNUP = True
    assert reverse("signup") in client.get(reverse("login")).text
    assert client.get(reverse("signup")).status_code == 200
    response = client.post(reverse("signup"), ACCOUNT, follow=True)
    assert response.redirect_chain == [(reverse("home"), 302)]
    assert "You host no club yet" in response.text


def test_a_taken_name_is_refused_however_it_is_spelt(client: Client, siti: User, settings: Settings) -> None:
    settings.OPEN_SIGNUP = True
    response = client.post(reverse("signup"), ACCOUNT | {"username": "Siti"})
    assert response.status_code == 422
    assert "already exists" in response.text


def test_health_is_told_to_anybody(client: Client) -> None:
    response = client.get(reverse("healthz"))
    assert (response.status_code, response.text) == (200, "ok")
