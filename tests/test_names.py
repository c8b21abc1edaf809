"""When two names are one, and what is left of what nobody can see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.names import KEY_LENGTH, NAME_LENGTH, clean_name, name_key

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # an emoji of three people, held together by joiners
any_text = st.text(st.characters(), max_size=30)


@pytest.mark.parametrize(
    "other",
    [
        "Adi",
        "adi ",
        " ADI",
        "A\u200bdi",
        "Adi\u200d",
        "\u202eAdi",
        "Ａｄｉ",
        "Adi\ufe0f",
        "Adi\u3164",
        "A\u00addi",
        "\x00Adi",
    ],
    ids=[
        "same",
        "space",
        "case",
        "zero-width",
        "joiner",
        "direction",
        "full-width",
        "selector",
        "filler",
        "hyphen",
        "nul",
    ],
)
def test_reads_as_adi(other: str) -> None:
    assert name_key(other) == name_key("Adi")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("José", "Jose\u0301"),
        ("José", "Jose\u200b\u0301"),
        ("Pak  Budi", "pak\u00a0budi"),
        ("Strauß", "STRAUSS"),
        ("ﬁfi", "Fifi"),
    ],
    ids=["composed", "composed past a zero-width", "spaces", "sharp s", "ligature"],
)
def test_two_spellings_of_one_name(one: str, two: str) -> None:
    assert name_key(one) == name_key(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [("Adi", "Ade"), ("Jose", "José"), ("Pak Budi", "PakBudi"), ("😀", "😃"), ("Adi", "Adi 2")],
)
def test_different_names_stay_apart(one: str, two: str) -> None:
    assert name_key(one) != name_key(two)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ana \t Maria\n", "Ana Maria"),
        ("Ana\u200b", "Ana"),
        ("\u202eevil\u202c", "evil"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("<b>Ana</b>", "<b>Ana</b>"),
        ("مريم", "مريم"),
        (FAMILY, FAMILY),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\U0001fae8", "\U0001fae8"),
    ],
    ids=[
        "spaces",
        "zero-width",
        "direction",
        "composed",
        "composed late",
        "html",
        "rtl",
        "family",
        "heart",
        "new emoji",
    ],
)
def test_what_is_kept(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "\u3164\u3164", "\u200d", "\u2800", "\ufe0f", "\x07\n"])
def test_nothing_to_see_is_no_name(typed: str) -> None:
    assert clean_name(typed) == ""


def test_a_key_is_never_longer_than_its_column() -> None:
    assert len(name_key("\ufdfa" * NAME_LENGTH)) <= KEY_LENGTH  # one sign that stands for four words


@given(any_text)
def test_cleaning_changes_nobody_and_twice_is_once(text: str) -> None:
    cleaned = clean_name(text)
    assert clean_name(cleaned) == cleaned
    assert name_key(cleaned) == name_key(text)


@given(any_text)
def test_a_key_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
