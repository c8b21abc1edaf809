"""Many processes write into one evening: `python -m tests.torture concurrency [--writers 8] [--rounds 50]`.

All enter the same cards, as the phones at one table do; each must score so many rounds and record so many payments
itself, and voids, restores, corrects and takes back some of them. A refusal in words is part of the game ("scored
already", "at most so much is open"); any other error, such as a database that is locked, ends the run.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from multiprocessing import get_context
from random import Random
from time import monotonic
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from scoring import ledger
from scoring.engine.errors import ScoringError
from scoring.models import Entry, Player, Round, Session
from tests.torture.acknowledged import Writes, disagreements
from tests.torture.installation import database_name, leave_database
from tests.torture.scene import deal, make_evenings


class Writer:
    """One of the processes. What it was told is in `writes`."""

    def __init__(self, session: Session, user: User, rounds: int) -> None:
        self.session, self.user, self.quota = session, user, rounds
        self.chance = Random(user.username)
        self.writes = Writes()
        self.cast: list[Player] = list(session.players.order_by("seats__position"))
        self.scored = 0

    def run(self) -> Writes:
        steps = [self.play, self.play, self.pay, self.pay, self.flip, self.amend, self.take_back]
        while self.scored < self.quota or len(self.writes.payments) < self.quota:
            try:
                self.writes.told += self.chance.choice(steps)()
            except (ledger.LedgerError, ScoringError):
                self.writes.refusals += 1
        return self.writes

    # Each step gives how many writes were acknowledged.

    def play(self) -> int:
        """Score the open round, with the cards that lie on the table in the round of its number."""
        if self.scored == self.quota:
            return 0
        round_ = ledger.open_round(self.session, self.cast)
        for hand, rows in zip(round_.hands.all(), deal(round_.number), strict=True):
            ledger.keep_hand(hand, rows, hand.version)
        round_ = ledger.record_round(round_, self.user)
        if round_.scored_by_id != self.user.pk or round_.pk in self.writes.rounds:
            return 0
        self.writes.rounds[round_.pk] = Round.State.SCORED
        self.scored += 1
        return 1

    def pay(self) -> int:
        """Record part of what is open; now and then the tap arrives twice."""
        due = [claim for claim in ledger.settlement(self.session).claims if claim.open]
        if not due or len(self.writes.payments) == self.quota:
            return 0
        claim = self.chance.choice(due)
        amount = self.chance.randint(1, claim.open)
        key = uuid4()
        named: dict[int | None, Player] = {player.pk: player for player in self.cast}
        parties = named.get(claim.payer), named.get(claim.payee)
        for _tap in range(self.chance.choice((1, 1, 2))):
            ledger.record_payment(self.session, *parties, amount, key, self.user)
            self.writes.payments[key] = True
        return 1

    def flip(self) -> int:
        """Void a round of one's own, or restore it."""
        pk = self._own_round(Round.State.SCORED, Round.State.VOIDED)
        if pk is None:
            return 0
        is_voided = self.writes.rounds[pk] == Round.State.VOIDED
        change = ledger.restore_round if is_voided else ledger.void_round
        self.writes.rounds[pk] = change(Round.objects.get(pk=pk), self.user).state
        return 1

    def amend(self) -> int:
        """Correct a round of one's own: other cards were on the table."""
        pk = self._own_round(Round.State.SCORED)
        if pk is None:
            return 0
        cards = deal(self.chance.randrange(10**6))
        hands = {player: {**rows} for player, rows in zip(self.cast, cards, strict=True)}
        new = ledger.amend_round(Round.objects.get(pk=pk), self.user, "Misread", hands, key=uuid4())
        self.writes.rounds |= {pk: Round.State.AMENDED, new.pk: Round.State.SCORED}
        return 1

    def take_back(self) -> int:
        """Take back a payment of one's own."""
        standing = [key for key, stands in self.writes.payments.items() if stands]
        if not standing:
            return 0
        key: UUID = self.chance.choice(standing)
        ledger.reverse_payment(Entry.objects.get(session=self.session, key=key), self.user)
        self.writes.payments[key] = False
        return 1

    def _own_round(self, *states: str) -> int | None:
        own = [pk for pk, state in self.writes.rounds.items() if state in states]
        return self.chance.choice(own) if own else None


def write(session: int, user: int, rounds: int) -> Writes:
    """What one process does."""
    return Writer(Session.objects.get(pk=session), User.objects.get(pk=user), rounds).run()


def main(arguments: Sequence[str]) -> str:
    """Runs it; gives a sentence with the figures. Raises AssertionError where the book is not as acknowledged."""
    asked = _asked(arguments)
    (session,), users = make_evenings(1, asked.writers)
    leave_database()
    began = monotonic()
    with get_context("fork").Pool(asked.writers) as pool:
        told = pool.starmap(write, [(session.pk, user.pk, asked.rounds) for user in users], chunksize=1)
    seconds = monotonic() - began
    writes = sum(told, Writes())
    faults = disagreements(writes, [session])
    if faults:
        raise AssertionError("\n".join(faults))
    return (
        f"{asked.writers} processes on {database_name()} wrote {len(writes.rounds)} rounds and {len(writes.payments)} "
        f"payments, {writes.told} acknowledged writes in {seconds:.1f} s; {writes.refusals} refused in words, "
        "none lost, none twice, none locked out."
    )


def _asked(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.torture concurrency")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=50, help="and payments, for each writer")
    return parser.parse_args(arguments)
