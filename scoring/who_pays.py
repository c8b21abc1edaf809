"""Who pays whom in a book, and why that much: what the settle-up of an evening and that of a club have in common."""

from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, partial
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import ledger
from scoring.models import Club, Entry, Player
from scoring.money import format_amount, format_money


@dataclass(frozen=True)
class Sum:
    """One line of a calculation, in words and as written."""

    label: str
    amount: str


class WhoPays:
    """Who pays whom in the `book` of an evening or of `club`, read once when it is made. Nothing here writes.

    `day` is the one whose times need no date beside them.
    """

    # Why a payer gives what he gives; the first where he gives others too.
    reason_of_rest: Promise = gettext_lazy(
        "%(payer)s ended the evening %(down)s down. What goes to the others leaves %(amount)s for %(payee)s."
    )
    reason_of_all: Promise = gettext_lazy("%(payer)s ended the evening %(down)s down. All of it goes to %(payee)s.")

    def __init__(self, book: ledger.Book, club: Club, day: date) -> None:
        self.currency = book.currency
        self.club = club
        self.day = day
        self.settlement = ledger.settlement(book)
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

    def written(self, amount: int, signed: bool = False) -> str:
        """An amount as it stands in the lists, where the currency is named once: only points are named each time."""
        write = format_money if self.currency == "PTS" else format_amount
        return write(amount, self.currency, signed)

    def signed(self, entry: Entry) -> str:
        """When and by whom an entry was written."""
        return self.by(entry.created_at, entry.created_by)

    def by(self, moment: datetime, user: User | None) -> str:
        """The time of day at the table, with the date where that is not `day`, and who it was."""
        there = moment.astimezone(ZoneInfo(self.club.time_zone))
        time = date_format(there, "H:i" if there.date() == self.day else _("j M, H:i"))
        return _("%(time)s by %(user)s") % {"time": time, "user": user} if user else time

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
        return self.written(-sum(amount for amount in self.settlement.won.values() if amount < 0))

    @property
    def due(self) -> str:
        return self.written(sum(amount for amount in self.settlement.won.values() if amount > 0))

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
        won = self.page.settlement.won.get(self.claim.payer, 0)
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

    def _account(self, who: int | None) -> list[Sum]:
        write = partial(self.page.written, signed=True)
        given, received = self._others_of(who)
        return [
            Sum(self.page.result_label(who), write(self.page.settlement.won.get(who, 0))),
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
