"""The quick score: one round for everybody, without an account and without a trace."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring import ledger
from scoring.forms.quick import QuickSheet
from scoring.forms.quick_keep import KeepForm, QuickRound
from scoring.views.access import HostRequest
from scoring.views.links import GuestRequest


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def quick(request: GuestRequest) -> HttpResponse:
    """Type two to four hands; posted, they come back with what can be said about them."""
    sheet = QuickSheet(request.POST if request.method == "POST" else None)
    # htmx takes over what is wrong as well; the code for that is kept for pages without script.
    status = 200 if sheet.is_valid or request.htmx else 422
    return render(request, "scoring/quick.html", {"sheet": sheet}, status=status)


@login_not_required
@never_cache
@require_POST
def score(request: GuestRequest) -> HttpResponse:
    """The score of the hands with its reasons. Nothing is kept; what was typed is sent along to be changed."""
    sheet = QuickSheet(request.POST)
    result = sheet.result
    if not result:
        sheet.entry.name_what_is_missing()
        return render(request, "scoring/quick.html", {"sheet": sheet}, status=422)
    context = {"sheet": sheet, "result": result, "token": sheet.round.as_token()}
    return render(request, "scoring/quick_score.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def keep(request: HostRequest, token: str) -> HttpResponse:
    """Make an evening of a quick score, in a club of the host; once, however often it is asked for."""
    try:
        round_ = QuickRound.from_token(token)
    except BadSignature:
        messages.error(request, _("This link is not complete. Enter the hands again."))
        return redirect("quick")
    form = KeepForm(request.POST if request.method == "POST" else None, user=request.user, quick=round_)
    kept = form.kept_already()
    if not kept and form.is_valid():
        try:
            kept = form.save()
            messages.success(request, _("It is in the book. The evening goes on with the next round."))
        except ledger.LedgerError as error:
            form.add_error(None, str(error))
    if kept:
        return redirect("round", kept.pk)
    context = {"form": form, "round": round_, "token": token}
    return render(request, "scoring/quick_keep.html", context, status=422 if form.errors else 200)
