"""`manage.py serve`: from an empty folder to a running site, and its plain words when it cannot."""

import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from scoring.management.addresses import announcement, qr_code, site_address
from scoring.management.reviewer import Reviewer
from scoring.management.server import why_not

SERVE = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1"]


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


def ask(port: int, path: str) -> tuple[int, str]:
    """Status and text of a page, as soon as the server answers."""
    for _ in range(900):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, ""
        except urllib.error.URLError:
            time.sleep(0.1)
    pytest.fail("no answer within 90 seconds")


@contextmanager
def serving(environment: dict[str, str], port: int) -> Iterator[list[str]]:
    """`manage.py serve` until the block ends; then the list holds what it printed, and it must have ended well."""
    printed: list[str] = []
    environment = {**environment, "PORT": str(port)}
    with subprocess.Popen(SERVE, env=environment, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True) as served:
        try:
            yield printed
        finally:
            served.send_signal(signal.SIGINT)
            printed += served.communicate(timeout=20)[0].splitlines()
    assert served.returncode == 0


def test_an_empty_folder_becomes_a_site_with_a_one_time_set_up_link(
    clean_environment: dict[str, str], free_port: int
) -> None:
    with serving(clean_environment, free_port) as printed:
        status, page = ask(free_port, "/login/")
        stylesheet = re.search(r'href="(/static/css/[\w.]+)"', page)
        assert status == 200
        assert stylesheet
        assert ask(free_port, stylesheet[1])[0] == 200
    assert f"http://localhost:{free_port}/" in printed[0]
    assert re.search(r"/setup/[0-9a-f]{32}/", printed[2])
    data = Path(clean_environment["CAPSA_DATA_DIR"])
    assert [file.name for file in data.iterdir() if file.is_file() and file.stat().st_mode & 0o077] == []


def test_phones_that_hold_connections_open_keep_nobody_waiting(
    clean_environment: dict[str, str], free_port: int
) -> None:
    with ExitStack() as phones:
        with serving(clean_environment, free_port):
            ask(free_port, "/healthz")
            for _ in range(8):
                phones.enter_context(socket.create_connection(("127.0.0.1", free_port)))
            with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/healthz", timeout=3) as reply:
                assert reply.status == 200
            time.sleep(0.5)  # until the workers have taken all of them up
            stopped = time.monotonic()
        assert time.monotonic() - stopped < 4


def refusal(arguments: list[str], environment: dict[str, str]) -> str:
    """What `serve` prints when it ends at once."""
    ended = subprocess.run(
        [*SERVE, *arguments], env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=30
    )
    assert ended.returncode != 0
    assert ended.stdout == ""
    return ended.stderr


def test_a_taken_port_is_told_in_one_sentence(clean_environment: dict[str, str], taken_port: int) -> None:
    said = refusal(["--port", str(taken_port)], clean_environment)
    assert said.splitlines() == [f"CommandError: {why_not('127.0.0.1', taken_port)}"]
    assert f"PORT={taken_port + 1} make run" in said


@pytest.mark.parametrize("port", ["abc", "0", "-1", "65536", "８０００", ""])
def test_a_port_that_is_none_is_told_in_one_sentence(clean_environment: dict[str, str], port: str) -> None:
    said = refusal([f"--port={port}"], clean_environment)
    assert said.splitlines() == [f"CommandError: PORT is a number from 1 to 65535, not {port!r}."]


# ---------------------------------------------------------------- beside the site


def test_rounds_are_reviewed_while_the_site_runs(clean_environment: dict[str, str], free_port: int) -> None:
    fill = [sys.executable, "manage.py", "demo", "--fill", "--evenings=1"]
    subprocess.run(fill, env=clean_environment, cwd=settings.BASE_DIR, check=True, stdout=subprocess.DEVNULL)
    folder = Path(clean_environment["CAPSA_DATA_DIR"]) / "demo"
    with serving({**clean_environment, "CAPSA_DATA_DIR": str(folder)}, free_port):
        for _ in range(1200):
            with closing(sqlite3.connect(folder / "capsa.sqlite3")) as book:
                ((reviewed,),) = book.execute("SELECT count(*) FROM scoring_handreview")
            if reviewed:
                return
            time.sleep(0.1)
    pytest.fail("nothing was reviewed within two minutes")


def test_the_reviewer_ends_with_the_server(monkeypatch: pytest.MonkeyPatch, clean_environment: dict[str, str]) -> None:
    monkeypatch.setenv("CAPSA_DATA_DIR", clean_environment["CAPSA_DATA_DIR"])
    reviewer = Reviewer()
    reviewer.start()
    process = reviewer._process
    assert process
    assert process.poll() is None
    reviewer.stop()
    assert process.poll() is not None


def test_a_reviewer_whose_server_is_gone_goes_too(clean_environment: dict[str, str]) -> None:
    """What it reads from has ended. There is not even a table: that is told, and no reason to fail."""
    watch = [sys.executable, "manage.py", "review_rounds", "--watch"]
    ended = subprocess.run(
        watch,
        env=clean_environment,
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 0
    assert ended.stderr.startswith("No rounds are reviewed just now: no such table")


# ---------------------------------------------------------------- the addresses


@pytest.mark.parametrize(
    ("hosts", "https", "address"),
    [
        pytest.param(["192.168.1.7"], False, "http://192.168.1.7:8000/", id="home-network"),
        pytest.param(["127.0.0.1"], False, None, id="no-network"),
        pytest.param([".example.org", "capsa.example.org"], False, "http://capsa.example.org:8000/", id="pattern"),
        pytest.param(["capsa.example.org"], True, "https://capsa.example.org/", id="behind-tls"),
    ],
)
def test_phones_get_the_first_address_they_can_open(settings, hosts: list[str], https: bool, address: str) -> None:
    settings.SITE_HOSTS, settings.HTTPS = hosts, https
    assert site_address(8000) == address


def test_the_set_up_link_is_shown_only_while_there_is_one(settings) -> None:
    settings.SITE_HOSTS = ["192.168.1.7"]
    assert "http://192.168.1.7:8000/setup/abc/" in announcement(8000, "setup/abc/")[-1]
    assert "account" not in "".join(announcement(8000, ""))


def test_without_a_network_the_set_up_link_is_that_of_this_machine(settings) -> None:
    settings.SITE_HOSTS = ["127.0.0.1"]
    assert "http://localhost:8000/setup/abc/" in announcement(8000, "setup/abc/")[-1]


def test_a_qr_code_in_colour_is_black_on_white_on_any_terminal() -> None:
    plain, coloured = (
        qr_code("http://192.168.1.7:8000/", colour=False),
        qr_code("http://192.168.1.7:8000/", colour=True),
    )
    assert set("".join(plain)) == set("▀▄█ ")
    assert coloured == [f"\033[97;40m{row}\033[0m" for row in plain]
