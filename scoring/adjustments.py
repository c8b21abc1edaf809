"""The adjustments by hand of an evening, as pages tell them: for what, who got and who paid how much."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.book_words import BookWords
from scoring.models import Entry, Player, Session
from scoring.wording import listed


class Adjustment:
    """One of them in words. `amounts` are names and minor units, those who got first."""

    def __init__(self, words: BookWords, entry: Entry, names: Mapping[int, Player]) -> None:
        lines = sorted(entry.lines.all(), key=lambda line: -line.amount)
        self.pk = entry.pk
        self.note = entry.note or _("Adjustment")
        self.amounts = [(str(names[line.player_id]) if line.player_id else _("House"), line.amount) for line in lines]
        self.recorded = words.signed(entry)
        reversal = getattr(entry, "reversed_by", None)
        self.taken_back = words.signed(reversal) if reversal else ""
        self._words = words

    @property
    def told(self) -> str:
        """Who got and who paid how much: "Ana +40.000, Budi −20.000 and Citra −20.000"."""
        pattern = _("%(name)s %(amount)s")
        return listed(
            [
                pattern % {"name": name, "amount": self._words.written(amount, signed=True)}
                for name, amount in self.amounts
            ]
        )


class Adjustments(BookWords):
    """All of an evening, in four queries however many there are: those that stand, the oldest first, and the others."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.currency, session.club, session.date)
        entries = session.entries.filter(kind=Entry.Kind.ADJUSTMENT).prefetch_related("lines")
        entries = entries.select_related("created_by", "reversed_by__created_by")
        names = Player.objects.filter(lines__entry__in=entries).in_bulk()
        adjustments = [Adjustment(self, entry, names) for entry in entries]
        self.standing = [one for one in adjustments if not one.taken_back]
        self.taken_back = [one for one in adjustments if one.taken_back]
