"""Changing the house rules of a club and of an evening."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.engine.rules import FIELDS, PRESETS, parse_ruleset
from scoring.forms.rules import RulesForm
from scoring.forms.rules_draft import draft_of
from scoring.models import Club, Session

OWNERS = pytest.mark.parametrize("kind", ["club", "session"])


@pytest.fixture
def owners(club: Club, session: Session) -> dict[str, Club | Session]:
    return {"club": club, "session": session}


def typed(owner: Club | Session, **changes: str | None) -> dict[str, str]:
    """The form as drawn for `owner` with some places changed; None leaves a place out, as an unchecked box does.

    `__` in a name stands for the hyphen: bonuses__back__flush.
    """
    draft = draft_of(owner.ruleset) | {"preset": owner.preset, "drawn_from": json.dumps(owner.ruleset.as_dict())}
    for name, text in changes.items():
        place = name.replace("__", "-")
        draft.pop(place, None)
        if text is not None:
            draft[place] = text
    return draft


def error_of(response: Any, place: str) -> str:
    return " ".join(response.context["form"].errors.get(place, []))


# ---------------------------------------------------------------- the page


@OWNERS
def test_every_field_of_the_rules_is_on_the_page(host, owners, kind) -> None:
    page = host.get(reverse(f"{kind}-rules", args=[owners[kind].pk]))
    assert page.status_code == 200
    for field in set(FIELDS) - {"bonuses", "naturals"}:
        assert f'name="{field}"' in page.content.decode()
    assert page.content.decode().count('name="bonuses-') == 3 + 10 + 10
    assert page.content.decode().count('type="checkbox" name="naturals-') == 13


@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_of_a_preset_gives_the_preset_back(preset: str) -> None:
    form = RulesForm.of(PRESETS[preset], preset, PRESETS[preset])
    assert form.is_valid(), form.errors
    assert form.ruleset == PRESETS[preset]


def test_an_evening_says_that_scored_rounds_keep_their_rules(host, session) -> None:
    page = host.get(reverse("session-rules", args=[session.pk]))
    assert "rounds already scored keep theirs" in page.content.decode()


def test_what_differs_from_the_preset_is_marked_and_counted(host, club) -> None:
    club.ruleset = parse_ruleset({"preset": "capsa", "tembus_multiplier": 3, "surrender_points": 4})
    club.save()
    page = host.get(reverse("club-rules", args=[club.pk])).content.decode()
    assert "2 places differ from Capsa" in page
    assert "Differs from Capsa: 2 there." in page
    assert "Differs from Capsa: none there." in page


def test_a_bonus_shows_below_it_what_the_preset_pays(host, club) -> None:
    club.ruleset = parse_ruleset({"preset": "capsa", "bonuses": {"front": {"three_of_a_kind": 9}}})
    club.save()
    page = host.get(reverse("club-rules", args=[club.pk]))
    was = {mark.key: mark.was.before for mark in page.context["editor"].marks() if mark.was}
    assert was["bonuses-front-three_of_a_kind"] == "5 points"
    assert len(was) == 8


@OWNERS
def test_the_number_of_queries_is_fixed(host, owners, kind, django_assert_num_queries) -> None:
    url = reverse(f"{kind}-rules", args=[owners[kind].pk])
    with django_assert_num_queries(3):  # who is asking (2), the club or evening
        host.get(url)
    with django_assert_num_queries(3):
        host.get(reverse(f"{kind}-rules-text", args=[owners[kind].pk]))


# ---------------------------------------------------------------- saving


@OWNERS
def test_saving_keeps_every_change(host, owners, kind) -> None:
    owner = owners[kind]
    url = reverse(f"{kind}-rules", args=[owner.pk])
    changes = {
        "ties": "split",
        "kickers": "on",
        "flush_by_suit": None,
        "super_multiplier": "",
        "super_players": "",
        "bonuses__back__flush": "1",
        "bonuses__front__three_of_a_kind": "",
        "bonus_limit": "on",
        "naturals__six_pairs": "on",
        "naturals__six_pairs__points": "6",
        "surrender_points": "5",
        "room_fee_percent": "2,35",
    }
    response = host.post(url, typed(owner, **changes))
    assert (response.status_code, response["Location"]) == (302, url)
    owner.refresh_from_db()
    expected = {
        "preset": "capsa",
        "ties": "split",
        "kickers": True,
        "flush_by_suit": False,
        "super_multiplier": None,
        "super_players": None,
        "bonuses": {
            "middle": {"full_house": 3, "four_of_a_kind": 14, "straight_flush": 18, "royal_flush": 22},
            "back": {"flush": 1, "four_of_a_kind": 7, "straight_flush": 9, "royal_flush": 11},
        },
        "bonus_limit": 1,
        "naturals": [{"name": "dragon", "points": 208}, {"name": "six_pairs", "points": 6}],
        "surrender_points": 5,
        "room_fee_percent": "2.35",
    }
    assert owner.ruleset == parse_ruleset(expected)
    assert owner.preset == "capsa"


def test_a_change_of_an_evening_counts_as_a_write(host, session) -> None:
    url = reverse("session-rules", args=[session.pk])
    host.post(url, typed(session, pao_multiplier="3"))
    session.refresh_from_db()
    assert session.version == 1
    host.post(url, typed(session, pao_multiplier="3"))  # nothing changes
    session.refresh_from_db()
    assert session.version == 1


def test_a_scored_round_keeps_the_rules_it_was_played_with(host, session, score) -> None:
    before = session.ruleset
    round_ = score()
    host.post(reverse("session-rules", args=[session.pk]), typed(session, pao_multiplier="3"))
    round_.refresh_from_db()
    session.refresh_from_db()
    assert session.ruleset.pao_multiplier == 3
    assert round_.ruleset == before


def test_the_club_and_its_evenings_have_rules_of_their_own(host, club, session) -> None:
    host.post(reverse("club-rules", args=[club.pk]), typed(club, pao_multiplier="3"))
    session.refresh_from_db()
    assert session.ruleset.pao_multiplier == 4


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("place", "text", "error"),
    [
        ("row_points", "", "required"),
        ("row_points", "abc", "not 'abc'"),
        ("row_points", "-1", "from 0 to 1000000, not -1"),
        ("row_points", "1.000", "not '1.000'"),
        ("row_points", "1e9", "not '1e9'"),
        ("row_points", "1000001", "not 1000001"),
        ("pao_multiplier", "9" * 20, "not '999"),
        ("super_multiplier", "NaN", "nothing or a whole number"),
        ("super_players", "5", "not one of the available choices"),
        ("ties", "maybe", "not one of the available choices"),
        ("bonuses-back-flush", "x", "not 'x'"),
        ("naturals-dragon-points", "", "How many points"),
        ("naturals-dragon-points", "-3", "not -3"),
        ("room_fee_percent", "101", "percentage from 0 to 100"),
        ("room_fee_percent", "", "required"),
        ("room_fee_percent", "three", "not 'three'"),
        ("surrender_points", "0.5", "not '0.5'"),
    ],
)
def test_a_wrong_value_is_refused_beside_its_field(host, club, place: str, text: str, error: str) -> None:
    before = club.ruleset
    response = host.post(reverse("club-rules", args=[club.pk]), typed(club, **{place.replace("-", "__"): text}))
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [place]
    assert error in error_of(response, place)
    assert response.context["form"][place].value() == text
    club.refresh_from_db()
    assert club.ruleset == before


def test_all_wrong_values_are_told_at_once_and_nothing_typed_is_lost(host, club) -> None:
    wrong = {
        "row_points": "x",
        "bonuses__back__flush": "-4",
        "naturals__dragon__points": "y",
        "room_fee_percent": "200",
    }
    response = host.post(reverse("club-rules", args=[club.pk]), typed(club, **wrong, tembus_bonus="7"))
    form = response.context["form"]
    assert set(form.errors) == {name.replace("__", "-") for name in wrong}
    assert form["tembus_bonus"].value() == "7"
    assert 'value="7"' in response.content.decode()


@pytest.mark.parametrize("percent", ["2.3", "2,3", " 2.3 % ", "2.30"])
def test_a_fee_may_have_decimals(host, club, percent: str) -> None:
    host.post(reverse("club-rules", args=[club.pk]), typed(club, room_fee_percent=percent))
    club.refresh_from_db()
    assert club.ruleset == parse_ruleset({"preset": "capsa", "room_fee_percent": "2.3"})


@pytest.mark.parametrize(
    "drawn_from",
    ["", "{", "[]", '{"preset": "capsa", "ties": 1}', "[" * 100_000, "\0"],
    ids=["nothing", "cut", "list", "bad value", "deep", "nul"],
)
def test_a_damaged_form_is_refused(host, club, drawn_from: str) -> None:
    response = host.post(reverse("club-rules", args=[club.pk]), typed(club, pao_multiplier="3", drawn_from=drawn_from))
    assert response.status_code == 422


def test_a_damaged_order_of_the_naturals_is_refused(host, club) -> None:
    assert host.post(reverse("club-rules", args=[club.pk]), typed(club, naturals__order="\0")).status_code == 422


@OWNERS
def test_a_change_by_somebody_else_is_shown_and_not_overwritten(host, owners, kind) -> None:
    owner = owners[kind]
    url = reverse(f"{kind}-rules", args=[owner.pk])
    mine = typed(owner, pao_multiplier="3")
    host.post(url, typed(owner, tembus_multiplier="5"))
    response = host.post(url, mine)
    assert response.status_code == 409
    text = response.content.decode()
    assert "Somebody changed the rules meanwhile." in text
    assert "A tembus multiplies the rows by: was 2, is now 5." in text
    assert [(change.place, change.before, change.after) for change in response.context["editor"].pending] == [
        ("tembus_multiplier", "5", "2"),
        ("pao_multiplier", "4", "3"),
    ]
    owner.refresh_from_db()
    assert (owner.ruleset.tembus_multiplier, owner.ruleset.pao_multiplier) == (5, 4)


def test_after_a_look_the_same_form_can_be_saved(host, club) -> None:
    url = reverse("club-rules", args=[club.pk])
    mine = typed(club, pao_multiplier="3")
    host.post(url, typed(club, tembus_multiplier="5"))
    again = host.post(url, mine).context["form"].data
    assert host.post(url, again).status_code == 302
    club.refresh_from_db()
    assert (club.ruleset.tembus_multiplier, club.ruleset.pao_multiplier) == (2, 3)


def test_a_double_tap_saves_once(host, session) -> None:
    url = reverse("session-rules", args=[session.pk])
    form = typed(session, pao_multiplier="3")
    assert [host.post(url, form).status_code for _tap in range(2)] == [302, 302]
    session.refresh_from_db()
    assert session.version == 1


def test_rounds_scored_meanwhile_do_not_disturb_the_form(host, session, score) -> None:
    form = typed(session, pao_multiplier="3")
    score()
    assert host.post(reverse("session-rules", args=[session.pk]), form).status_code == 302


def test_a_closed_evening_refuses_and_keeps_what_was_typed(host, session, rudi) -> None:
    form = typed(session, pao_multiplier="3")
    ledger.close_session(session, rudi)
    response = host.post(reverse("session-rules", args=[session.pk]), form)
    assert response.status_code == 409
    assert "Reopen it" in response.content.decode()
    assert response.context["form"]["pao_multiplier"].value() == "3"


def test_a_closed_evening_shows_its_rules_to_read(host, session, rudi) -> None:
    ledger.close_session(session, rudi)
    response = host.get(reverse("session-rules", args=[session.pk]), follow=True)
    assert response.redirect_chain == [(reverse("session-rules-text", args=[session.pk]), 302)]
    assert f'href="{reverse("session-rules", args=[session.pk])}"' not in response.content.decode()


# ---------------------------------------------------------------- starting from a preset


@OWNERS
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_fills_the_form_and_saves_nothing(host, owners, kind, preset: str) -> None:
    owner = owners[kind]
    page = host.get(reverse(f"{kind}-rules", args=[owner.pk]), {"preset": preset})
    editor = page.context["editor"]
    assert (editor.form.ruleset, editor.preset, editor.differences) == (PRESETS[preset], preset, [])
    assert bool(editor.pending) == (preset != "capsa")
    owner.refresh_from_db()
    assert owner.ruleset == PRESETS["capsa"]


def test_a_preset_says_what_it_would_replace(host, club) -> None:
    page = host.get(reverse("club-rules", args=[club.pk]), {"preset": "pusoy"}).content.decode()
    assert "Not saved yet. Saving replaces 21 places" in page
    assert "decided by suit becomes a tie" in page


def test_a_chosen_preset_can_be_saved(host, club) -> None:
    url = reverse("club-rules", args=[club.pk])
    host.post(url, host.get(url, {"preset": "pusoy"}).context["form"].data)
    club.refresh_from_db()
    assert (club.preset, club.ruleset) == ("pusoy", PRESETS["pusoy"])


def test_an_unknown_preset_changes_nothing(host, club) -> None:
    page = host.get(reverse("club-rules", args=[club.pk]), {"preset": "poker"})
    assert page.context["editor"].form.ruleset == club.ruleset


# ---------------------------------------------------------------- buttons on the draft


def press(client: Client, owner: Club | Session, button: str, value: str, **changes: str | None) -> Any:
    kind = "club" if isinstance(owner, Club) else "session"
    return client.post(reverse(f"{kind}-rules-draft", args=[owner.pk]), typed(owner, **changes) | {button: value})


@OWNERS
def test_one_field_goes_back_to_the_preset_and_the_rest_stays_as_typed(host, owners, kind) -> None:
    page = press(host, owners[kind], "reset", "kickers", kickers="on", tembus_bonus="7", row_points="x")
    form = page.context["form"]
    assert page.status_code == 200
    assert (form["kickers"].value(), form["tembus_bonus"].value(), form["row_points"].value()) == (False, "7", "x")
    owners[kind].refresh_from_db()
    assert owners[kind].ruleset == PRESETS["capsa"]


@pytest.mark.parametrize("field", FIELDS)
def test_any_field_goes_back_alone(host, club, field: str) -> None:
    club.ruleset = PRESETS["thirteen-water"]
    page = press(host, club, "reset", field)
    plain = PRESETS["thirteen-water"].as_dict() | {field: PRESETS["capsa"].as_dict()[field]}
    assert page.context["form"].ruleset == parse_ruleset(plain)


def test_the_switches_of_points_fill_naturals_and_bonuses(host, club) -> None:
    club.preset, club.ruleset = "points", PRESETS["points"]
    page = press(host, club, "switch", "special_hands:on")
    assert [natural.name for natural in page.context["form"].ruleset.naturals] == [
        "dragon",
        "six_pairs",
        "three_flushes",
        "three_straights",
    ]
    assert list(page.context["editor"].switches()) == [
        ("special_hands", "Special hands", True),
        ("bonuses", "Bonuses", False),
    ]
    club.ruleset = page.context["form"].ruleset
    page = press(host, club, "switch", "bonuses:on")
    assert len(page.context["form"].ruleset.bonuses) == 6
    assert len(page.context["form"].ruleset.naturals) == 4
    page = press(host, club, "switch", "special_hands:off")
    assert page.context["form"].ruleset.naturals == ()


@pytest.mark.parametrize(
    ("move", "order"),
    [
        ("six_pairs:up", ["six_pairs", "dragon", "three_flushes", "three_straights"]),
        ("six_pairs:down", ["dragon", "three_flushes", "six_pairs", "three_straights"]),
        ("dragon:up", ["dragon", "six_pairs", "three_flushes", "three_straights"]),
        ("three_straights:down", ["dragon", "six_pairs", "three_flushes", "three_straights"]),
        ("joker:up", ["dragon", "six_pairs", "three_flushes", "three_straights"]),
        ("six_pairs:sideways", ["dragon", "six_pairs", "three_flushes", "three_straights"]),
    ],
)
def test_a_natural_moves_up_or_down_by_a_button(host, club, move: str, order: list[str]) -> None:
    club.preset, club.ruleset = "chinese-2-4", PRESETS["chinese-2-4"]
    page = press(host, club, "move", move)
    assert [natural.name for natural in page.context["form"].ruleset.naturals] == order


@pytest.mark.parametrize(
    ("button", "value"), [("reset", "no_such_field"), ("switch", "special_hands:on"), ("switch", ""), ("move", "")]
)
def test_an_unknown_button_changes_nothing(host, club, button: str, value: str) -> None:
    assert press(host, club, button, value).context["form"].ruleset == PRESETS["capsa"]


def test_while_somebody_types_only_what_differs_comes_back(host, club) -> None:
    url = reverse("club-rules-draft", args=[club.pk])
    answer = host.post(url, typed(club, tembus_multiplier="3"), headers={"HX-Request": "true"}).content.decode()
    assert "<form" not in answer
    assert (
        answer.count('hx-swap-oob="true"') == 1 + 21 + 23 + 13 + 1 + 2
    )  # summary, fields, bonuses, naturals, order, tables
    assert "Differs from Capsa: 2 there." in answer


def test_a_button_with_htmx_brings_the_form_alone(host, club) -> None:
    url = reverse("club-rules-draft", args=[club.pk])
    answer = host.post(url, typed(club) | {"move": "dragon:down"}, headers={"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<form method="post"')
    assert "HX-Request" in answer["Vary"]


@OWNERS
def test_the_address_of_a_draft_leads_back_to_the_editor(host, owners, kind) -> None:
    response = host.get(reverse(f"{kind}-rules-draft", args=[owners[kind].pk]))
    assert response["Location"] == reverse(f"{kind}-rules", args=[owners[kind].pk])


# ---------------------------------------------------------------- whose rules


@OWNERS
@pytest.mark.parametrize("page", ["rules", "rules-draft", "rules-text"])
def test_the_rules_of_others_do_not_exist(stranger, owners, kind, page: str) -> None:
    url = reverse(f"{kind}-{page}", args=[owners[kind].pk])
    assert stranger.get(url).status_code == 404
    if page != "rules-text":
        assert stranger.post(url, typed(owners[kind])).status_code == 404


@OWNERS
def test_the_rules_are_for_those_who_are_logged_in(client, owners, kind) -> None:
    assert client.get(reverse(f"{kind}-rules-text", args=[owners[kind].pk])).status_code == 302


@OWNERS
def test_the_text_cannot_be_posted_to(host, owners, kind) -> None:
    assert host.post(reverse(f"{kind}-rules-text", args=[owners[kind].pk])).status_code == 405


# ---------------------------------------------------------------- the text page


@OWNERS
def test_the_text_names_the_stake_and_the_preset(host, owners, kind) -> None:
    page = host.get(reverse(f"{kind}-rules-text", args=[owners[kind].pk])).content.decode()
    assert "One point is worth Rp\u00a010.000." in page
    assert "The rules of Capsa as they are." in page
    assert "data-print" in page


def test_the_text_counts_the_changes(host, club) -> None:
    club.ruleset = parse_ruleset({"preset": "capsa", "pao_multiplier": 3})
    club.save()
    assert "The rules of Capsa with 1 change." in host.get(reverse("club-rules-text", args=[club.pk])).content.decode()


def test_a_table_that_plays_for_points_alone_is_told_no_price(host, club) -> None:
    club.currency, club.stake = "PTS", 1
    club.save()
    assert "One point is worth" not in host.get(reverse("club-rules-text", args=[club.pk])).content.decode()


def test_a_preset_that_is_gone_still_shows_the_rules(host, club, rudi: User) -> None:
    club.preset = "kamis-malam"
    club.save()
    assert host.get(reverse("club-rules", args=[club.pk])).status_code == 200
    assert host.get(reverse("club-rules-text", args=[club.pk])).status_code == 200
