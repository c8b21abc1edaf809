"""The server is killed at random moments while phones write: `python -m tests.torture crash [--kills 20]`.

`manage.py serve` and everything of its process group get SIGKILL, which nothing can prepare for. After each restart
the book must hold every write that a phone was told of, none twice, none half.
"""

import os
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from random import Random
from time import monotonic, sleep

from django.conf import settings
from django.db import connections

from scoring.models import Session
from tests.torture.acknowledged import Writes, disagreements
from tests.torture.installation import database_name, leave_database
from tests.torture.phone import Phone
from tests.torture.scene import make_evenings

BEGIN = 120  # seconds that a start may take on a busy machine


@contextmanager
def serving(port: int) -> Iterator[None]:
    """The site on `port`, from its first answer to the end of the block, where it is killed."""
    command = [sys.executable, "manage.py", "serve", "--host=127.0.0.1", f"--port={port}"]
    log = settings.DATA_DIR / "server.log"
    with log.open("w") as said:
        served = subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True
        )
    try:
        _wait_for_answer(served, port)
        yield
    except AssertionError as error:
        error.add_note(log.read_text())
        raise
    finally:
        os.killpg(served.pid, signal.SIGKILL)
        served.wait()


def _wait_for_answer(served: "subprocess.Popen[bytes]", port: int) -> None:
    until = monotonic() + BEGIN
    while monotonic() < until and served.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except (OSError, HTTPException):
            sleep(0.05)
        else:
            return
        finally:
            connection.close()
    raise AssertionError(f"the site does not start; exit status {served.poll()}")


def _wait_for_writes(phones: Sequence[Phone], uses: Sequence[Future[None]], writes: int) -> None:
    """Until the phones were told of so many more writes, however fast the machine is, or one of them failed."""
    due = writes + sum(phone.writes.told for phone in phones)
    while sum(phone.writes.told for phone in phones) < due and not any(used.done() for used in uses):
        sleep(0.005)


def use(phone: Phone) -> None:
    """Let it write until the site is gone, in a thread of its own."""
    try:
        phone.use()
    finally:
        connections.close_all()


def check(phones: Sequence[Phone], sessions: Sequence[Session]) -> Writes:
    """Raises AssertionError where the book is not as the phones were told."""
    writes = sum((phone.writes for phone in phones), Writes())
    faults = disagreements(writes, sessions)
    if faults:
        raise AssertionError("\n".join(faults))
    return writes


def main(arguments: Sequence[str]) -> str:
    """Runs it; gives a sentence with the figures. Raises AssertionError where a write was lost, or is there by half."""
    asked = _asked(arguments)
    sessions, users = make_evenings(asked.phones, asked.phones)
    port = _free_port()
    phones = [Phone(port, session, user) for session, user in zip(sessions, users, strict=True)]
    leave_database()
    moments = Random(asked.kills)
    for _kill in range(asked.kills):
        with ThreadPoolExecutor(asked.phones) as threads:
            with serving(port):
                check(phones, sessions)
                uses = [threads.submit(use, phone) for phone in phones]
                _wait_for_writes(phones, uses, moments.randint(1, asked.writes))
                sleep(moments.uniform(0, 0.1))
            for used in uses:
                used.result()
    with serving(port):
        writes = check(phones, sessions)
    return (
        f"{asked.kills} times killed on {database_name()} while {asked.phones} phones wrote {len(writes.rounds)} "
        f"rounds and {len(writes.payments)} payments: each of {writes.told} acknowledged writes there once, none half."
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _asked(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.torture crash")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--phones", type=int, default=4)
    parser.add_argument("--writes", type=int, default=30, help="told to the phones before a kill, at most")
    return parser.parse_args(arguments)
