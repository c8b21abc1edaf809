"""The forms of payments."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.forms.amounts import AmountField
from scoring.ledger import LARGEST_TOTAL, Book, Claim
from scoring.models import Player


class PaymentForm(forms.Form):
    """That `payer` gave `payee` an amount; an empty one is the house. Whether it is open is for the ledger to say."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    payer = forms.ModelChoiceField(Player.objects.none(), required=False, widget=forms.HiddenInput)
    payee = forms.ModelChoiceField(Player.objects.none(), required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, book: Book, claim: Claim | None = None, **kwargs: Any) -> None:
        """With `claim` the form proposes all that is open of it."""
        if claim:
            kwargs["initial"] = {field: getattr(claim, field) for field in ("key", "payer", "payee")}
            kwargs["initial"]["amount"] = claim.open
            kwargs["auto_id"] = f"part-{claim.payer or 'house'}-{claim.payee or 'house'}-%s"
        super().__init__(*args, **kwargs)
        for side in ("payer", "payee"):
            self.fields[side].queryset = book.club.players.all()  # type: ignore[attr-defined]  # a ModelChoiceField
        self.fields["amount"] = AmountField(label=_("Amount received"), currency=book.currency, largest=LARGEST_TOTAL)

    def pair(self) -> tuple[int | None, int | None]:
        """The keys of payer and payee as far as they could be read, None for the house."""
        payer, payee = (self.cleaned_data.get(side) for side in ("payer", "payee"))
        return payer and payer.pk, payee and payee.pk

    def first_error(self) -> str:
        """What is wrong, where there is no field any more to say it at."""
        return str(next(iter(self.errors.values()))[0])


class BatchForm(forms.Form):
    """All payments that are recorded, or taken back, at one tap: named by a key of the server's."""

    key = forms.UUIDField()

    @property
    def refusal(self) -> str:
        """What is said of a key that is none."""
        return gettext("This page is out of date. Nothing was changed; look at what is open now.")
