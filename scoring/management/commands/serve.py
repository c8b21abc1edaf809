"""`manage.py serve`: everything from a fresh installation to a running site."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from scoring.invitations import setup_token
from scoring.management.addresses import announcement, local_address, qr_code, site_address
from scoring.management.reviewer import Reviewer
from scoring.management.server import Server, why_not
from scoring.management.static_files import collect_static_if_changed


class Command(BaseCommand):
    help = "Bring translations, database and static files up to date, then serve the site and print its addresses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="address to listen on, all of them by default")  # noqa: S104 - phones must reach it
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"), help="by default PORT, else 8000")

    def handle(self, *args: Any, host: str, port: str, **options: Any) -> None:
        number = _port_number(port)
        if reason := why_not(host, number):
            raise CommandError(reason)
        os.umask(0o077)  # database, static files: for the owner of the book only
        call_command("compile_translations")
        call_command("migrate", interactive=False, verbosity=0)
        collect_static_if_changed()
        setup_path = _setup_path()
        connections.close_all()  # a connection must not be shared with the workers
        reviewer = Reviewer()

        def begin() -> None:
            self._announce(number, setup_path)
            reviewer.start()

        Server(host, number, begin, reviewer.stop).run()

    def _announce(self, port: int, setup_path: str) -> None:
        self.stdout.write("\n".join(announcement(port, setup_path)))
        address = (site_address(port) or local_address(port)) + setup_path
        if site_address(port) and _can_draw(sys.stdout.encoding):
            self.stdout.write("\n".join(["", *qr_code(address, sys.stdout.isatty())]))
        self.stdout.write(f"\nEverything is kept in {settings.DATA_DIR}. Ctrl-C stops.")
        self.stdout.flush()


def _port_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise CommandError(f"PORT is a number from 1 to 65535, not {text!r}.")
    return int(text)


def _setup_path() -> str:
    """Where the first account is made, without a slash in front; empty once somebody has one."""
    if get_user_model().objects.exists():
        return ""
    return reverse("setup", kwargs={"token": setup_token()}).removeprefix("/")


def _can_draw(encoding: str) -> bool:
    """Whether a terminal of this `encoding` has the half blocks that a QR code is drawn with."""
    return "▀▄█".encode(encoding, errors="ignore") != b""
