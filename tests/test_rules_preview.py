"""Rules and stakes that change in an evening with scored rounds: shown first, round by round, then as the host says."""

import re
from html import unescape

import pytest
from django.db import transaction
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.forms.rules import RulesForm
from scoring.ledger.book import lock_session
from scoring.models import Change, PairStake, Round
from scoring.rescoring import SHOWN, as_ranges
from tests.test_session_settings import drawn
from tests.torture.scene import play

# Ana wins the front, Budi middle and back; nobody sweeps and no row carries a bonus.
PLAIN = ("KsQcJs / 3h3d4h6d8d / TsTh6s6h2s", "Jd9c7h / 5s5h4s3s8c / JhJc4d4c2h")


@pytest.fixture
def url(session) -> str:
    return reverse("session-rules", args=[session.pk])


@pytest.fixture
def rules(session):
    """The form of the rules as the browser sends it, with changes: `rules(row_points="2")`."""

    def rules(**changes):
        session.refresh_from_db()
        form = RulesForm.of(session.ruleset, session.preset, session.ruleset)
        return {**form.data, **{name.replace("__", "-"): value for name, value in changes.items()}}

    return rules


@pytest.fixture
def answer():
    """What the browser sends from the page that asks: all that travels in it, and what the host chose."""

    def answer(response, **chosen):
        text = response.content.decode()
        form = text[text.index('id="terms"') :]
        form = form[: form.index("</form>")]
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        sent = {name: unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"}
        return {**sent, "again_from": sent["shown_from"], **chosen}

    return answer


def nets(session, number=1):
    round_ = session.rounds.current().get(number=number)
    return [hand.net for hand in round_.hands.order_by("position")]


def test_without_scored_rounds_nothing_is_asked(host, url, rules, session, cast) -> None:
    ledger.open_round(session, cast)
    assertRedirects(host.post(url, rules(row_points="2")), url)


def test_a_change_that_changes_no_round_is_saved_at_once(host, url, rules, session, score) -> None:
    score()
    assertRedirects(host.post(url, rules(surrender_points="3")), url)
    session.refresh_from_db()
    assert session.ruleset.surrender_points == 3


def test_it_asks_before_anything_is_written(host, url, rules, session, score) -> None:
    score()
    before = (session.ruleset_fields, nets(session), Change.objects.count())
    response = host.post(url, rules(super_multiplier="8"))
    assertContains(response, "Nothing is saved yet.")
    assertContains(response, "Only from round 2 on")
    session.refresh_from_db()
    assert (session.ruleset_fields, nets(session), Change.objects.count()) == before


def test_it_shows_each_round_before_and_after(host, url, rules, session, score, cast) -> None:
    score(*PLAIN, players=cast[:2])
    score()
    response = host.post(url, rules(super_multiplier="8"))
    preview = response.context["preview"]
    assert preview.unchanged == [1]
    [(changed, outcomes)] = preview.changed
    assert changed.round.number == 2
    assert [(each.points, each.new_points) for each in outcomes if each.player] == [
        (66, 102),
        (-22, -34),
        (-24, -36),
        (-20, -32),
    ]
    ana = outcomes[0]
    assert (ana.money, ana.new_money) == (640_200, 989_400)
    assert (outcomes[-1].player, outcomes[-1].money, outcomes[-1].new_money) == (None, 19_800, 30_600)
    assertContains(response, "1 round would come to the same")
    totals = {each.player: each.new_money - each.money for each in preview.totals()}
    assert totals == {each.player: each.new_money - each.money for each in outcomes}


def test_by_default_the_past_stays(host, url, rules, session, score, answer) -> None:
    first = score()
    asked = host.post(url, rules(super_multiplier="8"))
    assertContains(asked, 'value="stay" checked')
    assertRedirects(host.post(url, answer(asked, scored="stay")), url)
    second = score()
    assert first.hands.get(position=0).points == 66
    assert second.hands.get(position=0).points == 102
    assert session.rounds.count() == 2


def test_rounds_are_scored_again_where_the_host_says_so(host, url, rules, session, score, answer, cast) -> None:
    score(*PLAIN, players=cast[:2])
    score()
    asked = host.post(url, rules(super_multiplier="8"))
    response = host.post(url, answer(asked, scored="again"), follow=True)
    assertContains(response, "The rules are saved. 1 round was scored again.")
    assert nets(session, 2) == [989_400, -340_000, -360_000, -320_000]
    older, newer = session.rounds.filter(number=2).order_by("pk")
    assert (older.state, older.void_reason, newer.replaces) == (Round.State.AMENDED, "House rules changed", older)
    assert newer.ruleset.super_multiplier == 8
    assert session.rounds.filter(number=1).count() == 1
    assert list(Change.objects.order_by("pk").values_list("kind", "action"))[-3:] == [
        ("rules", "changed"),
        ("rules", "rescored"),
        ("round", "amended"),
    ]


def test_only_from_a_round_on(host, url, rules, session, score, answer) -> None:
    for _round in range(3):
        score()
    asked = host.post(url, rules(super_multiplier="8"))
    looked = host.post(url, answer(asked, scored="again", again_from="2", look="1"))
    assert [each.round.number for each, _outcomes in looked.context["preview"].changed] == [2, 3]
    assertContains(looked, 'value="again" checked')
    host.post(url, answer(looked, scored="again"))
    assert [nets(session, number)[0] for number in (1, 2, 3)] == [640_200, 989_400, 989_400]


def test_nothing_is_scored_again_that_was_not_looked_at(host, url, rules, session, score, answer) -> None:
    score()
    score()
    asked = host.post(url, rules(super_multiplier="8"))
    response = host.post(url, answer(asked, scored="again", again_from="2"))
    assertContains(response, "Also score again from round 2 on")
    session.refresh_from_db()
    assert session.ruleset.super_multiplier == 4


def test_rules_that_were_saved_for_later_rounds_can_still_be_taken_back_in_time(
    host, url, rules, session, score, answer
) -> None:
    score()
    host.post(url, answer(host.post(url, rules(super_multiplier="8")), scored="stay"))
    asked = host.post(url, rules())
    host.post(url, answer(asked, scored="again"))
    assert nets(session)[0] == 989_400


def test_a_round_that_cannot_be_scored_is_named_and_stays(host, url, rules, session, score, answer, cast) -> None:
    session.ruleset_fields = session.ruleset_fields | {"surrender_points": 3}
    session.save()
    score(PLAIN[0], "surrender", players=cast[:2])
    score()
    asked = host.post(url, rules(surrender_points="", super_multiplier="8"))
    assertContains(asked, "Cannot be scored by these rules and would stay as it is: round 1 (Budi: ")
    host.post(url, answer(asked, scored="again"))
    assert nets(session, 1) == [29_100, -30_000]
    assert nets(session, 2)[0] == 989_400


@pytest.mark.parametrize("meanwhile", ["scored", "voided"])
def test_rounds_that_changed_meanwhile_are_shown_again(
    host, url, rules, session, score, answer, rudi, meanwhile
) -> None:
    round_ = score()
    asked = host.post(url, rules(super_multiplier="8"))
    if meanwhile == "scored":
        score()
    else:
        ledger.void_round(round_, rudi)
    response = host.post(url, answer(asked, scored="again"))
    assertContains(response, "Rounds were scored or changed meanwhile.", status_code=409)
    session.refresh_from_db()
    assert session.ruleset.super_multiplier == 4
    assert not session.rounds.filter(state=Round.State.AMENDED).exists()
    host.post(url, answer(response, scored="again"))
    session.refresh_from_db()
    assert session.ruleset.super_multiplier == 8


def test_rules_that_somebody_else_changed_meanwhile_are_not_overwritten(
    host, url, rules, session, score, answer
) -> None:
    score()
    asked = host.post(url, rules(super_multiplier="8"))
    host.post(url, rules(surrender_points="3"))
    response = host.post(url, answer(asked, scored="again"))
    assertContains(response, "Somebody changed the rules meanwhile.", status_code=409)
    assert nets(session)[0] == 640_200


def test_the_same_answer_twice_scores_once(host, url, rules, session, score, answer) -> None:
    score()
    sent = answer(host.post(url, rules(super_multiplier="8")), scored="again")
    host.post(url, sent)
    assert host.post(url, sent).status_code == 409
    assert session.rounds.count() == 2


def test_a_voided_round_is_left_alone(host, url, rules, session, score, rudi, answer) -> None:
    ledger.void_round(score(), rudi)
    score()
    asked = host.post(url, rules(super_multiplier="8"))
    assert [each.round.number for each, _outcomes in asked.context["preview"].changed] == [2]
    host.post(url, answer(asked, scored="again"))
    assert session.rounds.get(number=1).state == Round.State.VOIDED


def test_payments_are_pointed_out(host, url, rules, session, score, rudi) -> None:
    score()
    claim = ledger.settlement(session).claims[0]
    players = {player.pk: player for player in session.players.all()}
    ledger.record_payment(session, players[claim.payer], players.get(claim.payee), claim.open, claim.key, rudi)
    assertContains(host.post(url, rules(super_multiplier="8")), "Payments are recorded already")


def test_a_fee_that_is_taken_at_the_end_is_told(host, url, rules, session, score) -> None:
    session.ruleset_fields = session.ruleset_fields | {"room_fee_basis": "session"}
    session.save()
    score()
    response = host.post(url, rules(room_fee_percent="10"))
    assertContains(response, "Room fee at settle-up:")
    assert response.context["preview"].fee_at_end == (19_800, 66_000)


@pytest.mark.parametrize(
    ("basis", "changes", "fee"),
    [
        ("round", {"room_fee_basis": "session"}, 19_800),
        ("session", {"room_fee_percent": "10"}, 66_000),
        ("session", {"super_multiplier": "8"}, 30_600),
        ("session", {"room_fee_basis": "round"}, 0),
    ],
    ids=["later", "more-percent", "more-won", "each-round"],
)
def test_the_fee_at_the_end_is_the_one_that_was_announced(
    host, url, rules, session, score, answer, basis, changes, fee
) -> None:
    session.ruleset_fields = session.ruleset_fields | {"room_fee_basis": basis}
    session.save()
    score()
    asked = host.post(url, rules(**changes))
    assert asked.context["preview"].fee_again == fee
    host.post(url, answer(asked, scored="again"))
    session.refresh_from_db()
    assert sum(ledger.fee_due(session).values()) == fee
    assert ledger.totals(session).keys() <= {*session.players.values_list("pk", flat=True), None}


def test_a_closed_evening_is_not_asked_about(host, url, rules, session, score, rudi) -> None:
    score()
    typed = rules(super_multiplier="8")
    ledger.close_session(session, rudi)
    assertContains(host.post(url, typed), "This session is closed", status_code=409)


def test_club_rules_count_for_later_evenings_only(host, club, session, score) -> None:
    score()
    url = reverse("club-rules", args=[club.pk])
    assertContains(host.get(url), "Evenings that are set up already keep theirs.")
    form = RulesForm.of(club.ruleset, club.preset, club.ruleset)
    assertRedirects(host.post(url, {**form.data, "super_multiplier": "8"}), url)
    session.refresh_from_db()
    assert session.ruleset.super_multiplier == 4


def test_the_page_costs_the_same_for_many_rounds(
    host, url, rules, session, score, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    score()
    with django_assert_max_num_queries(25) as few:
        host.post(url, rules(super_multiplier="8"))
    for _round in range(5):
        score()
    with django_assert_num_queries(len(few)):
        host.post(url, rules(super_multiplier="8"))


def test_a_long_evening_fits_a_page_and_nothing_is_left_out(host, url, rules, session, rudi, answer) -> None:
    played = len(play(session, 300, rudi))
    asked = host.post(url, rules(row_points="2"))
    assert len(asked.content) < 60_000
    preview = asked.context["preview"]
    changed = [each.round.number for each, _outcomes in preview.changed]
    assert len(changed) + len(preview.unchanged) == played
    assert [each.round.number for each, _outcomes in preview.shown] == changed[:SHOWN]
    assert (preview.others, preview.next_look) == (as_ranges(changed[SHOWN:]), changed[SHOWN])
    further = host.post(url, answer(asked, scored="again", look=str(preview.next_look)))
    preview = further.context["preview"]
    assert [each.round.number for each, _outcomes in preview.shown] == changed[SHOWN : 2 * SHOWN]
    assert preview.others == as_ranges(changed[:SHOWN] + changed[2 * SHOWN :])
    saved = host.post(url, answer(further, scored="again"), follow=True)
    assertContains(saved, f"{len(changed)} rounds were scored again.")
    assert list(
        session.rounds.filter(state=Round.State.AMENDED).order_by("number").values_list("number", flat=True)
    ) == (changed)


@pytest.mark.parametrize(
    ("numbers", "told"),
    [([], ""), ([4], "4"), ([1, 2], "1–2"), ([1, 2, 3, 5, 7, 8], "1–3, 5, 7–8")],
    ids=["none", "one", "two", "gaps"],
)
def test_numbers_are_told_in_short(numbers, told) -> None:
    assert as_ranges(numbers) == told


def test_what_is_written_is_what_was_announced(host, url, rules, session, answer, rudi) -> None:
    """In one batch comes out what the page said, round by round and in all; the book adds up."""
    play(session, 40, rudi)
    asked = host.post(url, rules(super_multiplier="8", tembus_multiplier="3", room_fee_percent="7.5"))
    preview = asked.context["preview"]
    announced = {each.round.number: [o.new_money for o in told if o.player] for each, told in preview.changed}
    sums = {outcome.player and outcome.player.pk: outcome.new_money for outcome in preview.totals()}
    before = {number: nets(session, number) for number in preview.unchanged}
    host.post(url, answer(asked, scored="again"))
    assert {number: nets(session, number) for number in announced} == announced
    assert {number: nets(session, number) for number in before} == before
    assert ledger.totals(session) == sums
    assert not audit_ledger().faults


def test_writing_many_takes_as_many_queries_as_writing_few(
    host, url, rules, session, rudi, answer, django_assert_max_num_queries
) -> None:
    play(session, 60, rudi)
    asked = host.post(url, rules(row_points="2"))
    assert len(asked.context["preview"].changed) > 40
    with django_assert_max_num_queries(50):
        assert host.post(url, answer(asked, scored="again")).status_code == 302


def test_a_batch_that_would_not_fit_the_book_is_refused_whole(
    host, url, rules, session, score, answer, monkeypatch
) -> None:
    score()
    score()
    monkeypatch.setattr("scoring.ledger.booking.LARGEST_TOTAL", 1_900_000)
    asked = host.post(url, rules(row_points="2"))
    response = host.post(url, answer(asked, scored="again"))
    assertContains(response, "too large for the book", status_code=409)
    session.refresh_from_db()
    assert session.ruleset.row_points == 1
    assert not session.rounds.filter(state=Round.State.AMENDED).exists()


def test_an_evening_of_others_does_not_exist(stranger, url, score) -> None:
    score()
    assert stranger.post(url, {"scored": "again"}).status_code == 404


# ---------------------------------------------------------------- stakes of rounds that are scored


@pytest.fixture
def settings(session) -> str:
    return reverse("session-settings", args=[session.pk])


def test_a_stake_from_a_scored_round_on_is_asked_too(host, settings, session, score, answer) -> None:
    for _round in range(3):
        score()
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "2"})
    assert [each.round.number for each, _outcomes in asked.context["preview"].changed] == [2, 3]
    session.refresh_from_db()
    assert session.stake == 10_000
    response = host.post(settings, answer(asked, scored="again"), follow=True)
    assertContains(response, "2 rounds were scored again.")
    assert [nets(session, number)[0] for number in (1, 2, 3)] == [640_200, 1_280_400, 1_280_400]
    session.refresh_from_db()
    assert session.stake == 20_000


def test_a_round_that_paid_its_own_fee_pays_none_at_the_end(host, settings, session, score, answer) -> None:
    score()
    session.refresh_from_db()
    session.ruleset_fields = session.ruleset_fields | {"room_fee_basis": "session"}
    session.save()
    score()
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "1"})
    assert asked.context["preview"].fee_again == 39_600
    host.post(settings, answer(asked, scored="again"))
    session.refresh_from_db()
    assert sum(ledger.fee_due(session).values()) == 39_600


def test_it_may_hold_from_the_next_round_on_after_all(host, settings, session, score, answer) -> None:
    score()
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "1", "place": "Bar"})
    host.post(settings, answer(asked, scored="stay"))
    session.refresh_from_db()
    assert (session.stake, session.place, nets(session)[0]) == (20_000, "Bar", 640_200)


def test_pairs_with_their_own_stake_keep_it_when_all_others_change(
    host, settings, session, score, answer, ana, budi
) -> None:
    PairStake.objects.create(session=session, club=session.club, a=ana, b=budi, stake=10_000)
    score()
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "1"})
    host.post(settings, answer(asked, scored="again"))
    pairs = session.rounds.current().get(number=1).pair_scores
    assert pairs.get(a=ana, b=budi).stake == 10_000
    assert set(pairs.exclude(a=ana, b=budi).values_list("stake", flat=True)) == {20_000}


def test_a_pair_changes_alone(host, session, score, answer, ana, budi) -> None:
    score()
    url = reverse("stakes", args=[session.pk])
    asked = host.post(url, drawn(host.get(url)) | {f"{ana.pk}-{budi.pk}": "0", "from_round": "1"})
    host.post(url, answer(asked, scored="again"))
    pairs = session.rounds.current().get(number=1).pair_scores
    assert pairs.get(a=ana, b=budi).stake == 0
    assert set(pairs.exclude(a=ana, b=budi).values_list("stake", flat=True)) == {10_000}
    assert session.rounds.get(replaces__isnull=False).stake == 10_000


def test_a_plan_that_comes_due_changes_nothing_that_was_not_shown(
    host, settings, session, score, answer, rudi, ana, budi
) -> None:
    """From round 2 on the two play for 10.000 of their own, which is what round 1 was played for by all."""
    score()
    with transaction.atomic():
        ledger.change_stakes(lock_session(session.pk), {(ana.pk, budi.pk): 5_000}, 1, rudi)
        ledger.change_stakes(lock_session(session.pk), {(ana.pk, budi.pk): 10_000}, 3, rudi)
    score()
    ledger.void_round(session.rounds.get(number=2), rudi)
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "1"})
    [(_each, outcomes)] = asked.context["preview"].changed
    host.post(settings, answer(asked, scored="again"))
    assert nets(session) == [outcome.new_money for outcome in outcomes if outcome.player]


def test_stakes_of_pairs_that_change_meanwhile_are_shown_again(
    host, settings, session, score, answer, rudi, ana, budi
) -> None:
    score()
    asked = host.post(settings, drawn(host.get(settings)) | {"stake": "20rb", "from_round": "1"})
    with transaction.atomic():
        ledger.change_stakes(lock_session(session.pk), {(ana.pk, budi.pk): 10_000}, 2, rudi)
    response = host.post(settings, answer(asked, scored="again"))
    assert response.status_code == 409
    assert nets(session)[0] == 640_200
    [(_each, outcomes)] = response.context["preview"].changed
    host.post(settings, answer(response, scored="again"))
    assert nets(session) == [outcome.new_money for outcome in outcomes if outcome.player]


def test_stakes_that_stand_already_ask_nothing(host, settings, session, score) -> None:
    score()
    response = host.post(settings, drawn(host.get(settings)) | {"from_round": "1"})
    assertRedirects(response, reverse("session", args=[session.pk]))
    assert session.rounds.count() == 1


def test_bad_stakes_are_refused_before_anything_is_shown(host, settings, score) -> None:
    score()
    response = host.post(settings, drawn(host.get(settings)) | {"stake": "-5", "from_round": "1"})
    assertContains(response, "Enter an amount", status_code=422)
    assertNotContains(response, "What would change", status_code=422)
