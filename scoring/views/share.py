"""Sharing an evening: the codes of the board and the seats, and what the host does about hands laid at a seat."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from scoring import ledger, sharing
from scoring.entry import RoundEntry
from scoring.models import Session, ShareLink
from scoring.views.access import HostRequest, get_hand, get_round, get_session, get_share_link
from scoring.views.links import address_for_others


@never_cache
@require_GET
def share(request: HostRequest, pk: int) -> HttpResponse:
    """The codes to show around the table."""
    session = get_session(request, pk)
    links = [(link, _address(request, link)) for link in sharing.open_links(session)]
    present = set(session.seats.filter(left_at=None).values_list("player", flat=True))
    context = {
        "session": session,
        "boards": [(link, url) for link, url in links if link.player is None],
        "seats": [(link, url) for link, url in links if link.player is not None],
        "without_link": len(present - {link.player_id for link, _url in links}),
    }
    return render(request, "scoring/share.html", context)


@require_POST
def share_board(request: HostRequest, pk: int) -> HttpResponse:
    """Make the link to the board; one that is open stays."""
    session = get_session(request, pk)
    sharing.share_board(session, request.user)
    return redirect("share", session.pk)


@require_POST
def share_seats(request: HostRequest, pk: int) -> HttpResponse:
    """Make a link for everybody at the table who has none."""
    session = get_session(request, pk)
    sharing.share_seats(session, request.user)
    return redirect("share", session.pk)


@require_POST
def revoke(request: HostRequest, pk: int) -> HttpResponse:
    """Close a link for good. Pages that are open by it say so."""
    link = get_share_link(request, pk)
    sharing.revoke_link(link, request.user)
    if link.player:
        told = _("The link of %(player)s is withdrawn. What was laid is kept.") % {"player": link.player}
    else:
        told = _("The link to the board is withdrawn.")
    messages.success(request, told)
    return redirect("share", link.session_id)


@require_POST
def take_over(request: HostRequest, pk: int) -> HttpResponse:
    """Enter a hand that is laid at its seat; the player is told there, and what was laid stays his."""
    hand = get_hand(request, pk)
    try:
        ledger.take_over_hand(hand)
        messages.success(request, _("You enter the hand of %(player)s now.") % {"player": hand.player})
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect(hand.round)


@require_POST
def reveal(request: HostRequest, pk: int) -> HttpResponse:
    """Turn the hands that were laid at the seats over for the table."""
    round_ = get_round(request, pk)
    try:
        ledger.reveal_round(round_, request.user)
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect(round_)


def board_address(request: HostRequest, session: Session) -> str:
    """Where others watch this evening; empty where there is no link."""
    link = sharing.open_links(session).filter(kind=ShareLink.Kind.BOARD).first()
    return _address(request, link) if link else ""


@never_cache
@require_GET
def hidden_hands(request: HostRequest, pk: int) -> HttpResponse:
    """Asked by the host's entry page every now and then: how far the hands are that are laid elsewhere.

    The page sends back as `v` the session's version and which hands it drew as hidden. Where those are others by now,
    or the round is over, the page itself is out of date.
    """
    round_ = get_round(request, pk)
    if not round_.is_open:
        return HttpResponseClientRedirect(reverse("round", args=[round_.pk]))
    version, _dot, drawn = request.GET.get("v", "").partition(".")
    if version == str(round_.session.version):
        return HttpResponse(status=204)
    entry = RoundEntry(round_)
    if drawn != entry.hidden_key:
        return HttpResponseClientRedirect(reverse("round-entry", args=[round_.pk]))
    response = render(request, "scoring/_hidden_hands.html#inside", {"round": round_, "entry": entry})
    return trigger_client_event(response, "drawn", {"v": f"{round_.session.version}.{drawn}"})


def _address(request: HostRequest, link: ShareLink) -> str:
    return address_for_others(request, reverse(link.kind, args=[link.token]))
