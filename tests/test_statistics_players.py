"""How a player did, against the paper of `tests.past`."""

from datetime import date

import pytest

from scoring import ledger
from scoring.models import Club, Player, Session
from scoring.statistics.club import leaderboard, matrix
from scoring.statistics.figures import Mean, Streaks, mean, streaks
from scoring.statistics.players import PlayerRecord
from scoring.statistics.selection import EVERYTHING, Selection
from tests.past import Past, play_past


@pytest.fixture
def past(club, cast, rudi) -> Past:
    return play_past(club, cast, rudi)


# ---------------------------------------------------------------- figures


def test_the_mean_of_rounds_and_its_interval():
    """Rounds of 7, 18, −16, 0, 6, −1 and 7 points: 21 in 7 rounds are 3 a round. Their squares are 49 + 324 + 256 + 0 +
    36 + 1 + 49 = 715, less 21² / 7 = 63 are 652; 652 / 6 = 108.667 is the variance, √(108.667 / 7) = 3.940 the standard
    error. With 6 degrees of freedom t = 2.447: the margin is 9.641."""
    found = mean(7, 21, 715)
    assert found == Mean(3.0, pytest.approx(9.641, abs=0.001))
    assert (found.low, found.high) == (pytest.approx(-6.641, abs=0.001), pytest.approx(12.641, abs=0.001))


def test_many_rounds_follow_the_normal_curve():
    """100 rounds, half of them +1 and half −1: s² = 100 / 99, the margin 1.96 · √(100 / 99 / 100) = 0.197."""
    assert mean(100, 0, 100) == Mean(0.0, pytest.approx(0.197, abs=0.001))


def test_few_rounds_say_little():
    """No round has no mean. One has no margin. Two of 1 and 3: mean 2, s² = 2, the margin 12.706 · √(2 / 2)."""
    assert mean(0, 0, 0) is None
    assert mean(1, 5, 25) == Mean(5.0, None)
    assert mean(2, 4, 10) == Mean(2.0, pytest.approx(12.706))


@pytest.mark.parametrize(
    ("evenings", "expected"),
    [
        pytest.param([], (0, 0, 0), id="none"),
        pytest.param([5, 3, -1, 2], (2, 1, 1), id="won-now"),
        pytest.param([5, -3, -1, -2], (1, 3, -3), id="lost-now"),
        pytest.param([5, 0, 5], (1, 0, 1), id="an-even-one-ends-it"),
        pytest.param([5, 5, 0], (2, 0, 0), id="even-now"),
    ],
)
def test_streaks_of_evenings(evenings, expected):
    assert streaks(evenings) == Streaks(*expected)


# ---------------------------------------------------------------- one player


def test_the_figures_of_a_player(past, ana):
    """Ana over all: the rounds of 7, 18, −16, 0 | 6, −1 | 7. Front: 4 + 1 + 2 won of 6 + 2 + 2; middle 5 + 1 + 2 of
    6 + 2 + 2; back 3 + 2 + 1 of the same. Four rounds won of seven."""
    figures = PlayerRecord(ana).figures
    assert figures.mean == mean(7, 21, 715)
    assert [(row.row, row.share.percent) for row in figures.rows] == [("front", 70), ("middle", 80), ("back", 60)]
    assert (figures.won.part, figures.won.whole, figures.even) == (4, 7, 1)
    assert figures.won.percent == pytest.approx(57.14, abs=0.01)
    tally = figures.tally
    assert (tally.tembus_given, tally.tembus_taken, tally.supers, tally.paos, tally.naturals) == (4, 1, 1, 0, 0)
    assert (tally.best_round, tally.worst_round, figures.bonus) == (18, -16, -4)
    assert (tally.wins_longest, tally.losses_longest) == (2, 1)


def test_the_rate_of_pao(past, budi):
    """One of Budi's seven hands."""
    assert PlayerRecord(budi).figures.pao.percent == pytest.approx(100 / 7)


def test_the_money_of_a_player(past, ana, budi, citra):
    """Ana: 9,000 − 2,500 | 10,000 − 1,000 | 7,000 − 700. Budi: −23,000 − 400 | −10,000 | −12,000.
    Citra: 14,000 − 1,700 | 5,000 − 500."""
    assert PlayerRecord(ana).money == [("IDR", 21_800)]
    assert PlayerRecord(budi).money == [("IDR", -45_400)]
    assert PlayerRecord(citra).money == [("IDR", 16_800)]


def test_the_evenings_of_a_player(past, ana, budi):
    """Ana won all three, most in the first and least in the second; Budi lost all three, least in the second."""
    record = PlayerRecord(ana)
    assert [(one.date, one.rounds, one.points, one.net) for one in record.evenings] == [
        (date(2026, 11, 5), 4, 9, 6_500),
        (date(2026, 11, 12), 2, 5, 9_000),
        (date(2026, 11, 19), 1, 7, 6_300),
    ]
    assert (record.best.session, record.worst.session) == (past.first.pk, past.second.pk)
    assert record.streaks == Streaks(won=3, lost=0, now=3)
    record = PlayerRecord(budi)
    assert (record.best.session, record.worst.session) == (past.second.pk, past.first.pk)
    assert record.streaks == Streaks(won=0, lost=3, now=-3)


def test_head_to_head(past, ana, budi, citra):
    """Ana and Budi: 5 | 5 | 6 points in 4 | 2 | 1 rounds, for 5,000 | 10,000 | 6,000. Rows won 7 | 4 | 3, lost
    4 | 2 | 0, one tied. Tembus given 1 | 1 | 1, taken one.

    Ana and Citra: 4 | – | 1 points; rows won 5 | 2, lost 1 | 1.
    """
    (against_budi, against_citra) = PlayerRecord(ana).opponents
    tally = against_budi.tally
    assert against_budi.opponent == budi
    assert (tally.points, tally.rounds, against_budi.money) == (16, 7, [("IDR", 21_000)])
    assert (tally.rows_won, tally.rows_tied, tally.rows_lost) == (14, 1, 6)
    assert (tally.tembus_given, tally.tembus_taken) == (3, 1)
    tally = against_citra.tally
    assert (against_citra.opponent, tally.points, tally.rounds) == (citra, 5, 4)
    assert (tally.rows_won, tally.rows_tied, tally.rows_lost) == (7, 0, 2)


def test_head_to_head_is_the_same_from_the_other_side(past, ana, budi):
    (against_ana, _against_citra) = PlayerRecord(budi).opponents
    tally = against_ana.tally
    assert (against_ana.opponent, tally.points, against_ana.money) == (ana, -16, [("IDR", -21_000)])
    assert (tally.rows_won, tally.rows_tied, tally.rows_lost) == (6, 1, 14)
    assert (tally.tembus_given, tally.tembus_taken) == (1, 3)


def test_one_who_never_played(past, dewi):
    record = PlayerRecord(dewi)
    assert (record.figures, record.money, record.evenings, record.opponents) == (None, [], [], [])


def test_money_of_two_currencies_stands_side_by_side(past, session, score, ana, dewi):
    """The super of RULES 11: 22 points from each for Ana, at 10,000 minor units a point, less 3 %. The club's currency
    comes first."""
    Session.objects.filter(pk=session.pk).update(currency="EUR")
    score()
    assert PlayerRecord(ana).money == [("IDR", 21_800), ("EUR", 640_200)]
    assert PlayerRecord(ana).figures.tally.points == 87
    assert PlayerRecord(dewi).opponents[0].money == [("EUR", -220_000)]


def test_points_are_no_money(past, session, score, ana, dewi):
    Session.objects.filter(pk=session.pk).update(currency="PTS", stake=1)
    score()
    assert PlayerRecord(ana).money == [("IDR", 21_800)]
    assert PlayerRecord(dewi).money == []


# ---------------------------------------------------------------- the club


def ranks(club: Club, selection: Selection = EVERYTHING, measure: str = "points") -> list[tuple[int, str]]:
    return [(leader.place, leader.player.name) for leader in leaderboard(club, selection, measure)]


def test_the_leaderboard(club, past):
    """Points: Ana 21, Citra 14 + 5, Budi −40. A round: Citra 19 / 4, Ana 21 / 7. Money: 21,800, 16,800, −45,400."""
    leaders = leaderboard(club)
    assert [(leader.player.name, leader.figures.tally.points) for leader in leaders] == [
        ("Ana", 21),
        ("Citra", 19),
        ("Budi", -40),
    ]
    assert [(leader.evenings, leader.money) for leader in leaders] == [
        (3, [("IDR", 21_800)]),
        (2, [("IDR", 16_800)]),
        (3, [("IDR", -45_400)]),
    ]
    assert ranks(club, measure="mean") == [(1, "Citra"), (2, "Ana"), (3, "Budi")]
    assert ranks(club, measure="money") == [(1, "Ana"), (2, "Citra"), (3, "Budi")]


def test_the_leaderboard_by_rounds_won(club, past):
    """Citra 2 + 1 of 4, Ana 4 of 7, Budi 1 + 1 of 7."""
    assert ranks(club, measure="won") == [(1, "Citra"), (2, "Ana"), (3, "Budi")]


def test_the_leaderboard_of_a_period(club, past):
    """The last evening alone: Ana 7, Citra 5, Budi −12."""
    assert ranks(club, Selection(since=date(2026, 11, 13))) == [(1, "Ana"), (2, "Citra"), (3, "Budi")]
    assert ranks(club, Selection(until=date(2026, 1, 1))) == []


def test_players_who_are_level_share_a_place(club, past):
    """The second evening alone, of which nobody has money in the club's currency."""
    evening = Selection(since=date(2026, 11, 12), until=date(2026, 11, 12))
    assert ranks(club, evening, "money") == [(1, "Ana"), (2, "Budi")]
    Session.objects.filter(pk=past.second.pk).update(currency="EUR")
    ledger.rebuild_tallies([past.second.pk])
    assert ranks(club, evening, "money") == [(1, "Ana"), (1, "Budi")]


def test_the_matrix(club, past, ana, budi, citra):
    """Ana and Budi 16, Ana and Citra 5; Budi and Citra: −6 − 6 − 6 | −6 = −24."""
    found = matrix(club)
    assert found.players == [ana, budi, citra]
    points = [[cell and cell.points for cell in cells] for _player, cells in found.rows]
    assert points == [[None, 16, 5], [-16, None, -24], [-5, 24, None]]
    assert found.left_out == 0


def test_the_matrix_of_a_currency(club, past):
    assert matrix(club, currency="SGD").rows == []
    assert len(matrix(club, currency="IDR").rows) == 3


def test_a_matrix_holds_those_who_met_most(club, past, monkeypatch, ana, budi):
    """Ana met others in 7 + 4 rounds, Budi in 7 + 4, Citra in 4 + 4."""
    monkeypatch.setattr("scoring.statistics.club.MOST_IN_MATRIX", 2)
    found = matrix(club)
    assert (found.players, found.left_out) == ([ana, budi], 1)


def test_a_club_that_never_met(club, cast: list[Player]):
    assert leaderboard(club) == []
    assert matrix(club).rows == []
