"""Statements: the account of a player in an evening, that of the house in an evening and in a club."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scoring.models import Round, ShareLink
from scoring.statement import HouseStatement, Statement
from scoring.views.access import HostRequest, get_club, get_session
from scoring.views.board import BOARD, result_address
from scoring.views.links import GuestRequest, by_link


@never_cache
@require_GET
def session_player(request: HostRequest, pk: int, player_pk: int) -> HttpResponse:
    """Every entry that touched a player in an evening, down to the pairs of its rounds."""
    session = get_session(request, pk)
    player = get_object_or_404(session.players, pk=player_pk)
    statement = Statement(session, player, request.GET.get("page", 1), _address)
    context = {"session": session, "player": player, "statement": statement}
    return render(request, "scoring/session_player.html", context)


@never_cache
@require_GET
def session_house(request: HostRequest, pk: int) -> HttpResponse:
    """Every entry that touched the house in an evening."""
    session = get_session(request, pk)
    statement = Statement(session, None, request.GET.get("page", 1), _address)
    return render(request, "scoring/house.html", {"session": session, "club": session.club, "statement": statement})


@never_cache
@require_GET
def club_house(request: HostRequest, pk: int) -> HttpResponse:
    """Every entry that touched the house in the evenings of a club and in the club's book, one currency at a time."""
    club = get_club(request, pk)
    currencies = HouseStatement.currencies(club)
    asked = request.GET.get("currency")
    currency = asked if asked in currencies else currencies[0]
    statement = HouseStatement(club, currency, request.GET.get("page", 1), _address)
    return render(request, "scoring/house.html", {"club": club, "statement": statement, "currencies": currencies})


@by_link(BOARD)
@require_GET
def board_player(request: GuestRequest, link: ShareLink, player_pk: int) -> HttpResponse:
    """The account of a player for everybody who has the link of the board."""
    player = get_object_or_404(link.session.players, pk=player_pk)
    statement = Statement(link.session, player, request.GET.get("page", 1), partial(result_address, link))
    context = {"link": link, "session": link.session, "player": player, "statement": statement}
    return render(request, "scoring/session_player.html", context)


def _address(round_: Round) -> str:
    return reverse("round", args=[round_.pk])
