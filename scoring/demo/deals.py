"""Hands as people lay them: dealt from a seed, laid by the advisor, spoiled a little."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp
from random import Random

from scoring.engine.advisor import Layout, suggest
from scoring.engine.cards import DECK, Card
from scoring.engine.hand_input import HandInput
from scoring.engine.hands import describe_row, row_tables
from scoring.engine.naturals import detect_natural
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.told import Told

MOST_WAYS = 5  # that a person thinks of
_SLIP = 0.012  # how often the weakest player puts his rows down in the wrong order
_BLUNT, _SHARP = 9.0, 0.3  # points that the weakest and the best player do not see the difference of


def deal(chance: Random, players: int) -> list[tuple[Card, ...]]:
    """Thirteen cards for each player."""
    deck = list(DECK)
    chance.shuffle(deck)
    return [tuple(deck[13 * place : 13 * place + 13]) for place in range(players)]


def lay(cards: Sequence[Card], skill: float, ruleset: Ruleset, chance: Random) -> HandInput:
    """What somebody with this `skill` (0 to 1) makes of thirteen cards; nobody's yet, `who` is empty."""
    layout = _choose(suggest(cards, ruleset, MOST_WAYS), skill, chance)
    front, middle, back = layout.front, layout.middle, layout.back
    declare = ""
    if detect_natural(cards, ruleset):
        declare = "" if chance.random() < 0.6 + 0.4 * skill else "play"
    elif chance.random() < _SLIP * (1.1 - skill) and _differ(middle, back, ruleset):
        middle, back = back, middle
    return HandInput(None, front, middle, back, declare=declare)


def in_words(hand: HandInput, ruleset: Ruleset) -> HandInput:
    """The same hand as it is called out at the table, in as many words as these rules need."""
    told = {row: _told(hand.row(row), ruleset) for row in ROWS}
    return replace(hand, front=None, middle=None, back=None, told=told)


def _choose(layouts: Sequence[Layout], skill: float, chance: Random) -> Layout:
    """The best way mostly, and the less likely a way the more it costs; the weaker the player the more he misses."""
    blur = _SHARP + (_BLUNT - _SHARP) * (1 - skill)
    weights = [exp((layout.value - layouts[0].value) / blur) for layout in layouts]
    return chance.choices(layouts, weights)[0]


def _differ(middle: Sequence[Card], back: Sequence[Card], ruleset: Ruleset) -> bool:
    strength = row_tables(ruleset).strength
    return strength(middle) != strength(back)


def _told(row: Sequence[Card], ruleset: Ruleset) -> Told:
    reading = describe_row(tuple(row), ruleset)
    return Told(reading.category, reading.ranks, reading.suit)
