"""What the settle-up page of a club says: what may be carried over from evenings, and who pays whom of what was.

A plan in the club's book holds until something is carried over again; payments before that are history.
"""

from collections.abc import Iterator
from datetime import date
from functools import cached_property

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import ledger
from scoring.club_book import in_all, open_of_evenings, open_sums
from scoring.models import Entry, OpenBalance, Session
from scoring.money import CURRENCIES
from scoring.who_pays import PaymentTold, WhoPays

MOST_AT_ONCE = 30  # evenings that are carried over at one tap
NEWEST = 8  # carry-overs, and payments of older plans, on each leaf


class WaitingEvening:
    """A closed evening of which something is open, and how much."""

    def __init__(self, page: "ClubSettle", session: Session, amount: int) -> None:
        self.session = session
        self.open = page.written(amount)


class CarriedEvening:
    """An evening that was carried over: how much, when and by whom; `pk` is that of the entry in its own book."""

    def __init__(self, page: "ClubSettle", session: Session, entry: Entry) -> None:
        self.pk = entry.carries_id
        self.session = session
        self.amount = page.written(sum(line.amount for line in entry.lines.all() if line.amount > 0))
        self.recorded = page.signed(entry)


class ClubSettle(WhoPays):
    """Who pays whom in a club, in the currency of `book`. `day` is the day where it plays.

    `leaf` turns the pages of what was carried over and paid before; 1 has the newest.
    """

    reason_of_rest = gettext_lazy(
        "%(payer)s was %(down)s down after the last carry-over. "
        "What goes to the others leaves %(amount)s for %(payee)s."
    )
    reason_of_all = gettext_lazy("%(payer)s was %(down)s down after the last carry-over. All of it goes to %(payee)s.")

    def __init__(self, book: ledger.ClubBook, day: date, leaf: int = 1) -> None:
        super().__init__(book, book.club, day)
        self.book = book
        self.until = day
        self.leaf = leaf
        self._on_leaf = slice(NEWEST * (leaf - 1), NEWEST * leaf)

    def result_label(self, who: int | None) -> str:
        return _("%(name)s after the last carry-over") % {"name": self.name(who)}

    @property
    def currency_name(self) -> str:
        return str(CURRENCIES[self.currency].name)

    @cached_property
    def other_currencies(self) -> list[str]:
        """What else the club plays or has played for."""
        played = self.club.sessions.order_by().values_list("currency", flat=True).distinct()
        return sorted({*played, self.club.currency} - {self.currency})

    @cached_property
    def waiting(self) -> list[WaitingEvening]:
        """The evenings that may be carried over, the oldest first; when those are, the next ones follow."""
        amounts = dict(open_of_evenings(self._waiting)[:MOST_AT_ONCE])
        sessions = Session.objects.in_bulk(amounts)
        return [WaitingEvening(self, sessions[key], amount) for key, amount in amounts.items()]

    @cached_property
    def waiting_in_all(self) -> int:
        return self._waiting.values("session").distinct().count()

    @property
    def _waiting(self) -> QuerySet[OpenBalance]:
        return self.club.open_balances.filter(session__currency=self.currency)

    @property
    def no_longer_carried(self) -> QuerySet[Session]:
        """Evenings that are no longer carried over though they may have been paid here."""
        return ledger.taken_back_after_payments(self.book)

    @property
    def payments_together(self) -> int:
        """How many payments make everyone even once all that waits is carried over."""
        return len(in_all(open_sums(self.club), self.currency).transfers)

    @cached_property
    def carried(self) -> list[CarriedEvening]:
        """The evenings that are carried over, the last one first."""
        entries = self.book.entries.filter(kind=Entry.Kind.CARRY_OVER, reversed_by=None).order_by("-pk")
        told = entries.select_related("carries__session", "created_by").prefetch_related("lines")
        return [
            CarriedEvening(self, entry.carries.session, entry)
            for entry in told[self._on_leaf]
            if entry.carries and entry.carries.session
        ]

    @cached_property
    def earlier(self) -> list[PaymentTold]:
        """Payments of older plans, the last one first."""
        entries = self.book.entries.filter(pk__lt=self.settlement.since).order_by("-pk")
        return [PaymentTold(self, payment) for payment in ledger.list_payments(entries, self._on_leaf)]

    @property
    def older(self) -> int | None:
        """The leaf with older ones, where there may be some."""
        return self.leaf + 1 if NEWEST in (len(self.carried), len(self.earlier)) else None

    @property
    def newer(self) -> int:
        """The leaf with newer ones; 0 where there is none."""
        return self.leaf - 1

    def told_end(self) -> str:
        waiting = self.waiting_in_all
        if waiting:
            told = ngettext("%(evenings)s evening is not settled", "%(evenings)s evenings are not settled", waiting)
            return told % {"evenings": waiting}
        return super().told_end()

    @cached_property
    def text(self) -> str:
        """The payments as plain text, to be sent to the group."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        day = date_format(self.until, _("D j M"))
        yield _("%(club)s, all evenings until %(day)s") % {"club": self.club, "day": day}
        yield from self.told_rows()
