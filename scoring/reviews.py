"""What could have been made of the hands of scored rounds: worked out once for each round, after it was saved.

Nothing of the book is touched. A hand is measured where its thirteen cards are known and no row of the round was told
in words; a round of which nothing can be said is marked as reviewed all the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from scoring.engine.advisor import best_against, suggest
from scoring.engine.cards import Card, format_cards
from scoring.engine.errors import ScoringError
from scoring.engine.hand_input import HAND_SIZE
from scoring.engine.naturals import detect_natural
from scoring.engine.rounds import HandInput, score_points
from scoring.engine.rules import ROWS, Ruleset
from scoring.ledger import rules_digest
from scoring.models import Hand, HandReview, Round

_SHOWN = ("", "natural")  # what is declared of a hand that counts as its natural
OPPONENTS = 3  # at the typical tables, by which the worth of cards is measured

Rows = tuple[tuple[Card, ...], ...]
"""Front, middle and back."""


class Measure(NamedTuple):
    """What a hand brought, what it could have brought and how, and what its cards are worth; see HandReview."""

    points: int
    best_points: int
    best_rows: Rows
    natural: str
    worth: float


def measure_round(hands: Sequence[HandInput], ruleset: Ruleset) -> list[Measure | None]:
    """Measure each hand of a round against the others as they lay on the table; None where its cards are not known.

    Raises ScoringError for hands that are no round.
    """
    if any(hand.told for hand in hands):
        return [None] * len(hands)
    points = score_points(hands, ruleset)
    return [_measure(place, hands, points[place], ruleset) for place in range(len(hands))]


def review_round(round_: Round) -> None:
    """Work out what could have been made of the hands of a scored round, and keep it. Once is enough."""
    hands = list(round_.hands.all())
    try:
        ruleset = round_.ruleset
        measures = measure_round([hand.as_input(ruleset) for hand in hands], ruleset)
    except ScoringError:  # rules of another version, or a row that only the host could decide
        measures = [None] * len(hands)
    keep_reviews([(round_, hands, measures)])


def keep_reviews(measured: Sequence[tuple[Round, Sequence[Hand], Sequence[Measure | None]]]) -> None:
    """Keep what was measured of the hands of rounds. Somebody else may be at it at the same time: both come to the
    same."""
    reviews = [
        _review(round_, hand, measure)
        for round_, hands, measures in measured
        for hand, measure in zip(hands, measures, strict=True)
        if measure
    ]
    with transaction.atomic():
        HandReview.objects.bulk_create(reviews, ignore_conflicts=True)
        Round.objects.filter(pk__in=[round_.pk for round_, _, _ in measured]).update(reviewed_at=timezone.now())


def rounds_to_review(most: int) -> list[Round]:
    """So many of the scored rounds that nobody reviewed yet, the newest first, with their hands."""
    rounds = Round.objects.filter(state=Round.State.SCORED, reviewed_at=None).order_by("-pk")
    return list(rounds.select_related("session").prefetch_related("hands")[:most])


def catch_up(batch: int) -> Iterator[int]:
    """Review all rounds that are left, batch by batch; gives the number of rounds after each batch."""
    while rounds := rounds_to_review(batch):
        for round_ in rounds:
            review_round(round_)
        yield len(rounds)


def _measure(place: int, hands: Sequence[HandInput], points: int, ruleset: Ruleset) -> Measure | None:
    hand = hands[place]
    laid = tuple(hand.row(row) for row in ROWS)
    cards = sum(laid, ())
    if len(cards) != HAND_SIZE:
        return None
    natural, by_natural = _by_natural(place, hands, cards, ruleset)
    layout = best_against(cards, [other for other in hands if other is not hand], ruleset)
    # What was done stands where nothing better could be done, even if it was no legal layout: a surrender, say.
    options = [
        (points, laid, natural if hand.declare in _SHOWN else ""),
        (by_natural, laid, natural),
        (int(layout.value), tuple(getattr(layout, row) for row in ROWS), ""),
    ]
    best_points, best_rows, best_natural = max(options, key=lambda option: option[0])
    return Measure(points, best_points, best_rows, best_natural, _worth(cards, natural, len(hands) - 1, ruleset))


def _by_natural(place: int, hands: Sequence[HandInput], cards: Sequence[Card], ruleset: Ruleset) -> tuple[str, int]:
    """The natural that the cards hold, and what it brings when it is shown; none, and what the hand brought, else."""
    natural = detect_natural(cards, ruleset) or ""
    shown = [
        replace(hand, declare="", natural=None) if natural and other == place else hand
        for other, hand in enumerate(hands)
    ]
    return natural, score_points(shown, ruleset)[place]


def _worth(cards: Sequence[Card], natural: str, opponents: int, ruleset: Ruleset) -> float:
    """What the cards bring on average against so many typical hands, played on or shown as a natural."""
    each = suggest(cards, ruleset, 1)[0].value / OPPONENTS
    return opponents * max(each, ruleset.natural_points(natural) or each)


def _review(round_: Round, hand: Hand, measure: Measure) -> HandReview:
    rows = dict(zip(ROWS, map(format_cards, measure.best_rows), strict=True))
    return HandReview(
        hand=hand,
        round=round_,
        session_id=round_.session_id,
        club_id=round_.club_id,
        player_id=hand.player_id,
        rules=rules_digest(round_.ruleset_fields),
        **rows,
        natural=measure.natural,
        points=measure.points,
        best_points=measure.best_points,
        worth=measure.worth,
    )
