"""An empty data folder and database for one program, gone when it ends."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


@contextmanager
def installation() -> Iterator[None]:
    """Set Django up on a fresh installation, for this process and those it starts.

    It lies on the PostgreSQL server that DATABASE_URL names, else on SQLite.
    """
    with tempfile.TemporaryDirectory(prefix="capsa-torture-", ignore_cleanup_errors=True) as folder:
        os.environ |= {"CAPSA_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "capsa_ledger.settings"}
        with _database(os.environ.get("DATABASE_URL", ""), Path(folder).name):
            django.setup()
            call_command("migrate", interactive=False, verbosity=0)
            yield
            leave_database()


@contextmanager
def _database(server: str, name: str) -> Iterator[None]:
    """On a PostgreSQL server a database of its own. What it acknowledges is written, whatever the server was told."""
    if not server.startswith("postgres"):
        yield
        return
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = on')
        os.environ["DATABASE_URL"] = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        try:
            yield
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def leave_database() -> None:
    """Close every connection: before processes are forked, which must not share one, and where its server is gone."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        _close_pool(connection)


def _close_pool(connection: BaseDatabaseWrapper) -> None:
    close = getattr(connection, "close_pool", None)  # PostgreSQL's only
    if close:
        close()


def database_name() -> str:
    """How the database is called in what is printed."""
    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connections["default"].vendor]
