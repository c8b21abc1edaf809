"""`manage.py score_round`: the engine without the site, JSON in and JSON out (RULES 10)."""

from typing import Any

from django.utils import translation

from scoring.engine.rounds import RoundNeeds, score_round
from scoring.management.json_lines import DetailedError, JsonLinesCommand
from scoring.management.round_request import read_round, tell_need, tell_round


class Command(JsonLinesCommand):
    help = "Reads a round with its house rules from standard input and prints its points, money and reasons."

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            score = score_round(*read_round(request))
        except RoundNeeds as error:
            raise DetailedError(str(error), {"needed": [tell_need(need) for need in error.needs]}) from error
        with translation.override(None):  # the answer is for programs: English whatever the site speaks
            return tell_round(score)
