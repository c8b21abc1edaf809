"""`make` on a machine that lacks something: one sentence that names the command to install it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

OLD = "exit 1"
WITHOUT_VENV = 'case "$2" in *ensurepip*) exit 1;; esac'
COMPLETE = "exit 0"

TOO_OLD = "Capsa Ledger needs Python 3.11 or newer: sudo apt install python3.11-venv."
NO_VENV = "{0} lacks its venv module: sudo apt install {0}-venv."


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with our Makefile and, in `bin`, the only programs there are."""
    shutil.copy(settings.BASE_DIR / "Makefile", tmp_path)
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    for name in ("make", "sh", "touch", "awk"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    return tmp_path


def install(machine: Path, name: str, behaviour: str) -> None:
    """A program `name`, which answers what `make` asks a Python about itself."""
    program = machine / "bin" / name
    program.write_text(f"#!/bin/sh\n{behaviour}\n")
    program.chmod(0o755)


def make(machine: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=machine, env={"PATH": str(machine / "bin")}, capture_output=True, text=True
    )


@pytest.mark.parametrize("target", ["run", "test"])
@pytest.mark.parametrize(
    ("pythons", "sentence"),
    [
        pytest.param({}, TOO_OLD, id="no-python"),
        pytest.param({"python3": OLD}, TOO_OLD, id="old-python"),
        pytest.param({"python3": WITHOUT_VENV}, NO_VENV.format("python3"), id="no-venv-module"),
        pytest.param({"python3": OLD, "python3.12": WITHOUT_VENV}, NO_VENV.format("python3.12"), id="newer-without"),
    ],
)
def test_what_is_missing_is_told_in_one_sentence(
    machine: Path, pythons: dict[str, str], sentence: str, target: str
) -> None:
    for name, behaviour in pythons.items():
        install(machine, name, behaviour)
    ended = make(machine, target)
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert sentence in ended.stderr


def test_the_first_python_that_will_do_is_taken(machine: Path) -> None:
    for name, behaviour in {"python3": OLD, "python3.13": WITHOUT_VENV, "python3.12": COMPLETE}.items():
        install(machine, name, behaviour)
    assert make(machine, "-n", "run").stdout.startswith("python3.12 -m venv --clear .venv\n")


def test_make_alone_lists_every_command(machine: Path) -> None:
    listed = make(machine).stdout
    assert {"run", "test", "check", "format", "bench", "install"} <= set(listed.split())
