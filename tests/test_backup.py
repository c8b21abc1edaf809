"""`manage.py backup`: a whole copy while the site runs, and the way back from it."""

import sqlite3
import stat
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.models import Line

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="looks into the embedded database's file"),
]


def test_the_copy_holds_the_whole_book(score, tmp_path, settings):
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"]
    score()
    call_command("backup", tmp_path / "book.sqlite3", stdout=StringIO())
    with sqlite3.connect(tmp_path / "book.sqlite3") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM scoring_line").fetchone() == (Line.objects.count(),)
    copy.close()


def test_only_the_owner_may_read_it(db, tmp_path, settings):
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"]
    call_command("backup", tmp_path / "book.sqlite3", stdout=StringIO())
    assert stat.S_IMODE((tmp_path / "book.sqlite3").stat().st_mode) == 0o600


def test_an_older_backup_is_not_overwritten(db, tmp_path):
    (tmp_path / "book.sqlite3").write_text("older")
    with pytest.raises(CommandError, match="Cannot write a new file"):
        call_command("backup", tmp_path / "book.sqlite3")
    assert (tmp_path / "book.sqlite3").read_text() == "older"


def test_a_missing_folder_is_named(db, tmp_path):
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", tmp_path / "nowhere" / "book.sqlite3")
