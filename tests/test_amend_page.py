"""Correcting a scored round on its page: what was entered, the difference, saving it, undoing it."""

import re
from html import unescape

import pytest
from django.urls import reverse

from scoring import ledger
from scoring.models import Round, Seat

BUDI_FRONT = "Ks Qc Js"


@pytest.fixture
def wrong(score) -> Round:
    return score()


def url(name: str, round_: Round) -> str:
    return reverse(name, args=[round_.pk])


def form_of(page: str) -> dict[str, list[str]]:
    """What a browser would send of the form of hands, as it was drawn."""
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input\b[^>]*>|<option [^>]*selected[^>]*>|<select [^>]*>", page):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if tag.startswith("<select"):
            name = attributes["name"]
        elif tag.startswith("<option"):
            sent.setdefault(name, []).append(unescape(attributes["value"]))
        elif attributes.get("type") not in ("checkbox", "radio") or " checked" in tag:
            sent.setdefault(attributes.get("name", ""), []).append(unescape(attributes.get("value", "")))
    for unused in ("csrfmiddlewaretoken", "", "editor"):
        sent.pop(unused, None)
    return sent


@pytest.fixture
def typed(host, budi):
    """The form of a round's correction as it opens, with Budi marked PAO or whatever else is changed."""

    def typed(round_, **changes):
        form = form_of(host.get(url("round-amend", round_)).content.decode())
        named = {name.replace("budi_", f"{budi.pk}-"): text for name, text in changes.items()}
        return form | (named or {f"{budi.pk}-declare": "pao"})

    return typed


def text_of(response) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


# ---------------------------------------------------------------- it works


def test_form_opens_with_what_was_entered(host, wrong, cast, budi):
    form = form_of(host.get(url("round-amend", wrong)).content.decode())
    assert form[f"{budi.pk}-front"] == [BUDI_FRONT]
    assert form[f"{budi.pk}-back"] == ["Ts Th 6s 6h 2s"]
    assert form["players"] == [str(player.pk) for player in cast]


def test_difference_is_shown_before_anything_is_saved(host, wrong, typed, session):
    answer = host.post(url("round-amend-difference", wrong), typed(wrong))
    told = text_of(answer)
    assert answer.status_code == 200
    assert "−22 → " in told and "Counts as By the cards" in told and "Save the correction" in told
    assert session.entries.count() == 1


def test_live_difference_comes_while_one_types(host, wrong, typed, session):
    answer = host.post(url("round-amend", wrong), typed(wrong), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "The difference" in text_of(answer)
    assert session.entries.count() == 1


def test_correction_is_saved_with_who_when_and_why(host, wrong, typed, session, rudi):
    answer = host.post(url("round-amend-save", wrong), typed(wrong) | {"reason": "Budi was PAO"}, follow=True)
    new = session.rounds.current().get()
    assert answer.redirect_chain == [(url("round", new), 302)]
    told = text_of(answer)
    assert "Round 1 is corrected." in told and "By rudi" in told and "Budi was PAO" in told
    assert new.hands.get(player__name="Budi").status == "pao"


def test_old_version_stays_to_be_seen(host, wrong, typed):
    host.post(url("round-amend-save", wrong), typed(wrong) | {"reason": "Budi was PAO"})
    answer = host.get(url("round", wrong))
    told = text_of(answer)
    assert "This version counts no more. Corrected by rudi" in told and "To the version that counts" in told
    assert url("round", Round.objects.current().get()) in answer.content.decode()
    assert "Void this round" not in told and "Correct this round" not in told


def test_round_list_marks_corrected_rounds(host, wrong, typed, session):
    assert "corrected" not in text_of(host.get(reverse("session", args=[session.pk])))
    host.post(url("round-amend-save", wrong), typed(wrong) | {"reason": "x"})
    assert "corrected" in text_of(host.get(reverse("session", args=[session.pk])))


def test_correction_is_undone_at_one_tap(host, wrong, typed, session):
    host.post(url("round-amend-save", wrong), typed(wrong) | {"reason": "x"})
    new = session.rounds.current().get()
    page = host.get(url("round", new)).content.decode()
    assert f'action="{url("round-bring-back", wrong)}"' in page
    for _tap in range(2):
        host.post(url("round-bring-back", wrong), {"current": new.pk})
    assert [hand.points for hand in session.rounds.current().get().hands.all()] == [66, -22, -24, -20]
    assert session.rounds.count() == 3


def test_second_tap_on_save_leads_to_the_same_version(host, wrong, typed, session):
    form = typed(wrong) | {"reason": "x"}
    first, second = (host.post(url("round-amend-save", wrong), form) for _tap in range(2))
    assert first.status_code == second.status_code == 302
    assert first.url == second.url
    assert session.rounds.count() == 2


# ---------------------------------------------------------------- seats


def test_player_who_was_forgotten_takes_the_place_of_another(host, club, session, cast, score, typed, dewi):
    round_ = score(*("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", "KsQcJs / 5s5h4s3s8c / TsTh6s6h2s"), players=cast[:2])
    form = typed(round_, budi_declare="") | {"players": [cast[0].pk, dewi.pk]}
    answer = host.post(url("round-amend", round_), form)
    again = form_of(answer.content.decode())
    assert again[f"{dewi.pk}-front"] == [""]
    assert again[f"{cast[1].pk}-front"] == [BUDI_FRONT]  # set aside, not lost
    laid = {f"{dewi.pk}-{row}": again[f"{cast[1].pk}-{row}"] for row in ("front", "middle", "back")}
    host.post(url("round-amend-save", round_), again | laid | {"reason": "it was Dewi"})
    assert [hand.player.name for hand in session.rounds.current().get().hands.all()] == ["Ana", "Dewi"]


@pytest.mark.parametrize("count", [1, 5])
def test_two_to_four_are_chosen(host, wrong, club, session, cast, typed, count):
    eko = club.players.create(name="Eko")
    Seat.objects.create(session=session, club=club, player=eko, position=4)
    chosen = [player.pk for player in (*cast, eko)][:count]
    answer = host.post(url("round-amend", wrong), typed(wrong) | {"players": chosen})
    assert answer.status_code == 422
    assert "Choose two, three or four players" in text_of(answer)


def test_who_left_stays_in_his_old_round(host, wrong, typed, session, dewi):
    Seat.objects.filter(session=session, player=dewi).update(left_at="2026-11-26T22:00:00Z")
    host.post(url("round-amend-save", wrong), typed(wrong) | {"reason": "x"})
    assert session.rounds.current().get().hands.filter(player=dewi).exists()


# ---------------------------------------------------------------- refused, and nothing typed is lost


@pytest.mark.parametrize("step", ["round-amend-difference", "round-amend-save"])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"budi_front": "As Qc Js"}, "is already with Ana"),
        ({"budi_front": "Ks Qc"}, "Front takes 3 cards, not 2"),
        ({"budi_front": "gibberish"}, "gibberish"),
    ],
    ids=["card twice", "too few", "no card"],
)
def test_what_is_wrong_is_told_beside_what_was_typed(host, wrong, typed, session, step, change, told):
    answer = host.post(url(step, wrong), typed(wrong, **change) | {"reason": "x"})
    assert answer.status_code == 422
    assert told in text_of(answer)
    assert f'value="{change["budi_front"]}"' in answer.content.decode()
    assert session.rounds.count() == 1


def test_reason_is_asked_for(host, wrong, typed, budi, session):
    answer = host.post(url("round-amend-save", wrong), typed(wrong))
    assert answer.status_code == 422
    assert form_of(answer.content.decode())[f"{budi.pk}-declare"][0] == "pao"
    assert session.rounds.count() == 1


def test_correction_without_a_difference_is_none(host, wrong, typed, session):
    for step in ("round-amend-difference", "round-amend-save"):
        answer = host.post(url(step, wrong), typed(wrong, budi_declare="") | {"reason": "x"})
        assert answer.status_code == 422
        assert "Nothing is different from what stands." in text_of(answer)
    assert session.rounds.count() == 1


def test_amount_beyond_the_book_is_told(host, session, score, typed):
    session.stake = ledger.LARGEST_TOTAL // 70
    session.save()
    round_ = score()
    dragon = {"front": "2s3h4d", "middle": "5c6s7h8d9c", "back": "TsJhQdKcAs"}
    answer = host.post(url("round-amend-save", round_), typed(round_) | {"reason": "x"} | dragon_of(session, dragon))
    assert answer.status_code == 422
    assert "too large for the book" in text_of(answer)


def dragon_of(session, rows):
    """Ana has a dragon and everybody else is PAO: more than the super was worth."""
    ana, *others = session.seats.values_list("player_id", flat=True)
    form = {f"{ana}-{row}": cards for row, cards in rows.items()} | {f"{ana}-declare": ""}
    for other in others:
        form |= {f"{other}-{row}": "" for row in rows} | {f"{other}-declare": "pao"}
    return form


@pytest.mark.parametrize("step", ["round-amend", "round-amend-difference", "round-amend-save"])
def test_round_corrected_meanwhile_shows_both_versions(host, wrong, typed, session, siti, step):
    form = typed(wrong, budi_front="Ks Qc 2h") | {"reason": "x"}
    hands = ledger.hands_of(wrong)
    ana = next(iter(hands))
    current = ledger.amend_round(wrong, siti, "Ana was PAO", {**hands, ana: {**hands[ana], "declare": "pao"}})
    answer = host.post(url(step, wrong), form)
    told = text_of(answer)
    assert answer.status_code == 409
    assert "Round 1 was corrected by siti" in told and "Ana was PAO" in told
    assert "What stands now" in told and "What you typed" in told and "two of hearts" in told.lower() and "PAO" in told
    assert session.rounds.current().get() == current
    # What was typed goes on upon the version that stands, if one wants it.
    page = answer.content.decode()
    assert f'action="{url("round-amend", current)}"' in page
    again = host.post(url("round-amend-difference", current), form_of(page))
    assert again.status_code in (200, 422)


def test_round_voided_meanwhile_shows_both_versions(host, wrong, typed, siti, session):
    form = typed(wrong) | {"reason": "x"}
    ledger.void_round(wrong, siti, "not ours")
    answer = host.post(url("round-amend-save", wrong), form)
    assert answer.status_code == 409
    assert "Round 1 was voided by siti" in text_of(answer) and "not ours" in text_of(answer)
    assert session.rounds.count() == 1
    ledger.restore_round(wrong, siti)
    assert (
        host.post(url("round-amend-save", wrong), form_of(answer.content.decode()) | {"reason": "x"}).status_code == 302
    )


def test_typing_goes_on_while_somebody_else_corrects(host, wrong, typed, siti, budi):
    form = typed(wrong)
    ledger.amend_round(wrong, siti, "x")
    answer = host.post(url("round-amend", wrong), form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Round 1 was corrected meanwhile." in text_of(answer)
    assert form_of(answer.content.decode())[f"{budi.pk}-declare"] == ["pao"]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda round_, user: ledger.void_round(round_, user), "Restore it first"),
        (lambda round_, user: ledger.close_session(round_.session, user), "This session is closed"),
        (lambda round_, user: ledger.amend_round(round_, user), "was corrected meanwhile"),
    ],
    ids=["voided", "closed", "corrected"],
)
def test_form_does_not_open_where_nothing_can_be_saved(host, wrong, rudi, spoil, told):
    spoil(wrong, rudi)
    answer = host.get(url("round-amend", wrong), follow=True)
    assert answer.redirect_chain[0][0] == url("round", Round.objects.current().get())
    assert told in text_of(answer)


def test_session_closed_meanwhile_keeps_what_was_typed(host, wrong, typed, rudi, session, budi):
    form = typed(wrong) | {"reason": "x"}
    ledger.close_session(session, rudi)
    for step in ("round-amend-difference", "round-amend-save"):
        answer = host.post(url(step, wrong), form)
        assert answer.status_code == 422
        assert "This session is closed" in text_of(answer)
        assert "pao" in form_of(answer.content.decode())[f"{budi.pk}-declare"]


def test_open_round_is_entered_instead(host, session, cast):
    round_ = ledger.open_round(session, cast)
    for answer in (host.get(url("round-amend", round_)), host.post(url("round-amend-save", round_))):
        assert answer.url == url("round-entry", round_)


def test_undo_of_an_old_page_is_refused(host, wrong, rudi, session):
    second = ledger.amend_round(wrong, rudi, "x")
    third = ledger.amend_round(second, rudi, "y")
    answer = host.post(url("round-bring-back", wrong), {"current": second.pk}, follow=True)
    assert answer.redirect_chain == [(url("round", third), 302)]
    assert "Round 1 was corrected meanwhile." in text_of(answer)


# ---------------------------------------------------------------- rights, methods, queries


@pytest.mark.parametrize("name", ["round-amend", "round-amend-difference", "round-amend-save", "round-bring-back"])
def test_round_of_another_host_does_not_exist(stranger, wrong, session, name):
    assert stranger.post(url(name, wrong)).status_code == 404
    assert session.rounds.count() == 1


@pytest.mark.parametrize("name", ["round-amend-difference", "round-amend-save", "round-bring-back"])
def test_get_changes_nothing(host, wrong, name):
    assert host.get(url(name, wrong)).status_code == 405


def test_pages_take_as_many_queries_in_a_long_evening(host, score, typed, rudi, django_assert_max_num_queries):
    for _round in range(4):
        round_ = score()
    with django_assert_max_num_queries(12):
        host.get(url("round-amend", round_))
    form = typed(round_)
    with django_assert_max_num_queries(12):
        host.post(url("round-amend-difference", round_), form)
    ledger.amend_round(round_, rudi, "x")
    with django_assert_max_num_queries(16):
        host.get(url("round", Round.objects.current().get(number=4)))
