"""No page that looks back reads a table from end to end: its queries go by indexes, on either database.

What they go by: the evenings of a club by `session(club, -date, -id)`, in the order in which they are listed; rounds,
seats and tallies of an evening by its key; the tallies of a club by `tally(club)` and `pair_tally(club)`, of which
every row is wanted; those of a player by `tally(player)`, `pair_tally(a)` and `pair_tally(b)`.
"""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.past import Past, play_past

GROWING = {
    f"scoring_{name}"
    for name in ("session", "seat", "round", "hand", "pairscore", "entry", "line", "tally", "pairtally", "handreview")
}


@pytest.fixture
def past(club, cast, rudi) -> Past:
    return play_past(club, cast, rudi)


def explain(query: str) -> str:
    """How the database answers; PostgreSQL is told to look up where it can, as the tables of a test are small."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(("EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN ") + query)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def read_from_end_to_end(plan: str) -> set[str]:
    """The tables of which a plan reads every row, whosever it is."""
    sqlite = re.findall(r"^SCAN (scoring_\w+)", plan, flags=re.MULTILINE)
    return {*sqlite, *re.findall(r"Seq Scan on (scoring_\w+)", plan)}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        pytest.param("sessions", {}, id="history"),
        pytest.param("sessions", {"since": "2026-11-06", "until": "2026-12-31"}, id="history-of-a-period"),
        pytest.param("sessions", {"text": "hujan"}, id="history-by-text"),
        pytest.param("sessions", {"player": "ana"}, id="history-of-a-player"),
        pytest.param("sessions", {"rules": "house"}, id="history-under-rules"),
        pytest.param("leaderboard", {}, id="leaderboard"),
        pytest.param("leaderboard", {"since": "2026-11-06", "rules": "house"}, id="leaderboard-of-a-period"),
        pytest.param("matrix", {}, id="matrix"),
        pytest.param("player", {}, id="player"),
        pytest.param("player", {"since": "2026-11-06", "rules": "house"}, id="player-in-a-period"),
        pytest.param("player-luck", {}, id="luck"),
        pytest.param("player-luck", {"since": "2026-11-06", "rules": "house"}, id="luck-in-a-period"),
        pytest.param("what-if", {"rules": "points"}, id="what-if"),
        pytest.param("club", {}, id="club"),
    ],
)
def test_pages_look_up_what_they_need(host, club, past, ana, name, asked) -> None:
    values = {"ana": str(ana.pk), "house": club.played_rulesets.order_by("pk")[0].digest}
    url = reverse(name, args=[ana.pk if name.startswith("player") else club.pk])
    with CaptureQueriesContext(connection) as queries:
        assert host.get(url, {key: values.get(text, text) for key, text in asked.items()}).status_code == 200
    for query in queries:
        plan = explain(query["sql"])
        assert not read_from_end_to_end(plan) & GROWING, f"{query['sql']}\n\n{plan}"


def test_the_evenings_come_in_their_order_without_sorting(host, club, past) -> None:
    with CaptureQueriesContext(connection) as queries:
        host.get(reverse("sessions", args=[club.pk]))
    (listed,) = [
        query["sql"] for query in queries if re.search(r'ORDER BY "scoring_session"."date" DESC.* LIMIT', query["sql"])
    ]
    assert not re.search(r"TEMP B-TREE FOR ORDER BY|Sort Key", explain(listed))
