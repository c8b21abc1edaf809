"""How the figures of statistics are written."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring import wording
from scoring.money import MINUS
from scoring.statistics.figures import Mean, Share

register = template.Library()


@register.filter
def percent(share: Share) -> str:
    """A share as it is read out: "52.3%"; a dash where there is nothing to have a share of."""
    if share.percent is None:
        return "–"
    return _("%(number)s%%") % {"number": number_format(share.percent, 1, use_l10n=True)}


@register.filter
def mean(value: Mean | None) -> str:
    """The mean of the points of rounds: "+0.83", "−1.20"; a dash where there are none."""
    return _signed(value.value) if value else "–"


@register.filter
def interval(value: Mean | None) -> str:
    """The interval of a mean: "+0.41 … +1.25"; empty where one round alone does not tell."""
    if value is None or value.low is None or value.high is None:
        return ""
    return f"{_signed(value.low)} … {_signed(value.high)}"


@register.filter
def tenths(number: float) -> str:
    """Points on average, as far as they are told: "+1.5"."""
    return _signed(number, 1)


@register.filter
def row_name(row: str) -> str:
    """A row as people call it: "front" → "Front"."""
    return str(wording.row_name(row))


def _signed(number: float, decimals: int = 2) -> str:
    number = round(number, decimals)
    text = str(number_format(abs(number), decimals, use_l10n=True))
    return {1: "+", -1: MINUS, 0: ""}[(number > 0) - (number < 0)] + text
