"""A club, who may write in its book, and who plays in it."""

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.engine.rules import PRESETS, Ruleset, parse_ruleset
from scoring.money import CURRENCIES
from scoring.names import NAME_LENGTH, name_key


def default_ruleset() -> dict[str, Any]:
    """The rules that a new club starts with, as stored."""
    return PRESETS["capsa"].as_dict()


class RulesetFields(models.Model):
    """A whole ruleset as played, and the preset that it was made from (to show what differs)."""

    preset = models.CharField(_("preset"), max_length=32, default="capsa")
    ruleset_fields = models.JSONField(_("rules"), default=default_ruleset)

    class Meta:
        abstract = True

    @property
    def ruleset(self) -> Ruleset:
        """The rules as the engine takes them.

        Raises:
            RulesetError: what is stored does not parse any more.
        """
        return parse_ruleset(self.ruleset_fields)

    @ruleset.setter
    def ruleset(self, ruleset: Ruleset) -> None:
        self.ruleset_fields = ruleset.as_dict()


class Club(RulesetFields):
    """The circle of friends: players, hosts, and what a new evening starts with."""

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    currency = models.CharField(
        _("currency"),
        max_length=3,
        choices=[(code, currency.name) for code, currency in CURRENCIES.items()],
        default="IDR",
    )
    stake = models.BigIntegerField(_("stake of a point"), default=1000)
    time_zone = models.CharField(_("time zone"), max_length=64, default=settings.TIME_ZONE)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    users = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Host", related_name="clubs")

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.CheckConstraint(condition=models.Q(stake__gte=0), name="club_stake_not_negative")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.pk])


class Host(models.Model):
    """A user who may write in the book of a club. The owner may also invite and remove hosts."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        HOST = "host", _("co-host")

    club = models.ForeignKey(Club, models.CASCADE, related_name="hosts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hosting")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.HOST)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="host_once_per_club")]

    def __str__(self) -> str:
        return str(self.user)


class Player(models.Model):
    """A name in a club. No account is needed to play."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=4 * NAME_LENGTH, editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name_key", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name_key"], name="player_name_once_per_club")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)

    @property
    def initial(self) -> str:
        """What stands on the player's chip."""
        return self.name[:1].upper()

    @property
    def is_retired(self) -> bool:
        return self.retired_at is not None


class Invitation(models.Model):
    """A link by which one person makes an account and becomes co-host of a club. Only a digest of the link is kept."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    token_digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="accepted_invitations"
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.club} {self.created_at:%Y-%m-%d}"
