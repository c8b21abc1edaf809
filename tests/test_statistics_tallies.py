"""What evenings add up to, against the paper of `tests.past`."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.models import Club, PairTally, PlayedRuleset, Round, Session, Tally
from scoring.statistics.selection import Selection
from scoring.statistics.sums import ClubSums
from tests.conftest import SUPER
from tests.past import Past, play_past

NOT_FIGURES = {"id", "session", "club", "date", "currency", "player", "a", "b", "rules"}


@pytest.fixture
def past(club, cast, rudi) -> Past:
    return play_past(club, cast, rudi)


def figures(tally: Tally | PairTally) -> dict[str, float]:
    """What a tally says, without what is nought."""
    names = [field.name for field in tally._meta.fields if field.name not in NOT_FIGURES]
    return {name: getattr(tally, name) for name in names if getattr(tally, name)}


def test_the_tally_of_a_player(past, ana):
    """The first evening, Ana: rounds of 7, 18, −16 and 0 points are 9 in all, their squares 49 + 324 + 256 = 629.

    Front: two of the 1st round and both of the 2nd won, that of the 3rd lost, that of the 4th tied. Middle: 2 + 2 + 1
    won, 1 lost. Back: 1 + 2 won; one of the 1st, those of the 3rd and of the 4th lost. A dragon has no rows.
    Tembus given: Budi in the 1st, Citra in the 2nd; Budi's PAO is none. Taken: by Budi in the 3rd, whose bonus cost 4.
    """
    assert figures(past.first.tallies.get(player=ana)) == {
        "rounds": 4,
        "won": 2,
        "lost": 1,
        "points": 9,
        "points_squared": 629,
        "money": 9_000,
        "fee": 2_500,
        "best_round": 18,
        "worst_round": -16,
        "front_won": 4,
        "front_tied": 1,
        "front_lost": 1,
        "middle_won": 5,
        "middle_lost": 1,
        "back_won": 3,
        "back_lost": 3,
        "tembus_given": 2,
        "tembus_taken": 1,
        "supers": 1,
        "bonus_paid": 4,
        "wins_longest": 2,
        "losses_longest": 1,
    }


def test_the_tally_of_one_with_a_pao_and_of_one_with_a_natural(past, budi, citra):
    """Budi: −12, −15, 4 and 0, a PAO, which loses three rows to each; a bonus of 4. Citra: 5, −3 and 12, a dragon."""
    one, other = (past.first.tallies.get(player=player) for player in (budi, citra))
    assert (one.points, one.paos, one.naturals, one.bonus_won, one.fee) == (-23, 1, 0, 4, 400)
    assert (one.front_won, one.front_tied, one.front_lost) == (1, 1, 4)
    assert (one.losses_longest, one.wins_longest) == (2, 1)
    assert (other.points, other.paos, other.naturals, other.fee) == (14, 0, 1, 1_700)
    assert (other.tembus_given, other.tembus_taken) == (1, 1)


def test_the_fee_of_the_evening_stands_apart(past, ana, budi):
    """A tenth of the 10,000 that the second evening brought Ana."""
    assert past.second.tallies.get(player=ana).closing_fee == 1_000
    assert past.second.tallies.get(player=budi).closing_fee == 0


def test_the_tally_of_a_pair(past, ana, budi, citra):
    """The first evening, Ana against Budi: 6 + 9 − 10 + 0 = 5 points; rows won 3 + 3 + 0 + 1, lost 0 + 0 + 3 + 1, one
    tied. Ana against Citra: 1 + 9 − 6 = 4; rows 2 + 3 won, 1 lost."""
    pairs = past.first.pair_tallies
    assert figures(pairs.get(a=ana, b=budi)) == {
        "rounds": 4,
        "points": 5,
        "money": 5_000,
        "rows_won": 7,
        "rows_tied": 1,
        "rows_lost": 4,
        "tembus_given": 1,
        "tembus_taken": 1,
    }
    assert figures(pairs.get(a=ana, b=citra)) == {
        "rounds": 3,
        "points": 4,
        "money": 4_000,
        "rows_won": 5,
        "rows_lost": 1,
        "tembus_given": 1,
    }


def test_a_pair_is_one_whichever_way_it_sat(session, cast, score, rudi, ana, budi):
    score(*SUPER[:2], players=[budi, ana])
    score(*SUPER[:2], players=[ana, budi])
    ledger.close_session(session, rudi)
    pair = session.pair_tallies.get()
    assert (pair.a, pair.b, pair.rounds, pair.points) == (ana, budi, 2, 0)


def test_nothing_is_kept_of_an_evening_that_runs(past):
    assert not past.third.tallies.exists()
    assert not past.third.pair_tallies.exists()


def test_reopening_forgets_and_closing_counts_anew(past, ana, rudi):
    ledger.reopen_session(past.first, rudi)
    assert not past.first.tallies.exists()
    assert not past.first.pair_tallies.exists()
    ledger.restore_round(past.first.rounds.get(number=5), rudi)
    ledger.close_session(past.first, rudi)
    assert past.first.tallies.get(player=ana).points == 16


def test_a_corrected_round_counts_once(past, rudi, ana, budi):
    ledger.reopen_session(past.second, rudi)
    round_ = past.second.rounds.get(number=2)
    hands = {
        hand.player: {"front": hand.front, "middle": hand.middle, "back": hand.back} for hand in round_.hands.all()
    }
    hands[budi]["back"] = "straight 10"
    ledger.amend_round(round_, rudi, "Misread", hands)
    ledger.close_session(past.second, rudi)
    tally = past.second.tallies.get(player=ana)
    assert (tally.rounds, tally.points) == (2, 0)


def test_two_rulesets_in_one_evening_are_told_apart(past, rudi, ana):
    """The fee of the evening stands with the rules of the last round."""
    ledger.reopen_session(past.second, rudi)
    Session.objects.filter(pk=past.second.pk).update(ruleset_fields=past.first.ruleset_fields)
    hands = ledger.open_round(past.second, [ana, past.second.seats.exclude(player=ana).get().player]).hands.all()
    for hand, declare in zip(hands, ("pao", "pao"), strict=True):
        ledger.keep_hand(hand, {"declare": declare}, hand.version)
    ledger.record_round(Round.objects.get(session=past.second, state="open"), rudi)
    ledger.close_session(past.second, rudi)
    rounds = past.second.tallies.filter(player=ana).order_by("pk").values_list("rounds", "points", "paos")
    assert list(rounds) == [(2, 5, 0), (1, 0, 1)]


def test_a_room_fee_makes_no_other_rules(past):
    """HOUSE_RULES of the first and PLAIN_RULES of the second evening."""
    assert PlayedRuleset.objects.count() == 2
    fields = dict(past.first.ruleset_fields)
    assert ledger.rules_digest(fields) == ledger.rules_digest(fields | {"room_fee_percent": 2})
    assert ledger.rules_digest(fields) != ledger.rules_digest(fields | {"row_points": 2})


def test_tallies_are_rebuilt_as_they_were(past):
    before = [sorted(map(str, map(figures, model.objects.all()))) for model in (Tally, PairTally)]
    Tally.objects.all().delete()
    PairTally.objects.filter(session=past.first).update(points=99)
    ledger.rebuild_tallies(Session.objects.values_list("pk", flat=True))
    assert [sorted(map(str, map(figures, model.objects.all()))) for model in (Tally, PairTally)] == before


def test_the_command_tallies_closed_evenings_anew(past):
    Tally.objects.update(points=99)
    out = StringIO()
    call_command("rebuild_tallies", stdout=out)
    assert out.getvalue() == "2 closed evenings are tallied.\n"
    assert not audit_ledger().faults


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        pytest.param(
            lambda: Tally.objects.filter(points=9).update(won=3), "the tally of player .* is kept as", id="sum"
        ),
        pytest.param(lambda: PairTally.objects.update(tembus_taken=9), "player .* and player .* is kept as", id="pair"),
        pytest.param(
            lambda: Tally.objects.filter(points=9).delete(), "the tally of player .* is missing", id="missing"
        ),
        pytest.param(lambda: Round.objects.update(state="voided"), "with no round there", id="too-many"),
        pytest.param(lambda: Session.objects.update(closed_at=None), "is open, but tally .* is kept of it", id="open"),
    ],
)
def test_the_audit_finds_a_tally_that_disagrees(past, damage, complaint):
    assert not audit_ledger().faults
    damage()
    assert re.search(complaint, "\n".join(map(str, audit_ledger().faults)))


def test_what_is_not_tallied_is_counted_from_its_rounds(club, past):
    """The sums are the same whether the tallies of closed evenings are kept or not."""
    kept = sums(club)
    Tally.objects.all().delete()
    PairTally.objects.all().delete()
    assert sums(club) == kept


def test_a_round_that_is_scored_while_it_is_counted_waits_for_the_next_time(past, monkeypatch, rudi, ana, budi):
    """The page of a running evening reads rounds first, then hands and pairs; nobody holds the evening meanwhile."""
    count_rounds = ledger.TallyCount._count_rounds

    def count_and_score(self, sessions):
        count_rounds(self, sessions)
        hands = ledger.open_round(past.third, [ana, budi]).hands.all()
        for hand in hands:
            ledger.keep_hand(hand, {"declare": "pao"}, hand.version)
        ledger.record_round(Round.objects.get(session=past.third, state="open"), rudi)

    monkeypatch.setattr(ledger.TallyCount, "_count_rounds", count_and_score)
    count = ledger.TallyCount([past.third.pk])
    assert {tally.rounds for tally in count.tallies} | {pair.rounds for pair in count.pairs} == {1}


def test_sums_over_all_evenings(club, past, ana, budi):
    """Ana: 9 + 5 + 7 points in 4 + 2 + 1 rounds; against Budi 5 + 5 + 6."""
    tally, evenings = ClubSums(club).players()[ana.pk, "IDR"]
    assert (tally.points, tally.rounds, evenings) == (21, 7, 3)
    assert ClubSums(club).pairs()[ana.pk, budi.pk, "IDR"].points == 16


def test_sums_of_a_period_and_of_rules(club, past, ana):
    house = ledger.rules_digest(past.first.ruleset_fields)
    day = past.second.date
    for selection, points in (
        (Selection(rules=house), 16),
        (Selection(since=day), 12),
        (Selection(until=day), 14),
        (Selection(since=day, until=day), 5),
        (Selection(since=day, rules=house), 7),
    ):
        assert ClubSums(club, selection).players()[ana.pk, "IDR"].tally.points == points
    assert ClubSums(club, Selection(since=day, until=day, rules=house)).players() == {}


def test_two_currencies_are_never_added(club, past, session, score, ana):
    Session.objects.filter(pk=session.pk).update(currency="SGD")
    score()
    assert set(ClubSums(club).players()) >= {(ana.pk, "IDR"), (ana.pk, "SGD")}


def sums(club: Club) -> list[object]:
    all_of = ClubSums(club)
    players = {key: (figures(one.tally), one.evenings) for key, one in all_of.players().items()}
    pairs = {key: figures(pair) for key, pair in all_of.pairs().items()}
    alone = [ClubSums(club, player=player).evenings() for player in club.players.all()]
    return [players, pairs, alone]
