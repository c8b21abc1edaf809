"""The one page of an evening."""

import re
import uuid

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger
from scoring.models import Entry, Hand, Line, PairScore, PairStake, Player, Round, Seat, Session

EVEN = ("surrender", "surrender")
PAO = "KsQcJs / 5s5h4s3s8c / 6s6h2sTsTh"


@pytest.fixture
def url(session) -> str:
    return reverse("session", args=[session.pk])


@pytest.fixture
def play_many(session, cast, rudi):
    """Many scored rounds at once, written as `record_round` leaves them: Ana wins three from each of the others."""

    def play_many(count: int) -> None:
        start = session.rounds.count() + 1
        kept = {"state": Round.State.SCORED, "ruleset_fields": session.ruleset_fields, "stake": session.stake}
        rounds = Round.objects.bulk_create(
            Round(session=session, club=session.club, number=number, scored_at="2026-11-26T14:00Z", **kept)
            for number in range(start, start + count)
        )
        nets = dict(zip(cast, (87_300, -30_000, -30_000, -30_000), strict=True))
        Hand.objects.bulk_create(
            Hand(round=r, club=r.club, player=player, position=place, status="played", points=net // 10_000, net=net)
            for r in rounds
            for place, (player, net) in enumerate(nets.items())
        )
        two_rows = {
            "front": 1,
            "middle": 1,
            "back": -1,
            "row_points": 3,
            "multiplier": 1,
            "extra": 0,
            "bonus": 0,
            "points": 3,
        }
        PairScore.objects.bulk_create(
            PairScore(round=r, club=r.club, a=cast[0], b=other, stake=10_000, money=30_000, **two_rows)
            for r in rounds
            for other in cast[1:]
        )
        entries = Entry.objects.bulk_create(
            Entry(session=session, club=session.club, kind=Entry.Kind.ROUND, round=r, key=uuid.uuid4()) for r in rounds
        )
        Line.objects.bulk_create(
            Line(entry=entry, session=session, club=session.club, player=player, amount=net)
            for entry in entries
            for player, net in (*nets.items(), (None, 2_700))
        )

    return play_many


@pytest.fixture
def seat_more(session, club):
    """Seat more players of these names."""

    def seat_more(*names: str) -> list[Player]:
        players = [Player.objects.create(club=club, name=name) for name in names]
        for place, player in enumerate(players, start=session.seats.count()):
            Seat.objects.create(session=session, club=club, player=player, position=place)
        return players

    return seat_more


def text(response) -> str:
    """What a person reads on the page, in one line."""
    html = response.content.decode().replace("&nbsp;", " ")
    words = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    return re.sub(r" ([.,])", r"\1", words)


# ---------------------------------------------------------------- the scoreboard


def test_an_evening_without_rounds(host, url, cast) -> None:
    page = text(host.get(url))
    assert "Thursday, 26 November 2026" in page
    assert "Thu, 26 Nov Kamis Malam" in page  # what fits the bar of a phone
    assert "Kamis Malam · Rp 10.000 a point" in page
    assert "No round yet" in page
    assert "How it went" not in page
    for player in cast:
        assert player.name in page


def test_the_scoreboard_is_in_order_and_sums_to_nought(host, url, session, score) -> None:
    score()
    response = host.get(url)
    board = response.context["board"]
    assert [standing.seat.player.name for standing in board.standings] == ["Ana", "Dewi", "Budi", "Citra"]
    assert sum(standing.total for standing in board.standings) + board.house == 0
    assert "last round +640.200" in text(response)
    assert "House, room fee 3%: +19.800." in text(response)
    assert "Players and house sum to 0." in text(response)


def test_a_payment_is_no_winning(host, url, session, score, cast, rudi) -> None:
    score()
    before = [standing.total for standing in host.get(url).context["board"].standings]
    claim = ledger.settlement(session).claims[0]
    named: dict[int | None, Player] = {player.pk: player for player in cast}
    ledger.record_payment(session, named.get(claim.payer), named.get(claim.payee), claim.open, claim.key, rudi)
    assert [standing.total for standing in host.get(url).context["board"].standings] == before


def test_those_who_are_level_share_a_place(host, url, score, rudi) -> None:
    ledger.void_round(score(), rudi)
    places = [standing.place for standing in host.get(url).context["board"].standings]
    assert places == [1, 1, 1, 1]


def test_who_sits_out_and_who_has_left_are_told(host, url, session, score, seat_more) -> None:
    _eka, fajar = seat_more("Eka", "Fajar")
    score()
    Seat.objects.filter(player=fajar).update(left_at="2026-11-26T15:00Z")
    page = text(host.get(url))
    assert "Eka sat out the last round" in page
    assert "Fajar has left" in page


def test_a_fee_on_the_evening_is_announced_and_taken_at_its_end(host, url, session, score, rudi) -> None:
    fields = session.ruleset_fields | {"room_fee_basis": "session"}
    Session.objects.update(ruleset_fields=fields)
    session.refresh_from_db()
    score()
    assert "Room fee 3%, taken at settle-up." in text(host.get(url))
    ledger.close_session(session, rudi)
    assert "House, room fee 3%: +19.800." in text(host.get(url))


def test_a_damaged_book_is_told(host, url, score) -> None:
    score()
    Line.objects.filter(player=None).update(amount=0)
    assertContains(host.get(url), "The book does not add up")


# ---------------------------------------------------------------- rounds


def test_a_round_tells_winner_badge_and_the_others_points(host, url, score) -> None:
    score()
    page = text(host.get(url))
    assert re.search(r"1 Ana ★ Super \+640\.200 \d\d:\d\d · Dewi −20 · Budi −22 · Citra −24", page)


def test_a_tembus_and_a_pao_are_told(host, url, session, score, ana, budi) -> None:
    tembus = ("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "KsQcJs / 5s5h4s3s8c / TsTh6s6h2s")
    score(*tembus, players=[ana, budi])
    assert "Ana Tembus" in text(host.get(url))
    score(tembus[0], "pao", players=[ana, budi])
    assert re.search(r"2 Ana \+[\d.]+ \d\d:\d\d · Budi −\d+ PAO", text(host.get(url)))


def test_a_natural_is_told_by_its_name(host, url, session, score, ana, budi) -> None:
    dragon = "2s3h4d / 5c6s7h8d9c / TsJhQdKcAs"
    score(dragon, "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c", players=[ana, budi])
    assert "Ana Dragon" in text(host.get(url))


def test_a_round_for_nothing_is_still_won_by_points(host, url, session, score, ana, budi) -> None:
    Session.objects.update(stake=0)
    session.refresh_from_db()
    score()
    assert re.search(r"1 Ana ★ Super 0 \d\d:\d\d · Dewi −20", text(host.get(url)))


def test_an_even_round_has_no_winner(host, url, session, score, ana, budi) -> None:
    fields = session.ruleset_fields | {"surrender_points": 2}
    Session.objects.update(ruleset_fields=fields)
    session.refresh_from_db()
    score("surrender", "surrender", players=[ana, budi])
    assert re.search(r"1 Even \d\d:\d\d · Ana 0 Surrendered · Budi 0 Surrendered", text(host.get(url)))


def test_a_voided_round_stays_with_who_when_and_why_and_counts_for_nothing(host, url, score, rudi) -> None:
    ledger.void_round(score(), rudi, "Entered twice <b>")
    response = host.get(url)
    assertContains(response, 'class="voided')
    page = text(response)
    assert re.search(r"voided .*\d\d:\d\d · by rudi · Entered twice &lt;b&gt; · Counts for nothing\.", page)
    assert {standing.total for standing in response.context["board"].standings} == {0}


def test_times_are_those_of_the_club(host, url, play_many) -> None:
    play_many(1)
    assert "21:00 · Budi −3" in text(host.get(url))


def test_rounds_are_paged_newest_first(host, url, play_many) -> None:
    play_many(30)
    first, second = text(host.get(url)), text(host.get(url, {"page": 2}))
    assert "30 Ana" in first
    assert "5 Ana" not in first.replace("25 Ana", "").replace("15 Ana", "")
    assert "5 Ana" in second
    assert len(host.get(url).context["totals"]) == 25
    assert [number for number, _values in host.get(url, {"page": 2}).context["totals"]] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("page", "shown"),
    [("0", 2), ("99", 2), ("-1", 2), ("abc", 1), ("", 1), ("9" * 30, 2)],
    ids=lambda value: str(value)[:6],
)
def test_a_page_that_does_not_exist_is_answered_with_another(host, url, play_many, page, shown) -> None:
    play_many(30)
    response = host.get(url, {"page": page, "per_page": "1000", "sort": "number"})
    assert response.context["rounds"].page.number == shown
    assert len(response.context["rounds"].page.object_list) <= 25


# ---------------------------------------------------------------- how it went


def test_the_chart_and_the_table_tell_the_same_running_totals(host, url, play_many, ana) -> None:
    play_many(3)
    response = host.get(url)
    assert [values[0] for _number, values in response.context["totals"]] == [261_900, 174_600, 87_300]
    assertContains(response, "<polyline", count=4)
    assertContains(response, "261.900")


def test_running_totals_leave_voided_rounds_out(host, url, score, rudi) -> None:
    score()
    ledger.void_round(score(), rudi)
    score()
    assert [number for number, _values in host.get(url).context["totals"]] == [3, 1]


# ---------------------------------------------------------------- what comes next


def test_the_next_round_opens_at_once_for_up_to_four(host, url, cast) -> None:
    response = host.get(url)
    assertContains(response, '<input type="hidden" name="players"', count=4)
    assertContains(response, "Round 1</button>")


def test_more_than_four_take_turns_and_the_proposal_is_one_tap(host, url, session, cast, seat_more, score) -> None:
    (eka,) = seat_more("Eka")
    assert "Round 1: Ana deals. Eka sits out. Change who plays" in text(host.get(url))
    score()
    response = host.get(url)
    assert "Round 2: Budi deals. Ana sits out." in text(response)
    proposed = re.findall(r'name="players" value="(\d+)"', response.content.decode())
    host.post(reverse("round-open", args=[session.pk]), {"players": proposed})
    hands = session.rounds.get(number=2).hands.select_related("player")
    assert [hand.player for hand in hands] == [*cast[1:], eka]
    assert "Budi deals. Ana sits out." in text(host.get(url))


def test_one_alone_at_the_table_is_sent_to_the_choice(host, url, session, budi, citra, dewi) -> None:
    session.seats.filter(player__in=[budi, citra, dewi]).update(left_at="2026-11-26T15:00Z")
    response = host.get(url)
    assertNotContains(response, 'name="players"')
    assertContains(response, f'href="{reverse("round-open", args=[session.pk])}">Round 1<')


def test_the_open_round_is_a_card_that_tells_who_is_ready(host, url, session, cast, lay) -> None:
    round_ = ledger.open_round(session, cast)
    hand, *_others = round_.hands.order_by("position")
    ledger.keep_hand(hand, {"front": "AsAhKd", "middle": "QsQhQd7c7d", "back": "9s9h9d9c2c"}, 0)
    response = host.get(url)
    page = text(response)
    assert "Round 1 is open" in page
    assert "Ana ready Budi nothing yet" in page
    assertContains(response, f'href="{reverse("round-entry", args=[round_.pk])}"', count=2)
    assertNotContains(response, 'name="players"')


def test_the_dock_opens_the_round_with_its_players(host, session, cast) -> None:
    response = host.post(reverse("round-open", args=[session.pk]), {"players": [player.pk for player in cast]})
    round_ = session.rounds.get()
    assertRedirects(response, reverse("round-entry", args=[round_.pk]), fetch_redirect_response=False)
    assert [hand.player for hand in round_.hands.select_related("player")] == cast


def test_a_voided_number_is_not_given_again(host, url, score, rudi) -> None:
    ledger.void_round(score(), rudi)
    assertContains(host.get(url), "Round 2</button>")


def test_the_planned_rounds_played_the_winner_is_announced(host, url, session, score) -> None:
    Session.objects.update(rounds_planned=2)
    score()
    assertNotContains(host.get(url), "wins the evening")
    assert "1 of 2 rounds played" in text(host.get(url))
    score()
    page = text(host.get(url))
    assert re.search(r"Ana wins the evening \+Rp.1\.280\.400 after 2 rounds", page)


def test_those_who_share_the_first_place_are_all_named(host, url, session, score, ana, budi, citra, dewi) -> None:
    Session.objects.update(rounds_planned=2)
    sweep = ("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "KsQcJs / 5s5h4s3s8c / TsTh6s6h2s")
    score(*sweep, players=[ana, citra])
    score(*sweep, players=[budi, dewi])
    assert "Ana and Budi share the first place" in text(host.get(url))


def test_pair_stakes_are_counted(host, url, session, ana, budi) -> None:
    PairStake.objects.create(session=session, club=session.club, a=ana, b=budi, stake=1)
    assert "1 pair has its own" in text(host.get(url))


def test_points_only(host, url, session, score) -> None:
    Session.objects.update(currency="PTS", stake=1)
    session.refresh_from_db()
    score()
    page = text(host.get(url))
    assert "Kamis Malam · points only" in page
    assert "1 Ana last round +65 +65" in page
    assert "Points only, no money." in page


# ---------------------------------------------------------------- names, size, speed


NAMES = ["x" * 60, "🐯" * 30, "<script>alert(1)</script>", "محمد", "Q"]


def test_names_of_any_kind_are_text(host, url, seat_more) -> None:
    seat_more(*NAMES)
    html = host.get(url).content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_page_takes_as_many_queries_for_thirty_rounds_as_for_three(
    host, url, play_many, django_assert_num_queries
) -> None:
    play_many(3)
    with django_assert_num_queries(15) as queries:
        host.get(url)
    play_many(27)
    with django_assert_num_queries(len(queries)):
        host.get(url)


def test_a_thousand_rounds_stay_under_60_kilobytes(host, url, play_many, seat_more) -> None:
    seat_more(*(f"Pemain {place}" for place in range(8)))
    play_many(1000)
    assert len(host.get(url).content) < 60_000


# ---------------------------------------------------------------- its end


def test_closing_leads_to_settling_up(host, session) -> None:
    response = host.post(reverse("session-close", args=[session.pk]))
    assertRedirects(response, reverse("settle-up", args=[session.pk]), fetch_redirect_response=False)
    session.refresh_from_db()
    assert not session.is_open
    assert session.closed_by.username == "rudi"


def test_a_round_that_is_being_entered_keeps_the_evening_open(host, url, session, cast) -> None:
    round_ = ledger.open_round(session, cast)
    ledger.keep_hand(round_.hands.get(position=0), {"back": "2s"}, 0)
    response = host.post(reverse("session-close", args=[session.pk]), follow=True)
    assertContains(response, "Round 1 is still open")
    session.refresh_from_db()
    assert session.is_open


def test_a_closed_evening_names_its_winner_and_offers_to_reopen(host, url, session, score, rudi) -> None:
    score()
    ledger.close_session(session, rudi)
    response = host.get(url)
    assert "Ana wins the evening" in text(response)
    assertContains(response, "Reopen the evening")
    assertNotContains(response, reverse("round-open", args=[session.pk]))


def test_reopening(host, url, session, rudi) -> None:
    ledger.close_session(session, rudi)
    assertRedirects(host.post(reverse("session-reopen", args=[session.pk])), url)
    session.refresh_from_db()
    assert session.is_open


def test_an_evening_of_others_does_not_exist(stranger, session, url) -> None:
    assert stranger.get(url).status_code == 404
    for name in ("session-close", "session-reopen"):
        assert stranger.post(reverse(name, args=[session.pk])).status_code == 404
    session.refresh_from_db()
    assert session.is_open


@pytest.mark.parametrize("name", ["session-close", "session-reopen"])
def test_a_verb_is_only_posted(host, session, name) -> None:
    assert host.get(reverse(name, args=[session.pk])).status_code == 405
