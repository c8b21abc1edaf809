"""Links that let a person in: the one-time set-up of the first host, and invitations of later ones."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.models import Club, Host, Invitation

VALID_FOR = timedelta(days=7)


def setup_token() -> str:
    """What the set-up link carries. It follows from the secret key, so every process knows it and none stores it."""
    return salted_hmac("capsa.setup", "first host").hexdigest()[:32]


def is_setup_open(token: str) -> bool:
    """Whether `token` may still make the first account: it is the right one and nobody has an account yet."""
    return constant_time_compare(token, setup_token()) and not User.objects.exists()


def invite(club: Club, host: User) -> str:
    """Make an invitation to co-host `club`; the token of its link. Only a digest of it is kept."""
    token = secrets.token_urlsafe(24)
    Invitation.objects.create(
        club=club, token_digest=_digest(token), created_by=host, expires_at=timezone.now() + VALID_FOR
    )
    return token


def find_invitation(token: str) -> Invitation | None:
    """The invitation that `token` opens, if it is neither used nor out of date."""
    open_ones = Invitation.objects.select_related("club", "created_by").filter(
        accepted_at=None, expires_at__gt=timezone.now()
    )
    return open_ones.filter(token_digest=_digest(token)).first()


def accept(token: str, user: User) -> Club | None:
    """Make `user` co-host by `token`, once; None where it was used or withdrawn meanwhile."""
    with transaction.atomic():
        invitation = (
            Invitation.objects.select_for_update(of=("self",))
            .filter(token_digest=_digest(token), accepted_at=None, expires_at__gt=timezone.now())
            .first()
        )
        if invitation is None:
            return None
        Invitation.objects.filter(pk=invitation.pk).update(accepted_at=timezone.now(), accepted_by=user)
        Host.objects.get_or_create(club=invitation.club, user=user)
        return invitation.club


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
