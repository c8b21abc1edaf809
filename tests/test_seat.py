"""A player's own seat: laying a hand there, ready, told what happens, and never another one's cards."""

from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring import ledger, sharing
from scoring.engine.rules import ROWS
from scoring.models import Hand, Player, Round, Session, ShareLink
from tests.conftest import SUPER
from tests.test_hands_ledger import host_types
from tests.test_session_page import text

HTMX = {"HX-Request": "true"}
VERBS = ("seat-keep", "seat-ready", "seat-unready", "seat-take-back", "seat-give", "seat-move")


class Phone:
    """One player's phone, by the link of his seat."""

    def __init__(self, link: ShareLink) -> None:
        self.link = link
        self.client = Client()
        self.received = ""

    def url(self, name: str = "seat", *more: int) -> str:
        return reverse(name, args=[self.link.token, *more])

    def open(self, address: str = ""):
        return self._hear(self.client.get(address or self.url()))

    def ask(self, key: str):
        return self._hear(self.client.get(self.url("seat-state"), {"v": key}, headers=HTMX))

    def send(self, name: str, laid: str | None = None, htmx: bool = False, **fields: object):
        headers = HTMX if htmx else {}
        form = {"round": self.hand.round_id, **(self.typed(laid) if laid is not None else {}), **fields}
        return self._hear(self.client.post(self.url(name), form, headers=headers, follow=not htmx))

    def typed(self, laid: str) -> dict[str, object]:
        hand = self.hand
        rows = {f"{hand.pk}-{row}": part.strip() for row, part in zip(ROWS, laid.split("/"), strict=True)}
        return {"editor": "a-page", f"{hand.pk}-version": hand.version, f"{hand.pk}-declare": "", **rows}

    def ready(self, laid: str):
        return self.send("seat-ready", laid)

    @property
    def hand(self) -> Hand:
        return Hand.objects.get(player=self.link.player, round__session=self.link.session, round__state="open")

    def _hear(self, response):
        self.received += response.content.decode() + str(response.headers)
        return response


@pytest.fixture
def round_(session, cast) -> Round:
    return ledger.open_round(session, cast)


@pytest.fixture
def phones(session, rudi) -> list[Phone]:
    return [Phone(link) for link in sharing.share_seats(session, rudi)]


@pytest.fixture
def ana_phone(phones) -> Phone:
    return phones[0]


@pytest.fixture
def budi_phone(phones) -> Phone:
    return phones[1]


def laid(player: Player) -> tuple[str, str, str]:
    hand = Hand.objects.get(player=player)
    return hand.front, hand.middle, hand.back


def all_ready(phones: Sequence[Phone]) -> None:
    for phone, hand in zip(phones, SUPER, strict=True):
        phone.ready(hand)


# ---------------------------------------------------------------- laying


def test_a_hand_is_laid_and_said_to_be_ready(ana_phone, round_, ana):
    assertContains(ana_phone.open(), "data-picker")
    response = ana_phone.ready(SUPER[0])
    assertContains(response, "You are ready")
    assertContains(response, "ace of spades")
    hand = Hand.objects.get(player=ana)
    assert hand.is_veiled
    assert hand.ready_at is not None


def test_what_is_laid_is_kept_before_it_is_ready(ana_phone, round_):
    response = ana_phone.send("seat-keep", "As Ah // ", htmx=True)
    assert response.status_code == 200
    assertContains(ana_phone.open(), 'value="As Ah"')


def test_saying_ready_twice_is_saying_it_once(ana_phone, round_):
    form = ana_phone.typed(SUPER[0]) | {"round": round_.pk}
    for _tap in range(3):
        response = ana_phone.client.post(ana_phone.url("seat-ready"), form, follow=True)
        assertContains(response, "You are ready")


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9c", "Back takes 5 cards, not 4."),
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9cXX", "is not a card"),
        ("AsAhKd / QsQhQd7c7d / 9s9h9d9cAs", "is already in the front of this hand."),
        ("//", "Enter the cards of Ana."),
    ],
    ids=["12-cards", "no-card", "twice", "nothing"],
)
def test_what_is_not_ready_is_said_at_the_field_and_kept(ana_phone, round_, hand, told):
    response = ana_phone.ready(hand)
    assertContains(response, told, status_code=422)
    for row in hand.split("/"):
        if row.strip():
            assertContains(response, f'value="{row.strip()}"', status_code=422)


def test_wrong_order_is_told_and_may_be_meant(ana_phone, round_):
    page = ana_phone.send("seat-keep", "AsAhKd / 9s9h9d9c2c / QsQhQd7c7d")
    assertContains(page, "Middle beats back: PAO")
    assertContains(ana_phone.ready("AsAhKd / 9s9h9d9c2c / QsQhQd7c7d"), "You are ready")


def test_a_ready_hand_can_be_taken_back(ana_phone, round_):
    ana_phone.ready(SUPER[0])
    assertContains(ana_phone.send("seat-unready"), 'value="AsAhKd"')
    assert ana_phone.hand.ready_at is None


def test_a_page_left_open_changes_no_ready_hand(ana_phone, round_, ana):
    old = ana_phone.typed("As / /") | {"round": round_.pk}
    ana_phone.ready(SUPER[0])
    response = ana_phone.client.post(ana_phone.url("seat-keep"), old, follow=True)
    assertContains(response, "Take it back to change it.")
    assert laid(ana)[0] == "AsAhKd"


def test_a_card_of_somebody_else_is_refused_by_name_of_the_card_only(ana_phone, budi_phone, round_, ana, budi):
    ana_phone.ready(SUPER[0])
    response = budi_phone.send("seat-keep", "AsQcJs / 5s5h4s3s8c / TsTh6s6h2s")
    assertContains(response, "A♠\ufe0e is in another hand already.", status_code=422)
    assertNotContains(response, "Ana", status_code=422)
    assert laid(budi) == ("Qc Js", "5s5h4s3s8c", "TsTh6s6h2s")
    assert laid(ana)[0] == "AsAhKd"
    assert budi_phone.ready("AsQcJs / 5s5h4s3s8c / TsTh6s6h2s").status_code == 422


def test_to_the_picker_the_refused_card_is_told_as_well(ana_phone, budi_phone, round_):
    ana_phone.ready(SUPER[0])
    response = budi_phone.send("seat-keep", "As / / ", htmx=True)
    assertContains(response, 'id="told"')
    assertContains(response, "A♠\ufe0e is in another hand already.")
    assertContains(response, 'data-typed=""')


def test_garbage_is_no_error_of_the_server(ana_phone, round_):
    hand = ana_phone.hand
    form = {
        f"{hand.pk}-version": "abc",
        f"{hand.pk}-declare": "x",
        f"{hand.pk}-front": "x" * 5000,
        "editor": "e" * 9999,
    }
    assert ana_phone.client.post(ana_phone.url("seat-keep"), form | {"round": round_.pk}).status_code in (409, 422)
    for number in ("", "abc", "9" * 40, "-1"):
        assert ana_phone.client.post(ana_phone.url("seat-keep"), form | {"round": number}).status_code == 302


# ---------------------------------------------------------------- nobody else's cards


def test_a_seat_never_receives_another_seats_cards(phones, round_, session, rudi, client):
    """All that four phones are sent from the first card to the reveal: of each hand only its own."""
    for phone in phones:
        phone.open()
    for phone, hand in zip(phones, SUPER, strict=True):
        phone.send("seat-keep", hand, htmx=True)
    all_ready(phones)
    for phone in phones:
        phone.open()
        phone.ask("")
    ledger.reveal_round(round_, rudi)
    for phone in phones:
        phone.open()
    texts = ("AsAhKd", "KsQcJs", "KhJh8h", "8s7h6c"), ("9s9h9d9c2c", "TsTh6s6h2s", "JdJc4d4c2h", "AdAc5d5cKc")
    for place, phone in enumerate(phones):
        for row in texts:
            assert [hand in phone.received for hand in row] == [other == place for other in range(4)]


def test_after_the_round_is_scored_the_seat_page_still_shows_only_sums(phones, round_, rudi):
    all_ready(phones)
    ledger.record_round(round_, rudi)
    page = phones[1].open()
    assert "Round 1 −Rp 220.000 −22 points" in text(page)
    assertNotContains(page, "ace of spades")


def test_the_host_who_opens_a_seat_sees_no_card_of_it(ana_phone, round_, host):
    """The host knows every link. What was laid on Ana's phone is shown on Ana's phone."""
    ana_phone.ready(SUPER[0])
    page = host.get(ana_phone.url())
    assertContains(page, "Your hand is on another phone")
    assertNotContains(page, "AsAhKd")
    assertNotContains(page, "ace of spades")
    for name in ("seat-unready", "seat-give", "seat-take-back", "seat-keep", "seat-ready"):
        answer = host.post(ana_phone.url(name), {"round": round_.pk, f"{ana_phone.hand.pk}-version": "1"}, follow=True)
        assertNotContains(answer, "AsAhKd")
        assertNotContains(answer, "ace of spades")
    assert ana_phone.hand.ready_at is not None


def test_the_hand_moves_to_another_phone_and_the_first_one_is_told(ana_phone, round_):
    ana_phone.send("seat-keep", SUPER[0])
    other = Phone(ana_phone.link)
    other.open()
    assertContains(other.send("seat-move"), 'value="AsAhKd"')
    answer = ana_phone.ask(f"laying.{round_.pk}")
    page = ana_phone.open(answer.headers["HX-Redirect"])
    assertContains(page, "Your seat was opened on another phone just now.")
    assertNotContains(page, "AsAhKd")


# ---------------------------------------------------------------- the host enters for him


def test_a_hand_that_the_host_takes_over_is_told_and_comes_back(ana_phone, round_, host, ana):
    ana_phone.ready(SUPER[0])
    host.post(reverse("hand-take-over", args=[ana_phone.hand.pk]))
    page = ana_phone.open()
    assertContains(page, "The host enters your hand")
    assertContains(page, "What you laid is kept here; nobody has seen it.")
    assertContains(ana_phone.send("seat-take-back"), 'value="AsAhKd"')


def test_he_may_show_the_host_what_he_laid(ana_phone, round_, host, ana):
    ana_phone.ready(SUPER[0])
    host.post(reverse("hand-take-over", args=[ana_phone.hand.pk]))
    ana_phone.send("seat-give")
    assertContains(host.get(reverse("round-entry", args=[round_.pk])), "AsAhKd")


def test_what_arrives_after_the_host_took_over_is_kept(ana_phone, round_, host, ana):
    ana_phone.send("seat-keep", "As / /")
    late = ana_phone.typed(SUPER[0]) | {"round": round_.pk}
    host.post(reverse("hand-take-over", args=[ana_phone.hand.pk]))
    response = ana_phone.client.post(ana_phone.url("seat-keep"), late, follow=True)
    assertContains(response, "The host enters your hand in this round. What you laid is kept here; nothing is lost.")
    assert laid(ana) == ("", "", "")
    assertContains(ana_phone.send("seat-take-back"), 'value="9s9h9d9c2c"')


def test_a_hand_that_the_host_has_begun_is_his(ana_phone, round_, ana):
    host_types(ana_phone.hand, "As / /")
    page = ana_phone.open()
    assertContains(page, "The host enters your hand")
    assertNotContains(page, "data-picker")


# ---------------------------------------------------------------- what happens meanwhile


def test_without_a_round_the_seat_waits(ana_phone, session):
    page = text(ana_phone.open())
    assert "The next round is not open yet" in page
    assert "1 Ana no round yet" in page


def test_who_is_not_dealt_in_sits_out(phones, session, cast):
    ledger.open_round(session, cast[:3])
    assertContains(phones[3].open(), "You sit out round 1")


def test_the_last_result_leads_to_its_reasons(ana_phone, score):
    score()
    page = ana_phone.open()
    assert "Round 1 +Rp 640.200 +66 points" in text(page)
    result = ana_phone.client.get(ana_phone.url("seat-round", 1))
    assertContains(result, "wins from")
    assertContains(ana_phone.client.get(ana_phone.url("seat-rules")), "The rules of Capsa as they are.")


def test_a_round_that_is_not_scored_has_no_result_page(ana_phone, round_):
    assertRedirects(ana_phone.client.get(ana_phone.url("seat-round", 1)), ana_phone.url())
    assert ana_phone.client.get(ana_phone.url("seat-round", 9)).status_code == 404


def test_after_the_reveal_the_hand_is_down(phones, round_, rudi):
    all_ready(phones)
    late = phones[0].typed("As / /") | {"round": round_.pk}
    ledger.reveal_round(round_, rudi)
    assertContains(phones[0].open(), "The hands are on the table")
    for name in ("seat-keep", "seat-unready"):
        response = phones[0].client.post(phones[0].url(name), late, follow=True)
        assertContains(response, "If yours is wrong, tell the host.")
    assert phones[0].hand.front == "AsAhKd"


def test_a_round_scored_while_the_page_is_open_is_told(ana_phone, phones, round_, rudi):
    all_ready(phones)
    late = ana_phone.typed(SUPER[0]) | {"round": round_.pk}
    ledger.record_round(round_, rudi)
    response = ana_phone.client.post(ana_phone.url("seat-ready"), late, follow=True)
    assertContains(response, "Round 1 is scored.")
    assertContains(response, "+66 points")


def test_a_round_discarded_while_the_page_is_open_is_told(ana_phone, round_, session, cast):
    late = ana_phone.typed(SUPER[0]) | {"round": round_.pk}
    ledger.discard_round(round_)
    response = ana_phone.client.post(ana_phone.url("seat-keep"), late, follow=True)
    assertContains(response, "The host discarded the round. Nothing of it counts.")
    again = ledger.open_round(session, cast)
    response = ana_phone.client.post(ana_phone.url("seat-keep"), late, follow=True)
    assertContains(response, "The host discarded the round.")
    assert not again.hands.exclude(front="").exists()


def test_who_is_taken_out_while_he_lays_is_told_and_finds_his_cards_again(phones, round_, cast):
    dewi = phones[3]
    dewi.send("seat-keep", SUPER[3])
    late = dewi.typed(SUPER[3]) | {"round": round_.pk}
    ledger.reseat_round(round_, cast[:3])
    response = dewi.client.post(dewi.url("seat-keep"), late, follow=True)
    assertContains(response, "The host changed who plays: you sit out round 1.")
    assertContains(response, "What you laid is kept, in case the host seats you again.")
    ledger.reseat_round(round_, cast)
    assertContains(dewi.open(), 'value="8s7h6c"')


def test_a_closed_evening_says_so_and_takes_nothing(ana_phone, session, score, rudi):
    score()
    ledger.close_session(session, rudi)
    page = ana_phone.open()
    assertContains(page, "The evening is closed")
    assertNotContains(page, "data-poll")
    for name in VERBS:
        response = ana_phone.client.post(ana_phone.url(name), {"round": "1"}, follow=True)
        assertContains(response, "The evening is closed")


# ---------------------------------------------------------------- the page asks by itself


def test_nothing_new_is_a_short_answer(ana_phone, round_, django_assert_num_queries):
    ana_phone.open()
    with django_assert_num_queries(3):  # link, round, hand
        answer = ana_phone.ask(f"laying.{round_.pk}")
    assert (answer.status_code, answer.content) == (204, b"")


def test_what_others_do_is_nothing_new(ana_phone, budi_phone, round_):
    ana_phone.ready(SUPER[0])
    budi_phone.ready(SUPER[1])
    assert ana_phone.ask(f"ready.{round_.pk}").status_code == 204


def test_every_turn_of_the_round_is_heard(ana_phone, phones, session, cast, host, rudi):
    key = ana_phone.open().context["own"].key
    keys = [key]

    def turn(write) -> None:
        write()
        answer = ana_phone.ask(keys[-1])
        page = ana_phone.open(answer.headers["HX-Redirect"])
        keys.append(page.context["own"].key)

    turn(lambda: ledger.open_round(session, cast))
    turn(lambda: ana_phone.ready(SUPER[0]))
    turn(lambda: host.post(reverse("hand-take-over", args=[ana_phone.hand.pk])))
    turn(lambda: ana_phone.send("seat-take-back"))
    turn(lambda: all_ready(phones))
    turn(lambda: ledger.reveal_round(session.rounds.get(), rudi))
    turn(lambda: ledger.record_round(session.rounds.get(), rudi))
    turn(lambda: ledger.close_session(session, rudi))
    assert [key.split(".")[0] for key in keys] == [
        *("waiting", "laying", "ready", "host", "laying", "ready", "revealed", "waiting", "closed"),
    ]


@pytest.mark.parametrize("key", ["", "x", "laying.", "laying.abc", "laying." + "9" * 40, "laying.-1", "laying.٣", "."])
def test_any_key_is_answered(ana_phone, round_, key):
    assert ana_phone.ask(key).status_code == 200


# ---------------------------------------------------------------- who gets in


@pytest.mark.parametrize("token", ["guessed", "x" * 22, "revoked", "board"])
def test_any_other_token_opens_nothing(client, session, ana_phone, round_, rudi, token):
    tokens = {"revoked": ana_phone.link.token, "board": sharing.share_board(session, rudi).token}
    if token == "revoked":
        ana_phone.send("seat-keep", "As / /")
        sharing.revoke_link(ana_phone.link, rudi)
    token = tokens.get(token, token)
    page = client.get(reverse("seat", args=[token]))
    assertContains(page, "This link is not open", status_code=404)
    assertContains(page, "Nothing that was entered is lost.", status_code=404)
    for name in VERBS:
        assert client.post(reverse(name, args=[token]), {"round": round_.pk}).status_code == 404
    assert client.get(reverse("seat-state", args=[token]), headers=HTMX).status_code == 286


def test_what_was_laid_outlives_a_revoked_link(ana_phone, round_, session, rudi):
    ana_phone.send("seat-keep", "As / /")
    sharing.revoke_link(ana_phone.link, rudi)
    ana_phone.link = sharing.share_seats(session, rudi)[0]
    assertContains(ana_phone.open(), 'value="As"')


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_only_posted(ana_phone, round_, name):
    assert ana_phone.client.get(ana_phone.url(name)).status_code == 405


def test_opening_a_seat_changes_nothing(ana_phone, round_, session):
    session.refresh_from_db()
    before = session.version, list(Hand.objects.values())
    ana_phone.open()
    ana_phone.ask("")
    session.refresh_from_db()
    assert (session.version, list(Hand.objects.values())) == before


def test_the_page_is_kept_by_nobody(ana_phone, round_):
    headers = ana_phone.open().headers
    assert "no-store" in headers["Cache-Control"]
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert headers["Referrer-Policy"] == "same-origin"


def test_the_page_takes_a_constant_number_of_queries(ana_phone, score, session, cast, django_assert_num_queries):
    score()
    with django_assert_num_queries(7):
        ana_phone.open()
    score()
    with django_assert_num_queries(7):
        ana_phone.open()
    ledger.open_round(session, cast)
    with django_assert_num_queries(4):
        ana_phone.open()


def test_names_are_text(phones, round_, ana):
    Player.objects.filter(pk=ana.pk).update(name="<img src=x onerror=alert(1)>")
    assertNotContains(phones[0].open(), "<img")
    Session.objects.update(closed_at="2026-11-26T22:00Z")
    assertNotContains(phones[1].open(), "<img")


def test_keeping_a_hand_takes_a_constant_number_of_queries(phones, round_, django_assert_num_queries):
    for phone, hand in zip(phones[1:], SUPER[1:], strict=True):
        phone.ready(hand)
    form = phones[0].typed(SUPER[0]) | {"round": round_.pk}
    with django_assert_num_queries(14):
        phones[0].client.post(phones[0].url("seat-keep"), form, headers=HTMX)
