"""Looking back: the evenings of a club, its players beside each other, and each of them alone."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import FileResponse, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.charts import BarChart, draw_bars
from scoring.club_book import by_currency, open_amounts
from scoring.exports.history import history_sheet
from scoring.exports.sheets import CSV, EXCEL, file_name, spreadsheet_response
from scoring.forms.filters import HistoryForm, LeaderboardForm, MatrixForm, SelectionForm
from scoring.money import format_amount
from scoring.statistics import best_of, sessions_of
from scoring.statistics.club import leaderboard as leaders_of
from scoring.statistics.club import matrix as matrix_of
from scoring.statistics.players import PlayerRecord, columns
from scoring.statistics.sums import PlayerEvening
from scoring.views.access import HostRequest, get_club, get_player

PER_PAGE = 25
PAGE = "page"
OPEN = 8  # amounts that are open, by evening, that the page of a player lists


@require_GET
def history(request: HostRequest, pk: int) -> HttpResponse:
    """The evenings of a club month by month, newest first; those that were asked for."""
    club = get_club(request, pk)
    form = HistoryForm(request.GET, club=club)
    page = _page(request, form.found().values_list("pk", flat=True))
    listed = list(sessions_of(club.sessions.filter(pk__in=list(page))))
    best = best_of(listed)
    by_month = groupby(listed, key=lambda session: session.date.replace(day=1))
    context = {
        "club": club,
        "form": form,
        "months": [(month, [(each, best.get(each.pk)) for each in sessions]) for month, sessions in by_month],
        "pager": _pager(page),
    }
    return render(request, "scoring/sessions.html", context)


@require_GET
def history_export(request: HostRequest, pk: int) -> FileResponse:
    """The evenings that were asked for as a table for a spreadsheet, all pages of them."""
    club = get_club(request, pk)
    kind = EXCEL if request.GET.get("file") == EXCEL else CSV
    sessions = HistoryForm(request.GET, club=club).found()
    return spreadsheet_response([history_sheet(sessions)], file_name(club.name, _("evenings")), kind)


@require_GET
def leaderboard(request: HostRequest, pk: int) -> HttpResponse:
    """Who leads in a club, over a period and under rules."""
    club = get_club(request, pk)
    form = LeaderboardForm(request.GET, club=club)
    page = _page(request, leaders_of(club, form.selection, form.measure))
    currencies, money = columns([leader.money for leader in page])
    context = {
        "club": club,
        "form": form,
        "lines": list(zip(page, money, strict=True)),
        "currencies": currencies,
        "pager": _pager(page),
    }
    return render(request, "scoring/leaderboard.html", context)


@require_GET
def matrix(request: HostRequest, pk: int) -> HttpResponse:
    """Everybody against everybody in a club."""
    club = get_club(request, pk)
    form = MatrixForm(request.GET, club=club)
    context = {"club": club, "form": form, "matrix": matrix_of(club, form.selection, form.currency)}
    return render(request, "scoring/matrix.html", context)


@require_GET
def player(request: HostRequest, pk: int) -> HttpResponse:
    """One player: what is open, how he did, against whom."""
    player = get_player(request, pk)
    form = SelectionForm(request.GET, club=player.club)
    record = PlayerRecord(player, form.selection)
    mine = open_amounts(player)
    page = _page(request, record.opponents)
    currencies, money = columns([one.money for one in page])
    context = {
        "player": player,
        "club": player.club,
        "form": form,
        "record": record,
        "open_amounts": mine[::-1][:OPEN],
        "open_more": len(mine[OPEN:]),
        "balances": by_currency(mine, player.club.currency),
        "chart": _form_chart(record.form) if record.form else None,
        "opponents": list(zip(page, money, strict=True)),
        "currencies": currencies,
        "pager": _pager(page),
    }
    return render(request, "scoring/player.html", context)


def _form_chart(evenings: Sequence[PlayerEvening]) -> BarChart:
    days = [date_format(one.date, "j M") for one in evenings]
    word = partial(format_amount, currency="PTS", signed=True)
    return draw_bars([one.points for one in evenings], days, word)


def _page(request: HostRequest, things: Sequence[Any] | QuerySet[Any]) -> Page:
    """The page of `things` that the address asks for; of one that does not exist the nearest."""
    return Paginator(things, PER_PAGE).get_page(request.GET.get(PAGE))


def _pager(page: Page) -> dict[str, Any]:
    """What the links to the neighbours need (scoring/_pager.html)."""
    return {"page": page, "paginator": page.paginator, "prefixed_page_field": PAGE}
