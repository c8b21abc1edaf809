"""Cards as they are written and read (RULES 1)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import (
    DECK,
    RANKS,
    SUITS,
    CardError,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ts Jh", "Ts Jh"),
        ("AsKsQs", "As Ks Qs"),
        ("10h", "Th"),
        ("10H,10d", "Th Td"),
        ("1 0 s", "Ts"),
        ("aS kD", "As Kd"),
        ("A s K d", "As Kd"),
        ("  As ,Kd,\n2c ", "As Kd 2c"),
        ("A♠K♥Q♣J♦", "As Kh Qc Jd"),
        ("A♤ K♡ Q♧ J♢", "As Kh Qc Jd"),
        ("A♠️ 10♥️ Q♣︎ J♦️", "As Th Qc Jd"),
        ("9\N{NO-BREAK SPACE}s", "9s"),
        ("", ""),
        (" \t", ""),
    ],
)
def test_every_spelling_reads_as_the_same_cards(text: str, canonical: str) -> None:
    assert format_cards(parse_cards(text)) == canonical


@pytest.mark.parametrize(
    ("text", "offending", "position"),
    [
        ("sA", "sA", 1),
        ("As hK", "hK", 4),
        ("As Xx", "Xx", 4),
        ("As K", "K", 4),
        ("1s", "1s", 1),
        ("11s", "11s", 1),
        ("0s", "0s", 1),
        ("10", "10", 1),
        ("As;Kd", ";Kd", 3),
        ("A,s", "A", 1),
        ("Kelvin", "K", 1),
        ("\N{KELVIN SIGN}s", "\N{KELVIN SIGN}s", 1),
        ("A\N{LATIN SMALL LETTER LONG S}", "A", 1),
        ("As\N{ZERO WIDTH SPACE}Kd", "\N{ZERO WIDTH SPACE}Kd", 3),
        ("As\N{VARIATION SELECTOR-16}\N{VARIATION SELECTOR-16}", "\N{VARIATION SELECTOR-16}", 4),
        ("🂡", "🂡", 1),
    ],
)
def test_what_is_no_card_is_named_with_its_place(text: str, offending: str, position: int) -> None:
    with pytest.raises(CardError) as refused:
        parse_cards(text)
    assert (refused.value.text, refused.value.position) == (offending, position)
    assert offending in str(refused.value)


def test_the_suit_goes_after_the_rank() -> None:
    with pytest.raises(CardError, match="suit first"):
        parse_cards("sA")


@pytest.mark.parametrize("text", ["", "AsKs", "A"])
def test_one_card_is_exactly_one(text: str) -> None:
    with pytest.raises(CardError):
        parse_card(text)


def test_a_higher_card_is_a_higher_number() -> None:
    deck = [parse_card(rank + suit) for rank in RANKS for suit in SUITS]
    assert tuple(deck) == DECK == tuple(sorted(DECK))
    assert [(RANKS[rank_of(card)] + SUITS[suit_of(card)]) for card in DECK] == [format_card(card) for card in DECK]


@settings(deadline=None)
@given(st.lists(st.sampled_from(DECK)))
def test_parse_and_format_are_inverse(cards: list[int]) -> None:
    assert list(parse_cards(format_cards(cards))) == cards


@settings(deadline=None)
@given(st.text(alphabet=st.one_of(st.sampled_from("AaKkTt1092shcd♠♥♣♦ ,\ufe0f"), st.characters())))
def test_any_text_is_cards_or_an_error_with_a_place(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError as error:
        assert text[error.position - 1 :].startswith(error.text)
    else:
        assert parse_cards(format_cards(cards)) == cards
