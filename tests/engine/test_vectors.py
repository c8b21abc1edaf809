"""279 whole rounds with their results, each under its id: eventful random deals (R), and readings told apart (X)."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.engine.rounds import score_points, score_round
from scoring.management.round_request import read_round, tell_round

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "rounds.jsonl").read_text().splitlines()]


def test_no_case_is_lost() -> None:
    assert len({case["id"] for case in CASES}) == 279


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_round(case: dict[str, Any]) -> None:
    request, expected = read_round(case["request"]), case["expected"]
    answer = tell_round(score_round(*request))
    for part in ("players", "pairs"):
        for told, wanted in zip(answer[part], expected[part], strict=True):
            assert {field: told[field] for field in wanted} == wanted
    assert answer["house"] == expected["house"]
    assert list(score_points(request.hands, request.ruleset)) == [player["points"] for player in expected["players"]]
