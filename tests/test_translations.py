"""Translations: compiled without GNU gettext, and refused where a text would come out wrong or not at all."""

import gettext
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

HEADER = """msgid ""
msgstr ""
"Language: id\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""
GOOD = 'msgid "%(name)s wins"\nmsgstr "%(name)s menang"\n'


@pytest.fixture
def catalog(tmp_path: Path, settings: Settings) -> Path:
    """An Indonesian catalog without a fault."""
    settings.LOCALE_PATHS = [tmp_path]
    file = tmp_path / "id" / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True)
    file.write_text(HEADER + GOOD)
    return file


def test_a_compiled_text_is_found_by_gettext(catalog: Path) -> None:
    call_command("compile_translations")
    with catalog.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("%(name)s wins") == "%(name)s menang"


def test_an_unchanged_catalog_is_left_alone(catalog: Path) -> None:
    call_command("compile_translations")
    before = catalog.with_suffix(".mo").stat()
    call_command("compile_translations")
    assert catalog.with_suffix(".mo").stat() == before


def test_check_compiles_nothing(catalog: Path) -> None:
    call_command("compile_translations", check=True)
    assert not catalog.with_suffix(".mo").exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("#, fuzzy\n" + HEADER + GOOD, "the header is marked fuzzy", id="fuzzy-header"),
        pytest.param(HEADER + "#, fuzzy\n" + GOOD, "line 8: marked fuzzy", id="fuzzy-text"),
        pytest.param(HEADER + 'msgid "%(a)s"\nmsgstr "%(b)s"\n', "placeholders differ", id="renamed-placeholder"),
        pytest.param(HEADER + 'msgid "{a} and {b}"\nmsgstr "{a}"\n', "placeholders differ", id="lost-placeholder"),
        pytest.param(HEADER + 'msgid "won"\nmsgstr "{a}"\n', "placeholders differ", id="invented-placeholder"),
        pytest.param(
            HEADER + 'msgid "%(n)s round"\nmsgid_plural "%(n)s rounds"\nmsgstr[0] "%(m)s ronde"\n',
            "placeholders differ",
            id="plural",
        ),
        pytest.param(HEADER + "nonsense", "misformatted", id="broken-file"),
    ],
)
def test_a_fault_is_named_with_file_and_place(catalog: Path, text: str, complaint: str) -> None:
    catalog.write_text(text)
    with pytest.raises(CommandError, match=complaint) as refused:
        call_command("compile_translations")
    assert str(catalog) in str(refused.value)
    assert not catalog.with_suffix(".mo").exists()


def test_an_untranslated_text_is_no_fault(catalog: Path) -> None:
    catalog.write_text(HEADER + 'msgid "%(a)s"\nmsgstr ""\n')
    call_command("compile_translations", check=True)
