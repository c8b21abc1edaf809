"""One hand as it is entered: what is refused with its place, and what can be said before the others are known."""

from typing import Any

import pytest

from scoring.engine.cards import parse_cards
from scoring.engine.rounds import HandInput, PaoReason, RoundError, read_hand, score_round
from scoring.engine.rules import Ruleset
from tests.engine.laid import ANA, BUDI, CITRA, lay, rules, score

WESTERN = rules("chinese-2-4")
CAPSA = rules("capsa")
SIX_PAIRS = "2s2h4c4d6s6h8c8dTsThQcQdAs"
NO_NATURAL = ANA.replace("/", " ")


def rows(**cards: str) -> HandInput:
    return HandInput("Ana", **{row: parse_cards(text) for row, text in cards.items()})


THREE_ROWS = {"front": "AsAhKd", "middle": "QsQhQd7c7d", "back": "9s9h9d9c2c"}


@pytest.mark.parametrize(
    ("hand", "row", "message"),
    [
        pytest.param(lay("Ana"), "front", "missing", id="nothing"),
        pytest.param(rows(front="AsAhKd", back="9s9h9d9c2c"), "middle", "missing", id="a-row"),
        pytest.param(rows(**THREE_ROWS | {"front": "AsAhKdKc"}), "front", "4 cards instead of 3", id="four-in-front"),
        pytest.param(
            rows(**THREE_ROWS | {"middle": "QsQhQd7c"}), "middle", "4 cards instead of 5", id="four-in-middle"
        ),
        pytest.param(rows(**THREE_ROWS | {"back": "9s"}), "back", "1 cards instead of 5", id="one-at-the-back"),
        pytest.param(lay("Ana", NO_NATURAL), "front", "missing", id="thirteen-without-a-natural"),
        pytest.param(lay("Ana", NO_NATURAL[:-2]), "cards", "12 cards instead of 13", id="twelve"),
        pytest.param(lay("Ana", NO_NATURAL + "Kc"), "cards", "14 cards instead of 13", id="fourteen"),
        pytest.param(lay("Ana", SIX_PAIRS, declare="play"), "front", "missing", id="play-on-without-rows"),
        pytest.param(lay("Ana", declare="play"), "front", "missing", id="play-on-without-cards"),
        pytest.param(lay("Ana", ANA, declare="fold"), "declare", "fold", id="unknown-declaration"),
        pytest.param(lay("Ana", declare="natural"), "natural", "must be named", id="natural-without-name"),
        pytest.param(lay("Ana", ANA, declare="natural"), "natural", "hold no natural", id="natural-not-held"),
        pytest.param(
            lay("Ana", ANA, declare="natural", natural="dragon"), "natural", "do not hold dragon", id="named-not-held"
        ),
        pytest.param(
            lay("Ana", declare="natural", natural="all_low"), "natural", "all_low is no natural", id="named-not-listed"
        ),
        pytest.param(
            lay("Ana", ANA, natural="dragon"), "natural", "do not hold dragon", id="named-but-not-declared-and-not-held"
        ),
        pytest.param(
            HandInput("Ana", front=parse_cards("AsAhKd"), declare="natural", natural="dragon"),
            "middle",
            "missing",
            id="natural-with-some-of-its-cards",
        ),
        pytest.param(lay("Ana", ANA[:8], declare="surrender"), "cards", "3 cards", id="surrender-with-some-cards"),
    ],
)
def test_an_incomplete_or_contradictory_hand_is_refused(hand: HandInput, row: str, message: str) -> None:
    with pytest.raises(RoundError, match=message) as refused:
        score(WESTERN, hand, BUDI)
    assert (refused.value.who, refused.value.row) == ("Ana", row)
    assert str(refused.value).startswith(f"Ana, {row}: ")


def test_surrender_needs_a_ruleset_that_knows_it() -> None:
    with pytest.raises(RoundError, match="no surrender") as refused:
        score(CAPSA, lay("Ana", declare="surrender"), BUDI)
    assert (refused.value.who, refused.value.row) == ("Ana", "declare")


@pytest.mark.parametrize(
    ("hands", "who", "row", "message"),
    [
        pytest.param(("AsAhAs / KdKcQhJsTd / 9h9d2c3c4c", BUDI), "Ana", "front", "As stands here twice", id="same-row"),
        pytest.param(
            ("AsAhKd / KdKcQhJsTd / 9h9d2c3c4c", BUDI),
            "Ana",
            "middle",
            "Kd is also in the front of this hand",
            id="same-hand",
        ),
        pytest.param(
            (ANA, BUDI.replace("KsQc", "KsAh")), "Budi", "front", "Ah is also in the front of Ana", id="other"
        ),
        pytest.param(
            (ANA, BUDI, "2c3c4c / 5c6d7h8s9d / TcJdQcKcAc"),
            "Citra",
            "front",
            "2c is also in the back of Ana",
            id="third",
        ),
        pytest.param(
            (ANA, lay("Budi", "2c3c", declare="pao")), "Budi", "cards", "2c is also in the back of Ana", id="pao"
        ),
        pytest.param(
            (lay("Ana", SIX_PAIRS), lay("Budi", SIX_PAIRS)),
            "Budi",
            "cards",
            "2s is also in the cards of Ana",
            id="cards",
        ),
    ],
)
def test_a_card_twice_is_named_with_both_places(hands: Any, who: str, row: str, message: str) -> None:
    with pytest.raises(RoundError, match=message) as refused:
        score(WESTERN, *hands)
    assert (refused.value.who, refused.value.row) == (who, row)


@pytest.mark.parametrize(
    "ruleset", [CAPSA, WESTERN, rules("capsa", flush_by_suit=False)], ids=["capsa", "2-4", "suits"]
)
@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("front", "AsAsAs"),
        ("front", "9s9s8d"),
        ("middle", "9s9s9s9s9s"),
        ("middle", "9s9s8s8s8s"),
        ("middle", "9s9h9d9c9s"),
        ("back", "AsAhAdAcAs"),
        ("back", "2s2s3h4d5c"),
    ],
)
@pytest.mark.parametrize("said", [{}, {"declare": "play"}, {"declare": "natural"}, {"declare": "pao"}], ids=str)
def test_a_row_that_no_deck_can_make_is_a_card_twice(
    ruleset: Ruleset, row: str, text: str, said: dict[str, str]
) -> None:
    laid = {"front": "2h3dKc", "middle": "4s6h7dJcQc", "back": "4d6c7hJdQs", row: text}
    with pytest.raises(RoundError, match="stands here twice") as refused:
        score(ruleset, lay("Ana", " / ".join(laid.values()), **said), lay("Budi", declare="pao"))
    assert (refused.value.who, refused.value.row) == ("Ana", row)


@pytest.mark.parametrize("said", [{}, {"declare": "pao"}, {"declare": "natural", "natural": "dragon"}], ids=str)
def test_thirteen_times_the_same_card(said: dict[str, str]) -> None:
    with pytest.raises(RoundError, match="As stands here twice"):
        score(WESTERN, lay("Ana", "As" * 13, **said), lay("Budi", declare="pao"))


def test_a_card_twice_is_seen_even_where_a_pao_hand_has_too_many() -> None:
    fourteen = lay("Budi", "KsQcJsTc / 5s5h4s3s8c / TsTh6s6h2c", declare="pao")
    with pytest.raises(RoundError, match="2c is also in the back of Ana"):
        score(CAPSA, ANA, fourteen)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_round_has_two_to_four_players(count: int) -> None:
    with pytest.raises(RoundError, match=rf"^players: a round has 2, 3 or 4 players, not {count}$"):
        score_round([lay(str(seat), declare="pao") for seat in range(count)], CAPSA)


def test_a_player_sits_once() -> None:
    with pytest.raises(RoundError, match=r"^Ana, name: this player is listed twice$"):
        score_round([lay("Budi", BUDI), lay("Ana", ANA), lay("Ana", CITRA)], CAPSA)


@pytest.mark.parametrize("stake", [-1, 1.5, True, "100", None, 2**63, float("nan")], ids=str)
def test_a_stake_is_a_whole_number(stake: Any) -> None:
    with pytest.raises(RoundError, match=r"^stake: "):
        score(CAPSA, ANA, BUDI, stake=stake)
    with pytest.raises(RoundError, match=r"^stakes: "):
        score(CAPSA, ANA, BUDI, stakes={frozenset(("Ana", "Budi")): stake})


@pytest.mark.parametrize("pair", [("Ana", "Dewi"), ("Ana",), ("Ana", "Budi", "Citra")], ids=str)
def test_a_stake_is_for_two_players_of_the_round(pair: tuple[str, ...]) -> None:
    with pytest.raises(RoundError, match=r"^stakes: expected a pair of players"):
        score(CAPSA, ANA, BUDI, stakes={frozenset(pair): 5})


class TestThirteenCardsAndRows:
    """`cards` may stand beside the rows that are laid out of them."""

    def test_both_agree(self) -> None:
        ana = HandInput("Ana", *(parse_cards(row) for row in ANA.split("/")), cards=parse_cards(NO_NATURAL))
        assert score(CAPSA, ana, BUDI).players[0].points == 16

    def test_a_row_holds_a_card_that_is_not_among_them(self) -> None:
        ana = HandInput("Ana", front=parse_cards("AsAhKc"), cards=parse_cards(NO_NATURAL))
        with pytest.raises(RoundError, match="Kc is in the front but not among these cards"):
            score(CAPSA, ana, BUDI)

    def test_a_card_is_laid_twice(self) -> None:
        ana = HandInput("Ana", front=parse_cards("AsAhAs"), cards=parse_cards(NO_NATURAL))
        with pytest.raises(RoundError, match="As stands here twice"):
            score(CAPSA, ana, BUDI)


class TestNaturalByName:
    def test_it_counts_without_cards(self) -> None:
        ana = score(WESTERN, lay("Ana", declare="natural", natural="six_pairs"), BUDI).players[0]
        assert (ana.status, ana.natural, ana.points) == ("natural", "six_pairs", 3)

    def test_cards_held_count_as_the_strongest_that_they_hold(self) -> None:
        dragon = "2s3h4c / 5d6s7h8c9d / TsJhQcKdAs"
        scored = score(
            WESTERN, lay("Ana", dragon, declare="natural", natural="three_straights"), lay("Budi", declare="pao")
        )
        assert scored.players[0].natural == "dragon"

    @pytest.mark.parametrize("natural", ["six_pairs", "three_flushes", "three_straights"])
    def test_two_of_the_same_need_their_cards_where_they_are_compared(self, natural: str) -> None:
        hands = [lay(who, declare="natural", natural=natural) for who in ("Ana", "Budi")]
        with pytest.raises(RoundError, match=r"^Ana, cards: the cards are needed: Budi has"):
            score(WESTERN, *hands)

    def test_the_one_whose_cards_are_missing_is_named(self) -> None:
        hands = [lay("Ana", SIX_PAIRS), lay("Budi", declare="natural", natural="six_pairs")]
        with pytest.raises(RoundError, match=r"^Budi, cards: the cards are needed: Ana has"):
            score(WESTERN, *hands)

    def test_different_ones_need_none(self) -> None:
        hands = [lay("Ana", declare="natural", natural="dragon"), lay("Budi", declare="natural", natural="six_pairs")]
        assert score(WESTERN, *hands).players[0].points == 13


class TestReadHand:
    """What is said while the other hands are not entered yet."""

    def test_an_empty_hand_says_nothing(self) -> None:
        assert read_hand(lay("Ana"), CAPSA) == ("incomplete", {}, None, None)

    def test_a_whole_row_is_named_at_once(self) -> None:
        reading = read_hand(rows(front="AsAh", middle="QsQhQd7c7d"), CAPSA)
        assert (reading.status, list(reading.rows)) == ("incomplete", ["middle"])
        assert reading.rows["middle"].category == "full_house"

    def test_rows_out_of_order_are_seen_early(self) -> None:
        reading = read_hand(rows(front="AsAhKd", middle="QsQh3d7c7d"), CAPSA)
        assert (reading.status, reading.pao) == ("incomplete", None)
        reading = read_hand(rows(front="AsAhKd", middle="QsQh3d7c2d"), CAPSA)
        assert (reading.status, reading.pao) == ("incomplete", PaoReason(False, "front", "middle"))

    @pytest.mark.parametrize(
        ("hand", "status", "natural"),
        [
            (lay("Ana", ANA), "played", None),
            (lay("Ana", "AsAhKd / 9s9h9d9c2c / QsQhQd7c7d"), "pao", None),
            (lay("Ana", ANA, declare="pao"), "pao", None),
            (lay("Ana", declare="pao"), "pao", None),
            (lay("Ana", declare="surrender"), "surrendered", None),
            (lay("Ana", SIX_PAIRS), "natural", "six_pairs"),
            (lay("Ana", "2s2h4c / TsThQcQdAs / 4d6s6h8c8d"), "natural", "six_pairs"),
            (lay("Ana", "2s2h4c / TsThQcQdAs / 4d6s6h8c8d", declare="play"), "pao", None),
            (lay("Ana", SIX_PAIRS, declare="play"), "incomplete", None),
            (lay("Ana", declare="natural", natural="six_pairs"), "natural", "six_pairs"),
            (lay("Ana", NO_NATURAL), "incomplete", None),
        ],
    )
    def test_the_status_that_is_proposed(self, hand: HandInput, status: str, natural: str | None) -> None:
        reading = read_hand(hand, WESTERN)
        assert (reading.status, reading.natural) == (status, natural)

    @pytest.mark.parametrize(
        ("hand", "row"),
        [
            (rows(front="AsAhKdKc"), "front"),
            (rows(middle="QsQhQd7c7d2d"), "middle"),
            (lay("Ana", NO_NATURAL + "Kc"), "cards"),
            (rows(front="AsAhAs"), "front"),
            (rows(front="AsAhKd", back="As"), "back"),
            (lay("Ana", "AsAs"), "cards"),
        ],
    )
    def test_what_no_further_card_can_mend_is_refused(self, hand: HandInput, row: str) -> None:
        with pytest.raises(RoundError) as refused:
            read_hand(hand, CAPSA)
        assert refused.value.row == row

    def test_a_called_pao_may_have_too_many(self) -> None:
        assert read_hand(lay("Ana", "AsAhKdKc / QsQhQd7c7d / 9s9h9d9c2c", declare="pao"), CAPSA).status == "pao"
