"""How long the pages of a large club take: `python -m tests.benchmarks.pages [pages to take]`.

It asks the book that `manage.py demo --scale --fill` made (CAPSA_DATA_DIR, DATABASE_URL). A page that takes longer at
the median than it may, or weighs more, ends in exit status 1.
"""

import os
import sys
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "capsa_ledger.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django has to be set up first
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from scoring.models import Club  # noqa: E402

LARGEST = 60_000  # bytes of HTML
TIMES = 9
PLAYER_PAGES = ("player", "player-luck")


class Asked(NamedTuple):
    """A page, and how many milliseconds it may take."""

    name: str
    url: str
    limit: int = 300


class Measured(NamedTuple):
    """What a page took: milliseconds at the median, those of this process alone, queries, bytes."""

    milliseconds: float
    own: float
    queries: int
    size: int

    def is_within(self, limit: int) -> bool:
        return self.milliseconds <= limit and self.size <= LARGEST


def pages(club: Club) -> Iterator[Asked]:
    """The pages that look back on the club, asked for in every way that costs something."""
    players = list(club.players.all()[:2])
    year = f"since={club.sessions.order_by('date')[club.sessions.count() // 2].date}"
    rules = f"rules={club.played_rulesets.all()[0].digest}"
    evenings = reverse("sessions", args=[club.pk])
    yield Asked("history", evenings, limit=150)
    yield Asked("history, last page", f"{evenings}?page=999")
    yield Asked("history, a player", f"{evenings}?player={players[0].pk}")
    yield Asked("history, a text", f"{evenings}?text=warung")
    yield Asked("history, rules and half of it", f"{evenings}?{rules}&{year}")
    of_club, of_player = (
        [("leaderboard", club.pk), ("matrix", club.pk)],
        [(name, players[0].pk) for name in PLAYER_PAGES],
    )
    for name, pk in (*of_club, *of_player):
        url = reverse(name, args=[pk])
        yield Asked(name, url)
        yield Asked(f"{name}, rules and half of it", f"{url}?{rules}&{year}")
    yield Asked("club", club.get_absolute_url())
    yield Asked("players", reverse("players", args=[club.pk]))
    session = club.sessions.exclude(rounds=None)[0]
    for name in ("session", "settle-up", "session-review"):
        yield Asked(name, reverse(name, args=[session.pk]))
    for name in ("round", "round-review"):
        yield Asked(name, reverse(name, args=[session.rounds.all()[0].pk]))
    yield Asked("what if", f"{reverse('what-if', args=[club.pk])}?rules=points")


def measure(client: Client, url: str) -> Measured:
    with CaptureQueriesContext(connection) as queries:
        size = len(client.get(url).content)
    asked = len(queries)
    times, own = [], []
    for _time in range(TIMES):
        began, began_own = perf_counter(), process_time()
        response = client.get(url)
        times.append(1000 * (perf_counter() - began))
        own.append(1000 * (process_time() - began_own))
        assert response.status_code == 200, f"{url}: {response.status_code}"
    return Measured(median(times), median(own), asked, size)


def main(wanted: list[str]) -> int:
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    club = Club.objects.earliest("pk")
    client = Client(SERVER_NAME="127.0.0.1", raise_request_exception=True)
    client.force_login(User.objects.get(clubs=club))
    print(f"{club.sessions.count():,} evenings on {connection.vendor}")
    failed = 0
    for asked in pages(club):
        if wanted and asked.name not in wanted:
            continue
        found = measure(client, asked.url)
        sound = found.is_within(asked.limit)
        failed += not sound
        times = f"{found.milliseconds:7.1f} ms of {asked.limit} ({found.own:5.1f} own)"
        size = f"{found.queries:3} queries {found.size / 1000:5.1f} KB"
        print(f"{asked.name:34}{times} {size}{'' if sound else '  TOO MUCH'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
