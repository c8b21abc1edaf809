"""Rules and stakes that change in an evening with scored rounds: what becomes of those is shown and asked first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from scoring import ledger
from scoring.models import Round, Session
from scoring.rescoring import Rescoring
from scoring.views.access import HostRequest
from scoring.views.rounds import number_in

STAY, AGAIN = "stay", "again"
FIELDS = ("scored", "again_from", "shown_from", "seen", "look", "csrfmiddlewaretoken")


@dataclass(frozen=True)
class Edit:
    """A change of the terms of a session, as a form has it.

    The scored rounds from `first` on would be scored by `terms`; `told` is what the change comes to in words (label,
    before, after). `save` makes it, `reason` stands in the book, `done` is said at the end on the page `then`.
    """

    session: Session
    terms: ledger.Terms
    first: int
    told: Sequence[tuple[str, str, str]]
    save: Callable[[], object]
    reason: str
    done: str
    then: str
    up: str  # the page of the form
    draft: str = ""  # where what was typed can be sent to be typed on


class Decision:
    """What the host says is to become of the scored rounds: nothing yet, they stay, or they are scored again."""

    def __init__(self, posted: QueryDict, first: int) -> None:
        self.choice = posted.get("scored", "")
        self.from_round = number_in(posted.get("again_from", "")) or first
        self.seen = posted.get("seen", "")
        self.look = number_in(posted.get("look", "")) or 1
        self._has_looked = number_in(posted.get("shown_from", "")) == self.from_round and "look" not in posted

    @property
    def is_again(self) -> bool:
        return self.choice == AGAIN

    @property
    def is_open(self) -> bool:
        """Whether there is still something to show: nothing is scored again that was not looked at."""
        return self.choice not in (STAY, AGAIN) or (self.choice == AGAIN and not self._has_looked)


def save_terms(request: HostRequest, edit: Edit) -> HttpResponse:
    """Make the change once it is decided what becomes of the scored rounds; until then the page that asks.

    Where the scored rounds are others by now than those that were shown, they are shown again (409).

    Raises:
        LedgerError: the change is refused; nothing was written.
    """
    decision = Decision(request.POST, edit.first)
    if decision.is_open and edit.session.is_open:
        preview = Rescoring(edit.session, edit.terms, decision.from_round, decision.look)
        if decision.choice or preview.asks:
            return _ask(request, edit, decision, preview)
    try:
        rounds = _save(request, edit, decision)
    except ledger.RoundsChangedError as error:
        preview = Rescoring(edit.session, edit.terms, decision.from_round, decision.look)
        return _ask(request, edit, decision, preview, str(error))
    messages.success(request, f"{edit.done} {_told(rounds)}".strip())
    return redirect(edit.then)


def _save(request: HostRequest, edit: Edit, decision: Decision) -> Sequence[Round]:
    if not decision.is_again:
        edit.save()
        return ()
    looked_at = decision.from_round, decision.seen
    return ledger.rescore(edit.session, edit.terms, *looked_at, request.user, edit.reason, edit.save)


def _told(rounds: Sequence[Round]) -> str:
    if not rounds:
        return ""
    text = ngettext("%(count)s round was scored again.", "%(count)s rounds were scored again.", len(rounds))
    return text % {"count": len(rounds)}


def _ask(request: HostRequest, edit: Edit, decision: Decision, preview: Rescoring, notice: str = "") -> HttpResponse:
    """The page that shows what would change and asks; what was typed travels in it."""
    context = {
        "session": edit.session,
        "edit": edit,
        "decision": decision,
        "preview": preview,
        "notice": notice,
        "typed": [(name, value) for name, values in request.POST.lists() if name not in FIELDS for value in values],
        "next_number": ledger.next_round(edit.session),
    }
    return render(request, "scoring/terms_preview.html", context, status=409 if notice else 200)
