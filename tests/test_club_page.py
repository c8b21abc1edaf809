"""The page of a club: the running evening, open balances, the last evenings."""

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.club_book import ClubPage
from scoring.models import Club, Line, Player, Round, Seat, Session
from tests.conftest import SUPER

TODAY = date(2026, 11, 26)


@pytest.fixture
def shown(host: Client, club: Club) -> Callable[[], str]:
    """The text of the page, as one line without markup of its own."""

    def shown() -> str:
        with time_machine.travel("2026-11-26T14:00Z", tick=False):
            return " ".join(host.get(club.get_absolute_url()).text.split())

    return shown


@pytest.fixture
def evening(club: Club, cast: list[Player], rudi, lay) -> Callable[..., Session]:
    """A closed evening of the club on some day with one super of Ana's, paid or not."""

    def evening(day: str, paid: bool = True, **changed: object) -> Session:
        session = Session.objects.create(
            **{
                "club": club,
                "date": day,
                "currency": "IDR",
                "stake": 10_000,
                "ruleset_fields": club.ruleset_fields,
                **changed,
            }
        )
        Seat.objects.bulk_create(
            Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(cast)
        )
        round_ = ledger.open_round(session, cast)
        lay(round_, SUPER)
        ledger.record_round(round_, rudi)
        ledger.close_session(session, rudi)
        if paid:
            pay_all(session, rudi)
        return session

    return evening


def pay_all(session: Session, rudi: User) -> None:
    people: dict[int | None, Player] = {player.pk: player for player in session.players.all()}
    for transfer in ledger.settlement(session).plan.transfers:
        payer, payee = people.get(transfer.payer), people.get(transfer.payee)
        ledger.record_payment(session, payer, payee, transfer.amount, uuid4(), rudi)


def balances(club: Club) -> dict[str, list[tuple[str, int]]]:
    return {one.player.name: one.balances for one in ClubPage(club, TODAY).standings}


# ---------------------------------------------------------------- the first steps


def test_a_club_without_players_asks_for_them(shown: Callable[[], str], club: Club) -> None:
    text = shown()
    assert "First, who plays?" in text and reverse("players", args=[club.pk]) in text
    assert "0 players · 1 host" in text and "None yet." in text
    assert reverse("session-new", args=[club.pk]) not in text


def test_with_players_an_evening_can_start(shown: Callable[[], str], club: Club, cast: list[Player]) -> None:
    text = shown()
    assert "Who is at the table?" in text and reverse("session-new", args=[club.pk]) in text
    assert "4 players · 1 host" in text
    assert balances(club) == {name: [("IDR", 0)] for name in ("Ana", "Budi", "Citra", "Dewi")}


# ---------------------------------------------------------------- the running evening


def test_before_the_first_round(shown: Callable[[], str], session: Session) -> None:
    text = shown()
    assert "Tonight · 0 rounds so far" in text and "The cards may be dealt" in text and "Enter round 1" in text


def test_an_evening_set_up_ahead_does_not_hide_the_one_that_runs(
    shown: Callable[[], str], club: Club, session: Session
) -> None:
    ahead = Session.objects.create(
        club=club, date="2026-12-03", currency="IDR", stake=1, ruleset_fields=club.ruleset_fields
    )
    assert ClubPage(club, TODAY).running.session == session
    assert "Tonight · 0 rounds so far" in shown()
    session.delete()
    assert ClubPage(club, TODAY).running.session == ahead
    assert "Thu, 3 December · 0 rounds so far" in shown()


def test_who_leads(shown: Callable[[], str], session: Session, score: Callable[..., Round]) -> None:
    score()
    text = shown()
    assert "Tonight · 1 round so far" in text and "Ana leads with 640.200" in text and "Enter round 2" in text


def test_those_who_are_level_are_all_named(shown: Callable[[], str], session: Session, ana, budi, citra, dewi) -> None:
    entry = session.entries.create(club=session.club, kind="round")
    for player, amount in ((ana, 500), (budi, 500), (citra, -400), (dewi, -600)):
        Line.objects.create(entry=entry, session=session, club=session.club, player=player, amount=amount)
    assert "Ana, Budi are level with 500" in shown()


def test_one_tap_opens_the_next_round(host: Client, shown: Callable[[], str], session: Session, cast) -> None:
    text = shown()
    assert all(f'name="players" value="{player.pk}"' in text for player in cast)
    host.post(reverse("round-open", args=[session.pk]), {"players": [player.pk for player in cast]})
    round_ = session.rounds.get()
    assert f'href="{reverse("round-entry", args=[round_.pk])}"' in shown() and "Go on with round 1" in shown()


def test_with_five_at_the_table_the_next_in_turn_sits_out(shown: Callable[[], str], session: Session, club) -> None:
    eko = Player.objects.create(club=club, name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=4)
    page = shown()
    assert "<bdi>Ana</bdi> deals." in page
    assert "<bdi>Eko</bdi> sits out." in page
    assert f'name="players" value="{eko.pk}"' not in page
    assert page.count('name="players"') == 4


def test_one_alone_at_the_table_is_sent_to_the_choice(shown: Callable[[], str], session: Session, cast) -> None:
    session.seats.filter(player__in=cast[1:]).update(left_at="2026-11-26T13:00Z")
    assert f'<a role="button" class="btn btn-go" href="{reverse("round-open", args=[session.pk])}">' in shown()


@pytest.mark.parametrize(
    ("day", "told"), [("2026-11-26", "Tonight"), ("2026-11-25", "Tonight"), ("2026-11-12", "Thu, 12 November")]
)
def test_an_evening_left_open_is_named_by_its_day(shown: Callable[[], str], session, day: str, told: str) -> None:
    Session.objects.update(date=day)
    assert f"{told} · 0 rounds so far" in shown()


# ---------------------------------------------------------------- open balances


def test_open_balances_and_where_they_come_from(
    shown: Callable[[], str], club: Club, session: Session, score, evening, ana, dewi
) -> None:
    evening("2026-11-05")
    november = evening("2026-11-12", paid=False)
    text = shown()
    assert balances(club)["Ana"] == [("IDR", 640_200)]
    assert "from 12 Nov" in text and reverse("settle-up", args=[november.pk]) in text
    assert "All together 0." in text and "+19.800" in text
    score()
    assert balances(club)["Ana"] == [("IDR", 2 * 640_200)]
    evening("2026-11-19", paid=False)
    assert "from 2 evenings" in shown()


def test_a_settled_club_owes_nothing(shown: Callable[[], str], club: Club, evening) -> None:
    evening("2026-11-05")
    assert set(map(tuple, balances(club).values())) == {(("IDR", 0),)}
    assert "All together" not in shown()


def test_two_currencies_are_never_added(shown: Callable[[], str], club: Club, evening) -> None:
    evening("2026-11-05", paid=False, currency="MYR", stake=50)
    evening("2026-11-12", paid=False)
    assert balances(club)["Ana"] == [("IDR", 640_200), ("MYR", 3_201)]
    text = shown()
    assert "+RM 32.01" in text and "+640.200" in text
    assert "open balances, rupiah" in text and "MYR: house" in text


def test_a_retired_player_stays_until_all_is_paid(
    shown: Callable[[], str], club: Club, evening, rudi, ana, budi
) -> None:
    session = evening("2026-11-12", paid=False)
    Player.objects.filter(pk__in=[ana.pk, budi.pk]).update(retired_at="2026-11-20T00:00Z")
    assert "Ana" in balances(club) and "retired" in shown()
    pay_all(session, rudi)
    assert list(balances(club)) == ["Citra", "Dewi"]


def test_those_at_the_table_come_first(club: Club, session: Session, cast) -> None:
    Player.objects.create(club=club, name="Aa")
    assert list(balances(club)) == ["Ana", "Budi", "Citra", "Dewi", "Aa"]


def test_another_clubs_book_is_not_counted(club: Club, evening, ana) -> None:
    evening("2026-11-12", paid=False)
    other = Club.objects.create(name="Minggu")
    Player.objects.create(club=other, name="Ana")
    assert balances(other) == {"Ana": [("IDR", 0)]}


# ---------------------------------------------------------------- evenings


def test_the_last_evenings_with_their_winner_and_what_is_open(shown: Callable[[], str], evening) -> None:
    for day in ("2026-10-01", "2026-10-08", "2026-10-15", "2026-11-05"):
        evening(day)
    evening("2026-11-12", paid=False)
    evening("2025-11-12")
    text = shown()
    assert "All 6" in text
    assert "Thu, 12 November</b>" in text and "660.000 open" in text
    assert text.count("✓ Settled") == 3
    assert "1 October" not in text and "2025" not in text
    assert "1 round · <bdi>Ana</bdi>" in text


def test_an_older_evening_that_was_never_closed_is_shown_as_running(shown: Callable[[], str], session, club) -> None:
    Session.objects.create(club=club, date="2026-11-01", currency="IDR", stake=0, ruleset_fields=club.ruleset_fields)
    assert '<span class="badge">running</span>' in shown()


def test_a_stranger_finds_nothing(stranger: Client, club: Club) -> None:
    assert stranger.get(club.get_absolute_url()).status_code == 404


def test_the_page_asks_the_same_number_of_questions_whatever_was_played(
    host: Client, club: Club, session: Session, score, evening, django_assert_num_queries
) -> None:
    score()
    evening("2026-10-01", paid=False)
    for number in range(3):
        with django_assert_num_queries(19):
            host.get(club.get_absolute_url())
        for day in range(3):
            evening(f"2026-0{number + 1}-0{day + 1}", paid=bool(day))
        Player.objects.create(club=club, name=f"Tamu {number}")
        score()
