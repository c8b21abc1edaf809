"""Links that let people in without an account: the board of an evening to look at, a seat to lay one's own hand at."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.clubs import Club, Player
from scoring.models.sessions import Session


class ShareLink(models.Model):
    """An address that opens the board of an evening, or one player's seat at it, until it is revoked.

    The token itself is kept, unlike that of an invitation: the host shows its code again all evening.
    """

    class Kind(models.TextChoices):
        BOARD = "board", _("board")
        SEAT = "seat", _("seat")

    session = models.ForeignKey(Session, models.CASCADE, related_name="share_links")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="share_links")
    token = models.CharField(max_length=32, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="board", player__isnull=True) | models.Q(kind="seat", player__isnull=False),
                name="share_link_names_a_player_for_a_seat_only",
            ),
            models.UniqueConstraint(
                fields=["session"],
                condition=models.Q(kind="board", revoked_at__isnull=True),
                name="share_link_one_open_board",
            ),
            models.UniqueConstraint(
                fields=["session", "player"],
                condition=models.Q(kind="seat", revoked_at__isnull=True),
                name="share_link_one_open_per_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.player or self.session}"
