"""Who deals and who sits out: the rule by itself, without a database."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rotation import LARGEST_TABLE, next_dealer, propose


def evening(circle: str, count: int) -> tuple[list[str], list[str]]:
    """Who sat out and who dealt in `count` rounds that were played as proposed."""
    rounds: list[Sequence[str]] = []
    resting, dealers = [], []
    for _number in range(count):
        proposal = propose(circle, circle, rounds)
        dealers.append(next_dealer(circle, rounds, proposal.players))
        rounds.append(proposal.players)
        resting.append("".join(proposal.resting))
    return resting, dealers


@pytest.mark.parametrize(
    ("circle", "resting", "dealers"),
    [
        ("AB", ["", "", ""], "ABA"),
        ("ABCD", ["", "", "", "", ""], "ABCDA"),
        ("ABCDE", ["E", "A", "B", "C", "D", "E", "A"], "ABCDEAB"),
        ("ABCDEF", ["EF", "AB", "CD", "EF"], "ACEA"),
        ("ABCDEFG", ["EFG", "ABC", "DEF", "ABG", "CDE"], "ADGCF"),
        ("ABCDEFGH", ["EFGH", "ABCD", "EFGH"], "AEA"),
    ],
    ids=["two", "four", "five", "six", "seven", "eight"],
)
def test_an_evening_of_the_same_people(circle: str, resting: list[str], dealers: str) -> None:
    sat_out, dealt = evening(circle, len(resting))
    assert sat_out == resting
    assert "".join(dealt) == dealers


@given(st.integers(2, 12), st.integers(1, 60))
def test_nobody_sits_out_more_than_one_round_more_than_another(players: int, count: int) -> None:
    circle = "ABCDEFGHIJKL"[:players]
    resting, _dealers = evening(circle, count)
    times = [sum(player in away for away in resting) for player in circle]
    assert max(times) - min(times) <= 1
    assert all(len(away) == max(0, players - LARGEST_TABLE) for away in resting)


@given(st.integers(5, 8), st.integers(2, 60))
def test_nobody_sits_out_twice_in_a_row_where_four_have_just_played(players: int, count: int) -> None:
    resting, _dealers = evening("ABCDEFGH"[:players], count)
    assert not any(set(away) & set(again) for away, again in pairwise(resting))


def test_a_newcomer_plays_at_once_and_is_owed_nothing() -> None:
    rounds = ["ABCD", "BCDE", "ACDE"]
    assert "X" in propose("ABCDEX", "ABCDEX", rounds).players
    assert propose("ABCDEX", "ABCDEX", rounds).resting == ["C", "D"]


def test_whoever_sat_out_by_choice_plays_next() -> None:
    """The host chose Ana twice: she has not played at all and is not asked a third time."""
    assert propose("ABCDE", "ABCDE", ["BCDE", "BCDE"]).resting == ["C"]


def test_who_has_left_is_passed_over_and_comes_back_to_play() -> None:
    rounds = ["ABCD", "BCDE", "ACDE"]
    assert propose("ABCDE", "ABDE", rounds) == (["A", "B", "D", "E"], [])
    assert "C" in propose("ABCDE", "ABCDE", [*rounds, "ABDE"]).players


@pytest.mark.parametrize(
    ("rounds", "players", "dealer"),
    [
        ([], "ABCD", "A"),
        ([], "BCD", "B"),
        (["ABCD"], "ABCD", "B"),
        (["ABCD"], "ACD", "C"),
        (["ABCD", "ACD"], "ABCD", "D"),
        (["ABCD", "ACD", "ABCD"], "ABCD", "A"),
        (["CD"], "AB", "A"),
        (["C", "C"], "C", "C"),
    ],
)
def test_the_deal_goes_round_past_those_who_sit_out(rounds: list[str], players: str, dealer: str) -> None:
    assert next_dealer("ABCD", rounds, players) == dealer
