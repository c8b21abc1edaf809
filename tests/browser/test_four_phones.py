"""Everybody on his own phone: four hands at once over a slow network, nothing lost, nobody else's cards, few taps."""

import re
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring import ledger, sharing
from scoring.engine.cards import format_cards, parse_cards
from scoring.models import Hand, Player, Round, Session, ShareLink
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot
from tests.browser.conftest import OpenPage
from tests.conftest import SUPER

MOST_TAPS = 15
LATENCY = 300  # milliseconds that the network adds


def cards_of(hand: str) -> list[str]:
    return [format_cards([card]) for row in hand.split("/") for card in parse_cards(row)]


class Phone:
    """One player's phone, with every tap on it."""

    def __init__(self, page: Page, link: ShareLink) -> None:
        self.page = page
        self.path = reverse("seat", args=[link.token])
        self.taps = 0

    def open(self) -> None:
        self.page.goto(self.path)

    def lay(self, cards: list[str]) -> None:
        for card in cards:
            self.page.locator(f'[data-card="{card}"]').tap()
            self.taps += 1

    def say(self, button: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{button}")).tap()
        self.taps += 1


@pytest.fixture
def links(session: Session, rudi: User) -> list[ShareLink]:
    return sharing.share_seats(session, rudi)


@pytest.fixture
def round_(session: Session, cast: list[Player]) -> Round:
    return ledger.open_round(session, cast)


@pytest.fixture
def phones(open_page: OpenPage, links: list[ShareLink]) -> list[Phone]:
    """Four phones; the seats are not opened yet."""
    return [Phone(open_page("/healthz"), link) for link in links]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every answer of the site from now on: what was asked for, and all that was sent back."""
    sent: list[tuple[str, str]] = []
    answer = BaseHandler.get_response

    def get_response(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        response = answer(handler, request)
        if isinstance(response, HttpResponse):
            sent.append((request.path, f"{response.headers} {response.cookies} {response.content.decode()}"))
        return response

    monkeypatch.setattr(BaseHandler, "get_response", get_response)
    return sent


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure among the results of the tests."""

    def tell(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{text}\n")

    return tell


def slow(page: Page) -> None:
    """From now on every request takes a while longer."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions)


def test_four_hands_at_once_over_a_slow_network(open_page, phones, round_, session, rudi, sent, tell):
    """All lay at the same time, Citra's page is loaded anew half-way, Dewi's phone sleeps a while. RULES 11: +66."""
    for phone in phones:
        slow(phone.page)
        phone.open()
    hands = [cards_of(hand) for hand in SUPER]
    for place in range(13):
        for phone, cards in zip(phones, hands, strict=True):
            phone.lay([cards[place]])
        if place == 6:
            phones[2].page.reload()
            phones[3].page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    for phone in reversed(phones):
        phone.say("Ready")
        expect(phone.page.get_by_role("heading", name="You are ready")).to_be_visible()
    host = open_page(reverse("round-entry", args=[round_.pk]), rudi)
    expect(host.locator(".hidden-hands .ready")).to_have_count(4)
    _assert_nothing_of(hands, [text for path, text in sent if not path.startswith("/seat/")])
    host.get_by_role("button", name="Reveal", exact=True).click()
    host.get_by_role("button", name="Score round 1").click()
    expect(host.locator(".win")).to_contain_text("+66 points")
    assert session.rounds.get().state == Round.State.SCORED
    assert [hand.points for hand in Hand.objects.order_by("position")] == [66, -22, -24, -20]
    for phone in phones:
        expect(phone.page.get_by_text("Round 1 is scored.")).to_be_visible()
    tell(f"taps on each player's own phone: {', '.join(str(phone.taps) for phone in phones)} (at most {MOST_TAPS})")
    assert max(phone.taps for phone in phones) <= MOST_TAPS
    for phone, own in zip(phones, hands, strict=True):
        received = [text for path, text in sent if path.startswith(phone.path)]
        assert " ".join(own[:3]) in "".join(received)
        _assert_nothing_of([cards for cards in hands if cards is not own], received)


def _assert_nothing_of(hands: list[list[str]], texts: list[str]) -> None:
    """No two cards that lie side by side in one of `hands` do so in what was sent, however they are parted.

    Keys of forms and cookies are left out: random letters and digits, longer than a hand, they may well say AhKd.
    """
    texts = [re.sub(r"[A-Za-z0-9_-]{32,}", "", text) for text in texts]
    for cards in hands:
        for first, second in pairwise(cards):
            told = re.compile(rf"{first}[ ,]*{second}")
            assert not [text for text in texts if told.search(text)], (first, second)


def test_a_card_that_another_hand_holds_pops_out_and_is_told(phones, round_):
    ana, budi, *_others = phones
    ana.open()
    ana.lay(["As"])
    _expect_kept(round_, "Ana", "As", ana.page)
    budi.open()
    budi.lay(["Ks", "As"])
    expect(budi.page.locator("#told")).to_contain_text("A♠\ufe0e is in another hand already.")
    expect(budi.page.locator('[data-card="As"]')).to_have_attribute("aria-pressed", "false")
    _expect_kept(round_, "Budi", "Ks", budi.page)
    budi.lay(["Qc"])
    _expect_kept(round_, "Budi", "Ks Qc", budi.page)
    expect(budi.page.locator("#told .toast")).to_have_count(0)
    _expect_kept(round_, "Ana", "As", ana.page)


def test_the_host_takes_a_hand_over_while_it_is_laid(open_page, phones, round_, rudi):
    ana = phones[0]
    ana.open()
    ana.lay(cards_of(SUPER[0])[:5])
    _expect_kept(round_, "Ana", "As Ah Kd", ana.page)
    host = open_page(reverse("round-entry", args=[round_.pk]), rudi)
    host.get_by_role("button", name="Take over").click()
    expect(ana.page.get_by_role("heading", name="The host enters your hand")).to_be_visible()
    ana.page.get_by_role("button", name="Lay it here myself").tap()
    expect(ana.page.locator('[data-row="front"] .slot')).to_contain_text(["A", "A", "K", ""])
    ana.lay(cards_of(SUPER[0])[5:])
    ana.say("Ready")
    expect(ana.page.get_by_role("heading", name="You are ready")).to_be_visible()


def test_a_round_discarded_while_one_lays_is_told_and_the_next_one_comes(phones, round_, session, cast):
    ana = phones[0]
    ana.open()
    ana.lay(["As", "Ah"])
    ledger.discard_round(round_)
    expect(ana.page.get_by_text("The host discarded the round.")).to_be_visible()
    ledger.open_round(session, cast)
    expect(ana.page.locator('[data-card="As"]')).to_have_attribute("aria-pressed", "false")


def test_the_whole_seat_without_javascript(open_page, links, session, cast, rudi):
    page = open_page(reverse("seat", args=[links[0].token]), javascript=False)
    expect(page.get_by_role("heading", name="The next round is not open yet")).to_be_visible()
    round_ = ledger.open_round(session, cast)
    page.get_by_role("button", name="Refresh").click()
    for row, cards in zip(("Front", "Middle", "Back"), SUPER[0].split("/"), strict=True):
        page.get_by_label(f"Ana, {row}").fill(cards.strip())
    page.get_by_role("button", name="Check").last.click()
    expect(page.get_by_text("Full house Q")).to_be_visible()
    assert_no_sideways_scroll(page)
    page.get_by_role("button", name="Ready").click()
    expect(page.get_by_role("heading", name="You are ready")).to_be_visible()
    page.get_by_role("button", name="Take it back").click()
    page.get_by_role("button", name="Ready").click()
    assert round_.hands.get(player=cast[0]).ready_at is not None
    assert_no_sideways_scroll(page)


def test_every_stage_of_the_seat_can_be_read_by_everybody(phones, round_, session, cast, rudi, lay):
    ana = phones[0]

    def look(name: str) -> None:
        ana.open()
        assert_no_sideways_scroll(ana.page)
        assert_accessible(ana.page)
        screenshot(ana.page, f"seat-{name}")

    def leave() -> None:
        """Before something happens: the open page would go on by itself, under the eyes of whoever looks."""
        ana.page.goto("/healthz")

    look("laying")
    ana.lay(cards_of(SUPER[0]))
    ana.say("Ready")
    expect(ana.page.get_by_role("heading", name="You are ready")).to_be_visible()
    look("ready")
    leave()
    ledger.take_over_hand(round_.hands.get(player=cast[0]))
    look("host")
    leave()
    ledger.reseat_round(round_, cast[1:])
    look("resting")
    leave()
    ledger.discard_round(round_)
    look("waiting")
    leave()
    lay(ledger.open_round(session, cast), SUPER)
    ledger.record_round(session.rounds.get(), rudi)
    look("result")
    leave()
    ledger.close_session(session, rudi)
    look("closed")


def test_the_hosts_page_with_hidden_hands_can_be_read_by_everybody(open_page, phones, round_, rudi):
    for phone, hand in zip(phones[:2], SUPER, strict=False):
        phone.open()
        phone.lay(cards_of(hand))
    phones[0].say("Ready")
    expect(phones[0].page.get_by_role("heading", name="You are ready")).to_be_visible()
    page = open_page(reverse("round-entry", args=[round_.pk]), rudi)
    expect(page.locator(".hidden-hands")).to_contain_text("ready")
    assert_no_sideways_scroll(page)
    assert_accessible(page)
    screenshot(page, "entry-hidden")


def _expect_kept(round_: Round, name: str, front: str, page: Page) -> None:
    """The front of a hand stands in the book, at the latest when the answer is there."""
    for _attempt in range(50):
        if round_.hands.get(player__name=name).front == front:
            return
        page.wait_for_timeout(100)
    assert round_.hands.get(player__name=name).front == front
