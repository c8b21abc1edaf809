"""The form that chooses which evenings are carried over to their club."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from scoring.club_settle import WaitingEvening
from scoring.forms.choices import RowsField
from scoring.ledger import ClubBook
from scoring.models import Session


class CarryOverForm(forms.Form):
    """Which closed evenings to carry over: all that wait, unless some are taken out."""

    sessions = RowsField(
        Session.objects.none(),
        label=gettext_lazy("Evenings"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one evening.")},
    )

    def __init__(self, *args: Any, book: ClubBook, waiting: Sequence[WaitingEvening] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # One that was carried over meanwhile is no mistake: it stays carried over.
        closed = book.club.sessions.filter(currency=book.currency, closed_at__isnull=False)
        field: Any = self.fields["sessions"]
        field.queryset = closed
        field.initial = [evening.session.pk for evening in waiting]
        field.choices = [(evening.session.pk, _told(evening)) for evening in waiting]


def _told(evening: WaitingEvening) -> str:
    day = date_format(evening.session.date, gettext("D, j F Y"))
    return format_html("<b>{}</b><small>{}</small>", day, gettext("%(open)s open") % {"open": evening.open})
