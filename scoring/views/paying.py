"""What the settle-up page of an evening and that of a club have in common: payments written down and taken back.

That of an evening shows one of two plans: the fewest transfers, or with `plan=direct` the direct debts; its forms send
this along.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ledger
from scoring.club_settle import ClubSettle
from scoring.forms.carry_over import CarryOverForm
from scoring.forms.sessions import today
from scoring.forms.settle import BatchForm, PaymentForm
from scoring.models import Entry, Session
from scoring.settle_up import SettleUp
from scoring.views.access import HostRequest
from scoring.views.share import board_address


def is_direct(request: HostRequest) -> bool:
    """Whether the page shows the direct debts."""
    return (request.POST if request.method == "POST" else request.GET).get("plan") == "direct"


def page_of(book: ledger.Book, direct: bool = False) -> str:
    """The address of the page that settles a book."""
    if isinstance(book, Session):
        return reverse("settle-up", args=[book.pk]) + ("?plan=direct" if direct else "")
    return reverse("club-settle-in", args=[book.club_id, book.currency])


def record_payment(request: HostRequest, book: ledger.Book) -> HttpResponse:
    """Write down a payment; a second tap, or the same tap on another page, changes nothing."""
    form = PaymentForm(request.POST, book=book)
    if not form.is_valid():
        return show(request, book, refused=form)
    try:
        ledger.record_payment(book, user=request.user, direct=is_direct(request), **form.cleaned_data)
    except ledger.StaleError as error:
        return show(request, book, notice=str(error))
    except ledger.LedgerError as error:
        form.add_error("amount", str(error))
        return show(request, book, refused=form)
    messages.success(request, _("The payment is recorded."))
    return redirect(page_of(book, is_direct(request)))


def take_back(request: HostRequest, entry: Entry) -> HttpResponse:
    """Take a payment back."""
    book = ledger.book_of(entry)
    try:
        ledger.reverse_payment(entry, request.user)
    except ledger.LedgerError as error:
        return show(request, book, notice=str(error))
    messages.success(request, _("The payment is taken back."))
    return redirect(page_of(book, is_direct(request)))


def record_all(request: HostRequest, book: ledger.Book) -> HttpResponse:
    """Write down every payment of the plan at once; where something else is open by now, that is shown instead."""
    form = BatchForm(request.POST)
    if not form.is_valid():
        return show(request, book, notice=form.refusal)
    key, direct = form.cleaned_data["key"], is_direct(request)
    try:
        payments = ledger.record_all_paid(book, key, request.user, direct=direct)
    except ledger.LedgerError as error:
        return show(request, book, notice=str(error))
    told = ngettext("%(count)s payment is recorded.", "%(count)s payments are recorded.", len(payments))
    messages.success(request, told % {"count": len(payments)})
    return redirect(page_of(book, direct))


def take_back_all(request: HostRequest, book: ledger.Book) -> HttpResponse:
    """Take back all the payments that one tap recorded."""
    form = BatchForm(request.POST)
    if not form.is_valid():
        return show(request, book, notice=form.refusal)
    try:
        payments = ledger.reverse_all_paid(book, form.cleaned_data["key"], request.user)
    except ledger.LedgerError as error:
        return show(request, book, notice=str(error))
    told = ngettext("%(count)s payment is taken back.", "%(count)s payments are taken back.", len(payments))
    messages.success(request, told % {"count": len(payments)})
    return redirect(page_of(book, is_direct(request)))


def show(request: HostRequest, book: ledger.Book, refused: PaymentForm | None = None, notice: str = "") -> HttpResponse:
    """The page. A refused payment is shown in its row; where that is gone, what became of it is told above the rows."""
    context = _session_page(request, book) if isinstance(book, Session) else _club_page(request, book)
    page = context["page"]
    refused_row = page.row(*refused.pair()) if refused else None
    if refused and not refused_row:
        notice = refused.first_error()
    rows = [(row, refused if row is refused_row else PaymentForm(book=book, claim=row.claim)) for row in page.open_rows]
    # htmx swaps in a 422 only; what it says is the same.
    status = 422 if refused_row or (notice and request.htmx) else 409 if notice else 200
    name = "settle_up" if isinstance(book, Session) else "club_settle"
    part = "#settle-up" if request.htmx and not request.htmx.history_restore_request else ""
    context |= {"rows": rows, "notice": notice}
    return render(request, f"scoring/{name}.html{part}", context, status=status)


def _session_page(request: HostRequest, session: Session) -> dict[str, Any]:
    page = SettleUp(session, direct=is_direct(request))
    return {"session": session, "page": page, "board_url": board_address(request, session)}


def _club_page(request: HostRequest, book: ledger.ClubBook) -> dict[str, Any]:
    page = ClubSettle(book, today(book.club), leaf=_leaf(request))
    return {"club": book.club, "page": page, "form": CarryOverForm(book=book, waiting=page.waiting)}


def _leaf(request: HostRequest) -> int:
    asked = request.GET.get("leaf", "")
    return max(int(asked), 1) if asked.isdecimal() and len(asked) < 6 else 1
