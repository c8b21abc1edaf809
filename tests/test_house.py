"""The account of the house: in an evening, and in all evenings of a club by currency."""

import uuid

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import ledger
from scoring.models import Seat
from scoring.statement import HouseStatement, Statement
from tests.test_settle_up import words


def evening(club, rudi, cast, currency="IDR"):
    session = club.sessions.create(
        date="2026-12-03", currency=currency, stake=10, ruleset_fields=club.ruleset_fields, created_by=rudi
    )
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(cast)
    )
    return session


def house_pays(session, rudi, player, amount, note="ice"):
    ledger.record_adjustment(session, {None: -amount, player.pk: amount}, note, uuid.uuid4(), rudi)


def lines(statement):
    return [(line.title, line.amount, line.balance) for line in statement.lines]


def in_evening(session):
    return Statement(session, None, 1, lambda round_: "")


def in_club(club, currency="IDR", number=1):
    return HouseStatement(club, currency, number, lambda round_: "")


def test_every_entry_that_touched_the_house(session, score, rudi, ana, budi):
    score()
    ledger.record_adjustment(session, {ana.pk: 5, budi.pk: -5}, "not the house's", uuid.uuid4(), rudi)
    house_pays(session, rudi, budi, 800)
    ledger.record_payment(session, ana, None, 1_000, uuid.uuid4(), rudi, direct=True)
    assert lines(in_evening(session)) == [
        ("Received from Ana", -1_000, 18_000),
        ("ice", -800, 19_000),
        ("Round 1", 19_800, 19_800),
    ]
    assert in_evening(session).sums == [("room fees", 19_800), ("adjustments", -800), ("payments", -1_000)]
    assert in_evening(session).balance == ledger.balances(session)[None] == 18_000


def test_fee_of_the_evening_is_taken_and_given_back(session, score, rudi):
    session.ruleset_fields |= {"room_fee_basis": "session", "room_fee_percent": "3"}
    session.save()
    score()
    ledger.close_session(session, rudi)
    ledger.reopen_session(session, rudi)
    assert lines(in_evening(session)) == [
        ("Room fee of the evening given back", -19_800, 0),
        ("Room fee of the evening", 19_800, 19_800),
    ]


def test_club_has_all_evenings_in_one_account(club, session, score, rudi, cast, ana, budi):
    score()
    other = evening(club, rudi, cast)
    house_pays(other, rudi, ana, 300)
    assert lines(in_club(club)) == [("ice", -300, 19_500), ("Round 1", 19_800, 19_800)]
    assert [line.session for line in in_club(club).lines] == [other, session]


def test_what_is_carried_over_stays_with_the_house(club, session, score, rudi, budi):
    score()
    ledger.close_session(session, rudi)
    ledger.carry_over(session, rudi)
    assert lines(in_club(club)) == [("Round 1", 19_800, 19_800)]
    assert lines(in_evening(session))[0] == ("Carried over to the club", -19_800, 0)
    book = ledger.ClubBook(club, "IDR")
    claim = next(claim for claim in ledger.settlement(book).claims if claim.payee is None)
    payer = club.players.get(pk=claim.payer)
    ledger.record_payment(book, payer, None, 800, claim.key, rudi)
    assert lines(in_club(club))[0] == (f"Received from {payer}", -800, 19_000)


def test_currencies_are_never_added(host, club, session, score, rudi, cast, ana):
    score()
    house_pays(evening(club, rudi, cast, "MYR"), rudi, ana, 250)
    assert HouseStatement.currencies(club) == ["IDR", "MYR"]
    address = reverse("club-house", args=[club.pk])
    assert "+Rp 19.800" in words(host.get(address).content).replace("\u00a0", " ")
    text = words(host.get(address + "?currency=MYR").content).replace("\u00a0", " ")
    assert "−RM 2.50" in text
    assert "Round 1" not in text
    assert "+Rp 19.800" in words(host.get(address + "?currency=XXX").content).replace("\u00a0", " ")


def test_club_without_entries_has_an_empty_account(host, club):
    assert "Nothing yet." in words(host.get(reverse("club-house", args=[club.pk])).content)


def test_account_is_paged_with_true_balances(club, session, rudi, ana):
    for _time in range(30):
        house_pays(session, rudi, ana, 1)
    assert [line.balance for line in in_club(club, number=2).lines] == [-5, -4, -3, -2, -1]


def test_queries_do_not_grow(host, club, session, score, rudi, cast, ana):
    def queries():
        counts = []
        for name, thing in (("club-house", club), ("session-house", session)):
            with CaptureQueriesContext(connection) as captured:
                assert host.get(reverse(name, args=[thing.pk])).status_code == 200
            counts.append(len(captured))
        return counts

    score()
    house_pays(session, rudi, ana, 1)
    before = queries()
    for _time in range(6):
        score()
        house_pays(session, rudi, ana, 1)
        house_pays(evening(club, rudi, cast), rudi, ana, 1)
    assert queries() == before


def test_settle_up_and_club_lead_here(host, club, session, score):
    score()
    assert (
        reverse("session-house", args=[session.pk])
        in host.get(reverse("settle-up", args=[session.pk])).content.decode()
    )
    assert reverse("club-house", args=[club.pk]) in host.get(reverse("club", args=[club.pk])).content.decode()


def test_account_of_another_host_does_not_exist(stranger, club, session):
    assert stranger.get(reverse("club-house", args=[club.pk])).status_code == 404
    assert stranger.get(reverse("session-house", args=[session.pk])).status_code == 404
