"""The stakes of an evening: that of all pairs, and those of their own for single ones."""

from itertools import combinations
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring import ledger
from scoring.forms.amounts import AmountField
from scoring.forms.terms import TermsForm, field_of
from scoring.models import Player, Session
from scoring.models.sessions import Pair
from scoring.money import format_amount

MOST_COLUMNS = 7


class StakesForm(TermsForm):
    """The stake of all, and one of its own for each pair at the table; there an empty field means that of all."""

    def __init__(self, data: Any = None, *, session: Session, for_round: int | None = None) -> None:
        seats = session.seats.filter(left_at=None).select_related("player")
        self.players = [seat.player for seat in seats]
        super().__init__(data, session=session, initial={}, for_round=for_round)
        usual = format_amount(self.initial["stake"], session.currency)
        for a, b in combinations(self.players, 2):
            field = AmountField(label=pair_name(a, b), currency=session.currency, required=False)
            field.widget.attrs |= {"placeholder": usual}
            self.fields[field_of(pair_of(a, b))] = field

    @property
    def pairs(self) -> list[Pair]:
        """Those that the form shows."""
        return [pair_of(a, b) for a, b in combinations(self.players, 2)]

    @property
    def fits_matrix(self) -> bool:
        """Whether a screen has room for the matrix; else the pairs stand in a list."""
        return len(self.players) <= MOST_COLUMNS + 1

    @property
    def columns(self) -> list[Player]:
        return self.players[1:]

    @property
    def matrix(self) -> list[tuple[Player, list[forms.BoundField | None]]]:
        """For all but the last player the fields against all but the first; None where a pair stands elsewhere."""
        return [
            (a, [self[field_of(pair_of(a, b))] if column >= row else None for column, b in enumerate(self.columns)])
            for row, a in enumerate(self.players[:-1])
        ]

    def wanted(self) -> ledger.Stakes:
        return {**super().wanted(), **{pair: self.cleaned_data[field_of(pair)] for pair in self.pairs}}

    def shown(self) -> dict[str, str]:
        own = {field_of(pair.pair): str(pair.stake) for pair in self.session.pair_stakes.all()}
        return super().shown() | own


def pair_of(a: Player, b: Player) -> Pair:
    """The pair of two players, whichever way round they are named."""
    return min(a.pk, b.pk), max(a.pk, b.pk)


def pair_name(a: Player, b: Player) -> str:
    return _("%(player)s and %(other)s") % {"player": a, "other": b}
