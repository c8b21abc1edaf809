"""The book: entries that are only ever added, each with lines that sum to zero."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.clubs import Club, Player
from scoring.models.rounds import Round
from scoring.models.sessions import CURRENCY_CHOICES, Session


class Entry(models.Model):
    """One event of the book. Nothing is changed or deleted: a correction is a reversal and, if need be, a new entry.

    It stands in the book of an evening, or without a session in that of the club: what was carried over from evenings,
    and what was paid of it since.
    """

    class Kind(models.TextChoices):
        ROUND = "round", _("round")
        PAYMENT = "payment", _("payment")
        REVERSAL = "reversal", _("reversal")
        FEE = "fee", _("room fee")
        ADJUSTMENT = "adjustment", _("adjustment")
        CARRY_OVER = "carry-over", _("carry-over")

    session = models.ForeignKey(Session, models.CASCADE, null=True, blank=True, related_name="entries")
    club = models.ForeignKey(Club, models.CASCADE, related_name="entries")
    currency = models.CharField(max_length=3, choices=CURRENCY_CHOICES)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="entries")
    reverses = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="reversed_by")
    # In the club's book: the entry that takes the same amounts out of the book of an evening.
    carries = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="carried_by")
    batch = models.UUIDField(null=True, blank=True, db_index=True)  # payments recorded, and taken back, at one tap
    key = models.UUIDField(default=uuid.uuid4)  # made by the server with the form: a second arrival is the same event
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="entry_key_once"),
            models.UniqueConstraint(
                fields=["club", "key"], condition=models.Q(session__isnull=True), name="entry_key_once_in_the_club"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="reversal", reverses__isnull=False)
                | (~models.Q(kind="reversal") & models.Q(reverses__isnull=True)),
                name="entry_reversal_names_its_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    @property
    def amounts(self) -> dict[int | None, int]:
        """What it means for each player (by key, None the house), in minor units; a win is positive."""
        return {line.player_id: line.amount for line in self.lines.all()}


class Line(models.Model):
    """What one entry means for one player, or for the house where `player` is empty. Minor units; a win is positive."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="lines")
    session = models.ForeignKey(Session, models.CASCADE, null=True, blank=True, related_name="lines")
    club = models.ForeignKey(Club, models.CASCADE, related_name="lines")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="lines")
    amount = models.BigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "player"], name="line_one_per_player"),
            models.UniqueConstraint(
                fields=["entry"], condition=models.Q(player__isnull=True), name="line_one_for_the_house"
            ),
        ]
        indexes = [
            models.Index(fields=["session", "player"]),  # a balance is the sum of these
            models.Index(fields=["club"], condition=models.Q(session__isnull=True), name="line_of_the_clubs_book"),
        ]

    def __str__(self) -> str:
        return f"{self.player or 'house'} {self.amount:+}"


class OpenBalance(models.Model):
    """What a player, or the house where `player` is empty, has open of a closed evening. Minor units, never nought.

    It is derived from the lines and kept by `ledger.book`, so that what is open in a club is found without adding up
    all that was ever played. An evening that is closed and has none is settled.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="open_balances")
    club = models.ForeignKey(Club, models.CASCADE, related_name="open_balances")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="open_balances")
    amount = models.BigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "player"], name="open_balance_once_per_player"),
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(player__isnull=True), name="open_balance_once_for_the_house"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or 'house'} {self.amount:+}"
