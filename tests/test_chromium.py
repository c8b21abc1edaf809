"""Which browser the tests take, and what is tried where there is none."""

import os
import sys
from pathlib import Path

import pytest

from tests.browser import chromium


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; programs are put into its folder `bin`."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("CAPSA_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "MAC", str(tmp_path / "none"))
    monkeypatch.setattr(sys, "executable", "python-of-the-tests")
    return tmp_path


def install(path: Path, script: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_the_one_that_is_named_wins(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(machine / "bin/chromium", "exit 0")
    monkeypatch.setenv("CAPSA_CHROMIUM", "/opt/mine")
    assert chromium.find_chromium() == "/opt/mine"


def test_one_that_does_not_start_is_passed_over(machine: Path) -> None:
    install(machine / "bin/chromium-browser", "exit 1")
    chrome = install(machine / "bin/google-chrome", "exit 0")
    assert chromium.find_chromium() == chrome


def test_playwrights_own_is_the_last_to_be_taken(machine: Path) -> None:
    own = install(machine / "playwright/chromium-1200/chrome-linux/chrome", "exit 0")
    assert chromium.find_chromium() == own
    system = install(machine / "bin/chromium", "exit 0")
    assert chromium.find_chromium() == system


@pytest.mark.parametrize(
    ("user", "called"),
    [
        pytest.param(0, ["apt-get update", "apt-get install", "python-of-the-tests -m playwright"], id="root"),
        pytest.param(1000, ["python-of-the-tests -m playwright"], id="user"),
    ],
)
def test_where_none_can_be_installed_the_run_ends_with_a_sentence(
    machine: Path, monkeypatch: pytest.MonkeyPatch, user: int, called: list[str]
) -> None:
    for name in ("apt-get", "python-of-the-tests"):
        install(machine / "bin" / name, f'echo "{name} $*" >> {machine}/called')
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with pytest.raises(SystemExit, match="sudo apt install chromium"):
        chromium.main()
    lines = (machine / "called").read_text().splitlines()
    assert [line.startswith(start) for line, start in zip(lines, called, strict=True)] == [True] * len(called)


def test_what_apt_brings_is_enough(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = install(machine / "package/chromium", "exit 0")
    install(machine / "bin/apt-get", f'test "$1" = update || /bin/ln -s {browser} {machine}/bin')
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    chromium.main()
    assert chromium.find_chromium() == str(machine / "bin/chromium")
