"""Entering a round: what is said while hands are typed, what is kept, and what is refused."""

import re
from typing import Any

import pytest
from django.urls import reverse

from scoring import ledger
from scoring.engine.rules import ROWS
from scoring.models import Hand, Round
from tests.conftest import SUPER

NONSENSE = "AsAhKd / QsQhQd7c7d / 9s9h9dXX2c"


@pytest.fixture
def open_round(session, cast) -> Round:
    return ledger.open_round(session, cast)


def typed(round_: Round, *hands: str, **more: str) -> dict[str, Any]:
    """The form of the entry page, as the browser sends it: `front / middle / back` a player."""
    fields: dict[str, Any] = {"editor": "a-phone", **more}
    for hand, text in zip(round_.hands.all(), hands, strict=False):
        fields |= {f"{hand.pk}-{row}": part.strip() for row, part in zip(ROWS, text.split("/"), strict=False)}
        fields[f"{hand.pk}-version"] = str(hand.version)
        fields[f"{hand.pk}-declare"] = ""
    return fields


def hand_of(round_: Round, name: str) -> Hand:
    return round_.hands.get(player__name=name)


def score_url(round_: Round) -> str:
    return reverse("round-score", args=[round_.pk])


def check_url(round_: Round) -> str:
    return reverse("round-check", args=[round_.pk])


def test_page_shows_every_player_with_empty_rows(host, open_round):
    page = host.get(open_round.get_absolute_url())
    assert page.status_code == 200
    for name in ("Ana", "Budi", "Citra", "Dewi"):
        assert name in page.content.decode()


def test_checking_names_rows_and_previews_the_points(host, open_round):
    page = host.post(check_url(open_round), typed(open_round, *SUPER)).content.decode()
    assert "Full house Q" in page
    assert "It comes to" in page
    assert "+66 points" in page
    assert Round.objects.get().is_open


def test_any_spelling_is_taken(host, open_round):
    spelled = ("a♠ AH, k♦ / Q s qhqd7C7d / 9S9h 9d,9c2c", *SUPER[1:])
    host.post(score_url(open_round), typed(open_round, *spelled))
    assert hand_of(open_round, "Ana").points == 66


def test_two_ready_hands_are_compared_while_others_are_missing(host, open_round):
    page = host.post(check_url(open_round), typed(open_round, *SUPER[:2])).content.decode()
    assert "So far <b>A +16</b> <b>B −16</b>" in page
    page = host.post(check_url(open_round), typed(open_round, *SUPER)).content.decode()
    assert "So far" not in page


def test_scoring_leads_to_the_result(host, open_round):
    answer = host.post(score_url(open_round), typed(open_round, *SUPER))
    assert answer.headers["Location"] == reverse("round", args=[open_round.pk])
    assert hand_of(open_round, "Ana").net == 66 * 10_000 * 97 // 100


def test_a_second_tap_on_score_is_the_same_round(host, session, open_round):
    form = typed(open_round, *SUPER)
    answers = [host.post(score_url(open_round), form) for _tap in range(3)]
    assert {answer.headers["Location"] for answer in answers} == {reverse("round", args=[open_round.pk])}
    assert session.rounds.count() == session.entries.count() == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9c", "Back takes 5 cards, not 4."),
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c3c", "Back takes 5 cards, not 6."),
        ("AsAhKdQs / QhQd7c7d / 9s9h9d9c2c", "Front takes 3 cards, not 4."),
        ("AsAhKd / QsQhQd7c7d / 9s9h9dXX2c", "&quot;XX&quot; or something"),
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9c9c", "9♣\ufe0e stands twice in this row."),
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9cAs", "A♠\ufe0e is already in the front of this hand."),
        ("AsAhKd / QsQhQd7c7d / sA9h9d9c2c", "the suit first"),
    ],
    ids=["12-cards", "14-cards", "4-4-5", "unknown", "twice-in-a-row", "twice-in-a-hand", "suit-first"],
)
def test_what_is_wrong_is_said_at_the_field_and_nothing_is_lost(host, open_round, text, message):
    answer = host.post(score_url(open_round), typed(open_round, text, *SUPER[1:]))
    page = answer.content.decode()
    assert answer.status_code == 422
    if text == NONSENSE:
        message = "is not a card"
    assert message in page
    for row in text.split("/"):
        assert f'value="{row.strip()}"' in page
    assert Round.objects.get().is_open


def test_a_card_of_somebody_else_is_named_with_its_owner(host, open_round):
    hands = (SUPER[0], SUPER[1].replace("Ks", "As"), *SUPER[2:])
    page = host.post(score_url(open_round), typed(open_round, *hands)).content.decode()
    assert "A♠\ufe0e is already with Ana (front)." in page


def test_wrong_order_is_pao_before_saving_and_does_not_block(host, open_round):
    pao = "8s7h6c / AdAc5d5cKc / TdTc7s3c2d"
    page = host.post(check_url(open_round), typed(open_round, *SUPER[:3], pao)).content.decode()
    assert "Middle beats back: PAO" in page
    open_round.refresh_from_db()
    host.post(score_url(open_round), typed(open_round, *SUPER[:3], pao))
    assert hand_of(open_round, "Dewi").status == "pao"


def test_thirteen_cards_at_once_are_laid_out(host, open_round):
    ana = hand_of(open_round, "Ana")
    host.post(check_url(open_round), typed(open_round, "//", **{f"{ana.pk}-thirteen": "AsAhKd QsQhQd7c7d 9s9h9d9c2c"}))
    ana.refresh_from_db()
    assert (ana.front, ana.middle, ana.back) == ("As Ah Kd", "Qs Qh Qd 7c 7d", "9s 9h 9d 9c 2c")


def test_thirteen_cards_back_first_are_turned_round(host, open_round):
    ana = hand_of(open_round, "Ana")
    host.post(
        check_url(open_round), typed(open_round, "//", **{f"{ana.pk}-thirteen": "9s9h9d9c2c / QsQhQd7c7d / AsAhKd"})
    )
    ana.refresh_from_db()
    assert (ana.front, ana.back) == ("As Ah Kd", "9s 9h 9d 9c 2c")


@pytest.mark.parametrize(("cards", "count"), [("As", 1), ("AsAhKdQsQhQd7c7d9s9h9d9c", 12)], ids=["one", "twelve"])
def test_another_number_than_thirteen_is_refused_beside_the_field(host, open_round, cards, count):
    ana = hand_of(open_round, "Ana")
    answer = host.post(check_url(open_round), typed(open_round, "//", **{f"{ana.pk}-thirteen": cards}))
    assert answer.status_code == 422
    assert f"A hand has 13 cards, not {count}." in answer.content.decode()
    assert f'value="{cards}"' in answer.content.decode()


def test_the_last_hand_is_offered_and_filled_in(host, open_round):
    page = host.post(check_url(open_round), typed(open_round, *SUPER[:3])).content.decode()
    assert "Dewi holds the other thirteen" in page
    dewi = hand_of(open_round, "Dewi")
    button = re.search(f'name="({dewi.pk}-thirteen)" value="([^"]+)">', page)
    host.post(check_url(open_round), typed(open_round, *SUPER[:3], "//") | {button[1]: ["", button[2]]})
    dewi.refresh_from_db()
    laid = set(f"{dewi.front} {dewi.middle} {dewi.back}".split())
    assert laid == set("8s 7h 6c Td Tc 7s 3c 2d Ad Ac 5d 5c Kc".split())


def test_a_declared_pao_takes_any_number_of_cards(host, open_round):
    form = typed(open_round, "AsAh / QsQhQd7c7d / 9s9h9d9c2cKd", *SUPER[1:])
    form[f"{hand_of(open_round, 'Ana').pk}-declare"] = "pao"
    host.post(score_url(open_round), form)
    assert hand_of(open_round, "Ana").status == "pao"


def test_a_natural_by_name_needs_no_cards(host, open_round):
    ana = hand_of(open_round, "Ana")
    form = typed(open_round, "//", *SUPER[1:])
    form |= {f"{ana.pk}-declare": "natural", f"{ana.pk}-natural": "dragon"}
    host.post(score_url(open_round), form)
    ana.refresh_from_db()
    assert (ana.status, ana.points) == ("natural", 3 * 208)


def test_surrender_is_offered_only_where_the_rules_know_it(host, open_round):
    assert "Surrenders" not in host.get(open_round.get_absolute_url()).content.decode()
    form = typed(open_round, *SUPER)
    form[f"{hand_of(open_round, 'Ana').pk}-declare"] = "surrender"
    assert host.post(score_url(open_round), form).status_code == 422
    assert Round.objects.get().is_open


def test_another_device_is_not_overwritten(host, open_round):
    form = typed(open_round, SUPER[0])
    ana = hand_of(open_round, "Ana")
    ledger.keep_hand(ana, {"front": "2c 3c 4c"}, ana.version, "another-phone")
    answer = host.post(check_url(open_round), form)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "changed on another device" in page
    assert "2c 3c 4c" in page
    assert 'value="AsAhKd"' in page
    ana.refresh_from_db()
    assert ana.front == "2c 3c 4c"


def test_a_conflict_keeps_the_round_from_being_scored(host, open_round):
    form = typed(open_round, *SUPER)
    ana = hand_of(open_round, "Ana")
    ledger.keep_hand(ana, {"front": "2c 3c 4c"}, ana.version, "another-phone")
    assert host.post(score_url(open_round), form).status_code == 409
    assert Round.objects.get().is_open


def test_a_page_does_not_conflict_with_its_own_older_request(host, open_round):
    form = typed(open_round, SUPER[0])
    host.post(check_url(open_round), form | {f"{hand_of(open_round, 'Ana').pk}-front": "As"})
    assert host.post(check_url(open_round), form).status_code == 200
    assert hand_of(open_round, "Ana").front == "AsAhKd"


def test_a_hand_is_kept_while_it_is_typed(host, open_round):
    ana = hand_of(open_round, "Ana")
    answer = host.post(check_url(open_round), typed(open_round, "As Ah //"), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    ana.refresh_from_db()
    assert ana.front == "As Ah"
    assert "1 to go" in answer.content.decode()


def test_pasted_cards_are_answered_row_by_row(host, open_round):
    ana = hand_of(open_round, "Ana")
    form = typed(open_round, "//", **{f"{ana.pk}-thirteen": "AsAhKd QsQhQd7c7d 9s9h9d9c2c"})
    page = host.post(check_url(open_round), form, headers={"HX-Request": "true"}).content.decode()
    assert 'data-typed="Qs Qh Qd 7c 7d"' in page


def test_scoring_nothing_says_whose_cards_are_missing(host, open_round):
    answer = host.post(score_url(open_round), typed(open_round, "//", "//", "//", "//"))
    assert answer.status_code == 422
    assert "Enter the cards of Ana." in answer.content.decode()


@pytest.mark.parametrize("url", [check_url, score_url], ids=["check", "score"])
def test_a_tap_that_another_overtakes_leads_to_the_result(host, rudi, open_round, monkeypatch, url):
    """The round is scored after the page was fetched and before its hands are kept."""
    form = typed(open_round, *SUPER)
    keep = ledger.keep_hand

    def keep_late(*args, **kwargs):
        for hand, text in zip(open_round.hands.all(), SUPER, strict=True):
            front, middle, back = text.split(" / ")
            keep(hand, {"front": front, "middle": middle, "back": back}, hand.version)
        ledger.record_round(open_round, rudi)
        return keep(*args, **kwargs)

    monkeypatch.setattr(ledger, "keep_hand", keep_late)
    answer = host.post(url(open_round), form)
    assert answer.headers["Location"] == reverse("round", args=[open_round.pk])
    assert open_round.entries.count() == 1


def test_a_tap_after_the_round_was_discarded_leads_to_the_evening(host, session, open_round, monkeypatch):
    form = typed(open_round, *SUPER)
    keep = ledger.keep_hand

    def keep_late(*args, **kwargs):
        ledger.discard_round(open_round)
        return keep(*args, **kwargs)

    monkeypatch.setattr(ledger, "keep_hand", keep_late)
    answer = host.post(score_url(open_round), form)
    assert answer.headers["Location"] == session.get_absolute_url()


def test_discarding_a_scored_round_leads_to_it(host, score):
    round_ = score()
    answer = host.post(reverse("round-discard", args=[round_.pk]))
    assert answer.headers["Location"] == reverse("round", args=[round_.pk])


def test_a_closed_evening_opens_no_round(host, session, rudi):
    ledger.close_session(session, rudi)
    for method in (host.get, host.post):
        assert method(reverse("round-open", args=[session.pk])).headers["Location"] == session.get_absolute_url()


def test_a_player_key_too_large_for_the_database_is_refused(host, session, cast):
    answer = host.post(reverse("round-open", args=[session.pk]), {"players": [cast[0].pk, "9" * 30]})
    assert answer.status_code == 422


def test_garbage_in_the_form_is_no_error_of_the_server(host, open_round):
    ana = hand_of(open_round, "Ana")
    form = typed(open_round, "//") | {
        f"{ana.pk}-version": "abc",
        f"{ana.pk}-declare": "nonsense",
        f"{ana.pk}-front": "x" * 5000,
        "editor": "e\0" * 9999,
    }
    assert host.post(check_url(open_round), form).status_code in (409, 422)


def test_five_players_choose_who_holds_cards(host, club, session, cast):
    from scoring.models import Player, Seat

    eko = Player.objects.create(club=club, name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=5)
    url = reverse("round-open", args=[session.pk])
    page = host.get(url).content.decode()
    assert "<bdi>Eko</bdi> sits out." in page
    ticked = [int(key) for key in re.findall(r'name="players" value="(\d+)"[^>]*checked', page)]
    assert ticked == [player.pk for player in cast]
    answer = host.post(url, {"players": [player.pk for player in (*cast, eko)]})
    assert answer.status_code == 422
    host.post(url, {"players": [cast[0].pk, cast[2].pk, eko.pk]})
    assert [str(hand.player) for hand in Round.objects.get().hands.all()] == ["Ana", "Citra", "Eko"]


def test_reseating_keeps_what_was_typed_for_those_who_stay(host, open_round, cast):
    host.post(check_url(open_round), typed(open_round, *SUPER))
    host.post(reverse("round-seats", args=[open_round.pk]), {"players": [cast[0].pk, cast[1].pk]})
    assert [str(hand.player) for hand in open_round.hands.all()] == ["Ana", "Budi"]
    assert hand_of(open_round, "Ana").front == "AsAhKd"


def test_discarding_leaves_no_trace(host, session, open_round):
    host.post(reverse("round-discard", args=[open_round.pk]))
    assert not session.rounds.exists()


@pytest.mark.parametrize("name", ["round-entry", "round-check", "round-score", "round-seats", "round-discard", "round"])
def test_a_round_of_others_does_not_exist(stranger, open_round, name):
    url = reverse(name, args=[open_round.pk])
    method = stranger.post if name in ("round-check", "round-score", "round-discard") else stranger.get
    assert method(url).status_code == 404


@pytest.mark.parametrize("name", ["round-check", "round-score", "round-discard", "round-void", "round-restore"])
def test_writing_needs_a_post(host, open_round, name):
    assert host.get(reverse(name, args=[open_round.pk])).status_code == 405


def test_entry_takes_a_constant_number_of_queries(host, open_round, django_assert_max_num_queries):
    host.post(check_url(open_round), typed(open_round, *SUPER))
    with django_assert_max_num_queries(12):
        host.get(open_round.get_absolute_url())
