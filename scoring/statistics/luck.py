"""Luck and skill of a player: what the cards that he was dealt were worth, and what he made of them."""

from datetime import date
from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum

from scoring.models import Hand, HandReview, Player, Round
from scoring.statistics.selection import EVERYTHING, Selection

COSTLIEST = 5  # hands that are named


class Luck(NamedTuple):
    """Measured rounds of a player; all figures are points. `worth` is what the cards bring on average when they are
    played as well as can be, `points` what they brought, `best` what they could have brought as the cards lay."""

    rounds: int
    worth: float
    points: int
    best: int

    @property
    def made(self) -> float:
        """What came of the cards beyond their worth: the player's doing, and how the cards of the others lay."""
        return self.points - self.worth

    @property
    def left(self) -> int:
        """What was left on the table."""
        return self.best - self.points


class LuckEvening(NamedTuple):
    """The measured rounds of one evening."""

    session: int
    date: date
    luck: Luck


def luck_by_evening(player: Player, selection: Selection = EVERYTHING) -> list[LuckEvening]:
    """How the player fared in each of the selected evenings, the first one first; one query."""
    rows = (
        _reviews(player, selection)
        .values_list("session", "session__date")
        .annotate(rounds=Count("pk"), value=Sum("worth"), made=Sum("points"), best=Sum("best_points"))
        .order_by("session__date", "session")
    )
    return [LuckEvening(session, day, Luck(*figures)) for session, day, *figures in rows]


def added(evenings: list[LuckEvening]) -> Luck:
    """All of them together."""
    return Luck(*(sum(figures) for figures in zip(*(one.luck for one in evenings), strict=True))) if evenings else NONE


def costliest_hands(player: Player, selection: Selection = EVERYTHING) -> list[HandReview]:
    """The hands with which he left most on the table, with their rounds and evenings; two queries."""
    left = F("best_points") - F("points")
    hands = _reviews(player, selection).annotate(lost=left).filter(lost__gt=0).order_by("-lost", "-pk")
    found = HandReview.objects.filter(pk__in=list(hands.values_list("pk", flat=True)[:COSTLIEST]))
    found = found.select_related("round__session")
    return sorted(found, key=lambda review: (-review.left, -review.pk))


def unreviewed_rounds(player: Player) -> int:
    """How many scored rounds in which he had cards nobody has looked at yet."""
    # From the few rounds that are left to their hands: SQLite would read all hands of the player otherwise.
    rounds = Round.objects.filter(reviewed_at=None, state=Round.State.SCORED)
    return Hand.objects.filter(player=player, round__in=rounds).count()


def _reviews(player: Player, selection: Selection) -> QuerySet[HandReview]:
    rules = Q(rules=selection.rules) if selection.rules else Q()
    reviews = HandReview.objects.filter(rules, selection.of_sessions("session__"), player=player)
    # Only what was scored is reviewed. The few rounds that were taken out since are told by an index of their own;
    # asking each round for its state would read all rounds that there are.
    return reviews.exclude(round__in=Round.objects.filter(voided_at__isnull=False))


NONE = Luck(0, 0.0, 0, 0)
