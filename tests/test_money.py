"""Amounts as people write them and type them, in several languages."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.money import CURRENCIES, LARGEST_STAKE, AmountError, format_amount, format_money, parse_amount

LANGUAGES = ("en", "id", "ms", "es")
LARGEST_AMOUNT = 2**63 - 1


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("language", "currency", "amount", "text"),
    [
        ("en", "IDR", 1250000, "1.250.000"),
        ("id", "IDR", 1250000, "1.250.000"),
        ("ms", "IDR", 1250000, "1,250,000"),
        ("en", "MYR", 125050, "1,250.50"),
        ("id", "MYR", 125050, "1.250,50"),
        ("es", "EUR", 125050, "1.250,50"),
        ("en", "TWD", 1000, "1,000"),
        ("en", "PTS", -12, "−12"),
        ("en", "MYR", -5, "−0.05"),
        ("en", "MYR", 0, "0.00"),
        ("en", "IDR", LARGEST_AMOUNT, "9.223.372.036.854.775.807"),
    ],
)
def test_written(language: str, currency: str, amount: int, text: str) -> None:
    with translation.override(language):
        assert format_amount(amount, currency) == text


@pytest.mark.parametrize(
    ("currency", "amount", "text"),
    [
        ("IDR", 612000, "+Rp\u00a0612.000"),
        ("IDR", -612000, "−Rp\u00a0612.000"),
        ("MYR", 1250, "+RM\u00a012.50"),
        ("IDR", 0, "Rp\u00a00"),
        ("PTS", 1, "+1 point"),
        ("PTS", -12, "−12 points"),
    ],
)
def test_written_with_sign_and_symbol(currency: str, amount: int, text: str) -> None:
    assert format_money(amount, currency, signed=True) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("0", 0),
        ("12.500", 12_500),
        ("12,500", 12_500),
        ("12'500", 12_500),
        ("Rp 12.500", 12_500),
        ("rp.12.500", 12_500),
        ("IDR 12500", 12_500),
        (" 3 000 000 000 ", 3_000_000_000),
        ("3\u202f000\u00a0000 000", 3_000_000_000),
        ("50rb", 50_000),
        ("50 RIBU", 50_000),
        ("50k", 50_000),
        ("2,5rb", 2_500),
        ("1,5jt", 1_500_000),
        ("1.5 juta", 1_500_000),
        ("0,125jt", 125_000),
        ("0.125jt", 125_000),
        ("5万", 50_000),
        ("007", 7),
        ("1.000.000.000.000", LARGEST_STAKE),
    ],
)
def test_typed_in_rupiah(text: str, amount: int) -> None:
    assert parse_amount(text, "IDR") == amount


@pytest.mark.parametrize(
    ("language", "text", "amount"),
    [
        ("en", "0.10", 10),
        ("en", "0,5", 50),
        ("en", "RM5", 500),
        ("en", "1,000.50", 100_050),
        ("en", "1.000,50", 100_050),
        ("en", "1 000.50", 100_050),
        ("en", "1,500", 150_000),
        ("id", "1.500", 150_000),
        ("en", "2.5k", 250_000),
    ],
)
def test_typed_in_ringgit(language: str, text: str, amount: int) -> None:
    with translation.override(language):
        assert parse_amount(text, "MYR") == amount


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [("$5", "USD", 500), ("US$ 5", "USD", 500), ("¥0.5", "CNY", 50), ("NT$100", "TWD", 100)],
)
def test_typed_with_a_short_sign(text: str, currency: str, amount: int) -> None:
    assert parse_amount(text, currency) == amount


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "−5", "-5", "+5", "abc", "1e9", "NaN", "inf", "0x10", "5²", "١٢", "½", "<b>5</b>", "5\n6", "5;6"),
        *("12.", ",5", "1,,000", "1 0", "10,00,000", "1.000.00", "1.000,000.000", "1500.000.000"),
        *("RM 5", "1.5m", "50rb rb", "5 rb 3"),
    ],
)
def test_no_amount(text: str) -> None:
    with pytest.raises(AmountError, match=r"^Enter an amount in figures, such as 12\.500\.$"):
        parse_amount(text, "IDR")


@pytest.mark.parametrize(
    ("text", "currency", "message"),
    [
        ("1.5", "IDR", "Whole amounts only: Rupiah has nothing behind the mark."),
        ("0.500", "IDR", "Whole amounts only: Rupiah has nothing behind the mark."),
        ("1.555", "MYR", "At most 2 digits behind the mark."),
        ("1.0005rb", "IDR", "Whole amounts only: Rupiah has nothing behind the mark."),
        ("1000000000001", "IDR", "At most 1.000.000.000.000."),
        ("9" * 5000, "IDR", "At most 1.000.000.000.000."),
        ("10000000000.01", "MYR", "At most 10,000,000,000.00."),
    ],
)
def test_too_fine_or_too_large(text: str, currency: str, message: str) -> None:
    with pytest.raises(AmountError) as refusal:
        parse_amount(text, currency)
    assert str(refusal.value) == message


def test_a_payment_may_be_larger_than_a_stake() -> None:
    assert parse_amount("9.223.372.036.854.775.807", "IDR", LARGEST_AMOUNT) == LARGEST_AMOUNT


@given(st.sampled_from(LANGUAGES), st.sampled_from(sorted(CURRENCIES)), st.integers(0, LARGEST_AMOUNT))
def test_what_is_written_can_be_typed(language: str, currency: str, amount: int) -> None:
    with translation.override(language):
        assert parse_amount(format_amount(amount, currency), currency, LARGEST_AMOUNT) == amount


@given(st.text("0123456789.,' rbkjtRpM$-", max_size=16), st.sampled_from(("IDR", "MYR")))
def test_any_text_is_an_amount_or_refused(text: str, currency: str) -> None:
    with suppress(AmountError):
        assert 0 <= parse_amount(text, currency) <= LARGEST_STAKE
