"""What the settle-up page of an evening says: who pays whom, whether it adds up, and the text for the group."""

from collections.abc import Iterator
from functools import cached_property

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import Round, Session
from scoring.who_pays import WhoPays


class SettleUp(WhoPays):
    """Who pays whom in an evening."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.club, session.date)
        self.session = session
        self.rounds = session.rounds.filter(state=Round.State.SCORED).count()
        self.unfinished = session.rounds.filter(state=Round.State.OPEN).first()

    def result_label(self, who: int | None) -> str:
        label = (
            ngettext("%(name)s after %(rounds)s round", "%(name)s after %(rounds)s rounds", self.rounds)
            if who
            else ngettext("Room fee of %(rounds)s round", "Room fees of %(rounds)s rounds", self.rounds)
        )
        return label % {"name": self.name(who), "rounds": self.rounds}

    @property
    def closed(self) -> str:
        """When and by whom the evening was closed; empty while it is open."""
        return self.by(self.session.closed_at, self.session.closed_by) if self.session.closed_at else ""

    @property
    def fee_pending(self) -> str:
        """The room fee of the evening that is taken when it is closed; empty where there is none."""
        fee = sum(self.settlement.fees.values())
        return self.written(fee) if fee else ""

    @cached_property
    def text(self) -> str:
        """The evening and its payments as plain text, to be sent to the group."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        date = date_format(self.session.date, _("D j M"))
        title = ngettext("%(club)s, %(date)s, %(rounds)s round", "%(club)s, %(date)s, %(rounds)s rounds", self.rounds)
        yield title % {"club": self.session.club, "date": date, "rounds": self.rounds}
        yield from self.told_rows()
