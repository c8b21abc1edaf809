"""Who may see and change what. The first line of every view fetches its object through one of these.

What is not yours does not exist for you: the answer is 404 either way. From then on times are told in the club's zone.
"""

from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from scoring.models import Club, Entry, Hand, Host, PlannedStake, Player, Round, Session, ShareLink


class HostRequest(HttpRequest):
    """A request of a logged-in host, as the middleware leaves it."""

    user: User
    htmx: HtmxDetails


def get_club(request: HostRequest, pk: int) -> Club:
    """A club that the user hosts."""
    return _at_home(get_object_or_404(Club, pk=pk, users=request.user))


def get_owned_club(request: HostRequest, pk: int) -> Club:
    """A club that the user owns; co-hosts are told that it does not exist."""
    return _at_home(get_object_or_404(Club, pk=pk, hosts__user=request.user, hosts__role=Host.Role.OWNER))


def get_player(request: HostRequest, pk: int) -> Player:
    """A player of a club that the user hosts."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk, club__users=request.user)
    _at_home(player.club)
    return player


def get_session(request: HostRequest, pk: int | None) -> Session:
    """A session of a club that the user hosts."""
    session = get_object_or_404(Session.objects.select_related("club"), pk=pk, club__users=request.user)
    _at_home(session.club)
    return session


def get_round(request: HostRequest, pk: int) -> Round:
    """A round, open, scored or voided, of a club that the user hosts."""
    rounds = Round.objects.select_related("session__club", "scored_by", "voided_by")
    round_ = get_object_or_404(rounds, pk=pk, club__users=request.user)
    _at_home(round_.session.club)
    return round_


def get_hand(request: HostRequest, pk: int) -> Hand:
    """A hand of a club that the user hosts."""
    hands = Hand.objects.select_related("player", "round__session__club")
    hand = get_object_or_404(hands, pk=pk, club__users=request.user)
    _at_home(hand.round.session.club)
    return hand


def get_share_link(request: HostRequest, pk: int) -> ShareLink:
    """A link to the board or to a seat of an evening of a club that the user hosts."""
    links = ShareLink.objects.select_related("session__club", "player")
    link = get_object_or_404(links, pk=pk, club__users=request.user)
    _at_home(link.session.club)
    return link


def get_planned_stake(request: HostRequest, pk: int) -> PlannedStake:
    """A planned stake of an evening of a club that the user hosts."""
    planned = get_object_or_404(PlannedStake.objects.select_related("session__club"), pk=pk, club__users=request.user)
    _at_home(planned.session.club)
    return planned


def get_entry(request: HostRequest, pk: int) -> Entry:
    """An entry in the book of a club that the user hosts, or of one of its sessions."""
    entry = get_object_or_404(Entry.objects.select_related("session__club", "club"), pk=pk, club__users=request.user)
    _at_home(entry.club)
    return entry


def _at_home(club: Club) -> Club:
    """The club, with the clock set to its place until the request ends (`capsa_ledger.middleware`)."""
    timezone.activate(ZoneInfo(club.time_zone))
    return club
