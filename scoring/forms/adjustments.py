"""The forms of adjustments by hand: amounts for everybody, or what one paid for several."""

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.db.models import F
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import ledger
from scoring.forms.amounts import AmountField, SignedAmountField
from scoring.models import Player, Session
from scoring.money import format_amount

HOUSE = "house"
NOTE_LENGTH = 200


class NoteField(forms.CharField):
    """What it was for; everybody can read it."""

    def __init__(self) -> None:
        super().__init__(label=gettext_lazy("What for?"), max_length=NOTE_LENGTH)
        self.widget.attrs |= {"autocomplete": "off"}


class _AdjustmentForm(forms.Form):
    """The key makes a second tap, or a retry after a lost answer, find what the first one recorded."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, data: Any = None, *, session: Session) -> None:
        super().__init__(data)
        self.session = session
        seats = session.seats.select_related("player").order_by(F("left_at").asc(nulls_first=True), "position")
        self.players: dict[str, Player] = {str(seat.player_id): seat.player for seat in seats}
        self.here = [str(seat.player_id) for seat in seats if seat.left_at is None]


class AmountsForm(_AdjustmentForm):
    """What each gets (plus) and pays (minus), the house too. It must come to nought: `rest` names who takes the gap."""

    note = NoteField()

    def __init__(self, data: Any = None, *, session: Session) -> None:
        super().__init__(data, session=session)
        labels = {who: player.name for who, player in self.players.items()} | {HOUSE: _("House")}
        for who, label in labels.items():
            self.fields[f"amount-{who}"] = SignedAmountField(label=label, currency=session.currency, required=False)
        self.gap = 0

    @property
    def amount_fields(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith("amount-")]

    @property
    def takers(self) -> list[tuple[str, str, str]]:
        """Who could take the gap: the value of his button, his name and what he would get or pay for it."""
        rest = format_amount(-self.gap, self.session.currency, signed=True)
        return [(name.removeprefix("amount-"), str(self.fields[name].label), rest) for name in self._amount_names()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        amounts = {_who(name): cleaned.get(name) or 0 for name in self._amount_names()}
        taker = self.data.get("rest")
        if taker and f"amount-{taker}" in self.fields:
            amounts[_who(f"amount-{taker}")] -= sum(amounts.values())
        cleaned["amounts"] = amounts
        return cleaned

    def refuse(self, error: ledger.LedgerError) -> None:
        """Show what the book said; a gap is offered to everybody."""
        self.gap = error.gap if isinstance(error, ledger.GapError) else 0
        self.add_error(None, str(error))

    def _amount_names(self) -> list[str]:
        return [name for name in self.fields if name.startswith("amount-")]


class SplitForm(_AdjustmentForm):
    """What one paid for several, in equal shares."""

    paid_by = forms.ChoiceField(label=gettext_lazy("Who paid?"))
    shared_by = forms.MultipleChoiceField(
        label=gettext_lazy("For whom?"), widget=forms.CheckboxSelectMultiple(attrs={"class": "narrow-choices names"})
    )
    note = NoteField()

    field_order = ("note", "amount", "paid_by", "shared_by")

    def __init__(self, data: Any = None, *, session: Session) -> None:
        super().__init__(data, session=session)
        choices = [(who, player.name) for who, player in self.players.items()]
        self.fields["paid_by"].choices = [*choices, (HOUSE, _("House"))]  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["shared_by"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["shared_by"].initial = self.here
        self.fields["amount"] = AmountField(
            label=_("How much in all?"), currency=session.currency, largest=ledger.LARGEST_TOTAL
        )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("amount") == 0:
            self.add_error("amount", _("Enter an amount above 0."))
        return cleaned

    @property
    def shares(self) -> dict[int, int]:
        """What falls on whom of a valid form, by player's key."""
        sharers = [int(who) for who in self.players if who in self.cleaned_data["shared_by"]]
        key: UUID = self.cleaned_data["key"]
        return ledger.split_equally(self.cleaned_data["amount"], sharers, key)

    @property
    def amounts(self) -> dict[int | None, int]:
        """The adjustment: the payer gets it all, each pays his share."""
        amounts: dict[int | None, int] = {who: -share for who, share in self.shares.items()}
        payer = _who(self.cleaned_data["paid_by"])
        amounts[payer] = amounts.get(payer, 0) + self.cleaned_data["amount"]
        return amounts

    @property
    def odd(self) -> list[str]:
        """Who bears a unit more than the others because it cannot be shared; nobody where it can."""
        shares = self.shares
        least = min(shares.values())
        return [self.players[str(who)].name for who, share in shares.items() if share > least]


def _who(name: str) -> int | None:
    who = name.removeprefix("amount-")
    return None if who == HOUSE else int(who)
