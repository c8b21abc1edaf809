"""Template tags of the product's look: cards, amounts, the mark, icons, QR codes.

All markup is built with `format_html`, so names and texts given by people are escaped.
"""

from collections.abc import Iterable

import segno
from django import template
from django.forms import BaseForm, BoundField
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from scoring import money, wording
from scoring.engine.cards import SUITS, Card, rank_of, suit_of

register = template.Library()

# Strokes on a 24 × 24 grid; colour and width come from the stylesheet.
ICONS = {
    "alert": '<path d="M12 4L2.5 20h19zM12 10v5m0 2.5v.01"/>',
    "arrow": '<path d="M4 12h15m-6-6l6 6-6 6"/>',
    "back": '<path d="M15 5l-7 7 7 7"/>',
    "chart": '<path d="M4 4v16h16M8 15l4-5 3 3 5-7"/>',
    "check": '<path d="M4 12.5l5 5L20 6.5"/>',
    "close": '<path d="M6 6l12 12M18 6L6 18"/>',
    "copy": '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V4h11v1"/>',
    "edit": '<path d="M4 20l1-5L16 4l4 4L9 19zM14 6l4 4"/>',
    "go": '<path d="M9 5l7 7-7 7"/>',
    "last": '<path d="M8 5h12v14H8l-6-7zM11 9.5l5 5m0-5l-5 5"/>',
    "more": '<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.5"/>',
    "people": '<circle cx="12" cy="8" r="4"/><path d="M4 21a8 8 0 0 1 16 0"/>',
    "print": '<path d="M7 9V3h10v6M7 17H4V9h16v8h-3"/><path d="M7 14h10v7H7z"/>',
    "rules": '<path d="M5 4h11l3 3v13H5zM9 10h6M9 14h6M9 18h3"/>',
    "settings": '<path d="M4 7h9.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0m4 0H20M4 17h2.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0m4 0H20"/>',
    "share": '<path d="M12 15V4m-4 4l4-4 4 4M5 12v7h14v-7"/>',
    "undo": '<path d="M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6"/>',
}

# The mark is a set hand: three cards in front, five in the middle, five at the back. Row, its height, its columns.
_MARK_ROWS = (
    (1, 1.6, (7.1, 13.3, 19.5)),
    (2, 11.8, (0.9, 7.1, 13.3, 19.5, 25.7)),
    (3, 22, (0.9, 7.1, 13.3, 19.5, 25.7)),
)


@register.simple_tag
def icon(name: str) -> SafeString:
    """`{% icon "share" %}`: an inline drawing without a name of its own; the button around it needs a label."""
    drawing = mark_safe(ICONS[name])  # noqa: S308 - one of the constants above
    return format_html('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', drawing)


@register.simple_tag
def mark(css_class: str = "mark") -> SafeString:
    """`{% mark %}`: the product's mark. `css_class` "fan" is the one that is dealt on a super."""
    cards = format_html_join(
        "",
        '<rect class="f{}" x="{}" y="{}" width="4.8" height="8" rx="1.3"/>',
        ((row, x, y) for row, y, columns in _MARK_ROWS for x in columns),
    )
    return format_html('<svg class="{}" viewBox="0 0 31 32" aria-hidden="true">{}</svg>', css_class, cards)


@register.simple_tag
def back(url: str, label: str) -> SafeString:
    """`{% back url label %}`: the arrow at the left of the bar; `label` says where it leads."""
    return format_html('<a class="icon-btn" href="{}" aria-label="{}">{}</a>', url, label, icon("back"))


@register.simple_tag(name="card")
def card_tag(card: Card) -> SafeString:
    """`{% card card %}`: one card as text, rank and sign to see, its full name to hear."""
    suit = suit_of(card)
    return format_html(
        '<span class="c c-{}"><span aria-hidden="true">{}<i>{}</i></span><span class="vh">{}</span></span>',
        SUITS[suit],
        wording.rank_text(rank_of(card)),
        wording.SUIT_SIGNS[suit],
        wording.card_name(card),
    )


@register.simple_tag
def cards(row: Iterable[Card] | None) -> SafeString:
    """`{% cards hand.front %}`: the cards of a row side by side, in the order given; nothing for an empty row."""
    shown = format_html_join(" ", "{}", ((card_tag(card),) for card in row or ()))
    return format_html('<span class="cards">{}</span>', shown) if shown else SafeString("")


@register.filter
def tone(number: int) -> str:
    """The class that colours what is won, lost or neither. The sign itself always stands in the text as well."""
    return "m-plus" if number > 0 else "m-minus" if number < 0 else "m-zero"


@register.filter
def sign(number: int) -> str:
    """A number of points with its sign: "+6", "−12" (U+2212), "0"."""
    return f"{number:+d}".replace("-", "−") if number else "0"


@register.simple_tag
def points(number: int) -> str:
    """`{% points 18 %}`: "+18 points"."""
    return ngettext("%(number)s point", "%(number)s points", abs(number)) % {"number": sign(number)}


@register.simple_tag
def amount(units: int, currency: str) -> str:
    """`{% amount line.amount currency %}`: minor units as written in that currency, without its symbol."""
    return money.format_amount(units, currency)


@register.simple_tag(name="money")
def money_tag(units: int, currency: str) -> str:
    """`{% money transfer.amount currency %}`: minor units with the symbol, for the single big amount of a page."""
    return money.format_money(units, currency)


@register.simple_tag
def signed(units: int, currency: str, symbol: bool = False) -> SafeString:
    """`{% signed balance currency %}`: sign first, then colour; `symbol=True` adds the currency."""
    written = money.format_money if symbol else money.format_amount
    return format_html('<span class="m {}">{}</span>', tone(units), written(units, currency, signed=True))


@register.simple_tag
def qr(text: str, label: str) -> SafeString:
    """`{% qr url label %}`: a QR code of `text` to be scanned; `label` says what it leads to."""
    code = segno.make(text, micro=False, error="m").svg_inline(omitsize=True, border=1, dark="#10231c")
    drawing = mark_safe(code)  # noqa: S308 - segno writes coordinates only, never the text
    return format_html('<div class="qr" role="img" aria-label="{}">{}</div>', label, drawing)


@register.filter
def field(form: BaseForm, name: str) -> BoundField:
    """`{{ form|field:name }}`: the field of a form whose name is only known while the page is drawn."""
    return form[name]
