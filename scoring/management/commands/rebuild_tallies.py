"""`manage.py rebuild_tallies`: what the closed evenings add up to, counted anew from their rounds."""

from typing import Any

from django.core.management.base import BaseCommand

from scoring import ledger
from scoring.models import Session


class Command(BaseCommand):
    help = "Count anew what the closed evenings add up to for the pages of statistics. It can run while the site does."

    def handle(self, *args: Any, **options: Any) -> None:
        closed = Session.objects.exclude(closed_at=None).values_list("pk", flat=True)
        ledger.rebuild_tallies(closed)
        self.stdout.write(f"{len(closed):,} closed evenings are tallied.")
