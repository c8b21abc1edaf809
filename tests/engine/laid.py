"""How the tests of the engine write down a round: `lay("Ana", "AsAhKd / QsQhQd7c7d / 9s9h9d9c2c")`."""

from itertools import pairwise
from typing import Any

from scoring.engine.cards import parse_cards
from scoring.engine.rounds import HandInput, PairScore, RoundScore, score_round
from scoring.engine.rules import Ruleset, parse_ruleset

# RULES 11, fourth example: Ana sweeps all three.
ANA = "AsAhKd / QsQhQd7c7d / 9s9h9d9c2c"
BUDI = "KsQcJs / 5s5h4s3s8c / TsTh6s6h2s"
CITRA = "KhJh8h / 3h3d4h6d8d / JdJc4d4c2h"
DEWI = "8s7h6c / TdTc7s3c2d / AdAc5d5cKc"


def rules(preset: str = "points", **fields: Any) -> Ruleset:
    """A preset with fields replaced."""
    return parse_ruleset({"preset": preset} | fields)


def lay(who: str, rows: str = "", **said: Any) -> HandInput:
    """A hand by its three rows, or with a single part by its cards; `said` are the other fields of HandInput."""
    parts = [parse_cards(part) for part in rows.split("/")] if rows else []
    names = ("front", "middle", "back") if len(parts) == 3 else ("cards",)
    return HandInput(who, **dict(zip(names, parts, strict=False)), **said)


def score(ruleset: Ruleset, *hands: HandInput | str, **money: Any) -> RoundScore:
    """The round of these hands; a hand that is only its rows belongs to Ana, Budi, Citra and Dewi in turn."""
    cast = zip(("Ana", "Budi", "Citra", "Dewi"), hands, strict=False)
    return score_round([lay(who, hand) if isinstance(hand, str) else hand for who, hand in cast], ruleset, **money)


def pair(ruleset: Ruleset, one: HandInput | str, other: HandInput | str) -> PairScore:
    """What two hands come to between them."""
    return score(ruleset, one, other).pairs[0]


def points(scored: RoundScore) -> list[int]:
    return [player.points for player in scored.players]


def ranked(*texts: str) -> list[tuple[str, str]]:
    """Neighbours of a list that goes from weak to strong."""
    return list(pairwise(texts))


# A hand of Ana's, and for each row one of Budi's that loses to hers, ties with it or beats it where suits do not count.
ANA_PLAIN = "KsQd9c / TsTd8s6c4h / AsAd5s5d7h"
_AGAINST = {
    "front": {1: "KhJc8d", 0: "KhQc9d", -1: "KhQcJd"},
    "middle": {1: "ThTc7s3c2d", 0: "ThTc8c6h4d", -1: "ThTc9h3c2d"},
    "back": {1: "AhAc3s3d2c", 0: "AhAc5c5h7c", -1: "AhAc6s6d7c"},
}


def against(front: int, middle: int, back: int) -> str:
    """A hand of Budi's against which ANA_PLAIN has these results."""
    results = {"front": front, "middle": middle, "back": back}
    return " / ".join(_AGAINST[row][result] for row, result in results.items())
