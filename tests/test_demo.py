"""`manage.py demo`: a made-up club that looks like a real one and keeps every rule of the book."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from scoring.audit import audit_ledger
from scoring.demo.club import build_club
from scoring.demo.deals import deal, in_words, lay
from scoring.demo.evenings import past_evenings
from scoring.demo.scale import build_large_club
from scoring.engine.rounds import score_points
from scoring.engine.rules import PRESETS
from scoring.management.commands.demo import demo_password
from scoring.models import Club, Hand, Round, Session

NOW = datetime(2026, 11, 30, 14, tzinfo=UTC)
JAKARTA = ZoneInfo("Asia/Jakarta")
CAPSA = PRESETS["capsa"]


@pytest.fixture
def demo(rudi) -> Club:
    """The club with four evenings."""
    return build_club(rudi, NOW, evenings=4)


def test_the_club_keeps_every_rule_of_the_book(demo: Club) -> None:
    assert audit_ledger().faults == ()
    assert demo.players.count() == 12
    assert demo.sessions.count() == 4


def test_one_evening_runs_and_holds_an_open_round_a_voided_and_a_corrected_one(demo: Club) -> None:
    running = demo.sessions.get(closed_at=None)
    assert running.date.isoformat() == "2026-11-30"
    assert running.share_links.exists()
    states = Counter(running.rounds.values_list("state", flat=True))
    assert (states["open"], states["voided"], states["amended"]) == (1, 1, 1)
    assert states["scored"] >= 4
    assert running.entries.filter(kind="adjustment").exists()


def test_the_evenings_before_lie_in_the_past_with_their_own_times(demo: Club) -> None:
    for session in demo.sessions.exclude(closed_at=None):
        assert session.closed_at and session.created_at < session.closed_at < NOW
        assert session.tallies.exists()
        for round_ in session.rounds.all():
            assert round_.scored_at
            assert session.created_at < round_.opened_at < round_.scored_at < session.closed_at
            assert [entry.created_at for entry in round_.entries.filter(kind="round")] == [round_.scored_at]


def test_every_page_of_the_club_opens(demo: Club, host: Client) -> None:
    running = demo.sessions.get(closed_at=None)
    scored = running.rounds.filter(state=Round.State.SCORED).first()
    pages = [
        *(reverse(name, args=[demo.pk]) for name in ("club", "sessions", "players", "club-rules-text")),
        *(reverse(name, args=[session.pk]) for session in demo.sessions.all() for name in ("session", "settle-up")),
        *(round_.get_absolute_url() for round_ in (scored, running.rounds.get(state=Round.State.OPEN))),
    ]
    assert [page for page in pages if host.get(page).status_code != 200] == []


def test_the_same_seed_plays_the_same_evenings(rudi, siti) -> None:
    """Whenever it is built: only the days differ."""
    clubs = [build_club(rudi, NOW, evenings=2), build_club(siti, NOW.replace(year=2027), evenings=2)]
    told = [
        list(
            Hand.objects.filter(club=club)
            .order_by("pk")
            .values_list("player__name", "front", "middle", "back", "status", "net")
        )
        for club in clubs
    ]
    assert told[0] == told[1]


# ---------------------------------------------------------------- how people play


def test_forty_evenings_are_as_different_as_those_of_a_club() -> None:
    evenings = past_evenings(40, NOW, JAKARTA, Random(52))
    days = [evening.start.date() for evening in evenings]
    assert days == sorted(set(days))
    assert (NOW.date() - days[0]).days <= 380
    assert days[-1] < NOW.date()
    assert {len(evening.people) for evening in evenings} == {4, 5, 6, 7}
    assert min(evening.rounds for evening in evenings) >= 8
    assert max(evening.rounds for evening in evenings) <= 16
    assert len({evening.stake for evening in evenings}) == 3
    assert any(evening.start.hour == 22 for evening in evenings)  # with eight rounds it passes midnight
    for happens in ("in_words", "leaves", "pair_stakes", "notes", "place"):
        assert 0 < sum(bool(getattr(evening, happens)) for evening in evenings) < 40
    assert {evening.rules["preset"] for evening in evenings} == {"capsa", "chinese-2-4", "points"}


def test_who_plays_better_lays_more_valuable_hands() -> None:
    """The same hundred deals, once laid by the best player and once by the weakest."""
    chance = Random(1)
    won = 0
    for _ in range(100):
        one, other = deal(chance, 2)
        hands = [lay(one, 1.0, CAPSA, chance), lay(other, 0.0, CAPSA, chance)]
        again = [lay(one, 0.0, CAPSA, chance), lay(other, 1.0, CAPSA, chance)]
        for pair, sign in ((hands, 1), (again, -1)):
            named = [replace(hand, who=who) for who, hand in enumerate(pair)]
            won += sign * score_points(named, CAPSA)[0]
    assert won > 100


def test_a_hand_told_in_words_is_worth_the_same() -> None:
    chance = Random(3)
    for _ in range(20):
        hands = [replace(lay(cards, 0.5, CAPSA, chance), who=who) for who, cards in enumerate(deal(chance, 4))]
        told = [in_words(hand, CAPSA) for hand in hands]
        points = score_points([replace(hand, declare="play") for hand in hands], CAPSA)
        assert score_points(told, CAPSA) == points


# ---------------------------------------------------------------- many years


def test_the_large_club_keeps_every_rule_of_the_book(rudi) -> None:
    club = build_large_club(rudi, NOW, sessions=5, rounds=3, deals=4)
    assert audit_ledger().faults == ()
    assert (club.sessions.count(), Round.objects.filter(state=Round.State.SCORED).count()) == (5, 15)
    assert not Session.objects.filter(closed_at=None).exists()


# ---------------------------------------------------------------- the command


def test_it_keeps_its_hands_off_a_book_that_is_not_its_own(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "as given")  # so that it does not move to a folder of its own
    with pytest.raises(CommandError, match="There is a book in this database already"):
        call_command("demo", "--fill")
    assert Club.objects.get() == club


def test_it_fills_a_folder_of_its_own_once_and_says_how_to_log_in(clean_environment: dict[str, str]) -> None:
    command = [sys.executable, "manage.py", "demo", "--fill", "--evenings=2"]
    first, second = (
        subprocess.run(
            command, env=clean_environment, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True, check=True
        )
        for _ in range(2)
    )
    assert "rounds in" in first.stdout
    assert first.stdout.splitlines()[-1:] == second.stdout.splitlines()
    assert second.stdout.startswith("Log in as rudi with the password capsa-")
    folder = Path(clean_environment["CAPSA_DATA_DIR"])
    assert (folder / "demo" / "capsa.sqlite3").exists()
    assert not (folder / "capsa.sqlite3").exists()


def test_the_password_follows_from_the_secret_key(settings) -> None:
    settings.SECRET_KEY = "one"
    first = demo_password()
    settings.SECRET_KEY = "another"
    assert demo_password() != first
