"""Who pays whom in a book, and why that much: what the settle-up of an evening and that of a club have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import ledger
from scoring.book_words import BookWords
from scoring.models import Club, Player
from scoring.money import format_money


@dataclass(frozen=True)
class Sum:
    """One line of a calculation, in words and as written."""

    label: str
    amount: str


@dataclass(frozen=True)
class Batch:
    """Payments that stand of those recorded at one tap: its key, how many they are, and when and by whom."""

    key: UUID
    payments: int
    recorded: str


class WhoPays(BookWords):
    """Who pays whom in the `book` of an evening or of `club`, read once when it is made. Nothing here writes.

    `day` is the one whose times need no date beside them; with `direct` the plan is that of direct debts.
    """

    # Why a payer gives what he gives; the first where he gives others too.
    reason_of_rest: Promise = gettext_lazy(
        "%(payer)s ended the evening %(down)s down. What goes to the others leaves %(amount)s for %(payee)s."
    )
    reason_of_all: Promise = gettext_lazy("%(payer)s ended the evening %(down)s down. All of it goes to %(payee)s.")

    def __init__(self, book: ledger.Book, club: Club, day: date, *, direct: bool = False) -> None:
        super().__init__(book.currency, club, day)
        self.settlement = ledger.settlement(book, direct=direct)
        self._players = Player.objects.in_bulk([player for player in self.settlement.balances if player])
        rows = [ClaimRow(self, claim) for claim in self.settlement.claims]
        self.open_rows = [row for row in rows if row.claim.open]
        self.done_rows = [row for row in rows if not row.claim.open]
        self.taken_back = [PaymentTold(self, payment) for payment in self.settlement.taken_back]

    def result_label(self, who: int | None) -> str:
        """What the result of somebody, or of the house, is called in a calculation."""
        raise NotImplementedError

    def row(self, payer: int | None, payee: int | None) -> "ClaimRow | None":
        """The row in which something is open from `payer` to `payee`."""
        return next((row for row in self.open_rows if (row.claim.payer, row.claim.payee) == (payer, payee)), None)

    def name(self, who: int | None) -> str:
        return str(self._players[who]) if who else _("House")

    @property
    def payments_in_all(self) -> int:
        return len(self.open_rows) + len(self.done_rows)

    @property
    def parts(self) -> int:
        """How many rows are paid in part."""
        return sum(bool(row.claim.paid) for row in self.open_rows)

    @property
    def left(self) -> str:
        return self.written(sum(row.claim.open for row in self.open_rows))

    @property
    def owed(self) -> str:
        return self.written(-sum(amount for amount in self._gained if amount < 0))

    @property
    def due(self) -> str:
        return self.written(sum(amount for amount in self._gained if amount > 0))

    @property
    def _gained(self) -> list[int]:
        return [self.settlement.gained(who) for who in self.settlement.won]

    @property
    def gap(self) -> str:
        return self.written(self.settlement.gap, signed=True)

    @cached_property
    def fewest(self) -> str:
        """Why there is no shorter plan, or that this is not known."""
        balances = sum(bool(balance) for balance in self.settlement.balances.values())
        transfers = len(self.open_rows)
        counts = {"balances": balances, "payments": transfers, "groups": balances - transfers}
        if not self.settlement.plan.proven_minimal:
            return (
                _(
                    "With %(balances)s balances this is the shortest plan that was found. "
                    "It is not proven that there is none with fewer than %(payments)s payments."
                )
                % counts
            )
        if balances - transfers > 1:
            return (
                _(
                    "The %(balances)s balances fall into %(groups)s groups that even out among themselves. "
                    "There are no more such groups, so fewer than %(payments)s payments are not possible."
                )
                % counts
            )
        return (
            ngettext(
                "Two balances that even out need one payment.",
                "With %(balances)s balances and no smaller group that evens out, "
                "fewer than %(payments)s payments are not possible.",
                transfers,
            )
            % counts
        )

    @property
    def all_paid_key(self) -> UUID:
        """What the page sends when all that is open was paid."""
        return ledger.all_paid_key(self.settlement)

    @property
    def batches(self) -> list[Batch]:
        """What was recorded at one tap and can be taken back at one, the newest first."""
        by_key: dict[UUID, list[ledger.Payment]] = {}
        for payment in self.settlement.payments:
            if payment.entry.batch:
                by_key.setdefault(payment.entry.batch, []).append(payment)
        batches = [Batch(key, len(some), self.signed(some[0].entry)) for key, some in by_key.items()]
        return [batch for batch in reversed(batches) if batch.payments > 1]

    def told_rows(self) -> Iterator[str]:
        """The rows as lines of plain text, amounts with their currency."""
        for row in self.open_rows:
            line = (
                _("%(payer)s → %(payee)s: %(money)s (of %(all)s)")
                if row.claim.paid
                else _("%(payer)s → %(payee)s: %(money)s")
            )
            yield line % row.told
        for row in self.done_rows:
            yield _("Paid: %(payer)s → %(payee)s %(all)s") % row.told
        if not self.open_rows and not self.settlement.gap:
            yield self.told_end()

    def told_end(self) -> str:
        """What is told where nothing is open."""
        return _("Everyone is even.")


class PaymentTold:
    """A payment in words: who gave whom how much, when, and who wrote it down."""

    def __init__(self, page: WhoPays, payment: ledger.Payment) -> None:
        self.pk = payment.entry.pk
        self.payer, self.payee = page.name(payment.payer), page.name(payment.payee)
        self.amount = page.written(payment.amount)
        self.recorded = page.signed(payment.entry)
        self.taken_back = page.signed(payment.taken_back) if payment.taken_back else ""


class ClaimRow:
    """One row: what a payer is to give a payee, what of it is paid, and why it is that much."""

    def __init__(self, page: WhoPays, claim: ledger.Claim) -> None:
        self.page = page
        self.claim = claim
        self.payer, self.payee = page.name(claim.payer), page.name(claim.payee)
        self.amount, self.paid, self.left = (page.written(part) for part in (claim.amount, claim.paid, claim.open))
        self.payments = [PaymentTold(page, payment) for payment in claim.payments]

    @property
    def told(self) -> dict[str, str]:
        """What a sentence about this row may name; amounts with their currency."""
        currency = self.page.currency
        return {
            "payer": self.payer,
            "payee": self.payee,
            "money": format_money(self.claim.open, currency),
            "all": format_money(self.claim.amount, currency),
        }

    @property
    def reason(self) -> str:
        """In a sentence why the payer gives this much."""
        if self.page.settlement.pairs is not None:
            return _("This is what is open between %(payer)s and %(payee)s themselves.") % self.told
        won = self.page.settlement.gained(self.claim.payer)
        told = {**self.told, "down": self.page.written(-won), "amount": self.amount}
        given, received = self._others_of(self.claim.payer)
        if received or won >= 0:
            return _("What %(payer)s won, lost, gave and received leaves %(amount)s for %(payee)s.") % told
        return str(self.page.reason_of_rest if given else self.page.reason_of_all) % told

    @property
    def payer_account(self) -> list[Sum]:
        """The payer's result and all that he gives and receives besides: what is left of it is this amount."""
        return self._account(self.claim.payer)

    @property
    def payee_account(self) -> list[Sum]:
        """The same for the payee."""
        return self._account(self.claim.payee)

    @property
    def pair_account(self) -> list[Sum]:
        """What a direct debt is made of; nothing where the plan is that of the fewest transfers."""
        debt = (self.page.settlement.pairs or {}).get((self.claim.payer, self.claim.payee))
        if debt is None:
            return []
        parts = [
            (self._cards_label(debt), debt.cards),
            (_("adjustments"), debt.adjusted),
            (_("paid besides"), debt.settled + self.claim.paid),
            (_("cancelled: it would run in a circle"), debt.circle),
        ]
        return [Sum(label, self.page.written(amount, signed=True)) for label, amount in parts if amount]

    def _cards_label(self, debt: ledger.PairDebt) -> str:
        if self.claim.payer is None or self.claim.payee is None:
            return _("room fee")
        label = ngettext("%(rounds)s round against each other", "%(rounds)s rounds against each other", debt.rounds)
        return label % {"rounds": debt.rounds}

    def _account(self, who: int | None) -> list[Sum]:
        write = partial(self.page.written, signed=True)
        given, received = self._others_of(who)
        adjusted = self.page.settlement.adjusted.get(who, 0)
        return [
            Sum(self.page.result_label(who), write(self.page.settlement.won.get(who, 0))),
            *([Sum(_("adjustments"), write(adjusted))] if adjusted else []),
            *(Sum(_("to %(name)s") % {"name": self.page.name(claim.payee)}, write(claim.amount)) for claim in given),
            *(
                Sum(_("from %(name)s") % {"name": self.page.name(claim.payer)}, write(-claim.amount))
                for claim in received
            ),
        ]

    def _others_of(self, who: int | None) -> tuple[list[ledger.Claim], list[ledger.Claim]]:
        """What else `who` gives and receives."""
        others = [claim for claim in self.page.settlement.claims if claim is not self.claim]
        return [claim for claim in others if claim.payer == who], [claim for claim in others if claim.payee == who]
