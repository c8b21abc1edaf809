"""One evening: who is there, what it is played for."""

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.clubs import Club, Player, RulesetFields
from scoring.money import CURRENCIES

Pair = tuple[int, int]
"""The keys of two players, the lower first."""

CURRENCY_CHOICES = [(code, currency.name) for code, currency in CURRENCIES.items()]


class Session(RulesetFields):
    """One evening of a club. It keeps its own rules, stake and currency; the club's may change later."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="sessions")
    date = models.DateField(_("date"))
    currency = models.CharField(_("currency"), max_length=3, choices=CURRENCY_CHOICES)
    stake = models.BigIntegerField(_("stake of a point"))
    place = models.CharField(_("place"), max_length=100, blank=True)
    notes = models.TextField(_("notes"), max_length=2000, blank=True)
    rounds_planned = models.PositiveIntegerField(
        _("number of rounds"),
        null=True,
        blank=True,
        help_text=_("The winner is announced after this many. Empty: open end."),
    )
    # Made for the form that sets it up: the same form sent twice is one session. Empty where no form made it.
    key = models.UUIDField(null=True, unique=True, editable=False)
    version = models.PositiveBigIntegerField(default=0, editable=False)  # counts every write, so that pages can tell
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    players = models.ManyToManyField(Player, through="Seat", related_name="sessions")

    class Meta:
        ordering = ["-date", "-pk"]
        indexes = [models.Index(fields=["club", "-date", "-id"])]  # the club's evenings, newest first
        constraints = [models.CheckConstraint(condition=models.Q(stake__gte=0), name="session_stake_not_negative")]

    def __str__(self) -> str:
        return f"{self.club}, {self.date}"

    def get_absolute_url(self) -> str:
        return reverse("session", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def takes_fee_at_end(self) -> bool:
        """Whether the room fee is taken once at settle-up (RULES 7) instead of in each round."""
        fields: dict[str, Any] = self.ruleset_fields
        return bool(fields["room_fee_basis"] == "session" and fields["room_fee_percent"])


class Seat(models.Model):
    """A player who takes part in an evening."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="seats")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["session", "player"], name="seat_once_per_session")]

    def __str__(self) -> str:
        return str(self.player)


class PairStake(models.Model):
    """A stake of its own for one pair of players, in minor units a point; other pairs play for the session's."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="pair_stakes")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    a = models.ForeignKey(Player, models.PROTECT, related_name="+")
    b = models.ForeignKey(Player, models.PROTECT, related_name="+")
    stake = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "a", "b"], name="pair_stake_once"),
            # The lower key first, so that a pair has one row whichever way it is named.
            models.CheckConstraint(condition=models.Q(a__lt=models.F("b")), name="pair_stake_lower_player_first"),
            models.CheckConstraint(condition=models.Q(stake__gte=0), name="pair_stake_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.a} – {self.b}: {self.stake}"

    @property
    def pair(self) -> Pair:
        return self.a_id, self.b_id


class PlannedStake(models.Model):
    """A stake that holds from a later round on: of the pair `a` and `b`, or of all pairs without their own where both
    are empty. It becomes the stake of the session, or of the pair, when that round is opened."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="planned_stakes")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    from_round = models.PositiveIntegerField(_("from round"))
    a = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    b = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    stake = models.BigIntegerField(null=True, blank=True)  # empty: the pair plays for the session's again

    class Meta:
        ordering = ["from_round", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "from_round", "a", "b"], name="planned_stake_once_per_pair"),
            models.UniqueConstraint(
                fields=["session", "from_round"], condition=models.Q(a__isnull=True), name="planned_stake_once_for_all"
            ),
            models.CheckConstraint(
                condition=models.Q(a__isnull=True, b__isnull=True, stake__isnull=False) | models.Q(a__lt=models.F("b")),
                name="planned_stake_names_a_pair_or_an_amount_for_all",
            ),
            models.CheckConstraint(
                condition=models.Q(stake__isnull=True) | models.Q(stake__gte=0), name="planned_stake_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stake} from round {self.from_round}"

    @property
    def pair(self) -> Pair | None:
        """Whose stake it is; None for all pairs without their own."""
        return None if self.a_id is None or self.b_id is None else (self.a_id, self.b_id)
