"""`manage.py audit_ledger`: checks the whole book and says what disagrees."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.audit import audit_ledger


class Command(BaseCommand):
    help = "Score every stored round again and check every rule of the book; exit status 1 where something disagrees."

    def handle(self, *args: Any, **options: Any) -> None:
        report = audit_ledger()
        for fault in report.faults:
            self.stderr.write(str(fault))
        looked_at = f"{report.rounds} rounds and {report.entries} entries"
        if report.faults:
            raise CommandError(f"{len(report.faults)} faults in {looked_at}.")
        self.stdout.write(f"{looked_at}: everything agrees.")
