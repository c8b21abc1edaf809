"""The change log: what was changed in an evening or a club, from what to what, by whom and when."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.clubs import Club
from scoring.models.rounds import Round
from scoring.models.sessions import Session


class Change(models.Model):
    """One line of the log, written in the transaction that made the change and never touched again.

    `old` and `new` hold the values as they were then, names of people included, so that a later renaming does not
    rewrite the past. Their form depends on `kind`; `changes_told.py` words them. Without a session it is about the
    club.
    """

    class Kind(models.TextChoices):
        CLUB = "club", _("club")
        HOST = "host", _("host")
        PLAYER = "player", _("player")
        SESSION = "session", _("evening")
        SEAT = "seat", _("seat")
        STAKE = "stake", _("stake")
        RULES = "rules", _("rules")
        LINK = "link", _("link")
        ROUND = "round", _("round")
        PAYMENT = "payment", _("payment")
        ADJUSTMENT = "adjustment", _("adjustment")
        CARRY_OVER = "carry-over", _("carry-over")

    club = models.ForeignKey(Club, models.CASCADE, related_name="changes")
    session = models.ForeignKey(Session, models.CASCADE, null=True, blank=True, related_name="changes")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    action = models.CharField(max_length=32)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["session", "-id"]),  # the log of an evening, newest first
            models.Index(fields=["club", "-id"]),  # that of the club
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.created_at:%Y-%m-%d %H:%M}"
