"""Settling up an evening: who pays whom, payments written down and taken back."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from scoring.settle_up import SettleUp
from scoring.views import paying
from scoring.views.access import HostRequest, get_entry, get_session
from scoring.views.share import board_address


@never_cache
@require_GET
@vary_on_headers("HX-Request")
def settle_up(request: HostRequest, pk: int) -> HttpResponse:
    """Who pays whom after an evening."""
    return paying.show(request, get_session(request, pk))


@never_cache
@require_GET
def settle_print(request: HostRequest, pk: int) -> HttpResponse:
    """The same on one sheet of paper, with the balances and the code of the board."""
    session = get_session(request, pk)
    page = SettleUp(session, direct=paying.is_direct(request))
    context = {"session": session, "page": page, "board_url": board_address(request, session)}
    return render(request, "scoring/settle_print.html", context)


@require_POST
def pay(request: HostRequest, pk: int) -> HttpResponse:
    """Write down a payment."""
    return paying.record_payment(request, get_session(request, pk))


@require_POST
def reverse(request: HostRequest, pk: int) -> HttpResponse:
    """Take a payment back, be it one of an evening or of a club."""
    return paying.take_back(request, get_entry(request, pk))


@require_POST
def pay_all(request: HostRequest, pk: int) -> HttpResponse:
    """Write down every payment of the plan at once."""
    return paying.record_all(request, get_session(request, pk))


@require_POST
def reverse_all(request: HostRequest, pk: int) -> HttpResponse:
    """Take back all the payments that one tap recorded."""
    return paying.take_back_all(request, get_session(request, pk))
