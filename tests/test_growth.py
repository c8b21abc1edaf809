"""A thousand rounds in one evening: every page and every write asks the database as often as with ten."""

from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import ledger, sharing
from scoring.audit import audit_ledger
from scoring.audit.faults import CHUNK
from scoring.ledger.bulk import write_payments
from scoring.models import Change, Player, Session
from scoring.urls import urlpatterns
from tests.torture.scene import deal, make_evenings, play

FEW, MANY = 10, 1_000
FILES = ("-csv", "-excel", "-json")  # to take along, as long as the evening is


@pytest.fixture
def two_evenings(db) -> tuple[Session, Session, User]:
    """One with few rounds, one with many; payments and changes in proportion."""
    (few, many), (user,) = make_evenings(2, 1)
    for session, number in ((few, FEW), (many, MANY)):
        rounds = play(session, number, user)
        ana, budi = session.seats.values_list("player_id", flat=True)[:2]
        write_payments(session, [(ana, budi, 1_000, round_.scored_at) for round_ in rounds[::5]], user)
        told = {"currency": "IDR", "stake": 10_000}
        Change.objects.bulk_create(
            Change(club=session.club, session=session, kind="stake", action="changed", old=told, new=told)
            for _change in range(number)
        )
    return few, many, user


def pages(session: Session, user: User) -> Iterator[tuple[str, str]]:
    """Every page about the evening, for its host and on the board, and that of its last round."""
    round_ = session.rounds.first()
    keys: dict[str, dict[str, object]] = {
        "sessions/<int:pk>/": {"pk": session.pk},
        "rounds/<int:pk>/": {"pk": round_.pk},
        "board/<str:token>/": {"token": sharing.share_board(session, user).token},
    }
    for pattern in urlpatterns:
        route, converters = str(pattern.pattern), pattern.pattern.converters
        for start, key in keys.items():
            if route.startswith(start):
                more = {"number": round_.number, "player_pk": session.seats.first().player_id}
                named = key | {name: more[name] for name in converters if name not in key}
                if not pattern.name.endswith(FILES):
                    yield pattern.name, reverse(pattern.name, kwargs=named)


def queries(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def test_every_page_asks_as_much_for_a_thousand_rounds_as_for_ten(two_evenings):
    few, many, user = two_evenings
    client = Client()
    client.force_login(user)

    def asked(session: Session) -> dict[str, int]:
        opened = {name: path for name, path in pages(session, user) if client.get(path).status_code == 200}
        return {name: queries(partial(client.get, path)) for name, path in opened.items()}

    with_few, with_many = asked(few), asked(many)
    assert {"session", "settle-up", "board", "round", "session-log"} <= with_many.keys()
    assert {name: (with_few[name], number) for name, number in with_many.items() if number > with_few[name]} == {}


def test_writes_ask_as_much_after_a_thousand_rounds_as_after_ten_and_the_audit_once_per_chunk(two_evenings):
    few, many, user = two_evenings

    def written(session: Session) -> dict[str, int]:
        cast: list[Player] = list(session.players.order_by("seats__position"))
        ana, budi = cast[:2]
        round_ = ledger.open_round(session, cast)
        for hand, rows in zip(round_.hands.all(), deal(10**6), strict=True):
            ledger.keep_hand(hand, rows, hand.version)
        claim = next(claim for claim in ledger.settlement(session).claims if claim.open)
        payer, payee = (next((one for one in cast if one.pk == who), None) for who in (claim.payer, claim.payee))
        return {
            "score": queries(lambda: ledger.record_round(round_, user)),
            "void": queries(lambda: ledger.void_round(round_, user)),
            "restore": queries(lambda: ledger.restore_round(round_, user)),
            "amend": queries(lambda: ledger.amend_round(round_, user, "Misread", stake=20_000)),
            "adjust": queries(
                lambda: ledger.record_adjustment(session, {ana.pk: 5, budi.pk: -5}, "Tea", uuid4(), user)
            ),
            "pay": queries(lambda: ledger.record_payment(session, payer, payee, 1, uuid4(), user)),
            "close": queries(lambda: ledger.close_session(session, user)),
        }

    assert written(many) == written(few)
    with CaptureQueriesContext(connection) as captured:
        assert not audit_ledger().faults
    assert len(captured) <= 60 + 6 * (MANY // CHUNK + 1)
