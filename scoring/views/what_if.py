"""What if: the evenings of a club under other rules, side by side with what was played. Nothing is stored."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from scoring.engine.rules import Ruleset, RulesetError
from scoring.forms.rules import RulesForm
from scoring.forms.what_if import EveningsForm, WhatIfForm
from scoring.models import Club
from scoring.rules_text import differences
from scoring.views.access import HostRequest, get_club
from scoring.what_if import WhatIf, names_of
from scoring.wording import explain, listed


@require_http_methods(["GET", "POST"])
def what_if(request: HostRequest, pk: int) -> HttpResponse:
    """Rules by name come by GET, those of the editor, that nobody has saved, by POST."""
    club = get_club(request, pk)
    return _tried(request, club) if request.method == "POST" else _named(request, club)


def _named(request: HttpRequest, club: Club) -> HttpResponse:
    form = WhatIfForm(request.GET, club=club, own=_own(club))
    ruleset = form.ruleset
    context: dict[str, Any] = {"club": club, "form": form}
    if ruleset:
        context |= _compared(club, ruleset, form.number)
    return render(request, "scoring/what_if.html", context)


def _tried(request: HttpRequest, club: Club) -> HttpResponse:
    draft = RulesForm(request.POST.dict())
    form = EveningsForm(request.POST)
    context: dict[str, Any] = {"club": club, "form": form, "draft": _draft(request.POST)}
    if not (draft.is_valid() and form.is_valid()):
        faults = [f"{draft[name].label}: {' '.join(map(str, told))}" for name, told in draft.errors.items()]
        return render(request, "scoring/what_if.html", context | {"faults": faults}, status=422)
    return render(request, "scoring/what_if.html", context | _compared(club, draft.ruleset, form.number))


def _draft(typed: QueryDict) -> list[tuple[str, str]]:
    """What the editor sent, to be sent again with another number of evenings."""
    own = {"csrfmiddlewaretoken", *EveningsForm.base_fields}
    return [(name, str(value)) for name, value in typed.items() if name not in own]


def _compared(club: Club, ruleset: Ruleset, evenings: int) -> dict[str, Any]:
    result = WhatIf(club, ruleset, evenings)
    players = result.players()
    own = _own(club)
    names: dict[Any, str] = {change.player.pk: change.player.name for change in players}
    return {
        "result": result,
        "players": [(change, [(code, change.money.get(code)) for code in result.currencies]) for change in players],
        "differences": differences(own, ruleset) if own else [],
        "changed": [
            (one.session, listed(names_of(one.before, players)), listed(names_of(one.after, players)))
            for one in result.changed_winners
        ],
        "refused": [(one, explain(one.error, names)) for one in result.refused],
    }


def _own(club: Club) -> Ruleset | None:
    """The rules of the club; None where what is stored does not parse any more."""
    try:
        return club.ruleset
    except RulesetError:
        return None
