"""What the card picker needs from the server: the deck as it is drawn, and the words that its script may say."""

import json
from typing import NamedTuple

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.cards import DECK, SUITS, Card, format_card, rank_of, suit_of
from scoring.engine.hand_input import HAND_SIZE, ROW_SIZES

register = template.Library()


class DeckCard(NamedTuple):
    """A card of the deck: its canonical text, what is seen of it, and its name."""

    text: str
    suit: str
    rank: str
    sign: str
    name: str


@register.simple_tag
def deck() -> list[list[DeckCard]]:
    """`{% deck as suits %}`: spades, hearts, clubs, diamonds, each from the ace down. Red and black alternate."""
    return [[_deck_card(card) for card in reversed(DECK) if SUITS[suit_of(card)] == suit] for suit in "shcd"]


def _deck_card(card: Card) -> DeckCard:
    suit = suit_of(card)
    return DeckCard(
        format_card(card),
        SUITS[suit],
        wording.rank_text(rank_of(card)),
        wording.SUIT_SIGNS[suit],
        wording.card_name(card),
    )


@register.simple_tag
def picker_words() -> str:
    """`{% picker_words %}`: the texts of the script as JSON. Where a number matters there is one for each number."""
    return json.dumps(
        {
            "toGo": [_to_go(count) for count in range(max(ROW_SIZES.values()) + 1)],
            "missing": [_missing(count) for count in range(HAND_SIZE + 1)],
            "ready": _("Everyone is ready"),
            "taken": _("{card} is with {player}"),
            "full": _("{player} has 13 cards"),
            "turn": _("Now {player}"),
            "lifted": _("Tap another slot: the two cards swap"),
            "emptySlot": _("{row} {place}, empty"),
            "filledSlot": _("{row} {place}, {card}: take it out"),
            "toldRow": _("{row}, “{text}”: change it"),
            "rowsOf": _("The rows of {player}"),
            "handOf": _("The hand of {player}"),
            "owned": _("{card}, {player}"),
            "cleared": _("{player}: cleared"),
            "marked": _("{player}: {state}"),
            "swapped": _("{player}: middle and back swapped"),
            "unread": _("“{text}” is not understood here. Try f, m or b and cards: b JsJhJd3c3d"),
            "offline": _("Not saved yet. It is sent again by itself."),
            "saved": _("All is saved again."),
        }
    )


def _to_go(count: int) -> str:
    return ngettext("%(count)s to go", "%(count)s to go", count) % {"count": count}


def _missing(count: int) -> str:
    text = ngettext("{player}: {count} card to go", "{player}: {count} cards to go", count)
    return text.replace("{count}", str(count))
