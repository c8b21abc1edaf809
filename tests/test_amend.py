"""Corrections in the book: the wrong version is reversed and stays, the right one counts."""

import uuid

import pytest

from scoring import ledger
from scoring.engine.rounds import RoundError
from scoring.engine.rules import parse_ruleset
from scoring.models import Change, Entry, PairStake, Round, Seat

SUPER_TOTALS = [660_000 - 19_800, -220_000, -240_000, -200_000]


@pytest.fixture
def wrong(score):
    return score()


@pytest.fixture
def amend(rudi):
    """Correct a round: `amend(round_, {player: {"front": …}})` changes only what is named."""

    def amend(round_, changes=(), reason="misread", **terms):
        hands = {
            player: {**fields, **dict(changes).get(player, {})} for player, fields in ledger.hands_of(round_).items()
        }
        return ledger.amend_round(round_, rudi, reason, hands, **terms)

    return amend


def totals_of(session, players):
    sums = ledger.totals(session)
    return [sums.get(player.pk, 0) for player in players]


def points_of(round_):
    return {hand.player.name: hand.points for hand in round_.hands.select_related("player")}


# ---------------------------------------------------------------- what it does


def test_corrected_round_counts_and_the_old_one_stays(wrong, amend, session, cast, budi, rudi):
    new = amend(wrong, {budi: {"declare": "pao"}})
    wrong.refresh_from_db()
    assert (wrong.state, wrong.voided_by, wrong.void_reason) == (Round.State.AMENDED, rudi, "misread")
    assert (new.number, new.replaces, new.state) == (1, wrong, Round.State.SCORED)
    assert points_of(wrong)["Ana"] == 66
    nets = [hand.net for hand in new.hands.all()]
    assert totals_of(session, cast) == nets != SUPER_TOTALS


def test_entries_reverse_and_renew(wrong, amend, session):
    new = amend(wrong, {})
    first, reversal, second = session.entries.all()
    assert (first.round, reversal.reverses, reversal.round) == (wrong, first, wrong)
    assert (second.kind, second.round, reversal.note) == (Entry.Kind.ROUND, new, "misread")
    assert all(sum(line.amount for line in entry.lines.all()) == 0 for entry in session.entries.all())


def test_correction_keeps_the_terms_of_the_round(wrong, amend, session, club, ana, budi):
    PairStake.objects.create(session=session, club=club, a=ana, b=budi, stake=1)
    session.ruleset = parse_ruleset("points")
    session.stake = 1
    session.save()
    new = amend(wrong)
    assert (new.stake, new.ruleset) == (10_000, parse_ruleset("capsa"))
    assert {pair.stake for pair in new.pair_scores.all()} == {10_000}


def test_correction_keeps_the_stakes_of_pairs(session, club, score, amend, ana, budi):
    own = PairStake.objects.create(session=session, club=club, a=ana, b=budi, stake=500)
    round_ = score()
    own.delete()
    stakes = [pair.stake for pair in amend(round_).pair_scores.all()]
    assert stakes == [500, *[10_000] * 5]


def test_past_may_be_priced_anew(wrong, amend, ana, budi):
    terms = {"stake": 1, "stakes": {frozenset((ana.pk, budi.pk)): 7}}
    new = amend(wrong, ruleset_fields=parse_ruleset({"preset": "capsa", "room_fee_percent": 0}).as_dict(), **terms)
    assert [pair.stake for pair in new.pair_scores.all()] == [7, 1, 1, 1, 1, 1]
    assert (new.stake, new.fee) == (1, 0)


def test_time_and_scorer_of_the_round_stay(wrong, amend, siti):
    new = ledger.amend_round(wrong, siti, "misread")
    assert (new.scored_at, new.scored_by, new.opened_at) == (wrong.scored_at, wrong.scored_by, wrong.opened_at)


def test_seats_are_corrected(wrong, session, club, cast, amend, rudi):
    eko = club.players.create(name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=4)
    laid = ledger.hands_of(wrong)
    hands = {cast[0]: laid[cast[0]], eko: laid[cast[1]]}
    new = ledger.amend_round(wrong, rudi, "Eko played", hands)
    assert [(hand.player.name, hand.position) for hand in new.hands.all()] == [("Ana", 0), ("Eko", 1)]
    assert totals_of(session, cast)[1:] == [0, 0, 0]


def test_later_rounds_and_numbers_are_left_alone(score, amend, budi, session):
    first, second = score(), score()
    amend(first, {budi: {"declare": "pao"}})
    second.refresh_from_db()
    assert (second.number, second.state) == (2, Round.State.SCORED)
    assert score().number == 3
    assert [round_.number for round_ in session.rounds.current()] == [3, 2, 1]


def test_preview_tells_the_same_and_writes_nothing(wrong, amend, session, rudi, budi):
    hands = {player: dict(fields) for player, fields in ledger.hands_of(wrong).items()}
    hands[budi]["declare"] = "pao"
    preview = ledger.preview_amendment(wrong, hands)
    assert session.entries.count() == 1 and session.rounds.count() == 1
    new = ledger.amend_round(wrong, rudi, "PAO", hands)
    assert [hand.net for hand in new.hands.all()] == [player.net for player in preview.players]


def test_correction_of_a_correction(wrong, amend, budi, session, cast):
    second = amend(wrong, {budi: {"declare": "pao"}})
    third = amend(second, {budi: {"declare": ""}})
    assert (third.replaces, second.replaces) == (second, wrong)
    assert totals_of(session, cast) == SUPER_TOTALS
    wrong.refresh_from_db()
    assert wrong.newest == third


# ---------------------------------------------------------------- exactly once


def test_same_form_sent_twice_is_one_correction(wrong, amend, session):
    key = uuid.uuid4()
    assert amend(wrong, key=key) == amend(wrong, key=key)
    assert session.entries.count() == 3


def test_somebody_elses_correction_is_not_overwritten(wrong, amend, budi, session):
    current = amend(wrong, {budi: {"declare": "pao"}})
    with pytest.raises(ledger.AmendedError, match="Round 1 was corrected meanwhile") as refused:
        amend(wrong, key=uuid.uuid4())
    assert refused.value.current == current
    assert session.entries.count() == 3


@pytest.mark.parametrize(
    "write",
    [ledger.void_round, ledger.restore_round, ledger.take_back_round, ledger.amend_round],
    ids=["void", "restore", "take back", "amend"],
)
def test_old_version_is_not_touched_any_more(wrong, amend, rudi, session, write):
    current = amend(wrong)
    with pytest.raises(ledger.AmendedError) as refused:
        write(wrong, rudi)
    assert refused.value.current == current
    assert session.entries.count() == 3


def test_corrected_round_is_voided_and_restored(wrong, amend, rudi, session, cast):
    new = amend(wrong)
    ledger.void_round(new, rudi)
    assert totals_of(session, cast) == [0, 0, 0, 0]
    ledger.restore_round(new, rudi)
    assert totals_of(session, cast) == SUPER_TOTALS


# ---------------------------------------------------------------- undo


def test_correction_is_undone_by_another_one(wrong, amend, budi, rudi, session, cast):
    new = amend(wrong, {budi: {"declare": "pao"}}, stake=500)
    back = ledger.bring_back(wrong, new, rudi, "was right")
    assert (back.replaces, back.stake) == (new, 10_000)
    assert totals_of(session, cast) == SUPER_TOTALS
    assert ledger.bring_back(wrong, new, rudi) == back
    assert session.rounds.count() == 3


def test_undo_of_what_was_corrected_again_is_refused(wrong, amend, rudi):
    second = amend(wrong)
    third = amend(second)
    with pytest.raises(ledger.AmendedError) as refused:
        ledger.bring_back(wrong, second, rudi)
    assert refused.value.current == third


def test_only_an_older_version_is_brought_back(score, amend, rudi):
    first, second = score(), score()
    current = amend(first)
    for older in (second, current):
        with pytest.raises(ledger.LedgerError, match="no older version"):
            ledger.bring_back(older, current, rudi)


# ---------------------------------------------------------------- refused


def test_open_round_is_not_corrected(session, cast, rudi):
    with pytest.raises(ledger.LedgerError, match="not scored yet"):
        ledger.amend_round(ledger.open_round(session, cast), rudi)


def test_voided_round_is_restored_first(wrong, amend, rudi):
    ledger.void_round(wrong, rudi)
    with pytest.raises(ledger.LedgerError, match="Restore it first"):
        amend(wrong)


def test_closed_session_is_not_corrected(wrong, amend, session, rudi):
    ledger.close_session(session, rudi)
    with pytest.raises(ledger.LedgerError, match="closed"):
        amend(wrong)


def test_card_that_two_hands_hold_is_refused(wrong, amend, session, budi):
    with pytest.raises(RoundError):
        amend(wrong, {budi: {"front": "AsQcJs"}})
    wrong.refresh_from_db()
    assert wrong.state == Round.State.SCORED and session.entries.count() == 1


def test_amount_beyond_the_book_is_refused(wrong, amend, session):
    with pytest.raises(ledger.LedgerError, match="too large for the book"):
        amend(wrong, stake=10**16)
    wrong.refresh_from_db()
    assert wrong.state == Round.State.SCORED and session.entries.count() == 1


def test_amounts_of_the_old_version_do_not_count_against_the_new(score, amend, session):
    session.stake = ledger.LARGEST_TOTAL // 100
    session.save()
    round_ = score()
    assert amend(round_).state == Round.State.SCORED


@pytest.mark.parametrize("places", [[0], []], ids=["one", "none"])
def test_two_to_four_players_hold_cards(wrong, rudi, cast, places):
    laid = ledger.hands_of(wrong)
    with pytest.raises(ledger.LedgerError, match="Two, three or four"):
        ledger.amend_round(wrong, rudi, "", {cast[place]: laid[cast[place]] for place in places})


def test_player_without_a_seat_is_refused(wrong, rudi, club, cast):
    eko = club.players.create(name="Eko")
    laid = ledger.hands_of(wrong)
    with pytest.raises(ledger.LedgerError, match="Eko has no seat"):
        ledger.amend_round(wrong, rudi, "", {cast[0]: laid[cast[0]], eko: laid[cast[1]]})


def test_who_left_the_evening_stays_in_his_old_rounds(wrong, amend, session, budi, dewi):
    Seat.objects.filter(session=session, player=dewi).update(left_at="2026-11-26T22:00:00Z")
    assert "Dewi" in points_of(amend(wrong, {budi: {"declare": "pao"}}))


# ---------------------------------------------------------------- the change log


def test_change_log_tells_what_was_done_to_rounds(wrong, amend, budi, rudi, session):
    new = amend(wrong, {budi: {"declare": "pao"}})
    ledger.void_round(new, rudi, "all wrong")
    ledger.restore_round(new, rudi)
    ledger.take_back_round(new, rudi)
    log = session.changes.filter(kind=Change.Kind.ROUND).order_by("pk")
    assert [change.action for change in log] == ["scored", "amended", "voided", "restored", "taken back"]
    scored, amended, voided, restored, taken_back = log
    assert scored.old is None
    assert scored.new == {
        "number": 1,
        "currency": "IDR",
        "nets": dict(zip(("Ana", "Budi", "Citra", "Dewi"), SUPER_TOTALS, strict=True)),
    }
    assert (amended.old, amended.new["reason"]) == (scored.new, "misread")
    assert amended.new["nets"] == {hand.player.name: hand.net for hand in new.hands.all()}
    assert (voided.old["nets"], voided.new["nets"], voided.new["reason"]) == (amended.new["nets"], None, "all wrong")
    assert (restored.old, restored.new) == (None, amended.old | {"nets": amended.new["nets"]})
    assert taken_back.old["nets"] == amended.new["nets"]
    assert {change.created_by for change in log} == {rudi}


def test_correcting_takes_as_many_queries_in_a_long_evening(score, amend, django_assert_max_num_queries):
    for _round in range(3):
        round_ = score()
    with django_assert_max_num_queries(24):
        amend(round_)
