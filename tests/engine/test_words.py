"""Rows told in words: what is understood, in three languages, and what is refused."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.engine.cards import DECK, RANKS, SUITS, CardError, parse_cards
from scoring.engine.hands import describe_row
from scoring.engine.rules import CATEGORIES, FRONT_CATEGORIES, ROWS, parse_ruleset
from scoring.engine.told import Told, ToldError, checked
from scoring.engine.words import format_told, parse_row, parse_told

CAPSA = parse_ruleset("capsa")
EVERYTHING_COMPARED = parse_ruleset({"preset": "capsa", "kickers": True})


def told(category: str, ranks: str = "", suit: str = "") -> Told:
    return Told(category, tuple(map(RANKS.index, ranks)), SUITS.index(suit) if suit else None)


OF_THE_RULES = {
    "full house J 3": told("full_house", "J3"),
    "Full House J dan 3": told("full_house", "J3"),
    "flush hati": told("flush", suit="h"),
    "straight 9": told("straight", "9"),
    "pair of As": told("pair", "A"),
    "two pair K 9": told("two_pair", "K9"),
    "KK5": told("pair", "K5"),
    "trips 7": told("three_of_a_kind", "7"),
    "quads 5": told("four_of_a_kind", "5"),
    "sf 9": told("straight_flush", "9"),
    "royal": told("royal_flush", "A"),
    "K high": told("high_card", "K"),
}

CATEGORY_WORDS = {
    "high_card": ["high", "high card", "HIGH-CARD", "kartu tinggi", "Kad Tinggi", "carta alta"],
    "pair": ["pair", "one pair", "pasang", "sepasang", "par", "pareja", "Una pareja"],
    "two_pair": ["two pair", "double pair", "two pairs", "dua pasang", "doble pareja", "dos pares", "2 pair"],
    "three_of_a_kind": ["trips", "set", "three of a kind", "three_of_a_kind", "tris", "tiga sejenis", "trío", "trio"],
    "straight": ["straight", "seri", "lurus", "escalera", "Straight!"],
    "flush": ["flush", "flus", "color", "FLUSH"],
    "full_house": ["full house", "full-house", "full", "fh", "FH", "boat", "ful"],
    "four_of_a_kind": ["quads", "four of a kind", "siki", "piting", "empat sejenis", "póker", "poker", "PÓKER"],
    "straight_flush": ["straight flush", "sf", "seri flush", "escalera de color", "Escalera de Color"],
    "royal_flush": ["royal", "royal flush", "escalera real"],
}

SUIT_WORDS = {
    "s": ["spade", "spades", "sekop", "sped", "pica", "picas", "♠", "♤", "♠️"],
    "h": ["heart", "hearts", "hati", "lekuk", "corazones", "corazón", "♥", "♡", "♥️"],
    "c": ["club", "clubs", "keriting", "kelawar", "tréboles", "trébol", "treboles", "♣", "♧"],
    "d": ["diamond", "diamonds", "wajik", "daiman", "diamantes", "diamante", "♦", "♢"],
}

RANK_WORDS = {
    "2": ["2", "2s", "2's", "two", "twos", "dua", "dos"],
    "3": ["3", "3s", "three", "threes", "tiga", "tres"],
    "4": ["4", "four", "empat", "cuatro", "cuatros"],
    "5": ["5", "five", "lima", "cinco"],
    "6": ["6", "six", "sixes", "enam", "seis"],
    "7": ["7", "seven", "tujuh", "siete", "sietes"],
    "8": ["8", "eight", "delapan", "lapan", "ocho"],
    "9": ["9", "nine", "sembilan", "nueve"],
    "T": ["10", "10s", "10’s", "t", "Ts", "ten", "tens", "sepuluh", "diez"],
    "J": ["J", "js", "jack", "Jacks", "jota", "jotas"],
    "Q": ["Q", "qs", "queen", "queens", "ratu", "dama", "damas", "reina"],
    "K": ["K", "Ks", "K's", "king", "kings", "raja", "rey", "reyes"],
    "A": ["A", "a", "as", "As", "AS", "ace", "aces", "ases"],
}


def listed(words: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(word, meaning) for meaning, of_one in words.items() for word in of_one]


@pytest.mark.parametrize(("text", "expected"), OF_THE_RULES.items(), ids=list(OF_THE_RULES))
def test_the_examples_of_the_rules(text: str, expected: Told) -> None:
    assert parse_row(text, "back", CAPSA) == expected


@pytest.mark.parametrize(("word", "category"), listed(CATEGORY_WORDS))
def test_words_for_categories(word: str, category: str) -> None:
    assert parse_row(word, "middle", CAPSA) == checked(Told(category), "middle", CAPSA)


@pytest.mark.parametrize(("word", "suit"), listed(SUIT_WORDS))
def test_words_for_suits(word: str, suit: str) -> None:
    assert parse_row(f"flush {word}", "back", CAPSA) == told("flush", suit=suit)


@pytest.mark.parametrize(("word", "rank"), listed(RANK_WORDS))
@pytest.mark.parametrize("pattern", ["pair {}", "sepasang {}", "pair of {}", "pareja de {}"])
def test_words_for_ranks(pattern: str, word: str, rank: str) -> None:
    assert parse_row(pattern.format(word), "front", CAPSA) == told("pair", rank)


SPELLINGS = [
    ("full house, jacks over threes", told("full_house", "J3")),
    ("full house jacks over 3s", told("full_house", "J3")),
    ("J full", told("full_house", "J")),
    ("jacks full of 3's", told("full_house", "J3")),
    ("raja full", told("full_house", "K")),
    ("full J♥ 3", told("full_house", "J3", "h")),
    ("ful J dengan 3", told("full_house", "J3")),
    ("full de J con 3", told("full_house", "J3")),
    ("flush hearts K 9", told("flush", "K9", "h")),
    ("flush K9 hearts", told("flush", "K9", "h")),
    ("flush K high", told("flush", "K")),
    ("Flush, king high in hearts", told("flush", "K", "h")),
    ("color de corazones rey alta", told("flush", "K", "h")),
    ("flush 2 K 5 9 7", told("flush", "K9752")),
    ("as alta", told("high_card", "A")),
    ("ace high, king kicker", told("high_card", "AK")),
    ("A high K", told("high_card", "AK")),
    ("as tinggi", told("high_card", "A")),
    ("kartu tinggi K Q", told("high_card", "KQ")),
    ("straight to 9", told("straight", "9")),
    ("straight 9 high", told("straight", "9")),
    ("seri 9 atas", told("straight", "9")),
    ("straight A", told("straight", "A")),
    ("straight 5", told("straight", "5")),
    ("straight ten spades", told("straight", "T", "s")),
    ("straight flush to 9", told("straight_flush", "9")),
    ("sf A", told("royal_flush", "A")),
    ("sf A hearts", told("royal_flush", "A", "h")),
    ("royal A ♠", told("royal_flush", "A", "s")),
    ("two pair 9 K", told("two_pair", "K9")),
    ("two pair kings and nines, five kicker", told("two_pair", "K95")),
    ("pair A kicker K", told("pair", "AK")),
    ("pair AA", told("pair", "A")),
    ("pair 10 10 K", told("pair", "TK")),
    ("trips 777", told("three_of_a_kind", "7")),
    ("quads 7 7 7 7", told("four_of_a_kind", "7")),
    ("two pair KK99", told("two_pair", "K9")),
    ("full house JJJ33", told("full_house", "J3")),
    ("full house 33JJJ", told("full_house", "J3")),
    ("JJJ33", told("full_house", "J3")),
    ("jjj 33", told("full_house", "J3")),
    ("33jjj", told("full_house", "J3")),
    ("J J J dan 3 3", told("full_house", "J3")),
    ("KK99", told("two_pair", "K9")),
    ("99KK5", told("two_pair", "K95")),
    ("kings kings five", told("pair", "K5")),
    ("KK 5 ♠", told("pair", "K5", "s")),
    ("KK259", told("pair", "K952")),
    ("777", told("three_of_a_kind", "7")),
    ("7777", told("four_of_a_kind", "7")),
    ("7777K", told("four_of_a_kind", "7K")),
    ("101010", told("three_of_a_kind", "T")),
    ("tt10", told("three_of_a_kind", "T")),
    ("  QUADS…5!  ", told("four_of_a_kind", "5")),
]


@pytest.mark.parametrize(("text", "expected"), SPELLINGS, ids=[text for text, _ in SPELLINGS])
def test_spellings(text: str, expected: Told) -> None:
    assert parse_row(text, "back", CAPSA) == expected


FRONTS = [
    ("KK5", told("pair", "K5")),
    ("5KK", told("pair", "K5")),
    ("5 K K", told("pair", "K5")),
    ("K95", told("high_card", "K95")),
    ("5 9 K", told("high_card", "K95")),
    ("king nine five", told("high_card", "K95")),
    ("K95 ♠", told("high_card", "K95", "s")),
    ("A32", told("high_card", "A32")),
    ("QQQ", told("three_of_a_kind", "Q")),
    ("KK", told("pair", "K")),
    ("high 4", told("high_card", "4")),
]


@pytest.mark.parametrize(("text", "expected"), FRONTS, ids=[text for text, _ in FRONTS])
def test_three_ranks_are_a_front(text: str, expected: Told) -> None:
    assert parse_row(text, "front", CAPSA) == expected


@pytest.mark.parametrize("text", ["As", "AsKsQs", "10h 9h", "qs jd ac", "3s", "A♠ K♠"])
def test_what_reads_as_cards_is_cards(text: str) -> None:
    assert parse_row(text, "front", CAPSA) == parse_cards(text)


UNKNOWN = [
    ("fulhouse J", "fulhouse"),
    ("full house of foo", "foo"),
    ("As full of foo", "foo"),
    ("pair Kh 5", "Kh"),
    ("flush h", "h"),
    ("straight 11", "11"),
    ("pair 1", "1"),
    ("pair ☃", "☃"),
    ("two pair K & nuñez", "nuñez"),
    ("Jh Js Jd 3c 3x", "3"),
    ("9 high straight", "straight"),
    ("K", "K"),
    ("K9", "K"),
    ("hearts flush", "hearts"),
    ("flush hearts spades", "spades"),
    ("sA Kd", "sA"),
    ("K hearts", "K"),
    ("AsKsXx", "Xx"),
]


@pytest.mark.parametrize(("text", "word"), UNKNOWN, ids=[text for text, _ in UNKNOWN])
def test_a_word_that_is_not_understood_is_named(text: str, word: str) -> None:
    with pytest.raises((ToldError, CardError), match=f'"{word}"'):
        parse_row(text, "back", CAPSA)


IMPOSSIBLE = [
    ("front", "straight 9", "straight cannot stand in the front"),
    ("front", "flush", "flush cannot stand in the front"),
    ("front", "two pair K 9", "two_pair cannot stand in the front"),
    ("front", "royal", "royal_flush cannot stand in the front"),
    ("front", "KKKK", "four_of_a_kind cannot stand in the front"),
    ("front", "pair A K Q", "too many ranks for pair: 3 instead of at most 2"),
    ("front", "trips 7 K", "too many ranks"),
    ("front", "high 3", "there is no high_card with 3"),
    ("back", "straight 9 8", "too many ranks for straight"),
    ("back", "full house J 3 2", "too many ranks"),
    ("back", "two pair K 9 5 3", "too many ranks"),
    ("back", "straight 4", "there is no straight to 4"),
    ("back", "sf 2", "there is no straight_flush to 2"),
    ("back", "royal K", "there is no royal_flush to K"),
    ("back", "flush 6", "there is no flush with 6"),
    ("back", "flush 9 8 7 6 5", "there is no flush with 9 8 7 6 5"),
    ("back", "flush A 5 4 3 2", "there is no flush with A 5 4 3 2"),
    ("back", "high A K Q J 10", "there is no high_card"),
    ("back", "flush K 9 J", "J is out of order"),
    ("back", "flush K K", "there is no flush of K K"),
    ("back", "pair K 5 9", "9 is out of order"),
    ("back", "pair K K K", "there is no pair of K K K"),
    ("back", "full house 3 3", "there is no full_house of 3 3"),
    ("back", "two pair 2", "there is no two_pair with 2"),
    ("back", "pair K 2", "there is no pair with K 2"),
    ("back", "KKKKK", "there is no row of K K K K K"),
    ("back", "KKQQJJ", "there is no row of"),
    ("back", "pair K diamonds", "d cannot be the suit that decides for pair"),
    ("back", "trips K ♣", "c cannot be the suit"),
    ("back", "quads K hearts", "h cannot be the suit"),
]


@pytest.mark.parametrize(("row", "text", "message"), IMPOSSIBLE, ids=[f"{row}: {text}" for row, text, _ in IMPOSSIBLE])
def test_what_cannot_be_is_refused(row: str, text: str, message: str) -> None:
    with pytest.raises(ToldError, match=message):
        parse_row(text, row, CAPSA)


def test_the_wheel_is_as_the_ruleset_has_it() -> None:
    without = parse_ruleset({"preset": "capsa", "wheel": "none"})
    for text in ("straight 5", "sf 5"):
        assert parse_told(text, "back", CAPSA).ranks == (RANKS.index("5"),)
        with pytest.raises(ToldError, match="to 5"):
            parse_told(text, "back", without)
    assert parse_told("flush A 5 4 3 2", "back", without) == told("flush", "A5432")


def test_nothing_is_no_row() -> None:
    assert parse_row("", "back", CAPSA) == ()
    with pytest.raises(ToldError, match="nothing is told"):
        parse_told("…", "back", CAPSA)


def everything_told(dealer: random.Random) -> tuple[str, Told]:
    """A row of random cards, and everything that can be told of it."""
    row = dealer.choice(ROWS)
    suit = dealer.randrange(4)
    deck = dealer.choice([DECK, DECK[suit::4], DECK[suit::4][-6:], DECK[32:]])
    reading = describe_row(dealer.sample(deck, 3 if row == "front" else 5), EVERYTHING_COMPARED)
    return row, Told(*reading)


def test_whatever_is_laid_can_be_told_and_read_back() -> None:
    dealer = random.Random(9)
    seen = set()
    for _ in range(3000):
        row, whole = everything_told(dealer)
        for known in range(len(whole.ranks) + 1):
            for suit in (None, whole.suit):
                part = checked(Told(whole.category, whole.ranks[:known], suit), row, CAPSA)
                assert parse_told(format_told(part), row, CAPSA) == part
        seen.add(whole.category)
    assert seen == set(CATEGORIES)


ALL_WORDS = sorted(
    word
    for meanings in (CATEGORY_WORDS, SUIT_WORDS, RANK_WORDS)
    for texts in meanings.values()
    for word in " ".join(texts).split()
)


@given(st.text() | st.lists(st.sampled_from([*ALL_WORDS, "of", "y", "foo", "Kh"]), max_size=8).map(" ".join))
@example("\ud800")
@example("a" * 100)
@example("'")
@example("KK\u0301")
def test_any_text_is_a_row_or_a_refusal(text: str) -> None:
    for row in ROWS:
        try:
            read = parse_row(text, row, CAPSA)
        except (ToldError, CardError) as error:
            assert str(error)
        else:
            assert read == parse_cards(text) if not isinstance(read, Told) else read == checked(read, row, CAPSA)
            assert not isinstance(read, Told) or row != "front" or read.category in FRONT_CATEGORIES
