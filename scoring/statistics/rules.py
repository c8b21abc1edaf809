"""The rules that a club has played under, to choose one of them."""

from collections import Counter
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ledger
from scoring.engine.rules import PRESETS, RulesetError
from scoring.ledger.tallies import FEE_FIELDS
from scoring.models import Club, PlayedRuleset, Round
from scoring.rules_text.differences import Difference, differences
from scoring.rules_text.names import preset_name
from scoring.statistics.sums import untallied

_TOLD = 2  # differences from the preset that a name spells out


class RulesChoice(NamedTuple):
    """Rules by the digest that names them, and what people call them."""

    digest: str
    name: str


def rules_played(club: Club) -> list[RulesChoice]:
    """All that rounds of the club were scored under, those of evenings that run included; two queries."""
    played = {rules.digest: rules for rules in club.played_rulesets.all()}
    running = Round.objects.filter(session__in=untallied(club.sessions.all()), state=Round.State.SCORED)
    for preset, fields in running.order_by().values_list("session__preset", "ruleset_fields").distinct():
        digest = ledger.rules_digest(fields)
        played.setdefault(digest, PlayedRuleset(club=club, digest=digest, preset=preset, ruleset_fields=fields))
    names = {digest: rules_name(rules) for digest, rules in played.items()}
    seen: Counter[str] = Counter()
    choices = []
    for digest, name in names.items():
        seen[name] += 1
        choices.append(RulesChoice(digest, name if seen[name] == 1 else f"{name} ({seen[name]})"))
    return sorted(choices, key=lambda choice: choice.name)


def rules_name(rules: PlayedRuleset) -> str:
    """The preset, and in which places these rules differ from it. The room fee is no part of them."""
    preset = preset_name(rules.preset)
    try:
        changed = [one for one in differences(PRESETS[rules.preset], rules.ruleset) if one.place not in FEE_FIELDS]
    except (KeyError, RulesetError):
        return _("%(preset)s, in a form that can no longer be read") % {"preset": preset}
    return f"{preset}: {_told(changed)}" if changed else preset


def _told(changed: list[Difference]) -> str:
    told = [f"{one.label} {one.after}" for one in changed[:_TOLD]]
    more = len(changed) - len(told)
    if more:
        told.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return ", ".join(told)
