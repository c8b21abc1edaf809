"""Links for people without an account: made by a host, opened by whoever has them, revoked at any time."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.change_log import log_change
from scoring.models import Change, Player, Session, ShareLink

TOKEN_BYTES = 16  # 128 random bits: nobody finds one by trying


def share_board(session: Session, user: User) -> ShareLink:
    """The link to the board of an evening; the one that is open, else a new one."""
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        return open_links(session).filter(kind=ShareLink.Kind.BOARD).first() or _new_link(session, user)


def share_seats(session: Session, user: User) -> list[ShareLink]:
    """A link for each player at the table; those that are open stay as they are."""
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        open_seats = {link.player_id: link for link in open_links(session).filter(kind=ShareLink.Kind.SEAT)}
        seats = session.seats.filter(left_at=None).select_related("player")
        return [open_seats.get(seat.player_id) or _new_link(session, user, seat.player) for seat in seats]


def revoke_link(link: ShareLink, user: User) -> None:
    """Close a link for good; whoever has it open is told. Closing it again changes nothing."""
    still_open = ShareLink.objects.filter(pk=link.pk, revoked_at=None)
    with transaction.atomic():
        if still_open.update(revoked_at=timezone.now(), revoked_by=user):
            log_change(link.session, Change.Kind.LINK, "withdrawn", user, old=_told(link))


def open_links(session: Session) -> QuerySet[ShareLink]:
    """The links of an evening that open something, the board first, then the players by name."""
    links = session.share_links.filter(revoked_at=None).select_related("player")
    return links.order_by("kind", "player__name_key", "pk")


def has_seat_links(session: Session) -> bool:
    """Whether anybody may lay his hand on his own phone."""
    return session.share_links.filter(kind=ShareLink.Kind.SEAT, revoked_at=None).exists()


def find_link(kind: str, token: str) -> ShareLink | None:
    """What `token` opens, with its session, club and player, from one query; None where it opens nothing (any more)."""
    links = ShareLink.objects.select_related("session__club", "player")
    return links.filter(kind=kind, token=token, revoked_at=None).first()


def new_token() -> str:
    """The secret part of a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def _new_link(session: Session, user: User, player: Player | None = None) -> ShareLink:
    link = ShareLink.objects.create(
        session=session,
        club_id=session.club_id,
        kind=ShareLink.Kind.SEAT if player else ShareLink.Kind.BOARD,
        player=player,
        token=new_token(),
        created_by=user,
    )
    log_change(session, Change.Kind.LINK, "made", user, new=_told(link))
    return link


def _told(link: ShareLink) -> dict[str, str | None]:
    """What the log tells of a link: what it opens, never its token."""
    return {"opens": link.kind, "name": link.player.name if link.player else None}
