"""Bonuses: which row earns one, who collects it, and what it comes to (RULES 6.2)."""

from typing import Any

import pytest

from scoring.engine.rounds import HandInput
from scoring.engine.rules import Ruleset
from tests.engine.laid import lay, pair, rules

TABLE = {
    "front": {"three_of_a_kind": 5},
    "middle": {"full_house": 3, "four_of_a_kind": 14},
    "back": {"four_of_a_kind": 7, "straight_flush": 9, "royal_flush": 11},
}

# Ana and Budi both have a full house in the middle and four of a kind at the back; Ana wins both rows, Budi the front.
ANA_BOTH = "QsJd4c / 8s8h8d3c3d / KsKhKdKc2s"
BUDI_BOTH = "QhQc5c / 7s7h7d6c6d / 9c9s9h9dTd"
# Ana has three in front, a full house and four of a kind against nothing, and sweeps.
ANA_THREE = "2s2h2d / 8s8h8d5c5d / 9s9h9d9c3s"
BUDI_NONE = "AsAhKd / 7s7h7d6c6d / TsThTdJcJd"  # a full house that loses


def bonus_rules(**fields: Any) -> Ruleset:
    return rules("points", **{"bonuses": TABLE} | fields)


def paid(ruleset: Ruleset, one: HandInput | str, other: HandInput | str) -> list[tuple[str, str | None, str, int]]:
    scored = pair(ruleset, one, other)
    assert scored.bonus == sum(bonus.points if bonus.to == "Ana" else -bonus.points for bonus in scored.bonuses)
    assert scored.points == scored.row_points * scored.multiplier + scored.extra + scored.bonus
    return [tuple(bonus) for bonus in scored.bonuses]


def test_the_winner_of_the_row_collects() -> None:
    assert paid(bonus_rules(), ANA_BOTH, BUDI_BOTH) == [
        ("Ana", "middle", "full_house", 3), ("Ana", "back", "four_of_a_kind", 7),
    ]  # fmt: skip


def test_under_cancel_nobody_collects_where_both_carry_one() -> None:
    assert paid(bonus_rules(bonus_rule="cancel"), ANA_BOTH, BUDI_BOTH) == []
    assert len(paid(bonus_rules(bonus_rule="cancel"), ANA_THREE, BUDI_NONE)) == 2  # the full houses cancel


def test_under_cancel_only_what_was_declared_cancels() -> None:
    ruleset = bonus_rules(bonus_rule="cancel", bonus_declared=True)
    ana, budi = (lay(who, rows, declared=frozenset({row})) for who, rows, row in
                 (("Ana", ANA_BOTH, "back"), ("Budi", BUDI_BOTH, "middle")))  # fmt: skip
    assert paid(ruleset, ana, budi) == [("Ana", "back", "four_of_a_kind", 7)]


def test_under_difference_each_collects_his_own() -> None:
    assert paid(bonus_rules(bonus_rule="difference"), ANA_BOTH, BUDI_BOTH) == [
        ("Ana", "middle", "full_house", 3), ("Ana", "back", "four_of_a_kind", 7),
        ("Budi", "middle", "full_house", 3), ("Budi", "back", "four_of_a_kind", 7),
    ]  # fmt: skip


def test_a_tied_row_pays_only_under_difference() -> None:
    ana, budi = "QsJd2c / AsKs9d7d3s / 5h6h7h8h9h", "QhJc3c / AdKd9c7c3d / 5s6s7s8s9s"
    assert paid(bonus_rules(), ana, budi) == paid(bonus_rules(bonus_rule="cancel"), ana, budi) == []
    assert paid(bonus_rules(bonus_rule="difference"), ana, budi) == [
        ("Ana", "back", "straight_flush", 9), ("Budi", "back", "straight_flush", 9),
    ]  # fmt: skip


def test_a_royal_is_not_read_as_a_straight_flush() -> None:
    royal, other = "QsJd4c / 8s8h9d7d3s / ThJhQhKhAh", "KsQc5h / 6s6d5d4d2h / 5c6c7c8c9c"
    only_straights = bonus_rules(bonuses={"back": {"straight_flush": 9}})
    assert paid(only_straights, royal, other) == []
    assert paid(bonus_rules(), royal, other) == [("Ana", "back", "royal_flush", 11)]


def test_the_row_matters() -> None:
    """A full house at the back and three of a kind in the middle pay nothing."""
    assert paid(bonus_rules(), "AsKd2c / 7s7h7dKc2d / 8s8h8d3c3d", "QhJd4c / 5s5h6d9c2h / TsThJc4d4h") == []


class TestReplacing:
    """`bonus_replaces_row`: the winner gives up the row's point for its bonus."""

    def test_the_winner_has_the_bonus_less_the_row(self) -> None:
        scored = pair(bonus_rules(bonus_replaces_row=True, row_points=2), ANA_BOTH, BUDI_BOTH)
        assert [bonus.points for bonus in scored.bonuses] == [3 - 2, 7 - 2]
        assert scored.points == (2 + 2 - 2) + 1 + 5  # the two rows are worth 3 and 7 in the end, the front −2

    def test_a_loser_keeps_all_of_his_under_difference(self) -> None:
        scored = pair(bonus_rules(bonus_replaces_row=True, bonus_rule="difference"), ANA_BOTH, BUDI_BOTH)
        assert [bonus.points for bonus in scored.bonuses] == [3 - 1, 7 - 1, 3, 7]

    def test_what_a_small_bonus_lacks_goes_to_the_other(self) -> None:
        ruleset = bonus_rules(bonus_replaces_row=True, row_points=5, bonuses={"middle": {"full_house": 3}})
        assert paid(ruleset, ANA_BOTH, BUDI_BOTH) == [("Budi", "middle", "full_house", 2)]

    def test_a_bonus_as_large_as_the_row_is_not_told(self) -> None:
        ruleset = bonus_rules(bonus_replaces_row=True, row_points=3, bonuses={"middle": {"full_house": 3}})
        assert paid(ruleset, ANA_BOTH, BUDI_BOTH) == []


class TestMultiplying:
    def test_a_bonus_is_on_top_of_a_sweep(self) -> None:
        assert pair(bonus_rules(), ANA_THREE, BUDI_NONE).points == 3 * 2 + 5 + 3 + 7

    def test_unless_it_is_multiplied_with_it(self) -> None:
        ruleset = bonus_rules(bonus_multiplied=True)
        assert pair(ruleset, ANA_THREE, BUDI_NONE).points == (3 + 5 + 3 + 7) * 2

    def test_a_single_row_is_never_multiplied(self) -> None:
        assert pair(bonus_rules(bonus_multiplied=True), ANA_BOTH, BUDI_BOTH).bonus == 10


class TestPao:
    """A PAO hand earns nothing and pays the bonus of every row of its opponent."""

    PAO = lay("Budi", declare="pao")

    def test_it_pays_every_row(self) -> None:
        scored = pair(bonus_rules(pao_multiplier=4), ANA_THREE, self.PAO)
        assert [bonus.points for bonus in scored.bonuses] == [5, 3, 7]
        assert scored.points == 3 * 4 + 15

    def test_replaced_and_multiplied(self) -> None:
        ruleset = bonus_rules(pao_multiplier=4, bonus_replaces_row=True, bonus_multiplied=True)
        assert pair(ruleset, ANA_THREE, self.PAO).points == (5 + 3 + 7) * 4

    @pytest.mark.parametrize("rule", ["winner", "cancel", "difference"])
    def test_whatever_the_rule(self, rule: str) -> None:
        shown = lay("Budi", BUDI_NONE, declare="pao")
        assert pair(bonus_rules(bonus_rule=rule), ANA_THREE, shown).bonus == 15

    def test_declaring_and_the_limit_still_hold(self) -> None:
        ana = lay("Ana", ANA_THREE, declared=frozenset({"front", "middle"}))
        assert pair(bonus_rules(bonus_declared=True), ana, self.PAO).bonus == 8
        assert pair(bonus_rules(bonus_declared=True, bonus_limit=1), ana, self.PAO).bonus == 5


class TestLimit:
    """`bonus_limit: 1`: one bonus per hand, chosen once by the table."""

    def test_the_largest_is_chosen(self) -> None:
        assert paid(bonus_rules(bonus_limit=1), ANA_BOTH, BUDI_BOTH) == [("Ana", "back", "four_of_a_kind", 7)]

    def test_it_is_chosen_even_if_it_wins_nothing(self) -> None:
        """Budi's four of a kind loses the back; his three in front are not paid in its place."""
        ana, budi = "3c3h4d / 5h5d6h9c2h / KsKhKdKcJd", "2s2c2d / 4s5s6d7d8h / QsQhQdQc7c"
        assert paid(bonus_rules(bonus_limit=1), ana, budi) == [("Ana", "back", "four_of_a_kind", 7)]

    @pytest.mark.parametrize(
        ("points_of", "row"),
        [({"front": 4, "middle": 4, "back": 4}, "back"), ({"front": 4, "middle": 4, "back": 3}, "middle"),
         ({"front": 4, "middle": 3, "back": 3}, "front")],
        ids=["back", "middle", "front"],
    )  # fmt: skip
    def test_of_equal_ones_the_back_comes_first(self, points_of: dict[str, int], row: str) -> None:
        bonuses = {
            "front": {"three_of_a_kind": points_of["front"]},
            "middle": {"full_house": points_of["middle"]},
            "back": {"four_of_a_kind": points_of["back"]},
        }
        only = paid(bonus_rules(bonus_limit=1, bonuses=bonuses), ANA_THREE, lay("Budi", declare="pao"))
        assert [bonus[1] for bonus in only] == [row]

    def test_only_declared_ones_are_chosen_from(self) -> None:
        ana = lay("Ana", ANA_BOTH, declared=frozenset({"middle"}))
        assert paid(bonus_rules(bonus_limit=1, bonus_declared=True), ana, BUDI_BOTH) == [
            ("Ana", "middle", "full_house", 3)
        ]


class TestBroken:
    """`bonus_broken`: held among the thirteen cards, but not laid in one row."""

    QUADS = "7s7d2c / 8h8d7hKh4c / 7cAsAdJcJd"
    STRAIGHT_FLUSH = "8hQh2c / 4h5h6hKdKc / 7hAsAdJcJd"
    ROYAL = "AhKh2c / QhQd4c5d8s / KcKdJhJsTh"
    OTHER = "QsTs3h / 9s9hTc5s6s / 2s2h2d3s3d"

    @pytest.mark.parametrize(
        ("rows", "category", "points"),
        [(QUADS, "four_of_a_kind", 7), (STRAIGHT_FLUSH, "straight_flush", 9), (ROYAL, "royal_flush", 11)],
        ids=["quads", "straight-flush", "royal"],
    )
    def test_it_pays_its_value_of_the_back(self, rows: str, category: str, points: int) -> None:
        assert paid(bonus_rules(bonus_broken=True), rows, self.OTHER) == [("Ana", None, category, points)]
        assert paid(bonus_rules(), rows, self.OTHER) == []

    def test_a_royal_without_a_value_of_its_own_pays_nothing(self) -> None:
        ruleset = bonus_rules(bonus_broken=True, bonuses={"back": {"straight_flush": 9}})
        assert paid(ruleset, self.ROYAL, self.OTHER) == []

    def test_what_is_laid_in_a_row_is_not_broken(self) -> None:
        laid, other = "KsJd9c / AhAd4c5c6d / 7s7d7h7c3c", "2h3h4h / 8s8c9h9dTc / QsQhQd2s2d"
        assert paid(bonus_rules(bonus_broken=True), laid, other) == [("Ana", "back", "four_of_a_kind", 7)]

    @pytest.mark.parametrize(
        "fields", [{"bonus_rule": "cancel"}, {"bonus_declared": True}, {"bonus_replaces_row": True}], ids=str
    )
    def test_nothing_of_that_touches_it(self, fields: dict[str, Any]) -> None:
        ruleset = bonus_rules(bonus_broken=True, **fields)
        assert paid(ruleset, self.QUADS, self.OTHER) == [("Ana", None, "four_of_a_kind", 7)]

    def test_a_pao_hand_pays_and_has_none(self) -> None:
        ruleset = bonus_rules(bonus_broken=True)
        assert pair(ruleset, self.QUADS, lay("Budi", declare="pao")).bonus == 7
        assert pair(ruleset, lay("Ana", self.QUADS, declare="pao"), self.OTHER).bonus == 0

    def test_it_is_multiplied_with_the_others(self) -> None:
        ruleset = bonus_rules(bonus_broken=True, bonus_multiplied=True, pao_multiplier=3)
        assert pair(ruleset, self.QUADS, lay("Budi", declare="pao")).bonus == 21

    @pytest.mark.parametrize(("straight", "row"), [(6, None), (7, "middle")])
    def test_it_competes_for_the_limit_and_comes_last(self, straight: int, row: str | None) -> None:
        bonuses = {"middle": {"straight": straight}, "back": {"four_of_a_kind": 7}}
        ruleset = bonus_rules(bonus_broken=True, bonus_limit=1, bonuses=bonuses)
        scored = pair(ruleset, "7s7d2c / 3d4s5s6d7h / 7cAcJc9c8c", lay("Budi", declare="pao"))
        assert [bonus.row for bonus in scored.bonuses] == [row]
