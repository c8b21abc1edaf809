"""`manage.py review_rounds`: works out what could have been made of the hands of rounds that nobody reviewed yet."""

import os
import select
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections

from scoring.reviews import catch_up

BATCH = 50  # rounds between two words of progress
PAUSE = 60  # seconds between two looks for new rounds
NICENESS = 10  # a tenth of what the site gets where both want the processor


class Command(BaseCommand):
    help = "Work out what could have been made of the hands of all rounds that are not reviewed yet. May be stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--watch", action="store_true", help="go on with new rounds, quietly, until standard input ends"
        )

    def handle(self, *args: Any, watch: bool, **options: Any) -> None:
        if watch:
            self._watch()
            return
        done = 0
        for rounds in catch_up(BATCH):
            done += rounds
            self.stdout.write(f"{done:,} rounds")
            self.stdout.flush()
        self.stdout.write(f"{done:,} rounds reviewed, none is left.")

    def _watch(self) -> None:
        """Beside the site: whatever else runs on the machine comes first."""
        os.nice(NICENESS)
        while True:
            try:
                for _rounds in catch_up(BATCH):
                    pass
            except DatabaseError as error:
                self.stderr.write(f"No rounds are reviewed just now: {error}")
            connections.close_all()  # nothing is held while there is nothing to do
            if select.select([sys.stdin], [], [], PAUSE)[0]:
                return
