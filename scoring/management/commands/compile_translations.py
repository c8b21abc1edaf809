"""`manage.py compile_translations`: see `scoring.management.translations`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from babel.messages.pofile import PoFileError
from django.core.management.base import BaseCommand, CommandError

from scoring.management.translations import catalogs, compile_catalog, compiled, faults, is_stale, read_catalog


class Command(BaseCommand):
    help = "Compile translations that changed. With --check compile nothing, but look for faults in all of them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only report faults")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        found: list[str] = []
        for source in catalogs():
            if check or is_stale(source):
                found += self._compile(source, check)
        if found:
            raise CommandError("Faults in the translations:\n" + "\n".join(found))

    def _compile(self, source: Path, check: bool) -> list[str]:
        """Compile `source` unless only a check is wanted; its faults, if any. A faulty one is not compiled."""
        try:
            catalog = read_catalog(source)
        except PoFileError as error:
            return [f"{source}: {error}"]
        found = [f"{source}: {fault}" for fault in faults(catalog)]
        if not found and not check:
            compile_catalog(catalog, compiled(source))
        return found
