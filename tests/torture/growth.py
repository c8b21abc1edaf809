"""What grows with the rounds of an evening, measured: `python -m tests.torture growth [--rounds 1000]`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from scoring import ledger, sharing
from scoring.audit import audit_ledger
from scoring.models import Session
from tests.torture.installation import database_name
from tests.torture.scene import deal, make_evenings, play

TURNS = 5


def main(arguments: Sequence[str]) -> str:
    """Runs it; gives a table. Raises AssertionError where the audit finds a fault."""
    asked = _asked(arguments)
    # No static files are collected here: pages need not know what theirs are called.
    settings.STATIC_ROOT.mkdir()
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    short = asked.rounds // 10
    (few, many), (user,) = make_evenings(2, 1)
    play(few, short, user)
    slow = _seconds(_audit)
    play(many, asked.rounds, user)
    both = _seconds(_audit)
    lines = [f"On {database_name()}, milliseconds with {short:,} rounds, with {asked.rounds:,}, and their ratio:"]
    works = zip(_works(few, user).items(), _works(many, user).values(), strict=True)
    for (name, with_few), with_many in works:
        before, after = _seconds(with_few), _seconds(with_many)
        lines.append(f"{name:<22}{1000 * before:8.1f}{1000 * after:8.1f}{after / before:6.1f}")
    whole = short + asked.rounds
    lines.append(f"Audit: {short / slow:,.0f} rounds/s of {short:,}, {whole / both:,.0f} rounds/s of {whole:,}.")
    return "\n".join(lines)


def _works(session: Session, user: User) -> dict[str, Callable[[], object]]:
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    round_ = session.rounds.first()
    pages = {
        "session page": f"/sessions/{session.pk}/",
        "settle-up": f"/sessions/{session.pk}/settle/",
        "settle-up, direct": f"/sessions/{session.pk}/settle/?plan=direct",
        "board": f"/board/{sharing.share_board(session, user).token}/",
        "a round": f"/rounds/{round_.pk}/" if round_ else "",
        "change log": f"/sessions/{session.pk}/log/",
    }
    return {name: _get(client, path) for name, path in pages.items()} | {
        "saving a round": lambda: _score(session, user)
    }


def _get(client: Client, path: str) -> Callable[[], object]:
    def get() -> None:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    return get


def _score(session: Session, user: User) -> None:
    round_ = ledger.open_round(session, list(session.players.order_by("seats__position")))
    for hand, rows in zip(round_.hands.all(), deal(round_.number), strict=True):
        ledger.keep_hand(hand, rows, hand.version)
    ledger.record_round(round_, user)


def _audit() -> None:
    faults = audit_ledger().faults
    assert not faults, "\n".join(map(str, faults))


def _seconds(work: Callable[[], object]) -> float:
    """The median of a few turns, after one that fills the caches."""
    work()
    times = []
    for _turn in range(TURNS):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return median(times)


def _asked(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.torture growth")
    parser.add_argument("--rounds", type=int, default=1_000)
    return parser.parse_args(arguments)
