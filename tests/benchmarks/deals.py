"""What is measured on: tables of arranged hands, hands that are naturals, balances of an evening. All of it seeded."""

import random
from collections.abc import Callable
from itertools import combinations

from scoring.engine.cards import DECK, Card
from scoring.engine.hands import RowTables, row_tables
from scoring.engine.naturals import natural_detector
from scoring.engine.rounds import HandInput
from scoring.engine.rules import Ruleset

Table = list[HandInput]
PLAYERS = ("Ana", "Budi", "Citra", "Dewi")


def deal_tables(count: int, ruleset: Ruleset, dealer: random.Random) -> list[Table]:
    """Rounds of four arranged hands, one hand in twenty mis-set; deals with a natural are dealt again."""
    detect = natural_detector(ruleset)
    tables: list[Table] = []
    while len(tables) < count:
        deck = dealer.sample(DECK, 52)
        hands = [tuple(deck[place : place + 13]) for place in range(0, 52, 13)]
        if not any(detect(hand) for hand in hands):
            tables.append([_arranged(who, hand, ruleset, dealer) for who, hand in zip(PLAYERS, hands, strict=True)])
    return tables


def _arranged(who: str, cards: tuple[Card, ...], ruleset: Ruleset, dealer: random.Random) -> HandInput:
    """The best back that the cards hold, then the best middle."""
    tables = row_tables(ruleset)
    back = _best(cards, tables)
    rest = tuple(card for card in cards if card not in back)
    middle = _best(rest, tables)
    front = tuple(card for card in rest if card not in middle)
    if dealer.random() < 0.05:
        back, middle = middle, back
    return HandInput(who, front, middle, back)


def _best(cards: tuple[Card, ...], tables: RowTables) -> tuple[Card, ...]:
    return max(combinations(cards, 5), key=tables.strength)


def deal_hands(count: int, dealer: random.Random) -> list[tuple[Card, ...]]:
    """Thirteen cards, again and again."""
    return [tuple(dealer.sample(DECK, 13)) for _ in range(count)]


def deal_naturals(count: int, dealer: random.Random) -> list[tuple[Card, ...]]:
    """Hands made to be six pairs, three flushes, three straights or a dragon, in turn."""
    kinds = (_six_pairs, _three_flushes, _three_straights, _dragon)
    return [tuple(kinds[number % len(kinds)](dealer)) for number in range(count)]


def _six_pairs(dealer: random.Random) -> list[Card]:
    *pairs, odd = dealer.sample(range(13), 7)
    return [card for rank in pairs for card in dealer.sample(_of_rank(rank), 2)] + dealer.sample(_of_rank(odd), 1)


def _three_flushes(dealer: random.Random) -> list[Card]:
    suits = dealer.sample(range(4), 3)
    return [card for suit, size in zip(suits, (3, 5, 5), strict=True) for card in dealer.sample(DECK[suit::4], size)]


def _three_straights(dealer: random.Random) -> list[Card]:
    cards: list[Card] = []
    for size in (3, 5, 5):
        lowest = dealer.randrange(14 - size)
        for rank in range(lowest, lowest + size):
            cards.append(dealer.choice([card for card in _of_rank(rank) if card not in cards]))
    return cards


def _dragon(dealer: random.Random) -> list[Card]:
    return [dealer.choice(_of_rank(rank)) for rank in range(13)]


def _of_rank(rank: int) -> tuple[Card, ...]:
    return DECK[rank * 4 : rank * 4 + 4]


Balances = dict[str, int]


def small_balances(people: int, dealer: random.Random) -> Balances:
    """An evening of twelve rounds for one, three or six points a pair: many smallest plans."""
    balances = [0] * people
    for _ in range(12):
        for winner, loser in combinations(dealer.sample(range(people), 4), 2):
            points = dealer.choice((-6, -3, -1, 1, 3, 6))
            balances[winner] += points
            balances[loser] -= points
    return _named(balances)


def money_balances(people: int, dealer: random.Random) -> Balances:
    """Large odd sums, of which no part is zero."""
    balances = [dealer.randrange(-(10**7), 10**7) for _ in range(people - 1)]
    return _named([*balances, -sum(balances)])


def _named(balances: list[int]) -> Balances:
    return {f"Player {number:02}": amount for number, amount in enumerate(balances, start=1)}


KINDS_OF_BALANCES: dict[str, Callable[[int, random.Random], Balances]] = {
    "small": small_balances,
    "money": money_balances,
}
