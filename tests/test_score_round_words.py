"""`manage.py score_round` with rows told in words: scored, asked for, answered (RULES 9)."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring import wording
from scoring.engine.hands import RowReading
from scoring.engine.rounds import RowReason

ANA = {"name": "Ana", "front": "pair of As", "middle": "flush", "back": "quads 9"}
BUDI = {"name": "Budi", "front": "KsQcJs", "middle": "flush hati", "back": "Full House J dan 3"}
ROUND: dict[str, Any] = {"rules": "capsa", "stake": 100, "players": [ANA, BUDI]}
NEEDED = {
    "error": "needed: Ana: suit of the middle",
    "needed": [{"player": "Ana", "row": "middle", "place": "suit"}],
}


def answers(monkeypatch: pytest.MonkeyPatch, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """What the command answers with --lines."""
    lines = "\n".join(map(json.dumps, requests))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    printed = io.StringIO()
    call_command("score_round", "--lines", stdout=printed)
    return [json.loads(line) for line in printed.getvalue().splitlines()]


def test_rows_in_words_are_scored_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    request = ROUND | {"players": [ANA | {"middle": "escalera de color 9"}, BUDI]}
    (answer,) = answers(monkeypatch, request)
    ana, budi = answer["players"]
    assert ana["rows"] == {
        "front": {"category": "pair", "text": "Pair of aces"},
        "middle": {"category": "straight_flush", "text": "Straight flush, nine high"},
        "back": {"category": "four_of_a_kind", "text": "Four of a kind, nines"},
    }
    assert budi["rows"]["front"]["text"] == "High card, king"
    assert budi["rows"]["middle"]["text"] == "Flush, hearts"
    assert budi["rows"]["back"]["text"] == "Full house, jacks over threes"
    assert ana["status"] == "pao"  # the middle is above the back, whatever is still untold


def test_what_is_needed_is_told_and_the_next_line_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told = ROUND | {"players": [ANA | {"middle": "flush wajik"}, BUDI]}
    needed, scored = answers(monkeypatch, ROUND, told)
    assert needed == NEEDED
    assert scored["pairs"][0]["rows"] == {"front": 1, "middle": -1, "back": 1}


def test_alone_it_ends_with_status_2_and_still_prints_what_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(ROUND).encode())))
    printed = io.StringIO()
    with pytest.raises(CommandError, match="needed: Ana: suit of the middle") as error:
        call_command("score_round", stdout=printed)
    assert error.value.returncode == 2
    assert json.loads(printed.getvalue()) == NEEDED


def test_the_host_may_answer_with_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    won = [{"row": "middle", "a": "Budi", "b": "Ana", "result": -1}]
    (answer,) = answers(monkeypatch, ROUND | {"won": won})
    assert answer["pairs"][0]["rows"] == {"front": 1, "middle": 1, "back": 1}


REFUSED = [
    ({"won": {}}, "won: expected a list, not {}"),
    (
        {"won": [{"row": "side", "a": "Ana", "b": "Budi", "result": 1}]},
        "won[0].row: expected one of front, middle, back",
    ),
    ({"won": [{"row": "middle", "a": "Ana", "b": 3, "result": 1}]}, "won[0].b: expected text, not 3"),
    ({"won": [{"row": "middle", "a": "Ana", "b": "Eka", "result": 1}]}, "won: expected two players of this round"),
    ({"won": [{"row": "middle", "a": "Ana", "b": "Budi", "result": "1"}]}, "won: expected 1, 0 or -1 as the result"),
    ({"won": [{"row": "middle", "a": "Ana", "b": "Budi"}]}, "won[0].result: this field is missing"),
    (
        {"won": [{"row": "middle", "a": "Ana", "b": "Budi", "result": 1, "why": ""}]},
        "won[0].why: there is no such field",
    ),
    ({"players": [ANA | {"back": "fulhouse J"}, BUDI]}, 'players[0].back: "fulhouse" at position 1 is neither a card'),
    ({"players": [ANA | {"front": "straight 9"}, BUDI]}, "players[0].front: straight cannot stand in the front"),
    ({"players": [ANA | {"back": "Jh Js Jd 3c 3x"}, BUDI]}, 'players[0].back: "3" at position 13 is a rank without'),
    ({"players": [ANA | {"cards": "flush"}, BUDI]}, 'players[0].cards: "flush" at position 1 is not a card'),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_is_not_understood_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str
) -> None:
    (answer,) = answers(monkeypatch, ROUND | change)
    assert answer.keys() == {"error"}
    assert answer["error"].startswith(message)


PARTLY_TOLD = [
    (RowReading("flush", (), 2), "Flush, hearts", "Flush ♥\ufe0e"),
    (RowReading("flush", (11,), None), "Flush, king high", "Flush K"),
    (RowReading("flush", (11,), 2), "Flush, king high in hearts", "Flush ♥\ufe0e"),
    (RowReading("flush", (), None), "Flush", "Flush"),
    (RowReading("full_house", (9,), None), "Full house, jacks", "Full house J"),
    (RowReading("full_house", (9, 1), 3), "Full house, jacks over threes", "Full house J"),
    (RowReading("full_house", (), None), "Full house", "Full house"),
    (RowReading("two_pair", (11,), 3), "Two pair, kings", "Two pair K"),
    (RowReading("pair", (), None), "Pair", "Pair"),
    (RowReading("high_card", (12,), None), "High card, ace", "A high"),
    (RowReading("straight", (), 3), "Straight", "Straight"),
    (RowReading("straight_flush", (7,), None), "Straight flush, nine high", "Straight flush 9"),
    (RowReading("straight_flush", (), 0), "Straight flush, diamonds", "Straight flush ♦\ufe0e"),
    (RowReading("royal_flush", (12,), None), "Royal flush", "Royal flush"),
    (RowReading("royal_flush", (12,), 3), "Royal flush in spades", "Royal flush ♠\ufe0e"),
]


@pytest.mark.parametrize(("reading", "text", "short"), PARTLY_TOLD, ids=[text for _, text, _ in PARTLY_TOLD])
def test_a_row_is_told_as_far_as_it_is_known(reading: RowReading, text: str, short: str) -> None:
    assert wording.row_text(reading) == text
    assert wording.row_short(reading) == short


def test_a_reason_names_only_what_is_known() -> None:
    flush, hearts = RowReading("flush", (), None), RowReading("flush", (), 2)
    pair, lowest = RowReading("pair", (12,), None), RowReading("pair", (12,), 1)
    reasons = [
        (RowReason("back", 1, "host"), flush, hearts, "Flush against flush, hearts: decided by the host"),
        (RowReason("back", 1, "suit"), pair, lowest, "Pair of aces against pair of aces: the suit decides"),
        (RowReason("back", -1, "category"), RowReading("pair", (), None), flush, "Flush, beats pair"),
        (RowReason("back", 0, "host"), flush, flush, "Flush on both sides: nobody wins the row"),
    ]
    for reason, first, second, text in reasons:
        assert wording.row_reason(reason, first, second) == text
