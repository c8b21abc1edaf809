"""Cards that two hands of an open round claim, where one of the two is hidden: they stay with the first."""

from collections.abc import MutableMapping
from typing import Any

from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.cards import Card, CardError, format_cards, parse_cards
from scoring.engine.rules import ROWS
from scoring.ledger.book import LedgerError
from scoring.models import Hand


class CardTakenError(LedgerError):
    """Another hand holds some of the `cards`, one of the two being hidden: they were left out of `hand`, the rest is
    kept. The message does not tell whose hand it is."""

    def __init__(self, hand: Hand, cards: list[Card]) -> None:
        self.hand = hand
        self.cards = cards
        text = ngettext(
            "%(cards)s is in another hand already. Look at your card again; if it is right, ask the others too.",
            "%(cards)s are in other hands already. Look at your cards again; if they are right, ask the others too.",
            len(cards),
        )
        super().__init__(text % {"cards": ", ".join(map(wording.card_text, cards))})


def held_by_others(stands: Hand) -> set[Card]:
    """The cards that this hand must not claim: those of the others, where it or they are hidden.

    Two hands that the host sees are left to him: the entry page names both places.
    """
    others = stands.round.hands.exclude(pk=stands.pk)
    return {
        card for other in others if stands.is_veiled or other.is_veiled for row in ROWS for card in _cards(other, row)
    }


def _cards(hand: Hand, row: str) -> tuple[Card, ...]:
    """The cards of a row; none where it is no list of cards (yet)."""
    try:
        return parse_cards(getattr(hand, row))
    except CardError:
        return ()


def leave_out(fields: MutableMapping[str, Any], held: set[Card]) -> list[Card]:
    """Take the cards in `held` out of the rows of `fields`; gives those that were taken out."""
    taken: list[Card] = []
    for row in ROWS:
        try:
            cards = parse_cards(fields.get(row, ""))
        except CardError:
            continue
        if held.intersection(cards):
            taken += [card for card in cards if card in held]
            fields[row] = format_cards(card for card in cards if card not in held)
    return taken
