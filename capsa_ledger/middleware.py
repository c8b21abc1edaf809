"""What is set up anew for each request and taken away after it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


def own_time_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Forget after each request the time zone that `scoring.views.access` chose for it, that of the club asked for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return get_response(request)

    return middleware
