"""The replay of an evening: every round laid out again, one page for each."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring import ledger, sharing
from scoring.models import Round, ShareLink
from tests.conftest import SUPER
from tests.past import play_past
from tests.test_session_page import text


@pytest.fixture
def link(session, rudi) -> ShareLink:
    return sharing.share_board(session, rudi)


def replay(session, number: int) -> str:
    return reverse("session-replay", args=[session.pk, number])


def test_all_hands_row_by_row_and_where_everybody_stood(host, session, score) -> None:
    score()
    score()
    page = text(host.get(replay(session, 1)))
    assert "Round 1 1 of 2" in page
    assert "Ana ★ Super +66 640.200 Front" in page
    assert "ace of spades" in page
    assert "Full house Q" in page
    assert "After round 1 1 Ana +66 points +640.200" in page
    assert "After round 2 1 Ana +132 points +1.280.400" in text(host.get(replay(session, 2)))


def test_rows_in_words_pao_and_a_natural_of_which_no_card_is_known(host, club, cast, rudi) -> None:
    first = play_past(club, cast, rudi).first
    page = text(host.get(replay(first, 2)))
    assert "Ana ★ Super +18" in page
    assert "Front Pair of A Middle Two pair K Q Back Straight K" in page
    assert "Budi PAO −15 −15.000 The cards are not known. Called PAO by the host" in page
    page = text(host.get(replay(first, 3)))
    assert "Citra Dragon +12" in page
    assert "2 Ana +9 points +6.500" in page


def test_one_turns_from_round_to_round(host, session, score) -> None:
    for _round in range(3):
        score()
    ledger.void_round(session.rounds.get(number=2), session.created_by, "")
    first, last = host.get(replay(session, 1)), host.get(replay(session, 3))
    assertContains(first, f'rel="next" href="{replay(session, 3)}"')
    assertNotContains(first, 'rel="prev"')
    assertContains(last, f'rel="prev" href="{replay(session, 1)}"')
    assertNotContains(last, 'rel="next"')
    assert "2 of 2" in text(last)


def test_a_voided_round_lies_between_its_neighbours_without_its_cards(host, client, session, score, link) -> None:
    for _round in range(3):
        score()
    ledger.void_round(session.rounds.get(number=2), session.created_by, "")
    for reader, url in ((host, replay(session, 2)), (client, reverse("board-replay", args=[link.token, 2]))):
        response = reader.get(url)
        assertContains(response, "This round was voided")
        assertNotContains(response, "ace of")
        assertContains(response, 'rel="prev"')
        assertContains(response, 'rel="next"')


def test_an_open_round_shows_no_card_to_anybody(host, client, session, cast, lay, link) -> None:
    round_ = ledger.open_round(session, cast)
    lay(round_, SUPER)
    for reader, url in ((host, replay(session, 1)), (client, reverse("board-replay", args=[link.token, 1]))):
        response = reader.get(url)
        assertContains(response, "This round is still being played")
        assertNotContains(response, "ace of")


@pytest.mark.parametrize("number", [2, 999_999])
def test_a_round_that_never_was(host, client, session, score, link, number) -> None:
    score()
    assert host.get(replay(session, number)).status_code == 404
    assert client.get(reverse("board-replay", args=[link.token, number])).status_code == 404


def test_the_address_of_a_round_leads_to_its_newest_version(host, session, score, budi, rudi) -> None:
    round_ = score()
    hands = ledger.hands_of(round_)
    hands[budi] = {**hands[budi], "declare": "pao"}
    ledger.amend_round(round_, rudi, "misread", hands)
    page = text(host.get(replay(session, 1)))
    assert "This round was corrected" in page
    assert "Budi PAO −" in page
    assert "Called PAO by the host" in page


def test_rules_that_can_no_longer_be_read_keep_no_card_from_view(host, session, score) -> None:
    score()
    Round.objects.update(ruleset_fields={"preset": "gone"})
    page = text(host.get(replay(session, 1)))
    assert "ace of spades" in page
    assert "+66" in page


def test_guests_go_on_to_the_reasons_by_their_link(client, session, score, link) -> None:
    score()
    response = client.get(reverse("board-replay", args=[link.token, 1]))
    assertContains(response, reverse("board-round", args=[link.token, 1]))
    assertNotContains(response, f"/sessions/{session.pk}/")
    assertNotContains(response, "/rounds/1/entry/")
