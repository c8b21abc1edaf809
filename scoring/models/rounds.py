"""A round: the hands as typed while it is open, and what they came to once it is scored."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.engine.hand_input import HandInput
from scoring.engine.rounds import RoundScore, score_round
from scoring.engine.rules import ROWS, Ruleset, parse_ruleset
from scoring.engine.words import parse_row
from scoring.models.answers import LONGEST_ROW, Answer, deciding
from scoring.models.clubs import Club, Player
from scoring.models.sessions import Session


class RoundQuerySet(models.QuerySet["Round"]):
    """Rounds, by what stands and what does not."""

    def finished(self) -> "RoundQuerySet":
        """Those that are scored, or voided; one that was amended is told by the round in its place."""
        return self.filter(state__in=(Round.State.SCORED, Round.State.VOIDED))

    def current(self) -> "RoundQuerySet":
        """The last version of each round."""
        return self.exclude(state=Round.State.AMENDED)


class Round(models.Model):
    """Two to four hands that meet. While open it holds what was typed; once scored it never changes but for `state`.

    A correction is a new round of the same number that `replaces` the one that was wrong.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        SCORED = "scored", _("scored")
        VOIDED = "voided", _("voided")
        AMENDED = "amended", _("amended")  # out of the sums like a voided one: another round stands in its place

    session = models.ForeignKey(Session, models.CASCADE, related_name="rounds")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(_("round"))
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    # From then on hands laid at a seat are seen by everybody at the table, and only the host changes them.
    revealed_at = models.DateTimeField(null=True, blank=True)
    revealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # Hands of players who were taken out of the open round, by player's key, in case they come back.
    set_aside = models.JSONField(default=dict, blank=True)
    # What the host said about rows of which too little is told; see `answers`.
    won = models.JSONField(default=list, blank=True)
    # What it was played under, kept with it: a later change of the session never re-prices the past. Empty while open.
    ruleset_fields = models.JSONField(null=True, blank=True)
    stake = models.BigIntegerField(null=True, blank=True)
    fee = models.BigIntegerField(default=0)
    scored_at = models.DateTimeField(null=True, blank=True)
    scored_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # When it was worked out what could have been made of its cards (`models.reviews`), or that nothing can be said.
    reviewed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When, by whom and why it was taken out of the sums, be it voided or amended.
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    void_reason = models.CharField(_("why"), max_length=200, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ["-number", "-pk"]  # the newest version of a round first
        indexes = [
            # The few rounds that are still to be reviewed, among many that are. SQLite takes a partial index only where
            # the query holds its condition word for word: a state, which is a parameter there, would not do.
            models.Index(fields=["id"], condition=models.Q(reviewed_at__isnull=True), name="round_to_review"),
            # Likewise those that were taken out of the sums: their reviews count for nothing.
            models.Index(fields=["id"], condition=models.Q(voided_at__isnull=False), name="round_taken_out"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number"], condition=~models.Q(state="amended"), name="round_number_once"
            ),
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(state="open"), name="round_one_open_per_session"
            ),
        ]

    def __str__(self) -> str:
        return str(_("Round %(number)s") % {"number": self.number})

    def get_absolute_url(self) -> str:
        return reverse("round-entry" if self.is_open else "round", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_voided(self) -> bool:
        return self.state == self.State.VOIDED

    @property
    def is_amended(self) -> bool:
        """Whether another round stands in its place."""
        return self.state == self.State.AMENDED

    @property
    def newest(self) -> "Round":
        """The version of the round that stands now."""
        current = self.session.rounds.current().filter(number=self.number).first() if self.is_amended else self
        return current or self

    @property
    def ruleset(self) -> Ruleset:
        """The rules it was scored under, or will be while it is open.

        Raises:
            RulesetError: what is stored does not parse any more.
        """
        fields: dict[str, Any] = self.ruleset_fields or self.session.ruleset_fields
        return parse_ruleset(fields)

    @property
    def answers(self) -> list[Answer]:
        """Who wins which row by the host's word."""
        return [Answer(row, a, b, result, tuple(told)) for row, a, b, result, told in self.won]

    def score(
        self,
        hands: Sequence["Hand"],
        stakes: Mapping[frozenset[Hashable], int],
        ruleset: Ruleset | None = None,
    ) -> RoundScore:
        """What the hands of the round come to, whether it is open or scored, under its own rules or under `ruleset`;
        `stakes` are those of pairs that have their own, in minor units.

        Raises:
            ScoringError: they are no round, or too little is told of them.
        """
        ruleset = ruleset or self.ruleset
        laid = [hand.as_input(ruleset) for hand in hands]
        won = [answer.won for answer in deciding(self.answers, laid, ruleset)]
        stake = self.session.stake if self.stake is None else self.stake
        return score_round(laid, ruleset, stake, stakes, won)


class Hand(models.Model):
    """What one player laid, as typed until it is scored and in canonical text from then on."""

    class Declare(models.TextChoices):
        AUTOMATIC = "", _("By the cards")
        PLAY = "play", _("Plays on, no natural")
        PAO = "pao", _("PAO")
        NATURAL = "natural", _("Natural")
        SURRENDER = "surrender", _("Surrenders")

    round = models.ForeignKey(Round, models.CASCADE, related_name="hands")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, related_name="hands")
    position = models.PositiveSmallIntegerField()
    front = models.CharField(_("Front"), max_length=LONGEST_ROW, blank=True)
    middle = models.CharField(_("Middle"), max_length=LONGEST_ROW, blank=True)
    back = models.CharField(_("Back"), max_length=LONGEST_ROW, blank=True)
    declare = models.CharField(max_length=9, choices=Declare.choices, default=Declare.AUTOMATIC, blank=True)
    natural = models.CharField(max_length=32, blank=True)
    declared = models.JSONField(default=list, blank=True)  # rows announced before the reveal, where bonuses must be
    version = models.PositiveIntegerField(default=0)  # counts every change while the round is open
    # The page that changed it last: a page never conflicts with itself.
    editor = models.CharField(max_length=36, blank=True)
    sent = models.BigIntegerField(default=0)  # when that page sent it, by its own clock: what it sent earlier is old
    # Laid by the player at his own seat: until the reveal nobody else sees more of it than how far it is.
    is_hidden = models.BooleanField(default=False)
    ready_at = models.DateTimeField(null=True, blank=True)  # when the player at the seat said so
    # The phone that it is laid on: whoever else opens the link of the seat is shown no card of it.
    device = models.CharField(max_length=36, blank=True)
    # A hand has one writer, the host or the seat. What the other one had entered stays here; None: nothing ever.
    set_aside = models.JSONField(null=True, blank=True)

    status = models.CharField(max_length=12, blank=True)
    is_super = models.BooleanField(default=False)
    points = models.BigIntegerField(null=True, blank=True)
    money = models.BigIntegerField(null=True, blank=True)
    fee = models.BigIntegerField(null=True, blank=True)
    net = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "player"], name="hand_once_per_round")]

    def __str__(self) -> str:
        return f"{self.player}: {self.front} / {self.middle} / {self.back}"

    @property
    def is_veiled(self) -> bool:
        """Whether its cards are nobody's business but the player's: laid at the seat and not revealed yet."""
        return self.is_hidden and self.round.is_open and self.round.revealed_at is None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been entered for this player yet."""
        return not (self.front or self.middle or self.back or self.declare)

    def as_input(self, ruleset: Ruleset) -> HandInput:
        """The hand as the engine takes it, its rows by cards or in words; its `who` is the player's key.

        Raises:
            CardError, ToldError: a row holds something that is neither.
        """
        return HandInput.of_rows(
            self.player_id,
            {row: parse_row(text, row, ruleset) for row in ROWS if (text := getattr(self, row)).strip()},
            declare=self.declare,
            # Once scored, `natural` also holds one that the engine found by itself; that is no declaration.
            natural=self.natural or None if self.declare == self.Declare.NATURAL else None,
            declared=frozenset(self.declared),
        )


class PairScore(models.Model):
    """What one pair of a scored round came to, signed for `a`."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="pair_scores")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    a = models.ForeignKey(Player, models.PROTECT, related_name="+")
    b = models.ForeignKey(Player, models.PROTECT, related_name="+")
    front = models.SmallIntegerField(null=True, blank=True)
    middle = models.SmallIntegerField(null=True, blank=True)
    back = models.SmallIntegerField(null=True, blank=True)
    row_points = models.BigIntegerField()
    multiplier = models.BigIntegerField()
    extra = models.BigIntegerField()
    bonus = models.BigIntegerField()
    points = models.BigIntegerField()
    stake = models.BigIntegerField()
    money = models.BigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "a", "b"], name="pair_score_once"),
            models.CheckConstraint(
                condition=models.Q(
                    points=models.F("row_points") * models.F("multiplier") + models.F("extra") + models.F("bonus")
                ),
                name="pair_score_adds_up",
            ),
            models.CheckConstraint(
                condition=models.Q(money=models.F("points") * models.F("stake")),
                name="pair_score_money_is_points_times_stake",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.a} – {self.b}: {self.points}"
