"""What could have been made of a hand, worked out once after its round was scored."""

from django.db import models

from scoring.models.clubs import Club, Player
from scoring.models.rounds import Hand, Round
from scoring.models.sessions import Session


class HandReview(models.Model):
    """A hand of a scored round, measured. Points are those of the round's rules, all opponents together.

    `best_points` is what the best way to play its cards would have brought against the hands that were on the table:
    laid as `front`, `middle` and `back`, or shown as `natural`. It is never less than `points`, what was made of them.
    `worth` is what the cards bring on average, played as well, against as many typical hands: the luck of the deal.
    A hand whose round was voided or amended keeps its review, but no statistic counts it.
    """

    hand = models.OneToOneField(Hand, models.CASCADE, primary_key=True, related_name="review")
    round = models.ForeignKey(Round, models.CASCADE, related_name="reviews")
    session = models.ForeignKey(Session, models.CASCADE, related_name="+", db_index=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(max_length=32)  # the digest of the rules that it was played under, as in PlayedRuleset
    front = models.CharField(max_length=16)
    middle = models.CharField(max_length=24)
    back = models.CharField(max_length=24)
    natural = models.CharField(max_length=32, blank=True)
    points = models.BigIntegerField()
    best_points = models.BigIntegerField()
    worth = models.FloatField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(best_points__gte=models.F("points")), name="hand_review_best_is_not_less"
            ),
        ]
        indexes = [models.Index(fields=["player", "session"])]  # how a player fared, evening by evening

    def __str__(self) -> str:
        return f"{self.points} of {self.best_points}"

    @property
    def left(self) -> int:
        """The points that were left on the table."""
        return self.best_points - self.points
