"""The best layouts of thirteen cards: legal, exact for their score, and those that a player would look for."""

import random
from collections.abc import Sequence
from itertools import permutations
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.advisor import Layout, best_against, best_layouts, suggest
from scoring.engine.bonuses import bonus_tables, hand_bonuses
from scoring.engine.cards import DECK, Card, format_cards, parse_cards
from scoring.engine.errors import ScoringError
from scoring.engine.hand_input import PAO, PLAYED, HandInput, Standing, hand_reader, order_fault
from scoring.engine.hands import describe_row, row_tables
from scoring.engine.lay_typical import TABLES, lay_typical_tables, text_of
from scoring.engine.opposition import Opposition, decisive
from scoring.engine.pairs import score_pairs
from scoring.engine.rounds import score_points
from scoring.engine.rules import PRESETS, ROWS, Ruleset, parse_ruleset
from scoring.engine.told import Told
from scoring.engine.typical import (
    FILES,
    WITH_BONUSES,
    WITHOUT_BONUSES,
    deal,
    opposition_of,
    strongest_back_first,
    typical_opposition,
    typical_tables,
)
from tests.benchmarks import literal
from tests.engine.laid import ANA, BUDI, CITRA, DEWI, lay, rules
from tests.engine.test_reference import deal as dealt_round
from tests.engine.test_reference import rulesets, stacked_deck

seeds = st.integers(0, 2**32)
any_rules = st.sampled_from(list(PRESETS.values())) | rulesets()
FEW_TABLES = [[strongest_back_first(hand, rules()) for hand in deal(number)] for number in range(12)]


def thirteen(seed: int) -> tuple[Card, ...]:
    """Some cards, rich in pairs, flushes or straights."""
    dealer = random.Random(seed)
    return tuple(dealer.sample(stacked_deck(dealer)[: dealer.choice((13, 20, 30, 52))], 13))


def strengths_of(layout: Layout, ruleset: Ruleset) -> tuple[int, int, int]:
    return row_tables(ruleset).lay(layout.front, layout.middle, layout.back)[:3]


def played(strengths: tuple[int, int, int], cards: Sequence[Card], ruleset: Ruleset) -> Standing:
    """A hand that is played with rows of these strengths and every bonus declared."""
    carried = hand_bonuses(*strengths, cards, ROWS, bonus_tables(ruleset))
    return PLAYED, *strengths, carried, tuple(cards), None, 0


def worth(strengths: tuple[int, int, int], cards: Sequence[Card], opposition: Opposition, ruleset: Ruleset) -> int:
    return opposition.total(*strengths, played(strengths, cards, ruleset)[4])


def told(layout: Layout) -> str:
    return " / ".join(format_cards(row).replace(" ", "") for row in layout[:3])


@settings(max_examples=40, deadline=None)
@given(any_rules, seeds, st.integers(1, 8))
def test_layouts_are_legal_use_every_card_once_and_do_not_beat_each_other(
    ruleset: Ruleset, seed: int, count: int
) -> None:
    cards = thirteen(seed)
    layouts = best_layouts(cards, opposition_of(FEW_TABLES, ruleset), ruleset, count)
    assert 1 <= len(layouts) <= count
    assert [layout.value for layout in layouts] == sorted([layout.value for layout in layouts], reverse=True)
    for layout in layouts:
        assert [len(row) for row in layout[:3]] == [3, 5, 5]
        assert sorted(layout.cards) == sorted(cards)
        assert all(list(row) == sorted(row, reverse=True) for row in layout[:3])
        assert order_fault(*strengths_of(layout, ruleset)) is None
        hand = HandInput("Ana", layout.front, layout.middle, layout.back, declare="play")
        assert hand_reader(ruleset)(hand)[0] == PLAYED
    for one, other in permutations(layouts, 2):
        rows = list(zip(strengths_of(one, ruleset), strengths_of(other, ruleset), strict=True))
        assert not (all(a >= b for a, b in rows) and one.value >= other.value)


@settings(max_examples=15, deadline=None)
@given(any_rules, seeds)
def test_layouts_are_the_best_of_every_split(ruleset: Ruleset, seed: int) -> None:
    cards, opposition = thirteen(seed), opposition_of(FEW_TABLES, ruleset)
    expected = literal.best_layouts(cards, ruleset, lambda rows: worth(rows, cards, opposition, ruleset), 5)
    layouts = best_layouts(cards, opposition, ruleset)
    assert [(layout.value, strengths_of(layout, ruleset)) for layout in layouts] == [
        (points / len(FEW_TABLES), rows) for points, rows in expected
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_suggestions_are_the_best_of_every_split(preset: str) -> None:
    ruleset = rules(preset)
    opposition = typical_opposition(ruleset)
    for seed in range(3):
        cards = thirteen(seed)
        expected = literal.best_layouts(cards, ruleset, lambda rows: worth(rows, cards, opposition, ruleset), 5)  # noqa: B023 - called at once
        assert [strengths_of(layout, ruleset) for layout in suggest(cards, ruleset)] == [rows for _, rows in expected]


@settings(max_examples=40, deadline=None)
@given(any_rules, seeds)
def test_the_worth_of_a_layout_is_what_it_brings_in_a_round_at_each_table(ruleset: Ruleset, seed: int) -> None:
    ruleset = parse_ruleset(ruleset.as_dict() | {"naturals": PRESETS["thirteen-water"].as_dict()["naturals"]})
    tables = [[hand_reader(ruleset)(as_laid(hand)) for hand in table] for table in FEW_TABLES]
    tables = [table for table in tables if all(standing[0] != PAO for standing in table)]
    opposition, cards = Opposition(tables, ruleset), thirteen(seed)
    in_one_deck = [[as_compared(standing) for standing in table] for table in tables]
    for layout in best_layouts(cards, opposition, ruleset):
        ours = as_compared(played(strengths_of(layout, ruleset), cards, ruleset))
        rounds = [score_pairs((ours, *table), ruleset)[0][:3] for table in in_one_deck]
        assert round(layout.value * len(tables)) == sum(points for pairs in rounds for _, _, _, points in pairs)


def as_compared(standing: Standing) -> Standing:
    """Without what could only matter if two players held three cards of a rank."""
    status, front, middle, back, carried, cards, natural, key = standing
    return status, decisive(front), decisive(middle), decisive(back), carried, cards, natural, key


def test_three_of_a_rank_are_never_compared_by_their_kickers() -> None:
    """Nobody else can have four aces: the seven helps in front, beside the jack."""
    best = suggest(parse_cards("Jh2h2c 9s9h9c7h5d AsAhAcAd4c"), rules("pusoy"))[0]
    assert told(best) == "Jh7h5d / 9s9h9c2h2c / AsAhAcAd4c"


def as_laid(hand: tuple[Card, ...]) -> HandInput:
    return HandInput(None, hand[:3], hand[3:8], hand[8:], declared=frozenset(ROWS))


@settings(max_examples=20, deadline=None)
@given(any_rules, seeds)
def test_the_order_of_the_cards_changes_nothing(ruleset: Ruleset, seed: int) -> None:
    cards, opposition = thirteen(seed), opposition_of(FEW_TABLES, ruleset)
    shuffled = random.Random(seed).sample(cards, 13)
    assert best_layouts(shuffled, opposition, ruleset) == best_layouts(cards, opposition, ruleset)


def test_the_first_of_more_layouts_are_the_same() -> None:
    cards = parse_cards("As Ac Kc Ts Th 9s 7s 7c 7d 6d 4s 4h 4c")
    assert suggest(cards, rules(), 12)[:5] == suggest(cards, rules())
    assert len(suggest(cards, rules(), 12)) == 12


def test_there_may_be_fewer_layouts_than_asked_for() -> None:
    cards = parse_cards("Ah2s3d4c5h 9cTcJdQsKc 6s6d7h")
    assert [told(layout) for layout in suggest(cards, rules("thirteen-water"))] == [
        "7h6s6d / KcQsJdTc9c / Ah5h4c3d2s",
        "9c6d2s / 7h6s5h4c3d / AhKcQsJdTc",
        "9c7h6d / 6s5h4c3d2s / AhKcQsJdTc",
    ]


FLUSHES = "2s4s6s8sTs 3d9dJdQdKd AhAc7c"
STRAIGHTS = "2s3d4c5hAh 9cTcJdQsKc 6s6d7h"
TRIPLES = "Jh2h2c 9s9h9c7h5d AsAhAcAd4c"
SUITED = "AdAhAs KdKhKs QdQhQs JdJh TdTh"


@pytest.mark.parametrize(
    ("cards", "preset", "expected"),
    [
        pytest.param(FLUSHES, "points", "AhAc7c / Ts8s6s4s2s / KdQdJd9d3d", id="the flush of the higher ranks behind"),
        pytest.param(FLUSHES, "capsa", "AhAc7c / KdQdJd9d3d / Ts8s6s4s2s", id="the flush of the higher suit behind"),
        pytest.param(STRAIGHTS, "points", "7h6s6d / Ah5h4c3d2s / KcQsJdTc9c", id="the wheel is the lowest straight"),
        pytest.param(STRAIGHTS, "thirteen-water", "7h6s6d / KcQsJdTc9c / Ah5h4c3d2s", id="the wheel is the second"),
        pytest.param(TRIPLES, "points", "Jh2h2c / 9s9h9c7h5d / AsAhAcAd4c", id="a pair in front for the row"),
        pytest.param(TRIPLES, "pusoy", "Jh7h5d / 9s9h9c2h2c / AsAhAcAd4c", id="a full house there for its bonus"),
        pytest.param(SUITED, "points", "KsKhKd / QsQhQdJhJd / AsAhAdThTd", id="three of a kind in front for the row"),
        pytest.param(SUITED, "pusoy", "AsKsQs / AdKdQdJdTd / AhKhQhJhTh", id="two royals for their bonuses"),
    ],
)
def test_the_first_suggestion_is_what_a_player_would_lay(cards: str, preset: str, expected: str) -> None:
    assert told(suggest(parse_cards(cards), rules(preset))[0]) == expected


def test_without_a_wheel_no_row_is_one() -> None:
    layouts = suggest(parse_cards(STRAIGHTS), rules(wheel="none"), 50)
    assert not [layout for layout in layouts if {card >> 2 for card in layout.middle} == {0, 1, 2, 3, 12}]


def test_a_bonus_can_make_the_weaker_row_the_better_one() -> None:
    """Three kings lie behind a full house everywhere, unless they alone pay."""
    cards = parse_cards("KsKhKd 5c5d 8s8h Jc9c6d3h2s4c")
    backs = [
        describe_row(suggest(cards, rules(bonuses={"back": bonus}))[0].back, rules()).category
        for bonus in ({}, {"three_of_a_kind": 90})
    ]
    assert backs == ["full_house", "three_of_a_kind"]


@pytest.mark.parametrize("cards", ["", "AsAhKd QsQhQd7c7d 9s9h9d9c", "AsAhKd QsQhQd7c7d 9s9h9d9cAs"])
def test_other_than_thirteen_different_cards_are_refused(cards: str) -> None:
    with pytest.raises(ScoringError, match="expected 13 different cards"):
        suggest(parse_cards(cards), rules())
    with pytest.raises(ScoringError, match="expected 13 different cards"):
        best_against(parse_cards(cards), [lay("Budi", BUDI)], rules())


# Against those on the table


@settings(max_examples=15, deadline=None)
@given(any_rules, seeds)
def test_the_best_against_the_table_is_the_best_of_every_split(ruleset: Ruleset, seed: int) -> None:
    ruleset = parse_ruleset(ruleset.as_dict() | {"surrender_points": 2})
    others = dealt_round(ruleset, random.Random(seed))[1:]
    cards = cards_left(others, seed)
    standings = list(map(hand_reader(ruleset), others))

    def points(rows: tuple[int, int, int]) -> int:
        pairs, _ = score_pairs((played(rows, cards, ruleset), *standings), ruleset)
        return sum(points for _, _, _, points in pairs[: len(others)])

    best = best_against(cards, others, ruleset)
    assert best.value == literal.best_layouts(cards, ruleset, points, 1)[0][0]
    assert best.value == score_points([as_played("Ana", best), *others], ruleset)[0]
    assert sorted(best.cards) == sorted(cards)


def cards_left(others: Sequence[HandInput], seed: int) -> tuple[Card, ...]:
    """Thirteen cards that nobody else has."""
    taken = {card for hand in others for row in ROWS for card in hand.row(row)}
    return tuple(random.Random(seed).sample([card for card in DECK if card not in taken], 13))


def as_played(who: str, layout: Layout) -> HandInput:
    return HandInput(who, layout.front, layout.middle, layout.back, declare="play", declared=frozenset(ROWS))


CAST = {"Ana": ANA, "Budi": BUDI, "Citra": CITRA, "Dewi": DEWI}


@pytest.mark.parametrize(
    ("who", "said", "laid", "points"),
    [
        pytest.param("Ana", {}, "AsAh2c / QsQhQd7c7d / Kd9s9h9c9d", 66, id="a super as it was laid"),
        pytest.param("Budi", {}, "KsQcJs / TsTh8c6h5h / 6s5s4s3s2s", 35, id="a straight flush instead of a flush"),
        pytest.param("Budi", {"declare": "pao"}, "KsQcJs / TsTh8c6h5h / 6s5s4s3s2s", 63, id="Ana is PAO"),
        pytest.param("Citra", {"declare": "pao"}, "JhJc4c / Jd8d6d4d3d / Kh8h4h3h2h", 36, id="Ana is PAO: a super"),
    ],
)
def test_what_could_have_been_in_the_round_of_rules_11(who: str, said: dict[str, Any], laid: str, points: int) -> None:
    others = [lay(name, hand, **(said if name == "Ana" else {})) for name, hand in CAST.items() if name != who]
    best = best_against(parse_cards(CAST[who].replace("/", "")), others, rules("capsa"))
    assert (told(best), best.value) == (laid, points)


@pytest.mark.parametrize(
    ("opponent", "points"),
    [
        pytest.param(lay("Budi", declare="natural", natural="dragon"), -13, id="a natural takes its points"),
        pytest.param(lay("Budi", declare="surrender"), 2, id="a surrender pays its points"),
        pytest.param(lay("Budi", declare="pao"), 3 + 1 + 2 + 4, id="PAO pays rows, majority and bonuses"),
    ],
)
def test_against_a_hand_without_rows(opponent: HandInput, points: int) -> None:
    best = best_against(parse_cards(ANA.replace("/", "")), [opponent], rules("chinese-2-4"))
    assert best.value == points


def test_of_equally_good_layouts_the_generally_best_is_chosen() -> None:
    cards, surrendered = parse_cards(TRIPLES), lay("Budi", declare="surrender")
    best, first = (
        best_against(cards, [surrendered], rules("pusoy", surrender_points=2)),
        suggest(cards, rules("pusoy"))[0],
    )
    assert best.cards == first.cards


def test_rows_in_words_cannot_be_played_against() -> None:
    opponent = HandInput.of_rows("Budi", {"front": Told("pair", (12,)), "middle": (), "back": ()})
    with pytest.raises(ScoringError, match="whose cards are known"):
        best_against(parse_cards(TRIPLES), [opponent], rules())


# Typical hands


@pytest.mark.parametrize("preset", [WITHOUT_BONUSES, WITH_BONUSES])
def test_typical_hands_are_those_that_were_dealt_and_well_laid(preset: str) -> None:
    tables, ruleset = typical_tables(preset), rules(preset)
    assert len(tables) == TABLES
    assert [list(map(sorted, table)) for table in tables] == [list(map(sorted, deal(n))) for n in range(TABLES)]
    opposition, left = typical_opposition(ruleset), []
    for hand in [hand for table in tables[::8] for hand in table]:
        strengths = row_tables(ruleset).lay(hand[:3], hand[3:8], hand[8:])[:3]
        assert order_fault(*strengths) is None
        best = best_layouts(hand, opposition, ruleset, 1)[0]
        left.append(best.value - worth(strengths, hand, opposition, ruleset) / TABLES)
    assert mean(left) < 0.05


def test_the_files_are_written_as_they_are_read() -> None:
    for preset in (WITHOUT_BONUSES, WITH_BONUSES):
        assert text_of(typical_tables(preset)) == (FILES / f"{preset}.txt").read_text(encoding="utf-8")


def test_typical_tables_are_laid_in_a_few_rounds_from_the_strongest_back_down() -> None:
    first = [[strongest_back_first(hand, rules()) for hand in deal(number)] for number in range(3)]
    tables = lay_typical_tables(3, rules())
    assert [list(map(sorted, table)) for table in tables] == [list(map(sorted, table)) for table in first]
    assert tables != first
    assert lay_typical_tables(3, rules()) == tables


@pytest.mark.parametrize("fields", [{"wheel": "none"}, {"wheel": "second"}, {"flush_by_suit": True}])
def test_a_typical_hand_that_other_rules_make_pao_is_laid_anew(fields: dict[str, Any]) -> None:
    ruleset = rules(**fields)
    read = hand_reader(ruleset)
    faulty = [hand for table in typical_tables(WITHOUT_BONUSES) for hand in table if read(as_laid(hand))[0] == PAO]
    assert faulty
    for hand in faulty:
        assert read(as_laid(strongest_back_first(hand, ruleset)))[0] == PLAYED
