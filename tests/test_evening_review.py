"""The review of an evening: its final table, charts, highlights and text."""

import uuid
from collections.abc import Callable, Mapping, Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring import ledger, sharing
from scoring.evening import Evening
from scoring.models import Entry, Hand, Line, Player, Round, Seat, ShareLink
from scoring.statistics.highlights import Brought, Closest, Comeback, Moment, PlayedRound, Run, find_highlights
from tests.conftest import SUPER
from tests.past import play_past
from tests.test_session_page import text

ANA, BUDI, CITRA, DEWI = 1, 2, 3, 4

Play = Callable[[Sequence[Mapping[Player, int]]], None]


@pytest.fixture
def play(session) -> Play:
    """Rounds that were scored, by what they brought: `play([{ana: 3, budi: -3}])`, at the stake of the session."""

    def play(results: Sequence[Mapping[Player, int]]) -> None:
        stake, club = session.stake, session.club
        start = session.rounds.count() + 1
        kept = {"state": Round.State.SCORED, "ruleset_fields": session.ruleset_fields, "stake": stake}
        rounds = Round.objects.bulk_create(
            Round(session=session, club=club, number=start + place, scored_at="2026-11-26T14:00Z", **kept)
            for place in range(len(results))
        )
        Hand.objects.bulk_create(
            Hand(round=r, club=club, player=player, position=place, status="played", points=points, net=points * stake)
            for r, result in zip(rounds, results, strict=True)
            for place, (player, points) in enumerate(result.items())
        )
        entries = Entry.objects.bulk_create(
            Entry(session=session, club=club, kind=Entry.Kind.ROUND, round=r, key=uuid.uuid4()) for r in rounds
        )
        Line.objects.bulk_create(
            Line(entry=entry, session=session, club=club, player=player, amount=points * stake)
            for entry, result in zip(entries, results, strict=True)
            for player, points in result.items()
        )

    return play


@pytest.fixture
def url(session) -> str:
    return reverse("session-review", args=[session.pk])


@pytest.fixture
def link(session, rudi) -> ShareLink:
    return sharing.share_board(session, rudi)


# ---------------------------------------------------------------- highlights, on paper


def test_the_highlights_of_an_evening_worked_out_on_paper() -> None:
    """Points of each round, and the totals after it:

         Ana       Budi               Citra       Dewi
    1    4    4     −6    −6           2     2     0    0
    2    3    7    −10   −16  PAO      7     9     –    0
    3    1    8     12    −4  dragon −13    −4     –    0
    4    –    8      9     5  super   −8   −12    −1   −1
    5   −2    6      2     7           0   −12     0   −1

    Budi comes back from −16 to 7, which is 23; Citra and Dewi end at their lowest. Round 5 lies between 2 and −2. Ana
    wins rounds 1 to 3; Budi as many, 3 to 5, but later.
    """
    pao = Brought(-10, status="pao")
    dragon = Brought(12, status="natural", natural="dragon")
    sweep = Brought(9, is_super=True)
    rounds = [
        PlayedRound(1, {ANA: Brought(4), BUDI: Brought(-6), CITRA: Brought(2), DEWI: Brought(0)}),
        PlayedRound(2, {ANA: Brought(3), BUDI: pao, CITRA: Brought(7)}),
        PlayedRound(3, {ANA: Brought(1), BUDI: dragon, CITRA: Brought(-13)}),
        PlayedRound(4, {BUDI: sweep, CITRA: Brought(-8), DEWI: Brought(-1)}),
        PlayedRound(5, {ANA: Brought(-2), BUDI: Brought(2), CITRA: Brought(0), DEWI: Brought(0)}),
    ]
    found = find_highlights(rounds)
    assert found.paos == [Moment(2, BUDI, pao)]
    assert found.naturals == [Moment(3, BUDI, dragon)]
    assert found.supers == [Moment(4, BUDI, sweep)]
    assert found.win == Moment(3, BUDI, dragon)
    assert found.loss == Moment(3, CITRA, Brought(-13))
    assert found.comeback == Comeback(round=2, player=BUDI, lowest=-16, final=7)
    assert found.comeback.points == 23
    assert found.closest == Closest(round=5, points=4)
    assert found.run == Run(round=1, player=ANA, last=3, length=3)


@pytest.mark.parametrize(
    ("ana", "kinds"),
    [
        ([], set()),
        ([5], {"win", "loss"}),
        ([0, 0], {"closest"}),
        ([5, -5], {"win", "loss", "closest", "comeback"}),
        ([5, 5], {"win", "loss", "closest", "run"}),
    ],
    ids=["no-round", "one-round", "all-even", "back-to-nought", "twice"],
)
def test_there_is_no_highlight_where_nothing_was(ana: list[int], kinds: set[str]) -> None:
    """Budi has the opposite of Ana. With 5 and −5 he comes back from −5 to nought; one round is close to no other."""
    rounds = [PlayedRound(n, {ANA: Brought(p), BUDI: Brought(-p)}) for n, p in enumerate(ana, start=1)]
    found = vars(find_highlights(rounds))
    assert {kind for kind, highlight in found.items() if highlight} == kinds


def test_voided_rounds_and_the_versions_before_a_correction_are_none(club, cast, rudi) -> None:
    """The first evening of the paper (tests/past.py); its fifth round, as good for Ana as the first, is voided."""
    evening = Evening(play_past(club, cast, rudi).first)
    ana, budi, citra, _dewi = cast
    assert evening.numbers == [1, 2, 3, 4]
    assert {player.pk: evening.points[player.pk] for player in (ana, budi, citra)} == {
        ana.pk: [7, 25, 9, 9],
        budi.pk: [-12, -27, -23, -23],
        citra.pk: [5, 2, 14, 14],
    }
    found = evening.highlights
    assert [(moment.round, moment.player) for moment in found.supers] == [(2, ana.pk)]
    assert [(moment.round, moment.player) for moment in found.paos] == [(2, budi.pk)]
    assert [(moment.round, moment.player) for moment in found.naturals] == [(3, citra.pk)]
    assert found.comeback == Comeback(round=2, player=budi.pk, lowest=-27, final=-23)
    assert found.closest == Closest(round=4, points=0)


# ---------------------------------------------------------------- the page


def test_an_evening_without_rounds(host, url, session) -> None:
    assertContains(host.get(url), "Nothing to look back on yet")
    assertNotContains(host.get(session.get_absolute_url()), url)


def test_the_page_tells_how_it_went(host, url, score) -> None:
    score()
    score()
    page = text(host.get(url))
    assert "So far 2 rounds 1 Ana +132 points +1.280.400" in page
    assert "★ Super 2 Ana round 1 Ana round 2" in page
    assert "Biggest win +66 Ana in round 1, +640.200" in page
    assert "Longest run 2 in a row Ana won from round 1 to 2" in page
    assert "Rupiah. Room fees: Rp 39.600" in page
    assert "2 +132 1.280.400" in page  # the table beside the chart


def test_two_charts_where_money_was_played_for(host, url, score) -> None:
    score()
    assertContains(host.get(url), '<svg class="chart"', count=2)


@pytest.mark.parametrize(("currency", "stake"), [("PTS", 1), ("IDR", 0)], ids=["points", "for-nothing"])
def test_where_there_was_no_money_points_decide(host, url, session, cast, play, currency, stake) -> None:
    ana, budi, *_others = cast
    session.currency, session.stake = currency, stake
    session.save()
    play([{ana: 3, budi: -3}, {ana: -5, budi: 5}])
    response = host.get(url)
    assertContains(response, '<svg class="chart"', count=1)
    page = text(response)
    assert "1 Budi +2" in page
    assert "4 Ana −2" in page
    assert "Biggest win +5 Budi in round 2 " in page
    assert "1. Budi: +2 points" in page


def test_points_that_are_worth_more_are_told_beside(host, url, session, cast, play) -> None:
    ana, budi, *_others = cast
    session.currency, session.stake = "PTS", 5
    session.save()
    play([{ana: 3, budi: -3}])
    page = text(host.get(url))
    assert "1 Ana +3 points +15" in page
    assert "At the stake." in page


def test_every_highlight_leads_to_its_round(host, url, session, score, cast) -> None:
    score()
    score(*SUPER[:2], players=cast[:2])
    response = host.get(url)
    for number in (1, 2):
        assertContains(response, f'href="{reverse("session-replay", args=[session.pk, number])}"')


def test_of_many_hands_of_a_kind_a_few_are_told(host, url, score) -> None:
    for _round in range(8):
        score()
    assert "Ana round 6 and 2 more" in text(host.get(url))
    assert "Super: Ana (round 1);" in host.get(url).context["evening"].text


def test_the_text_for_the_group(session, score) -> None:
    score()
    session.refresh_from_db()
    lines = Evening(session).text.replace("\xa0", " ").split("\n")
    assert lines == [
        "Kamis Malam, Thu 26 Nov 2026, 1 round",
        "1. Ana: +Rp 640.200, +66 points",
        "2. Dewi: −Rp 200.000, −20 points",
        "3. Budi: −Rp 220.000, −22 points",
        "4. Citra: −Rp 240.000, −24 points",
        "Room fees: Rp 19.800",
        "Super: Ana (round 1)",
        "Biggest win: Ana, +66 (in round 1, +640.200)",
        "Biggest loss: Citra, −24 (in round 1, −240.000)",
    ]


def test_the_text_names_the_address_for_those_who_have_the_board(host, url, score, link) -> None:
    score()
    assertContains(host.get(url), f"http://testserver{reverse('board-review', args=[link.token])}")


def test_it_is_found_where_one_looks_for_it(host, client, url, session, score, rudi, link, club) -> None:
    score()
    assertContains(host.get(session.get_absolute_url()), url)
    assertContains(host.get(reverse("sessions", args=[club.pk])), url)
    assertContains(client.get(reverse("board", args=[link.token])), reverse("board-review", args=[link.token]))
    ledger.close_session(session, rudi)
    assertContains(host.get(session.get_absolute_url()), "highlights, replay, a picture to share")
    assertContains(host.get(url), "Final table")


# ---------------------------------------------------------------- by the link of the board


def test_whoever_has_the_board_reads_it_too(client, score, session, link) -> None:
    score()
    response = client.get(reverse("board-review", args=[link.token]))
    assert "1 Ana +66 points +640.200" in text(response)
    assertContains(response, reverse("board-replay", args=[link.token, 1]))
    assertNotContains(response, f"/sessions/{session.pk}/")


@pytest.mark.parametrize(("page", "more"), [("review", []), ("replay", [1]), ("picture", [])])
def test_a_link_that_is_withdrawn_opens_nothing(client, score, link, rudi, page, more) -> None:
    score()
    url = reverse(f"board-{page}", args=[link.token, *more])
    assert client.get(url).status_code == 200
    assert client.post(url).status_code == 405
    sharing.revoke_link(link, rudi)
    assert client.get(url).status_code == 404


# ---------------------------------------------------------------- long evenings


@pytest.mark.parametrize(("page", "more"), [("review", []), ("replay", [2]), ("picture", [])])
def test_a_long_evening_takes_no_more_queries(host, session, cast, play, page, more) -> None:
    ana, budi, *_others = cast
    url = reverse(f"session-{page}", args=[session.pk, *more])

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert host.get(url).status_code == 200
        return len(captured)

    play([{ana: 1, budi: -1}] * 3)
    few = queries()
    play([{ana: 1, budi: -1}] * 27)
    assert queries() == few <= 12


def test_a_thousand_rounds_of_a_dozen_players_fit_a_page(host, url, session, club, cast, play) -> None:
    more = [Player.objects.create(club=club, name=f"{place} " + "Pemain dengan nama panjang" * 2) for place in range(8)]
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(more, start=4)
    )
    players = [*cast, *more]
    play(
        [
            {players[(turn + seat) % 12]: 1_000 * points for seat, points in enumerate((9, -2, -3, -4))}
            for turn in range(1_000)
        ]
    )
    for number, first in ((1, "1000"), (40, "25")):
        response = host.get(url, {"page": number})
        assert len(response.content) < 60_000
        assertContains(response, f"/review/{first}/")
        assertContains(response, f"Page {number} of 40")
    assert host.get(url, {"page": "x"}).status_code == host.get(url, {"page": 999}).status_code == 200


def test_a_hand_of_somebody_without_a_seat_breaks_no_page(host, url, session, cast, play) -> None:
    """Only a damaged book, or one taken from a file, holds such a hand; the audit tells of it."""
    ana, budi, *_others = cast
    play([{ana: 3, budi: -3}])
    session.seats.filter(player=budi).delete()
    assert "1 Ana +3 points" in text(host.get(url))
