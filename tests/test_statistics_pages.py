"""The pages that look back on players: one alone, all beside each other, everybody against everybody."""

import re
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring import ledger
from scoring.models import Club, PlayedRuleset, Player, Session
from tests.past import Past, play_past


@pytest.fixture
def past(club, cast, rudi) -> Past:
    return play_past(club, cast, rudi)


@pytest.fixture
def open_page(host: Client, club: Club):
    """The text of a page: `open_page("leaderboard")`, `open_page(player)`, with what the address asks for."""

    def open_page(what: str | Player, **asked: str) -> str:
        url = reverse("player", args=[what.pk]) if isinstance(what, Player) else reverse(what, args=[club.pk])
        response = host.get(url, asked)
        assert response.status_code == 200
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())

    return open_page


# ---------------------------------------------------------------- a player


def test_the_page_of_a_player(open_page, past, ana):
    """As on paper: 21 points in 7 rounds, from −6.64 to 12.64; took home 21,800."""
    page = open_page(ana)
    for text in (
        "3 evenings · 7 rounds +21 +3.00 a round",
        "95% interval: −6.64 … +12.64",
        "Money, room fees paid +Rp 21.800",
        "Front 7 1 2 70.0% Middle 8 0 2 80.0% Back 6 0 4 60.0% Rounds 4 1 2 57.1%",
        "Tembus given 4 Tembus taken 1 Super 1 Naturals 0 PAO 0 · 0.0%",
        "Points by bonuses −4 (0, −4) Best round +18 Worst round −16",
        "Best evening Thu, 5 November 2026 +9",
        "Worst evening Thu, 12 November 2026 +5",
        "Most evenings won in a row 3 Most evenings lost in a row 0 Won in a row just now 3",
        "Budi +16 21.000 7 14–1–6 3 1 Citra +5 5.000 4 7–0–2 1 0",
        "19 Nov 2026 1 +7 +6.300 12 Nov 2026 2 +5 +9.000 5 Nov 2026 4 +9 +6.500",
    ):
        assert text in page.replace("\u00a0", " ")


def test_what_is_open_and_where_it_comes_from(open_page, past, host, budi):
    """Budi owes 23,400 of the first evening, 10,000 of the second, and stands at −12,000 in the one that runs."""
    page = open_page(budi).replace("\u00a0", " ")
    assert "Open balance −Rp 45.400" in page
    assert re.search(
        r"Thu, 19 November 2026 in the running evening −Rp 12.000 Thu, 12 November 2026 −Rp 10.000 Thu, 5 Nov", page
    )
    response = host.get(reverse("player", args=[budi.pk]))
    assertContains(response, f'href="{reverse("settle-up", args=[past.first.pk])}"')
    assertContains(response, f'href="{reverse("session", args=[past.third.pk])}"')


def test_what_was_carried_over_stands_in_the_clubs_book(open_page, past, rudi, budi):
    for session in (past.first, past.second):
        ledger.carry_over(session, rudi)
    page = open_page(budi).replace("\u00a0", " ")
    assert "Open balance −Rp 45.400" in page
    assert "Carried over to the club −Rp 33.400" in page


def test_the_chart_stands_beside_the_same_numbers(host, past, ana):
    response = host.get(reverse("player", args=[ana.pk]))
    assertContains(response, 'role="img" aria-label="Points of the last evenings', count=1)
    assertContains(response, '<rect class="gain"', count=3)
    assertContains(response, "The same as a table")


def test_one_who_never_played(open_page, past, dewi):
    assert "Nothing was played yet" in open_page(dewi)
    assert "Nothing is open." in open_page(dewi)


def test_a_player_in_a_period_without_rounds(open_page, past, ana):
    page = open_page(ana, since="2020-01-01", until="2020-12-31")
    assert "1 Jan 2020 to 31 Dec 2020" in page
    assert "Nothing was played There is no scored round in what you chose. Show all" in page


def test_a_player_under_rules(open_page, past, ana):
    page = open_page(ana, rules=ledger.rules_digest(past.second.ruleset_fields))
    assert "1 evening · 2 rounds +5 +2.50 a round" in page


def test_an_evening_without_rounds_changes_nothing(open_page, past, ana, session):
    assert "3 evenings · 7 rounds" in open_page(ana)


def test_a_retired_player_keeps_the_page(host, open_page, past, ana):
    host.post(reverse("player-retire", args=[ana.pk]))
    assert "Kamis Malam · retired" in open_page(ana)


def test_names_are_no_markup(host, past, ana, budi):
    Player.objects.filter(pk=budi.pk).update(name="<b>x</b>")
    for url in (reverse("player", args=[ana.pk]), reverse("leaderboard", args=[ana.club_id])):
        assertContains(host.get(url), "&lt;b&gt;x&lt;/b&gt;")


# ---------------------------------------------------------------- the club


def test_the_leaderboard(open_page, past):
    page = open_page("leaderboard")
    assert re.search(r"1 Ana 3 evenings · 7 rounds \+21 2 Citra 2 evenings · 4 rounds \+19 3 Budi .* −40", page)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        pytest.param("mean", r"Points a round 1 Citra 2 evenings · 4 rounds \+4.75 2 Ana .* \+3.00", id="mean"),
        pytest.param("won", r"Rounds won 1 Citra 2 evenings · 4 rounds 75.0% 2 Ana .* 57.1%", id="won"),
        pytest.param("money", r"Money Rupiah 1 Ana .* \+21.800 2 Citra .* \+16.800 3 Budi .* −45.400", id="money"),
    ],
)
def test_the_leaderboard_by_other_measures(open_page, past, by, expected):
    assert re.search(expected, open_page("leaderboard", by=by))


@time_machine.travel("2026-11-30 18:00Z", tick=False)
def test_the_month_is_that_of_the_clubs_place(open_page, club, past):
    """It is December in Jakarta already, and still November in Mexico City."""
    assert "Nothing was played There" in open_page("leaderboard", period="month")
    Club.objects.update(time_zone="America/Mexico_City")
    assert "1 Ana 3 evenings" in open_page("leaderboard", period="month")


def test_the_matrix(open_page, past):
    page = open_page("matrix")
    assert "Ana Budi Citra Ana – +16 7 +5 4 Budi −16 7 – −24 4 Citra −5 4 +24 4 –" in page
    assert "Ana – 21.000 7 5.000 4" in open_page("matrix", show="IDR")


def test_a_club_that_never_met(open_page):
    assert "Nothing was played yet" in open_page("leaderboard")
    assert "Nothing was played yet" in open_page("matrix")


@pytest.mark.parametrize("name", ["leaderboard", "matrix"])
def test_what_cannot_be_understood_is_said(open_page, past, name):
    text = open_page(name, since="2026-12-01", until="2026-11-01", rules="chess")
    assert "The period ends before it begins." in text
    assert "Choose one from the list." in text
    assert "+16" in text if name == "matrix" else "+21" in text


@pytest.mark.parametrize("name", ["leaderboard", "matrix", "sessions"])
def test_rules_that_can_no_longer_be_read_do_no_harm(open_page, past, ana, name):
    PlayedRuleset.objects.update(ruleset_fields={"ties": 3})
    assert "in a form that can no longer be read" in open_page(name)
    assert "in a form that can no longer be read" in open_page(ana)


def test_payments_and_adjustments_never_count(open_page, past, ana, rudi):
    before = open_page("leaderboard", by="money")
    settled = ledger.settlement(past.first)
    ledger.record_all_paid(past.first, ledger.all_paid_key(settled), rudi)
    assert open_page("leaderboard", by="money") == before


def test_every_list_of_players_leads_to_them(host, club, past, ana):
    page = f'href="{reverse("player", args=[ana.pk])}"'
    for name in ("club", "players", "leaderboard", "matrix"):
        assertContains(host.get(reverse(name, args=[club.pk])), page)


# ---------------------------------------------------------------- how much it asks


@pytest.mark.parametrize("name", ["player", "leaderboard", "matrix"])
def test_as_many_queries_for_many_evenings_as_for_few(
    host, club, cast, rudi, ana, past, name, django_assert_num_queries
):
    url = reverse(name, args=[ana.pk if name == "player" else club.pk])
    queries = {"player": 17, "leaderboard": 12, "matrix": 13}
    with django_assert_num_queries(queries[name]):
        host.get(url)
    for _more in range(3):
        play_past(club, cast, rudi)
    with django_assert_num_queries(queries[name]):
        host.get(url)


def test_a_page_of_a_large_club_stays_small(host, club, past):
    """Twelve players is a club; sixty would still be a page."""
    Player.objects.bulk_create(Player(club=club, name=f"P{place}", name_key=f"p{place}") for place in range(60))
    response = host.get(reverse("leaderboard", args=[club.pk]))
    assert len(response.content) < 60_000
    assertNotContains(response, "P59")


@pytest.mark.parametrize("name", ["player", "leaderboard", "matrix"])
def test_the_pages_are_only_read(host, stranger, club, ana, session: Session, name):
    url = reverse(name, args=[ana.pk if name == "player" else club.pk])
    assert host.post(url).status_code == 405
    assert stranger.get(url).status_code == 404
