"""The live board: what anybody with the link sees, and how it renews itself."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger, sharing
from scoring.models import Round, Session, ShareLink
from tests.conftest import SUPER
from tests.test_hands_ledger import PHONE, host_types, lay_at_seat, ready
from tests.test_session_page import text

PAGES = ("board", "board-tv", "board-rounds", "board-rules")
POLL = {"HX-Request": "true"}


@pytest.fixture
def link(session, rudi) -> ShareLink:
    return sharing.share_board(session, rudi)


@pytest.fixture
def url(link) -> str:
    return reverse("board", args=[link.token])


@pytest.fixture
def tv(link) -> str:
    return reverse("board-tv", args=[link.token])


# ---------------------------------------------------------------- what it shows


def test_an_evening_without_rounds(client, url, tv):
    for address in (url, tv):
        page = text(client.get(address))
        assert "Kamis Malam" in page
        assert "Rp 10.000 a point" in page
        assert "The next round is not open yet." in page


def test_scores_rounds_and_settle_up(client, url, score):
    score()
    page = text(client.get(url))
    assert "1 Ana last round +640.200 +640.200" in page
    assert "House, room fee 3%: +19.800." in page
    assert re.search(r"1 Ana ★ Super \+640\.200 \d\d:\d\d · Dewi −20", page)
    assert re.search(r"Settle up Budi pays Ana 220\.000", page)


def test_the_television_shows_the_last_round_and_its_own_code(client, tv, score):
    score()
    response = client.get(tv)
    assert "After 1 round, Rupiah 1 Ana last round +640.200 +640.200" in text(response)
    assert "Round 1 Ana ★ Super +640.200 Dewi −200.000" in text(response)
    assertContains(response, 'class="qr"')


def test_points_only(client, tv, session, score):
    Session.objects.update(currency="PTS", stake=1)
    session.refresh_from_db()
    score()
    assert "After 1 round, points 1 Ana" in text(client.get(tv))


def test_who_is_still_setting_by_name_and_state_only(client, url, tv, session, cast):
    hands = ledger.open_round(session, cast).hands.select_related("player")
    ready(hands[0], SUPER[0])
    lay_at_seat(hands[1], SUPER[1])
    host_types(hands[2], SUPER[2])
    for address in (url, tv):
        assert "Round 1: 2 still setting Ana ready Budi setting Citra ready Dewi setting" in text(client.get(address))


def test_the_hands_on_the_table_are_told(client, url, session, cast, rudi):
    round_ = ledger.open_round(session, cast)
    for hand, laid in zip(round_.hands.select_related("player"), SUPER, strict=True):
        ready(hand, laid)
    assert "Round 1: everybody is ready" in text(client.get(url))
    ledger.reveal_round(round_, rudi)
    assert "Round 1: the hands are on the table" in text(client.get(url))


def test_no_card_of_a_round_that_is_not_scored(client, link, session, cast, rudi):
    round_ = ledger.open_round(session, cast)
    for hand, laid in zip(round_.hands.select_related("player"), SUPER, strict=True):
        ready(hand, laid)
    ledger.reveal_round(round_, rudi)
    sent = "".join(client.get(reverse(page, args=[link.token])).content.decode() for page in PAGES[:3])
    for told in ("AsAhKd", "As Ah", "Full house", "9s9h9d9c2c"):
        assert told not in sent
    result = client.get(reverse("board-round", args=[link.token, 1]))
    assertRedirects(result, reverse("board", args=[link.token]), fetch_redirect_response=False)


def test_the_result_of_a_scored_round_with_reasons(client, link, score):
    score()
    response = client.get(reverse("board-round", args=[link.token, 1]))
    assertContains(response, "wins from")
    assertContains(response, "ace of spades")
    assertNotContains(response, "Void")


def test_a_voided_round_is_struck_out_and_shows_no_cards(client, link, url, score, rudi):
    ledger.void_round(score(), rudi, "Entered twice")
    page = client.get(url)
    assert "Entered twice · Counts for nothing." in text(page)
    assertNotContains(page, "rudi")
    assertNotContains(page, reverse("board-round", args=[link.token, 1]))
    assert client.get(reverse("board-round", args=[link.token, 1])).status_code == 302


def test_a_round_that_never_was_is_not_there(client, link):
    assert client.get(reverse("board-round", args=[link.token, 7])).status_code == 404


def test_the_rules_can_be_read(client, link, url):
    response = client.get(reverse("board-rules", args=[link.token]))
    assertContains(response, "The rules of Capsa as they are.")
    assertContains(response, f'href="{url}"')
    assertNotContains(response, "/rules/draft")


def test_all_rounds_are_paged(client, link, score, ana, budi):
    for _round in range(26):
        score("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "pao", players=[ana, budi])
    address = reverse("board-rounds", args=[link.token])
    assert "26 Ana" in text(client.get(address))
    assert "1 Ana" in text(client.get(address, {"page": 2}))


def test_the_winner_is_announced(client, url, tv, session, score, rudi):
    score()
    ledger.close_session(session, rudi)
    for address in (url, tv):
        page = client.get(address)
        assert "Ana wins the evening" in text(page)
        assert "The evening is closed." in text(page)
        assertNotContains(page, "data-poll")


def test_names_are_text(client, url, tv, ana, score):
    ana.name = "<img src=x onerror=alert(1)>"
    ana.save()
    score()
    for address in (url, tv):
        assertNotContains(client.get(address), "<img")


# ---------------------------------------------------------------- who may see it


def test_nothing_of_the_host_is_on_it(client, link, score, rudi):
    """Only addresses of the board itself, of files and of the language choice."""
    score()
    for name in PAGES:
        page = client.get(reverse(name, args=[link.token])).content.decode()
        addresses = set(re.findall(r'(?:href|action|hx-get|hx-post)="([^"#?]+)', page))
        allowed = (f"/board/{link.token}/", "/static/", "/i18n/", f"http://testserver/board/{link.token}/")
        assert [address for address in addresses if not address.startswith(allowed)] == []
        assert "rudi" not in page


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_kept_by_nobody_and_lead_nowhere(client, link, name):
    headers = client.get(reverse(name, args=[link.token])).headers
    assert "no-store" in headers["Cache-Control"]
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("name", [*PAGES, "board-round"])
def test_any_other_token_is_answered_alike(client, session, link, rudi, name):
    revoked = link.token
    sharing.revoke_link(link, rudi)
    seat = sharing.share_seats(session, rudi)[0].token
    more = [1] if name == "board-round" else []
    answers = [client.get(reverse(name, args=[token, *more])) for token in (revoked, seat, "guessed", "x" * 22)]
    assert {answer.status_code for answer in answers} == {404}
    pages = {re.sub(r'value="[^"]*"', "", answer.content.decode()) for answer in answers}
    assert len(pages) == 1
    assertContains(answers[0], "This link is not open", status_code=404)


@pytest.mark.parametrize("name", [*PAGES, "board-round"])
def test_nothing_is_written_by_a_board_link(client, link, score, name):
    score()
    more = [1] if name == "board-round" else []
    assert client.post(reverse(name, args=[link.token, *more])).status_code == 405


def test_a_viewer_reaches_no_page_of_the_host(client, link, score):
    round_ = score()
    for name in ("round-void", "round-restore", "session-close", "pay", "share-board", "share-seats"):
        pk = round_.pk if name.startswith("round") else round_.session_id
        assert client.post(reverse(name, args=[pk])).status_code == 302
    round_.refresh_from_db()
    assert round_.state == Round.State.SCORED


# ---------------------------------------------------------------- how it renews itself


def poll(client: Client, url: str, v: object):
    return client.get(url, {"v": v}, headers=POLL)


@pytest.mark.parametrize("name", ["board", "board-tv"])
def test_nothing_new_takes_one_query(client, session, link, name, score, django_assert_num_queries):
    score()
    session.refresh_from_db()
    with django_assert_num_queries(1):
        answer = poll(client, reverse(name, args=[link.token]), session.version)
    assert (answer.status_code, answer.content) == (204, b"")


def test_what_is_new_comes_without_the_frame(client, session, url, score):
    score()
    answer = poll(client, url, 0)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "<html" not in page
    assert "+640.200" in page
    assert '<p hx-swap-oob="innerHTML:#news">' in page


def test_a_card_that_changes_nothing_here_draws_nothing(client, session, url, cast):
    hand = ledger.open_round(session, cast).hands.first()
    drawn = json.loads(poll(client, url, 0).headers["HX-Trigger"])["drawn"]["v"]
    lay_at_seat(hand, "As / /")
    answer = poll(client, url, drawn)
    assert answer.status_code == 204
    again = json.loads(answer.headers["HX-Trigger"])["drawn"]["v"]
    assert again != drawn
    session.refresh_from_db()
    assert again.startswith(f"{session.version}.")


WRITES = {
    "open": lambda s: ledger.open_round(s["session"], s["cast"]),
    "ready": lambda s: ready(s["hand"](), SUPER[0]),
    "unready": lambda s: ledger.unready_hand(s["hand"](), PHONE),
    "score": lambda s: s["fill_and_score"](),
    "void": lambda s: ledger.void_round(s["session"].rounds.first(), s["rudi"]),
    "restore": lambda s: ledger.restore_round(s["session"].rounds.first(), s["rudi"]),
    "rename": lambda s: s["host"].post(reverse("player-rename", args=[s["cast"][0].pk]), {"name": "Anastasia"}),
    "settings": lambda s: s["host"].post(
        reverse("club-settings", args=[s["session"].club_id]),
        {"name": "Jumat Malam", "currency": "IDR", "stake": "1000", "time_zone": "Asia/Jakarta"},
    ),
}


def test_every_change_of_what_it_shows_is_seen(client, host, session, url, cast, rudi):
    def fill_and_score():
        round_ = session.rounds.first()
        for hand, laid in zip(round_.hands.select_related("player"), SUPER, strict=True):
            ready(hand, laid)
        ledger.record_round(round_, rudi)

    table = {
        "session": session,
        "cast": cast,
        "rudi": rudi,
        "host": host,
        "hand": lambda: session.rounds.first().hands.first(),
        "fill_and_score": fill_and_score,
    }
    for name, write in WRITES.items():
        session.refresh_from_db()
        version = session.version
        assert poll(client, url, version).status_code == 204, name
        write(table)
        assert poll(client, url, version).status_code == 200, name


def test_a_closed_evening_ends_the_polls_with_its_last_state(client, session, url, tv, score, rudi):
    score()
    ledger.close_session(session, rudi)
    session.refresh_from_db()
    for address in (url, tv):
        answer = poll(client, address, session.version)
        assert answer.status_code == 286
        assert "The evening is closed." in answer.content.decode()


def test_a_revoked_link_ends_the_polls_with_a_word(client, link, url, rudi):
    sharing.revoke_link(link, rudi)
    answer = poll(client, url, 0)
    assert answer.status_code == 286
    assert "This link is not open" in answer.content.decode()
    assert "<html" not in answer.content.decode()


@pytest.mark.parametrize("v", ["", "abc", "-1", "9" * 40, "7.x", "<script>"])
def test_any_version_is_answered(client, url, v):
    assert poll(client, url, v).status_code == 200


def test_as_many_queries_for_thirty_rounds_as_for_three(client, url, score, ana, budi, django_assert_num_queries):
    def play(rounds: int) -> None:
        for _round in range(rounds):
            score("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "pao", players=[ana, budi])

    play(3)
    client.get(url)
    with django_assert_num_queries(12) as queries:
        client.get(url)
    play(27)
    with django_assert_num_queries(len(queries)):
        client.get(url)
