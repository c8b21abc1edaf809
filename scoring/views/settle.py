"""Settling up: who pays whom, payments written down and taken back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from scoring import ledger
from scoring.forms.settle import PaymentForm
from scoring.models import Session
from scoring.settle_up import SettleUp
from scoring.views.access import HostRequest, get_entry, get_session


@never_cache
@require_GET
@vary_on_headers("HX-Request")
def settle_up(request: HostRequest, pk: int) -> HttpResponse:
    """Who pays whom after an evening."""
    return _render(request, get_session(request, pk))


@require_POST
def pay(request: HostRequest, pk: int) -> HttpResponse:
    """Write down a payment; a second tap, or the same tap on another page, changes nothing."""
    session = get_session(request, pk)
    form = PaymentForm(request.POST, book=session)
    if not form.is_valid():
        return _render(request, session, refused=form)
    try:
        entry = ledger.record_payment(session, user=request.user, **form.cleaned_data)
    except ledger.StaleError as error:
        return _render(request, session, notice=str(error))
    except ledger.LedgerError as error:
        form.add_error("amount", str(error))
        return _render(request, session, refused=form)
    messages.success(request, _("The payment is recorded."))
    return redirect("settle-up", entry.session_id)


@require_POST
def reverse(request: HostRequest, pk: int) -> HttpResponse:
    """Take a payment back."""
    entry = get_entry(request, pk)
    session = get_session(request, entry.session_id)
    try:
        ledger.reverse_payment(entry, request.user)
    except ledger.LedgerError as error:
        return _render(request, session, notice=str(error))
    messages.success(request, _("The payment is taken back."))
    return redirect("settle-up", session.pk)


def _render(
    request: HostRequest, session: Session, refused: PaymentForm | None = None, notice: str = ""
) -> HttpResponse:
    """The page. A refused payment is shown in its row; where that is gone, what became of it is told above the rows."""
    page = SettleUp(session)
    refused_row = page.row(*refused.pair()) if refused else None
    if refused and not refused_row:
        notice = refused.first_error()
    rows = [
        (row, refused if row is refused_row else PaymentForm(book=session, claim=row.claim))
        for row in page.open_rows
    ]
    # htmx swaps in a 422 only; what it says is the same.
    status = 422 if refused_row or (notice and request.htmx) else 409 if notice else 200
    part = "#settle-up" if request.htmx and not request.htmx.history_restore_request else ""
    context = {"session": session, "page": page, "rows": rows, "notice": notice}
    return render(request, f"scoring/settle_up.html{part}", context, status=status)
