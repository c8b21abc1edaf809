"""`manage.py score_round`: a round in JSON in, its score out; whatever else comes in is refused (RULES 10)."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.rounds import score_round
from scoring.management.round_request import read_round, tell_round

ANA = {"name": "Ana", "front": "As Ah Kd", "middle": "Qs Qh Qd 7c 7d", "back": "9s 9h 9d 9c 2c"}
BUDI = {"name": "Budi", "front": "Ks Qc Js", "middle": "5s 5h 4s 3s 8c", "back": "Ts Th 6s 6h 2s"}
ROUND: dict[str, Any] = {"rules": "capsa", "stake": 100, "players": [ANA, BUDI]}

Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Give the command its standard input, get back what it prints."""

    def run_command(text: str | bytes, *options: str) -> str:
        raw = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        printed = io.StringIO()
        call_command("score_round", *options, stdout=printed)
        return printed.getvalue()

    return run_command


def refused(run: Run, request: Any) -> str:
    """The one line on standard error."""
    text = request if isinstance(request, str | bytes) else json.dumps(request)
    with pytest.raises(CommandError) as error:
        run(text)
    assert error.value.returncode == 2
    message = str(error.value)
    assert message and "\n" not in message
    return message


def test_a_round_is_scored(run: Run) -> None:
    assert json.loads(run(json.dumps(ROUND))) == {
        "players": [
            {
                "name": "Ana",
                "status": "played",
                "natural": None,
                "super": False,
                "rows": {
                    "front": {"category": "pair", "text": "Pair of aces"},
                    "middle": {"category": "full_house", "text": "Full house, queens over sevens"},
                    "back": {"category": "four_of_a_kind", "text": "Four of a kind, nines"},
                },
                "points": 16,
                "money": 1600,
                "fee": 48,
                "net": 1552,
            },
            {
                "name": "Budi",
                "status": "played",
                "natural": None,
                "super": False,
                "rows": {
                    "front": {"category": "high_card", "text": "High card, king"},
                    "middle": {"category": "pair", "text": "Pair of fives"},
                    "back": {"category": "two_pair", "text": "Two pair, tens and sixes"},
                },
                "points": -16,
                "money": -1600,
                "fee": 0,
                "net": -1600,
            },
        ],
        "pairs": [
            {
                "a": "Ana",
                "b": "Budi",
                "rows": {"front": 1, "middle": 1, "back": 1},
                "row_points": 3,
                "multiplier": 2,
                "extra": 0,
                "bonus": 10,
                "points": 16,
                "stake": 100,
                "money": 1600,
                "bonuses": [
                    {"to": "Ana", "row": "middle", "category": "full_house", "points": 3},
                    {"to": "Ana", "row": "back", "category": "four_of_a_kind", "points": 7},
                ],
            }
        ],
        "house": 48,
    }


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("JsJhJd3c3d", "Full house, jacks over threes"),
        ("AhKh9h7h5h", "Flush, ace high in hearts"),
        ("5s6d7c8d9c", "Straight, nine high"),
        ("Ac2d3h4d5c", "Straight, five high"),
        ("5d6d7d8d9d", "Straight flush, nine high in diamonds"),
        ("TdJdQdKdAd", "Royal flush in diamonds"),
        ("7d7c7h4d2h", "Three of a kind, sevens"),
        ("AdKcJh4d2h", "High card, ace"),
    ],
)
def test_rows_are_told_in_words(run: Run, row: str, text: str) -> None:
    citra = {"name": "Citra", "front": "2s3s4s", "middle": "6s7s8s9sTs", "back": row, "declare": "pao"}
    players = [citra, {"name": "Dewi", "declare": "pao"}]
    answer = json.loads(run(json.dumps(ROUND | {"players": players})))
    assert answer["players"][0]["rows"]["back"]["text"] == text


def test_the_answer_is_english_whatever_the_site_speaks(run: Run) -> None:
    with translation.override("id"):
        assert "Full house, queens over sevens" in run(json.dumps(ROUND))


def test_a_stake_that_is_missing_is_one(run: Run) -> None:
    answer = json.loads(run(json.dumps({"rules": "points", "players": [ANA, BUDI]})))
    assert answer["pairs"][0]["stake"] == 1


def test_pairs_may_have_stakes_of_their_own(run: Run) -> None:
    request = ROUND | {"stakes": [{"players": ["Budi", "Ana"], "stake": 7}]}
    assert json.loads(run(json.dumps(request)))["pairs"][0]["money"] == 16 * 7


def test_special_hands(run: Run) -> None:
    players = [
        {"name": "Ana", "cards": "2s2h4c4d6s6h8c8dTsThQcQdAs"},
        {"name": "Budi", "declare": "surrender"},
        {"name": "Citra", "declare": "natural", "natural": "dragon"},
        {"name": "Dewi", "declare": "pao", "front": "Ks Kd", "declared": ["back"]},
    ]
    answer = json.loads(run(json.dumps({"rules": "chinese-2-4", "players": players})))
    told = [(player["status"], player["natural"], player["rows"]) for player in answer["players"]]
    assert told == [
        ("natural", "six_pairs", None), ("surrendered", None, None), ("natural", "dragon", None), ("pao", None, None)
    ]  # fmt: skip
    assert answer["pairs"][0] == {
        "a": "Ana", "b": "Budi", "rows": None, "row_points": 0, "multiplier": 1, "extra": 3, "bonus": 0, "points": 3,
        "stake": 1, "money": 3, "bonuses": [],
    }  # fmt: skip


def test_a_broken_bonus_has_no_row(run: Run) -> None:
    ana = {"name": "Ana", "front": "7s7d2c", "middle": "8h8d7hKh4c", "back": "7cAsAdJcJd"}
    request = {"rules": {"preset": "capsa", "bonus_broken": True}, "players": [ana, {"name": "Budi", "declare": "pao"}]}
    bonuses = json.loads(run(json.dumps(request)))["pairs"][0]["bonuses"]
    assert bonuses == [{"to": "Ana", "row": None, "category": "four_of_a_kind", "points": 7}]


def test_lines_are_answered_one_by_one_and_errors_do_not_stop_them(run: Run) -> None:
    lines = [json.dumps(ROUND), "nonsense", "", json.dumps(ROUND | {"stake": -1}), json.dumps(ROUND | {"stake": 0})]
    answers = [json.loads(line) for line in run("\n".join(lines) + "\n", "--lines").splitlines()]
    assert [list(answer) == ["error"] for answer in answers] == [False, True, True, True, False]
    assert "stake" in answers[3]["error"]
    assert answers[0]["house"] == 48


def test_every_vector_by_lines(run: Run) -> None:
    cases = [json.loads(line) for line in (Path(__file__).parent / "data" / "rounds.jsonl").read_text().splitlines()]
    answers = run("\n".join(json.dumps(case["request"]) for case in cases), "--lines").splitlines()
    for case, answer in zip(cases, map(json.loads, answers), strict=True):
        told = [player["net"] for player in answer["players"]]
        assert told == [player["net"] for player in case["expected"]["players"]], case["id"]


def player(**fields: Any) -> dict[str, Any]:
    """The round with Ana's entry changed."""
    return ROUND | {"players": [ANA | fields, BUDI]}


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        pytest.param("", "input", id="nothing"),
        pytest.param("{", "input", id="half"),
        pytest.param("[]", "input", id="a-list"),
        pytest.param(b"\xff\xfe{}", "input", id="not-utf-8"),
        pytest.param("[" * 100_000, "input", id="nested-deeply"),
        pytest.param('{"rules": "capsa", "rules": "points"}', "rules", id="a-key-twice"),
        pytest.param('{"rules": "capsa", "stake": NaN, "players": []}', "NaN", id="nan"),
        pytest.param('{"rules": "capsa", "stake": 1e999, "players": []}', "1e999", id="infinite"),
        pytest.param('{"rules": "capsa", "stake": ' + "9" * 5000 + ', "players": []}', "too large", id="5000-digits"),
        pytest.param({}, "rules", id="empty"),
        pytest.param({"players": [ANA, BUDI]}, "rules", id="no-rules"),
        pytest.param({"rules": "capsa"}, "players", id="no-players"),
        pytest.param(ROUND | {"stack": 5}, "stack", id="unknown-field"),
        pytest.param(ROUND | {"rules": "poker"}, "rules: preset", id="unknown-preset"),
        pytest.param(ROUND | {"rules": 5}, "rules", id="rules-number"),
        pytest.param(ROUND | {"rules": {"preset": "capsa", "wheel": "high"}}, "rules: wheel", id="wrong-rule"),
        pytest.param(ROUND | {"rules": {"preset": "capsa", "jokers": 2}}, "rules: jokers", id="unknown-rule"),
        pytest.param(ROUND | {"rules": {"ties": "split"}}, "rules: kickers", id="half-a-ruleset"),
        pytest.param(ROUND | {"stake": -100}, "stake", id="negative-stake"),
        pytest.param(ROUND | {"stake": 1.5}, "stake", id="fractional-stake"),
        pytest.param(ROUND | {"stake": "100"}, "stake", id="stake-text"),
        pytest.param(ROUND | {"stake": None}, "stake", id="stake-null"),
        pytest.param(ROUND | {"stake": True}, "stake", id="stake-true"),
        pytest.param(ROUND | {"stake": 10**90}, "stake", id="stake-huge"),
        pytest.param(ROUND | {"stakes": {}}, "stakes", id="stakes-no-list"),
        pytest.param(ROUND | {"stakes": [5]}, "stakes[0]", id="stakes-number"),
        pytest.param(ROUND | {"stakes": [{"players": ["Ana", "Budi"]}]}, "stakes[0].stake", id="stakes-no-stake"),
        pytest.param(ROUND | {"stakes": [{"stake": 5}]}, "stakes[0].players", id="stakes-no-players"),
        pytest.param(ROUND | {"stakes": [{"players": "AnaBudi", "stake": 5}]}, "stakes[0].players", id="stakes-text"),
        pytest.param(
            ROUND | {"stakes": [{"players": [["Ana"], 5], "stake": 5}]}, "stakes[0].players", id="stakes-nested"
        ),
        pytest.param(ROUND | {"stakes": [{"players": ["Ana", "Eka"], "stake": 5}]}, "stakes", id="stakes-unknown"),
        pytest.param(ROUND | {"stakes": [{"players": ["Ana", "Ana"], "stake": 5}]}, "stakes", id="stakes-one-player"),
        pytest.param(ROUND | {"stakes": [{"players": ["Ana", "Budi"], "stake": -5}]}, "stakes", id="stakes-negative"),
        pytest.param(ROUND | {"stakes": [{"players": ["Ana", "Budi"], "stake": 0.5}]}, "stakes", id="stakes-fraction"),
        pytest.param(
            ROUND | {"stakes": [{"players": ["Ana", "Budi"], "stake": 5}, {"players": ["Budi", "Ana"], "stake": 5}]},
            "stakes[1]",
            id="stakes-a-pair-twice",
        ),
        pytest.param(ROUND | {"players": {}}, "players", id="players-no-list"),
        pytest.param(ROUND | {"players": []}, "players", id="no-player"),
        pytest.param(ROUND | {"players": [ANA]}, "players", id="one-player"),
        pytest.param(ROUND | {"players": [{"name": name, "declare": "pao"} for name in "ABCDE"]}, "players", id="five"),
        pytest.param(ROUND | {"players": [ANA, 5]}, "players[1]", id="a-number-as-player"),
        pytest.param(ROUND | {"players": [ANA, ANA]}, "Ana, name", id="a-name-twice"),
        pytest.param(ROUND | {"players": [{}, BUDI]}, "players[0].name", id="no-name"),
        pytest.param(player(name=5), "players[0].name", id="name-number"),
        pytest.param(player(name=" "), "players[0].name", id="name-blank"),
        pytest.param(player(nickname="A"), "players[0].nickname", id="unknown-player-field"),
        pytest.param(player(front=["As", "Ah", "Kd"]), "players[0].front", id="row-list"),
        pytest.param(player(front=None), "players[0].front", id="row-null"),
        pytest.param(player(front="As Ah sK"), "players[0].front", id="suit-first"),
        pytest.param(player(front="As Ah As"), "Ana, front", id="a-card-twice"),
        pytest.param(player(front="As Ah Ks"), "Budi, front", id="a-card-of-two"),
        pytest.param(player(front="As Ah"), "Ana, front", id="two-cards"),
        pytest.param(player(front=""), "Ana, front", id="empty-row"),
        pytest.param(player(cards="As"), "Ana, cards", id="cards-and-rows"),
        pytest.param(player(declare="fold"), "players[0].declare", id="unknown-declaration"),
        pytest.param(player(declare=["pao"]), "players[0].declare", id="declaration-list"),
        pytest.param(player(declare="surrender"), "Ana, declare", id="no-surrender-here"),
        pytest.param(player(natural="wyvern"), "players[0].natural", id="unknown-natural"),
        pytest.param(player(declare="natural", natural="six_pairs"), "Ana, natural", id="natural-not-listed"),
        pytest.param(player(declare="natural", natural="dragon"), "Ana, natural", id="natural-not-held"),
        pytest.param(player(declared="back"), "players[0].declared", id="declared-text"),
        pytest.param(player(declared=["bottom"]), "players[0].declared", id="declared-unknown"),
        pytest.param(player(declared=[["back"]]), "players[0].declared", id="declared-nested"),
    ],
)
def test_bad_input_is_one_line_that_names_the_field(run: Run, request_: Any, named: str) -> None:
    assert named in refused(run, request_)


def test_a_name_cannot_break_the_line(run: Run) -> None:
    assert refused(run, player(name="A\nna\r\x1b", front="As")).startswith("A na")


def test_a_name_may_be_anything_else(run: Run) -> None:
    for name in ("A", "😀", "<b>Ana</b>", "\ud800", "Ana " * 200):
        assert json.loads(run(json.dumps(player(name=name))))["players"][0]["name"] == name


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(("Ana", "As", "pao")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
changes = st.dictionaries(st.sampled_from(("rules", "stake", "stakes", "players", "other")), values, max_size=2)
player_changes = st.dictionaries(
    st.sampled_from((*ANA, "cards", "declare", "natural", "declared", "other")), values, max_size=2
)


@settings(max_examples=300, deadline=None)
@given(changes, player_changes)
def test_any_json_is_scored_or_refused_by_name(change: dict[str, Any], player_change: dict[str, Any]) -> None:
    try:
        answer = tell_round(score_round(*read_round(ROUND | {"players": [ANA | player_change, BUDI]} | change)))
    except ValueError as error:
        assert str(error)
    else:
        assert sum(player["points"] for player in answer["players"]) == 0
        json.dumps(answer)
