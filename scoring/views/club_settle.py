"""Settling up over all evenings of a club: what is open is carried over from them, paid and taken back."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from scoring import ledger
from scoring.forms.carry_over import CarryOverForm
from scoring.ledger import ClubBook
from scoring.money import CURRENCIES
from scoring.views import paying
from scoring.views.access import HostRequest, get_club, get_entry, get_session


@never_cache
@require_GET
@vary_on_headers("HX-Request")
def club_settle(request: HostRequest, pk: int, currency: str = "") -> HttpResponse:
    """Who pays whom over all evenings, in one currency; without one in that of the club."""
    return paying.show(request, _book(request, pk, currency))


@require_POST
def pay(request: HostRequest, pk: int, currency: str) -> HttpResponse:
    """Write down a payment of what was carried over from evenings."""
    return paying.record_payment(request, _book(request, pk, currency))


@require_POST
def pay_all(request: HostRequest, pk: int, currency: str) -> HttpResponse:
    """Write down every payment of the plan at once."""
    return paying.record_all(request, _book(request, pk, currency))


@require_POST
def reverse_all(request: HostRequest, pk: int, currency: str) -> HttpResponse:
    """Take back all the payments that one tap recorded."""
    return paying.take_back_all(request, _book(request, pk, currency))


@require_POST
def carry_chosen_over(request: HostRequest, pk: int, currency: str) -> HttpResponse:
    """Carry the chosen evenings over to the club; a second tap changes nothing."""
    book = _book(request, pk, currency)
    form = CarryOverForm(request.POST, book=book)
    if not form.is_valid():
        return paying.show(request, book, notice=str(form.errors["sessions"][0]))
    try:
        entries = ledger.carry_all_over(form.cleaned_data["sessions"], request.user)
    except ledger.LedgerError as error:
        return paying.show(request, book, notice=str(error))
    done = ngettext("%(count)s evening is carried over.", "%(count)s evenings are carried over.", len(entries))
    messages.success(request, done % {"count": len(entries)})
    return redirect(paying.page_of(book))


@require_POST
def carry_over(request: HostRequest, pk: int) -> HttpResponse:
    """Carry one evening over to its club."""
    session = get_session(request, pk)
    try:
        ledger.carry_over(session, request.user)
    except ledger.LedgerError as error:
        return paying.show(request, session, notice=str(error))
    messages.success(request, _("What was open is carried over to the club."))
    return redirect("club-settle-in", session.club_id, session.currency)


@require_POST
def take_back(request: HostRequest, pk: int) -> HttpResponse:
    """Take back what was carried over from an evening."""
    entry = get_entry(request, pk)
    try:
        ledger.take_back_carry_over(entry, request.user)
    except ledger.LedgerError as error:
        return paying.show(request, ledger.book_of(entry), notice=str(error))
    messages.success(request, _("Taken back: what is open of the evening is settled there again."))
    return redirect("club-settle-in", entry.club_id, entry.currency)


def _book(request: HostRequest, pk: int, currency: str) -> ClubBook:
    club = get_club(request, pk)
    if currency and currency not in CURRENCIES:
        raise Http404
    return ClubBook(club, currency or club.currency)
