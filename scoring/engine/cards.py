"""Cards: 52 small integers, how they are read and how they are written (RULES 1)."""

import re
from collections.abc import Iterable
from typing import NewType

from scoring.engine.errors import ScoringError, gettext_noop

Card = NewType("Card", int)
"""rank * 4 + suit: a higher number is a higher card. Ranks 0..12 are 2..A, suits 0..3 are diamonds to spades."""

RANKS = "23456789TJQKA"
SUITS = "dchs"
DECK: tuple[Card, ...] = tuple(Card(number) for number in range(52))

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_SUIT_SIGNS = {"♦": "d", "♢": "d", "♣": "c", "♧": "c", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
_SUIT_READINGS = {sign: SUITS.index(suit) for sign, suit in _SUIT_SIGNS.items()}
_SUIT_READINGS |= {letter: number for number, suit in enumerate(SUITS) for letter in (suit, suit.upper())}
_RANK_READINGS = {letter: number for number, rank in enumerate(RANKS) for letter in (rank, rank.lower())}

# Letters are listed in both cases: ignoring case in Unicode would also let the Kelvin sign pass for a king.
_GAP = re.compile(r"[\s,]*")
_RANK = r"(1\s*0|[2-9TtJjQqKkAa])"
_SUIT = "([" + "".join(_SUIT_READINGS) + "])[\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]?"
_CARD = re.compile(_RANK + r"\s*" + _SUIT)
_RANK_ONLY = re.compile(_RANK)
_SUIT_FIRST = re.compile(_SUIT + r"\s*" + _RANK)
_WORD = re.compile(r"[^\s,]{1,12}")

_NOT_A_CARD = gettext_noop('"%(text)s" at position %(position)d is not a card')
_SUIT_BEFORE_RANK = gettext_noop('"%(text)s" at position %(position)d has the suit first; write the rank first')
_NO_SUIT = gettext_noop('"%(text)s" at position %(position)d is a rank without a suit')
_ONE_CARD = gettext_noop("expected one card, not %(count)d")


class CardError(ScoringError):
    """Text that is not a card; `text` is the offending part, `position` where it starts, counted from 1."""

    text: str
    position: int

    def __init__(self, message: str, text: str, position: int, **params: object) -> None:
        self.text = text
        self.position = position
        super().__init__(message, text=text, position=position, **params)


def rank_of(card: Card) -> int:
    """The rank, 0 for a two to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """The suit, 0 for diamonds, 1 clubs, 2 hearts, 3 spades."""
    return card & 3


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read any number of cards in any spelling of RULES 1, in the order in which they stand.

    >>> format_cards(parse_cards("10h,AS k♠"))
    'Th As Ks'

    Raises CardError naming the first text that is not a card. The same card twice is not an error here.
    """
    cards: list[Card] = []
    place = _end_of_gap(text, 0)
    while place < len(text):
        found = _CARD.match(text, place)
        if found is None:
            raise _error_at(text, place)
        rank = 8 if found[1][0] == "1" else _RANK_READINGS[found[1]]
        cards.append(Card(rank * 4 + _SUIT_READINGS[found[2]]))
        place = _end_of_gap(text, found.end())
    return tuple(cards)


def parse_card(text: str) -> Card:
    """Read exactly one card; raises CardError where the text is none, or more."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(_ONE_CARD, text, 1, count=len(cards))
    return cards[0]


def format_card(card: Card) -> str:
    """The canonical text of a card, such as `Ts`."""
    return _NAMES[card]


def format_cards(cards: Iterable[Card]) -> str:
    """The canonical text of several cards, such as `Ts Jh`."""
    return " ".join(_NAMES[card] for card in cards)


def _end_of_gap(text: str, place: int) -> int:
    gap = _GAP.match(text, place)
    return gap.end() if gap else place


def _error_at(text: str, place: int) -> CardError:
    """Say what is wrong with the text that starts here."""
    for pattern, message in ((_SUIT_FIRST, _SUIT_BEFORE_RANK), (_RANK_ONLY, _NO_SUIT), (_WORD, _NOT_A_CARD)):
        found = pattern.match(text, place)
        if found:
            return CardError(message, found[0], place + 1)
    return CardError(_NOT_A_CARD, text[place:], place + 1)
