"""The evenings of a club under other rules, side by side with what was played."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring import ledger, what_if
from scoring.engine.rules import PRESETS
from scoring.forms.rules_draft import draft_of
from scoring.models import Club, Entry, Hand, Player, Round, Session
from scoring.what_if import WhatIf

POINTS = PRESETS["points"]
TEMBUS_OF_ONE = PRESETS["chinese-2-4"]


@pytest.fixture
def evening(session: Session, rudi) -> Session:
    """The evening of `session`, at 10.000 a point, under the rules `points`."""
    Session.objects.filter(pk=session.pk).update(preset="points", ruleset_fields=POINTS.as_dict())
    session.refresh_from_db()
    return session


@pytest.fixture
def two_rounds(evening: Session, score, cast) -> Session:
    """Ana against Budi. In the first round she wins two rows to one, in the second he sweeps her."""
    score("9s8d6h / QsQdJhJc2s / AsAdKhKc4c", "TsTd9h / 7s7d5s5d3c / KsKd4d4h2h", players=cast[:2])
    score("8s7d3h / 4s4dTc9h2h / 5s5hKd6d7h", "9s6h4c / QsQdJhJc8d / AsAdKhKc2s", players=cast[:2])
    return evening


def compared(club: Club, ruleset) -> dict[str, tuple[int, int, int, int]]:
    """Points and money before and after, by name."""
    return {
        change.player.name: (
            change.points.points,
            change.points.new_points,
            change.money["IDR"].money,
            change.money["IDR"].new_money,
        )
        for change in WhatIf(club, ruleset, 10).players()
    }


def test_everybody_both_ways(club: Club, two_rounds: Session) -> None:
    """Under `points` two rows to one are 2 − 1 = 1, three rows doubled are 6: Ana has 1 − 6 = −5, at 10.000 a point
    −50.000. Under `chinese-2-4` winning more rows brings one more, 2 − 1 + 1 = 2, and three rows are 3 + 1 = 4:
    2 − 4 = −2 and −20.000.
    """
    assert compared(club, TEMBUS_OF_ONE) == {"Ana": (-5, -2, -50_000, -20_000), "Budi": (5, 2, 50_000, 20_000)}


def test_a_pair_keeps_its_own_stake_and_room_fees_are_left_out(
    club: Club, evening: Session, score, ana: Player, budi: Player
) -> None:
    """Two rows to one at 500 a point: 1 × 500 as played, 2 × 500 under `chinese-2-4`; `capsa` would take 3 % of it."""
    evening.pair_stakes.create(club=club, a=ana, b=budi, stake=500)
    score("9s8d6h / QsQdJhJc2s / AsAdKhKc4c", "TsTd9h / 7s7d5s5d3c / KsKd4d4h2h", players=[ana, budi])
    assert compared(club, TEMBUS_OF_ONE)["Ana"] == (1, 2, 500, 1_000)
    assert compared(club, PRESETS["capsa"])["Ana"] == (1, 1, 500, 500)


def test_another_winner_is_found(club: Club, evening: Session, score, cast) -> None:
    """Two rounds of Ana and Budi, both two rows to one for Ana, and one that Budi sweeps: under `points` Budi has
    6 − 1 − 1 = 4, he won the evening. Under `chinese-2-4` he has 4 − 2 − 2 = 0: both are level, and nobody did.
    """
    two_to_one = ("9s8d6h / QsQdJhJc2s / AsAdKhKc4c", "TsTd9h / 7s7d5s5d3c / KsKd4d4h2h")
    swept = ("8s7d3h / 4s4dTc9h2h / 5s5hKd6d7h", "9s6h4c / QsQdJhJc8d / AsAdKhKc2s")
    for hands in (two_to_one, two_to_one, swept):
        score(*hands, players=cast[:2])
    (changed,) = WhatIf(club, TEMBUS_OF_ONE, 10).changed_winners
    assert (changed.before, changed.after) == ({cast[1].pk}, set())


def test_what_was_voided_counts_neither_way(club: Club, two_rounds: Session, rudi) -> None:
    ledger.void_round(two_rounds.rounds.get(number=2), rudi)
    assert compared(club, TEMBUS_OF_ONE)["Ana"] == (1, 2, 10_000, 20_000)


def test_a_round_that_cannot_be_scored_counts_as_it_was_played(club: Club, session: Session, score, cast) -> None:
    """Under `capsa` kickers never count: two pairs of aces, one told with its suit only, are decided by it. Where
    kickers come first nobody knows."""
    score("Ks9d4c / 8h8c3d5s2c / pair A spades", "Qs9h4d / 7h7c3s5h2d / pair A hearts", players=cast[:2])
    result = WhatIf(club, POINTS, 10)
    (refused,) = result.refused
    assert (refused.round.number, result.rounds) == (1, 1)
    for change in result.players():
        assert change.points.points == change.points.new_points


def test_only_the_last_evenings_are_compared_and_no_more_than_can_be_borne(
    club: Club, two_rounds: Session, rudi, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries
) -> None:
    for day in range(1, 4):
        older = Session.objects.create(
            club=club, date=f"2026-10-0{day}", currency="IDR", stake=1, ruleset_fields=POINTS.as_dict(), created_by=rudi
        )
        ledger_round(older, two_rounds)
    assert [session.date.isoformat() for session in WhatIf(club, POINTS, 2).sessions] == ["2026-11-26", "2026-10-03"]
    with django_assert_num_queries(5):
        assert len(WhatIf(club, POINTS, 10).players()) == 2
    monkeypatch.setattr(what_if, "MOST_ROUNDS", 3)
    bounded = WhatIf(club, POINTS, 10)
    assert ([session.pk for session in bounded.sessions][:1], bounded.rounds, bounded.left_out) == (
        [two_rounds.pk],
        3,
        2,
    )


def ledger_round(session: Session, like: Session) -> None:
    """One scored round in `session`, that of another evening."""
    source = like.rounds.get(number=1)
    round_ = Round.objects.create(
        session=session, club=session.club, number=1, state="scored", stake=1, ruleset_fields=source.ruleset_fields
    )
    for hand in source.hands.all():
        hand.pk, hand.round = None, round_
        hand.save()


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("rules", ["", "club", "points", "no-such-rules"])
def test_an_empty_club_gets_a_friendly_page(host: Client, club: Club, rules: str) -> None:
    assert host.get(reverse("what-if", args=[club.pk]), {"rules": rules}).status_code == 200


def test_the_page_tells_both_ways_and_stores_nothing(
    host: Client, club: Club, two_rounds: Session, django_assert_max_num_queries
) -> None:
    before = [list(model.objects.order_by("pk").values()) for model in (Session, Round, Hand, Entry)]
    with django_assert_max_num_queries(9):
        page = host.get(reverse("what-if", args=[club.pk]), {"rules": "chinese-2-4", "evenings": "25"})
    told = page.content.decode()
    assert "−50.000" in told
    assert "−20.000" in told
    assert [list(model.objects.order_by("pk").values()) for model in (Session, Round, Hand, Entry)] == before


def draft(ruleset, **changes: str) -> dict[str, str]:
    """What the editor sends for a ruleset."""
    return {**draft_of(ruleset), "preset": "points", "drawn_from": json.dumps(ruleset.as_dict()), **changes}


def test_rules_of_the_editor_are_tried_without_saving(host: Client, club: Club, two_rounds: Session) -> None:
    """`points` with a tembus times 3 instead of 2: the sweep is 9, and Ana has 1 − 9 = −8."""
    kept = club.ruleset_fields
    page = host.post(reverse("what-if", args=[club.pk]), draft(POINTS, tembus_multiplier="3"))
    assert page.status_code == 200
    assert "−8" in page.content.decode()
    club.refresh_from_db()
    assert club.ruleset_fields == kept


def test_the_editor_leads_there(host: Client, club: Club) -> None:
    page = host.get(reverse("club-rules", args=[club.pk])).content.decode()
    assert f'formaction="{reverse("what-if", args=[club.pk])}"' in page


def test_a_mistake_in_the_rules_is_named(host: Client, club: Club, two_rounds: Session) -> None:
    page = host.post(reverse("what-if", args=[club.pk]), draft(POINTS, tembus_multiplier="many"))
    assert page.status_code == 422
    assert "expected a whole number" in page.content.decode().lower()


def test_rules_of_the_club_that_no_longer_parse_break_nothing(host: Client, club: Club, two_rounds: Session) -> None:
    Club.objects.filter(pk=club.pk).update(ruleset_fields={"of": "another version"})
    for rules in ("", "club", "points"):
        assert host.get(reverse("what-if", args=[club.pk]), {"rules": rules}).status_code == 200


def test_evenings_whose_rules_no_longer_parse_are_compared_all_the_same(
    host: Client, club: Club, two_rounds: Session
) -> None:
    """What was played stands in the book; only the hands are scored anew."""
    for model in (Session, Round):
        model.objects.update(ruleset_fields={"of": "another version"})
    assert compared(club, TEMBUS_OF_ONE)["Ana"] == (-5, -2, -50_000, -20_000)
    assert host.get(reverse("what-if", args=[club.pk]), {"rules": "points"}).status_code == 200


def test_a_refused_round_is_named_with_its_reason(host: Client, club: Club, score, cast) -> None:
    round_ = score("Ks9d4c / 8h8c3d5s2c / pair A spades", "Qs9h4d / 7h7c3s5h2d / pair A hearts", players=cast[:2])
    told = host.get(reverse("what-if", args=[club.pk]), {"rules": "points"}).content.decode()
    assert "1 round cannot be scored under these rules" in told
    assert round_.get_absolute_url() in told


def test_the_club_of_another_host_does_not_exist(stranger: Client, club: Club) -> None:
    assert stranger.get(reverse("what-if", args=[club.pk])).status_code == 404
    assert stranger.post(reverse("what-if", args=[club.pk])).status_code == 404
