"""What the scored rounds of closed evenings add up to, so that no page has to read them again.

A tally is derived: `ledger.tallies` counts it from the rounds, and can do so anew at any time. It knows nothing that
the rounds do not say, payments and adjustments least of all.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.clubs import Club, Player, RulesetFields
from scoring.models.sessions import CURRENCY_CHOICES, Session


class PlayedRuleset(RulesetFields):
    """Rules that a club has played under. The room fee is no part of them: it takes money, and changes no point.

    `digest` names them; two evenings under the same rules have the same one.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="played_rulesets")
    digest = models.CharField(max_length=32)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "digest"], name="played_ruleset_once_per_club")]

    def __str__(self) -> str:
        return f"{self.preset} {self.digest}"


class Tally(models.Model):
    """What one player did in the scored rounds of an evening under one set of rules.

    The tally of several evenings is the sum of theirs in all of SUMS, and the most (the least) of theirs in what is in
    MOST (in LEAST).
    """

    ROWS = tuple(f"{row}_{result}" for row in ("front", "middle", "back") for result in ("won", "tied", "lost"))
    SUMS = (
        *("rounds", "won", "lost", "points", "points_squared", "money", "fee", "closing_fee", *ROWS),
        *("tembus_given", "tembus_taken", "supers", "paos", "naturals", "surrenders", "bonus_won", "bonus_paid"),
    )
    MOST: tuple[str, ...] = ("best_round", "wins_longest", "losses_longest")
    LEAST: tuple[str, ...] = ("worst_round",)

    session = models.ForeignKey(Session, models.CASCADE, related_name="tallies")
    club = models.ForeignKey(Club, models.CASCADE, related_name="tallies")
    date = models.DateField()  # of the evening, as its currency is: neither changes once it is closed
    currency = models.CharField(max_length=3, choices=CURRENCY_CHOICES)
    player = models.ForeignKey(Player, models.CASCADE, related_name="tallies")
    rules = models.ForeignKey(PlayedRuleset, models.CASCADE, related_name="tallies")

    rounds = models.PositiveIntegerField(_("rounds"), default=0)
    won = models.PositiveIntegerField(_("rounds won"), default=0)  # with more points won than lost
    lost = models.PositiveIntegerField(default=0)
    points = models.BigIntegerField(_("points"), default=0)
    # Of each round, for the interval of the mean. No integer: rules may be written whose squares leave 64 bits.
    points_squared = models.FloatField(default=0)
    money = models.BigIntegerField(default=0)  # minor units, before fees
    fee = models.BigIntegerField(default=0)  # taken in the rounds
    closing_fee = models.BigIntegerField(default=0)  # taken at the end; it stands with the rules of the last round
    best_round = models.BigIntegerField(default=0)  # points
    worst_round = models.BigIntegerField(default=0)
    # Rows as they were scored: a PAO hand lost all three. Naturals and surrenders have none.
    front_won = models.PositiveIntegerField(default=0)
    front_tied = models.PositiveIntegerField(default=0)
    front_lost = models.PositiveIntegerField(default=0)
    middle_won = models.PositiveIntegerField(default=0)
    middle_tied = models.PositiveIntegerField(default=0)
    middle_lost = models.PositiveIntegerField(default=0)
    back_won = models.PositiveIntegerField(default=0)
    back_tied = models.PositiveIntegerField(default=0)
    back_lost = models.PositiveIntegerField(default=0)
    # Opponents of whom all three rows were won, hand against hand: not of a PAO. A super is one for each of them.
    tembus_given = models.PositiveIntegerField(default=0)
    tembus_taken = models.PositiveIntegerField(default=0)
    supers = models.PositiveIntegerField(default=0)
    paos = models.PositiveIntegerField(default=0)
    naturals = models.PositiveIntegerField(default=0)
    surrenders = models.PositiveIntegerField(default=0)
    bonus_won = models.BigIntegerField(default=0)  # points that bonuses brought, net of each pair
    bonus_paid = models.BigIntegerField(default=0)
    # Rounds won, or lost, in a row: among those of the evening under these rules in which the player had cards.
    wins_longest = models.PositiveIntegerField(default=0)
    losses_longest = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [models.UniqueConstraint(fields=["session", "player", "rules"], name="tally_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.points} in {self.rounds}"

    @property
    def net(self) -> int:
        """What the player took home, in minor units of the one currency of the evenings."""
        return self.money - self.fee - self.closing_fee


class PairTally(models.Model):
    """What one pair did against each other in the scored rounds of an evening under one set of rules, signed for `a`.

    Those of several evenings add up in all of SUMS.
    """

    SUMS = ("rounds", "points", "money", "rows_won", "rows_tied", "rows_lost", "tembus_given", "tembus_taken")
    MOST: tuple[str, ...] = ()
    LEAST: tuple[str, ...] = ()

    session = models.ForeignKey(Session, models.CASCADE, related_name="pair_tallies")
    club = models.ForeignKey(Club, models.CASCADE, related_name="pair_tallies")
    date = models.DateField()
    currency = models.CharField(max_length=3, choices=CURRENCY_CHOICES)
    a = models.ForeignKey(Player, models.CASCADE, related_name="+")
    b = models.ForeignKey(Player, models.CASCADE, related_name="+")
    rules = models.ForeignKey(PlayedRuleset, models.CASCADE, related_name="pair_tallies")

    rounds = models.PositiveIntegerField(default=0)
    points = models.BigIntegerField(default=0)
    money = models.BigIntegerField(default=0)  # minor units; fees are nobody's in particular
    rows_won = models.PositiveIntegerField(default=0)
    rows_tied = models.PositiveIntegerField(default=0)
    rows_lost = models.PositiveIntegerField(default=0)
    tembus_given = models.PositiveIntegerField(default=0)
    tembus_taken = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "pair tallies"
        # Everybody against everybody out of the index alone, already in groups: without it twelve players and two
        # thousand evenings take five times as long.
        indexes = [
            models.Index(
                fields=["club", "a", "b", "currency", "date", "rules", "rounds", "points", "money"],
                name="pair_tally_matrix",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["session", "a", "b", "rules"], name="pair_tally_once"),
            # The lower key first, so that a pair has one row whichever way it sat.
            models.CheckConstraint(condition=models.Q(a__lt=models.F("b")), name="pair_tally_lower_player_first"),
        ]

    def __str__(self) -> str:
        return f"{self.a} – {self.b}: {self.points} in {self.rounds}"
