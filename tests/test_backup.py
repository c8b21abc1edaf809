"""`manage.py backup`: a whole copy while the site runs, and the way back from it."""

import shutil
import sqlite3
import stat
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.models import Line

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
