"""Rounds with rows told in words: how far what is told decides, what is asked for, and that it ends as cards do."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.cards import DECK, RANKS, SUITS
from scoring.engine.hand_input import HandInput
from scoring.engine.hands import describe_row
from scoring.engine.rounds import Need, RoundError, RoundNeeds, RoundScore, Won, read_hand, score_points, score_round
from scoring.engine.rules import CATEGORIES, ROWS, Ruleset, parse_ruleset
from scoring.engine.told import Told, compare_rows, needed_place, shared_rank, told_strength
from scoring.engine.words import parse_row
from tests.engine.laid import ANA, BUDI, CITRA, lay, rules, score
from tests.engine.test_reference import NAMES, arranged, rulesets, stacked_deck

SUITS_ONLY = rules("capsa", bonuses={})
SUITS_AND_KICKERS = rules("capsa", kickers=True, flush_by_suit=False, bonuses={})
RANKS_ONLY = rules("points")


def tell(who: str, rows: str, ruleset: Ruleset, **said: Any) -> HandInput:
    """A hand from its rows as a host types them, front / middle / back; a row may be missing."""
    texts = dict(zip(ROWS, rows.split("/"), strict=True))
    read = {row: parse_row(text, row, ruleset) for row, text in texts.items() if text.strip()}
    return HandInput.of_rows(who, read, **said)


def backs(one: str, other: str, ruleset: Ruleset, **more: Any) -> RoundScore:
    """A round of two in which only the backs matter."""
    hands = [tell(who, f"high 4 / high 8 / {text}", ruleset) for who, text in (("Ana", one), ("Budi", other))]
    free = [Won(row, "Ana", "Budi", 1) for row in ("front", "middle")]
    return score_round(hands, ruleset, won=[*free, *more.pop("won", ())], **more)


DECIDED = [
    (SUITS_ONLY, "full house J 3", "flush hearts", 1, "category"),
    (SUITS_ONLY, "full house J", "full house 10 A", 1, "rank"),
    (SUITS_ONLY, "straight 9", "straight 10", -1, "rank"),
    (SUITS_ONLY, "straight 5", "straight 6", -1, "rank"),
    (SUITS_ONLY, "straight A", "straight K", 1, "rank"),
    (SUITS_ONLY, "flush hearts", "flush clubs A K", 1, "suit"),
    (SUITS_ONLY, "flush hearts K", "flush hearts Q", 1, "rank"),
    (SUITS_ONLY, "pair A", "pair K spades", 1, "rank"),
    (SUITS_ONLY, "pair A spades", "pair A", 1, "suit"),
    (SUITS_ONLY, "pair A", "pair A clubs", 1, "suit"),
    (SUITS_ONLY, "pair A hearts", "pair A spades", -1, "suit"),
    (SUITS_ONLY, "two pair K 9 ♣", "two pair K 9", -1, "suit"),
    (SUITS_ONLY, "straight 9", "straight 9 diamonds", 1, "suit"),
    (SUITS_ONLY, "straight 9", "straight 9 ♠", -1, "suit"),
    (SUITS_ONLY, "sf 9", "royal", -1, "category"),
    (SUITS_ONLY, "royal ♠", "royal", 1, "suit"),
    (SUITS_ONLY, "sf A", "sf K", 1, "category"),
    (SUITS_ONLY, "quads 7", "quads 5", 1, "rank"),
    (SUITS_AND_KICKERS, "flush A clubs", "flush K spades", 1, "rank"),
    (SUITS_AND_KICKERS, "pair A K", "pair A Q spades", 1, "kicker"),
    (SUITS_AND_KICKERS, "high A K Q J 9 ♠", "high A K Q J 9", 1, "suit"),
    (RANKS_ONLY, "pair A K Q J", "pair A K Q J", 0, "equal"),
    (RANKS_ONLY, "straight 9", "straight 9", 0, "equal"),
    (RANKS_ONLY, "royal", "royal", 0, "equal"),
    (RANKS_ONLY, "flush A K 9 8 7", "flush A K 9 8 7", 0, "equal"),
    (RANKS_ONLY, "flush A clubs", "flush K spades", 1, "rank"),
    (RANKS_ONLY, "two pair K 9 5", "two pair K 9 4", 1, "kicker"),
    (rules(wheel="second"), "straight 5", "straight K", 1, "rank"),
    (rules(wheel="second"), "straight 5", "straight A", -1, "rank"),
    (rules(flush_by_suit=True), "flush ♥", "flush ♣ A K Q J 9", 1, "suit"),
]


@pytest.mark.parametrize(
    ("ruleset", "one", "other", "result", "by"), DECIDED, ids=[f"{d[1]} – {d[2]}" for d in DECIDED]
)
def test_what_is_told_decides(ruleset: Ruleset, one: str, other: str, result: int, by: str) -> None:
    for texts, expected in (((one, other), result), ((other, one), -result)):
        reason = backs(*texts, ruleset).pairs[0].row_reasons[2]
        assert reason == ("back", expected, by)


UNDECIDED = [
    (SUITS_ONLY, "flush", "flush", "suit", "both"),
    (SUITS_ONLY, "flush ♠", "flush", "suit", "other"),
    (SUITS_ONLY, "flush ♠ K", "flush Q", "suit", "other"),
    (SUITS_ONLY, "flush ♥", "flush ♥", "rank", "both"),
    (SUITS_ONLY, "flush ♥ K", "flush ♥", "rank", "other"),
    (SUITS_ONLY, "flush ♥ K Q", "flush ♥ K", "rank", "other"),
    (SUITS_ONLY, "full house J", "full house", "rank", "other"),
    (SUITS_ONLY, "straight", "straight 9", "rank", "one"),
    (SUITS_ONLY, "straight 9", "straight 9", "suit", "both"),
    (SUITS_ONLY, "straight 9 hearts", "straight 9", "suit", "other"),
    (SUITS_ONLY, "pair A hearts", "pair A", "suit", "other"),
    (SUITS_ONLY, "pair", "pair", "rank", "both"),
    (SUITS_ONLY, "pair A K", "pair A", "suit", "both"),
    (SUITS_ONLY, "full house", "full house 9", "rank", "one"),
    (SUITS_ONLY, "two pair K", "two pair K 9", "rank", "one"),
    (SUITS_AND_KICKERS, "pair A K", "pair A", "rank", "other"),
    (SUITS_AND_KICKERS, "flush ♠ K", "flush K", "rank", "both"),
    (SUITS_AND_KICKERS, "pair A ♠", "pair A", "rank", "both"),
    (RANKS_ONLY, "high A K", "high A K Q", "rank", "one"),
    (RANKS_ONLY, "pair A", "pair A", "rank", "both"),
    (rules(kickers=False), "pair A", "pair A", "rank", "both"),
    (rules(flush_by_suit=True), "flush", "flush ♥ A", "suit", "one"),
]


@pytest.mark.parametrize(
    ("ruleset", "one", "other", "place", "whose"), UNDECIDED, ids=[f"{u[1]} – {u[2]}" for u in UNDECIDED]
)
def test_what_is_needed_is_asked_of_whoever_has_not_told_it(
    ruleset: Ruleset, one: str, other: str, place: str, whose: str
) -> None:
    with pytest.raises(RoundNeeds) as error:
        backs(one, other, ruleset)
    asked = {"one": ["Ana"], "other": ["Budi"], "both": ["Ana", "Budi"]}[whose]
    assert list(error.value.needs) == [Need(who, "back", place) for who in asked]
    for result in (1, -1):
        pair = backs(one, other, ruleset, won=[Won("back", "Ana", "Budi", result)]).pairs[0]
        assert pair.row_reasons[2] == ("back", result, "host")


IMPOSSIBLE = [
    (SUITS_ONLY, "full house J 3", "full house J"),
    (SUITS_ONLY, "trips 7", "trips 7"),
    (SUITS_ONLY, "quads 7", "quads 7"),
    (SUITS_ONLY, "pair A spades", "pair A spades"),
    (SUITS_ONLY, "straight 9 ♥", "straight 9 ♥"),
    (SUITS_ONLY, "royal ♥", "royal ♥"),
    (SUITS_ONLY, "flush ♥ K Q J 9 8", "flush ♥ K Q J 9 8"),
    (RANKS_ONLY, "full house J 3", "full house J 3"),
    (RANKS_ONLY, "trips 7 K Q", "trips 7 K Q"),
    (RANKS_ONLY, "quads 7", "quads 7"),
    (RANKS_ONLY, "flush ♥ K Q J 9 8", "flush ♥ K Q J 9 8"),
]


@pytest.mark.parametrize(("ruleset", "one", "other"), IMPOSSIBLE, ids=[f"{i[1]} – {i[2]}" for i in IMPOSSIBLE])
def test_equals_that_one_deck_does_not_have_are_refused(ruleset: Ruleset, one: str, other: str) -> None:
    with pytest.raises(RoundError, match="one deck has not enough cards") as error:
        backs(one, other, ruleset)
    assert (error.value.who, error.value.row) == ("Ana", "back")


def test_two_pairs_of_kings_can_be_equal_and_a_third_cannot() -> None:
    hands = [tell(who, "AKQ / KKQJT / straight", RANKS_ONLY) for who in NAMES[:3]]
    level = [Won("back", a, b, 0) for a, b in combinations(NAMES[:3], 2)]
    assert score_points(hands[:2], RANKS_ONLY, won=level[:1]) == (0, 0)
    with pytest.raises(RoundError, match="rank K"):
        score_points(hands, RANKS_ONLY, won=level)


def test_row_one_of_the_rules() -> None:
    told = ["full house J 3", "flush hati", "straight 9", "pair of As"]
    hands = [tell(who, f"high / high / {text}", RANKS_ONLY) for who, text in zip(NAMES, told, strict=True)]
    level = [Won(row, a, b, 0) for row in ("front", "middle") for a, b in combinations(NAMES, 2)]
    assert [player.money for player in score_round(hands, RANKS_ONLY, 100, won=level).players] == [300, 100, -100, -300]


def test_the_example_of_the_rules_by_words_alone() -> None:
    capsa = rules("capsa")
    told = {
        "Ana": "pair A / full house Q 7 / quads 9",
        "Budi": "K Q J / pair 5 / two pair 10 6",
        "Citra": "K J 8 / pair 3 / two pair J 4",
        "Dewi": "8 7 6 / pair 10 / two pair A 5",
    }
    scored = score_round([tell(who, rows, capsa) for who, rows in told.items()], capsa)
    by_cards = score(capsa, ANA, BUDI, CITRA, "8s7h6c / TdTc7s3c2d / AdAc5d5cKc")
    assert scored.players[0].points == 66
    assert [player.points for player in scored.players] == [player.points for player in by_cards.players]
    assert [pair.rows for pair in scored.pairs] == [pair.rows for pair in by_cards.pairs]
    assert scored.players[0].super
    assert scored.players[0].rows == {
        "front": ("pair", (12,), None),
        "middle": ("full_house", (10, 5), None),
        "back": ("four_of_a_kind", (7,), None),
    }


def test_all_needs_of_a_round_are_told_at_once() -> None:
    ana = tell("Ana", "pair A / flush / quads 9", SUITS_ONLY)
    budi = tell("Budi", "pair A / flush hearts / quads 5", SUITS_ONLY)
    citra = tell("Citra", "high / flush hearts / sf", SUITS_ONLY)
    with pytest.raises(RoundNeeds) as error:
        score_round([ana, budi, citra], SUITS_ONLY)
    assert list(error.value.needs) == [
        ("Ana", "front", "suit"),
        ("Ana", "middle", "suit"),
        ("Budi", "front", "suit"),
        ("Budi", "middle", "rank"),
        ("Citra", "middle", "rank"),
    ]
    assert str(error.value).startswith("needed: Ana: suit of the front, Ana: suit of the middle, Budi: ")
    assert error.value.undecided == (
        ("front", "Ana", "Budi", False),
        ("middle", "Ana", "Budi", False),
        ("middle", "Ana", "Citra", False),
        ("middle", "Budi", "Citra", False),
    )


def test_a_row_that_the_host_decided_is_not_asked_for_again() -> None:
    hands = [tell(who, "AKQ / KK / straight", RANKS_ONLY) for who in NAMES[:3]]
    won = [Won(row, a, b, 0) for row in ("middle", "back") for a, b in combinations(NAMES[:3], 2)][1:]
    with pytest.raises(RoundNeeds) as error:
        score_round(hands, RANKS_ONLY, won=won)
    assert error.value.needs == (("Ana", "middle", "rank"), ("Budi", "middle", "rank"))
    assert error.value.undecided == (("middle", "Ana", "Budi", True),)


def test_cards_and_words_meet_in_one_round() -> None:
    ruleset = rules("capsa")
    told = tell("Budi", "K Q J / pair 5 / TsTh6s6h2s", ruleset)
    assert score(ruleset, ANA, told).pairs[0].rows == {"front": 1, "middle": 1, "back": 1}
    same = tell("Budi", "K Q J / pair 5 / quads 9", ruleset)
    with pytest.raises(RoundError, match="rank 9 for this row and that of Budi"):
        score(ruleset, ANA, same)
    aces = tell("Budi", "AAK / trips 5 / straight", ruleset)
    assert score(ruleset, ANA, aces).pairs[0].row_reasons[0] == ("front", 1, "suit")  # Ana shows the spade
    kings = tell("Budi", "KQJ / pair 5 / TsTh6s6h2s", ruleset)
    with pytest.raises(RoundNeeds) as error:
        score(ruleset, ANA.replace("AsAhKd", "KhQcJd"), kings)
    assert error.value.needs == (("Budi", "front", "suit"),)


def test_a_card_of_a_row_by_cards_is_nobody_elses() -> None:
    with pytest.raises(RoundError, match="9s is also in the back of Ana"):
        score(SUITS_ONLY, ANA, tell("Budi", "high 4 / high 8 / TsTh9s6h2s", SUITS_ONLY))


PAO = [
    (SUITS_ONLY, "high / flush / straight 9", ("middle", "back")),
    (SUITS_ONLY, "high / pair K / pair Q spades", ("middle", "back")),
    (SUITS_ONLY, "high / pair K spades / pair K", ("middle", "back")),
    (SUITS_ONLY, "high / pair K / pair K clubs", ("middle", "back")),
    (SUITS_ONLY, "high / pair K hearts / pair K", None),
    (SUITS_ONLY, "high / pair K / pair K", None),
    (SUITS_ONLY, "high / flush / flush", None),
    (SUITS_ONLY, "pair A / pair K / straight", ("front", "middle")),
    (SUITS_ONLY, "pair K A / pair K Q / straight", None),
    (SUITS_ONLY, "pair K spades / pair K hearts / straight", None),
    (SUITS_AND_KICKERS, "pair K A / pair K Q / straight", ("front", "middle")),
    (SUITS_AND_KICKERS, "pair K Q / pair K Q J 10 / straight", None),
    (SUITS_AND_KICKERS, "pair K Q / pair K / straight", None),
    (RANKS_ONLY, "K Q 9 / high K Q 8 7 5 / straight", ("front", "middle")),
    (RANKS_ONLY, "K Q 9 / high K Q / straight", None),
    (RANKS_ONLY, "KsQs9c / high K J / straight", ("front", "middle")),
    (RANKS_ONLY, "high 4 / AsAhKdQdJc / pair A K Q 10", ("middle", "back")),
    (RANKS_ONLY, "high 4 / AsAhKdQdJc / pair A K Q", None),
]


@pytest.mark.parametrize(("ruleset", "rows", "fault"), PAO, ids=[p[1] for p in PAO])
def test_pao_only_where_what_is_told_proves_it(ruleset: Ruleset, rows: str, fault: tuple[str, str] | None) -> None:
    hand = tell("Ana", rows, ruleset)
    reading = read_hand(hand, ruleset)
    assert reading.status == ("pao" if fault else "played")
    assert (reading.pao and reading.pao[1:]) == fault
    other = tell("Budi", "2 3 5 / high 7 / two pair", ruleset, declare="pao")
    player = score_round([hand, other], ruleset).players[0]
    assert (player.status, player.pao) == (reading.status, reading.pao)


def test_rows_of_a_hand_that_is_pao_are_not_compared() -> None:
    capsa = rules("capsa")
    pao = tell("Ana", "pair / flush / straight", capsa)
    legal = tell("Budi", "trips 2 / straight / full house", capsa)
    pair = score_round([pao, legal], capsa).pairs[0]
    assert (pair.rows, pair.cause) == ({"front": -1, "middle": -1, "back": -1}, "pao")
    assert pair.points == -(3 * 4 + 5)


def test_a_told_hand_may_be_given_up() -> None:
    ruleset = rules("chinese-2-4")
    legal = tell("Budi", "high / pair / flush", ruleset)
    for declare, points in (("pao", -4), ("surrender", -2)):
        hand = tell("Ana", "high / pair / flush", ruleset, declare=declare)
        assert score_round([hand, legal], ruleset).players[0].points == points


def test_a_told_hand_is_a_natural_only_by_declaration() -> None:
    ruleset = rules("chinese-2-4")
    legal = tell("Budi", "high / pair / flush", ruleset)
    straights = "high 4 3 2 / straight 9 / straight K"
    declared = tell("Ana", straights, ruleset, declare="natural", natural="three_straights")
    scored = score_round([declared, legal], ruleset)
    assert (scored.players[0].status, scored.players[0].points) == ("natural", 3)
    assert score_round([tell("Ana", straights, ruleset), tell("Budi", "high K / pair / flush", ruleset)], ruleset)
    with pytest.raises(RoundError, match="must be named"):
        score_round([tell("Ana", straights, ruleset, declare="natural"), legal], ruleset)
    same = tell("Budi", "2s3s4c / straight / straight", ruleset, declare="natural", natural="three_straights")
    with pytest.raises(RoundError, match="the cards are needed"):
        score_round([declared, same], ruleset)


def test_a_told_row_earns_the_bonus_of_its_category() -> None:
    capsa = rules("capsa")
    one = tell("Ana", "trips 7 / full house / sf 9", capsa)
    other = tell("Budi", "pair A / flush / quads", capsa)
    pair = score_round([one, other], capsa).pairs[0]
    assert [(bonus.to, bonus.row, bonus.points) for bonus in pair.bonuses] == [
        ("Ana", "front", 5),
        ("Ana", "middle", 3),
        ("Ana", "back", 9),
    ]
    limited = rules("capsa", bonus_limit=1)
    assert [bonus.row for bonus in score_round([one, other], limited).pairs[0].bonuses] == ["back"]
    declared = rules("capsa", bonus_declared=True)
    said = tell("Ana", "trips 7 / full house / sf 9", declared, declared=frozenset(["middle"]))
    assert [bonus.row for bonus in score_round([said, other], declared).pairs[0].bonuses] == ["middle"]


def test_a_royal_is_one_by_its_ace() -> None:
    capsa = rules("capsa")
    other = tell("Budi", "high K / pair / flush", capsa)
    for text, points in (("sf K", 9), ("sf A", 11), ("royal", 11), ("sf", 9)):
        assert score_round([tell("Ana", f"high A / two pair / {text}", capsa), other], capsa).pairs[0].bonus == points


def test_what_is_held_broken_counts_only_by_cards() -> None:
    ruleset = rules("capsa", bonus_broken=True)
    other = tell("Budi", "high K / pair 2 / flush", ruleset)
    by_cards = lay("Ana", "9s9hAd / 9d9c2c2h5d / KsKhKdQsQh")
    partly = tell("Ana", "9s9hAd / 9d9c2c2h5d / full house K Q", ruleset)
    assert score_round([by_cards, other], ruleset).pairs[0].bonuses[-1].row is None
    assert score_round([partly, other], ruleset).pairs[0].bonuses == ()


def test_a_hand_can_be_read_as_far_as_it_is_told() -> None:
    reading = read_hand(tell("Ana", "/ flush hearts / full house J", SUITS_ONLY), SUITS_ONLY)
    assert reading.status == "incomplete"
    assert reading.rows == {"middle": ("flush", (), 2), "back": ("full_house", (9,), None)}
    without_kickers = read_hand(tell("Ana", "pair K 5 / pair A K Q J spades /", SUITS_ONLY), SUITS_ONLY)
    assert without_kickers.rows == {"front": ("pair", (11,), None), "middle": ("pair", (12,), 3)}
    without_suits = read_hand(tell("Ana", "pair K 5 spades / flush ♥ / straight 9 ♥", RANKS_ONLY), RANKS_ONLY)
    assert without_suits.rows == {
        "front": ("pair", (11, 3), None),
        "middle": ("flush", (), 2),
        "back": ("straight", (7,), None),
    }


REFUSED_HANDS = [
    ({"told": {"middle": Told("pair"), "back": Told("flush")}}, "Ana, front: this row is missing"),
    (
        {"told": {"front": Told("flush"), "middle": Told("pair"), "back": Told("flush")}},
        "Ana, front: flush cannot stand",
    ),
    (
        {"told": {"front": Told("pair"), "middle": Told("straight", (2,)), "back": Told("flush")}},
        "Ana, middle: there is no",
    ),
]


@pytest.mark.parametrize(("fields", "message"), REFUSED_HANDS, ids=[message for _, message in REFUSED_HANDS])
def test_what_cannot_be_scored_is_refused(fields: Mapping[str, Any], message: str) -> None:
    with pytest.raises(RoundError, match=message):
        score_round([HandInput("Ana", **fields), tell("Budi", "high / pair / flush", SUITS_ONLY)], SUITS_ONLY)


def test_a_row_is_told_or_laid() -> None:
    told = {"front": Told("pair")}
    whole = lay("Ana", ANA.replace("/", ""), told=told)
    with pytest.raises(RoundError, match="all 13"):
        score(SUITS_ONLY, whole, BUDI)
    twice = HandInput("Ana", front=whole.row("cards")[:3], told=told, declare="pao")
    with pytest.raises(RoundError, match="Ana, front: a row told in words does not go together"):
        score(SUITS_ONLY, twice, BUDI)


REFUSED_ANSWERS = [
    ([Won("side", "Ana", "Budi", 1)], "won: expected a row, not 'side'"),
    ([Won("back", "Ana", "Eka", 1)], "won: expected two players of this round, not Ana – Eka"),
    ([Won("back", "Ana", "Ana", 1)], "won: expected two players"),
    ([Won("back", "Ana", "Budi", 2)], "won: expected 1, 0 or -1 as the result, not 2"),
    ([Won("back", "Ana", "Budi", True)], "won: expected 1, 0 or -1 as the result, not True"),
    ([Won("back", "Ana", "Budi", 1), Won("back", "Budi", "Ana", -1)], "won: the back of these two players"),
    ([Won("middle", "Ana", "Budi", -1)], "Ana, middle: what is told decides this row otherwise against Budi"),
    ([Won("back", "Ana", "Budi", 0)], "Ana, back: no tie is possible against Budi"),
]


@pytest.mark.parametrize(("won", "message"), REFUSED_ANSWERS, ids=[message for _, message in REFUSED_ANSWERS])
def test_results_that_cannot_be_are_refused(won: Sequence[Won], message: str) -> None:
    hands = [
        tell("Ana", "pair A / trips 9 / straight 9", SUITS_ONLY),
        tell("Budi", "pair K / pair / straight 9", SUITS_ONLY),
    ]
    with pytest.raises(RoundError, match=message):
        score_round(hands, SUITS_ONLY, won=won)


def test_results_that_go_round_are_refused() -> None:
    hands = [tell(who, f"high {high} / pair / flush ♥", SUITS_ONLY) for who, high in zip(NAMES, "AKQ", strict=False)]
    around = [("Ana", "Budi"), ("Budi", "Citra"), ("Citra", "Ana")]
    middles = [Won("middle", "Ana", "Budi", 1), Won("middle", "Ana", "Citra", 1), Won("middle", "Budi", "Citra", 1)]
    with pytest.raises(RoundError, match="back: the results given for this row contradict each other"):
        score_round(hands, SUITS_ONLY, won=middles + [Won("back", a, b, 1) for a, b in around])


def test_a_result_that_nobody_needs_changes_nothing() -> None:
    hands = [lay("Ana", ANA), lay("Budi", BUDI)]
    won = [Won("back", "Budi", "Ana", -1)]
    assert score_round(hands, SUITS_ONLY, won=won) == score_round(hands, SUITS_ONLY)
    pao = lay("Ana", ANA, declare="pao")
    assert score_round([pao, hands[1]], SUITS_ONLY, won=won) == score_round([pao, hands[1]], SUITS_ONLY)


# Deals: what is known of every row by its cards is told in words, all of it or a part.


def whole_words(hand: HandInput, ruleset: Ruleset) -> dict[str, Told]:
    """Everything that can be told of the rows of a hand."""
    everything = parse_ruleset(ruleset.as_dict() | {"ties": "suits", "kickers": True})
    return {row: Told(*describe_row(hand.row(row), everything)) for row in ROWS}


def in_words(hand: HandInput, told: Mapping[str, Told]) -> HandInput:
    """The hand with some of its rows in words."""
    rows = {row: told.get(row, hand.row(row)) for row in ROWS}
    return HandInput.of_rows(hand.who, rows, declare=hand.declare, declared=hand.declared)


def deal(ruleset: Ruleset, dealer: random.Random) -> list[HandInput]:
    deck = stacked_deck(dealer)
    cast = NAMES[: dealer.choice((2, 3, 4))]
    return [arranged(who, deck[13 * seat : 13 * seat + 13], ruleset, dealer) for seat, who in enumerate(cast)]


def shortened(told: Told, dealer: random.Random) -> Told:
    """A part of what can be told of a row."""
    known = dealer.randint(0, len(told.ranks))
    suit = dealer.choice((told.suit, None))
    return Told(told.category, told.ranks[:known] if told.category != "royal_flush" else told.ranks, suit)


def next_told(told: Told, whole: Told, place: str) -> Told:
    """The row with what was asked for."""
    if place == "suit":
        return told._replace(suit=whole.suit)
    return told._replace(ranks=whole.ranks[: len(told.ranks) + 1])


LOWEST_SUITS = {"pair": 1, "two_pair": 1, "three_of_a_kind": 2, "full_house": 2, "four_of_a_kind": 3}
STRAIGHTS = ("straight", "straight_flush", "royal_flush")
KICKERS = {"pair": (1, 3), "two_pair": (0, 1), "three_of_a_kind": (0, 2), "four_of_a_kind": (0, 1)}


def places_of(told: Told, row: str, ruleset: Ruleset) -> list[float | None]:
    """The places of RULES 9 in the order of RULES 3, written down from there; None where one is not told."""
    category = told.category
    ranks: list[float | None] = list(told.ranks)
    if category in STRAIGHTS:
        # A wheel that is second-highest stands between the straights to the king and to the ace.
        order = [11.5 if rank == RANKS.index("5") and ruleset.wheel == "second" else rank for rank in told.ranks]
        compared: list[float | None] = [*order, None][:1]
    else:
        groups = {"two_pair": 2, "full_house": 2, "high_card": 0, "flush": 0}.get(category, 1)
        kickers = KICKERS.get(category, (3, 5) if not groups else (0, 0))[row != "front"]
        counted = ruleset.kickers or ruleset.ties == "split" or not groups
        compared = [*ranks, *[None] * 5][: groups + (kickers if counted else 0)]
    if category == "flush" and ruleset.flush_by_suit:
        return [told.suit, *compared]
    return [*compared, told.suit] if ruleset.ties == "suits" else compared


def walk(one: Told, other: Told, row: str, ruleset: Ruleset) -> tuple[int | None, str]:
    """The result of two rows of one category, or None and the place at which it is undecided."""
    first, second = places_of(one, row, ruleset), places_of(other, row, ruleset)
    for number, (ours, theirs) in enumerate(zip(first, second, strict=True)):
        suit_first = one.category == "flush" and ruleset.flush_by_suit
        is_suit = number == 0 if suit_first else ruleset.ties == "suits" and number == len(first) - 1
        if ours is not None and theirs is not None:
            if ours != theirs:
                return (1 if ours > theirs else -1), ""
        else:
            known, sign = (ours, 1) if theirs is None else (theirs, -1)
            if is_suit and not suit_first and known == SUITS.index("s"):
                return sign, ""
            if is_suit and not suit_first and known == LOWEST_SUITS.get(one.category, 0):
                return -sign, ""
            return None, "suit" if is_suit else "rank"
    return 0, ""


@settings(max_examples=60, deadline=None)
@given(ruleset=rulesets(), dealer=st.randoms(use_true_random=False))
def test_rows_compare_as_the_walk_of_the_rules(ruleset: Ruleset, dealer: random.Random) -> None:
    row = dealer.choice(ROWS)
    size = 3 if row == "front" else 5
    everything = parse_ruleset(ruleset.as_dict() | {"ties": "suits", "kickers": True})
    deck = stacked_deck(dealer)
    laid = [deck[place : place + size] for place in range(0, 50, size)]
    laid += [dealer.sample(DECK[suit::4], size) for suit in range(4)]
    told = [Told(*describe_row(cards, everything)) for cards in laid]
    for one, other in combinations([shortened(whole, dealer) for whole in told for _ in range(2)], 2):
        strengths = told_strength(one, row, ruleset), told_strength(other, row, ruleset)
        result = compare_rows(*strengths)
        if one.category != other.category:
            assert result == (1 if CATEGORIES.index(one.category) > CATEGORIES.index(other.category) else -1)
        elif shared_rank(*strengths) is None:
            expected, place = walk(one, other, row, ruleset)
            assert result == expected
            if expected is None:
                assert needed_place(*strengths)[0] == place


@settings(max_examples=100, deadline=None)
@given(ruleset=rulesets(), dealer=st.randoms(use_true_random=False))
def test_everything_told_scores_as_the_cards_do(ruleset: Ruleset, dealer: random.Random) -> None:
    ruleset = parse_ruleset(ruleset.as_dict() | {"bonus_broken": False})
    hands = deal(ruleset, dealer)
    told = []
    for hand in hands:
        words = {row: words for row, words in whole_words(hand, ruleset).items() if dealer.random() < 0.7}
        told.append(in_words(hand, words))
    assert score_round(told, ruleset) == score_round(hands, ruleset)
    assert score_points(told, ruleset) == score_points(hands, ruleset)


@settings(max_examples=150, deadline=None)
@given(ruleset=rulesets(), dealer=st.randoms(use_true_random=False))
def test_answering_one_need_after_the_other_ends_at_the_score_of_the_cards(
    ruleset: Ruleset, dealer: random.Random
) -> None:
    ruleset = parse_ruleset(ruleset.as_dict() | {"bonus_broken": False})
    hands = deal(ruleset, dealer)
    by_cards = score_round(hands, ruleset)
    # A hand of which too little is told to prove that it is PAO plays on: such hands are left as cards.
    whole = {hand.who: whole_words(hand, ruleset) for hand in hands}
    told = {
        player.who: {row: shortened(words, dealer) for row, words in whole[player.who].items()}
        for player in by_cards.players
        if player.status != "pao"
    }
    for _ in range(100):
        try:
            entered = [in_words(hand, told.get(hand.who, {})) for hand in hands]
            scored = score_round(entered, ruleset)
        except RoundNeeds as error:
            need = dealer.choice(error.needs)
            row = told[str(need.who)]
            row[need.row] = next_told(row[need.row], whole[str(need.who)][need.row], need.place)
        else:
            break
    assert scored.pairs == by_cards.pairs
    assert [player[:4] + player[5:] for player in scored.players] == [p[:4] + p[5:] for p in by_cards.players]


@settings(max_examples=60, deadline=None)
@given(ruleset=rulesets(), dealer=st.randoms(use_true_random=False))
def test_the_results_of_the_host_do_as_well(ruleset: Ruleset, dealer: random.Random) -> None:
    ruleset = parse_ruleset(ruleset.as_dict() | {"bonus_broken": False})
    hands = deal(ruleset, dealer)
    by_cards = score_round(hands, ruleset)
    told = [
        in_words(hand, {row: shortened(words, dealer) for row, words in whole_words(hand, ruleset).items()})
        if player.status == "played"
        else hand
        for hand, player in zip(hands, by_cards.players, strict=True)
    ]
    won = [Won(reason.row, pair.a, pair.b, reason.result) for pair in by_cards.pairs for reason in pair.row_reasons]
    dealer.shuffle(won)
    scored = score_round(told, ruleset, won=won)
    assert [pair[:12] for pair in scored.pairs] == [pair[:12] for pair in by_cards.pairs]
