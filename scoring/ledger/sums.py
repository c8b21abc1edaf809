"""What the book comes to: winnings, balances, fees, and who still owes whom. Nothing here writes."""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, Sum

from scoring.engine.rounds import room_fee
from scoring.engine.settle import Plan, settle
from scoring.ledger.book import Book
from scoring.models import Entry, Session

_PAYMENTS = uuid.UUID("5f0c7f3e-52c4-4b1a-9a43-3d2b6f5f8c11")  # the name space of the keys of payments


@dataclass(frozen=True)
class Payment:
    """A payment in the book: its entry, who gave and who got (None is the house), minor units.

    `taken_back` is the counter entry of one that does not stand any more.
    """

    entry: Entry
    payer: int | None
    payee: int | None
    amount: int
    taken_back: Entry | None


@dataclass(frozen=True)
class Claim:
    """What `payer` is to give `payee` (players' keys, None is the house): minor units still open, and what was paid.

    `key` names the next payment between the two. Two pages drawn from the same state carry the same key, so that
    the same money cannot be written down twice.
    """

    payer: int | None
    payee: int | None
    open: int
    payments: tuple[Payment, ...]
    key: uuid.UUID

    @property
    def paid(self) -> int:
        return sum(payment.amount for payment in self.payments)

    @property
    def amount(self) -> int:
        return self.open + self.paid


@dataclass(frozen=True)
class Settlement:
    """Who still owes whom. Keys are players' keys, None the house; minor units, a win is positive.

    `won` is before payments, `balances` after them; both hold `fees`, the fee of the evening that is still to be
    taken. `carried` is what of an evening's balances was carried over to the club; in the club's own book that is
    what was `won`. `claims` are the transfers of `plan` in its order, then what is paid in full. `payments` stand,
    `taken_back` do not. Where the book is damaged and does not sum to zero (`gap`), there is no plan.
    """

    won: dict[int | None, int]
    carried: dict[int | None, int]
    balances: dict[int | None, int]
    fees: dict[int, int]
    plan: Plan[int | None]
    claims: tuple[Claim, ...]
    payments: tuple[Payment, ...]
    taken_back: tuple[Payment, ...]

    @property
    def gap(self) -> int:
        return sum(self.balances.values())


def totals(session: Session) -> dict[int | None, int]:
    """What each player has won so far, the room fees to the house (None) included; settling it is no winning."""
    return _sums(session)[0]


def balances(book: Book) -> dict[int | None, int]:
    """What each player, and the house (None), has open: what was won, and carried over, less what was paid."""
    return _sums(book)[2]


def fee_due(session: Session) -> dict[int, int]:
    """The room fee of the evening by player, where it is taken at settle-up and was not taken yet (RULES 7).

    It is taken at the percentage of the session's rules, on the rounds that were scored under a fee on the evening:
    a round that paid its own fee does not pay again.
    """
    if not session.takes_fee_at_end or not session.is_open:
        return {}
    lines = session.lines.filter(entry__round__ruleset_fields__room_fee_basis="session", player__isnull=False)
    won = lines.order_by().values_list("player").annotate(Sum("amount"))
    fees = {player: room_fee(amount, session.ruleset) for player, amount in won}
    return {player: fee for player, fee in fees.items() if fee}


def settlement(book: Book) -> Settlement:
    """Everything that settling up needs, in five queries whatever the number of rounds and payments."""
    won, carried, balances = _sums(book)
    fees = fee_due(book) if isinstance(book, Session) else {}
    for sums in (won, balances):
        for player, fee in fees.items():
            sums[player] -= fee
            sums[None] = sums.get(None, 0) + fee
    payments = tuple(_payments(book))
    standing = tuple(payment for payment in payments if not payment.taken_back)
    taken_back = tuple(payment for payment in payments if payment.taken_back)
    plan: Plan[int | None] = Plan((), proven_minimal=False)
    if not sum(balances.values()):
        plan = settle(balances, _order(book, balances))
    claims = tuple(_claims(book, plan, payments))
    return Settlement(won, carried, balances, fees, plan, claims, standing, taken_back)


def is_settling() -> Q:
    """The lines of an evening that settle what was won there, by payments or by carrying it over to the club, and
    those that took this back: no winnings."""
    return _is_about(Entry.Kind.PAYMENT) | _is_about(Entry.Kind.CARRY_OVER)


def _is_about(kind: str) -> Q:
    """The lines of entries of this kind, and of those that took one back."""
    return Q(entry__kind=kind) | Q(entry__reverses__kind=kind)


def _sums(book: Book) -> tuple[dict[int | None, int], dict[int | None, int], dict[int | None, int]]:
    """What was won, what of it was carried over, and the balances: of one moment, by player."""
    no_winning = is_settling() if isinstance(book, Session) else _is_about(Entry.Kind.PAYMENT)
    rows = (
        book.lines.order_by()
        .values("player")
        .annotate(
            won=Sum("amount", filter=~no_winning, default=0),
            carried=Sum("amount", filter=_is_about(Entry.Kind.CARRY_OVER), default=0),
            balance=Sum("amount", default=0),
        )
    )
    sums: dict[int | None, tuple[int, int, int]] = {
        row["player"]: (row["won"], row["carried"], row["balance"]) for row in rows
    }
    won, carried, balances = ({player: parts[place] for player, parts in sums.items()} for place in range(3))
    return won, carried, balances


def _payments(book: Book) -> Iterable[Payment]:
    """All payments ever recorded, oldest first."""
    entries = book.entries.filter(kind=Entry.Kind.PAYMENT)
    for entry in entries.select_related("created_by", "reversed_by__created_by").prefetch_related("lines"):
        payer, payee = sorted(entry.lines.all(), key=lambda line: -line.amount)
        yield Payment(entry, payer.player_id, payee.player_id, payer.amount, getattr(entry, "reversed_by", None))


def _order(book: Book, balances: dict[int | None, int]) -> Sequence[int | None]:
    """A lasting order of all who have a balance, so that the plan stays while people pay: the seats, then the house."""
    seated = list(book.seats.values_list("player_id", flat=True)) if isinstance(book, Session) else []
    others = sorted(player for player in balances if player is not None and player not in seated)
    return [*seated, *others, None]


def _claims(book: Book, plan: Plan[int | None], payments: Sequence[Payment]) -> Iterable[Claim]:
    open_amounts = {(transfer.payer, transfer.payee): transfer.amount for transfer in plan.transfers}
    recorded = Counter((payment.payer, payment.payee) for payment in payments)
    standing: dict[tuple[int | None, int | None], list[Payment]] = {}
    for payment in payments:
        if not payment.taken_back:
            standing.setdefault((payment.payer, payment.payee), []).append(payment)
    place = book.pk if isinstance(book, Session) else f"club {book.club_id} {book.currency}"
    for payer, payee in dict.fromkeys([*open_amounts, *standing]):
        pair = payer, payee
        key = uuid.uuid5(_PAYMENTS, f"{place}/{payer}/{payee}/{recorded[pair]}")
        yield Claim(payer, payee, open_amounts.get(pair, 0), tuple(standing.get(pair, ())), key)
