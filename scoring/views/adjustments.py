"""Adjustments by hand: drinks, a forgotten debt, a cash-in."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring import ledger
from scoring.adjustments import Adjustments
from scoring.forms.adjustments import AmountsForm, SplitForm
from scoring.models import Session
from scoring.money import format_money
from scoring.views.access import HostRequest, get_entry, get_session
from scoring.wording import listed


@never_cache
@require_http_methods(["GET", "POST"])
def adjustments(request: HostRequest, pk: int) -> HttpResponse:
    """What was adjusted, and the forms for more: amounts for everybody, or what one paid for several."""
    session = get_session(request, pk)
    if request.method == "GET":
        return _show(request, session)
    form = AmountsForm(request.POST, session=session)
    if not form.is_valid():
        return _show(request, session, by_hand=form)
    told = form.cleaned_data
    try:
        ledger.record_adjustment(session, told["amounts"], told["note"], told["key"], request.user)
    except ledger.LedgerError as error:
        form.refuse(error)
        return _show(request, session, by_hand=form)
    messages.success(request, _("The adjustment is recorded."))
    return redirect("adjustments", session.pk)


@require_POST
def split(request: HostRequest, pk: int) -> HttpResponse:
    """Write down what one paid for several."""
    session = get_session(request, pk)
    form = SplitForm(request.POST, session=session)
    if not form.is_valid():
        return _show(request, session, shared=form)
    told = form.cleaned_data
    try:
        ledger.record_adjustment(session, form.amounts, told["note"], told["key"], request.user)
    except ledger.LedgerError as error:
        form.add_error(None, str(error))
        return _show(request, session, shared=form)
    messages.success(request, _split_told(form, session))
    return redirect("adjustments", session.pk)


@require_POST
def take_back(request: HostRequest, pk: int) -> HttpResponse:
    """Take an adjustment back."""
    entry = get_entry(request, pk)
    try:
        ledger.reverse_adjustment(entry, request.user)
        messages.success(request, _("The adjustment is taken back."))
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect("adjustments", entry.session_id) if entry.session_id else redirect(entry.club)


def _split_told(form: SplitForm, session: Session) -> str:
    """What was recorded, and who bears what could not be shared."""
    shares = form.shares.values()
    share = format_money(min(shares), session.currency)
    if not form.odd:
        return _("The adjustment is recorded: %(share)s each.") % {"share": share}
    more = format_money(max(shares), session.currency)
    text = _("The adjustment is recorded: %(share)s each; by lot %(names)s bears %(more)s.")
    return text % {"share": share, "names": listed(form.odd), "more": more}


def _show(
    request: HostRequest, session: Session, by_hand: AmountsForm | None = None, shared: SplitForm | None = None
) -> HttpResponse:
    context = {
        "session": session,
        "adjustments": Adjustments(session),
        "by_hand": by_hand or AmountsForm(session=session),
        "shared": shared or SplitForm(session=session),
    }
    return render(request, "scoring/adjustments.html", context, status=422 if by_hand or shared else 200)
