"""A player's own seat: he lays his hand on his own phone, says that he is ready, and sees what the rounds brought."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from scoring import ledger
from scoring.engine.errors import ScoringError
from scoring.models import Hand, Round, ShareLink
from scoring.result import result_of
from scoring.rules_text.extras import percent_text
from scoring.seat import OwnSeat, Stage
from scoring.views.links import GuestRequest, LinkView, by_link, is_poll
from scoring.views.rounds import Sheet
from scoring.views.rules import told_rules
from scoring.wording import explain

DEVICE_COOKIE = "seat"
DEVICE_COOKIE_AGE = 60 * 60 * 24 * 365

SeatView = Callable[..., HttpResponse]


def at_seat(view: SeatView) -> LinkView:
    """Open a view to whoever has the link of a seat; it is given the seat as this phone may see it."""

    @by_link(ShareLink.Kind.SEAT)
    @wraps(view)
    def opened(request: GuestRequest, link: ShareLink, **more: Any) -> HttpResponse:
        device = request.COOKIES.get(DEVICE_COOKIE, "")[:36] or str(uuid.uuid4())
        response = view(request, OwnSeat(link, device), **more)
        response.set_cookie(
            DEVICE_COOKIE,
            device,
            max_age=DEVICE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response

    return opened


@at_seat
@require_GET
def seat(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """The seat as it stands: the cards to lay, or what there is to wait for."""
    return _page(request, own)


@at_seat
@require_GET
def seat_state(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Asked by the page every now and then: is it still the right one?"""
    drawn = request.GET.get("v", "")
    if drawn == own.key:
        return HttpResponse(status=204)
    return _back(request, own, drawn)


@at_seat
@require_POST
def seat_keep(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Keep what is laid so far. Comes by itself while the player lays."""
    sheet = _kept(request, own)
    return _page(request, own, sheet) if sheet else _back(request, own, _drawn_for(request))


@at_seat
@require_POST
def seat_ready(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Keep the hand and say that it is set; a second tap changes nothing."""
    sheet = _kept(request, own)
    if sheet is None:
        return _back(request, own, _drawn_for(request))
    if sheet.is_kept and all(entry.is_ready for entry in sheet.entry):
        return _write(request, own, ledger.ready_hand)
    sheet.entry.name_what_is_missing()
    return _page(request, own, sheet, status=409 if sheet.stale else 422)


@at_seat
@require_POST
def seat_unready(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Change the hand once more."""
    return _write(request, own, ledger.unready_hand)


@at_seat
@require_POST
def seat_take_back(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Lay the hand here again, which the host had taken over."""
    return _write(request, own, ledger.lay_at_seat)


@at_seat
@require_POST
def seat_give(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Let the host have the cards that were laid here."""
    return _write(request, own, ledger.give_hand)


@at_seat
@require_POST
def seat_move(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """Go on with the hand on this phone. The other phone says so."""
    return _write(request, own, ledger.move_hand)


@at_seat
@require_GET
def seat_round(request: GuestRequest, own: OwnSeat, number: int) -> HttpResponse:
    """The result of a scored round with its reasons."""
    round_ = get_object_or_404(own.session.rounds.current(), number=number)
    if round_.state != Round.State.SCORED:
        return _back(request, own)
    context = {"round": round_, "session": own.session, "result": result_of(round_), "up_url": _address(own)}
    return render(request, "scoring/board_round.html", context)


@at_seat
@require_GET
def seat_rules(request: GuestRequest, own: OwnSeat) -> HttpResponse:
    """The house rules of the evening as text."""
    return render(request, "scoring/board_rules.html", told_rules(own.session) | {"up_url": _address(own)})


def _kept(request: GuestRequest, own: OwnSeat) -> Sheet | None:
    """The sheet with what was sent kept; None where there is nothing to lay here any more."""
    if own.round is None or own.hand is None or request.POST.get("round") != str(own.round.pk):
        return None
    try:
        sheet = Sheet(own.round, request.POST, player=own.player, device=own.device)
    except ledger.LedgerError as error:
        messages.warning(request, str(error))
        return None
    if OwnSeat(own.link, own.device).stage == Stage.LAYING:
        return sheet
    for told in sheet.told:
        messages.warning(request, told)
    return None


def _write(request: GuestRequest, own: OwnSeat, write: Callable[[Hand, str], Hand]) -> HttpResponse:
    """Write something about the player's hand and show the seat as it stands then, with what was refused."""
    if own.round and own.hand and request.POST.get("round") == str(own.round.pk):
        try:
            write(own.hand, own.device)
        except ledger.LedgerError as error:
            messages.warning(request, str(error))
        except ScoringError as error:
            messages.warning(request, str(explain(error, {own.player.pk: own.player.name})))
    return _back(request, own, _drawn_for(request))


def _drawn_for(request: GuestRequest) -> str:
    """What the page of a form was drawn for, as its key."""
    return f"{Stage.LAYING}.{request.POST.get('round', '')}"


def _address(own: OwnSeat) -> str:
    return reverse("seat", args=[own.link.token])


def _back(request: GuestRequest, own: OwnSeat, drawn: str = "") -> HttpResponse:
    """To the seat as it stands, which tells what became of the round that the page was `drawn` for.

    That is part of the address: of several requests that lead there only the last is seen. A script would follow a
    plain redirect by itself, where nobody sees it.
    """
    address = f"{_address(own)}?{urlencode({'was': drawn})}" if drawn else _address(own)
    return HttpResponseClientRedirect(address) if is_poll(request) else redirect(address)


def _page(request: GuestRequest, own: OwnSeat, sheet: Sheet | None = None, status: int | None = None) -> HttpResponse:
    if sheet is None and own.round and own.stage in (Stage.LAYING, Stage.READY, Stage.REVEALED):
        sheet = Sheet(own.round, player=own.player, device=own.device)
    context = {
        "own": own,
        "link": own.link,
        "session": own.session,
        "round": own.round,
        "sheet": sheet,
        "became": own.what_became_of(request.GET.get("was", "")),
        "fee": percent_text(own.session.ruleset.room_fee_percent),
    }
    # htmx swaps in what a conflict says as well; its own code for that is kept for pages without script.
    code = 200 if request.htmx or sheet is None else status or sheet.status
    return render(request, "scoring/seat.html", context, status=code)
