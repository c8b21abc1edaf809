"""What could have been: of the hands of a round, and of the cards that a player was dealt over time."""

from functools import partial
from itertools import accumulate

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.charts import Chart, Series, draw_totals
from scoring.forms.filters import SelectionForm
from scoring.hindsight import hindsight
from scoring.models import Round
from scoring.money import format_amount
from scoring.reviews import review_round
from scoring.statistics.luck import LuckEvening, added, costliest_hands, luck_by_evening, unreviewed_rounds
from scoring.views.access import HostRequest, get_player, get_round

PER_PAGE = 25


@require_GET
def round_review(request: HostRequest, pk: int) -> HttpResponse:
    """Each hand of a scored round beside the best that could have been made of it, worked out now where nobody did."""
    round_ = get_round(request, pk)
    if round_.state != Round.State.SCORED:
        return redirect(round_)
    if round_.reviewed_at is None:
        review_round(round_)
    context = {"round": round_, "session": round_.session, "hindsight": hindsight(round_)}
    return render(request, "scoring/round_review.html", context)


@require_GET
def player_luck(request: HostRequest, pk: int) -> HttpResponse:
    """What a player's cards were worth, and what he made of them, evening by evening."""
    player = get_player(request, pk)
    form = SelectionForm(request.GET, club=player.club)
    evenings = luck_by_evening(player, form.selection)
    page = Paginator(evenings[::-1], PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "player": player,
        "club": player.club,
        "form": form,
        "page": page,
        "pager": {"page": page, "paginator": page.paginator, "prefixed_page_field": "page"},
        "total": added(evenings),
        "costliest": costliest_hands(player, form.selection),
        "unreviewed": unreviewed_rounds(player),
        "chart": _chart(evenings) if evenings else None,
    }
    return render(request, "scoring/player_luck.html", context)


def _chart(evenings: list[LuckEvening]) -> Chart:
    """Two running totals: what the cards were worth, and what was made of them."""
    worth = [round(total) for total in accumulate(one.luck.worth for one in evenings)]
    points = list(accumulate(one.luck.points for one in evenings))
    lines = [Series(_("Made"), points), Series(_("Cards"), worth)]
    return draw_totals(lines, range(1, len(evenings) + 1), partial(format_amount, currency="PTS", signed=True))
