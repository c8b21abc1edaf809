"""`manage.py export_club PK [FILE]`: everything of a club as one file."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from scoring.club_file import write_club
from scoring.exports.snapshot import snapshot
from scoring.models import Club


class Command(BaseCommand):
    help = "Write everything of the club PK to FILE, which must not exist yet; without FILE to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pk", type=int)
        parser.add_argument("file", type=Path, nargs="?")

    def handle(self, *args: Any, pk: int, file: Path | None, **options: Any) -> None:
        club = Club.objects.filter(pk=pk).first()
        if club is None:
            known = ", ".join(f"{one.pk} ({one})" for one in Club.objects.order_by("pk")) or "none"
            raise CommandError(f"There is no club {pk}. The clubs here: {known}.")
        with self._output(file) as output, snapshot():
            output.writelines(write_club(club))
        if file:
            self.stdout.write(f"{club}: {file}, {file.stat().st_size:,} bytes.")

    @contextmanager
    def _output(self, file: Path | None) -> Iterator[Any]:
        if file is None:
            self.stdout.ending = ""
            yield self.stdout
            return
        with _new_file(file) as output:
            yield output


def _new_file(path: Path) -> IO[str]:
    """For the owner only, and never over an older export."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"Cannot write a new file {path}: {error.strerror}.") from error
