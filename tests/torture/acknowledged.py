"""What writers were told is in the book, and whether it is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.models import Entry, Round, Session


@dataclass
class Writes:
    """What one writer was told: the state of each round by its key, and whether each payment, by its key, stands.

    What was sent without an answer is `unsure`: it may be there or not, but wholly.
    """

    rounds: dict[int, str] = field(default_factory=dict)
    payments: dict[UUID, bool] = field(default_factory=dict)
    unsure: set[int | UUID] = field(default_factory=set)
    told: int = 0  # every answer counts, also of what changes a round or payment again
    refusals: int = 0

    def __add__(self, other: "Writes") -> "Writes":
        both = Counter([*self.rounds, *self.payments, *other.rounds, *other.payments]).most_common(1)
        if both and both[0][1] > 1:
            raise AssertionError(f"acknowledged to two writers: {both[0][0]}")
        return Writes(
            self.rounds | other.rounds,
            self.payments | other.payments,
            self.unsure | other.unsure,
            self.told + other.told,
            self.refusals + other.refusals,
        )


def disagreements(writes: Writes, sessions: Iterable[Session]) -> list[str]:
    """What is not in the book as it was acknowledged, or stands there without, and what the audit finds."""
    sessions = list(sessions)
    return [
        *_of_rounds(writes, sessions),
        *_of_payments(writes, sessions),
        *(fault for session in sessions for fault in _of_sums(session)),
        *map(str, audit_ledger().faults),
    ]


def _of_rounds(writes: Writes, sessions: list[Session]) -> Iterator[str]:
    closed = Round.objects.filter(session__in=sessions).exclude(state=Round.State.OPEN)
    stored = {pk: (state, replaces) for pk, state, replaces in closed.values_list("pk", "state", "replaces")}
    for pk, state in writes.rounds.items():
        found, _replaces = stored.pop(pk, ("missing", None))
        if found != state and pk not in writes.unsure:
            yield f"round {pk} was acknowledged as {state}, is {found}"
    for pk, (_state, replaces) in stored.items():
        if not writes.unsure.intersection((pk, replaces)):
            yield f"round {pk} was acknowledged to nobody"
    for session in sessions:
        numbers = sorted(session.rounds.exclude(state=Round.State.AMENDED).values_list("number", flat=True))
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"session {session.pk} numbers its rounds {numbers}"


def _of_payments(writes: Writes, sessions: list[Session]) -> Iterator[str]:
    entries = Entry.objects.filter(session__in=sessions, kind=Entry.Kind.PAYMENT)
    stored: dict[UUID, list[bool]] = {}
    for key, reversal in entries.values_list("key", "reversed_by"):
        stored.setdefault(key, []).append(reversal is None)
    for key, stands in writes.payments.items():
        found = stored.pop(key, [])
        if found != [stands] and not (key in writes.unsure and len(found) < 2):
            yield f"payment {key} was acknowledged as {'standing' if stands else 'taken back'}, is there as {found}"
    for key in stored.keys() - writes.unsure:
        yield f"payment {key} was acknowledged to nobody"


def _of_sums(session: Session) -> Iterator[str]:
    """The balances are what the rounds that count brought, less the payments that stand: summed row by row."""
    due: Counter[int | None] = Counter()
    for round_ in session.rounds.filter(state=Round.State.SCORED).prefetch_related("hands"):
        due.update({hand.player_id: hand.net for hand in round_.hands.all()})
        due[None] += round_.fee
    for payment in ledger.settlement(session).payments:
        due[payment.payer] += payment.amount
        due[payment.payee] -= payment.amount
    balances = ledger.balances(session)
    if {who: amount for who, amount in due.items() if amount} != {who: a for who, a in balances.items() if a}:
        yield f"session {session.pk} has balances of {balances}, its rounds and payments come to {dict(due)}"
