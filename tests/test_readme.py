"""README keeps its promises: its map, its tables and its commands are those of the project."""

import re

import pytest
from django.conf import settings

from scoring.engine.rules import FIELDS

README = (settings.BASE_DIR / "README.md").read_text()


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)`", text, flags=re.MULTILINE)


def mapped_paths() -> list[str]:
    """The paths of the map, read by their indentation."""
    folders: list[tuple[int, str]] = []
    paths = []
    for indent, name in re.findall(r"^ {4}( *)([\w./]+)(?: |$)", section("Map of the code"), flags=re.MULTILINE):
        folders = [(depth, folder) for depth, folder in folders if depth < len(indent)]
        path = "".join(folder for _, folder in folders) + name
        paths.append(path)
        if name.endswith("/"):
            folders.append((len(indent), name))
    return paths


@pytest.mark.parametrize("path", mapped_paths())
def test_every_place_on_the_map_exists(path: str) -> None:
    place = settings.BASE_DIR / path
    assert place.is_dir() if path.endswith("/") else place.is_file()


@pytest.mark.parametrize("folder", ["scoring", "scoring/engine"])
def test_every_module_is_on_the_map(folder: str) -> None:
    modules = {f"{folder}/{file.name}" for file in (settings.BASE_DIR / folder).glob("[a-z]*.*")}
    assert modules - set(mapped_paths()) == set()


def test_the_house_rules_table_has_every_field_of_a_ruleset() -> None:
    assert first_column(section("House rules")) == list(FIELDS)


def test_the_table_of_variables_is_that_of_the_settings() -> None:
    listed = first_column(section("Two commands"))
    used = re.findall(r'env\.\w+\("(\w+)"', (settings.BASE_DIR / "capsa_ledger/settings.py").read_text())
    assert set(listed) == {*used, "PORT"}


def test_every_command_it_names_is_one_of_the_makefile() -> None:
    known = re.findall(r"^(\w+):", (settings.BASE_DIR / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"(?:`|^    |=8123 )make (\w+)", README, flags=re.MULTILINE)) <= set(known)
