"""Adjustments by hand: they sum to zero or say what is missing, count when settling up, and never in the scores."""

import re
import uuid
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from scoring import ledger, statistics
from scoring.audit import audit_ledger
from scoring.ledger import LARGEST_TOTAL
from scoring.models import Change, Entry, Player, Seat
from scoring.settle_up import SettleUp
from tests.test_settle_up import words


def record(session, rudi, amounts, note="drinks", key=None):
    by_key = {who and who.pk: amount for who, amount in amounts.items()}
    return ledger.record_adjustment(session, by_key, note, key or uuid.uuid4(), rudi)


def post(client, session, note="drinks", key=None, **more):
    """Send the form of amounts: `post(host, session, ana="10", budi="-10")`, by player's name in lower case."""
    names = {player.name.lower(): player.pk for player in session.club.players.all()} | {"house": "house"}
    amounts = {f"amount-{names[name]}": typed for name, typed in more.items() if name in names}
    rest = {"rest": names[more["rest"]]} if "rest" in more else {}
    return client.post(
        reverse("adjustments", args=[session.pk]), {"key": key or uuid.uuid4(), "note": note, **amounts, **rest}
    )


def split(client, session, payer, sharers, amount, note="drinks", key=None):
    form = {
        "key": key or uuid.uuid4(),
        "note": note,
        "amount": amount,
        "paid_by": payer.pk if payer else "house",
        "shared_by": [player.pk for player in sharers],
    }
    return client.post(reverse("adjustment-split", args=[session.pk]), form)


def amounts_of(entry):
    return {line.player and line.player.name: line.amount for line in entry.lines.all()}


def page(client, session):
    return words(client.get(reverse("adjustments", args=[session.pk])).content)


def messages_of(response):
    return [str(message) for message in response.wsgi_request._messages]


# ---------------------------------------------------------------- the book


def test_adjustment_counts_for_the_balance(session, rudi, ana, budi, citra):
    record(session, rudi, {ana: 60, budi: -40, citra: -20})
    due = ledger.settlement(session)
    assert {who: amount for who, amount in due.balances.items() if amount} == {ana.pk: 60, budi.pk: -40, citra.pk: -20}
    assert due.adjusted == due.balances
    assert [(each.payer, each.payee, each.amount) for each in due.plan.transfers] == [
        (budi.pk, ana.pk, 40),
        (citra.pk, ana.pk, 20),
    ]


def test_adjustment_never_counts_in_the_scores(session, rudi, score, ana, budi):
    score()
    seats = list(session.seats.select_related("player"))

    def scores():
        return (
            ledger.totals(session),
            statistics.scoreboard(session, seats, {}),
            statistics.best_of([session]),
            statistics.running_totals(session, session.players.all()),
        )

    before = scores()
    entry = record(session, rudi, {ana: -900_000, budi: 900_000})
    assert scores() == before
    ledger.reverse_adjustment(entry, rudi)
    assert scores() == before


def test_house_can_be_part_of_it(session, rudi, ana):
    assert amounts_of(record(session, rudi, {ana: -50, None: 50})) == {"Ana": -50, None: 50}


def test_amounts_of_nought_are_left_out(session, rudi, ana, budi, citra):
    assert amounts_of(record(session, rudi, {ana: 5, budi: -5, citra: 0})) == {"Ana": 5, "Budi": -5}


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        ((10, -4, -5), "The amounts come to +Rp\u00a01 instead of 0: Rp\u00a01 has to come off somewhere."),
        ((10, -4, -7), "The amounts come to −Rp\u00a01 instead of 0: Rp\u00a01 has to go to somebody."),
        ((5, 0, 0), "The amounts come to +Rp\u00a05"),
        ((0, 0, 0), "Enter who gets and who pays how much."),
        ((LARGEST_TOTAL + 1, -LARGEST_TOTAL - 1, 0), "These amounts are too large for the book."),
    ],
    ids=["too-much", "too-little", "one-side", "nothing", "too-large"],
)
def test_amounts_that_do_not_fit_are_refused(session, rudi, cast, amounts, told):
    with pytest.raises(ledger.LedgerError) as refused:
        record(session, rudi, dict(zip(cast, amounts, strict=False)))
    assert told in str(refused.value)
    assert not Entry.objects.exists()


def test_sums_stay_within_the_book(session, rudi, ana, budi):
    record(session, rudi, {ana: LARGEST_TOTAL, budi: -LARGEST_TOTAL})
    with pytest.raises(ledger.LedgerError, match="too large"):
        record(session, rudi, {ana: 1, budi: -1})


def test_one_without_a_seat_is_refused(session, club, rudi, ana):
    eko = Player.objects.create(club=club, name="Eko")
    with pytest.raises(ledger.LedgerError, match="a seat in this evening"):
        record(session, rudi, {ana: 5, eko: -5})


def test_same_form_twice_is_one_adjustment(session, rudi, ana, budi):
    key = uuid.uuid4()
    first = record(session, rudi, {ana: 5, budi: -5}, key=key)
    assert record(session, rudi, {ana: 5, budi: -5}, key=key) == first
    ledger.close_session(session, rudi)
    assert record(session, rudi, {ana: 5, budi: -5}, key=key) == first
    assert session.entries.count() == 1


@pytest.mark.parametrize(("amount", "note"), [(6, "drinks"), (5, "snacks")], ids=["amount", "note"])
def test_same_form_with_other_contents_is_refused(session, rudi, ana, budi, amount, note):
    key = uuid.uuid4()
    record(session, rudi, {ana: 5, budi: -5}, key=key)
    with pytest.raises(ledger.StaleError, match="recorded something else already"):
        record(session, rudi, {ana: amount, budi: -amount}, note, key=key)


def test_old_form_does_not_revive_what_was_taken_back(session, rudi, ana, budi):
    key = uuid.uuid4()
    ledger.reverse_adjustment(record(session, rudi, {ana: 5, budi: -5}, key=key), rudi)
    with pytest.raises(ledger.StaleError, match="taken back meanwhile"):
        record(session, rudi, {ana: 5, budi: -5}, key=key)


def test_key_of_a_payment_is_no_adjustment(session, rudi, ana, budi):
    record(session, rudi, {ana: 5, budi: -5})
    key = uuid.uuid4()
    ledger.record_payment(session, budi, ana, 5, key, rudi)
    with pytest.raises(ledger.StaleError):
        record(session, rudi, {budi: 5, ana: -5}, "", key=key)


def test_closed_evening_takes_none_and_gives_none_back(session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    ledger.close_session(session, rudi)
    with pytest.raises(ledger.LedgerError, match="closed"):
        record(session, rudi, {ana: 5, budi: -5})
    with pytest.raises(ledger.LedgerError, match="closed"):
        ledger.reverse_adjustment(entry, rudi)


def test_taken_back_once_and_the_balance_is_as_before(session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    assert ledger.reverse_adjustment(entry, rudi) == ledger.reverse_adjustment(entry, rudi)
    assert set(ledger.balances(session).values()) == {0}
    assert session.entries.count() == 2


def test_what_is_no_adjustment_is_not_taken_back(session, rudi, score):
    score()
    with pytest.raises(ledger.LedgerError, match="Only an adjustment"):
        ledger.reverse_adjustment(session.entries.get(), rudi)


def test_fee_of_the_evening_is_on_cards_only(session, rudi, score, ana, budi):
    session.ruleset_fields |= {"room_fee_basis": "session", "room_fee_percent": "3"}
    session.save()
    score()
    before = ledger.fee_due(session)
    record(session, rudi, {ana: 100_000, budi: -100_000})
    assert ledger.fee_due(session) == before != {}


def test_audit_finds_nothing_wrong(session, rudi, score, ana, budi, citra):
    score()
    record(session, rudi, {ana: 60, budi: -40, None: -20})
    ledger.reverse_adjustment(record(session, rudi, {ana: 6, citra: -6}), rudi)
    assert audit_ledger().faults == ()


def test_change_log_tells_who_adjusted_what(session, rudi, siti, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    ledger.reverse_adjustment(entry, siti)
    taken_back, recorded = Change.objects.filter(kind=Change.Kind.ADJUSTMENT)
    told = {"note": "drinks", "currency": "IDR", "amounts": [["Ana", 5], ["Budi", -5]]}
    assert (recorded.action, recorded.new, recorded.created_by) == ("recorded", told, rudi)
    assert (taken_back.action, taken_back.old, taken_back.created_by) == ("taken back", told, siti)


# ---------------------------------------------------------------- equal shares


@pytest.mark.parametrize("lot", range(7))
@pytest.mark.parametrize(("amount", "sharers"), [(100, 3), (99, 3), (2, 4), (10**15 + 1, 7)])
def test_shares_are_equal_but_for_a_unit(amount, sharers, lot):
    shares = ledger.split_equally(amount, range(sharers), uuid.UUID(int=lot))
    assert sum(shares.values()) == amount
    assert max(shares.values()) - min(shares.values()) <= 1


def test_what_cannot_be_shared_falls_on_each_in_turn():
    bearers = [
        [who for who, share in ledger.split_equally(100, [7, 8, 9], uuid.UUID(int=lot)).items() if share == 34]
        for lot in range(3)
    ]
    assert bearers == [[7], [8], [9]]


# ---------------------------------------------------------------- the page


def test_amounts_by_hand_are_recorded(host, session, ana, rudi):
    response = post(host, session, "old debt", ana="12.500", budi="−10rb", house="-2.500")
    assert response.url == reverse("adjustments", args=[session.pk])
    entry = session.entries.get()
    assert amounts_of(entry) == {"Ana": 12_500, "Budi": -10_000, None: -2_500}
    assert (entry.note, entry.created_by) == ("old debt", rudi)
    text = page(host, session)
    assert "old debt Undo" in text
    assert "Ana +12.500" in text


def test_l007_gap_is_named_and_can_be_taken_by_one_tap(host, session):
    response = post(host, session, "round 3, by hand", ana="10", budi="-4", citra="-5")
    assert response.status_code == 422
    html = unescape(response.content.decode())
    assert "The amounts come to +Rp\u00a01 instead of 0" in html
    for typed in ("10", "-4", "-5", "round 3, by hand"):
        assert f'value="{typed}"' in html
    assert "Who takes the difference? Ana −1 Budi −1 Citra −1 Dewi −1 House −1" in words(html)
    assert not session.entries.exists()

    assert post(host, session, "round 3, by hand", ana="10", budi="-4", citra="-5", rest="citra").status_code == 302
    assert amounts_of(session.entries.get()) == {"Ana": 10, "Budi": -4, "Citra": -6}


@pytest.mark.parametrize(
    ("typed", "told"),
    [("abc", "Enter an amount in figures"), ("--5", "Enter an amount in figures"), ("0,5", "Whole amounts only")],
)
def test_what_is_no_amount_is_refused_beside_its_field(host, session, typed, told):
    response = post(host, session, ana=typed, budi="-5")
    assert response.status_code == 422
    assert told in response.content.decode()
    assert f'value="{typed}"' in response.content.decode()


def test_note_is_asked_for(host, session):
    response = post(host, session, "", ana="5", budi="-5")
    assert response.status_code == 422
    assert not session.entries.exists()


def test_one_pays_for_several(host, session, cast, ana):
    response = split(host, session, ana, cast, "120.000", "fried rice")
    assert amounts_of(session.entries.get()) == {"Ana": 90_000, "Budi": -30_000, "Citra": -30_000, "Dewi": -30_000}
    assert messages_of(response) == ["The adjustment is recorded: Rp\u00a030.000 each."]


def test_house_pays_for_all(host, session, cast):
    split(host, session, None, cast, "40")
    assert amounts_of(session.entries.get()) == {None: 40, "Ana": -10, "Budi": -10, "Citra": -10, "Dewi": -10}


def test_who_bears_the_odd_unit_is_told(host, session, ana, budi, citra, dewi):
    response = split(host, session, ana, [budi, citra, dewi], "100", key=uuid.UUID(int=1))
    assert amounts_of(session.entries.get()) == {"Ana": 100, "Budi": -33, "Citra": -34, "Dewi": -33}
    told = "The adjustment is recorded: Rp\u00a033 each; by lot Citra bears Rp\u00a034."
    assert messages_of(response) == [told]


def test_double_tap_is_one_adjustment(host, session, cast, ana):
    key = uuid.uuid4()
    for _tap in range(2):
        assert split(host, session, ana, cast, "101", key=key).status_code == 302
    assert session.entries.count() == 1


@pytest.mark.parametrize("amount", ["", "0", "-5", "x"])
def test_split_of_nothing_is_refused(host, session, cast, ana, amount):
    assert split(host, session, ana, cast, amount).status_code == 422
    assert not session.entries.exists()


def test_split_for_nobody_or_oneself_alone_is_refused(host, session, ana):
    assert split(host, session, ana, [], "10").status_code == 422
    assert split(host, session, ana, [ana], "10").status_code == 422
    assert not session.entries.exists()


def test_one_who_left_still_pays_his_drinks(host, session, ana, budi):
    Seat.objects.filter(player=budi).update(left_at="2026-11-26T22:00Z")
    assert post(host, session, ana="5", budi="-5").status_code == 302


def test_taken_back_by_one_tap_and_kept_in_view(host, session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    for _tap in range(2):
        response = host.post(reverse("adjustment-reverse", args=[entry.pk]))
        assert response.url == reverse("adjustments", args=[session.pk])
    assert "1 adjustment taken back drinks" in page(host, session)
    assert session.entries.count() == 2


def test_closed_evening_shows_them_and_offers_none(host, session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    ledger.close_session(session, rudi)
    html = host.get(reverse("adjustments", args=[session.pk])).content.decode()
    assert "drinks" in html
    assert "<form" not in html.split("<main")[1].split("</main")[0]
    assert post(host, session, ana="5", budi="-5").status_code == 422
    response = host.post(reverse("adjustment-reverse", args=[entry.pk]))
    assert messages_of(response) == ["This session is closed. Reopen it to change anything."]


def test_queries_do_not_grow(host, session, rudi, cast, ana, budi, django_assert_max_num_queries):
    for number in range(12):
        entry = record(session, rudi, {ana: number + 1, budi: -number - 1})
        if number % 3 == 0:
            ledger.reverse_adjustment(entry, rudi)
    with django_assert_max_num_queries(12):
        host.get(reverse("adjustments", args=[session.pk]))


@pytest.mark.parametrize("name", ["adjustments", "adjustment-split"])
def test_evening_of_another_host_does_not_exist(stranger, session, name):
    assert stranger.post(reverse(name, args=[session.pk]), {}).status_code == 404


def test_adjustment_of_another_host_does_not_exist(stranger, session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    assert stranger.post(reverse("adjustment-reverse", args=[entry.pk])).status_code == 404
    assert session.entries.count() == 1


def test_verbs_are_posted(host, session, rudi, ana, budi):
    entry = record(session, rudi, {ana: 5, budi: -5})
    assert host.get(reverse("adjustment-split", args=[session.pk])).status_code == 405
    assert host.get(reverse("adjustment-reverse", args=[entry.pk])).status_code == 405
    assert Client().get(reverse("adjustments", args=[session.pk])).status_code == 302


# ---------------------------------------------------------------- settling up


def test_settle_up_shows_them_as_a_line_of_their_own(host, session, rudi, score, ana, budi):
    score()
    record(session, rudi, {ana: 30_000, budi: -30_000})
    row = SettleUp(session).row(budi.pk, ana.pk)
    assert [(line.label, line.amount) for line in row.payer_account][:2] == [
        ("Budi after 1 round", "−220.000"),
        ("adjustments", "−30.000"),
    ]
    text = words(host.get(reverse("settle-up", args=[session.pk])).content)
    assert "Besides the cards Add or undo drinks Ana +30.000 and Budi −30.000" in text


def test_text_for_the_group_lists_them(session, rudi, ana, budi):
    for number in range(7):
        record(session, rudi, {ana: 5, budi: -5}, f"drink {number}")
    session.refresh_from_db()
    lines = SettleUp(session).text.split("\n")
    assert lines[1] == "Budi → Ana: Rp\u00a035"
    assert lines[2] == "drink 0: Ana +5 and Budi −5"
    assert lines[-1] == "2 more adjustments"
    assert len([line for line in lines if re.match("drink", line)]) == 5
