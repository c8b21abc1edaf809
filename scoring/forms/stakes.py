"""Stakes of their own for single pairs."""

from itertools import combinations
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.forms.amounts import AmountField
from scoring.forms.changes import SessionForm
from scoring.models import PairStake, Player, Session
from scoring.money import format_amount

MOST_COLUMNS = 7


class StakesForm(SessionForm):
    """A stake of its own for each pair at the table; an empty field means the session's."""

    def __init__(self, data: Any = None, *, session: Session) -> None:
        seats = session.seats.filter(left_at=None).select_related("player")
        self.players = [seat.player for seat in seats]
        self.pairs = {pair_key(a, b): (a, b) for a, b in combinations(self.players, 2)}
        own = {f"{pair.a_id}-{pair.b_id}": pair.stake for pair in session.pair_stakes.all()}
        super().__init__(data, session=session, initial=own)
        usual = format_amount(session.stake, session.currency)
        for key, (a, b) in self.pairs.items():
            field = AmountField(label=pair_name(a, b), currency=session.currency, required=False)
            field.widget.attrs |= {"placeholder": usual}
            self.fields[key] = field

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
            (a, [self[pair_key(a, b)] if column >= row else None for column, b in enumerate(self.columns)])
            for row, a in enumerate(self.players[:-1])
        ]

    def shown(self) -> dict[str, str]:
        return {f"{pair.a_id}-{pair.b_id}": str(pair.stake) for pair in self.session.pair_stakes.all()}

    def told(self, key: str, value: str) -> str:
        stake = format_amount(int(value), self.session.currency) if value else _("the stake of the session")
        return _("%(field)s: now %(value)s.") % {"field": self.label_of(key), "value": stake}

    def write(self) -> None:
        typed = {key: stake for key, stake in self.cleaned_data.items() if stake is not None}
        for a, b in (sorted(pair, key=lambda player: player.pk) for pair in self.pairs.values()):
            self.session.pair_stakes.filter(a=a, b=b).delete()
        PairStake.objects.bulk_create(
            PairStake(session=self.session, club_id=self.session.club_id, a_id=a, b_id=b, stake=stake)
            for (a, b), stake in ((map(int, key.split("-")), stake) for key, stake in typed.items())
        )


def pair_key(a: Player, b: Player) -> str:
    """The name of a pair's field, whichever way round the pair is named."""
    return "{}-{}".format(*sorted((a.pk, b.pk)))


def pair_name(a: Player, b: Player) -> str:
    return _("%(player)s and %(other)s") % {"player": a, "other": b}
