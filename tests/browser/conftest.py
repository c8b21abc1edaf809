"""Phones that open the running site. Every test in this folder drives a browser and ends with a clean console."""

import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import find_chromium

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
# Chromium reports a refused form (422) and a stale one (409) as failed loads; they are meant.
FAILED_LOAD = "Failed to load resource: the server responded with a status of 4"
# What Chromium and htmx report of requests without a network, or broken off by the next page.
NO_NETWORK = re.compile(r"net::ERR_|htmx:(sendError|sendAbort|timeout|afterRequest)")

OpenPage = Callable[..., Page]

# On a machine that is busy with other things a page may take its time.
expect.set_options(timeout=15_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = find_chromium()
    assert executable, "no Chromium: `make test` installs one"
    quiet = ["--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update"]
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": executable, "args": [*quiet, "--disable-sync", *sandbox]}


class Requests:
    """Those that the site is answering, in threads of its own; what a test asks without a browser is none of them.
    One that outlived its test would write into the next one's tables."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open = 0

    def __enter__(self) -> Self:
        request_started.connect(self._begin)
        request_finished.connect(self._end)
        return self

    def __exit__(self, *_error: object) -> None:
        request_started.disconnect(self._begin)
        request_finished.disconnect(self._end)

    def _begin(self, **_signal: object) -> None:
        self._count(1)

    def _end(self, **_signal: object) -> None:
        self._count(-1)

    def _count(self, step: int) -> None:
        if threading.current_thread() is threading.main_thread():
            return
        with self._changed:
            self._open += step
            self._changed.notify_all()

    def wait(self) -> None:
        """Until the last one is answered, also where nobody is left to hear it."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._open == 0, timeout=15), "a request is never answered"


@pytest.fixture
def requests() -> Iterator[Requests]:
    with Requests() as requests:
        yield requests


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer, requests: Requests) -> Iterator[OpenPage]:
    """A function that opens a phone of its own: `open_page(path, user=None, javascript=True, device=PHONE)`.

    `user` is logged in. Each call has its own cookies. Errors in a console fail the test at its end; with `may_fail`
    requests may fail for want of a network.
    """
    contexts, complaints = [], list[str]()

    def note(message: ConsoleMessage, may_fail: bool) -> None:
        is_meant = message.text.startswith(FAILED_LOAD) or (may_fail and NO_NETWORK.search(message.text))
        if message.type in ("error", "warning") and not is_meant:
            complaints.append(f"{message.text} ({message.location})")

    def open_page(
        path: str = "/",
        user: User | None = None,
        javascript: bool = True,
        device: dict[str, Any] = PHONE,
        may_fail: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=live_server.url, java_script_enabled=javascript, locale="en-GB", reduced_motion="reduce", **device
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        if user:
            context.add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": _session(user), "url": live_server.url}]
            )
        page = context.new_page()
        page.on("console", lambda message: note(message, may_fail))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    requests.wait()
    assert not complaints, "the console says: " + "; ".join(complaints)


@pytest.fixture
def phone(open_page: OpenPage, rudi: User) -> Page:
    """Rudi's phone, logged in, on the first page."""
    return open_page(user=rudi)


@pytest.fixture(params=[True, False], ids=["with-javascript", "without-javascript"])
def javascript(request: pytest.FixtureRequest) -> bool:
    """Both kinds of browser: a test that takes this runs twice, and hands it to `open_page`."""
    return bool(request.param)


def _session(user: User) -> str:
    """The cookie of a fresh session of `user`."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value
