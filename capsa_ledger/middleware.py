"""What every request goes through: the clock, the log-in, that no browser keeps a page, that none is blank."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, HttpResponseRedirectBase
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

GetResponse = Callable[[HttpRequest], HttpResponse]


def own_time_zone(get_response: GetResponse) -> GetResponse:
    """Forget after each request the time zone that `scoring.views.access` chose for it, that of the club asked for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return get_response(request)

    return middleware


def kept_by_nobody(get_response: GetResponse) -> GetResponse:
    """Tell browsers to keep no page: after logging out, "back" must not show the book to the next at the device.

    Static files never come this way. A view that says something else of its own is left alone.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware


def never_blank(get_response: GetResponse) -> GetResponse:
    """Say in words that an address takes forms only: a language chosen or a log-in on such a page leads back to it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response.content = render_to_string("405.html")
        return response

    return middleware


class LoginMiddleware(LoginRequiredMiddleware):
    """Default deny. Who is not logged in any more logs in, and comes back to the page that was open."""

    def handle_no_permission(  # type: ignore[override]  # declared as a 302; a redirect by htmx is none
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirectBase:
        response = redirect_to_login(_open_page(request), self.get_login_url(view_func))
        if "HX-Request" in request.headers:
            # htmx would follow a redirect by itself and put the log-in into a part of the page.
            return HttpResponseClientRedirect(response.url)
        return response


def _open_page(request: HttpRequest) -> str:
    """The address of the page in front of the person: the one asked for, or the one that a form or htmx sent from."""
    is_part = "HX-Request" in request.headers
    if request.method == "GET" and not is_part:
        return request.get_full_path()
    home = resolve_url(settings.LOGIN_REDIRECT_URL)
    try:
        page = urlsplit(request.headers.get("HX-Current-URL" if is_part else "Referer", ""))
    except ValueError:
        return home
    if page.netloc != request.get_host():
        return home
    return page._replace(scheme="", netloc="", fragment="").geturl()
