"""Stakes that hold from a later round on: planned, listed, applied when that round is opened, withdrawn."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger
from scoring.models import Change, PairStake, PlannedStake, Seat
from tests.test_session_settings import drawn


@pytest.fixture
def url(session) -> str:
    return reverse("stakes", args=[session.pk])


@pytest.fixture
def plan(host, url, ana, budi):
    """Save the stakes page from a round on: `plan(5, stake="20rb", pair="25rb")`, the pair being Ana and Budi."""

    def plan(number, pair=None, **fields):
        typed = {"from_round": number} | fields
        if pair is not None:
            typed[f"{ana.pk}-{budi.pk}"] = pair
        return host.post(url, drawn(host.get(url, {"from_round": number})) | typed)

    return plan


def planned(session):
    return [
        (each.from_round, f"{each.a} – {each.b}" if each.a else "all", each.stake)
        for each in session.planned_stakes.select_related("a", "b")
    ]


def test_a_stake_for_all_waits_for_its_round(plan, session, score) -> None:
    plan(3, stake="20rb")
    assert planned(session) == [(3, "all", 20_000)]
    assert [score().stake for _round in range(4)] == [10_000, 10_000, 20_000, 20_000]
    session.refresh_from_db()
    assert session.stake == 20_000
    assert planned(session) == []


def test_so_does_that_of_a_pair(plan, session, score, ana, budi) -> None:
    plan(2, pair="25rb")
    stakes = [score().pair_scores.get(a=ana, b=budi).stake for _round in range(3)]
    assert stakes == [10_000, 25_000, 25_000]


def test_a_pair_goes_back_to_the_stake_of_all(plan, session, score, ana, budi) -> None:
    PairStake.objects.create(session=session, club=session.club, a=ana, b=budi, stake=25_000)
    plan(2, pair="")
    assert planned(session) == [(2, "Ana – Budi", None)]
    assert [score().pair_scores.get(a=ana, b=budi).stake for _round in range(2)] == [25_000, 10_000]
    assert not session.pair_stakes.exists()


def test_without_a_round_it_holds_at_once(host, url, session, cast, score) -> None:
    score()
    ledger.open_round(session, cast)
    assertContains(host.get(url), "Empty: from round 2 on.")
    host.post(url, drawn(host.get(url)) | {"stake": "20rb"})
    assert planned(session) == []
    session.refresh_from_db()
    assert session.stake == 20_000


@pytest.mark.parametrize("number", ["1", "2"], ids=["the next", "a later"])
def test_the_round_at_hand_is_no_later_one(plan, session, number) -> None:
    plan(number, stake="20rb")
    assert bool(planned(session)) == (number == "2")


def test_the_open_round_gets_its_stake_when_it_is_opened(plan, session, cast, score, lay, rudi) -> None:
    plan(2, stake="20rb")
    score()
    round_ = ledger.open_round(session, cast)
    session.refresh_from_db()
    assert session.stake == 20_000
    ledger.discard_round(round_)
    assert score().stake == 20_000


def test_a_plan_is_changed_and_one_that_says_nothing_new_is_none(plan, session) -> None:
    plan(4, stake="20rb")
    plan(4, stake="30rb")
    assert planned(session) == [(4, "all", 30_000)]
    plan(4, stake="10rb")
    assert planned(session) == []


def test_several_plans_follow_each_other(plan, session, score) -> None:
    plan(2, stake="20rb")
    plan(4, stake="10rb")
    assert planned(session) == [(2, "all", 20_000), (4, "all", 10_000)]
    assert [score().stake for _round in range(5)] == [10_000, 20_000, 20_000, 10_000, 10_000]


def test_the_page_drawn_for_a_later_round_shows_what_holds_then(host, url, plan) -> None:
    plan(3, stake="20rb", pair="25rb")
    now, then = (host.get(url, query).context["form"] for query in ({}, {"from_round": "5"}))
    assert (now.initial["stake"], then.initial["stake"]) == (10_000, 20_000)
    assert host.get(url, {"from_round": "x" * 9}).context["form"].initial["stake"] == 10_000


def test_a_field_that_was_left_alone_undoes_no_plan_that_starts_in_between(host, url, plan, session, ana, budi) -> None:
    plan(3, pair="25rb")
    host.post(url, drawn(host.get(url)) | {"from_round": "5", "stake": "20rb"})
    assert planned(session) == [(3, "Ana – Budi", 25_000), (5, "all", 20_000)]


def test_what_changes_now_leaves_the_plans(plan, session, host, url) -> None:
    plan(5, stake="20rb")
    host.post(url, drawn(host.get(url)) | {"stake": "15rb"})
    session.refresh_from_db()
    assert session.stake == 15_000
    assert planned(session) == [(5, "all", 20_000)]


def test_a_due_plan_holds_before_its_round_is_opened_too(plan, session, host, url, score) -> None:
    """Round 2 is next and its plan due: a change of a pair now must not undo it."""
    plan(2, stake="20rb")
    score()
    assert host.get(url).context["form"].initial["stake"] == 20_000
    host.post(url, drawn(host.get(url)))
    assert score().stake == 20_000


def test_plans_are_listed_and_withdrawn(host, url, plan, session, ana) -> None:
    plan(5, stake="20rb", pair="25rb")
    text = host.get(url).content.decode()
    assert text.count("From round 5") >= 2 and "Everybody" in text
    each = session.planned_stakes.get(a=None)
    assertRedirects(host.post(reverse("planned-stake-withdraw", args=[each.pk])), url)
    assert planned(session) == [(5, "Ana – Budi", 25_000)]
    assert host.post(reverse("planned-stake-withdraw", args=[each.pk])).status_code == 404


def test_the_session_page_tells_that_something_is_planned(host, plan, session) -> None:
    page = reverse("session", args=[session.pk])
    assertNotContains(host.get(page), "1 planned")
    plan(5, stake="20rb")
    assertContains(host.get(page), "1 planned")


def test_the_settings_plan_the_stake_of_all_too(host, session) -> None:
    url = reverse("session-settings", args=[session.pk])
    host.post(url, drawn(host.get(url)) | {"stake": "20rb", "from_round": "7", "place": "Bar"})
    assert planned(session) == [(7, "all", 20_000)]
    session.refresh_from_db()
    assert (session.stake, session.place) == (10_000, "Bar")


def test_every_step_is_in_the_log(plan, session, score, host, rudi) -> None:
    plan(2, stake="20rb")
    plan(9, pair="5")
    host.post(reverse("planned-stake-withdraw", args=[session.planned_stakes.get(from_round=9).pk]))
    score()
    second = score()
    stakes = Change.objects.filter(kind=Change.Kind.STAKE).order_by("pk")
    assert [
        (each.action, (each.old or {}).get("stake"), (each.new or {}).get("stake"), each.created_by) for each in stakes
    ] == [
        ("planned", 10_000, 20_000, rudi),
        ("planned", None, 5, rudi),
        ("withdrawn", 5, None, rudi),
        ("applied", 10_000, 20_000, None),
    ]
    assert stakes.last().round == second
    assert stakes[1].new["players"] == ["Ana", "Budi"]


def test_who_leaves_without_having_played_takes_his_plans_along(host, session, plan, score, cast, ana) -> None:
    plan(5, pair="25rb")
    score(*("KsQcJs / 3h3d4h6d8d / TsTh6s6h2s", "Jd9c7h / 5s5h4s3s8c / JhJc4d4c2h"), players=cast[2:])
    seats = reverse("seats", args=[session.pk])
    form = host.get(seats).context["form"]
    typed = {"version": form.session.version, "drawn": form.drawn, "players": [player.pk for player in cast[1:]]}
    host.post(seats, typed)
    assert not Seat.objects.filter(player=ana).exists()
    assert planned(session) == []


def test_a_plan_somebody_else_made_meanwhile_is_told(host, url, plan, session) -> None:
    mine = drawn(host.get(url)) | {"stake": "30rb"}
    plan(5, stake="20rb")
    assertContains(host.post(url, mine), "Stake of a point, from round 5: now 20.000.", status_code=409)
    assert planned(session) == [(5, "all", 20_000)]


@pytest.mark.parametrize("number", ["0", "-1", "1001", "2.5", "abc"])
def test_a_round_that_cannot_be_is_refused(plan, session, number) -> None:
    assert plan(number, stake="20rb").status_code == 422
    assert planned(session) == []


def test_a_closed_evening_keeps_its_plans(host, plan, session, rudi) -> None:
    plan(5, stake="20rb")
    ledger.close_session(session, rudi)
    assert plan(6, stake="30rb").status_code == 409
    host.post(reverse("planned-stake-withdraw", args=[session.planned_stakes.get().pk]))
    assert planned(session) == [(5, "all", 20_000)]


def test_a_plan_of_others_does_not_exist(stranger, host, plan, session) -> None:
    plan(5, stake="20rb")
    url = reverse("planned-stake-withdraw", args=[session.planned_stakes.get().pk])
    assert stranger.post(url).status_code == 404
    assert host.get(url).status_code == 405
    assert PlannedStake.objects.count() == 1


def test_the_page_costs_the_same_with_many_plans(host, url, plan, django_assert_num_queries) -> None:
    plan(5, stake="20rb")
    with django_assert_num_queries(10):
        host.get(url)
    for number in range(6, 12):
        plan(number, stake=str(number), pair=str(number))
    with django_assert_num_queries(10):
        host.get(url)
