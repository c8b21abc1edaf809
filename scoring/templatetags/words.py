"""What is needed to tell rows by tapping: every row that people call, as a button, under its category."""

from collections.abc import Iterator
from typing import NamedTuple

from django import template
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from scoring import wording
from scoring.engine.cards import RANKS, SUITS
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset
from scoring.engine.told import Told, ToldError, read_told
from scoring.engine.words import format_told

register = template.Library()

# Short enough for a key 44 px wide.
_SHORT_NAMES = {
    "high_card": pgettext_lazy("on a small key", "High"),
    "pair": pgettext_lazy("on a small key", "Pair"),
    "two_pair": pgettext_lazy("on a small key", "Two pair"),
    "three_of_a_kind": pgettext_lazy("on a small key", "Three"),
    "straight": pgettext_lazy("on a small key", "Straight"),
    "flush": pgettext_lazy("on a small key", "Flush"),
    "full_house": pgettext_lazy("on a small key", "Full house"),
    "four_of_a_kind": pgettext_lazy("on a small key", "Four"),
    "straight_flush": pgettext_lazy("on a small key", "Straight flush"),
}


class Key(NamedTuple):
    """A row as it is called: the text that stands for it, what its key says, its name, the rows where it may be."""

    text: str
    label: str | Promise
    name: str
    rows: str
    suit: str = ""


class KeyGroup(NamedTuple):
    """The rows of one category; `head` is the category alone."""

    category: str
    head: Key
    keys: list[Key]


@register.simple_tag
def rows_to_tell(ruleset: Ruleset) -> list[KeyGroup]:
    """`{% rows_to_tell ruleset as groups %}`: the keys of all categories, the lowest first, each from the ace down. A
    royal flush is the straight flush to the ace."""
    return [_group(category, ruleset) for category in CATEGORIES if category in _SHORT_NAMES]


def _group(category: str, ruleset: Ruleset) -> KeyGroup:
    head = next(_keys([Told(category)], ruleset))._replace(label=_SHORT_NAMES[category])
    if category == "flush" and ruleset.flush_by_suit:
        told = [Told(category, (), suit) for suit in reversed(range(len(SUITS)))]
    else:
        told = [Told(category, (rank,)) for rank in reversed(range(len(RANKS)))]
    return KeyGroup(category, head, list(_keys(told, ruleset)))


def _keys(told: list[Told], ruleset: Ruleset) -> Iterator[Key]:
    """A key for each row that can be."""
    for one in told:
        rows = [row for row in ROWS if _can_be(one, row, ruleset)]
        if rows:
            name = wording.row_text(read_told(one, rows[0], ruleset))
            label = wording.SUIT_SIGNS[one.suit] if one.suit is not None else "".join(map(wording.rank_text, one.ranks))
            yield Key(format_told(one), label, name, " ".join(rows), "" if one.suit is None else SUITS[one.suit])


def _can_be(told: Told, row: str, ruleset: Ruleset) -> bool:
    try:
        read_told(told, row, ruleset)
    except ToldError:
        return False
    return True
