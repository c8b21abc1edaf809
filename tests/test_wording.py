"""Rows and reasons in words, under every preset."""

import pytest

from scoring import wording
from scoring.engine.cards import parse_cards
from scoring.engine.hand_input import HandInput
from scoring.engine.rounds import score_round
from scoring.engine.rules import PRESETS

ANA = ("As Ah Kd", "Ks Qs 9s 7s 2s", "Jh Th 9h 8h 7h")
BUDI = ("Ac Ad Kh", "Kc Qc 9c 7c 2c", "4s 4h 4c 4d 3c")


def laid(name: str, front: str, middle: str, back: str) -> HandInput:
    return HandInput(name, parse_cards(front), parse_cards(middle), parse_cards(back))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_row_and_every_reason_has_its_words(preset: str) -> None:
    hands = [laid("Ana", *ANA), laid("Budi", *BUDI)]
    scored = score_round(hands, PRESETS[preset])
    ana, budi = (player.rows for player in scored.players)
    assert ana and budi
    assert wording.row_text(ana["middle"]).endswith("in spades")
    assert wording.row_text(ana["back"]) == "Straight flush, jack high in hearts"
    reasons = [wording.row_reason(reason, ana[reason.row], budi[reason.row]) for reason in scored.pairs[0].row_reasons]
    assert reasons[2].startswith("Straight flush, jack high in hearts, beats four of a kind")
