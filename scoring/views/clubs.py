"""The clubs one hosts: the start page, the page of a club, its settings and its hosts."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring import invitations
from scoring.club_book import ClubPage
from scoring.forms.clubs import ClubForm, NewClubForm
from scoring.forms.sessions import today
from scoring.models import Club, Host
from scoring.money import format_money
from scoring.views.access import HostRequest, get_club, get_owned_club
from scoring.views.links import address_for_others


@require_GET
def home(request: HostRequest) -> HttpResponse:
    """The one club there is, else a list of them, else the way to the first."""
    playing = Count("players", filter=Q(players__retired_at=None))
    clubs = list(request.user.clubs.annotate(playing=playing))
    if len(clubs) == 1:
        return redirect(clubs[0])
    return render(request, "scoring/home.html", {"clubs": clubs})


@require_GET
def club(request: HostRequest, pk: int) -> HttpResponse:
    """The club: the running evening, who has what open, the last evenings."""
    club = get_club(request, pk)
    context = {
        "club": club,
        "book": ClubPage(club, today(club)),
        "hosts": club.hosts.count(),
        "evenings": club.sessions.count(),
    }
    return render(request, "scoring/club.html", context)


@require_http_methods(["GET", "POST"])
def club_new(request: HostRequest) -> HttpResponse:
    """Make a club; who makes it owns it."""
    form = NewClubForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return redirect("players", form.save_for(request.user).pk)
    context = {"form": form, "is_first": not request.user.hosting.exists()}
    return render(request, "scoring/club_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def club_settings(request: HostRequest, pk: int) -> HttpResponse:
    """Name, currency, stake and time zone of a club; from here to its rules, players and hosts."""
    club = get_club(request, pk)
    name = club.name
    form = ClubForm(request.POST if request.method == "POST" else None, instance=club)
    if form.is_valid():
        form.save_for(request.user)
        stake = format_money(club.stake, club.currency)
        messages.success(request, _("Saved. New evenings start with %(stake)s a point.") % {"stake": stake})
        return redirect("club-settings", club.pk)
    context = {"club": club, "name": name, "form": form}
    return render(request, "scoring/club_settings.html", context, status=422 if form.errors else 200)


# ---------------------------------------------------------------- hosts


@never_cache
@require_GET
def hosts(request: HostRequest, pk: int) -> HttpResponse:
    """Who may write in the book; for an owner also the invitations. A new link is shown this once."""
    club = get_club(request, pk)
    hosts = list(club.hosts.select_related("user"))
    me = next(host for host in hosts if host.user_id == request.user.pk)
    token = request.session.pop(_key(club), None)
    link = address_for_others(request, reverse("invitation", args=[token])) if token else None
    context = {
        "club": club,
        "hosts": hosts,
        "me": me,
        "is_owner": me.role == Host.Role.OWNER,
        "is_last_owner": [host for host in hosts if host.role == Host.Role.OWNER] == [me],
        "invitations": invitations.open_invitations().filter(club=club).select_related("created_by"),
        "link": link,
    }
    return render(request, "scoring/hosts.html", context)


@require_POST
def host_invite(request: HostRequest, pk: int) -> HttpResponse:
    """Make an invitation. Its link is kept until the page of the hosts has shown it, not longer."""
    club = get_owned_club(request, pk)
    request.session[_key(club)] = invitations.invite(club, request.user)
    return redirect("hosts", club.pk)


@require_POST
def invitation_withdraw(request: HostRequest, pk: int, invitation_pk: int) -> HttpResponse:
    """Take an invitation back, so that its link lets nobody in."""
    club = get_owned_club(request, pk)
    invitation = get_object_or_404(club.invitations, pk=invitation_pk, accepted_at=None)
    invitations.withdraw(invitation, request.user)
    request.session.pop(_key(club), None)
    messages.success(request, _("The invitation is withdrawn. Its link is of no use any more."))
    return redirect("hosts", club.pk)


@require_POST
def host_promote(request: HostRequest, pk: int, host_pk: int) -> HttpResponse:
    """Make a co-host an owner too, so that the first one may leave."""
    club = get_owned_club(request, pk)
    host = get_object_or_404(club.hosts.select_related("user"), pk=host_pk)
    invitations.promote_host(host, request.user)
    messages.success(request, _("%(host)s owns the club too now.") % {"host": host})
    return redirect("hosts", club.pk)


@require_POST
def host_remove(request: HostRequest, pk: int, host_pk: int) -> HttpResponse:
    """Take a host out of the club: an owner anybody, a co-host himself. One owner always stays."""
    club = get_club(request, pk)
    host = get_object_or_404(club.hosts.select_related("user"), pk=host_pk)
    is_me = host.user_id == request.user.pk
    if not is_me:
        get_owned_club(request, pk)
    try:
        invitations.remove_host(host, request.user)
    except invitations.LastOwnerError:
        messages.error(request, _("A club needs an owner. Make somebody else an owner first."))
        return redirect("hosts", club.pk)
    if is_me:
        messages.success(request, _("You left %(club)s.") % {"club": club})
        return redirect("home")
    messages.success(request, _("%(host)s no longer hosts this club.") % {"host": host})
    return redirect("hosts", club.pk)


def _key(club: Club) -> str:
    """Where the session of the browser keeps a new link until it is shown."""
    return f"invitation-{club.pk}"
