"""Settings: safe from the first start, with or without TLS, and what the site answers because of them."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

PROGRAM = "from django.conf import settings; print({})"


def setting(expression: str, environment: dict[str, str]) -> str:
    """What `expression` over `settings` prints in a fresh process."""
    environment = {**environment, "DJANGO_SETTINGS_MODULE": "capsa_ledger.settings"}
    program = [sys.executable, "-c", PROGRAM.format(expression)]
    return subprocess.run(
        program, env=environment, cwd=settings.BASE_DIR, check=True, text=True, capture_output=True
    ).stdout.strip()


def rights(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


def test_the_secret_key_is_made_once_and_for_its_owner_only(clean_environment: dict[str, str]) -> None:
    key = setting("settings.SECRET_KEY", clean_environment)
    folder = Path(clean_environment["CAPSA_DATA_DIR"])
    assert len(key) > 50
    assert setting("settings.SECRET_KEY", clean_environment) == key
    assert (rights(folder), rights(folder / "secret-key")) == ("0o700", "0o600")
    assert os.listdir(folder) == ["secret-key"]


def test_processes_that_start_together_agree_on_the_secret_key(clean_environment: dict[str, str]) -> None:
    with ThreadPoolExecutor(6) as starts:
        keys = set(starts.map(lambda _: setting("settings.SECRET_KEY", clean_environment), range(6)))
    assert len(keys) == 1
    assert keys != {""}


def test_a_key_from_the_environment_leaves_no_file(clean_environment: dict[str, str]) -> None:
    key = setting("settings.SECRET_KEY", {**clean_environment, "CAPSA_SECRET_KEY": "k" * 60})
    assert key == "k" * 60
    assert os.listdir(clean_environment["CAPSA_DATA_DIR"]) == []


def test_the_data_folder_may_have_an_odd_name(clean_environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "kartu #1 100% ?"
    environment = {**clean_environment, "CAPSA_DATA_DIR": str(folder)}
    assert setting("settings.DATABASES['default']['NAME']", environment) == str(folder / "capsa.sqlite3")


def test_an_empty_name_of_the_data_folder_is_none(clean_environment: dict[str, str]) -> None:
    environment = {**clean_environment, "CAPSA_DATA_DIR": "", "CAPSA_SECRET_KEY": "k" * 60}
    assert setting("settings.DATA_DIR", environment) == str(settings.BASE_DIR / "data")


def test_hosts_are_the_machine_and_those_named(clean_environment: dict[str, str]) -> None:
    environment = {**clean_environment, "CAPSA_HOSTS": "capsa.example.org, 192.0.2.7"}
    assert setting("*settings.ALLOWED_HOSTS", environment) == "localhost 127.0.0.1 [::1] capsa.example.org 192.0.2.7"


def test_no_host_is_allowed_by_default_beyond_this_machine(clean_environment: dict[str, str]) -> None:
    assert "*" not in setting("*settings.ALLOWED_HOSTS", clean_environment)


def test_https_is_all_or_nothing(clean_environment: dict[str, str]) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE", "SECURE_SSL_REDIRECT")
    expression = ", ".join([*(f"settings.{name}" for name in names), "settings.SECURE_HSTS_SECONDS > 0"])
    assert set(setting(expression, clean_environment).split()) == {"False"}
    assert set(setting(expression, {**clean_environment, "CAPSA_HTTPS": "1"}).split()) == {"True"}


def test_no_proxy_header_is_believed_from_everybody(clean_environment: dict[str, str]) -> None:
    assert setting("settings.SECURE_PROXY_SSL_HEADER", {**clean_environment, "CAPSA_HTTPS": "1"}) == "None"


def test_another_database_keeps_the_embedded_ones_options_away(clean_environment: dict[str, str]) -> None:
    environment = {**clean_environment, "DATABASE_URL": "postgres://capsa:secret@db.example.org/capsa"}
    assert setting("settings.DATABASES['default']['ENGINE']", environment) == "django.db.backends.postgresql"
    assert "transaction_mode" not in setting("settings.DATABASES['default']", environment)


# ---------------------------------------------------------------- what the site answers


@pytest.fixture
def answer(client: Client, db: None):
    return client.get("/login/")


def test_the_login_page_can_be_asked_for(answer) -> None:
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "directive",
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ],
)
def test_the_content_security_policy_is_strict(answer, directive: str) -> None:
    assert directive in [part.strip() for part in answer.headers["Content-Security-Policy"].split(";")]


@pytest.mark.parametrize(
    ("header", "expected"),
    [("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin")],
)
def test_every_page_carries_the_safe_headers(answer, header: str, expected: str) -> None:
    assert answer.headers[header] == expected


def test_cookies_are_out_of_reach_of_scripts_and_foreign_pages(client: Client, rudi) -> None:
    client.post("/login/", {"username": "rudi", "password": "kartu-remi-52"})
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_a_page_needs_a_login_unless_it_says_otherwise(client: Client, db: None) -> None:
    reply = client.get("/")
    assert reply.status_code == 302
    assert reply.headers["Location"].startswith("/login/")


def test_the_language_can_be_chosen_before_logging_in(client: Client, db: None) -> None:
    reply = client.post("/i18n/setlang/", {"language": "id", "next": "/login/"})
    assert reply.headers["Location"] == "/login/"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "id"


def test_an_unknown_host_name_is_refused(client: Client, db: None) -> None:
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        assert client.get("/login/", headers={"host": "evil.example.org"}).status_code == 400


def test_a_post_from_a_foreign_page_is_refused(db: None) -> None:
    strict = Client(enforce_csrf_checks=True)
    reply = strict.post("/login/", {"username": "rudi"}, headers={"origin": "http://evil.example.org"})
    assert reply.status_code == 403


def test_the_fifth_wrong_password_closes_the_door_for_that_name_only(client: Client, rudi, siti) -> None:
    wrong = [client.post("/login/", {"username": "rudi", "password": "wrong"}) for _ in range(5)]
    assert wrong[-1].status_code == 429
    right = {"password": "kartu-remi-52"}
    assert client.post("/login/", {"username": "rudi", **right}).status_code == 429
    assert client.post("/login/", {"username": "siti", **right}).status_code == 302
