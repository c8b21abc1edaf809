"""An evening: setting it up, its one page, its settings, seats and stakes, its end."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring import ledger, statistics
from scoring.charts import Chart, Series, draw_totals
from scoring.entry import RoundEntry
from scoring.forms.changes import SessionForm
from scoring.forms.seats import SeatsForm
from scoring.forms.sessions import NewSessionForm, SettingsForm
from scoring.forms.stakes import StakesForm
from scoring.forms.terms import TermsForm
from scoring.models import Player, Round, Seat, Session
from scoring.money import format_amount
from scoring.rules_text.extras import percent_text
from scoring.rules_text.names import preset_name
from scoring.seating import Table, next_table, seats_of, table_with
from scoring.statistics import RunningTotals
from scoring.tables import RoundTable
from scoring.views.access import HostRequest, get_club, get_planned_stake, get_session
from scoring.views.share import board_address
from scoring.views.terms import Edit, save_terms


@require_http_methods(["GET", "POST"])
def session_new(request: HostRequest, pk: int) -> HttpResponse:
    """Set up an evening."""
    club = get_club(request, pk)
    form = NewSessionForm(request.POST or None, club=club)
    if request.method == "POST":
        session = form.save(request.user) if form.is_valid() else form.made_already()
        if session:
            return redirect(session)
    context = {"club": club, "form": form, "unfinished": club.sessions.filter(closed_at=None)[:5]}
    return render(request, "scoring/session_new.html", context, status=422 if form.errors else 200)


@require_GET
def session(request: HostRequest, pk: int) -> HttpResponse:
    """The evening on one page: scoreboard, how it went, the open round, the rounds."""
    session = get_session(request, pk)
    seats = seats_of(session)
    players = [seat.player for seat in seats]
    went = statistics.running_totals(session, players)
    rounds = RoundTable(session)
    rounds.turn_page(request)
    unfinished = session.rounds.filter(state=Round.State.OPEN).first()
    entry = RoundEntry(unfinished) if unfinished else None
    context = {
        "session": session,
        "preset": preset_name(session.preset),
        "fee": percent_text(Decimal(str(session.ruleset_fields["room_fee_percent"]))),
        "players": players,
        "present": [seat.player for seat in seats if seat.left_at is None],
        "own_stakes": session.pair_stakes.count(),
        "planned_stakes": session.planned_stakes.count(),
        "board": statistics.scoreboard(session, seats, went.last),
        "went": went,
        "is_decided": _is_decided(session, went),
        "chart": _chart(session, players, went),
        "totals": went.rows(players, *rounds.numbers()),
        "rounds": rounds,
        "open_round": entry,
        "table": _table(entry, seats, went),
        "next_number": statistics.next_number(session),
        "board_url": board_address(request, session),
        "carried": not session.is_open and ledger.standing_carry_over(session),
    }
    return render(request, "scoring/session.html", context)


@require_http_methods(["GET", "POST"])
def session_settings(request: HostRequest, pk: int) -> HttpResponse:
    """The date, the stake, the number of rounds."""
    form = SettingsForm(request.POST or None, session=get_session(request, pk))
    return _change(request, form, "scoring/session_settings.html", _("The settings are saved."))


@require_http_methods(["GET", "POST"])
def seats(request: HostRequest, pk: int) -> HttpResponse:
    """Who is at the table now: newcomers, who left, who came back."""
    form = SeatsForm(request.POST or None, session=get_session(request, pk))
    return _change(request, form, "scoring/seats.html", _("The seats are saved."))


@require_http_methods(["GET", "POST"])
def stakes(request: HostRequest, pk: int) -> HttpResponse:
    """The stakes of all and of single pairs, now or drawn as they are planned for a later round, `?from_round=`."""
    session = get_session(request, pk)
    later = request.GET.get("from_round", "")
    for_round = int(later) if re.fullmatch("[0-9]{1,4}", later) else None
    form = StakesForm(request.POST or None, session=session, for_round=for_round)
    return _change(request, form, "scoring/stakes.html", _("The stakes are saved."))


@require_POST
def withdraw_stake(request: HostRequest, pk: int) -> HttpResponse:
    """Plan a stake no longer."""
    planned = get_planned_stake(request, pk)
    try:
        ledger.withdraw_stake(planned, request.user)
        messages.success(request, _("The plan is withdrawn."))
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect("stakes", planned.session_id)


@require_POST
def close(request: HostRequest, pk: int) -> HttpResponse:
    """End the evening and go on to settling up."""
    session = get_session(request, pk)
    try:
        ledger.close_session(session, request.user)
    except ledger.LedgerError as error:
        messages.error(request, str(error))
        return redirect(session)
    messages.success(request, _("The evening is closed."))
    return redirect("settle-up", session.pk)


@require_POST
def reopen(request: HostRequest, pk: int) -> HttpResponse:
    """Take up a closed evening again."""
    session = get_session(request, pk)
    carried = ledger.standing_carry_over(session)
    session = ledger.reopen_session(session, request.user)
    messages.success(
        request,
        _("The evening is open again. What was carried over to the club is back in it.")
        if carried
        else _("The evening is open again."),
    )
    return redirect(session)


def _change(request: HostRequest, form: SessionForm, template: str, done: str) -> HttpResponse:
    """The page of a form that changes an evening: shown, saved, or refused with what was typed kept."""
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                if isinstance(form, TermsForm) and form.reaches_back:
                    return save_terms(request, _as_edit(request, form, done))
                form.save(request.user)
            except ledger.LedgerError as error:
                form.add_error(None, str(error))
                status = 409
            else:
                messages.success(request, done)
                return redirect(form.session)
    context: dict[str, Any] = {"form": form, "session": form.session}
    return render(request, template, context, status=status)


def _as_edit(request: HostRequest, form: TermsForm, done: str) -> Edit:
    """What stakes that reach back would mean for the evening, its scored rounds included."""
    return Edit(
        session=form.session,
        terms=ledger.Terms(stakes=form.wanted()),
        first=form.from_round,
        told=form.told_stakes(),
        save=partial(form.save, request.user),
        reason=_("Stakes changed"),
        done=done,
        then=form.session.get_absolute_url(),
        up=request.path,
    )


def _table(entry: RoundEntry | None, seats: Sequence[Seat], went: RunningTotals) -> Table | None:
    """Who plays and who deals: in the open round, else in the next one."""
    if entry:
        return table_with(seats, went.played, [each.hand.player_id for each in entry])
    return next_table(seats, went.played)


def _is_decided(session: Session, went: RunningTotals) -> bool:
    """Whether there is a winner to announce: the planned rounds are played, or the evening is closed."""
    planned = session.rounds_planned
    return bool(went.numbers) and (not session.is_open or bool(planned and len(went.numbers) >= planned))


def _chart(session: Session, players: Sequence[Player], went: RunningTotals) -> Chart | None:
    if not went.numbers:
        return None
    word = partial(format_amount, currency=session.currency, signed=True)
    return draw_totals([Series(player.name, went.totals[player.pk]) for player in players], went.numbers, word)
