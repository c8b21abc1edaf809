"""The locked requirement files: whole, safe to share, and in step with each other and with pyproject.toml."""

import re
import tomllib

import pytest
from django.conf import settings

FILES = ("requirements.txt", "requirements-dev.txt")


def lines(name: str) -> list[str]:
    """One line a package, its hashes included."""
    return (settings.BASE_DIR / name).read_text().replace("\\\n", "").splitlines()


def pins(name: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1)[0].split("==") for line in lines(name))


@pytest.mark.parametrize("name", FILES)
def test_every_package_is_pinned_with_hashes(name: str) -> None:
    assert [line for line in lines(name) if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


@pytest.mark.parametrize("name", FILES)
def test_no_address_is_in_it(name: str) -> None:
    assert "://" not in (settings.BASE_DIR / name).read_text()


def test_developers_get_what_users_get() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


@pytest.mark.parametrize(("name", "group"), [("requirements.txt", None), ("requirements-dev.txt", "dev")])
def test_everything_asked_for_is_locked(name: str, group: str | None) -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    wanted = project["dependency-groups"][group] if group else project["project"]["dependencies"]
    assert {re.split(r"[\[~=<>]", requirement)[0] for requirement in wanted} <= set(pins(name))
