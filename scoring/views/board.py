"""The live board of an evening, for everybody who has its link. Nothing here writes."""

from functools import partial
from hashlib import sha256

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_GET
from django_htmx.http import HttpResponseStopPolling, trigger_client_event

from scoring.board import Board
from scoring.models import Round, ShareLink
from scoring.result import result_of
from scoring.rules_text import preset_name
from scoring.tables import RoundTable
from scoring.views.links import GuestRequest, address_for_others, by_link, is_poll
from scoring.views.rules import told_rules

BOARD = ShareLink.Kind.BOARD


@by_link(BOARD)
@require_GET
def board_page(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """The board on a phone or a desk."""
    return _show(request, link, "scoring/board.html")


@by_link(BOARD)
@require_GET
def board_tv(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """The board on a big screen, readable across the room."""
    return _show(request, link, "scoring/board_tv.html")


@by_link(BOARD)
@require_GET
def board_rounds(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """All rounds of the evening, page by page."""
    table = RoundTable(link.session, address=partial(result_address, link))
    table.turn_page(request)
    context = {"link": link, "session": link.session, "table": table}
    return render(request, "scoring/board_rounds.html", context)


@by_link(BOARD)
@require_GET
def board_round(request: GuestRequest, link: ShareLink, number: int) -> HttpResponse:
    """The result of a scored round with its reasons. One that does not count (yet) shows nobody's cards."""
    round_ = get_object_or_404(link.session.rounds.current(), number=number)
    if round_.state != Round.State.SCORED:
        return redirect("board", link.token)
    up_url = reverse("board", args=[link.token])
    context = {"round": round_, "session": link.session, "result": result_of(round_), "up_url": up_url}
    return render(request, "scoring/board_round.html", context)


@by_link(BOARD)
@require_GET
def board_rules(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """The house rules of the evening as text."""
    up_url = reverse("board", args=[link.token])
    return render(request, "scoring/board_rules.html", {"up_url": up_url, **told_rules(link.session)})


def _show(request: GuestRequest, link: ShareLink, template: str) -> HttpResponse:
    """The page, or what is new to one that is open.

    That page sends back as `v` the session's version and a digest of what it shows. Where the version is the same
    nothing else is read; where only the digest is (a card was laid, which nobody sees here), nothing is drawn anew.
    """
    session = link.session
    version, _dot, shown = request.GET.get("v", "").partition(".")
    if is_poll(request) and session.is_open and version == str(session.version):
        return HttpResponse(status=204)
    board = Board(session, partial(result_address, link))
    context = {
        "link": link,
        "session": session,
        "board": board,
        "preset": preset_name(session.preset),
        "watch_url": address_for_others(request, reverse("board", args=[link.token])),
    }
    if not is_poll(request):
        return render(request, template, context)
    inside = render_to_string(f"{template}#inside", context, request)
    if not session.is_open:
        return HttpResponseStopPolling(inside)
    digest = sha256(inside.encode()).hexdigest()[:16]
    news = format_html('<p hx-swap-oob="innerHTML:#news">{}</p>', board.now)
    response = HttpResponse(status=204) if digest == shown else HttpResponse(inside + news)
    return trigger_client_event(response, "drawn", {"v": f"{session.version}.{digest}"})


def result_address(link: ShareLink, round_: Round) -> str:
    """Where anybody with the link reads the result of a round; nowhere where it does not count (any more)."""
    return "" if round_.state != Round.State.SCORED else reverse("board-round", args=[link.token, round_.number])
