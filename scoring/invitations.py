"""Who may write: the first host comes in by the one-time set-up link, later ones by invitation; and who leaves."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.change_log import log_change
from scoring.models import Change, Club, Host, Invitation

VALID_FOR = timedelta(days=7)


class ClosedLinkError(Exception):
    """The link lets nobody in: it is wrong, used, withdrawn or out of date."""


class LastOwnerError(Exception):
    """The club would be left without an owner."""


# ---------------------------------------------------------------- the first host


def setup_token() -> str:
    """What the set-up link carries. It follows from the secret key, so every process knows it and none stores it."""
    return salted_hmac("capsa.setup", "first host").hexdigest()[:32]


def is_setup_open(token: str) -> bool:
    """Whether `token` may still make the first account: it is the right one and nobody has an account yet."""
    return constant_time_compare(token, setup_token()) and not User.objects.exists()


def make_first_host(token: str, username: str, password: str) -> User:
    """The first account of the site.

    Raises:
        ClosedLinkError: the token is wrong, or somebody has an account already.
    """
    with transaction.atomic():
        # A row that is always there: of two who open the link at once, the second waits here and then finds it closed.
        ContentType.objects.select_for_update().get(app_label="auth", model="user")
        if not is_setup_open(token):
            raise ClosedLinkError
        return User.objects.create_user(username, password=password)


# ---------------------------------------------------------------- invitations


def invite(club: Club, host: User) -> str:
    """Make an invitation to co-host `club`; the token of its link. Only a digest of it is kept."""
    token = secrets.token_urlsafe(24)
    expires_at = timezone.now() + VALID_FOR
    with transaction.atomic():
        Invitation.objects.create(club=club, token_digest=_digest(token), created_by=host, expires_at=expires_at)
        log_change(club, Change.Kind.HOST, "invited", host)
    return token


def withdraw(invitation: Invitation, user: User) -> None:
    """Take an invitation back, so that its link lets nobody in; one that let somebody in meanwhile stays."""
    with transaction.atomic():
        withdrawn, _models = Invitation.objects.filter(pk=invitation.pk, accepted_at=None).delete()
        if withdrawn:
            log_change(invitation.club, Change.Kind.HOST, "withdrawn", user)


def open_invitations() -> QuerySet[Invitation]:
    """Those that still let somebody in."""
    return Invitation.objects.filter(accepted_at=None, expires_at__gt=timezone.now())


def find_invitation(token: str) -> Invitation | None:
    """The invitation that `token` opens, with its club and who made it; None where it is used or out of date."""
    return open_invitations().select_related("club", "created_by").filter(token_digest=_digest(token)).first()


def accept(token: str, user: User) -> Host:
    """Make `user` co-host by `token`. For one who hosts the club already the invitation stays open.

    Raises:
        ClosedLinkError: it was used or withdrawn meanwhile, or is out of date.
    """
    with transaction.atomic():
        invitation = _locked(token)
        known = Host.objects.filter(club_id=invitation.club_id, user=user).first()
        return known or _let_in(invitation, user)


def accept_with_new_account(token: str, username: str, password: str) -> Host:
    """Make an account and with it a co-host by `token`; neither or both.

    Raises:
        ClosedLinkError: it was used or withdrawn meanwhile, or is out of date.
    """
    with transaction.atomic():
        invitation = _locked(token)
        return _let_in(invitation, User.objects.create_user(username, password=password))


def _locked(token: str) -> Invitation:
    invitation = open_invitations().select_for_update().filter(token_digest=_digest(token)).first()
    if invitation is None:
        raise ClosedLinkError
    return invitation


def _let_in(invitation: Invitation, user: User) -> Host:
    invitation.accepted_at, invitation.accepted_by = timezone.now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    host = Host.objects.create(club_id=invitation.club_id, user=user)
    inviter = invitation.created_by.get_username()
    log_change(host.club, Change.Kind.HOST, "joined", user, new={"name": user.get_username(), "invited_by": inviter})
    return host


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# ---------------------------------------------------------------- hosts


def promote_host(host: Host, user: User) -> None:
    """Make a co-host an owner too; for an owner nothing changes."""
    with transaction.atomic():
        promoted = Host.objects.filter(pk=host.pk, role=Host.Role.HOST).update(role=Host.Role.OWNER)
        if promoted:
            log_change(host.club, Change.Kind.HOST, "promoted", user, new={"name": host.user.get_username()})


def remove_host(host: Host, user: User) -> None:
    """Take `host` out of the club on behalf of `user`; what he wrote in its book stays.

    Raises:
        LastOwnerError: he is the only owner.
    """
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=host.club_id)  # two owners who remove each other take turns
        owners = Host.objects.filter(club_id=host.club_id, role=Host.Role.OWNER)
        if not owners.exclude(pk=host.pk).exists():
            raise LastOwnerError
        removed, _models = Host.objects.filter(pk=host.pk).delete()
        if removed:
            action = "left" if host.user_id == user.pk else "removed"
            log_change(host.club, Change.Kind.HOST, action, user, old={"name": host.user.get_username()})
