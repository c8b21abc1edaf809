"""A round: who plays it, entering it, its result, voiding and restoring it."""

import uuid

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring import ledger
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import RoundNeeds
from scoring.entry import HandEntry, RoundEntry
from scoring.forms.rounds import HandForm, SeatChoiceForm, VoidForm
from scoring.hindsight import hindsight
from scoring.models import Hand, Player, Round
from scoring.models.answers import Answer
from scoring.result import result_of, versions_of
from scoring.seating import next_table, rounds_played, seats_of, table_with
from scoring.sharing import has_seat_links
from scoring.statistics import next_number
from scoring.views.access import HostRequest, get_round, get_session
from scoring.wording import explain


class Sheet:
    """The entry page of a round. What was `typed` is kept before the round is read.

    With `player` and the `device` at his seat it is his own page: it holds his hand alone, and he sees it while it is
    hidden. `told` are sentences about what could not be kept.
    """

    def __init__(
        self, round_: Round, typed: QueryDict | None = None, *, player: Player | None = None, device: str = ""
    ) -> None:
        self.round = round_
        self.device = device
        self.told: list[str] = []
        self.editor = typed.get("editor", "").replace("\0", "")[:36] if typed else str(uuid.uuid4())
        self.sent = number_in(typed.get("sent", "")) if typed else 0
        self.forms: dict[int, HandForm] = {}
        self.stale: set[int] = set()
        stored = round_.hands.select_related("player")
        hands = [self._kept(hand, typed) for hand in (stored.filter(player=player) if player else stored)]
        if typed and not device:
            self._keep_answers(typed.getlist("won"))
        self.entry = RoundEntry(round_, hands, at_seat=bool(device))
        self.entry.ask_at_the_rows()

    @property
    def hands(self) -> list[tuple[HandForm, HandEntry, bool]]:
        """For each hand that is entered here its form, what is said about it, and whether another device changed it."""
        return [(self.forms[entry.hand.pk], entry, entry.hand.pk in self.stale) for entry in self.open_entries]

    @property
    def open_entries(self) -> list[HandEntry]:
        """The hands that are entered on this page."""
        return [entry for entry in self.entry if entry not in self.entry.hidden]

    @property
    def is_kept(self) -> bool:
        """Whether all that was typed stands in the book now."""
        return not (self.stale or self.told) and not any(form.errors for form in self.forms.values())

    @property
    def status(self) -> int:
        return 409 if self.stale else 200 if self.is_kept else 422

    def _kept(self, hand: Hand, typed: QueryDict | None) -> Hand:
        """The hand as it stands in the book after keeping what was typed for it."""
        ruleset = self.round.ruleset
        is_typed = typed is not None and f"{hand.pk}-version" in typed
        if hand.is_veiled and not (is_typed or self.device):
            return hand
        form = self.forms[hand.pk] = HandForm(typed if is_typed else None, hand=hand, ruleset=ruleset)
        if not is_typed:
            return hand
        form.is_valid()
        version = form.cleaned_data.get("version", -1)
        try:
            hand = ledger.keep_hand(hand, form.typed(), version, self.editor, sent=self.sent, at_seat=self.device)
        except ledger.CardTakenError as error:
            hand = error.hand
            self.told.append(str(error))
        except ledger.OtherWriterError as error:
            # A form that was drawn before the player began says nothing; what was typed in it is worth a word.
            self.told += [str(error)] if any(form.typed().values()) else []
            return self._as_it_stands(hand, error)
        except ledger.StaleError as error:
            self.stale.add(hand.pk)
            return self._as_it_stands(hand, error)
        if not form.errors:
            self.forms[hand.pk] = HandForm(hand=hand, ruleset=ruleset)
        return hand

    def _keep_answers(self, texts: list[str]) -> None:
        """Keep who won the rows that the host was asked about; what is no answer came from no page of ours."""
        for text in texts:
            try:
                self.round.won = ledger.answer_row(self.round, Answer.from_text(text)).won
            except ledger.LedgerError as error:
                self.told.append(str(error))
            except ValueError:
                continue

    def _as_it_stands(self, hand: Hand, error: ledger.LedgerError) -> Hand:
        """The hand as another device left it; where that took it out of the round, `error` is raised."""
        left = self.round.hands.select_related("player").filter(pk=hand.pk).first()
        if not left:
            raise error
        return left


@require_http_methods(["GET", "POST"])
def open_round(request: HostRequest, pk: int) -> HttpResponse:
    """Choose who holds cards in the next round and open it; an open one is gone on with."""
    session = get_session(request, pk)
    if not session.is_open:
        messages.error(request, _("This session is closed. Reopen it to play on."))
        return redirect(session)
    unfinished = session.rounds.filter(state=Round.State.OPEN).first()
    if unfinished:
        return redirect("round-entry", unfinished.pk)
    table = next_table(seats_of(session), rounds_played(session))
    proposed = [player.pk for player in table.players] if table else []
    form = SeatChoiceForm(request.POST or None, session=session, initial={"players": proposed})
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("round-entry", ledger.open_round(session, form.cleaned_data["players"]).pk)
        except ledger.LedgerError as error:
            form.add_error(None, str(error))
    status = 422 if form.errors else 200
    context = {"session": session, "form": form, "table": table}
    return render(request, "scoring/round_seats.html", context, status=status)


@require_http_methods(["GET", "POST"])
def reseat(request: HostRequest, pk: int) -> HttpResponse:
    """Change who holds cards in a round that is open."""
    round_ = get_round(request, pk)
    seated = list(round_.hands.values_list("player", flat=True))
    form = SeatChoiceForm(request.POST or None, session=round_.session, initial={"players": seated})
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("round-entry", ledger.reseat_round(round_, form.cleaned_data["players"]).pk)
        except ledger.LedgerError as error:
            form.add_error(None, str(error))
    status = 422 if form.errors else 200
    context = {"session": round_.session, "round": round_, "form": form}
    return render(request, "scoring/round_seats.html", context, status=status)


@never_cache
@require_GET
def entry(request: HostRequest, pk: int) -> HttpResponse:
    """The open round: type what each player reveals."""
    round_ = get_round(request, pk)
    if not round_.is_open:
        return redirect("round", round_.pk)
    return _render(request, Sheet(round_))


@require_POST
def check(request: HostRequest, pk: int) -> HttpResponse:
    """Keep everything typed and say what can be said about it, without scoring. Comes by itself while one types."""
    round_ = get_round(request, pk)
    if not round_.is_open:
        return redirect("round", round_.pk)
    try:
        return _render(request, Sheet(round_, request.POST))
    except ledger.LedgerError as error:
        return _overtaken(request, round_, error)


@require_POST
def score(request: HostRequest, pk: int) -> HttpResponse:
    """Score the round into the book; a second tap leads to the same result."""
    round_ = get_round(request, pk)
    if not round_.is_open:
        return redirect("round", round_.pk)
    try:
        sheet = Sheet(round_, request.POST)
    except ledger.LedgerError as error:
        return _overtaken(request, round_, error)
    if sheet.is_kept and sheet.entry.can_score:
        try:
            return redirect("round", ledger.record_round(round_, request.user).pk)
        except ScoringError as error:
            messages.error(request, _why_not(error, sheet.entry))
        except ledger.StaleError as error:
            return _overtaken(request, round_, error)
        except ledger.LedgerError as error:
            messages.error(request, str(error))
    sheet.entry.name_what_is_missing()
    return _render(request, sheet, status=409 if sheet.stale else 422)


@require_POST
def discard(request: HostRequest, pk: int) -> HttpResponse:
    """Drop an open round that is not wanted; one that is scored meanwhile stays."""
    round_ = get_round(request, pk)
    if not round_.is_open:
        return redirect("round", round_.pk)
    ledger.discard_round(round_)
    messages.success(request, _("Round %(number)s was discarded.") % {"number": round_.number})
    return redirect("session", round_.session_id)


@require_GET
def round_page(request: HostRequest, pk: int) -> HttpResponse:
    """The result of a round: who won what from whom, and why."""
    round_ = get_round(request, pk)
    if round_.is_open:
        return redirect("round-entry", round_.pk)
    return _render_result(request, round_, VoidForm())


@require_POST
def void(request: HostRequest, pk: int) -> HttpResponse:
    """Take a scored round out of the sums; with `again` its hands are laid out for another try."""
    round_ = get_round(request, pk)
    form = VoidForm(request.POST)
    if not form.is_valid():
        return _render_result(request, round_, form)
    try:
        if "again" in request.POST:
            return redirect(ledger.take_back_round(round_, request.user))
        ledger.void_round(round_, request.user, form.cleaned_data["reason"])
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect("round", round_.pk)


@require_POST
def restore(request: HostRequest, pk: int) -> HttpResponse:
    """Put a voided round back into the sums."""
    round_ = get_round(request, pk)
    try:
        ledger.restore_round(round_, request.user)
    except ledger.LedgerError as error:
        messages.error(request, str(error))
    return redirect("round", round_.pk)


def _overtaken(request: HostRequest, round_: Round, error: ledger.LedgerError) -> HttpResponse:
    """Another tap or device was faster: lead to what became of the round."""
    still_there = round_.session.rounds.filter(pk=round_.pk).first()
    if not still_there:
        messages.error(request, str(error))
    return redirect(still_there or round_.session)


def _render_result(request: HostRequest, round_: Round, void_form: VoidForm) -> HttpResponse:
    session = round_.session
    context = {
        "round": round_,
        "session": session,
        "result": result_of(round_),
        "versions": versions_of(round_),
        "hindsight": hindsight(round_),
        "is_out": round_.is_voided or round_.is_amended,
        "open_round": session.rounds.filter(state=Round.State.OPEN).first(),
        "table": next_table(seats_of(session), rounds_played(session)),
        "next_number": next_number(session),
        "void_form": void_form,
    }
    return render(request, "scoring/round.html", context, status=422 if void_form.errors else 200)


def _why_not(error: ScoringError, entry: RoundEntry) -> str:
    """Why the hands are no round; what concerns hidden hands is told when they are revealed."""
    if not entry.is_partial:
        return explain(error, entry.names)
    if isinstance(error, RoundNeeds):
        return _("Rows in words must be told in more detail. Reveal the hands to be asked for it.")
    return _("These hands do not go together. Reveal them to see why.")


def number_in(text: str) -> int:
    """A number that a page put into a form; 0 where there is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


def _render(request: HostRequest, sheet: Sheet, status: int | None = None) -> HttpResponse:
    session = sheet.round.session
    has_seats = has_seat_links(session) or bool(sheet.entry.hidden)
    context = {"round": sheet.round, "session": session, "sheet": sheet, "has_seats": has_seats}
    if not request.htmx:
        holding = [entry.hand.player_id for entry in sheet.entry]
        context["table"] = table_with(seats_of(session), rounds_played(session), holding)
    # htmx swaps in what a conflict says as well; its own code for that is kept for pages without script.
    code = 200 if request.htmx else status or sheet.status
    return render(request, "scoring/round_entry.html", context, status=code)
