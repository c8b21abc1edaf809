"""Addresses to hand on: what is opened as localhost here must be reachable from somebody else's phone."""

from django.conf import settings
from django.http import HttpRequest

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def address_for_others(request: HttpRequest, path: str) -> str:
    """The whole address of `path`: as this page was opened, or by the site's name where that was `localhost`."""
    host, _colon, port = request.get_host().rpartition(":")
    name, suffix = (host, f":{port}") if host and port.isdigit() else (request.get_host(), "")
    if name in LOOPBACK and settings.SITE_HOSTS:
        name = settings.SITE_HOSTS[0]
    return f"{request.scheme}://{name}{suffix}{path}"
