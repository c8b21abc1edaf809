"""gunicorn, run inside `serve`: the site is loaded once, and each worker starts with it."""

import contextlib
import errno
import os
import socket
from collections.abc import Callable
from types import FrameType

from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

# More would only queue for SQLite's one writer.
WORKERS = 2
# Browsers open connections before they need them. Without threads two that stay silent would hold up everybody.
THREADS = 16
# How long a stop waits for requests that are being answered, in seconds.
PATIENCE = 10


class Worker(ThreadWorker):
    """A worker that goes at once on Ctrl-C, as its threads may be waiting for connections that stay silent."""

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        # Not by an exception: the signal may have come while the lock was held that a tidy end would wait for.
        os._exit(0)


class Server(BaseApplication):
    """The site on `host`:`port`; calls `begun` as soon as it can be asked, and `ended` when it has stopped.

    Which proxies are believed about TLS stays gunicorn's default: those on this machine, or FORWARDED_ALLOW_IPS.
    """

    def __init__(self, host: str, port: int, begun: Callable[[], None], ended: Callable[[], None]) -> None:
        self.options = {
            "bind": f"{host}:{port}",
            "worker_class": Worker,
            "workers": WORKERS,
            "threads": THREADS,
            "graceful_timeout": PATIENCE,
            "preload_app": True,
            "when_ready": lambda arbiter: begun(),
            "on_exit": lambda arbiter: ended(),
            "loglevel": "warning",
            # It would open a socket in the home folder.
            "control_socket_disable": True,
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> WSGIHandler:
        return get_wsgi_application()


def why_not(host: str, port: int) -> str | None:
    """Why nothing can be served on `host`:`port`, in a sentence; None where it can."""
    with contextlib.closing(socket.socket()) as probe:
        # As gunicorn does: a port whose last connections still fade out is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return f"Port {port} is taken by another program; choose another one: PORT={port + 1} make run"
            return f"Port {port} of {host} cannot be opened: {error.strerror}."
    return None
