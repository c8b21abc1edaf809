"""Rounds in the book: opened, entered, scored exactly once, voided, restored and taken back."""

import pytest

from scoring import ledger
from scoring.engine.rounds import RoundError
from scoring.engine.rules import parse_ruleset
from scoring.models import Entry, PairStake, Round, Seat
from tests.conftest import SUPER

# RULES 11, fourth example, 10.000 a point, 3 % room fee: Ana has three times 22 points, Citra loses 2 to Dewi as well.
SUPER_POINTS = [66, -22, -24, -20]
SUPER_TOTALS = [660_000 - 19_800, -220_000, -240_000, -200_000]


def totals_of(session, players):
    sums = ledger.totals(session)
    return [sums.get(player.pk, 0) for player in players]


# ---------------------------------------------------------------- opening


def test_round_is_opened_once(session, cast):
    first = ledger.open_round(session, cast)
    assert ledger.open_round(session, cast[:2]) == first
    assert [hand.player for hand in first.hands.all()] == cast


def test_rounds_are_numbered_in_order(score):
    assert [score().number, score().number] == [1, 2]


def test_number_of_a_discarded_round_is_used_again(session, cast):
    ledger.discard_round(ledger.open_round(session, cast))
    assert ledger.open_round(session, cast).number == 1


@pytest.mark.parametrize("places", [[0], [0, 1, 2, 3, 0], [1, 1]], ids=["one", "five", "one-twice"])
def test_round_of_no_two_to_four_players_is_refused(session, cast, places):
    with pytest.raises(ledger.LedgerError, match="Two, three or four"):
        ledger.open_round(session, [cast[place] for place in places])


def test_player_without_a_seat_is_refused(session, club, cast):
    eko = club.players.create(name="Eko")
    with pytest.raises(ledger.LedgerError, match="Eko has no seat"):
        ledger.open_round(session, [eko, cast[0]])


def test_closed_session_opens_no_round(session, cast, rudi):
    ledger.close_session(session, rudi)
    with pytest.raises(ledger.LedgerError, match="closed"):
        ledger.open_round(session, cast)


def test_reseating_keeps_what_was_typed(session, cast, lay):
    round_ = ledger.open_round(session, cast)
    lay(round_, SUPER)
    ledger.reseat_round(round_, [cast[3], cast[0]])
    assert [(hand.player.name, hand.back) for hand in round_.hands.order_by("position")] == [
        ("Dewi", "AdAc5d5cKc"),
        ("Ana", "9s9h9d9c2c"),
    ]


def test_scored_round_is_not_reseated(score, cast):
    with pytest.raises(ledger.LedgerError, match="Round 1 is scored already"):
        ledger.reseat_round(score(), cast[:2])


# ---------------------------------------------------------------- hands


def test_hand_is_kept_and_counted(session, cast):
    hand = ledger.open_round(session, cast).hands.get(position=0)
    kept = ledger.keep_hand(hand, {"back": "AsKs", "declare": ""}, 0)
    assert (kept.back, kept.version) == ("AsKs", 1)


def test_same_text_again_changes_nothing(session, cast):
    hand = ledger.open_round(session, cast).hands.get(position=0)
    ledger.keep_hand(hand, {"back": "AsKs"}, 0)
    assert ledger.keep_hand(hand, {"back": "AsKs"}, 0).version == 1


def test_hand_changed_on_another_device_is_not_overwritten(session, cast):
    hand = ledger.open_round(session, cast).hands.get(position=0)
    ledger.keep_hand(hand, {"back": "AsKs"}, 0, "phone 1")
    with pytest.raises(ledger.StaleError, match="Ana"):
        ledger.keep_hand(hand, {"back": "2s3s"}, 0, "phone 2")
    hand.refresh_from_db()
    assert hand.back == "AsKs"


def test_requests_of_one_page_may_overtake_each_other(session, cast):
    hand = ledger.open_round(session, cast).hands.get(position=0)
    ledger.keep_hand(hand, {"back": "AsKs"}, 0, "phone 1")
    assert ledger.keep_hand(hand, {"back": "AsKsQs"}, 0, "phone 1").back == "AsKsQs"


def test_hand_taken_out_of_the_round_is_refused(session, cast):
    round_ = ledger.open_round(session, cast)
    hand = round_.hands.get(player=cast[3])
    ledger.reseat_round(round_, cast[:3])
    with pytest.raises(ledger.StaleError, match="Dewi does not play in this round any more"):
        ledger.keep_hand(hand, {"back": "AsKs"}, 0)


@pytest.mark.parametrize(
    "write",
    [
        lambda round_, user: ledger.keep_hand(round_.hands.all()[0], {"back": "As"}, 0),
        lambda round_, user: ledger.record_round(round_, user),
        lambda round_, user: ledger.void_round(round_, user),
    ],
    ids=["keep", "score", "void"],
)
def test_round_discarded_meanwhile_is_told(session, cast, rudi, write):
    seen_by_another_page = Round.objects.prefetch_related("hands").get(pk=ledger.open_round(session, cast).pk)
    ledger.discard_round(seen_by_another_page)
    with pytest.raises(ledger.StaleError, match="Round 1 was discarded"):
        write(seen_by_another_page, rudi)


# ---------------------------------------------------------------- scoring


def test_round_is_scored_into_the_book(score, session, cast):
    round_ = score()
    assert round_.state == Round.State.SCORED
    assert [hand.points for hand in round_.hands.all()] == SUPER_POINTS
    assert totals_of(session, cast) == SUPER_TOTALS
    assert ledger.totals(session)[None] == round_.fee == 19_800


def test_every_entry_sums_to_zero_with_the_house(score, session, rudi):
    ledger.void_round(score(), rudi)
    for entry in session.entries.all():
        assert sum(line.amount for line in entry.lines.all()) == 0


def test_hands_are_kept_in_canonical_text(session, cast, rudi, lay):
    round_ = ledger.open_round(session, cast[:2])
    lay(round_, ("as ah,KD / qsqhqd7c7d / 9♠9♥9♦9♣2c", "Ks Qc Js / 5s5h4s3s8c / 10s10h6s6h2s"))
    ledger.record_round(round_, rudi)
    rows = [(hand.front, hand.middle, hand.back) for hand in round_.hands.all()]
    assert rows == [
        ("As Ah Kd", "Qs Qh Qd 7c 7d", "9s 9h 9d 9c 2c"),
        ("Ks Qc Js", "5s 5h 4s 3s 8c", "Ts Th 6s 6h 2s"),
    ]


def test_second_tap_on_score_returns_the_first_result(score, session, rudi):
    round_ = score()
    again = ledger.record_round(round_, rudi)
    assert again == round_
    assert session.entries.count() == 1
    assert round_.pair_scores.count() == 6


def test_what_cannot_be_scored_leaves_the_round_open(session, cast, rudi):
    round_ = ledger.open_round(session, cast)
    with pytest.raises(RoundError):
        ledger.record_round(round_, rudi)
    round_.refresh_from_db()
    assert round_.is_open
    assert not session.entries.exists()


def test_who_came_out_at_nought_has_a_line_and_who_sat_out_has_none(session, cast, score):
    round_ = score("pao", "pao", "pao", players=cast[:3])
    amounts = {line.player_id: line.amount for line in round_.entries.get().lines.all()}
    assert amounts == {player.pk: 0 for player in cast[:3]}


def test_round_keeps_the_terms_it_was_played_under(score, session):
    round_ = score()
    session.ruleset = parse_ruleset("points")
    session.stake = 1
    session.save()
    round_.refresh_from_db()
    assert round_.ruleset == parse_ruleset("capsa")
    assert round_.stake == 10_000


def test_pair_has_its_own_stake(score, session, club, cast):
    ana, budi = cast[:2]
    PairStake.objects.create(session=session, club=club, a=ana, b=budi, stake=500)
    round_ = score()
    money = {(pair.a.name, pair.b.name): pair.money for pair in round_.pair_scores.all()}
    assert money["Ana", "Budi"] == 22 * 500
    assert money["Ana", "Citra"] == 22 * 10_000


def test_stake_of_a_pair_that_sits_out_is_no_matter(score, session, club, cast):
    PairStake.objects.create(session=session, club=club, a=cast[2], b=cast[3], stake=500)
    assert score(*SUPER[:2], players=cast[:2]).state == Round.State.SCORED


def test_fee_is_exact_in_decimals(score, session, cast):
    session.ruleset = parse_ruleset({"preset": "capsa", "room_fee_percent": "2.3"})
    session.stake = 3_000
    session.save()
    # Ana wins the middle and the back: one point.
    score("2s3h5d / 9s9h4d7cKc / TsThTd2c3d", "AsQdJc / 6s6h4c7hKs / 8s8h8d3c5s", players=cast[:2])
    assert totals_of(session, cast[:2]) == [3_000 - 69, -3_000]


# ---------------------------------------------------------------- amounts of 64 bits


def test_largest_stake_is_scored_exactly(score, session, cast):
    session.stake = 10**12
    session.save()
    score()
    assert totals_of(session, cast)[1:] == [points * 10**12 for points in SUPER_POINTS[1:]]
    assert ledger.totals(session)[None] == 66 * 10**12 * 3 // 100


def test_amount_beyond_the_book_is_refused(session, cast, rudi, lay):
    session.stake = 10**16
    session.save()
    round_ = ledger.open_round(session, cast)
    lay(round_, SUPER)
    with pytest.raises(ledger.LedgerError, match="too large for the book"):
        ledger.record_round(round_, rudi)
    round_.refresh_from_db()
    assert round_.is_open


def test_sum_beyond_the_book_is_refused(score, session):
    session.stake = ledger.LARGEST_TOTAL // 100
    session.save()
    score()
    with pytest.raises(ledger.LedgerError, match="too large for the book"):
        score()


# ---------------------------------------------------------------- void, restore, take back


def test_voided_round_counts_no_more_and_stays(score, session, cast, rudi):
    round_ = ledger.void_round(score(), rudi, "wrong cards")
    assert totals_of(session, cast) == [0, 0, 0, 0]
    assert (round_.state, round_.void_reason, round_.voided_by) == (Round.State.VOIDED, "wrong cards", rudi)
    reversal = session.entries.get(kind=Entry.Kind.REVERSAL)
    assert (reversal.note, reversal.created_by, reversal.reverses.round) == ("wrong cards", rudi, round_)


def test_voiding_twice_counts_once(score, session, cast, rudi):
    round_ = score()
    ledger.void_round(round_, rudi, "first")
    again = ledger.void_round(round_, rudi, "second")
    assert again.void_reason == "first"
    assert session.entries.count() == 2
    assert totals_of(session, cast) == [0, 0, 0, 0]


def test_restored_round_counts_again(score, session, cast, rudi):
    round_ = score()
    ledger.void_round(round_, rudi, "slip")
    restored = ledger.restore_round(round_, rudi)
    assert (restored.state, restored.voided_at, restored.void_reason) == (Round.State.SCORED, None, "")
    assert totals_of(session, cast) == SUPER_TOTALS
    ledger.restore_round(round_, rudi)
    assert session.entries.count() == 3


def test_round_may_be_voided_and_restored_many_times(score, session, cast, rudi):
    round_ = score()
    for _time in range(3):
        ledger.void_round(round_, rudi)
        assert totals_of(session, cast) == [0, 0, 0, 0]
        ledger.restore_round(round_, rudi)
        assert totals_of(session, cast) == SUPER_TOTALS
    # Every entry is reversed by the next one, none twice.
    assert [entry.reverses for entry in session.entries.all()] == [None, *list(session.entries.all())[:-1]]


@pytest.mark.parametrize("write", [ledger.void_round, ledger.restore_round], ids=["void", "restore"])
def test_open_round_is_neither_voided_nor_restored(session, cast, rudi, write):
    with pytest.raises(ledger.LedgerError, match="not scored yet"):
        write(ledger.open_round(session, cast), rudi)


def test_closed_session_voids_nothing(score, session, rudi):
    round_ = score()
    ledger.close_session(session, rudi)
    with pytest.raises(ledger.LedgerError, match="closed"):
        ledger.void_round(round_, rudi)


def test_taken_back_round_lies_open_again(score, session, cast, rudi):
    round_ = score()
    again = ledger.take_back_round(round_, rudi)
    assert again.is_open and again.number == 2
    assert [hand.back for hand in again.hands.all()] == [hand.back for hand in round_.hands.all()]
    assert totals_of(session, cast) == [0, 0, 0, 0]
    assert ledger.take_back_round(round_, rudi) == again


def test_a_page_that_is_out_of_date_takes_nothing_back_twice(score, session, cast, rudi):
    round_ = score()
    again = ledger.take_back_round(round_, rudi)
    ledger.record_round(again, rudi)
    with pytest.raises(ledger.LedgerError, match="Round 1 is voided already"):
        ledger.take_back_round(round_, rudi)
    assert totals_of(session, cast)[0] == 640_200
    assert not session.rounds.filter(state="open").exists()


def test_taking_back_leaves_hands_alone_that_were_touched(score, session, cast, rudi):
    round_ = score()
    other = ledger.open_round(session, cast)
    ledger.keep_hand(other.hands.get(position=0), {"back": "2s"}, 0)
    assert ledger.take_back_round(round_, rudi) == other
    assert other.hands.get(position=0).back == "2s"


# ---------------------------------------------------------------- versions


def test_every_write_is_counted_once(score, session, cast, rudi):
    def version():
        session.refresh_from_db()
        return session.version

    round_ = score()  # open, four hands, score
    assert version() == 6
    ledger.void_round(round_, rudi)
    assert version() == 7
    ledger.void_round(round_, rudi)
    assert version() == 7
    ledger.discard_round(round_)
    assert version() == 7


def test_scoring_takes_as_many_queries_in_a_long_evening(
    score, session, cast, lay, rudi, django_assert_max_num_queries
):
    for _round in range(3):
        score()
    round_ = ledger.open_round(session, cast)
    lay(round_, SUPER)
    with django_assert_max_num_queries(15):
        ledger.record_round(round_, rudi)


def test_seat_that_was_left_still_has_its_rounds(score, session, cast):
    score()
    Seat.objects.filter(session=session, player=cast[3]).update(left_at="2026-11-26T22:00:00Z")
    assert totals_of(session, cast)[3] == -200_000


def test_a_voided_round_that_does_not_fit_the_book_any_more_stays_out(score, rudi, session, monkeypatch):
    voided = ledger.void_round(score(), rudi)
    score()
    monkeypatch.setattr("scoring.ledger.booking.LARGEST_TOTAL", 1_000_000)
    with pytest.raises(ledger.LedgerError, match="too large for the book"):
        ledger.restore_round(voided, rudi)
    voided.refresh_from_db()
    assert voided.is_voided
