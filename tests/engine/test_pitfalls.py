"""Mistakes that scorers have made, as small inputs, each under its id.

Cases with cards are run from the file as they stand; what the file says in words is written out here. Two halves of
cases are not the engine's: to offer "count as foul" for rows of the wrong size (P049) is up to the page, and the fee of
an evening (P088) is taken at the settle-up.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.engine.cards import parse_cards
from scoring.engine.hands import describe_row, row_tables
from scoring.engine.naturals import detect_natural
from scoring.engine.rounds import RoundError, score_round
from scoring.engine.rules import PRESETS, SWITCHES, Ruleset
from tests.engine.laid import ANA, ANA_PLAIN, BUDI, CITRA, DEWI, against, lay, pair, points, rules, score

FILE = Path(__file__).parents[1] / "data" / "pitfalls.jsonl"
CASES = {case["id"]: case for case in map(json.loads, FILE.read_text().splitlines())}
ROW_NAMES = ("front", "middle", "back")
CAPSA = PRESETS["capsa"]
POINTS = PRESETS["points"]
WESTERN = PRESETS["chinese-2-4"]


def rules_of(words: str) -> list[Ruleset]:
    """The rulesets under which a case holds, from the words of the file."""
    known: dict[str, list[Ruleset]] = {
        "all presets": list(PRESETS.values()),
        "ranks, no suits, wheel lowest": [POINTS],
        "suits break every tie (suit of the top card, spade>heart>club>diamond)": [rules(ties="suits")],
        "2-4, no royalties": [rules("chinese-2-4", bonuses={})],
        "Chinese poker 2-4, no royalties": [rules("chinese-2-4", bonuses={})],
        "bonus on top, rank-only ties": [rules("points", **SWITCHES["points"]["bonuses"])],
    }
    beginnings = {
        "seed 000": "capsa",
        "simple points": "points",
        "13 water": "thirteen-water",
        "wheel second": "thirteen-water",
    }
    return known.get(words) or [PRESETS[next(name for start, name in beginnings.items() if words.startswith(start))]]


def cases(*areas: str, holds: Callable[[dict[str, Any]], bool]) -> Any:
    found = [case for case in CASES.values() if case["area"] in areas and holds(case["input"])]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@cases("category", holds=lambda given: "row" in given)
def test_category(case: dict[str, Any]) -> None:
    for ruleset in rules_of(case["rules"]):
        assert describe_row(parse_cards(case["input"]["row"]), ruleset).category == case["expected"]["category"]


@cases("compare", holds=lambda given: "a" in given)
def test_comparison(case: dict[str, Any]) -> None:
    for ruleset in rules_of(case["rules"]):
        a, b = (row_tables(ruleset).strength(parse_cards(case["input"][side])) for side in ("a", "b"))
        assert ("a" if a > b else "b" if b > a else "tie") == case["expected"]["winner"]


@cases("legality", holds=lambda given: "front" in given)
def test_legal_order(case: dict[str, Any]) -> None:
    ana = lay("Ana", " / ".join(case["input"][row] for row in ROW_NAMES))
    for ruleset in rules_of(case["rules"]):
        status = score(ruleset, ana, lay("Budi", declare="pao")).players[0].status
        assert status == ("played" if case["expected"]["legal"] else "pao")


@cases(
    "super", "PAO", "foul", "bonus", "worked example",
    holds=lambda given: all(isinstance(hand, dict) and set(hand) == set(ROW_NAMES) for hand in given.values()),
)  # fmt: skip
def test_round(case: dict[str, Any]) -> None:
    hands = [lay(who, " / ".join(rows[row] for row in ROW_NAMES)) for who, rows in case["input"].items()]
    expected = case["expected"]
    for ruleset in rules_of(case["rules"]):
        scored = score_round(hands, ruleset)
        assert {player.who: player.points for player in scored.players} == expected["points"]
        assert {f"{pair.a}{pair.b}": pair.points for pair in scored.pairs} == expected["pairs"]
        assert [player.who for player in scored.players if player.status == "pao"] == expected["foul"]
        assert [player.who for player in scored.players if player.super] == expected["super"]


def test_every_case_is_run_or_written_out() -> None:
    """Those that hold no cards, or only some: each has its test below."""
    written = {f"P{number}" for name in globals() for number in re.findall(r"_p(\d{3})", name)}
    run = {
        case["id"] for case in CASES.values()
        if case["area"] in ("category", "compare", "legality") or "foul" in case["expected"]
    }  # fmt: skip
    assert run | written == set(CASES)


@pytest.mark.parametrize("preset", PRESETS)
def test_p047_a_card_twice_in_one_hand(preset: str) -> None:
    ana = lay("Ana", " / ".join(CASES["P047"]["input"].values()))
    with pytest.raises(RoundError, match="As stands here twice"):
        score(PRESETS[preset], ana, lay("Budi", declare="pao"))


def test_p049_rows_of_the_wrong_size() -> None:
    with pytest.raises(RoundError, match="4 cards instead of 3"):
        score(POINTS, "AsAhKdKc / QsQhQd7c / 9s9h9d9c2c", BUDI)


def test_p050_the_arrangement_comes_before_the_comparison() -> None:
    ana = score(POINTS, "AsKd2c / 9s9d8s8d7c / 6s6d5s5d4c", lay("Budi", declare="pao")).players[0]
    assert ana.status == "pao"


@pytest.mark.parametrize(("identity", "results"), [("P052", (1, 1, 1)), ("P053", (1, 0, 1)), ("P055", (1, 0, 0))])
def test_p052_p053_p055_rows_make_points(identity: str, results: tuple[int, int, int]) -> None:
    expected = CASES[identity]["expected"]["A points"]
    assert list(results) == next(iter(CASES[identity]["input"].values()))
    for name, preset in (("2-4", "chinese-2-4"), ("1-6", "chinese-1-6"), ("simple", "points")):
        assert pair(PRESETS[preset], ANA_PLAIN, against(*results)).points == expected[name]


def test_p073_a_dragon_is_owed_by_each() -> None:
    dragon = lay("Ana", declare="natural", natural="dragon")
    scored = score(CAPSA, dragon, BUDI, CITRA, DEWI)
    assert points(scored)[0] == 624
    assert [pair.points for pair in scored.pairs] == [208, 208, 208, 1, -1, -1]
    assert detect_natural(parse_cards(CASES["P073"]["input"]["A"]), CAPSA) == "dragon"


def test_p074_four_of_a_kind_as_two_pairs() -> None:
    hand = parse_cards(CASES["P074"]["input"]["hand"])
    assert detect_natural(hand, WESTERN) == "six_pairs"
    assert detect_natural(hand, rules("chinese-2-4", quads_are_two_pairs=False)) is None


@pytest.mark.parametrize("identity", ["P076", "P077", "P079"])
def test_p076_p077_p079_naturals_of_uneven_suits_and_wheels(identity: str) -> None:
    case = CASES[identity]
    assert detect_natural(parse_cards(case["input"]["hand"]), WESTERN) == case["expected"]["natural"]


def test_p080_only_the_stronger_natural_is_paid() -> None:
    dragon = lay("Ana", CASES["P080"]["input"]["hand"])
    assert points(score(WESTERN, dragon, lay("Budi", declare="surrender"))) == [13, -13]


def test_p082_a_natural_replaces_the_penalty_of_a_pao() -> None:
    hands = lay("Ana", declare="natural", natural="six_pairs"), lay("Budi", declare="pao")
    assert points(score(WESTERN, *hands)) == [3, -3]


def test_p083_a_natural_is_not_swept() -> None:
    scored = score(CAPSA, ANA, BUDI, CITRA, lay("Dewi", declare="natural", natural="dragon"))
    assert not scored.players[0].super
    assert [pair.points for pair in scored.pairs[:3]] == [16, 16, -208]


def test_p085_a_surrender_pays_only_legal_hands() -> None:
    budi = "KsQcJs / 5s5h4s3s8c / TsThTdTc2s"
    scored = score(WESTERN, lay("Ana", declare="surrender"), budi, lay("Citra", declare="pao"))
    assert [pair.points for pair in scored.pairs] == [-2, 0, 4 + 4]


def test_p086_two_surrenders_owe_nothing() -> None:
    assert points(score(WESTERN, *(lay(who, declare="surrender") for who in ("Ana", "Budi")))) == [0, 0]


def test_p088_the_fee_of_a_round() -> None:
    per_round = rules("capsa", naturals=[{"name": "dragon", "points": 3}])
    hands = lay("Ana", declare="natural", natural="dragon"), lay("Budi", declare="pao")
    assert score(per_round, *hands, stake=100).players[0].fee == 9
    per_session = rules("capsa", naturals=[{"name": "dragon", "points": 3}], room_fee_basis="session")
    assert score(per_session, *hands, stake=100).players[0].fee == 0


def test_p089_every_pair_has_its_stake() -> None:
    naturals = [
        {"name": "clean_dragon", "points": 4},
        {"name": "dragon", "points": 2},
        {"name": "all_low", "points": 1},
    ]
    names = {"A": "dragon", "B": "all_low", "C": "clean_dragon"}
    given, expected = CASES["P089"]["input"], CASES["P089"]["expected"]
    stakes = {frozenset(pair.split("-")): stake for pair, stake in given["stakes"].items()}
    hands = [lay(who, declare="natural", natural=name) for who, name in names.items()]
    scored = score_round(hands, rules(naturals=naturals), stakes=stakes)
    assert {f"{pair.a} v {pair.b}": pair.points for pair in scored.pairs} == given["points"]
    assert {player.who: player.money for player in scored.players} == expected["money"]


def test_p092_pao_costs_the_same_at_any_table() -> None:
    budi = "KsQcJs / 5s5h4s3s8c / TsThTdTc2s"
    scored = score(CAPSA, CITRA, budi, lay("Dewi", declare="pao"))
    assert [pair.points for pair in scored.pairs[1:]] == [12, 12 + 7]


def test_p094_a_bonus_belongs_to_its_row() -> None:
    scored = pair(CAPSA, "AsKd2c / 7s7h7dKc2d / 8s8h8d3c3d", lay("Budi", declare="pao"))
    assert (scored.points, scored.bonuses) == (12, ())


def test_p095_four_of_a_kind_broken_up() -> None:
    ana, budi = " / ".join(CASES["P095"]["input"].values()), "2d2c3c / 8s8d9s9d4c / QsQdQc5s5d"
    for ruleset, bonuses in (
        (CAPSA, [("front", 5)]),
        (rules("capsa", bonus_broken=True), [("front", 5), (None, 7)]),
    ):
        assert [(bonus.row, bonus.points) for bonus in pair(ruleset, ana, budi).bonuses] == bonuses


def test_p101_one_row_of_four_players() -> None:
    rows = ("JsJhJd3c3d", "AhKh9h7h5h", "5s6d7c8d9c", "AsAd8s6c4s")
    strengths = [row_tables(CAPSA).strength(parse_cards(row)) for row in rows]
    money = [sum(100 * ((mine > other) - (mine < other)) for other in strengths) for mine in strengths]
    assert money == list(CASES["P101"]["expected"]["money"].values())


def test_p103_four_players_by_their_rows() -> None:
    hands = {
        "Alex": "Qd7c4h / KsKd5h4c2d / 3s3d3c6h6d",
        "Bob": "As9c6c / JhJc8d5c4d / 7s7d7hQsQh",
        "Carol": "8s8h2c / AhAcQcJs9h / 2h3h4s5s6s",
        "Debbie": "9s9d5d / KhKcAdJd2s / TsTdThTc8c",
    }
    scored = score_round([lay(who, rows) for who, rows in hands.items()], rules(tembus_multiplier=1))
    assert {player.who: player.points for player in scored.players} == CASES["P103"]["expected"]


def test_p104_three_rows_with_a_bonus_each() -> None:
    bonuses = {
        "front": {"three_of_a_kind": 3},
        "middle": {"full_house": 2, "four_of_a_kind": 8, "straight_flush": 10},
        "back": {"four_of_a_kind": 4, "straight_flush": 5},
    }
    one, other = "QsQhQd / 9s9d9c4s4d / 2s2h2d2c7c", "AsKd3c / AcJc8c6c5c / 5h6h7h8h9h"
    assert points(score(rules(bonuses=bonuses), one, other)) == list(CASES["P104"]["expected"].values())


def test_p106_a_sweep_of_all_at_a_hundred() -> None:
    scored = score(rules("thirteen-water", super_players=3, bonuses={}), ANA, BUDI, CITRA, stake=100)
    assert scored.players[0].money == 2400
    assert [pair.money for pair in scored.pairs[:2]] == [1200, 1200]
