"""How a page writes what stands in a book: amounts, times and people."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import Club, Entry
from scoring.money import format_amount, format_money


class BookWords:
    """Writes for a book in `currency` of a club; `day` is the one whose times need no date beside them."""

    def __init__(self, currency: str, club: Club, day: date | None = None) -> None:
        self.currency = currency
        self.club = club
        self.day = day

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
