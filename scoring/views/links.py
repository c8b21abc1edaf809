"""Addresses that open without an account, and how they are handed on."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseStopPolling
from django_htmx.middleware import HtmxDetails

from scoring.sharing import find_link

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class GuestRequest(HttpRequest):
    """A request of somebody who came by a link, with or without an account, as the middleware leaves it."""

    htmx: HtmxDetails


LinkView = Callable[..., HttpResponseBase]


def address_for_others(request: HttpRequest, path: str) -> str:
    """The whole address of `path`: as this page was opened, or by the site's name where that was `localhost`.

    What is opened as localhost here must be reachable from somebody else's phone.
    """
    host, _colon, port = request.get_host().rpartition(":")
    name, suffix = (host, f":{port}") if host and port.isdigit() else (request.get_host(), "")
    if name in LOOPBACK and settings.SITE_HOSTS:
        name = settings.SITE_HOSTS[0]
    return f"{request.scheme}://{name}{suffix}{path}"


def by_link(kind: str) -> Callable[[LinkView], LinkView]:
    """Open a view to everybody who has a link of this kind; instead of its token the view is given the link.

    What a token does not open (any more) is answered the same way, whatever was wrong with it. Nothing is stored by
    browsers or found by search engines, and times are told in the club's zone.
    """

    def decorate(view: LinkView) -> LinkView:
        @login_not_required
        @never_cache
        @vary_on_headers("HX-Request")
        @wraps(view)
        def opened(request: GuestRequest, token: str, **more: Any) -> HttpResponseBase:
            link = find_link(kind, token)
            if link:
                timezone.activate(ZoneInfo(link.session.club.time_zone))
            response = view(request, link, **more) if link else _closed(request)
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            return response

        return opened

    return decorate


def is_poll(request: GuestRequest) -> bool:
    """Whether a page asks by itself, to take in what is new."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def _closed(request: GuestRequest) -> HttpResponse:
    """The one answer to a link that opens nothing: a page, or to a page that is open already the end of its polls."""
    if is_poll(request):
        message = render(request, "scoring/link_closed.html#message")
        return HttpResponseStopPolling(message.content)
    return render(request, "scoring/link_closed.html", status=404)
