"""What the book comes to: winnings, balances, fees, and who still owes whom. Nothing here writes."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet, Sum

from scoring.engine.rounds import room_fee
from scoring.engine.settle import Plan, Transfer, settle
from scoring.ledger.book import Book, ClubBook
from scoring.ledger.direct import PairDebt, direct_debts
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

    `won` is what the cards brought, `adjusted` what was adjusted by hand, `balances` is after payments; `won` and
    `balances` hold `fees`, the fee of the evening that is still to be taken. `carried` is what of an evening's balances
    was carried over to the club. In the club's own book a plan holds until the next carry-over: `won` is what was open
    after the last one, whose entry's key is `since`, and `payments` are those made since then. `claims` are the
    transfers of `plan` in its order, then what is paid in full. `payments` stand, `taken_back` do not. Where the book
    is damaged and does not sum to zero (`gap`), there is no plan. `pairs`, by debtor and creditor, are what the
    transfers come from where they are those of the direct debts; None where they are the fewest.
    """

    won: dict[int | None, int]
    adjusted: dict[int | None, int]
    carried: dict[int | None, int]
    balances: dict[int | None, int]
    fees: dict[int, int]
    plan: Plan[int | None]
    claims: tuple[Claim, ...]
    payments: tuple[Payment, ...]
    taken_back: tuple[Payment, ...]
    pairs: dict[tuple[int | None, int | None], PairDebt] | None = None
    since: int = 0

    @property
    def gap(self) -> int:
        return sum(self.balances.values())

    def gained(self, who: int | None) -> int:
        """What somebody has by the cards and by hand, before payments."""
        return self.won.get(who, 0) + self.adjusted.get(who, 0)


def totals(session: Session) -> dict[int | None, int]:
    """What each player has won so far by the cards, the room fees to the house (None) included."""
    return _sums(session)[0]


def before_payments(session: Session) -> dict[int | None, int]:
    """What each player, and the house (None), won by the cards and had adjusted by hand."""
    won, adjusted, *_settled = _sums(session)
    return {who: amount + adjusted[who] for who, amount in won.items()}


def balances(book: Book) -> dict[int | None, int]:
    """What each player, and the house (None), has open: what was won, adjusted, and carried over, less what was
    paid."""
    return _sums(book)[3]


def fee_due(session: Session) -> dict[int, int]:
    """The room fee of the evening by player, where it is taken at settle-up and was not taken yet (RULES 7).

    It is taken at the percentage of the session's rules, on the rounds that were scored under a fee on the evening:
    a round that paid its own fee does not pay again.
    """
    if not session.takes_fee_at_end or not session.is_open:
        return {}
    fees = {player: room_fee(amount, session.ruleset) for player, amount in won_before_fee(session).items()}
    return {player: fee for player, fee in fees.items() if fee}


def won_before_fee(session: Session) -> dict[int, int]:
    """What each player won in the rounds that were scored under a fee on the evening."""
    lines = session.lines.filter(entry__round__ruleset_fields__room_fee_basis="session", player__isnull=False)
    return dict(lines.order_by().values_list("player").annotate(Sum("amount")))


def settlement(book: Book, *, direct: bool = False) -> Settlement:
    """Everything that settling up needs, in six queries whatever the number of rounds and payments.

    The plan has the fewest transfers; with `direct` those of the direct debts between the players of an evening, which
    takes two queries more.
    """
    since = _last_carry_over(book) if isinstance(book, ClubBook) else 0
    won, adjusted, carried, balances = _sums(book, since)
    fees = fee_due(book) if isinstance(book, Session) else {}
    for sums in (won, balances):
        for player, fee in fees.items():
            sums[player] -= fee
            sums[None] = sums.get(None, 0) + fee
    payments = list_payments(book.entries.filter(pk__gt=since))
    standing = tuple(payment for payment in payments if not payment.taken_back)
    taken_back = tuple(payment for payment in payments if payment.taken_back)
    plan: Plan[int | None] = Plan((), proven_minimal=False)
    pairs = None
    if not sum(balances.values()):
        order = _order(book, balances)
        if direct and isinstance(book, Session):
            flows = [(payment.payer, payment.payee, payment.amount) for payment in standing]
            pairs = direct_debts(book, order, won, flows)
            plan = Plan(tuple(Transfer(*pair, debt.open) for pair, debt in pairs.items()), proven_minimal=False)
        else:
            plan = _standing_plan(book, balances, order, standing)
    claims = tuple(_claims(book, plan, payments, since))
    return Settlement(won, adjusted, carried, balances, fees, plan, claims, standing, taken_back, pairs, since)


def _standing_plan(
    book: Book, balances: Mapping[int | None, int], order: Sequence[int | None], standing: Sequence[Payment]
) -> Plan[int | None]:
    """The plan of the fewest transfers since something else than a payment was written, less what was paid of it.

    After a part payment there may be a plan with other rows that is as short for what is left; people hold to the rows
    that they have seen. Only where somebody paid what was no row of that plan there is a new one.
    """
    new = _payments_since_change(book, standing)
    before = dict(balances)
    for payment in new:
        before[payment.payer] -= payment.amount
        before[payment.payee] += payment.amount
    plan = settle(before, order)
    rows = {(transfer.payer, transfer.payee): transfer.amount for transfer in plan.transfers}
    for payment in new:
        pair = payment.payer, payment.payee
        rows[pair] = rows.get(pair, 0) - payment.amount
    if any(amount < 0 for amount in rows.values()):
        return settle(balances, order)
    left = tuple(Transfer(*pair, amount) for pair, amount in rows.items() if amount)
    return Plan(left, proven_minimal=plan.proven_minimal)


def _payments_since_change(book: Book, standing: Sequence[Payment]) -> list[Payment]:
    """The payments after the last entry of another kind. A fee at the end of the evening was in the balances before."""
    if isinstance(book, ClubBook) or not standing:
        return list(standing)  # in the club's book they are those since the last carry-over already
    others = book.entries.exclude(is_about(Entry.Kind.PAYMENT, "")).exclude(is_about(Entry.Kind.FEE, ""))
    last = others.aggregate(last=Max("pk"))["last"] or 0
    return [payment for payment in standing if payment.entry.pk > last]


def is_winning() -> Q:
    """The lines of an evening that come from its cards: rounds and room fees, and what took those back. Payments,
    amounts carried over and adjustments by hand are no winnings."""
    return ~(is_about(Entry.Kind.PAYMENT) | is_about(Entry.Kind.CARRY_OVER) | is_about(Entry.Kind.ADJUSTMENT))


def is_about(kind: str, entry: str = "entry__") -> Q:
    """The lines of entries of this kind, and of those that took one back; with `entry` "" the entries themselves."""
    return Q(**{f"{entry}kind": kind}) | Q(**{f"{entry}reverses__kind": kind})


def _last_carry_over(book: ClubBook) -> int:
    """The key of the last entry that carried something over to the club or back; 0 where there is none."""
    return book.entries.filter(is_about(Entry.Kind.CARRY_OVER, "")).aggregate(last=Max("pk"))["last"] or 0


def _sums(book: Book, since: int = 0) -> tuple[dict[int | None, int], ...]:
    """What was won, what was adjusted by hand, what was carried over, and the balances: of one moment, by player.

    In the club's book `won` is all but the payments made after the entry `since`.
    """
    is_payment = Q(entry__kind=Entry.Kind.PAYMENT, entry__gt=since)
    is_payment |= Q(entry__reverses__kind=Entry.Kind.PAYMENT, entry__reverses__gt=since)
    is_won = is_winning() if isinstance(book, Session) else ~is_payment
    rows = (
        book.lines.order_by()
        .values_list("player")
        .annotate(
            won=Sum("amount", filter=is_won, default=0),
            adjusted=Sum("amount", filter=is_about(Entry.Kind.ADJUSTMENT), default=0),
            carried=Sum("amount", filter=is_about(Entry.Kind.CARRY_OVER), default=0),
            balance=Sum("amount", default=0),
        )
    )
    sums = list(rows)
    return tuple({player: parts[place] for player, *parts in sums} for place in range(4))


def list_payments(entries: QuerySet[Entry], some: slice = slice(None)) -> list[Payment]:
    """The payments among `entries`, in their order, or `some` of them."""
    payments = entries.filter(kind=Entry.Kind.PAYMENT).select_related("created_by", "reversed_by__created_by")
    return [_payment(entry) for entry in payments.prefetch_related("lines")[some]]


def _payment(entry: Entry) -> Payment:
    payer, payee = sorted(entry.lines.all(), key=lambda line: -line.amount)
    return Payment(entry, payer.player_id, payee.player_id, payer.amount, getattr(entry, "reversed_by", None))


def _order(book: Book, balances: dict[int | None, int]) -> Sequence[int | None]:
    """A lasting order of all who have a balance, so that the plan stays while people pay: the seats, then the house."""
    seated = list(book.seats.values_list("player_id", flat=True)) if isinstance(book, Session) else []
    others = sorted(player for player in balances if player is not None and player not in seated)
    return [*seated, *others, None]


def _claims(book: Book, plan: Plan[int | None], payments: Sequence[Payment], since: int) -> Iterable[Claim]:
    open_amounts = {(transfer.payer, transfer.payee): transfer.amount for transfer in plan.transfers}
    recorded = Counter((payment.payer, payment.payee) for payment in payments)
    standing: dict[tuple[int | None, int | None], list[Payment]] = {}
    for payment in payments:
        if not payment.taken_back:
            standing.setdefault((payment.payer, payment.payee), []).append(payment)
    place = book.pk if isinstance(book, Session) else f"club {book.club_id} {book.currency} {since}"
    for payer, payee in dict.fromkeys([*open_amounts, *standing]):
        pair = payer, payee
        key = uuid.uuid5(_PAYMENTS, f"{place}/{payer}/{payee}/{recorded[pair]}")
        yield Claim(payer, payee, open_amounts.get(pair, 0), tuple(standing.get(pair, ())), key)
