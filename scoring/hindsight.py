"""A reviewed round as its page tells it: each hand beside the best that could have been made of it."""

from dataclasses import dataclass

from scoring import wording
from scoring.engine.cards import Card, parse_cards
from scoring.engine.hands import describe_row
from scoring.engine.rules import ROWS, Ruleset, RulesetError
from scoring.models import HandReview, Round


@dataclass(frozen=True)
class LaidRow:
    """A row as it was laid, or could have been: its cards, and what they are."""

    cards: tuple[Card, ...]
    told: str


@dataclass(frozen=True)
class RowBeside:
    """A row as it was laid beside the same row as it could have been; `best` is None where it is the same."""

    label: str
    laid: LaidRow
    best: LaidRow | None


@dataclass(frozen=True)
class Hindsight:
    """A hand, and what could have been. `natural` is the name of the one that should have been shown, if any."""

    review: HandReview
    natural: str
    rows: list[RowBeside]

    @property
    def name(self) -> str:
        return self.review.player.name

    @property
    def is_best(self) -> bool:
        """Whether nothing could have brought more."""
        return not self.review.left


def hindsight(round_: Round) -> list[Hindsight]:
    """The reviewed hands of a round that counts, whoever left most on the table first; one query.

    None where nobody reviewed it yet, where its cards are not known, or its rules do not parse any more.
    """
    if round_.state != Round.State.SCORED:
        return []
    reviews = round_.reviews.select_related("hand", "player").order_by("hand__position")
    try:
        ruleset = round_.ruleset
    except RulesetError:
        return []
    return sorted((_of_hand(review, ruleset) for review in reviews), key=lambda one: -one.review.left)


def _of_hand(review: HandReview, ruleset: Ruleset) -> Hindsight:
    hand = review.hand
    natural = "" if review.natural == hand.natural else str(wording.natural_name(review.natural))
    return Hindsight(review, natural, [_beside(row, review, ruleset) for row in ROWS])


def _beside(row: str, review: HandReview, ruleset: Ruleset) -> RowBeside:
    laid, best = (_laid(getattr(side, row), ruleset) for side in (review.hand, review))
    return RowBeside(str(wording.row_name(row)), laid, None if set(laid.cards) == set(best.cards) else best)


def _laid(text: str, ruleset: Ruleset) -> LaidRow:
    cards = parse_cards(text)
    return LaidRow(cards, wording.row_short(describe_row(cards, ruleset)) if len(cards) in (3, 5) else "")
