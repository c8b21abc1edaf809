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
    """A hand, and what could have been."""

    review: HandReview
    ruleset: Ruleset

    @property
    def name(self) -> str:
        return self.review.player.name

    @property
    def is_best(self) -> bool:
        """Whether nothing could have brought more."""
        return not self.review.left

    @property
    def natural(self) -> str:
        """The name of the natural that should have been shown, if any."""
        natural = self.review.natural
        is_missed = natural and natural != self.review.hand.natural
        return str(wording.natural_name(natural)) if is_missed else ""

    @property
    def should_play_on(self) -> bool:
        """Whether the natural that was shown would have brought more as three rows."""
        return bool(self.review.hand.natural and not self.review.natural)

    @property
    def rows(self) -> list[RowBeside]:
        return [_beside(row, self.review, self.ruleset) for row in ROWS]


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
    return sorted((Hindsight(review, ruleset) for review in reviews), key=lambda one: -one.review.left)


def _beside(row: str, review: HandReview, ruleset: Ruleset) -> RowBeside:
    laid, best = (_laid(getattr(side, row), ruleset) for side in (review.hand, review))
    return RowBeside(str(wording.row_name(row)), laid, None if set(laid.cards) == set(best.cards) else best)


def _laid(text: str, ruleset: Ruleset) -> LaidRow:
    cards = parse_cards(text)
    return LaidRow(cards, wording.row_short(describe_row(cards, ruleset)) if len(cards) in (3, 5) else "")
