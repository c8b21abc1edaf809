"""The change log of a club, of an evening, and for everybody who has the link to its board. Nothing here writes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_GET

from scoring.models import Change, Round, ShareLink
from scoring.tables import ChangeTable
from scoring.views.access import HostRequest, get_club, get_session
from scoring.views.links import GuestRequest, by_link

# What a link to one evening does not tell of the club: what other evenings left open, and who paid it.
OF_OTHER_EVENINGS = (Change.Kind.PAYMENT, Change.Kind.ADJUSTMENT, Change.Kind.CARRY_OVER)


@require_GET
def session_log(request: HostRequest, pk: int) -> HttpResponse:
    """Everything that was changed in an evening."""
    session = get_session(request, pk)
    context = _log(request, session.changes.all(), Round.get_absolute_url)
    return render(request, "scoring/session_log.html", {"session": session, **context})


@require_GET
def club_log(request: HostRequest, pk: int) -> HttpResponse:
    """Everything that was changed in the club and its evenings."""
    club = get_club(request, pk)
    context = _log(request, club.changes.all(), Round.get_absolute_url, names_evenings=True)
    return render(request, "scoring/club_log.html", {"club": club, **context})


@by_link(ShareLink.Kind.BOARD)
@require_GET
def board_log(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """What was changed in the evening, or in the club where every evening is played by it."""
    session = link.session
    of_club = request.GET.get("of") == "club"
    of_the_club = session.club.changes.filter(session=None).exclude(kind__in=OF_OTHER_EVENINGS)
    changes = of_the_club if of_club else session.changes.all()
    context = {"link": link, "session": session, "of_club": of_club, "kept": [("of", "club")] if of_club else []}
    return render(request, "scoring/board_log.html", context | _log(request, changes, partial(_on_the_board, link)))


def _log(
    request: HttpRequest, changes: QuerySet[Change], address: Callable[[Round], str], names_evenings: bool = False
) -> dict[str, Any]:
    """The lines of one kind, or of all, page by page, and the kinds that there are."""
    present = set(changes.order_by().values_list("kind", flat=True).distinct())
    kind = request.GET.get("kind", "")
    table = ChangeTable(changes.filter(kind=kind) if kind in present else changes, address, names_evenings)
    table.turn_page(request)
    kinds = [(value, capfirst(label)) for value, label in Change.Kind.choices if value in present]
    return {"table": table, "kinds": kinds, "kind": kind}


def _on_the_board(link: ShareLink, round_: Round) -> str:
    """Where the result of a round stands; nowhere while it is open, or where it was voided."""
    if round_.session_id != link.session_id or round_.is_open or round_.is_voided:
        return ""
    return reverse("board-round", args=[link.token, round_.number])
