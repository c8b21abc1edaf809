"""Accounts: the first one, later ones, logging in, the own account."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from scoring import invitations
from scoring.forms.accounts import AccountForm, LoginForm, PasswordForm
from scoring.invitations import ClosedLinkError
from scoring.models import Host, Invitation
from scoring.views.access import HostRequest

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """For machines that watch the site: it answers, and so does its database."""
    User.objects.exists()
    return HttpResponse("ok", content_type="text/plain")


class LoginView(views.LoginView):
    """Log in; what was typed wrong comes back as 422, like every other form."""

    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, is_signup_open=settings.OPEN_SIGNUP)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """The first host makes his account by the one-time link, then his club."""
    if not invitations.is_setup_open(token):
        return _setup_closed(request)
    form = AccountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            user = invitations.make_first_host(token, **form.account())
        except ClosedLinkError:
            return _setup_closed(request)
        login(request, user, MODEL_BACKEND)
        return redirect("club-new")
    return render(request, "scoring/setup.html", {"form": form}, status=_status(form))


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    """An account for anybody, where the site is open to all (CAPSA_OPEN_SIGNUP)."""
    if not settings.OPEN_SIGNUP:
        raise Http404
    if request.user.is_authenticated:
        return redirect("home")
    form = AccountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with transaction.atomic():
                user = User.objects.create_user(**form.account())
        except IntegrityError:
            form.full_clean()  # somebody took the name a moment ago: now that is found and said
        else:
            login(request, user, MODEL_BACKEND)
            return redirect("home")
    return render(request, "scoring/signup.html", {"form": form}, status=_status(form))


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation to co-host a club: with the account one is logged in to, or with a new one."""
    found = invitations.find_invitation(token)
    if not found:
        return _invitation_closed(request)
    try:
        if request.user.is_authenticated:
            return _join(request, request.user, found, token)
        return _join_with_new_account(request, found, token)
    except ClosedLinkError:
        return _invitation_closed(request)


def _join(request: HttpRequest, user: User, found: Invitation, token: str) -> HttpResponse:
    if request.method == "POST" or found.club.hosts.filter(user=user).exists():
        return _welcome(request, invitations.accept(token, user))
    return render(request, "scoring/invitation.html", {"invitation": found})


def _join_with_new_account(request: HttpRequest, found: Invitation, token: str) -> HttpResponse:
    form = AccountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            host = invitations.accept_with_new_account(token, **form.account())
        except IntegrityError:
            form.full_clean()  # somebody took the name a moment ago: now that is found and said
        else:
            login(request, host.user, MODEL_BACKEND)
            return _welcome(request, host)
    return render(request, "scoring/invitation.html", {"invitation": found, "form": form}, status=_status(form))


def _welcome(request: HttpRequest, host: Host) -> HttpResponse:
    messages.success(request, _("You host %(club)s.") % {"club": host.club})
    return redirect(host.club)


@require_GET
def account(request: HostRequest) -> HttpResponse:
    """The own account: the clubs one hosts, the password, the languages."""
    hosting = request.user.hosting.select_related("club").order_by("club__name", "club")
    return render(request, "scoring/account.html", {"hosting": hosting})


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def password(request: HostRequest) -> HttpResponse:
    """Another password. Every other device is logged out by it."""
    form = PasswordForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, _("The password is changed. Other devices have to log in again."))
        return redirect("account")
    return render(request, "scoring/password.html", {"form": form}, status=_status(form))


def _status(form: AccountForm | PasswordForm) -> int:
    return 422 if form.errors else 200


def _setup_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "scoring/setup_closed.html", {"is_done": User.objects.exists()}, status=404)


def _invitation_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "scoring/invitation_closed.html", status=404)
