"""Correcting a scored round: its hands laid out again, the difference, saving it, an older version brought back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring import ledger
from scoring.entry import RoundEntry
from scoring.forms.amend import AmendSheet
from scoring.forms.rounds import ReasonForm
from scoring.models import Round
from scoring.views.access import HostRequest, get_round
from scoring.views.rounds import number_in


@never_cache
@require_http_methods(["GET", "POST"])
def amend(request: HostRequest, pk: int) -> HttpResponse:
    """The hands of a scored round, to be changed; posted, they come back with what can be said about them."""
    round_ = get_round(request, pk)
    if round_.is_open:
        return redirect("round-entry", round_.pk)
    if request.method == "POST":
        return _checked(request, AmendSheet(round_, request.POST))
    refusal = _refusal(round_)
    if refusal:
        messages.error(request, refusal)
        return redirect("round", round_.newest.pk)
    return _render(request, AmendSheet(round_))


@never_cache
@require_POST
def difference(request: HostRequest, pk: int) -> HttpResponse:
    """What the correction changes in points and money; nothing is saved yet."""
    round_ = get_round(request, pk)
    if round_.is_open:
        return redirect("round-entry", round_.pk)
    sheet = AmendSheet(round_, request.POST)
    if not _stands(round_):
        return _stale(request, sheet)
    refusal = _refusal(round_)
    sheet.told += [refusal] if refusal else []
    if not _is_whole(sheet):
        return _render(request, sheet, status=422)
    return _render_difference(request, sheet, ReasonForm())


@never_cache
@require_POST
def save(request: HostRequest, pk: int) -> HttpResponse:
    """Save the correction; a second tap leads to the same version."""
    round_ = get_round(request, pk)
    if round_.is_open:
        return redirect("round-entry", round_.pk)
    sheet, reason = AmendSheet(round_, request.POST), ReasonForm(request.POST)
    if not _is_whole(sheet):
        return _render(request, sheet, status=422) if _stands(round_) else _stale(request, sheet)
    if not reason.is_valid():
        return _render_difference(request, sheet, reason)
    won, why = sheet.entry.round.answers, reason.cleaned_data["reason"]
    try:
        new = ledger.amend_round(round_, request.user, why, sheet.entry.laid, won=won, key=sheet.key)
    except ledger.LedgerError as error:
        return _refused(request, pk, sheet, reason, error)
    messages.success(request, _("Round %(number)s is corrected.") % {"number": new.number})
    return redirect("round", new.pk)


@require_POST
def bring_back(request: HostRequest, pk: int) -> HttpResponse:
    """Undo corrections: an older version takes the place of the one that the page showed as current."""
    older = get_round(request, pk)
    current = older.session.rounds.filter(pk=number_in(request.POST.get("current", ""))).first()
    if current is None:
        return redirect("round", older.newest.pk)
    try:
        current = ledger.bring_back(older, current, request.user, _("Correction undone"))
    except ledger.LedgerError as error:
        messages.error(request, str(error))
        current.refresh_from_db()
    else:
        messages.success(request, _("The earlier version counts again."))
    return redirect("round", current.newest.pk)


def _stands(round_: Round) -> bool:
    """Whether it is the version that counts."""
    return not (round_.is_amended or round_.is_voided)


def _refusal(round_: Round) -> str:
    """Why the round cannot be corrected; empty where it can."""
    number = {"number": round_.number}
    if not round_.session.is_open:
        return _("This session is closed. Reopen it to change anything.")
    if round_.is_amended:
        return _("Round %(number)s was corrected meanwhile.") % number
    return _("Round %(number)s is voided. Restore it first, then correct it.") % number if round_.is_voided else ""


def _is_whole(sheet: AmendSheet) -> bool:
    """Whether it is a correction that can be saved; else it says at the fields, or above the dock, what is wrong."""
    if not sheet.entry.preview:
        sheet.entry.name_what_is_missing()
        return False
    if not sheet.is_different:
        sheet.told.append(_("Nothing is different from what stands."))
    return sheet.is_valid


def _checked(request: HostRequest, sheet: AmendSheet) -> HttpResponse:
    if _stands(sheet.old):
        return _render(request, sheet, status=200 if sheet.is_valid else 422)
    if not request.htmx:
        return _stale(request, sheet)
    sheet.told.append(_refusal(sheet.old))
    return _render(request, sheet)


def _refused(
    request: HostRequest, pk: int, sheet: AmendSheet, reason: ReasonForm, error: ledger.LedgerError
) -> HttpResponse:
    """The book does not take the correction: another version stands by now, or it says why."""
    sheet.old = get_round(request, pk)
    if not _stands(sheet.old):
        return _stale(request, sheet)
    sheet.told.append(str(error))
    return _render_difference(request, sheet, reason, status=422)


def _stale(request: HostRequest, sheet: AmendSheet) -> HttpResponse:
    """What stands by now and what was typed, side by side; nothing is overwritten and nothing lost."""
    current = sheet.old.newest
    context = {
        "session": sheet.old.session,
        "sheet": sheet,
        "round": current if current.is_voided else sheet.old,
        "current": current,
        "changes": sheet.changes_from(RoundEntry(current)),
    }
    return render(request, "scoring/amend_stale.html", context, status=409)


def _render(request: HostRequest, sheet: AmendSheet, status: int = 200) -> HttpResponse:
    round_ = sheet.old
    context = {"round": round_, "session": round_.session, "sheet": sheet, "store": f"amend-{round_.pk}"}
    # htmx swaps in what is wrong as well; the code for that is kept for pages without script.
    return render(request, "scoring/amend.html", context, status=200 if request.htmx else status)


def _render_difference(request: HostRequest, sheet: AmendSheet, reason: ReasonForm, status: int = 200) -> HttpResponse:
    round_ = sheet.old
    context = {"round": round_, "session": round_.session, "sheet": sheet, "reason": reason}
    code = 422 if reason.errors else status
    return render(request, "scoring/amend_difference.html", context, status=code)
