"""Links to the board and to the seats: made, shown as codes, revoked; and what the host does with hidden hands."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger, sharing
from scoring.models import Round, Seat, ShareLink
from tests.conftest import SUPER
from tests.test_hands_ledger import PHONE, host_types, lay_at_seat, ready


@pytest.fixture
def url(session) -> str:
    return reverse("share", args=[session.pk])


@pytest.fixture
def round_(session, cast) -> Round:
    return ledger.open_round(session, cast)


# ---------------------------------------------------------------- the links


def test_a_board_has_one_link_however_often_it_is_asked_for(session, rudi):
    first = sharing.share_board(session, rudi)
    assert sharing.share_board(session, rudi) == first
    assert first.player is None


def test_tokens_are_long_random_and_never_the_same(session, rudi):
    links = [sharing.share_board(session, rudi), *sharing.share_seats(session, rudi)]
    assert len({link.token for link in links}) == 5
    assert all(len(link.token) == 22 for link in links)  # 128 bits


def test_everybody_at_the_table_gets_a_seat_link_once(session, cast, rudi):
    links = sharing.share_seats(session, rudi)
    assert [link.player for link in links] == cast
    assert sharing.share_seats(session, rudi) == links


def test_who_has_left_gets_none(session, budi, rudi):
    Seat.objects.filter(player=budi).update(left_at="2026-11-26T20:00Z")
    assert budi not in [link.player for link in sharing.share_seats(session, rudi)]


def test_a_revoked_link_opens_nothing_and_the_next_one_is_another(session, rudi):
    first = sharing.share_board(session, rudi)
    sharing.revoke_link(first, rudi)
    second = sharing.share_board(session, rudi)
    assert sharing.find_link("board", first.token) is None
    assert sharing.find_link("board", second.token) == second
    first.refresh_from_db()
    assert first.revoked_by == rudi


def test_a_seat_token_opens_no_board(session, rudi):
    seat = sharing.share_seats(session, rudi)[0]
    assert sharing.find_link("board", seat.token) is None


# ---------------------------------------------------------------- the page


def test_the_page_offers_to_make_links_and_then_shows_their_codes(host, url, session):
    page = host.get(url).content.decode()
    assert "Make a link to the board" in page
    assert "Make a link for each seat" in page
    host.post(reverse("share-board", args=[session.pk]))
    response = host.post(reverse("share-seats", args=[session.pk]))
    assertRedirects(response, url)
    page = host.get(url).content.decode()
    assert page.count('class="qr"') == 5
    for link in ShareLink.objects.all():
        assert reverse(link.kind, args=[link.token]) in page


def test_codes_carry_the_address_that_phones_can_reach(host, url, session, rudi, settings):
    settings.SITE_HOSTS = ["192.0.2.7"]
    link = sharing.share_board(session, rudi)
    page = host.get(url, headers={"host": "localhost:8000"}).content.decode()
    assert f"http://192.0.2.7:8000/board/{link.token}/" in page


def test_opening_the_page_makes_nothing(host, url):
    host.get(url)
    assert not ShareLink.objects.exists()


def test_withdrawing_closes_the_link(host, url, session, rudi):
    board, ana = sharing.share_board(session, rudi), sharing.share_seats(session, rudi)[0]
    for link in (board, ana):
        response = host.post(reverse("link-revoke", args=[link.pk]), follow=True)
        assertRedirects(response, url)
        assertContains(response, "is withdrawn")
        assert Client().get(reverse(link.kind, args=[link.token])).status_code == 404


def test_a_newcomer_is_missing_until_links_are_made_again(host, url, session, club, rudi):
    sharing.share_seats(session, rudi)
    eko = club.players.create(name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=5)
    assertContains(host.get(url), "Make a link for 1 more")


def test_a_closed_evening_makes_no_more_seats(host, url, session, rudi):
    ledger.close_session(session, rudi)
    page = host.get(url).content.decode()
    assert "Make a link for each seat" not in page
    assert "at the seats nothing can be laid" in page


def test_the_page_takes_a_constant_number_of_queries(host, url, session, rudi, django_assert_num_queries):
    sharing.share_board(session, rudi)
    sharing.share_seats(session, rudi)
    with django_assert_num_queries(5):  # log-in 2, session, links, seats
        host.get(url)


def test_the_page_of_the_evening_shows_the_code(host, session, rudi):
    page = reverse("session", args=[session.pk])
    assertNotContains(host.get(page), 'class="qr"')
    sharing.share_board(session, rudi)
    assertContains(host.get(page), 'class="qr"')


@pytest.mark.parametrize("name", ["share-board", "share-seats"])
def test_links_are_made_by_post_only(host, session, name):
    assert host.get(reverse(name, args=[session.pk])).status_code == 405


def test_links_of_others_do_not_exist(stranger, url, session, rudi):
    link = sharing.share_board(session, rudi)
    assert stranger.get(url).status_code == 404
    for name, pk in (("share-board", session.pk), ("share-seats", session.pk), ("link-revoke", link.pk)):
        assert stranger.post(reverse(name, args=[pk])).status_code == 404
    link.refresh_from_db()
    assert link.revoked_at is None


# ---------------------------------------------------------------- hidden hands on the host's page


def bytes_for_the_host(host: Client, round_: Round) -> str:
    """All that the host's pages say while a round is open."""
    typed = {f"{hand.pk}-version": str(hand.version) for hand in round_.hands.all() if not hand.is_hidden}
    check = reverse("round-check", args=[round_.pk])
    answers = [
        host.get(reverse("round-entry", args=[round_.pk])),
        host.get(reverse("round-hidden", args=[round_.pk])),
        host.get(reverse("session", args=[round_.session_id])),
        host.get(reverse("settle-up", args=[round_.session_id])),
        host.get(reverse("round-seats", args=[round_.pk]), follow=True),
        host.post(check, typed),
        host.post(check, typed, headers={"HX-Request": "true"}),
    ]
    return "".join(answer.content.decode() + str(answer.headers) for answer in answers)


CARDS_OF_ANA = SUPER[0].replace(" / ", "")
SPOKEN = ("Full house Q", "Four 9", "A high", "9s9h9d9c2c", "9s 9h", "AsAhKd", "QsQhQd7c7d")


def test_nothing_sent_to_the_host_holds_a_hidden_card(host, round_, rudi):
    hands = list(round_.hands.select_related("player"))
    ready(hands[0], SUPER[0])
    lay_at_seat(hands[1], SUPER[1])
    sent = bytes_for_the_host(host, round_)
    for text in SPOKEN:
        assert text not in sent
    assert f'data-fields="{hands[0].pk}"' not in sent
    assert "At their seats" in sent
    assert "13/13" in sent


def test_with_the_others_hidden_no_last_hand_is_offered(host, round_):
    hands = list(round_.hands.select_related("player"))
    for hand, text in zip(hands[:3], SUPER, strict=False):
        ready(hand, text)
    page = host.get(reverse("round-entry", args=[round_.pk])).content.decode()
    assert "holds the other thirteen" not in page


def test_no_points_are_told_before_the_reveal(host, round_):
    hands = list(round_.hands.select_related("player"))
    ready(hands[0], SUPER[0])
    for hand, text in zip(hands[1:], SUPER[1:], strict=True):
        host_types(hand, text)
    page = host.get(reverse("round-entry", args=[round_.pk])).content.decode()
    assert "It comes to" not in page
    assert "+66" not in page
    ledger.reveal_round(round_, None)
    assert "+66" in host.get(reverse("round-entry", args=[round_.pk])).content.decode()


def test_a_form_drawn_earlier_neither_shows_nor_harms_a_hidden_hand(host, round_):
    ana = round_.hands.select_related("player").first()
    form = {"editor": "the-host", f"{ana.pk}-version": "0", f"{ana.pk}-front": "", f"{ana.pk}-declare": ""}
    lay_at_seat(ana, SUPER[0])
    page = host.post(reverse("round-check", args=[round_.pk]), form).content.decode()
    assert "AsAhKd" not in page
    assert "lays this hand" not in page
    page = host.post(reverse("round-check", args=[round_.pk]), form | {f"{ana.pk}-front": "2c"}).content.decode()
    assert "AsAhKd" not in page
    assert "Ana lays this hand on the own phone" in page
    ana.refresh_from_db()
    assert ana.front == "AsAhKd"


def test_a_card_that_is_hidden_elsewhere_is_refused_without_a_name(host, round_):
    ana, budi, *_others = round_.hands.select_related("player")
    lay_at_seat(ana, SUPER[0])
    form = {"editor": "the-host", f"{budi.pk}-version": "0", f"{budi.pk}-front": "As Qc Js", f"{budi.pk}-declare": ""}
    page = host.post(reverse("round-check", args=[round_.pk]), form).content.decode()
    assert "A♠\ufe0e is in another hand already." in page
    assert "with Ana" not in page
    budi.refresh_from_db()
    assert budi.front == "Qc Js"


def test_the_host_takes_a_hand_over(host, round_):
    ana = round_.hands.select_related("player").first()
    ready(ana, SUPER[0])
    response = host.post(reverse("hand-take-over", args=[ana.pk]), follow=True)
    assertContains(response, "You enter the hand of Ana now.")
    assertContains(response, f'data-fields="{ana.pk}"')
    assert "AsAhKd" not in response.content.decode()


def test_a_reveal_with_one_hand_missing_says_whose(host, round_):
    hands = list(round_.hands.select_related("player"))
    for hand, text in zip(hands[:3], SUPER, strict=False):
        ready(hand, text)
    response = host.post(reverse("round-reveal", args=[round_.pk]), follow=True)
    assertContains(response, "Dewi is not ready yet.")
    ready(hands[3], SUPER[3])
    response = host.post(reverse("round-reveal", args=[round_.pk]), follow=True)
    assertContains(response, "AsAhKd")
    assertContains(response, "It comes to")


def test_ready_hands_are_scored_at_once(host, round_):
    for hand, text in zip(round_.hands.select_related("player"), SUPER, strict=True):
        ready(hand, text)
    response = host.post(reverse("round-score", args=[round_.pk]))
    assertRedirects(response, reverse("round", args=[round_.pk]))
    assert round_.hands.first().points == 66


def test_scoring_with_one_hand_missing_says_whose_and_shows_nothing(host, round_):
    hands = list(round_.hands.select_related("player"))
    for hand, text in zip(hands[:3], SUPER, strict=False):
        ready(hand, text)
    lay_at_seat(hands[3], SUPER[3])
    response = host.post(reverse("round-score", args=[round_.pk]))
    assert response.status_code == 422
    assertContains(response, "Dewi is still setting", status_code=422)
    assert "AsAhKd" not in response.content.decode()
    assert Round.objects.get().is_open


def test_what_does_not_go_together_is_told_only_after_the_reveal(host, session, round_, rudi):
    """Two six pairs declared by name: the engine wants the cards of both and would name them."""
    session.ruleset_fields = session.ruleset_fields | {"naturals": [{"name": "six_pairs", "points": 6}]}
    session.save()
    for hand in list(round_.hands.select_related("player"))[:2]:
        kept = ledger.keep_hand(hand, {"declare": "natural", "natural": "six_pairs"}, 0, "a-page", at_seat=PHONE)
        ledger.ready_hand(kept, PHONE)
    for hand, text in zip(list(round_.hands.select_related("player"))[2:], SUPER[2:], strict=True):
        ready(hand, text)
    response = host.post(reverse("round-score", args=[round_.pk]))
    assertContains(response, "These hands do not go together. Reveal them to see why.", status_code=422)
    assert "ix pairs" not in response.content.decode()


# ---------------------------------------------------------------- the host's page renews itself


def ask(host: Client, round_: Round, v: str = ""):
    return host.get(reverse("round-hidden", args=[round_.pk]), {"v": v}, headers={"HX-Request": "true"})


def test_the_hosts_page_hears_who_is_how_far(host, session, round_):
    ana = round_.hands.select_related("player").first()
    lay_at_seat(ana, "As Ah / /")
    session.refresh_from_db()
    v = f"{session.version}.{ana.pk}"
    assert ask(host, round_, v).status_code == 204
    lay_at_seat(ana, "As Ah Kd / /")
    answer = ask(host, round_, v)
    assertContains(answer, "3/13")
    assert "drawn" in answer.headers["HX-Trigger"]


def test_with_other_hands_hidden_the_page_comes_anew(host, session, round_):
    session.refresh_from_db()
    v = f"{session.version}."
    lay_at_seat(round_.hands.select_related("player").first(), "As / /")
    assert ask(host, round_, v).headers["HX-Redirect"] == reverse("round-entry", args=[round_.pk])


def test_scored_elsewhere_the_page_goes_to_the_result(host, round_, rudi):
    for hand, text in zip(round_.hands.select_related("player"), SUPER, strict=True):
        ready(hand, text)
    ledger.record_round(round_, rudi)
    assert ask(host, round_, "0.").headers["HX-Redirect"] == reverse("round", args=[round_.pk])
