"""A phone that fills the forms of the running site, and knows what it was told."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException
from random import Random
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client

from scoring.models import Entry, Round, Session
from tests.torture.acknowledged import Writes
from tests.torture.scene import deal

Fields = dict[str, list[str]]
PATIENCE = 30  # seconds for an answer
TOKEN = "t" * 32  # what the cookie and every form carry against forged requests


class Gone(Exception):
    """No answer came."""


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    text: str


@dataclass(frozen=True)
class Order:
    """A form that is sent: what it is `about`, and what its answer tells."""

    path: str
    fields: Fields
    about: int | UUID
    note: Callable[[Answer], None]


class Forms(HTMLParser):
    """The forms of a page by their address: the fields of each with what stands in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Fields]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "form":
            self.found.append(((named.get("action") or "").partition("#")[0], {}))
        elif tag == "input" and self.found and "name" in named and _is_sent(named):
            self.found[-1][1].setdefault(str(named["name"]), []).append(named.get("value") or "")

    def at(self, path: str) -> list[Fields]:
        return [fields for action, fields in self.found if action == path]


class Phone:
    """One host's phone at one evening. It sends what had no answer once more before it goes on, as people do."""

    def __init__(self, port: int, session: Session, user: User) -> None:
        self.port, self.session = port, session
        self.cast = [str(player) for player in session.players.values_list("pk", flat=True)]
        self.chance = Random(user.username)
        self.writes = Writes()
        self.unanswered: Order | None = None
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        client = Client()
        client.force_login(user)
        cookies = {name: morsel.value for name, morsel in client.cookies.items()} | {"csrftoken": TOKEN}
        self.cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def use(self) -> None:
        """Write until the site is gone."""
        try:
            if self.unanswered:
                self._send(self.unanswered)
            while True:
                self.chance.choice([self.play, self.play, self.pay, self.flip, self.amend, self.take_back])()
        except Gone:
            self.connection.close()

    def play(self) -> None:
        opened = self._ask("POST", f"/sessions/{self.session.pk}/rounds/new/", {"players": self.cast})
        (fields,) = self._forms(opened.location).at(opened.location.replace("/entry/", "/check/"))
        pk = _number(opened.location)
        self._lay(fields, deal(self.chance.randrange(10**9)))
        self._send(Order(f"/rounds/{pk}/score/", fields, pk, lambda answer: self._note_round(pk, "scored", answer)))

    def pay(self) -> None:
        path = f"/sessions/{self.session.pk}/payments/"
        forms = self._forms(f"/sessions/{self.session.pk}/settle/").at(path)
        if forms:
            fields = self.chance.choice(forms)
            due = int(re.sub(r"\D", "", fields["amount"][0]))
            fields["amount"] = [str(self.chance.randint(1, due))]
            key = UUID(fields["key"][0])
            self._send(Order(path, fields, key, lambda answer: self._note_payment(key, True, answer)))

    def take_back(self) -> None:
        standing = [key for key, stands in self.writes.payments.items() if stands]
        if standing:
            key = self.chance.choice(standing)
            path = f"/entries/{Entry.objects.get(session=self.session, key=key).pk}/reverse/"
            self._send(Order(path, {}, key, lambda answer: self._note_payment(key, False, answer)))

    def flip(self) -> None:
        pk = self._own_round(Round.State.SCORED, Round.State.VOIDED)
        if pk is not None:
            to, verb = (("scored", "restore"), ("voided", "void"))[self.writes.rounds[pk] == "scored"]
            self._send(Order(f"/rounds/{pk}/{verb}/", {}, pk, lambda answer: self._note_round(pk, to, answer)))

    def amend(self) -> None:
        pk = self._own_round(Round.State.SCORED)
        if pk is not None:
            (fields,) = self._forms(f"/rounds/{pk}/amend/").at(f"/rounds/{pk}/amend/")
            self._lay(fields, deal(self.chance.randrange(10**9)))
            fields |= {"players": self.cast, "reason": ["Misread"]}
            self._send(Order(f"/rounds/{pk}/amend/save/", fields, pk, lambda answer: self._note_amended(pk, answer)))

    # ---------------------------------------------------------------- what is told

    def _note_round(self, pk: int, state: str, answer: Answer) -> None:
        if answer.location != f"/rounds/{pk}/":
            raise AssertionError(f"round {pk} is not {state}: {answer.status} {answer.location}")
        self.writes.rounds[pk] = state

    def _note_amended(self, pk: int, answer: Answer) -> None:
        if answer.status != 302:
            raise AssertionError(f"round {pk} is not corrected: {answer.status}")
        self.writes.rounds |= {pk: Round.State.AMENDED, _number(answer.location): Round.State.SCORED}

    def _note_payment(self, key: UUID, stands: bool, answer: Answer) -> None:
        if answer.status != 302:
            raise AssertionError(f"payment {key} is refused: {answer.status}")
        self.writes.payments[key] = stands

    # ---------------------------------------------------------------- asking

    def _send(self, order: Order) -> None:
        self.unanswered = order
        self.writes.unsure.add(order.about)
        order.note(self._ask("POST", order.path, order.fields))
        self.writes.unsure.discard(order.about)
        self.writes.told += 1
        self.unanswered = None

    def _forms(self, path: str) -> Forms:
        return Forms(self._ask("GET", path).text)

    def _ask(self, method: str, path: str, fields: Mapping[str, Sequence[str]] | None = None) -> Answer:
        headers = {"Cookie": self.cookies, "X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
        try:
            self.connection.request(method, path, urlencode(fields or {}, doseq=True), headers)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.headers.get("Location", ""), response.read().decode())
        except (OSError, HTTPException) as error:
            raise Gone from error
        if answer.status >= 500:
            raise AssertionError(f"{method} {path} ended in {answer.status}")
        return answer

    def _lay(self, fields: Fields, hands: Sequence[Mapping[str, str]]) -> None:
        places = [name.removesuffix("-front") for name in fields if name.endswith("-front")]
        for place, rows in zip(places, hands, strict=True):
            fields |= {f"{place}-{row}": [cards] for row, cards in rows.items()}

    def _own_round(self, *states: str) -> int | None:
        own = [pk for pk, state in self.writes.rounds.items() if state in states]
        return self.chance.choice(own) if own else None


def _is_sent(field: Mapping[str, str | None]) -> bool:
    return field.get("type") not in ("checkbox", "radio") or "checked" in field


def _number(path: str) -> int:
    found = re.fullmatch(r"/rounds/(\d+)/(?:entry/)?", path)
    if not found:
        raise AssertionError(f"no page of a round: {path}")
    return int(found[1])
