"""The fields for an amount as people type it."""

from typing import Any

from django import forms

from scoring.ledger import LARGEST_TOTAL
from scoring.money import LARGEST_STAKE, MINUS, AmountError, format_amount, parse_amount


class AmountField(forms.CharField):
    """Minor units of `currency` up to `largest`, typed as `12.500`, `50rb` or `1,5jt`; None where it is left empty."""

    def __init__(self, *, currency: str = "IDR", largest: int = LARGEST_STAKE, **kwargs: Any) -> None:
        self.currency, self.largest = currency, largest
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}))
        super().__init__(max_length=40, empty_value=None, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return format_amount(value, self.currency) if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # what is typed is text, what is meant is not
        text = super().to_python(value)
        if text is None:
            return None
        try:
            return parse_amount(text, self.currency, self.largest)
        except AmountError as error:
            raise forms.ValidationError(str(error)) from error

    def run_validators(self, value: Any) -> None:
        """The limits of the text were checked by reading it."""


class SignedAmountField(AmountField):
    """The same with a sign: `-12.500` or `−12.500` is paid, `12.500` or `+12.500` is got."""

    def __init__(self, **kwargs: Any) -> None:
        # The keypads for numbers have no minus.
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}))
        super().__init__(largest=LARGEST_TOTAL, **kwargs)

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # see above
        text = value.strip() if isinstance(value, str) else ""
        sign = -1 if text.startswith(("-", MINUS)) else 1
        amount = super().to_python(text[1:] if text.startswith(("-", "+", MINUS)) else text)
        return None if amount is None else sign * amount
