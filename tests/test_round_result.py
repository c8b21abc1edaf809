"""The page of a scored round; voiding, restoring and taking it back."""

import re

import pytest
from django.urls import reverse

from scoring import ledger
from scoring.models import PairStake, Player, Round, Seat


def page_of(client, round_: Round) -> str:
    return client.get(reverse("round", args=[round_.pk])).content.decode()


def proposed(page: str) -> list[int]:
    """Who would hold cards in the next round, at a tap."""
    return [int(key) for key in re.findall(r'name="players" value="(\d+)"', page)]


def test_a_super_is_told_with_its_reasons(host, score):
    page = page_of(host, score())
    assert "<bdi>Ana</bdi> beats everyone in every row" in page
    assert "Super ×4" in page
    assert "Full house, queens over sevens, beats" in page
    assert "Four of a kind in the back, to Ana" in page
    assert "after 3% room fee" in page.replace("\xa0", " ")


def test_pao_and_surrender_are_told(host, session, score):
    session.ruleset_fields |= {"surrender_points": 3}
    session.save()
    pao = "8s7h6c / AdAc5d5cKc / TdTc7s3c2d"
    round_ = score("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "surrender", "KhJh8h / 3h3d4h6d8d / JdJc4d4c2h", pao)
    page = page_of(host, round_)
    assert "Middle beats back: PAO" in page
    assert "Budi surrendered and pays Ana" in page
    assert "PAO ×4" in page


def test_a_natural_is_told_with_its_cards(host, score, citra, dewi):
    dragon = "2s3h4d / 5c6s7h8d9c / TsJhQdKcAs"
    page = page_of(host, score(dragon, "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c", players=[citra, dewi]))
    assert "<bdi>Citra</bdi> shows a natural" in page
    assert page.count('class="cards"') == 3
    assert "Dragon" in page


def test_a_natural_declared_without_its_cards_shows_none(host, session, cast, rudi):
    round_ = ledger.open_round(session, cast[:2])
    ana, budi = round_.hands.order_by("position")
    ledger.keep_hand(ana, {"declare": "natural", "natural": "dragon"}, 0)
    ledger.keep_hand(budi, {"front": "3s3c3d", "middle": "4s4c4h5s5h", "back": "6c6d6h7s7c"}, 0)
    page = page_of(host, ledger.record_round(round_, rudi))
    assert "<bdi>Ana</bdi> shows a natural" in page
    assert 'class="cards"' not in page


def test_the_next_round_is_one_tap_away_for_those_at_the_table(host, session, score, cast):
    page = page_of(host, score())
    assert "Next: round 2" in page
    assert proposed(page) == [player.pk for player in cast]
    host.post(reverse("round-open", args=[session.pk]), {"players": proposed(page)})
    assert [hand.player for hand in session.rounds.get(number=2).hands.select_related("player")] == cast


def test_with_five_the_next_in_turn_sits_out(host, club, session, score, ana):
    eko = Player.objects.create(club=club, name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=5)
    page = page_of(host, score())
    assert "<bdi>Budi</bdi> deals." in page
    assert "<bdi>Ana</bdi> sits out." in page
    assert eko.pk in proposed(page)
    assert ana.pk not in proposed(page)


def test_an_open_round_is_gone_on_with(host, session, score, cast):
    round_ = score()
    again = ledger.open_round(session, cast)
    page = page_of(host, round_)
    assert f'href="{reverse("round-entry", args=[again.pk])}">Next: round 2' in page
    assert not proposed(page)


def test_pairs_play_at_their_own_stake(host, session, score, ana, budi):
    PairStake.objects.create(session=session, club=session.club, a=ana, b=budi, stake=77)
    page = page_of(host, score())
    assert "22 points at 77" in page
    assert "1.694" in page


def test_an_even_round_has_no_winner(host, score, ana, budi):
    round_ = score("AsKd2c / 3s3h5d6c7d / 8s8hTd9c2h", "AhKs2d / 3c3d5s6h7c / 8c8dTs9h2s", players=[ana, budi])
    budi_hand = round_.hands.get(player=budi)
    if budi_hand.points == 0:
        assert "Round 1 is even" in page_of(host, round_)
    else:
        winner = "Budi" if budi_hand.points > 0 else "Ana"
        assert f"{winner} takes round 1" in page_of(host, round_)


def test_voiding_says_who_when_and_why_and_restoring_brings_it_back(host, session, score, ana):
    round_ = score()
    host.post(reverse("round-void", args=[round_.pk]), {"reason": "Entered twice"})
    page = page_of(host, round_)
    assert "Voided by rudi" in page
    assert "Entered twice" in page
    assert not any(ledger.totals(session).values())
    host.post(reverse("round-restore", args=[round_.pk]))
    assert ledger.totals(session)[ana.pk] == 640_200


def test_a_reason_that_is_too_long_is_said_beside_the_field(host, score):
    round_ = score()
    answer = host.post(reverse("round-void", args=[round_.pk]), {"reason": "x" * 201})
    assert answer.status_code == 422
    round_.refresh_from_db()
    assert not round_.is_voided


def test_undo_lays_the_hands_out_again(host, session, score):
    round_ = score()
    answer = host.post(reverse("round-void", args=[round_.pk]), {"again": "1"})
    again = session.rounds.get(state=Round.State.OPEN)
    assert answer.headers["Location"] == reverse("round-entry", args=[again.pk])
    assert [hand.back for hand in again.hands.all()] == [hand.back for hand in round_.hands.all()]
    host.post(reverse("round-score", args=[again.pk]))
    assert again.hands.first().points == 66


def test_a_closed_session_refuses_to_void(host, session, rudi, score):
    round_ = score()
    ledger.close_session(session, rudi)
    host.post(reverse("round-void", args=[round_.pk]))
    round_.refresh_from_db()
    assert round_.state == Round.State.SCORED


def test_rules_that_no_longer_parse_leave_points_and_money(host, score):
    round_ = score()
    Round.objects.filter(pk=round_.pk).update(ruleset_fields={"ties": "by beauty"})
    page = page_of(host, round_)
    assert "can no longer be read" in page
    assert "+640.200" in page


@pytest.mark.parametrize("name", ["round", "round-void", "round-restore"])
def test_a_result_of_others_does_not_exist(stranger, score, name):
    url = reverse(name, args=[score().pk])
    assert (stranger.get if name == "round" else stranger.post)(url).status_code == 404


def test_the_page_takes_a_constant_number_of_queries(host, score, django_assert_num_queries):
    round_ = score()
    with django_assert_num_queries(10):
        page_of(host, round_)
    for _more in range(3):
        score()
    with django_assert_num_queries(10):
        page_of(host, round_)
