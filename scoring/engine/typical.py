"""Typical hands: what a layout is measured against where nobody's cards are known.

`typical_tables/` holds tables of three opponents, one a line, each hand as front, middle, back. They were dealt by
`deal` and laid by the advisor itself: at first everybody lays the strongest back and then the strongest middle; then
seat after seat changes to what brings most against all these hands, again and again until that is hardly anything.
`python -m scoring.engine.lay_typical` writes the files anew.

People lay otherwise where a full house in the middle or three of a kind in the front pays, so there are two files,
named after the presets under which they were laid: `points`, where rows and tembus are all that counts, and `pusoy`,
with the bonuses of most tables. Other presets' own typical hands would hardly change what is suggested: measured on
other deals, laid under the same preset, a suggestion is on average within 0.2 points of the best in a round of three
opponents, where laying the strongest back first loses more than 4.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from scoring.engine.cards import DECK, Card, parse_cards
from scoring.engine.hand_input import PAO, HandInput, Standing, hand_reader
from scoring.engine.hands import CATEGORIES, row_tables
from scoring.engine.opposition import OPPONENTS, Opposition
from scoring.engine.rules import ROWS, Ruleset

FILES = Path(__file__).parent / "typical_tables"
WITHOUT_BONUSES, WITH_BONUSES = "points", "pusoy"
"""The presets under which the typical hands were laid, which name the files."""

Hand = tuple[Card, ...]
"""Thirteen cards: three of the front, five of the middle, five of the back."""

_RARE = CATEGORIES.index("four_of_a_kind")


@lru_cache(maxsize=8)
def typical_opposition(ruleset: Ruleset) -> Opposition:
    """The typical tables as they stand under a ruleset."""
    pays_often = any(CATEGORIES.index(bonus.category) < _RARE for bonus in ruleset.bonuses)
    return opposition_of(typical_tables(WITH_BONUSES if pays_often else WITHOUT_BONUSES), ruleset)


def opposition_of(tables: Sequence[Sequence[Hand]], ruleset: Ruleset) -> Opposition:
    """Tables of three hands as they stand under a ruleset. A hand that its order of rows makes PAO is laid anew."""
    return Opposition([[_standing(hand, ruleset) for hand in table] for table in tables], ruleset)


@lru_cache
def typical_tables(preset: str) -> tuple[tuple[Hand, ...], ...]:
    """The tables laid under one of the two presets."""
    lines = (FILES / f"{preset}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(parse_cards(hand) for hand in line.split("|")) for line in lines)


def deal(number: int) -> list[Hand]:
    """The hands of three players from a deck shuffled by a hash, which gives the same cards for ever and everywhere."""
    deck = sorted(DECK, key=lambda card: sha256(b"%d %d" % (number, card)).digest())
    return [tuple(deck[13 * place : 13 * place + 13]) for place in range(OPPONENTS)]


def strongest_back_first(hand: Hand, ruleset: Ruleset) -> Hand:
    """The strongest back that the cards hold, then the strongest middle: a legal layout under any ruleset."""
    strength = row_tables(ruleset).strength
    back = max(combinations(hand, 5), key=strength)
    rest = [card for card in hand if card not in back]
    middle = max(combinations(rest, 5), key=strength)
    return (*[card for card in rest if card not in middle], *middle, *back)


def _standing(hand: Hand, ruleset: Ruleset) -> Standing:
    read = hand_reader(ruleset)
    standing = read(_as_laid(hand))
    return read(_as_laid(strongest_back_first(hand, ruleset))) if standing[0] == PAO else standing


def _as_laid(hand: Hand) -> HandInput:
    return HandInput(None, hand[:3], hand[3:8], hand[8:], declared=frozenset(ROWS))
