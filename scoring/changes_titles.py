"""What was done, for each kind of change and each action, as one sentence."""

from collections.abc import Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import Change
from scoring.wording import listed

_Kind = Change.Kind

_TITLES: Mapping[tuple[str, str], Any] = {
    (_Kind.CLUB, "created"): gettext_lazy("The club was made"),
    (_Kind.CLUB, "changed"): gettext_lazy("Settings of the club changed"),
    (_Kind.HOST, "invited"): gettext_lazy("A host was invited"),
    (_Kind.HOST, "withdrawn"): gettext_lazy("An invitation was withdrawn"),
    (_Kind.HOST, "joined"): gettext_lazy("%(name)s hosts the club too, invited by %(invited_by)s"),
    (_Kind.HOST, "promoted"): gettext_lazy("%(name)s owns the club too"),
    (_Kind.HOST, "removed"): gettext_lazy("%(name)s hosts the club no longer"),
    (_Kind.HOST, "left"): gettext_lazy("%(name)s left the club"),
    (_Kind.PLAYER, "added"): gettext_lazy("New in the club: %(names)s"),
    (_Kind.PLAYER, "renamed"): gettext_lazy("A player has another name"),
    (_Kind.PLAYER, "retired"): gettext_lazy("%(name)s is retired"),
    (_Kind.PLAYER, "returned"): gettext_lazy("%(name)s plays again"),
    (_Kind.SESSION, "created"): gettext_lazy("The evening was set up"),
    (_Kind.SESSION, "changed"): gettext_lazy("Settings of the evening changed"),
    (_Kind.SESSION, "closed"): gettext_lazy("The evening was closed"),
    (_Kind.SESSION, "reopened"): gettext_lazy("The evening was opened again"),
    (_Kind.SEAT, "joined"): gettext_lazy("Sat down: %(names)s"),
    (_Kind.SEAT, "left"): gettext_lazy("Left the table: %(names)s"),
    (_Kind.SEAT, "returned"): gettext_lazy("Came back to the table: %(names)s"),
    (_Kind.STAKE, "changed"): gettext_lazy("Stake changed"),
    (_Kind.STAKE, "repriced"): gettext_lazy("Stakes changed for rounds already scored, from round %(from_round)s on"),
    (_Kind.STAKE, "planned"): gettext_lazy("Stake planned from round %(from_round)s on"),
    (_Kind.STAKE, "applied"): gettext_lazy("Stake as planned from round %(from_round)s on"),
    (_Kind.STAKE, "withdrawn"): gettext_lazy("Stake from round %(from_round)s on: the plan was withdrawn"),
    (_Kind.RULES, "changed"): gettext_lazy("House rules changed"),
    (_Kind.RULES, "rescored"): gettext_lazy("Scored by the house rules as they are now, from round %(from_round)s on"),
    (_Kind.ROUND, "scored"): gettext_lazy("Round %(number)s scored"),
    (_Kind.ROUND, "voided"): gettext_lazy("Round %(number)s voided"),
    (_Kind.ROUND, "restored"): gettext_lazy("Round %(number)s restored"),
    (_Kind.ROUND, "taken back"): gettext_lazy("Round %(number)s taken back, to be entered again"),
    (_Kind.ROUND, "amended"): gettext_lazy("Round %(number)s corrected"),
    (_Kind.ROUND, "brought back"): gettext_lazy("Round %(number)s: an older version brought back"),
    (_Kind.PAYMENT, "recorded"): gettext_lazy("%(payer)s paid %(payee)s"),
    (_Kind.PAYMENT, "taken back"): gettext_lazy("%(payer)s to %(payee)s: the payment was taken back"),
    (_Kind.ADJUSTMENT, "recorded"): gettext_lazy("Adjustment written down"),
    (_Kind.ADJUSTMENT, "taken back"): gettext_lazy("Adjustment taken back"),
    (_Kind.CARRY_OVER, "carried over"): gettext_lazy("What was open was carried over to the club"),
    (_Kind.CARRY_OVER, "taken back"): gettext_lazy("The carry-over to the club was taken back"),
}
_LINKS: Mapping[tuple[str, str], Any] = {
    ("board", "made"): gettext_lazy("Link to the board made"),
    ("board", "withdrawn"): gettext_lazy("Link to the board withdrawn"),
    ("seat", "made"): gettext_lazy("Link to the seat of %(name)s made"),
    ("seat", "withdrawn"): gettext_lazy("Link to the seat of %(name)s withdrawn"),
}


def title(change: Change) -> str:
    """What was done. An action that has no sentence of its own goes by its kind and its name."""
    told: dict[str, Any] = {**(change.old or {}), **(change.new or {})}
    action = change.action.replace("-", " ")
    pattern = _TITLES.get((change.kind, action)) or _LINKS.get((str(told.get("opens")), action))
    try:
        return str(pattern) % _parts(told) if pattern else _by_name(change)
    except KeyError:  # the sentence names something that was not written down
        return _by_name(change)


def _parts(told: Mapping[str, Any]) -> dict[str, Any]:
    """What a sentence may name. Who has no name in a payment is the house."""
    payment = {side: told[side] or _("the house") for side in ("payer", "payee") if side in told}
    names = {"names": listed(told["names"])} if told.get("names") else {}
    return {**told, **payment, **names}


def _by_name(change: Change) -> str:
    parts = {"kind": capfirst(change.get_kind_display()), "action": change.action.replace("-", " ")}
    return _("%(kind)s: %(action)s") % parts
