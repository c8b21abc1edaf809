"""The account of a player in an evening: every entry, what it came to each time, and the pairs of each round."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import ledger, sharing
from scoring.models import Player
from scoring.statement import Statement
from tests.test_settle_up import words


def statement(session, player, number=1):
    return Statement(session, player, number, lambda round_: f"/{round_.number}/")


def told(session, player):
    return [(line.title, line.amount, line.balance) for line in statement(session, player).lines]


def page_of(client, session, player, query=""):
    return client.get(reverse("session-player", args=[session.pk, player.pk]) + query)


def pay(session, rudi, payer, payee, amount):
    return ledger.record_payment(session, payer, payee, amount, uuid.uuid4(), rudi)


def adjust(session, rudi, amounts, note):
    return ledger.record_adjustment(session, {who.pk: n for who, n in amounts.items()}, note, uuid.uuid4(), rudi)


def test_every_entry_with_the_balance_after_it(session, score, rudi, ana, budi):
    score()
    adjust(session, rudi, {ana: 30_000, budi: -30_000}, "drinks")
    pay(session, rudi, budi, ana, 100_000)
    assert told(session, budi) == [
        ("Paid to Ana", 100_000, -150_000),
        ("drinks", -30_000, -250_000),
        ("Round 1", -220_000, -220_000),
    ]
    assert told(session, ana)[0] == ("Received from Budi", -100_000, 640_200 + 30_000 - 100_000)


def test_last_balance_is_what_is_open(session, score, rudi, cast, ana, budi):
    score()
    pay(session, rudi, budi, ana, 5_000)
    open_now = ledger.balances(session)
    for player in cast:
        one = statement(session, player)
        assert one.lines[0].balance == one.balance == open_now[player.pk]


def test_what_is_undone_stands_beside_what_it_undid(session, score, rudi, ana, budi):
    round_ = score()
    ledger.void_round(round_, rudi, "cards mixed up")
    ledger.restore_round(round_, rudi)
    ledger.reverse_adjustment(adjust(session, rudi, {ana: 5, budi: -5}, "drinks"), rudi)
    ledger.reverse_payment(pay(session, rudi, budi, ana, 5), rudi)
    assert [title for title, _amount, _balance in told(session, budi)] == [
        "Payment to Ana taken back",
        "Paid to Ana",
        "Taken back: drinks",
        "drinks",
        "Round 1 put back",
        "Round 1 taken out",
        "Round 1",
    ]
    assert told(session, ana)[0][0] == "Payment from Budi taken back"
    assert statement(session, budi).lines[5].note == "cards mixed up"


def test_evening_that_is_carried_over_ends_at_nought(session, score, rudi, budi):
    session.ruleset_fields |= {"room_fee_basis": "session", "room_fee_percent": "3"}
    session.save()
    score()
    ledger.close_session(session, rudi)
    ledger.carry_over(session, rudi)
    assert told(session, budi)[0] == ("Carried over to the club", 220_000, 0)
    assert "Room fee of the evening" in [title for title, _amount, _balance in told(session, session.players.first())]


def test_pairs_of_a_round_come_to_its_line(session, score, cast):
    """The super of RULES 11 down to rows, multipliers and bonuses."""
    score()
    for player in cast:
        (line,) = statement(session, player).lines
        assert sum(pair.money for pair in line.pairs) + line.fee == line.amount
        assert all(pair.points == pair.row_points * pair.multiplier + pair.bonus + pair.extra for pair in line.pairs)
        assert all(pair.money == pair.points * pair.stake for pair in line.pairs)
    (line,) = statement(session, cast[0]).lines
    assert [(str(pair.other), pair.points, pair.multiplier) for pair in line.pairs] == [
        ("Budi", 22, 4),
        ("Citra", 22, 4),
        ("Dewi", 22, 4),
    ]
    assert line.pairs[0].rows == [("front", 1), ("middle", 1), ("back", 1)]


def test_corrected_round_is_called_so(session, score, rudi, ana):
    round_ = score()
    ledger.amend_round(round_, rudi, "wrong stake", stake=20_000)
    assert told(session, ana) == [
        ("Round 1, corrected", 1_280_400, 1_280_400),
        ("Round 1 taken out", -640_200, 0),
        ("Round 1", 640_200, 640_200),
    ]


# ---------------------------------------------------------------- the page


def test_page_tells_rows_won_and_lost(host, session, score, budi):
    round_ = score()
    html = page_of(host, session, budi).content.decode()
    text = words(html)
    assert "by the cards −220.000" in text
    assert "against Ana −22 front lost, middle lost, back lost −3 × 4" in text
    assert reverse("round", args=[round_.pk]) in html


def test_long_evening_is_paged_with_true_balances(session, score, rudi, ana, budi):
    for number in range(30):
        adjust(session, rudi, {ana: 1, budi: -1}, f"drink {number}")
    assert [line.balance for line in statement(session, ana).lines] == list(range(30, 5, -1))
    assert [line.balance for line in statement(session, ana, 2).lines] == list(range(5, 0, -1))
    assert statement(session, ana, 99).page.number == 2
    assert statement(session, ana, "x").page.number == 1


def test_queries_do_not_grow(host, session, score, rudi, ana, budi):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert page_of(host, session, ana).status_code == 200
        return len(captured)

    score()
    adjust(session, rudi, {ana: 1, budi: -1}, "drinks")
    pay(session, rudi, budi, ana, 1)
    before = queries()
    for _time in range(9):
        score()
        adjust(session, rudi, {ana: 1, budi: -1}, "drinks")
        pay(session, rudi, budi, ana, 1)
    assert queries() == before


def test_settle_up_leads_here(host, session, score, budi):
    score()
    html = host.get(reverse("settle-up", args=[session.pk])).content.decode()
    assert reverse("session-player", args=[session.pk, budi.pk]) in html


def test_player_of_another_evening_is_not_found(host, session, club):
    eko = Player.objects.create(club=club, name="Eko")
    assert page_of(host, session, eko).status_code == 404


def test_evening_of_another_host_does_not_exist(stranger, session, ana):
    assert page_of(stranger, session, ana).status_code == 404


# ---------------------------------------------------------------- by the link of the board


@pytest.fixture
def guest_page(session, rudi):
    link = sharing.share_board(session, rudi)
    return lambda player: Client().get(reverse("board-player", args=[link.token, player.pk]))


def test_everybody_with_the_board_can_read_it(guest_page, session, score, budi):
    score()
    html = guest_page(budi).content.decode()
    assert "against Ana −22" in words(html)
    assert "/board/" in html
    assert "/sessions/" not in html
    assert "/rounds/1/" in html


def test_round_that_does_not_count_has_no_link_there(guest_page, session, score, rudi, budi):
    ledger.void_round(score(), rudi)
    assert "/rounds/1/" not in guest_page(budi).content.decode()


def test_board_shows_players_of_its_evening_only(guest_page, club):
    assert guest_page(Player.objects.create(club=club, name="Eko")).status_code == 404
