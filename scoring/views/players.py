"""The players of a club: adding, renaming, retiring and taking back."""

from datetime import datetime

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.change_log import log_change
from scoring.forms.players import PlayersForm, RenameForm
from scoring.models import Change, Player
from scoring.views.access import HostRequest, get_club, get_player


@require_http_methods(["GET", "POST"])
def players(request: HostRequest, pk: int) -> HttpResponse:
    """Who plays in the club, who did, and a form to add many at once."""
    club = get_club(request, pk)
    form = PlayersForm(request.POST if request.method == "POST" else None, club=club)
    if form.is_valid() and form.save_for(request.user):
        count = len(form.cleaned_data["names"])
        added = ngettext("%(count)s player was added.", "%(count)s players were added.", count)
        messages.success(request, added % {"count": count})
        return redirect("players", club.pk)
    everybody = list(club.players.all())
    context = {
        "club": club,
        "form": form,
        "active": [player for player in everybody if not player.is_retired],
        "retired": [player for player in everybody if player.is_retired],
    }
    return render(request, "scoring/players.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def rename(request: HostRequest, pk: int) -> HttpResponse:
    """Another name for a player, in every evening he played too."""
    player = get_player(request, pk)
    before = player.name
    form = RenameForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid() and form.save_for(request.user):
        messages.success(request, _("%(before)s is called %(name)s now.") % {"before": before, "name": player.name})
        return redirect("players", player.club_id)
    context = {"player": player, "club": player.club, "before": before, "form": form}
    return render(request, "scoring/player_rename.html", context, status=422 if form.errors else 200)


@require_POST
def retire(request: HostRequest, pk: int) -> HttpResponse:
    """Offer a player for new evenings no longer; what he played stays."""
    player = get_player(request, pk)
    _mark(request, player, "retired", timezone.now())
    messages.success(request, _("%(name)s is retired. What was played stays in the book.") % {"name": player.name})
    return redirect("players", player.club_id)


@require_POST
def take_back(request: HostRequest, pk: int) -> HttpResponse:
    """Offer a retired player for new evenings again."""
    player = get_player(request, pk)
    _mark(request, player, "returned", None)
    messages.success(request, _("%(name)s is back.") % {"name": player.name})
    return redirect("players", player.club_id)


def _mark(request: HostRequest, player: Player, action: str, retired_at: datetime | None) -> None:
    """Retire a player or take one back; what he is already changes nothing."""
    with transaction.atomic():
        others = Player.objects.filter(pk=player.pk, retired_at__isnull=retired_at is not None)
        if others.update(retired_at=retired_at):
            log_change(player.club, Change.Kind.PLAYER, action, request.user, new={"name": player.name})
