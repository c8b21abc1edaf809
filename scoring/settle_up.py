"""What the settle-up page of an evening says: who pays whom, whether it adds up, and the text for the group."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ledger
from scoring.adjustments import Adjustments
from scoring.models import Round, Session
from scoring.money import format_money
from scoring.who_pays import WhoPays

SENT = 5  # adjustments that the text for the group lists


@dataclass(frozen=True)
class Balance:
    """Where somebody, or the house, stands: by the cards, adjusted by hand, and what is open; minor units."""

    name: str
    won: int
    adjusted: int
    open: int


class SettleUp(WhoPays):
    """Who pays whom in an evening: with the fewest transfers, or with `direct` pair by pair."""

    def __init__(self, session: Session, *, direct: bool = False) -> None:
        super().__init__(session, session.club, session.date, direct=direct)
        self.session = session
        self.direct = direct
        self.rounds = session.rounds.filter(state=Round.State.SCORED).count()
        self.unfinished = session.rounds.filter(state=Round.State.OPEN).first()

    def result_label(self, who: int | None) -> str:
        label = (
            ngettext("%(name)s after %(rounds)s round", "%(name)s after %(rounds)s rounds", self.rounds)
            if who
            else ngettext("Room fee of %(rounds)s round", "Room fees of %(rounds)s rounds", self.rounds)
        )
        return label % {"name": self.name(who), "rounds": self.rounds}

    @cached_property
    def adjustments(self) -> Adjustments:
        """What was adjusted by hand."""
        return Adjustments(self.session)

    @property
    def balances(self) -> list[Balance]:
        """Where everybody stands, the best by the cards first, the house last."""
        sums = self.settlement
        order = sorted(sums.balances, key=lambda who: (who is None, -sums.won[who], self.name(who)))
        return [Balance(self.name(who), sums.won[who], sums.adjusted.get(who, 0), sums.balances[who]) for who in order]

    @property
    def has_adjustments(self) -> bool:
        """Whether adjustments have left a trace in somebody's balance."""
        return any(self.settlement.adjusted.values())

    @property
    def has_house(self) -> bool:
        """Whether anything went to the house, or came from it."""
        return None in self.settlement.balances

    @property
    def closed(self) -> str:
        """When and by whom the evening was closed; empty while it is open."""
        return self.by(self.session.closed_at, self.session.closed_by) if self.session.closed_at else ""

    @property
    def carried(self) -> str:
        """How much of the evening is carried over to the club; empty where nothing is."""
        return self.written(self._carried) if self._carried else ""

    @property
    def _carried(self) -> int:
        return sum(-amount for amount in self.settlement.carried.values() if amount < 0)

    @property
    def may_be_paid_in_club(self) -> bool:
        """Whether what is open here may have been paid in the club, before it was taken back from there."""
        book = ledger.ClubBook(self.club, self.currency)
        return ledger.taken_back_after_payments(book).filter(pk=self.session.pk).exists()

    @property
    def fee_pending(self) -> str:
        """The room fee of the evening that is taken when it is closed; empty where there is none."""
        fee = sum(self.settlement.fees.values())
        return self.written(fee) if fee else ""

    def told_end(self) -> str:
        if self._carried:
            money = format_money(self._carried, self.currency)
            return _("Carried over to the club: %(money)s.") % {"money": money}
        return super().told_end()

    @cached_property
    def text(self) -> str:
        """The evening and its payments as plain text, to be sent to the group."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        date = date_format(self.session.date, _("D j M"))
        title = ngettext("%(club)s, %(date)s, %(rounds)s round", "%(club)s, %(date)s, %(rounds)s rounds", self.rounds)
        yield title % {"club": self.session.club, "date": date, "rounds": self.rounds}
        if self.direct and self.open_rows:
            yield _("Direct debts, pair by pair:")
        yield from self.told_rows()
        adjusted = self.adjustments.standing
        for one in adjusted[:SENT]:
            yield _("%(note)s: %(amounts)s") % {"note": one.note, "amounts": one.told}
        if adjusted[SENT:]:
            more = len(adjusted) - SENT
            yield ngettext("%(more)s more adjustment", "%(more)s more adjustments", more) % {"more": more}
