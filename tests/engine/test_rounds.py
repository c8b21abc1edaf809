"""Whole rounds: rows, sweeps, super, PAO, naturals, surrender, money (RULES 4 to 7 and 11)."""

from itertools import product
from typing import Any

import pytest

from scoring.engine.cards import parse_cards
from scoring.engine.hands import row_tables
from scoring.engine.rounds import PaoReason, RowReason, score_round
from scoring.engine.rules import Ruleset
from tests.engine.laid import ANA, ANA_PLAIN, BUDI, CITRA, DEWI, against, lay, pair, points, rules, score

CAPSA = rules("capsa", room_fee_percent=0)
PLAIN = rules("points")
SUPER = rules("points", super_multiplier=4, super_players=3)
PAO_HAND = "8s7h6c / AdAc5d5cKc / TdTc7s3c2d"  # Dewi's rows, the middle above the back


class TestWorkedExamples:
    """RULES 11, one test for each."""

    def test_one_row_of_four_players(self) -> None:
        """The comparison of one row alone."""
        rows = ("JsJhJd3c3d", "AhKh9h7h5h", "5s6d7c8d9c", "AsAd8s6c4s")
        strengths = [row_tables(PLAIN).strength(parse_cards(row)) for row in rows]
        money = [sum(100 * ((mine > other) - (mine < other)) for other in strengths) for mine in strengths]
        assert money == [300, 100, -100, -300]

    def test_points_two_rows_to_one(self) -> None:
        one, other = "QsQd4c / KsKd8s8d3c / 6s6d6c6h2s", "AsKh7c / 7d8c9sTdJc / 2h5h8hThJh"
        assert points(score(PLAIN, one, other)) == [1, -1]

    @pytest.mark.parametrize(
        ("preset", "two_to_one", "two_and_a_tie", "all_three"), [("chinese-2-4", 2, 3, 4), ("chinese-1-6", 1, 2, 6)]
    )
    def test_two_four_and_one_six(self, preset: str, two_to_one: int, two_and_a_tie: int, all_three: int) -> None:
        ruleset = rules(preset)
        assert pair(ruleset, ANA_PLAIN, against(1, -1, 1)).points == two_to_one
        assert pair(ruleset, ANA_PLAIN, against(1, 0, 1)).points == two_and_a_tie
        assert pair(ruleset, ANA_PLAIN, against(1, 1, 1)).points == all_three

    def test_super_under_capsa(self) -> None:
        scored = score(rules("capsa"), ANA, BUDI, CITRA, DEWI)
        assert [pair.points for pair in scored.pairs if pair.a == "Ana"] == [12 + 3 + 7] * 3
        assert points(scored) == [66, -22, -24, -20]
        assert [player.super for player in scored.players] == [True, False, False, False]

    def test_every_pair_at_its_own_stake(self) -> None:
        """Ana and Budi play for 100, both play Citra for 10."""
        hands = [lay(who, declare="natural", natural=natural) for who, natural in SURE_POINTS]
        stakes = {frozenset(("Ana", "Budi")): 100}
        scored = score_round(hands, THREE_NATURALS, 10, stakes)
        assert [pair.points for pair in scored.pairs] == [2, -4, -4]
        assert [player.money for player in scored.players] == [160, -240, 80]


# The pair points 2, −4, −4 of the last worked example: naturals pay exactly what the ruleset says.
SURE_POINTS = (("Ana", "dragon"), ("Budi", "all_low"), ("Citra", "clean_dragon"))
THREE_NATURALS = rules(
    naturals=[
        {"name": "clean_dragon", "points": 4}, {"name": "dragon", "points": 2}, {"name": "all_low", "points": 1}
    ]
)  # fmt: skip


@pytest.mark.parametrize("results", list(product((1, 0, -1), repeat=3)), ids=str)
def test_each_row_is_won_lost_or_tied(results: tuple[int, int, int]) -> None:
    scored = pair(PLAIN, ANA_PLAIN, against(*results))
    assert tuple(scored.rows.values()) == results
    assert (scored.row_points, scored.multiplier) == (sum(results), 2 if abs(sum(results)) == 3 else 1)
    assert [reason.result for reason in scored.row_reasons] == list(results)


@pytest.mark.parametrize(
    ("results", "extra"),
    [
        ((1, 1, 1), 1),
        ((1, 1, 0), 1),
        ((1, 1, -1), 1),
        ((1, 0, 0), 0),
        ((1, 0, -1), 0),
        ((-1, -1, 1), -1),
        ((0, 0, 0), 0),
    ],
    ids=str,
)
def test_majority_needs_two_rows(results: tuple[int, int, int], extra: int) -> None:
    scored = pair(rules(majority_bonus=1), ANA_PLAIN, against(*results))
    assert scored.extra == extra
    assert scored.extras == ((("majority_bonus", extra),) if extra else ())


def test_two_wins_and_a_tie_are_no_sweep() -> None:
    scored = pair(rules(tembus_bonus=3), ANA_PLAIN, against(1, 0, 1))
    assert (scored.multiplier, scored.cause, scored.points) == (1, None, 2)


def test_a_sweep_multiplies_rows_and_adds_its_bonus() -> None:
    scored = pair(rules(row_points=3, tembus_bonus=5, majority_bonus=1), ANA_PLAIN, against(1, 1, 1))
    assert (scored.row_points, scored.multiplier, scored.cause) == (9, 2, "tembus")
    assert scored.extras == (("tembus_bonus", 5), ("majority_bonus", 1))
    assert scored.points == 9 * 2 + 6


def test_reasons_say_what_decided() -> None:
    scored = pair(CAPSA, ANA, BUDI)
    assert scored.row_reasons == (
        RowReason("front", 1, "category"), RowReason("middle", 1, "category"), RowReason("back", 1, "category"),
    )  # fmt: skip
    ties = pair(PLAIN, ANA_PLAIN, against(0, 1, -1))
    assert [reason.decided_by for reason in ties.row_reasons] == ["equal", "kicker", "rank"]


class TestSuper:
    def test_it_replaces_the_sweep(self) -> None:
        scored = score(SUPER, ANA, BUDI, CITRA, DEWI)
        assert [(pair.multiplier, pair.cause) for pair in scored.pairs[:3]] == [(4, "super")] * 3
        assert points(scored)[0] == 36

    def test_a_small_table_has_none(self) -> None:
        scored = score(SUPER, ANA, BUDI)
        assert (scored.pairs[0].multiplier, scored.players[0].super) == (2, False)

    def test_without_a_multiplier_there_is_none(self) -> None:
        assert not score(rules(super_players=2), ANA, BUDI).players[0].super

    def test_without_a_smallest_table_any_table_will_do(self) -> None:
        assert score(rules(super_multiplier=4), ANA, BUDI).pairs[0].multiplier == 4

    def test_a_pao_hand_counts_as_swept(self) -> None:
        scored = score(SUPER, ANA, BUDI, CITRA, PAO_HAND)
        assert scored.players[0].super
        assert [pair.multiplier for pair in scored.pairs[:3]] == [4, 4, 4]

    def test_even_where_all_others_are_pao(self) -> None:
        others = [lay(who, declare="pao") for who in ("Budi", "Citra", "Dewi")]
        scored = score(SUPER, ANA, *others)
        assert scored.players[0].super
        assert points(scored) == [36, -12, -12, -12]

    def test_a_pao_hand_has_none(self) -> None:
        others = [lay(who, declare="pao") for who in ("Budi", "Citra")]
        assert not any(player.super for player in score(SUPER, lay("Ana", ANA, declare="pao"), *others).players)

    @pytest.mark.parametrize("away", [{"declare": "natural", "natural": "dragon"}, {"declare": "surrender"}], ids=str)
    def test_a_natural_or_a_surrender_is_not_swept(self, away: dict[str, Any]) -> None:
        ruleset = rules(
            super_multiplier=4, super_players=3, surrender_points=3, naturals=[{"name": "dragon", "points": 13}]
        )
        scored = score(ruleset, ANA, BUDI, CITRA, lay("Dewi", **away))
        assert not scored.players[0].super
        assert [pair.multiplier for pair in scored.pairs[:2]] == [2, 2]

    @pytest.mark.parametrize(("by_pao", "by_super", "multiplier"), [(2, 4, 4), (6, 4, 6), (4, 4, 4)])
    def test_against_pao_the_larger_multiplier_counts(self, by_pao: int, by_super: int, multiplier: int) -> None:
        ruleset = rules(super_multiplier=by_super, super_players=3, pao_multiplier=by_pao)
        scored = score(ruleset, ANA, BUDI, CITRA, PAO_HAND)
        assert scored.pairs[2].multiplier == multiplier


class TestOrder:
    """RULES 4."""

    @pytest.mark.parametrize(
        ("ruleset", "rows", "reason"),
        [
            pytest.param(PLAIN, "KsKhQd / KdKcQhJsTd / AsAc2h2d3s", None, id="same-pair-same-kicker"),
            pytest.param(PLAIN, "KsKhAd / KdKcQhJsTd / AhAc2h2d3s", ("front", "middle"), id="front-kicker-above"),
            pytest.param(CAPSA, "KsKhAd / KdKcQhJsTd / AhAc2h2d3s", None, id="kickers-never-count"),
            pytest.param(CAPSA, "KsKdQd / KhKcQhJsTd / AsAc2h2d3s", None, id="front-suit-never-counts"),
            pytest.param(CAPSA, "AsQs9c / AhKh8d7c5c / 2s2d9h8h7h", None, id="high-card-second-rank"),
            pytest.param(CAPSA, "AsQs9c / AhQh8d7c5c / 2s2d9h8h7h", ("front", "middle"), id="high-card-third-rank"),
            pytest.param(PLAIN, "AsQs9c / AhQh9d7c5c / 2s2d9h8h7h", None, id="high-card-equal"),
            pytest.param(PLAIN, "QcJd4h / AsAhKd9s7s / AdAcKh9h7d", None, id="equal-ranks-are-legal"),
            pytest.param(CAPSA, "QcJd4h / AsAhKd9s7s / AdAcKh9h7d", ("middle", "back"), id="suits-between-five-cards"),
            pytest.param(CAPSA, "KcJd4h / Ts8s6s4s2s / AhKh9h5h3h", ("middle", "back"), id="flush-by-suit"),
            pytest.param(PLAIN, "KcJd4h / Ts8s6s4s2s / AhKh9h5h3h", None, id="flush-by-rank"),
            pytest.param(PLAIN, "7s7h7d / AsAhKdKc2s / 3h4d5c6d7c", ("front", "middle"), id="three-over-two-pair"),
            pytest.param(PLAIN, "3s3h4d / TsJsQsKsAs / 2h3c4h5h6h", ("middle", "back"), id="royal-in-the-middle"),
        ],
    )  # fmt: skip
    def test_order(self, ruleset: Ruleset, rows: str, reason: tuple[str, str] | None) -> None:
        other = lay("Budi", declare="pao")
        ana = score(ruleset, rows, other).players[0]
        assert ana.status == ("pao" if reason else "played")
        assert ana.pao == (PaoReason(False, *reason) if reason else None)

    def test_a_host_can_call_pao(self) -> None:
        ana = score(PLAIN, lay("Ana", ANA, declare="pao"), BUDI).players[0]
        assert (ana.status, ana.pao) == ("pao", PaoReason(declared=True))

    @pytest.mark.parametrize(
        "rows", ["", "AsAh / QsQhQd7c7d / 9s9h9d9c2c", "AsAhKdKc / QsQhQd7c7d / 9s9h9d9c2c", ANA[:6]]
    )
    def test_a_called_pao_may_have_any_number_of_cards(self, rows: str) -> None:
        ana = score(PLAIN, lay("Ana", rows, declare="pao"), BUDI).players[0]
        assert (ana.status, ana.rows, ana.points) == ("pao", None, -6)


class TestPao:
    def test_it_loses_three_rows_to_every_legal_hand(self) -> None:
        only = pair(rules(tembus_bonus=3, majority_bonus=1), BUDI, PAO_HAND)
        assert (tuple(only.rows.values()), only.multiplier, only.cause, only.extra) == ((1, 1, 1), 2, "pao", 4)
        assert only.row_reasons == ()
        assert only.points == 3 * 2 + 4

    def test_it_loses_nothing_to_another(self) -> None:
        scored = score(CAPSA, lay("Ana", declare="pao"), lay("Budi", declare="pao"))
        only = scored.pairs[0]
        assert (tuple(only.rows.values()), only.points, only.cause, only.multiplier) == ((0, 0, 0), 0, "both_pao", 1)

    def test_its_rows_stand_as_laid(self) -> None:
        dewi = score(CAPSA, ANA, BUDI, CITRA, PAO_HAND).players[3]
        assert dewi.rows["middle"].category == "two_pair"


class TestNaturals:
    """RULES 5 and 6: a natural stands outside the rows."""

    SIX_PAIRS = "2s2h4c / 4d6s6h8c8d / TsThQcQdAs"
    RULES = rules("chinese-2-4")

    def test_it_is_found_however_the_rows_lie(self) -> None:
        ana = score(self.RULES, self.SIX_PAIRS, lay("Budi", declare="pao")).players[0]
        assert (ana.status, ana.natural, ana.rows["back"].category) == ("natural", "six_pairs", "two_pair")

    def test_it_is_found_in_thirteen_cards(self) -> None:
        ana = score(self.RULES, lay("Ana", self.SIX_PAIRS.replace("/", " ")), lay("Budi", declare="pao")).players[0]
        assert (ana.status, ana.natural, ana.rows) == ("natural", "six_pairs", None)

    @pytest.mark.parametrize(
        ("declare", "status"),
        [("play", "played"), ("pao", "pao"), ("surrender", "surrendered"), ("natural", "natural")],
    )
    def test_the_host_may_say_otherwise(self, declare: str, status: str) -> None:
        ana = score(self.RULES, lay("Ana", self.SIX_PAIRS, declare=declare), lay("Budi", declare="pao")).players[0]
        assert ana.status == status
        assert (ana.natural is not None) == (status == "natural")

    def test_it_takes_its_points_from_everyone_alike(self) -> None:
        others = [lay("Budi", ANA), lay("Citra", declare="pao"), lay("Dewi", declare="surrender")]
        scored = score(self.RULES, lay("Ana", declare="natural", natural="dragon"), *others)
        assert [pair.points for pair in scored.pairs[:3]] == [13, 13, 13]
        first = scored.pairs[0]
        assert (first.rows, first.row_points, first.multiplier, first.bonus, first.cause) == (None, 0, 1, 0, "natural")
        assert first.extras == (("natural", 13),)

    def test_the_stronger_takes_its_own_points_even_if_they_are_fewer(self) -> None:
        ruleset = rules(naturals=[{"name": "dragon", "points": 2}, {"name": "six_pairs", "points": 9}])
        six_pairs, dragon = (
            lay(who, declare="natural", natural=name) for who, name in (("Ana", "six_pairs"), ("Budi", "dragon"))
        )
        assert points(score(ruleset, six_pairs, dragon)) == [-2, 2]

    def test_two_dragons_are_equal(self) -> None:
        hands = [lay(who, declare="natural", natural="dragon") for who in ("Ana", "Budi")]
        assert points(score(self.RULES, *hands)) == [0, 0]

    def test_six_pairs_compare_from_the_top(self) -> None:
        lower = "2d2c4s / 4h6d6c8s8h / TdTcQhQsKd"
        assert points(score(self.RULES, self.SIX_PAIRS, lower)) == [0, 0]
        higher = "3d3c4s / 4h6d6c8s8h / TdTcQhQsKd"
        assert points(score(self.RULES, self.SIX_PAIRS, higher)) == [-3, 3]


class TestSurrender:
    RULES = rules("chinese-1-6")
    GONE = lay("Ana", declare="surrender")

    def test_it_pays_a_legal_hand(self) -> None:
        only = pair(self.RULES, self.GONE, BUDI)
        assert (only.rows, only.points, only.cause, only.extras) == (None, -3, "surrender", (("surrender", -3),))

    @pytest.mark.parametrize("declare", ["pao", "surrender"])
    def test_it_pays_no_other(self, declare: str) -> None:
        only = pair(self.RULES, self.GONE, lay("Budi", declare=declare))
        assert (only.points, only.extras) == (0, ())

    def test_it_pays_no_bonus(self) -> None:
        assert pair(self.RULES, ANA, lay("Budi", declare="surrender")).points == 3

    def test_it_may_be_free(self) -> None:
        assert pair(rules(surrender_points=0), self.GONE, BUDI).points == 0


class TestMoney:
    """RULES 7."""

    def test_money_is_points_times_stake(self) -> None:
        scored = score(CAPSA, ANA, BUDI, CITRA, DEWI, stake=100)
        assert [player.money for player in scored.players] == [6600, -2200, -2400, -2000]
        assert [pair.stake for pair in scored.pairs] == [100] * 6

    @pytest.mark.parametrize("stake", [0, 1, 2**53 + 1, 2**63 - 1])
    def test_any_stake_is_exact(self, stake: int) -> None:
        assert score(PLAIN, ANA, BUDI, stake=stake).players[0].money == 6 * stake

    @pytest.mark.parametrize(
        ("percent", "winnings", "fee"),
        [(3, 300, 9), ("2.3", 3000, 69), (3, 33, 0), (3, 34, 1), (100, 7, 7), (0, 300, 0), ("0.1", 999, 0)],
    )
    def test_the_fee_is_exact_and_rounded_down(self, percent: object, winnings: int, fee: int) -> None:
        ruleset = rules(room_fee_percent=percent, tembus_multiplier=0, tembus_bonus=1)
        scored = score(ruleset, ANA_PLAIN, against(1, 1, 1), stake=winnings)
        ana, budi = scored.players
        assert (ana.money, ana.fee, ana.net, scored.house) == (winnings, fee, winnings - fee, fee)
        assert (budi.fee, budi.net) == (0, -winnings)

    def test_the_fee_is_of_the_net_win(self) -> None:
        """Ana has 6 points from Budi and loses 2 to Citra: the fee is on 4."""
        ruleset = rules(room_fee_percent=10, naturals=[{"name": "dragon", "points": 2}])
        citra = lay("Citra", declare="natural", natural="dragon")
        ana, _, dragon = score(ruleset, ANA, BUDI, citra, stake=100).players
        assert [(ana.money, ana.fee), (dragon.money, dragon.fee)] == [(400, 40), (400, 40)]

    def test_a_fee_of_the_session_is_not_taken_in_the_round(self) -> None:
        scored = score(rules("capsa", room_fee_basis="session"), ANA, BUDI, stake=100)
        assert (scored.house, scored.players[0].net) == (0, 1600)
