"""What could have been made of the hands of a round: worked out once, after it was saved, and told."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.engine.cards import DECK, parse_cards
from scoring.engine.hand_input import HandInput
from scoring.engine.rules import PRESETS, ROWS
from scoring.engine.words import parse_told
from scoring.ledger import rules_digest
from scoring.models import HandReview, Player, Round, Session
from scoring.reviews import Measure, catch_up, measure_round, review_round, rounds_to_review
from scoring.statistics.luck import Luck, added, costliest_hands, luck_by_evening, unreviewed_rounds
from scoring.statistics.selection import Selection

POINTS = PRESETS["points"]


def hand(who: str, text: str, **more: str) -> HandInput:
    front, middle, back = (parse_cards(row) for row in text.split("/"))
    return HandInput(who, front, middle, back, **more)


def the_others(one: HandInput, *names: str) -> list[HandInput]:
    """Hands from the cards that `one` left in the deck, laid as they come."""
    rest = [card for card in DECK if card not in one.row("front") + one.row("middle") + one.row("back")]
    hands = [tuple(rest[place :: len(names)]) for place in range(len(names))]
    return [HandInput(name, cards[:3], cards[3:8], cards[8:13]) for name, cards in zip(names, hands, strict=True)]


def measured(*hands: HandInput, rules=POINTS) -> list[Measure]:
    return [measure for measure in measure_round(hands, rules) if measure]


# ---------------------------------------------------------------- points left on the table


def test_a_row_that_could_have_been_won_is_left_on_the_table() -> None:
    """Rules `points`: a row is 1, three rows are doubled.

    Budi lies 8-7-2 / pair of threes / pair of fives, and has no more than pairs. Ana lies 6-4-2 in front, two pairs of
    queens and jacks, two pairs of aces and kings: she loses the front and wins two rows, 2 − 1 = 1. With the nine in
    front she wins all three: 3 × 2 = 6. She left 5. Budi has won the front; his best two pairs, tens and eights, beat
    neither of hers, so −1 is the best he could do.
    """
    ana = hand("Ana", "6h4c2s / QsQdJhJc8d / AsAdKhKc9s")
    budi = hand("Budi", "8s7d2d / 3s3dTc7h2h / 5s5hKdTh8c")
    of_ana, of_budi = measured(ana, budi)
    assert (of_ana.points, of_ana.best_points) == (1, 6)
    assert parse_cards("9s")[0] in of_ana.best_rows[0]
    assert (of_budi.points, of_budi.best_points) == (-1, -1)
    assert of_budi.best_rows == (budi.front, budi.middle, budi.back)


def test_a_pao_is_measured_against_the_same_cards_in_order() -> None:
    """Rules `points`: PAO loses all rows, doubled.

    Ana lies aces and kings in the middle above queens and jacks in the back: −3 × 2 = −6. Budi lies a pair of tens, two
    pairs of sevens and fives, two pairs of kings and fours. In order, Ana wins two rows whichever she gives up: with
    four pairs she has either a pair in front or two pairs in the middle. 2 − 1 = 1: she left 7. Against a PAO hand
    every legal hand wins the same 6: Budi left nothing.
    """
    ana = hand("Ana", "9s8d6h / AsAdKhKc4c / QsQdJhJc2s")
    budi = hand("Budi", "TsTd3h / 7s7d5s5d3c / KsKd4d4h2h")
    of_ana, of_budi = measured(ana, budi)
    assert (of_ana.points, of_ana.best_points) == (-6, 1)
    assert (of_budi.points, of_budi.best_points) == (6, 6)


def test_a_natural_that_was_played_on_is_left_on_the_table() -> None:
    """Rules `chinese-2-4`: a dragon takes 13 points from everybody. Ana holds one and plays on."""
    ana = hand("Ana", "QhKdAs / 7c8d9hTsJc / 2c3d4h5s6c", declare="play")
    budi = hand("Budi", "TcTd3h / 7s7d5d5h3c / KsKh4d4s2h")
    of_ana, _ = measured(ana, budi, rules=PRESETS["chinese-2-4"])
    assert of_ana.points < of_ana.best_points == 13
    assert of_ana.natural == "dragon"


def test_a_natural_that_was_shown_can_have_been_worth_more_played_on() -> None:
    """Rules `chinese-2-4`: six pairs take 3. Played on against Budi's weak rows they win all three: 3 + 1 = 4."""
    ana = hand("Ana", "9s9h8c / QsQdJhJc8d / AsAdKhKc2c")
    budi = hand("Budi", "7s6d3h / 4s4dTc9d2h / 5s5hKd6s7h")
    of_ana, _ = measured(ana, budi, rules=PRESETS["chinese-2-4"])
    assert (of_ana.points, of_ana.best_points, of_ana.natural) == (3, 4, "")


def test_a_surrender_can_have_been_the_best() -> None:
    """Rules `chinese-2-4`: a surrender costs 2, losing all three rows 4. Budi's hand beats anything Ana could lay."""
    ana = hand("Ana", "2c3d4h / 5s6c8d9hTs / 7c9cJdQh5d", declare="surrender")
    budi = hand("Budi", "AsAdAh / JsJhJc8s8h / KsKdKhQsQd")
    of_ana, _ = measured(ana, budi, rules=PRESETS["chinese-2-4"])
    assert (of_ana.points, of_ana.best_points) == (-2, -2)


# ---------------------------------------------------------------- the worth of cards


def test_cards_are_worth_the_same_against_each_opponent() -> None:
    """Whoever else holds what: three opponents bring three times what one brings."""
    ana = hand("Ana", "6h4c2s / QsQdJhJc8d / AsAdKhKc9s")
    budi, citra, dewi = the_others(ana, "Budi", "Citra", "Dewi")
    alone, among_four = measured(ana, budi)[0], measured(ana, budi, citra, dewi)[0]
    assert among_four.worth == pytest.approx(3 * alone.worth)


def test_a_natural_is_worth_its_points() -> None:
    """A dragon is 13 from each of three opponents, more than its two straights bring on average: 39."""
    rules = PRESETS["chinese-2-4"]
    ana = hand("Ana", "QhKdAs / 7c8d9hTsJc / 2c3d4h5s6c")
    others = the_others(ana, "Budi", "Citra", "Dewi")
    assert measure_round([ana, *others], rules)[0].worth == 39


def test_rows_in_words_cannot_be_measured() -> None:
    ana = hand("Ana", "6h4c2s / QsQdJhJc8d / AsAdKhKc9s")
    told = {"back": parse_told("pair 5", "back", POINTS)}
    budi = HandInput("Budi", parse_cards("8s7d2d"), parse_cards("3s3dTc7h2h"), told=told)
    assert measure_round([ana, budi], POINTS) == [None, None]


# ---------------------------------------------------------------- kept once a round


@pytest.fixture
def played(session: Session, score) -> Round:
    """The super of RULES 11, not reviewed yet."""
    return score()


def test_saving_a_round_reviews_nothing(played: Round) -> None:
    assert not HandReview.objects.exists()
    assert rounds_to_review(10) == [played]


def test_a_review_is_kept_for_each_hand(played: Round, ana: Player) -> None:
    """RULES 11: Ana's super is +66; the most that she could have had is not less."""
    review_round(played)
    reviews = HandReview.objects.filter(round=played)
    assert reviews.count() == 4
    of_ana = reviews.get(player=ana)
    assert (of_ana.points, of_ana.session, of_ana.club) == (66, played.session, played.session.club)
    assert of_ana.best_points >= 66
    assert of_ana.rules == rules_digest(played.ruleset_fields)
    for review in reviews:
        before, after = (
            sorted(parse_cards("".join(getattr(one, row) for row in ROWS))) for one in (review.hand, review)
        )
        assert before == after


def test_what_is_reviewed_is_left_alone(played: Round, django_assert_num_queries) -> None:
    assert list(catch_up(batch=5)) == [1]
    before = list(HandReview.objects.values())
    with django_assert_num_queries(1):
        assert list(catch_up(batch=5)) == []
    review_round(played)  # two at the same time
    assert list(HandReview.objects.values()) == before


def test_the_newest_rounds_come_first_and_batches_stay_small(score, django_assert_max_num_queries) -> None:
    rounds = [score() for _ in range(3)]
    with django_assert_max_num_queries(2):
        assert rounds_to_review(2) == [rounds[2], rounds[1]]
    assert list(catch_up(batch=2)) == [2, 1]


def test_a_voided_round_is_not_reviewed_and_a_restored_one_is(played: Round, rudi) -> None:
    ledger.void_round(played, rudi)
    assert rounds_to_review(10) == []
    ledger.restore_round(played, rudi)
    assert rounds_to_review(10) == [played]


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(["pair J / two pair Q 9 / full house A 2", "pair T / pair 8 / flush hati A K 9 8 6"], id="words"),
        pytest.param(["pao", "8s7d2d / 3s3dTc7h2h / 5s5hKdTh8c"], id="no-cards-of-one"),
    ],
)
def test_hands_without_cards_are_not_measured_but_done_with(hands, score, cast) -> None:
    round_ = score(*hands, players=cast[:2])
    assert list(catch_up(batch=5)) == [1]
    assert rounds_to_review(5) == []
    assert HandReview.objects.filter(hand__in=round_.hands.filter(back="")).count() == 0


def test_rules_that_no_longer_parse_are_passed_over(played: Round) -> None:
    Round.objects.filter(pk=played.pk).update(ruleset_fields={"of": "another version"})
    assert list(catch_up(batch=5)) == [1]
    assert not HandReview.objects.exists()


def test_the_command_catches_up_and_says_how_far_it_is(score) -> None:
    score()
    score()
    said = StringIO()
    call_command("review_rounds", stdout=said)
    assert said.getvalue().splitlines() == ["2 rounds", "2 rounds reviewed, none is left."]
    assert HandReview.objects.count() == 8


# ---------------------------------------------------------------- told on the page of the round


def test_the_page_of_a_round_tells_what_could_have_been(host: Client, played: Round) -> None:
    page = reverse("round", args=[played.pk])
    assert "What could have been" in host.get(page).content.decode()
    assert "instead of" not in host.get(page).content.decode()
    told = host.get(reverse("round-review", args=[played.pk])).content.decode()
    assert HandReview.objects.count() == 4
    assert told.count("Worth of the cards") == 4
    assert reverse("round-review", args=[played.pk]) in host.get(page).content.decode()


@pytest.mark.parametrize(
    ("natural", "best", "sentence"),
    [
        pytest.param("", "dragon", "The cards hold Dragon", id="missed"),
        pytest.param("dragon", "", "played on, these cards would have brought more", id="shown-too-soon"),
        pytest.param("dragon", "dragon", "", id="shown"),
    ],
)
def test_what_should_have_become_of_a_natural_is_told(
    host: Client, played: Round, ana: Player, natural: str, best: str, sentence: str
) -> None:
    review_round(played)
    played.hands.filter(player=ana).update(natural=natural)
    HandReview.objects.filter(player=ana).update(natural=best, best_points=700)
    told = host.get(reverse("round-review", args=[played.pk])).content.decode()
    assert sentence in told
    assert ("The cards hold" in told) == bool(best and not natural)


def test_the_review_is_worked_out_on_its_first_view_only(
    host: Client, played: Round, django_assert_max_num_queries
) -> None:
    page = reverse("round-review", args=[played.pk])
    host.get(page)
    with django_assert_max_num_queries(8):
        assert host.get(page).status_code == 200


def test_a_round_that_counts_for_nothing_has_no_review(host: Client, played: Round, rudi) -> None:
    ledger.void_round(played, rudi)
    assert host.get(reverse("round-review", args=[played.pk])).status_code == 302
    assert "What could have been" not in host.get(reverse("round", args=[played.pk])).content.decode()


def test_where_nothing_can_be_said_the_page_says_so(host: Client, score, cast) -> None:
    words = ["pair J / two pair Q 9 / full house A 2", "pair T / pair 8 / flush hati A K 9 8 6"]
    round_ = score(*words, players=cast[:2])
    told = host.get(reverse("round-review", args=[round_.pk]))
    assert told.status_code == 200
    assert "told in words" in told.content.decode()


def test_rules_that_no_longer_parse_break_no_page(host: Client, played: Round) -> None:
    review_round(played)
    Round.objects.filter(pk=played.pk).update(ruleset_fields={"of": "another version"})
    for name in ("round", "round-review"):
        assert host.get(reverse(name, args=[played.pk])).status_code == 200


# ---------------------------------------------------------------- luck and skill


@pytest.fixture
def history(session: Session, score, ana: Player, rudi) -> Session:
    """Three rounds of which the second was voided, with figures that are easy to add up (see the tests)."""
    figures = [(2.5, 4, 5), (50.0, 50, 50), (-1.0, -6, 1)]
    for worth, points, best in figures:
        round_ = score()
        review_round(round_)
        HandReview.objects.filter(round=round_, player=ana).update(worth=worth, points=points, best_points=best)
    ledger.void_round(session.rounds.get(number=2), rudi)
    return session


def test_the_luck_of_an_evening(history: Session, ana: Player) -> None:
    """Ana's cards were worth 2.5 and −1 points, 1.5 together; she won 4 and lost 6, −2 together, which is 3.5 less than
    their worth. As the cards lay she could have had 5 and 1: she left 1 + 7 = 8. The voided round counts for nothing.
    """
    (evening,) = luck_by_evening(ana)
    assert (evening.session, evening.date.isoformat()) == (history.pk, "2026-11-26")
    assert evening.luck == Luck(rounds=2, worth=1.5, points=-2, best=6)
    assert (evening.luck.made, evening.luck.left) == (-3.5, 8)
    assert added([evening, evening]) == Luck(4, 3.0, -4, 12)
    assert [(review.round.number, review.left) for review in costliest_hands(ana)] == [(3, 7), (1, 1)]


def test_rules_are_not_mixed_where_one_asks_for_some(history: Session, ana: Player) -> None:
    """The third round counted as if it had been played under other rules: only the first is left, 2.5 and 4 of 5."""
    HandReview.objects.filter(round__number=3).update(rules="another")
    digest = rules_digest(history.ruleset_fields)
    assert [one.luck for one in luck_by_evening(ana, Selection(rules=digest))] == [Luck(1, 2.5, 4, 5)]


def test_rounds_that_nobody_reviewed_are_told(history: Session, score, ana: Player) -> None:
    assert unreviewed_rounds(ana) == 0
    score()
    assert unreviewed_rounds(ana) == 1


def test_the_page_of_a_players_luck(host: Client, history: Session, ana: Player, django_assert_max_num_queries) -> None:
    page = reverse("player-luck", args=[ana.pk])
    with django_assert_max_num_queries(14):
        told = host.get(page).content.decode()
    assert "−3.5" in told
    assert reverse("round-review", args=[history.rounds.get(number=3).pk]) in told


def test_who_never_played_has_no_luck_yet(host: Client, club) -> None:
    newcomer = Player.objects.create(club=club, name="Eko")
    told = host.get(reverse("player-luck", args=[newcomer.pk]))
    assert told.status_code == 200
    assert '<svg class="chart"' not in told.content.decode()


def test_a_period_without_evenings_is_told(host: Client, history: Session, ana: Player) -> None:
    page = reverse("player-luck", args=[ana.pk])
    assert host.get(page, {"period": "days", "since": "2020-01-01", "until": "2020-12-31"}).status_code == 200
