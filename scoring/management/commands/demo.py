"""`manage.py demo`: a club that never was, in a book of its own, to look around in."""

import os
import sys
from argparse import ArgumentParser
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.demo.club import EVENINGS, build_club
from scoring.demo.scale import SESSIONS, build_large_club
from scoring.models import Club, Round

HOST = "rudi"


class Command(BaseCommand):
    help = "Fill a book of its own with a made-up club and its year of evenings, then serve it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scale", action="store_true", help="2,000 evenings of 40 rounds instead, to measure with")
        parser.add_argument("--evenings", type=int, help="how many evenings instead")
        parser.add_argument("--fill", action="store_true", help="only fill the book, do not serve it")
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"), help="by default PORT, else 8000")

    def handle(self, *args: Any, scale: bool, evenings: int | None, fill: bool, port: str, **options: Any) -> None:
        _move_to_own_folder("demo-scale" if scale else "demo")
        os.umask(0o077)
        call_command("migrate", interactive=False, verbosity=0)
        if not _is_filled():
            self._fill(scale, evenings or (SESSIONS if scale else EVENINGS))
        self.stdout.write(f"Log in as {HOST} with the password {demo_password()}")
        if not fill:
            call_command("serve", port=port)

    def _fill(self, scale: bool, evenings: int) -> None:
        if User.objects.exists() or Club.objects.exists():
            raise CommandError("There is a book in this database already. The demo only fills an empty one.")
        self.stdout.write(f"Dealing the cards of {evenings:,} evenings; this takes a while.")
        self.stdout.flush()
        began = monotonic()
        with transaction.atomic():
            host = User.objects.create_user(HOST, password=demo_password())
            (build_large_club if scale else build_club)(host, timezone.now(), evenings)
        rounds = Round.objects.count()
        self.stdout.write(f"{rounds:,} rounds in {monotonic() - began:.0f} seconds. Delete {_place()} to start afresh.")


def demo_password() -> str:
    """The host's password. It follows from the secret key, so it is known at every start and stored nowhere."""
    digits = salted_hmac("capsa.demo", HOST).hexdigest()
    return f"capsa-{digits[:4]}-{digits[4:8]}"


def _is_filled() -> bool:
    """Whether this is a book that the demo filled: its host has the password that nobody else would choose."""
    host = User.objects.filter(username=HOST).first()
    return host is not None and host.check_password(demo_password())


def _move_to_own_folder(name: str) -> None:
    """Start this command anew with a data folder of its own inside the usual one, where no database was named."""
    if settings.DATA_DIR.name == name or os.environ.get("DATABASE_URL"):
        return
    environment = {**os.environ, "CAPSA_DATA_DIR": str(settings.DATA_DIR / name)}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)  # noqa: S606 - this very program


def _place() -> str:
    return str(settings.DATA_DIR if connection.vendor == "sqlite" else "this database")
