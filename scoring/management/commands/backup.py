"""`manage.py backup PATH`: a copy of the book that is whole, made while the site runs."""

import os
import sqlite3
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

_WHERE = ("host", "port", "user", "dbname", "sslmode")  # what pg_dump needs to find the database


class Command(BaseCommand):
    help = "Write a consistent copy of the database to PATH, which must not exist yet. The site may go on running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)

    def handle(self, *args: Any, path: Path, **options: Any) -> None:
        if not path.parent.is_dir():
            raise CommandError(f"There is no folder {path.parent}. Make it first, or name another path.")
        try:
            # For the owner only, from the first byte on, and never over an older backup.
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise CommandError(f"Cannot write a new file {path}: {error.strerror}.") from error
        (_copy_embedded if connection.vendor == "sqlite" else _dump_server)(path)
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes.")


def _copy_embedded(path: Path) -> None:
    """SQLite's own backup: what lies in the write-ahead log beside the file comes along."""
    book, copy = sqlite3.connect(str(connection.settings_dict["NAME"])), sqlite3.connect(path)
    book.backup(copy)
    copy.close()
    book.close()


def _dump_server(path: Path) -> None:
    """PostgreSQL's own dump, to be read back with pg_restore."""
    connection.ensure_connection()
    server = connection.connection.info
    where = " ".join(f"{name}={value}" for name, value in server.get_parameters().items() if name in _WHERE)
    environment = {**os.environ, "PGPASSWORD": server.password}
    command = ["pg_dump", "--format=custom", f"--file={path}", f"--dbname={where}"]
    try:
        subprocess.run(command, check=True, env=environment)  # noqa: S603 - our own settings, no shell
    except FileNotFoundError as error:
        path.unlink()
        raise CommandError("pg_dump is missing: sudo apt install postgresql-client") from error
    except subprocess.CalledProcessError as error:
        path.unlink()
        raise CommandError("pg_dump failed; see its message above.") from error
