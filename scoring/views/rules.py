"""The house rules of a club and of an evening: the editor, and the rules told as text."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django.views.decorators.vary import vary_on_headers

from scoring.engine.rules import NATURALS, PRESETS, SWITCHES
from scoring.forms.rules import RulesForm
from scoring.forms.rules_draft import Draft, with_field, with_natural_moved, with_switch
from scoring.forms.rules_editor import RulesEditor
from scoring.ledger import LedgerError, Terms
from scoring.models import Club, Session
from scoring.rules_text import differences, preset_name, tell_ruleset
from scoring.views.access import HostRequest, get_club, get_session
from scoring.views.terms import Edit, save_terms

Owner = Club | Session
BUTTONS = {"reset", "switch", "move"}
STEPS = {"up": -1, "down": 1}


@require_http_methods(["GET", "POST"])
def club_rules(request: HostRequest, pk: int) -> HttpResponse:
    """The rules that a new evening of the club starts with."""
    return _edit(request, get_club(request, pk))


@require_http_methods(["GET", "POST"])
def session_rules(request: HostRequest, pk: int) -> HttpResponse:
    """The rules of one evening; rounds that are scored keep those that they were played with."""
    session = get_session(request, pk)
    if request.method == "GET" and not session.is_open:
        messages.info(request, _("The evening is closed: its rules can be read. Reopen it to change them."))
        return redirect("session-rules-text", session.pk)
    return _edit(request, session)


@require_http_methods(["GET", "POST"])
def club_rules_draft(request: HostRequest, pk: int) -> HttpResponse:
    """The club's rules with one change by a button; nothing is saved."""
    return _draft(request, get_club(request, pk))


@require_http_methods(["GET", "POST"])
def session_rules_draft(request: HostRequest, pk: int) -> HttpResponse:
    """The evening's rules with one change by a button; nothing is saved."""
    return _draft(request, get_session(request, pk))


@require_GET
def club_rules_text(request: HostRequest, pk: int) -> HttpResponse:
    """The rules of the club as readable text."""
    return _tell(request, get_club(request, pk))


@require_GET
def session_rules_text(request: HostRequest, pk: int) -> HttpResponse:
    """The rules of an evening as readable text."""
    return _tell(request, get_session(request, pk))


def _edit(request: HostRequest, owner: Owner) -> HttpResponse:
    if request.method == "GET":
        preset = request.GET.get("preset", "")
        ruleset = PRESETS.get(preset, owner.ruleset)
        form = RulesForm.of(ruleset, preset if preset in PRESETS else owner.preset, owner.ruleset)
        return _page(request, owner, form)
    form = RulesForm(request.POST.dict())
    if not form.is_valid():
        return _page(request, owner, form, status=422)
    try:
        if isinstance(owner, Session):
            return save_terms(request, _as_edit(request, owner, form))
        form.save(owner, request.user)
    except LedgerError as error:
        return _refused(request, owner, str(error))
    messages.success(request, _("The rules are saved."))
    return redirect("club-rules", owner.pk)


def _as_edit(request: HostRequest, session: Session, form: RulesForm) -> Edit:
    """What saving the form would mean for the evening, its scored rounds included."""
    return Edit(
        session=session,
        terms=Terms(ruleset_fields=form.ruleset.as_dict()),
        first=1,
        told=[(each.label, each.before, each.after) for each in differences(session.ruleset, form.ruleset)],
        save=partial(form.save, session, request.user),
        reason=_("House rules changed"),
        done=_("The rules are saved."),
        then=reverse("session-rules", args=[session.pk]),
        up=reverse("session-rules", args=[session.pk]),
        draft=reverse("session-rules-draft", args=[session.pk]),
    )


def _refused(request: HostRequest, owner: Owner, reason: str) -> HttpResponse:
    """The form with all that was typed, drawn from the rules as they are now: after a look it can be saved."""
    owner.refresh_from_db()
    form = RulesForm.redrawn(request.POST.dict(), owner.ruleset)
    form.add_error(None, reason)
    return _page(request, owner, form, status=409)


@vary_on_headers("HX-Request")
def _draft(request: HostRequest, owner: Owner) -> HttpResponse:
    if request.method == "GET":
        return redirect(f"{_kind(owner)}-rules", owner.pk)
    typed = request.POST.dict()
    part = "form" if BUTTONS & typed.keys() else "live"
    return _page(request, owner, RulesForm(_changed(typed)), part=part)


def _changed(draft: Draft) -> Draft:
    """The draft after the button that was pressed: `reset` a field, turn a `switch`, `move` a natural."""
    preset = draft.get("preset", "")
    field, switch, move = draft.pop("reset", ""), draft.pop("switch", ""), draft.pop("move", "")
    name, _colon, direction = move.partition(":")
    if field and preset in PRESETS:
        draft = with_field(draft, field, PRESETS[preset])
    key, _colon, state = switch.partition(":")
    if key in SWITCHES.get(preset, ()):
        draft = with_switch(draft, preset, key, state == "on")
    if name in NATURALS and direction in STEPS:
        draft = with_natural_moved(draft, name, STEPS[direction])
    return draft


def _page(request: HostRequest, owner: Owner, form: RulesForm, status: int = 200, part: str = "") -> HttpResponse:
    """The editor; to htmx only a `part` of it: its "form", or while somebody types what differs by now, "live"."""
    form.is_valid()
    kind = _kind(owner)
    template = f"scoring/{kind}_rules.html"
    if part and request.htmx and not request.htmx.history_restore_request:
        template = f"scoring/_rules_editor.html#{part}"
    context = {
        kind: owner,
        "editor": RulesEditor(form, owner.ruleset),
        "form": form,
        "save_url": reverse(f"{kind}-rules", args=[owner.pk]),
        "draft_url": reverse(f"{kind}-rules-draft", args=[owner.pk]),
        "text_url": reverse(f"{kind}-rules-text", args=[owner.pk]),
    }
    return render(request, template, context, status=status)


def _tell(request: HostRequest, owner: Owner) -> HttpResponse:
    can_edit = isinstance(owner, Club) or owner.is_open
    edit_url = reverse(f"{_kind(owner)}-rules", args=[owner.pk]) if can_edit else ""
    return render(request, "scoring/rules_text.html", told_rules(owner) | {"edit_url": edit_url})


def told_rules(owner: Owner) -> dict[str, Any]:
    """What the page of the rules as text shows."""
    ruleset = owner.ruleset
    return {
        _kind(owner): owner,
        "owner": owner,
        "priced": owner.currency != "PTS" or owner.stake != 1,
        "sections": tell_ruleset(ruleset),
        "preset_label": preset_name(owner.preset),
        "changes": differences(PRESETS.get(owner.preset, ruleset), ruleset),
    }


def _kind(owner: Owner) -> str:
    return "club" if isinstance(owner, Club) else "session"
