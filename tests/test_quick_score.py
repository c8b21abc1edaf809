"""The quick score: one round for everybody, without an account and without a trace; and keeping it afterwards.

Tests that name neither the database nor a fixture of the cast run without one: asking it for anything would fail them.
"""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session as BrowserSession
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger
from scoring.engine.rules import PRESETS
from scoring.forms import quick_keep
from scoring.forms.quick_keep import QUICK_RULES, QuickHand, QuickRound
from scoring.models import Club, Host, Player, Round, Session
from scoring.models.answers import Answer
from tests.conftest import SUPER

QUICK = "/quick/"
SCORE = "/quick/score/"
NAMES = ("Ana", "Budi", "Citra", "Dewi")
DRAGON = "2s3h4d / 5c6s7h8d9c / TsJhQdKcAs"
PLAIN = "3s3c3d / 4s4c4h5s5h / 6c6d6h7s7c"


def typed(*hands: str, names: tuple[str, ...] = NAMES, **more: str) -> dict[str, str]:
    """The page as a browser sends it: `front / middle / back` a player, or a declaration."""
    form = {"rules": "capsa", "currency": "IDR", "stake": "10.000", "players": "4"}
    form |= {f"name-{place}": name for place, name in enumerate(names, 1)}
    for place in range(1, 5):
        text = hands[place - 1] if place <= len(hands) else "//"
        front, middle, back = text.split("/") if "/" in text else ("", "", "")
        form |= {f"{place}-front": front.strip(), f"{place}-middle": middle.strip(), f"{place}-back": back.strip()}
        form[f"{place}-declare"] = "" if "/" in text else text
        form[f"{place}-version"] = "0"
    return form | more


def told(response) -> str:
    """What a person reads on the page, in one line."""
    html = unescape(response.content.decode()).replace("\xa0", " ")
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# ---------------------------------------------------------------- the score


def test_the_page_asks_for_four_hands(client):
    page = client.get(QUICK)
    for place in range(1, 5):
        assertContains(page, f'name="{place}-front"')
        assertContains(page, f"Player {place}")


def test_four_hands_are_scored_with_reasons(client):
    page = told(client.post(SCORE, typed(*SUPER)))
    assert "Ana beats everyone in every row +Rp 640.200" in page
    assert "Full house, queens over sevens, beats pair of fives" in page
    assert "Four of a kind in the back, to Ana" in page
    assert "22 points at 10.000 220.000" in page
    assert "after 3% room fee (19.800)" in page
    assert "sessionid" not in client.cookies


@pytest.mark.django_db
def test_nothing_is_stored(client):
    client.post(SCORE, typed(*SUPER))
    assert not any(model.objects.exists() for model in (Session, Round, Player, Club, BrowserSession))


def test_names_may_be_left_out(client):
    page = told(client.post(SCORE, typed(*SUPER, names=("", "", "", ""))))
    assert "Player 1 beats everyone in every row" in page
    assert "Player 4" in page


@pytest.mark.parametrize("count", [2, 3, 4])
def test_hands_left_empty_do_not_play(client, count):
    response = client.post(SCORE, typed(*SUPER[:count]))
    assert response.status_code == 200
    assert len(response.context["result"].score.players) == count


def test_any_two_places_will_do(client):
    response = client.post(SCORE, typed("//", SUPER[1], "//", SUPER[3]))
    assert [name for name, _cells in response.context["result"].matrix] == ["Budi", "Dewi"]


@pytest.mark.parametrize("rules", QUICK_RULES)
def test_every_preset_scores(client, rules):
    response = client.post(SCORE, typed(*SUPER, rules=rules))
    result = response.context["result"]
    assert result.ruleset == QUICK_RULES[rules]
    assert sum(player.points for player in result.score.players) == 0
    assert sum(player.net for player in result.score.players) + result.score.house == 0


def test_all_presets_and_switches_are_offered():
    assert set(PRESETS) < set(QUICK_RULES)
    assert {"points+special_hands", "points+bonuses", "points+special_hands+bonuses"} < set(QUICK_RULES)
    assert QUICK_RULES["points+bonuses"] != QUICK_RULES["points"]


def test_a_natural_a_pao_and_a_surrender(client):
    page = told(client.post(SCORE, typed(DRAGON, PLAIN)))
    assert "Ana shows a natural" in page
    pao = told(client.post(SCORE, typed("KsQcJs / TsTh6s6h2s / 5s5h4s3s8c", SUPER[0])))
    assert "Middle beats back: PAO" in pao
    given_up = told(client.post(SCORE, typed(SUPER[0], "surrender", rules="chinese-2-4")))
    assert "Budi surrendered and pays Ana" in given_up


def test_points_only(client):
    page = told(client.post(SCORE, typed(*SUPER[:2], rules="points", currency="PTS", stake="1")))
    assert "Ana takes the round" in page
    assert "Points only, no money" in page


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (typed("AsAhKd / QsQhQd7c7d / 9s9h9d9c", SUPER[1]), "Back takes 5 cards, not 4."),
        (typed("AsAhKd / QsQhQd7c7d / 9s9h9dXX2c", SUPER[1]), "is not a card"),
        (typed(SUPER[0], SUPER[1].replace("Ks", "As")), "A♠\ufe0e is already with Ana (front)."),
        (typed(SUPER[0]), "Enter the cards of Budi."),
        (typed(), "Enter the cards of Ana."),
        (typed(*SUPER, stake="abc"), "Enter an amount"),
        (typed(*SUPER, stake=""), "This field is required"),
        (typed(*SUPER, stake="0,5"), "Whole amounts only"),
        (typed(*SUPER, rules="poker"), "Select a valid choice"),
        (typed(*SUPER, currency="XXX"), "Select a valid choice"),
        (typed(*SUPER, players="5"), "Players: Select a valid choice"),
        (typed(*SUPER, stake="abc"), "Stake of a point: Enter an amount"),
        (typed(*SUPER, names=("Ana", "ana", "C", "D")), "“ana” and “Ana” read as one name"),
        (typed(*SUPER, names=("x" * 61, "B", "C", "D")), "at most 60"),
        (typed(SUPER[0], "surrender"), "Select a valid choice"),
        (typed(SUPER[0], **{"2-thirteen": "As"}), "A hand has 13 cards, not 1."),
        ({}, "This field is required"),
        ({"1-front": "x" * 5000, "1-declare": "nonsense"}, "at most 200 characters"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(client, form, message):
    response = client.post(SCORE, form)
    assert response.status_code == 422
    assert message in unescape(response.content.decode())
    for name, text in form.items():
        if name.endswith(("front", "middle", "back")) and text:
            assertContains(response, f'value="{text}"', status_code=422)


def test_names_and_markup_stay_text(client):
    page = client.post(SCORE, typed(*SUPER, names=("<b>x</b>", "محمد", "👩‍👩‍👧", "W" * 60))).content.decode()
    assert "<bdi>&lt;b&gt;x&lt;/b&gt;</bdi> beats everyone in every row" in page
    assert "<b>x</b>" not in page


@pytest.mark.parametrize("count", [2, 3, 4])
def test_as_many_hands_are_asked_for_as_play(client, count):
    page = client.post(QUICK, typed(*SUPER, players=str(count)))
    assertContains(page, 'data-fields="', count=count)
    assert len(client.post(SCORE, typed(*SUPER, players=str(count))).context["result"].score.players) == count


def test_checking_names_the_rows_and_scores_nothing(client):
    response = client.post(QUICK, typed(*SUPER))
    assert response.status_code == 200
    assertContains(response, "Full house Q")
    assertContains(response, "A +66")
    assertNotContains(response, "Pair by pair")


def test_thirteen_cards_at_once_are_laid_out(client):
    form = typed("//", SUPER[1], **{"1-thirteen": "AsAhKd QsQhQd7c7d 9s9h9d9c2c"})
    assertContains(client.post(QUICK, form), 'value="Qs Qh Qd 7c 7d"')
    assert client.post(SCORE, form).status_code == 200


def test_the_other_thirteen_are_offered(client):
    assertContains(client.post(QUICK, typed(*SUPER[:3])), "Dewi holds the other thirteen")


def test_from_the_score_one_goes_back_to_what_was_typed(client):
    page = client.post(SCORE, typed(*SUPER, rules="pusoy", stake="50rb")).content.decode()
    back = page[page.index(f'<form method="post" action="{QUICK}"') :]
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', back[: back.index("</form>")]))
    again = client.post(QUICK, {name: unescape(text) for name, text in hidden.items()})
    assert again.status_code == 200
    assertContains(again, 'value="50rb"')
    assertContains(again, '<option value="pusoy" selected>')
    assertContains(again, 'value="Dewi"')
    assertContains(again, 'value="AsAhKd"')


def test_the_score_itself_is_only_posted(client):
    assert client.get(SCORE).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["login", "home"])
def test_the_way_here(client, host, name):
    assertContains((client if name == "login" else host).get(reverse(name)), f'href="{QUICK}"')


def test_the_club_page_leads_here(host, club):
    assertContains(host.get(club.get_absolute_url()), f'href="{QUICK}"')


# ---------------------------------------------------------------- rows in words

TOLD = ("pair 9 / two pair K 9 / full house J", "K high 5 3 / pair A / flush hati")
CLOSE = ("pair 9 / two pair K 9 / full house J", "pair 9 / pair A / flush hati")


def answers_of(response) -> list[str]:
    """What the buttons send that say who wins a row."""
    return [unescape(text) for text in re.findall(r'name="won" value="([^"]*)" aria-label', response.content.decode())]


def test_rows_may_be_told_in_words(client):
    page = told(client.post(SCORE, typed(*TOLD)))
    assert "Ana takes the round" in page
    assert "Full house, jacks, beats flush, hearts" in page


def test_what_is_too_close_is_asked_and_answered(client, host, club):
    """The same pair in front: a kicker or the host's word decides, and the word is kept with the round."""
    asked = client.post(SCORE, typed(*CLOSE))
    assert asked.status_code == 422
    assertContains(asked, "Too close to call", status_code=422)
    answer = answers_of(asked)[0]
    checked = client.post(QUICK, typed(*CLOSE, won=answer))
    assertContains(checked, "Decided by the host")
    assertContains(checked, 'type="hidden" name="won"')
    scored = host.post(SCORE, typed(*CLOSE, won=answer))
    points = [player.points for player in scored.context["result"].score.players]
    assert points == [6, -6]
    again = told(host.post(QUICK, dict(scored.context["sheet"].typed)))
    assert "Decided by the host" in again
    host.post(keep_url(host, typed(*CLOSE, won=answer)), {"club": club.pk})
    assert [hand.points for hand in Round.objects.get().hands.all()] == points


@pytest.mark.parametrize("won", ["", "abc", "[]", '["back", 1, 99, 1, ["flush", "flush"]]'])
def test_an_answer_that_is_none_changes_nothing(client, won):
    assert client.post(SCORE, typed(*TOLD, won=won)).status_code == 200
    assert client.post(SCORE, typed(*CLOSE, won=won)).status_code == 422


# ---------------------------------------------------------------- keeping it


def keep_url(client: Client, form: dict[str, str]) -> str:
    """Where the score of `form` can be kept."""
    page = client.post(SCORE, form).content.decode()
    return re.search(r'href="(/quick/keep/[^"]+)"', page)[1]


@pytest.mark.django_db
def test_keeping_asks_to_log_in_and_comes_back(client, rudi, club):
    url = keep_url(client, typed(*SUPER))
    answer = client.get(url)
    assert answer.headers["Location"].startswith("/login/?next=/quick/keep/")
    page = client.post(answer.headers["Location"], {"username": "rudi", "password": "kartu-remi-52"}, follow=True)
    assert page.redirect_chain[-1] == (url, 302)
    assertContains(page, "Kamis Malam")


def test_what_becomes_of_the_names_is_said_before(host, club, ana, budi, citra, dewi):
    Player.objects.filter(pk=budi.pk).update(retired_at="2026-11-01T00:00Z")
    page = told(host.get(keep_url(host, typed(*SUPER, names=("ANA", "Budi", "Eka", "Fajar")))))
    assert "Plays here already: Ana." in page
    assert "Comes back: Budi." in page
    assert "Joins the club: Eka and Fajar." in page


def test_it_becomes_the_first_round_of_an_evening(host, club, cast, budi, rudi):
    Player.objects.filter(pk=budi.pk).update(retired_at="2026-11-01T00:00Z")
    url = keep_url(host, typed(*SUPER, names=("ANA", "Budi", "Citra", "Eka"), rules="pusoy"))
    answer = host.post(url, {"club": club.pk})
    session, round_ = Session.objects.get(), Round.objects.get()
    assertRedirects(answer, reverse("round", args=[round_.pk]))
    assert [seat.player.name for seat in session.seats.all()] == ["Ana", "Budi", "Citra", "Eka"]
    assert (session.club, session.currency, session.stake, session.preset) == (club, "IDR", 10_000, "pusoy")
    assert session.ruleset == PRESETS["pusoy"]
    assert session.created_by == round_.scored_by == rudi
    assert (round_.number, round_.state) == (1, Round.State.SCORED)
    assert round_.hands.get(player=cast[0]).points == 36
    assert not sum(ledger.totals(session).values())
    assert club.players.filter(retired_at=None).count() == 5


def test_the_kept_score_is_the_one_that_was_shown(host, club):
    shown = host.post(SCORE, typed(*SUPER)).context["result"]
    host.post(keep_url(host, typed(*SUPER)), {"club": club.pk})
    kept = [(hand.points, hand.net) for hand in Round.objects.get().hands.all()]
    assert kept == [(player.points, player.net) for player in shown.score.players]


def test_declarations_are_kept_as_well(host, club):
    host.post(keep_url(host, typed(SUPER[0], "surrender", rules="chinese-1-6")), {"club": club.pk})
    assert [hand.status for hand in Round.objects.get().hands.all()] == ["played", "surrendered"]


def test_a_second_tap_keeps_nothing_twice(host, club):
    url = keep_url(host, typed(*SUPER))
    answers = [host.post(url, {"club": club.pk}) for _tap in range(2)] + [host.get(url)]
    assert {answer.headers["Location"] for answer in answers} == {reverse("round", args=[Round.objects.get().pk])}
    assert Session.objects.count() == Round.objects.count() == 1
    assert club.players.count() == 4


def test_a_tap_that_came_first_is_found_by_the_second(host, club, monkeypatch):
    """As where two requests look at the same moment and both find nothing."""
    url = keep_url(host, typed(*SUPER))
    host.post(url, {"club": club.pk})
    looks = iter([None])
    kept = quick_keep.KeepForm.kept_already
    monkeypatch.setattr(quick_keep.KeepForm, "kept_already", lambda form: next(looks, kept(form)))
    assertRedirects(host.post(url, {"club": club.pk}), reverse("round", args=[Round.objects.get().pk]))
    assert Session.objects.count() == 1


def test_two_hosts_keep_it_each_in_their_own_book(host, club, stranger, siti):
    jumat = Club.objects.create(name="Jumat")
    Host.objects.create(club=jumat, user=siti, role=Host.Role.OWNER)
    url = keep_url(host, typed(*SUPER))
    host.post(url, {"club": club.pk})
    stranger.post(url, {"club": jumat.pk})
    assert {session.club for session in Session.objects.all()} == {club, jumat}


def test_somebody_without_a_club_makes_one(stranger, siti):
    url = keep_url(stranger, typed(*SUPER, currency="EUR", stake="0.10"))
    assertContains(stranger.get(url), "Name of your club")
    assertContains(stranger.post(url, {"new_club": " "}), "Enter a name", status_code=422)
    stranger.post(url, {"new_club": "Jumat"})
    club = Club.objects.get()
    assert (club.name, club.currency, club.stake, club.preset) == ("Jumat", "EUR", 10, "capsa")
    assert club.hosts.get().user == siti
    assert Round.objects.get().club == club
    assert stranger.post(url, {"new_club": "Jumat"}).status_code == 302
    assert Club.objects.count() == 1


def test_only_an_own_club_can_be_chosen(host, club, stranger):
    other = Club.objects.create(name="Jumat")
    answer = host.post(keep_url(host, typed(*SUPER)), {"club": other.pk})
    assertContains(answer, "Select a valid choice", status_code=422)
    assert not Session.objects.exists()


@pytest.mark.parametrize("change", [lambda url: url[:-2] + "/", lambda url: "/quick/keep/abc/"], ids=["cut", "made-up"])
def test_a_broken_link_says_so(host, club, change):
    url = keep_url(host, typed(*SUPER))
    page = host.get(change(url), follow=True)
    assert page.redirect_chain == [(QUICK, 302)]
    assertContains(page, "This link is not complete. Enter the hands again.")
    assert not Session.objects.exists()


def test_amounts_beyond_the_book_are_refused_where_one_asks(host, club, monkeypatch):
    url = keep_url(host, typed(*SUPER))
    monkeypatch.setattr("scoring.ledger.booking.LARGEST_TOTAL", 1000)
    assertContains(host.post(url, {"club": club.pk}), "too large for the book", status_code=422)
    assert not Session.objects.exists()


@pytest.mark.parametrize("length", [1, 60])
def test_a_token_fits_an_address_and_comes_back_whole(length):
    laid = {"front": "As Ah Kd", "middle": "Qs Qh Qd 7c 7d", "back": "9s 9h 9d 9c 2c"}
    hands = [
        QuickHand("👩" * length, laid | {"declare": "", "natural": "", "declared": ["back"]}) for _place in range(4)
    ]
    won = [Answer("back", 0, 1, -1, ("flush", "flush"))]
    round_ = QuickRound("points+bonuses", "IDR", 10**12, hands, uuid4(), won)
    token = round_.as_token()
    assert QuickRound.from_token(token) == round_
    assert len(token) < 2000


def test_keeping_takes_as_many_queries_in_a_big_club(host, club, django_assert_num_queries):
    url = keep_url(host, typed(*SUPER))
    with django_assert_num_queries(6) as queries:
        host.get(url)
    Player.objects.bulk_create(Player(club=club, name=f"P{n}", name_key=f"p{n}") for n in range(100))
    with django_assert_num_queries(len(queries)):
        host.get(url)
