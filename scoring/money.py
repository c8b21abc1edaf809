"""Currencies and amounts: the one place that writes an amount for people, and the one that reads what they typed.

Amounts are integers in the minor unit of their currency; `PTS` (points, no money) is a currency too.
"""

import re
from dataclasses import dataclass

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

MINUS = "\u2212"
LARGEST_STAKE = 10**12  # minor units a point: a million points still fit the 64 bits of an amount
_ZEROS = {"": 0, "rb": 3, "ribu": 3, "k": 3, "jt": 6, "juta": 6, "m": 6}
_TYPED = re.compile(r"(?P<number>[0-9][0-9.,'’\s\u00a0\u202f]*)(?P<zeros>rb|ribu|k|jt|juta|m)?", re.IGNORECASE)


@dataclass(frozen=True)
class Currency:
    """A currency as players write it: its short sign and how many digits it has behind the decimal mark."""

    code: str
    name: str | Promise
    symbol: str
    digits: int


CURRENCIES: dict[str, Currency] = {
    currency.code: currency
    for currency in (
        Currency("IDR", _("Rupiah"), "Rp", 0),
        Currency("MYR", _("Ringgit"), "RM", 2),
        Currency("SGD", _("Singapore dollar"), "S$", 2),
        Currency("PHP", _("Philippine peso"), "₱", 2),
        Currency("TWD", _("New Taiwan dollar"), "NT$", 0),
        Currency("CNY", _("Renminbi"), "CN¥", 2),
        Currency("USD", _("US dollar"), "US$", 2),
        Currency("EUR", _("Euro"), "€", 2),
        Currency("PTS", _("Points only, no money"), "", 0),
    )
}


class AmountError(ValueError):
    """What was typed is no amount; the message says to the person what would be."""


def format_amount(amount: int, currency: str, signed: bool = False) -> str:
    """`amount` minor units as people write them, without the currency's sign: `1.250.000`, `−12,50`.

    With `signed` a gain gets its plus; nought is plain `0` in every case.
    """
    digits = CURRENCIES[currency].digits
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    # Babel takes a decimal; an exact string of digits keeps amounts of any size exact.
    text = format_decimal(_scaled(abs(amount), digits), format=pattern, locale=_locale(currency), decimal_quantization=False)
    sign = MINUS if amount < 0 else "+" if signed and amount > 0 else ""
    return sign + str(text)


def format_money(amount: int, currency: str, signed: bool = False) -> str:
    """`amount` with the currency's short sign in front: `Rp 1.250.000`, `−Rp 612.000`, `+RM 12.50`; points: `12 points`."""
    if currency == "PTS":
        points = format_amount(amount, currency, signed)
        return ngettext("%(points)s point", "%(points)s points", abs(amount)) % {"points": points}
    text = format_amount(amount, currency, signed)
    sign = text[0] if text[0] in f"+{MINUS}" else ""
    return f"{sign}{CURRENCIES[currency].symbol}\u00a0{text.removeprefix(sign)}"


def parse_amount(text: str, currency: str) -> int:
    """What a person typed as minor units: `12.500`, `3 000 000 000`, `50rb`, `50k`, `1,5jt`, `0.10`.

    Nought is an amount. Signs, exponents and everything else that is no plain amount are refused.

    Raises:
        AmountError: the text is no amount, has more digits behind the mark than the currency, or is too large.
    """
    match = _TYPED.fullmatch(text.strip())
    if not match:
        raise AmountError(__("Enter an amount in figures, such as %(example)s.") % {"example": _example(currency)})
    whole, fraction = _split(match["number"], currency, bool(match["zeros"]))
    digits = CURRENCIES[currency].digits + _ZEROS[(match["zeros"] or "").lower()]
    if len(fraction) > digits:
        raise AmountError(_too_fine(currency))
    amount = int(whole + fraction.ljust(digits, "0"))
    if amount > LARGEST_STAKE:
        raise AmountError(__("At most %(largest)s.") % {"largest": format_amount(LARGEST_STAKE, currency)})
    return amount


def _split(number: str, currency: str, with_zeros: bool) -> tuple[str, str]:
    """The digits before and behind the decimal mark.

    A mark that stands more than once, or once before exactly three digits in a place where it groups, groups.
    """
    number = re.sub(r"[\s\u00a0\u202f'’]", "", number)
    marks = [char for char in number if char in ".,"]
    if not marks:
        return number, ""
    last = marks[-1]
    whole, _mark, fraction = number.rpartition(last)
    if not fraction or re.search(r"[.,]{2}", number):
        raise AmountError(__("Enter an amount in figures, such as %(example)s.") % {"example": _example(currency)})
    is_decimal = marks.count(last) == 1 and (
        len(set(marks)) == 2
        or len(fraction) != 3
        or (with_zeros or CURRENCIES[currency].digits > 0)
        and last == get_decimal_symbol(_locale(currency))
    )
    groups = re.split(r"[.,]", whole if is_decimal else number)
    if len(groups) > 1 and (any(len(group) != 3 for group in groups[1:]) or not 1 <= len(groups[0]) <= 3):
        raise AmountError(__("Enter an amount in figures, such as %(example)s.") % {"example": _example(currency)})
    return "".join(groups), fraction if is_decimal else ""


def _too_fine(currency: str) -> str:
    chosen = CURRENCIES[currency]
    if not chosen.digits:
        return __("Whole amounts only: %(currency)s has nothing behind the mark.") % {"currency": chosen.name}
    return __("At most %(digits)s digits behind the mark.") % {"digits": chosen.digits}


def _example(currency: str) -> str:
    return format_amount(12_500 * 10 ** CURRENCIES[currency].digits, currency)


def _scaled(amount: int, digits: int) -> str:
    text = str(amount).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


def _locale(currency: str) -> Locale:
    """How numbers are grouped: as the page's language does; rupiah the Indonesian way unless that language says otherwise."""
    language = get_language() or "en"
    if currency == "IDR" and language.startswith("en"):
        return Locale("id")
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def group_mark(currency: str) -> str:
    """The mark between thousands for this currency in the page's language."""
    return str(get_group_symbol(_locale(currency)))
