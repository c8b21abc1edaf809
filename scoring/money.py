"""Currencies and amounts: the one place that writes an amount for people, and the one that reads what they typed.

Amounts are integers in the minor unit of their currency; `PTS` (points, no money) is a currency too.
"""

import re
from dataclasses import dataclass
from string import ascii_letters

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

MINUS = "\u2212"
LARGEST_STAKE = 10**12  # minor units a point: a million points still fit the 64 bits of an amount
# No "m": a million to some and a thousand millions (miliar) to others.
_ZEROS = {"": 0, "rb": 3, "ribu": 3, "k": 3, "mil": 3, "jt": 6, "juta": 6, "千": 3, "万": 4, "萬": 4}
_TYPED = re.compile(rf"(?P<number>[0-9](?:[.,' ]?[0-9])*) ?(?P<zeros>{'|'.join(filter(None, _ZEROS))})?", re.IGNORECASE)


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
    text = format_decimal(
        _scaled(abs(amount), digits), format=pattern, locale=_locale(currency), decimal_quantization=False
    )
    sign = MINUS if amount < 0 else "+" if signed and amount > 0 else ""
    return sign + str(text)


def format_money(amount: int, currency: str, signed: bool = False) -> str:
    """`amount` with the currency's sign in front: `Rp 1.250.000`, `−Rp 612.000`, `+RM 12.50`; points: `12 points`."""
    if currency == "PTS":
        points = format_amount(amount, currency, signed)
        return ngettext("%(points)s point", "%(points)s points", abs(amount)) % {"points": points}
    text = format_amount(amount, currency, signed)
    sign = text[0] if text[0] in f"+{MINUS}" else ""
    return f"{sign}{CURRENCIES[currency].symbol}\u00a0{text.removeprefix(sign)}"


def parse_amount(text: str, currency: str, largest: int = LARGEST_STAKE) -> int:
    """What a person typed as minor units: `12.500`, `Rp 12.500`, `3 000 000 000`, `50rb`, `50k`, `1,5jt`, `0.10`.

    Nought is an amount. Minus signs, exponents and everything else that is no plain amount are refused.

    Raises:
        AmountError: the text is no amount, has more digits behind the mark than the currency, or is above `largest`.
    """
    match = _TYPED.fullmatch(_without_sign(text, currency))
    if not match:
        raise AmountError(_not_an_amount(currency))
    zeros = _ZEROS[(match["zeros"] or "").lower()]
    whole, fraction = _split(match["number"], currency, bool(zeros))
    places = CURRENCIES[currency].digits + zeros
    if len(fraction) > places:
        raise AmountError(_too_fine(currency))
    digits = (whole + fraction.ljust(places, "0")).lstrip("0") or "0"
    # Counted first: Python refuses to read numbers of some thousand digits.
    if len(digits) > len(str(largest)) or int(digits) > largest:
        raise AmountError(gettext("At most %(largest)s.") % {"largest": format_amount(largest, currency)})
    return int(digits)


def _without_sign(text: str, currency: str) -> str:
    """`text` in plain spaces, without the sign or code of its currency: `Rp. 500`, `IDR 500`, `$5` for `US$5`."""
    text = " ".join(text.split()).replace("’", "'")
    chosen = CURRENCIES[currency]
    for sign in (chosen.code, chosen.symbol, chosen.symbol.strip(ascii_letters)):
        if sign and text.casefold().startswith(sign.casefold()):
            return text[len(sign) :].removeprefix(".").lstrip()
    return text


def _split(number: str, currency: str, with_zeros: bool) -> tuple[str, str]:
    """The digits before and behind the decimal mark.

    Raises:
        AmountError: what groups the digits is not the same mark before every three of them.
    """
    fraction = ""
    if _has_fraction(number, currency, with_zeros):
        number, fraction = re.split(r"[.,](?=[0-9]+$)", number)
    groups = re.split(r"[^0-9]", number)
    marks = {mark for mark in number if not mark.isdigit()}
    if len(marks) > 1 or (len(groups[0]) > 3 and marks) or any(len(group) != 3 for group in groups[1:]):
        raise AmountError(_not_an_amount(currency))
    return "".join(groups), fraction


def _has_fraction(number: str, currency: str, with_zeros: bool) -> bool:
    """Whether the last mark of `number` is a decimal one and not one between thousands.

    Before exactly three digits a mark groups, unless it follows another kind of mark or a nought, or is the decimal
    mark of the page's language in a place where there may be a fraction.
    """
    marks = re.sub(r"[0-9]", "", number)
    last = marks[-1:]
    if last not in (".", ",") or marks.count(last) > 1:
        return False
    whole, _mark, fraction = number.rpartition(last)
    may_have_one = with_zeros or CURRENCIES[currency].digits > 0
    return (
        len(marks) > 1
        or len(fraction) != 3
        or not whole.strip("0")
        or (may_have_one and last == get_decimal_symbol(_locale(currency)))
    )


def _not_an_amount(currency: str) -> str:
    return gettext("Enter an amount in figures, such as %(example)s.") % {"example": _example(currency)}


def _too_fine(currency: str) -> str:
    chosen = CURRENCIES[currency]
    if not chosen.digits:
        return gettext("Whole amounts only: %(currency)s has nothing behind the mark.") % {"currency": chosen.name}
    return gettext("At most %(digits)s digits behind the mark.") % {"digits": chosen.digits}


def _example(currency: str) -> str:
    return format_amount(12_500 * 10 ** CURRENCIES[currency].digits, currency)


def _scaled(amount: int, digits: int) -> str:
    text = str(amount).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


def _locale(currency: str) -> Locale:
    """How numbers are grouped: as the page's language does; on English pages rupiah the Indonesian way."""
    language = get_language() or "en"
    if currency == "IDR" and language.startswith("en"):
        return Locale("id")
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
