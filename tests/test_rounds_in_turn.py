"""Five at the table: who deals and who sits out, from page to page."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.models import Player, Round, Seat, Session


@pytest.fixture
def eko(session: Session, club) -> Player:
    """The fifth at the table."""
    eko = Player.objects.create(club=club, name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=4)
    return eko


@pytest.fixture
def even(session: Session) -> None:
    """Rules under which a round can be scored without cards."""
    Session.objects.update(ruleset_fields=session.ruleset_fields | {"surrender_points": 1})
    session.refresh_from_db()


def told(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split()).replace(" .", ".")


def proposed(page: str) -> list[int]:
    return [int(key) for key in re.findall(r'name="players" value="(\d+)"', page)]


def play(host: Client, session: Session, page: str, lay) -> Round:
    """Open the next round with those whom a page proposes, and score it."""
    host.post(reverse("round-open", args=[session.pk]), {"players": proposed(page)})
    round_ = session.rounds.get(state=Round.State.OPEN)
    lay(round_, ["surrender"] * round_.hands.count())
    host.post(reverse("round-score", args=[round_.pk]))
    round_.refresh_from_db()
    return round_


def test_an_evening_of_six_rounds_by_one_tap_each(host, session, even, eko, cast, lay):
    """Everybody sits out in turn, and whoever dealt sits out next."""
    page = host.get(session.get_absolute_url()).content.decode()
    resting = []
    for number, dealer in enumerate(("Ana", "Budi", "Citra", "Dewi", "Eko", "Ana"), start=1):
        round_ = play(host, session, page, lay)
        assert (round_.number, round_.state) == (number, Round.State.SCORED)
        resting += [str(player) for player in (*cast, eko) if not round_.hands.filter(player=player).exists()]
        page = host.get(reverse("round", args=[round_.pk])).content.decode()
        assert f"{dealer} sits out." in told(page) or number == 6
    assert resting == ["Eko", "Ana", "Budi", "Citra", "Dewi", "Eko"]


def test_the_open_round_tells_who_deals(host, session, even, eko, cast):
    round_ = ledger.open_round(session, [*cast[1:], eko])
    for page in (round_.get_absolute_url(), session.get_absolute_url()):
        assert "Budi deals. Ana sits out." in told(host.get(page).content.decode())


def test_the_dealer_is_told_at_a_table_of_four_too(host, session, even, cast, lay):
    page = host.get(session.get_absolute_url()).content.decode()
    assert "Round 1: Ana deals. Change" in told(page)
    play(host, session, page, lay)
    page = host.get(session.get_absolute_url()).content.decode()
    assert "Round 2: Budi deals." in told(page)
    assert proposed(page) == [player.pk for player in cast]


def test_the_proposal_is_changed_with_a_few_taps(host, session, even, eko, cast):
    url = reverse("round-open", args=[session.pk])
    page = host.get(url).content.decode()
    assert "Proposed: Ana deals. Eko sits out." in told(page)
    host.post(url, {"players": [cast[0].pk, cast[1].pk, cast[2].pk, eko.pk]})
    assert [str(hand.player) for hand in session.rounds.get().hands.all()] == ["Ana", "Budi", "Citra", "Eko"]
    assert "Ana deals. Dewi sits out." in told(host.get(session.rounds.get().get_absolute_url()).content.decode())


def test_a_round_taken_back_is_dealt_again_by_the_same(host, session, even, eko, cast, lay, rudi):
    page = host.get(session.get_absolute_url()).content.decode()
    play(host, session, page, lay)
    second = play(host, session, host.get(session.get_absolute_url()).content.decode(), lay)
    host.post(reverse("round-void", args=[second.pk]), {"again": "1"})
    again = session.rounds.get(state=Round.State.OPEN)
    assert "Budi deals. Ana sits out." in told(host.get(again.get_absolute_url()).content.decode())


def test_who_has_left_neither_deals_nor_sits_out(host, session, even, eko, lay, budi):
    page = host.get(session.get_absolute_url()).content.decode()
    play(host, session, page, lay)
    session.seats.filter(player=budi).update(left_at="2026-11-26T15:00Z")
    page = host.get(session.get_absolute_url()).content.decode()
    assert "Round 2: Citra deals. Change" in told(page)
    assert budi.pk not in proposed(page)
    assert eko.pk in proposed(page)


def test_the_entry_page_asks_as_much_for_ten_rounds_as_for_two(
    host, session, even, cast, lay, django_assert_max_num_queries
):
    for _round in range(2):
        play(host, session, host.get(session.get_absolute_url()).content.decode(), lay)
    open_round = ledger.open_round(session, cast)
    with django_assert_max_num_queries(8) as queries:
        host.get(open_round.get_absolute_url())
    asked = len(queries)
    ledger.discard_round(open_round)
    for _round in range(8):
        play(host, session, host.get(session.get_absolute_url()).content.decode(), lay)
    open_round = ledger.open_round(session, cast)
    with django_assert_max_num_queries(asked):
        host.get(open_round.get_absolute_url())
