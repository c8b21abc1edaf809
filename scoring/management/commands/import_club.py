"""`manage.py import_club FILE`: a club out of the file that `export_club` wrote, or the page of the club."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from scoring.club_file import RefusedError, import_club


class Command(BaseCommand):
    help = "Make the club of FILE, checked and audited, or change nothing and say what is wrong and where."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", help="who owns the club; may be left out where there is only one account")
        parser.add_argument("--again", action="store_true", help="import it even if the owner hosts it already")

    def handle(self, *args: Any, file: Path, owner: str | None, again: bool, **options: Any) -> None:
        user = _owner(owner)
        try:
            club, report, hosts = import_club(file.read_bytes(), user, again=again)
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.") from error
        except RefusedError as error:
            raise CommandError(f"Nothing was imported. {error}") from error
        others = ", ".join(host for host in hosts if host != user.get_username())
        self.stdout.write(
            f"{club} (club {club.pk}): {report.rounds} rounds and {report.entries} entries, everything agrees."
            + (f" Other hosts, to be invited again: {others}." if others else "")
        )


def _owner(name: str | None) -> User:
    accounts = User.objects.filter(is_active=True)
    if name:
        accounts = accounts.filter(username=name)
    if len(accounts) == 1:
        return accounts[0]
    raise CommandError(f"There is no account {name}." if name else "Say who owns the club: --owner NAME.")
