"""Who pays whom on a sheet of paper."""

import uuid

from django.urls import reverse

from scoring import ledger, sharing
from tests.test_settle_up import words


def page_of(client, session, query=""):
    return client.get(reverse("settle-print", args=[session.pk]) + query)


def test_sheet_tells_who_pays_whom_and_where_everybody_stands(host, session, score, rudi, ana, budi):
    score()
    ledger.record_adjustment(session, {ana.pk: 30_000, budi.pk: -30_000}, "drinks", uuid.uuid4(), rudi)
    ledger.record_payment(session, budi, ana, 50_000, uuid.uuid4(), rudi)
    text = words(page_of(host, session).content)
    assert "Budi Ana 200.000 50.000" in text  # what is open, what is paid
    assert "Budi −220.000 −30.000 −200.000" in text
    assert "House +19.800 0 +19.800" in text
    assert "drinks: Ana +30.000 and Budi −30.000" in text


def test_paid_rows_are_ticked(host, session, score, rudi):
    score()
    ledger.record_all_paid(session, ledger.all_paid_key(ledger.settlement(session)), rudi)
    assert words(page_of(host, session).content).count("✓") == 4


def test_direct_debts_can_be_printed(host, session, score):
    score()
    text = words(page_of(host, session, "?plan=direct").content)
    assert "Direct debts, pair by pair" in text
    assert "Budi Dewi" in text


def test_code_of_the_board_is_on_it_where_there_is_a_link(host, session, score, rudi):
    score()
    assert 'class="qr"' not in page_of(host, session).content.decode()
    link = sharing.share_board(session, rudi)
    html = page_of(host, session).content.decode()
    assert 'class="qr"' in html
    assert link.token in html


def test_empty_evening_has_a_sheet_too(host, session):
    assert "Nobody owes anything" in words(page_of(host, session).content)


def test_settle_up_leads_here_with_its_plan(host, session, score):
    score()
    for query in ("", "?plan=direct"):
        html = host.get(reverse("settle-up", args=[session.pk]) + query).content.decode()
        assert f'href="{reverse("settle-print", args=[session.pk])}{query}"' in html


def test_queries_do_not_grow(host, session, score, rudi, ana, budi, django_assert_max_num_queries):
    for _round in range(3):
        score()
        ledger.record_adjustment(session, {ana.pk: 5, budi.pk: -5}, "drinks", uuid.uuid4(), rudi)
    with django_assert_max_num_queries(20):
        page_of(host, session)


def test_evening_of_another_host_does_not_exist(stranger, session):
    assert page_of(stranger, session).status_code == 404
    assert stranger.post(reverse("settle-print", args=[session.pk])).status_code == 405
