"""`manage.py backup`: a whole copy while the site runs, and the way back from it."""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections

from scoring.models import Entry, Line

pytestmark = pytest.mark.django_db(transaction=True)


def lines_in(copy: Path) -> int:
    """How many lines of the book the copy holds, read without our own code."""
    if connection.vendor == "sqlite":
        book = sqlite3.connect(copy)
        (count,) = book.execute("SELECT count(*) FROM scoring_line").fetchone()
        book.close()
        return int(count)
    restore = [str(shutil.which("pg_restore")), "--data-only", "--table=scoring_line", "--file=-", str(copy)]
    told = subprocess.run(restore, check=True, capture_output=True, text=True).stdout
    return len(told.partition("FROM stdin;\n")[2].partition("\\.\n")[0].splitlines())


def test_the_copy_holds_the_whole_book(score, tmp_path):
    score()
    call_command("backup", tmp_path / "book", stdout=StringIO())
    assert lines_in(tmp_path / "book") == Line.objects.count() > 0


def test_only_the_owner_may_read_it(tmp_path):
    call_command("backup", tmp_path / "book", stdout=StringIO())
    assert stat.S_IMODE((tmp_path / "book").stat().st_mode) == 0o600


def test_an_older_backup_is_not_overwritten(tmp_path):
    (tmp_path / "book.sqlite3").write_text("older")
    with pytest.raises(CommandError, match="Cannot write a new file"):
        call_command("backup", tmp_path / "book.sqlite3")
    assert (tmp_path / "book.sqlite3").read_text() == "older"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", tmp_path / "nowhere" / "book.sqlite3")


# ---------------------------------------------------------------- the way back


@pytest.fixture
def other_place(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of an installation with a book of its own, which is not empty: what stands in it must go."""
    place = {**os.environ, "CAPSA_DATA_DIR": str(tmp_path / "data")}
    if connection.vendor == "sqlite":
        run("migrate", place)
        yield place
        return
    name = f"{connection.settings_dict['NAME']}_back"
    connection.ensure_connection()
    server = connection.connection.info
    place["DATABASE_URL"] = f"postgres://{server.user}@/{name}?host={quote(server.host, safe='')}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        try:
            run("migrate", place)
            yield place
        finally:
            cursor.execute(f"DROP DATABASE {name}")


def run(command: str, place: dict[str, str]) -> str:
    """What one of our commands prints in another installation."""
    line = [sys.executable, settings.BASE_DIR / "manage.py", command]
    return subprocess.run(line, env=place, check=True, capture_output=True, text=True).stdout


def go_back(copy: Path, place: dict[str, str]) -> None:
    """Put the copy in place as README tells, word for word."""
    named = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
    told = re.search(rf"^    (.*)# {named}$", (settings.BASE_DIR / "README.md").read_text(), re.MULTILINE)
    command = told[1].replace("PATH", str(copy))
    folder = Path(place["CAPSA_DATA_DIR"]).parent
    subprocess.run(["bash", "-euc", command], cwd=folder, env=place, check=True)


def test_the_way_back_leads_to_the_same_book(score, tmp_path, other_place):
    score()
    score()
    call_command("backup", tmp_path / "book", stdout=StringIO())
    go_back(tmp_path / "book", other_place)
    assert run("audit_ledger", other_place) == "2 rounds and 2 entries: everything agrees.\n"


def test_a_copy_made_while_rounds_are_scored_is_whole(score, tmp_path, other_place):
    with writing(score):
        before = Entry.objects.count()
        call_command("backup", tmp_path / "book", stdout=StringIO())
        after = Entry.objects.count()
    go_back(tmp_path / "book", other_place)
    told = run("audit_ledger", other_place)
    rounds = int(told.split()[0])
    assert told == f"{rounds} rounds and {rounds} entries: everything agrees.\n"
    assert before <= rounds <= after


@contextmanager
def writing(score) -> Iterator[None]:
    """Somebody scores one round after the other until the block ends."""
    is_over, has_begun = threading.Event(), threading.Event()

    def write() -> None:
        while not is_over.is_set():
            score()
            has_begun.set()
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    assert has_begun.wait(30)
    try:
        yield
    finally:
        is_over.set()
        writer.join()
