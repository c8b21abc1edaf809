"""Collects the static files, but only when one of them changed: a second start should take no time."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_static_if_changed() -> None:
    """Bring STATIC_ROOT up to date. What it was made from is noted inside it, so that the note goes when it goes."""
    note = Path(settings.STATIC_ROOT) / ".made-from"
    sources = _fingerprint()
    if not note.exists() or note.read_text() != sources:
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        note.write_text(sources)


def _fingerprint() -> str:
    """A digest of the name, size and time of every source file, and of how they are stored."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
