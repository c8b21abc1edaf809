"""The settle-up page: the plan, why it is as it is, whether it adds up, the text for the group."""

import re
import uuid
from dataclasses import replace
from html import unescape

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import ledger
from scoring.engine.rules import parse_ruleset
from scoring.ledger.book import lock_session, post
from scoring.models import Entry, Line, Player, Seat
from scoring.settle_up import SettleUp


@pytest.fixture
def win(session, rudi):
    """Write winnings into the book by hand, in minor units: `win({ana: 50, budi: -50})`; None is the house."""

    def win(amounts):
        by_key = {player and player.pk: amount for player, amount in amounts.items()}
        return post(lock_session(session.pk), Entry.Kind.ROUND, by_key, rudi)

    return win


@pytest.fixture
def evening(session, win, ana, budi, citra, dewi):
    """Budi is 612.000 down, all for Ana. Citra is 994.100 down: 675.500 for Ana, the rest for Dewi and the house."""
    win({ana: 1_287_500, budi: -612_000, citra: -994_100, dewi: 201_900, None: 116_700})
    session.refresh_from_db()
    return session


def page_of(client, session, **headers):
    return client.get(reverse("settle-up", args=[session.pk]), headers=headers)


def words(html):
    """The page's text: tags away, white space single."""
    if isinstance(html, bytes):
        html = html.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def told(client, session):
    return words(page_of(client, session).content)


def pay(session, rudi, payer, payee, amount):
    return ledger.record_payment(session, payer, payee, amount, uuid.uuid4(), rudi)


def row_of(session, payer, payee):
    return SettleUp(session).row(payer and payer.pk, payee and payee.pk)


# ---------------------------------------------------------------- headline and rows


def test_page_shows_who_pays_whom(host, evening):
    text = told(host, evening)
    assert "4 payments and everyone is even 1.606.100 still to pay." in text
    for row in (
        "Budi pays Ana 612.000",
        "Citra pays Ana 675.500",
        "Citra pays Dewi 201.900",
        "Citra pays House 116.700",
    ):
        assert row in text


def test_headline_counts_what_is_paid(host, evening, rudi, ana, budi, citra):
    pay(evening, rudi, budi, ana, 612_000)
    pay(evening, rudi, citra, ana, 500_000)
    text = told(host, evening)
    assert "4 payments and everyone is even 1 is paid. 1 is paid in part. 494.100 still to pay." in text


def test_open_rows_come_first_and_paid_ones_last(evening, rudi, ana, budi):
    pay(evening, rudi, budi, ana, 612_000)
    page = SettleUp(evening)
    assert [(row.payer, row.payee) for row in page.open_rows] == [
        ("Citra", "Ana"),
        ("Citra", "Dewi"),
        ("Citra", "House"),
    ]
    assert [(row.payer, row.payee) for row in page.done_rows] == [("Budi", "Ana")]


def test_part_payment_is_shown_with_the_rest(host, evening, rudi, ana, citra):
    with time_machine.travel("2026-11-26T16:05:00Z"):
        pay(evening, rudi, citra, ana, 500_000)
    html = page_of(host, evening).content.decode()
    assert '<progress value="500000" max="675500"' in html
    text = words(html)
    assert "500.000 paid, 23:05 by rudi" in text  # the club is in Jakarta
    assert "175.500 left" in text
    # What is proposed, in both forms of the row, is the rest.
    assert html.count('name="amount" value="175.500"') == 2


def test_time_of_a_payment_on_another_day_has_its_date(host, evening, rudi, ana, citra):
    with time_machine.travel("2026-11-26T17:30:00Z"):
        pay(evening, rudi, citra, ana, 675_500)
    assert "27 Nov, 00:30 by rudi" in told(host, evening)


def test_everyone_is_even_once_all_is_paid(host, session, win, rudi, ana, budi):
    win({ana: 50, budi: -50})
    pay(session, rudi, budi, ana, 50)
    text = told(host, session)
    assert "Everyone is even" in text
    assert "Paid: Budi → Ana Rp 50 Everyone is even." in text


def test_nobody_owes_anything_at_nought(host, score, session, cast):
    score("pao", "pao", "pao", "pao")
    assert "Nobody owes anything After 1 round everyone is at 0." in told(host, session)


def test_nothing_to_settle_before_the_first_round(host, session):
    assert "Nothing to settle yet No round is scored yet." in told(host, session)


def test_open_round_is_told_and_does_not_count(host, session, cast):
    round_ = ledger.open_round(session, cast)
    response = page_of(host, session)
    assert "Round 1 is still being entered. It does not count yet." in words(response.content)
    assert round_.get_absolute_url() in response.content.decode()


def test_payment_taken_back_is_kept_in_view(host, evening, rudi, siti, ana, budi):
    with time_machine.travel("2026-11-26T16:02:00Z") as clock:
        payment = pay(evening, rudi, budi, ana, 612_000)
        clock.shift(180)
        ledger.reverse_payment(payment, siti)
    text = told(host, evening)
    assert "1 payment taken back" in text
    assert "Budi pays Ana 612.000 23:02 by rudi, taken back 23:05 by siti" in text


def test_payment_in_the_other_direction_after_a_correction(host, session, win, rudi, ana, budi):
    win({ana: 100, budi: -100})
    pay(session, rudi, budi, ana, 100)
    win({ana: -150, budi: 150})
    page = SettleUp(session)
    assert [(row.payer, row.payee, row.amount) for row in page.open_rows] == [("Ana", "Budi", "150")]
    assert [(row.payer, row.payee, row.amount) for row in page.done_rows] == [("Budi", "Ana", "100")]
    # Ana lost 50 and has 100 of Budi's.
    assert [line.amount for line in page.open_rows[0].payer_account] == ["−50", "−100"]


# ---------------------------------------------------------------- why this amount


def test_why_tells_who_gives_all_to_one(evening, ana, budi):
    row = row_of(evening, budi, ana)
    assert row.reason == "Budi ended the evening 612.000 down. All of it goes to Ana."
    assert len(row.payer_account) == 1


def test_why_takes_what_others_get_off_the_balance(evening, ana, citra):
    row = row_of(evening, citra, ana)
    assert row.reason == "Citra ended the evening 994.100 down. What goes to the others leaves 675.500 for Ana."
    assert [(line.label, line.amount) for line in row.payer_account] == [
        ("Citra after 0 rounds", "−994.100"),
        ("to Dewi", "+201.900"),
        ("to House", "+116.700"),
    ]
    assert [(line.label, line.amount) for line in row.payee_account] == [
        ("Ana after 0 rounds", "+1.287.500"),
        ("from Budi", "−612.000"),
    ]


def test_why_stays_the_same_while_people_pay(evening, rudi, ana, budi, citra, dewi):
    before = row_of(evening, citra, ana)
    pay(evening, rudi, citra, dewi, 201_900)
    pay(evening, rudi, budi, ana, 612_000)
    pay(evening, rudi, citra, ana, 100_000)
    after = row_of(evening, citra, ana)
    assert after.reason == before.reason
    assert sorted(line.amount for line in after.payer_account) == sorted(line.amount for line in before.payer_account)


@pytest.mark.parametrize(
    ("balances", "fewest"),
    [
        ([50, -50], "Two balances that even out need one payment."),
        (
            [160, -240, 80],
            "With 3 balances and no smaller group that evens out, fewer than 2 payments are not possible.",
        ),
        (
            [1, 2, -1, -2],
            "The 4 balances fall into 2 groups that even out among themselves. "
            "There are no more such groups, so fewer than 2 payments are not possible.",
        ),
    ],
    ids=["two", "one-group", "two-groups"],
)
def test_plan_is_said_to_be_the_shortest_where_that_is_proven(session, win, cast, balances, fewest):
    win(dict(zip(cast, balances, strict=False)))
    assert SettleUp(session).fewest == fewest


def test_plan_that_is_not_proven_the_shortest_says_so(session, win, cast):
    win({cast[0]: 3, cast[1]: -2, cast[2]: -1})
    page = SettleUp(session)
    page.settlement = replace(page.settlement, plan=replace(page.settlement.plan, proven_minimal=False))
    assert page.fewest == (
        "With 3 balances this is the shortest plan that was found. "
        "It is not proven that there is none with fewer than 2 payments."
    )


# ---------------------------------------------------------------- it adds up


def test_both_sides_and_the_difference_are_told(host, evening):
    assert "It adds up: owed 1.606.100, due 1.606.100, difference 0." in told(host, evening)


def test_damaged_book_is_told_instead_of_settled(host, evening, ana):
    Line.objects.filter(player=ana).update(amount=1_287_400)
    response = page_of(host, evening)
    assert response.status_code == 200
    text = words(response.content)
    assert "The book does not add up" in text
    assert "Owed 1.606.100, due 1.606.000, difference −100." in text


# ---------------------------------------------------------------- the fee of the evening


def test_fee_of_the_evening_is_told_while_it_is_not_taken(host, score, session, rudi):
    session.ruleset = parse_ruleset({"preset": "capsa", "room_fee_basis": "session", "room_fee_percent": 3})
    session.save()
    score()
    assert "The room fee of the evening, 19.800 so far, is counted in here." in told(host, session)
    assert "pays House" in told(host, session)
    ledger.close_session(session, rudi)
    text = told(host, session)
    assert "room fee of the evening" not in text
    assert "pays House 19.800" in text


# ---------------------------------------------------------------- points


def test_points_read_well(host, session, win, ana, budi):
    session.currency = "PTS"
    session.save()
    win({ana: 3, budi: -3})
    text = told(host, session)
    assert "Thursday, 26 November · points" in text
    assert "Budi pays Ana 3 points" in text
    assert "1 payment and everyone is even 3 points still to pay." in text
    assert "It adds up: owed 3 points, due 3 points, difference 0 points." in text
    assert "Budi → Ana: 3 points" in text


# ---------------------------------------------------------------- text for the group


def test_text_for_the_group(evening, rudi, ana, budi, citra):
    pay(evening, rudi, budi, ana, 612_000)
    pay(evening, rudi, citra, ana, 500_000)
    assert SettleUp(evening).text.replace("\u00a0", " ").split("\n") == [
        "Kamis Malam, Thu 26 Nov, 0 rounds",
        "Citra → Ana: Rp 175.500 (of Rp 675.500)",
        "Citra → Dewi: Rp 201.900",
        "Citra → House: Rp 116.700",
        "Paid: Budi → Ana Rp 612.000",
    ]


def test_text_can_be_copied(host, evening):
    html = page_of(host, evening).content.decode()
    assert re.search(r'<p class="message" id="text">Kamis Malam, .*Citra → House: ', html, re.DOTALL)
    assert 'data-copy="#text"' in html


# ---------------------------------------------------------------- end of the evening


def test_open_evening_can_be_closed_and_a_closed_one_reopened(host, evening, rudi):
    assert reverse("session-close", args=[evening.pk]) in page_of(host, evening).content.decode()
    with time_machine.travel("2026-11-26T16:10:00Z"):
        ledger.close_session(evening, rudi)
    response = page_of(host, evening)
    assert reverse("session-reopen", args=[evening.pk]) in response.content.decode()
    assert "The evening is closed Since 23:10 by rudi." in words(response.content)


# ---------------------------------------------------------------- names, parts, rights


@pytest.mark.parametrize(
    "name",
    ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "x" * 60, "🎉", "עדי", "A"],
    ids=["html", "quotes", "long", "emoji", "right-to-left", "short"],
)
def test_names_are_shown_as_text(host, evening, ana, name):
    ana.name = name
    ana.save()
    html = page_of(host, evening).content.decode()
    assert "<img src=x" not in html
    assert "<script>alert" not in html
    assert name in words(html)


def test_htmx_gets_the_changing_part_only(host, evening):
    response = page_of(host, evening, HX_Request="true")
    assert b"<html" not in response.content
    assert b"4 payments and everyone is even" in response.content
    assert "HX-Request" in response["Vary"]


def test_back_button_with_htmx_gets_the_whole_page(host, evening):
    response = page_of(host, evening, HX_Request="true", HX_History_Restore_Request="true")
    assert b"<html" in response.content


def test_payment_by_htmx_answers_with_the_part_and_what_happened(host, evening, ana, budi):
    claim = next(claim for claim in ledger.settlement(evening).claims if claim.payer == budi.pk)
    form = {"key": claim.key, "payer": budi.pk, "payee": ana.pk, "amount": "612.000"}
    response = host.post(reverse("pay", args=[evening.pk]), form, headers={"HX-Request": "true"}, follow=True)
    text = words(response.content)
    assert b"<html" not in response.content
    assert "1 is paid. 994.100 still to pay." in text
    assert "The payment is recorded." in text


def test_queries_do_not_grow_with_rounds_players_and_payments(host, session, club, rudi, score, win, ana, budi):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert page_of(host, session).status_code == 200
        return len(captured)

    score()
    pay(session, rudi, budi, ana, 1_000)
    before = queries()
    for place in range(8):
        player = Player.objects.create(club=club, name=f"Player {place}")
        Seat.objects.create(session=session, club=club, player=player, position=4 + place)
        win({player: -50 - place, ana: 50 + place})
    score()
    players = {None: None} | club.players.in_bulk()
    for claim in ledger.settlement(session).claims[:8]:
        pay(session, rudi, players[claim.payer], players[claim.payee], claim.open)
    ledger.reverse_payment(session.entries.filter(kind=Entry.Kind.PAYMENT)[0], rudi)
    assert len(SettleUp(session).done_rows) >= 7
    assert queries() == before


def test_session_of_another_host_does_not_exist(stranger, evening):
    assert page_of(stranger, evening).status_code == 404


def test_who_is_not_logged_in_is_asked_to(evening):
    assert page_of(Client(), evening).url.startswith(reverse("login"))


def test_page_is_only_read(host, evening):
    assert host.post(reverse("settle-up", args=[evening.pk])).status_code == 405
    assert host.get(reverse("settle-up", args=[evening.pk])).status_code == 200
    evening.refresh_from_db()
    assert evening.version == 1
