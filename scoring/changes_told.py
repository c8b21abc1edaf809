"""The lines of the change log in words: what was done, and each value that changed before and after."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.changes_titles import title
from scoring.engine.rules import RulesetError, parse_ruleset
from scoring.models import Change
from scoring.money import CURRENCIES, format_amount, format_money
from scoring.rules_text import differences, preset_name
from scoring.wording import listed

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Value:
    """One value that changed; "" on the side where there was or is nothing."""

    label: str | Promise
    before: str
    after: str


class ToldChange:
    """A line of the log as its page shows it. Nothing but what is known by name is shown of the values."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self._old: Values = change.old or {}
        self._new: Values = change.new or {}

    @property
    def title(self) -> str:
        """What was done, in a line."""
        return title(self.change)

    @property
    def reason(self) -> str:
        """Why, where somebody said so."""
        return str(self._new.get("reason") or self._new.get("note") or self._old.get("note") or "")

    @property
    def is_per_player(self) -> bool:
        """Whether the values are one amount for each player, short enough to stand in a row."""
        return self.change.kind in (Change.Kind.ROUND, Change.Kind.ADJUSTMENT, Change.Kind.CARRY_OVER)

    @property
    def values(self) -> list[Value]:
        """The values that differ, in their order."""
        tell = _TELLERS.get(self.change.kind, _plain_values)
        return [value for value in tell(self._old, self._new) if value.before != value.after]


def _plain_values(old: Values, new: Values, keys: Iterable[str] = ()) -> Iterator[Value]:
    """The values that have a label of their own; of them only `keys`, where some are named."""
    for key in keys or _LABELS:
        label, tell = _LABELS[key]
        if key in old or key in new:
            yield Value(label, *(tell(side[key], side) if key in side else "" for side in (old, new)))


def _stakes(old: Values, new: Values) -> Iterator[Value]:
    players: list[str] = new.get("players") or old.get("players") or []
    label = listed(players) or _("Everybody")
    yield Value(label, *(_stake(side) for side in (old, new)))


def _stake(side: Values) -> str:
    if "stake" not in side:
        return ""
    return _("the stake of all") if side["stake"] is None else format_money(side["stake"], side["currency"])


def _rules(old: Values, new: Values) -> Iterator[Value]:
    yield Value(_("Based on"), *(preset_name(side["preset"]) if "preset" in side else "" for side in (old, new)))
    try:
        before, after = (parse_ruleset(side["fields"]) for side in (old, new))
    except (RulesetError, KeyError):  # written by a version that knew other rules
        return
    for each in differences(before, after):
        yield Value(each.label, each.before, each.after)


def _nets(old: Values, new: Values) -> Iterator[Value]:
    """What a round brought, player by player."""
    before, after = (side.get("nets") or {} for side in (old, new))
    currency = new.get("currency") or old.get("currency")
    for name in {**before, **after}:
        yield Value(name, *(_signed(side.get(name), currency) for side in (before, after)))


def _amounts(old: Values, new: Values) -> Iterator[Value]:
    """What an adjustment or a carry-over means, player by player; the house has no name."""
    before, after = (dict(map(tuple, side.get("amounts") or ())) for side in (old, new))
    currency = new.get("currency") or old.get("currency")
    for name in {**before, **after}:
        yield Value(name or _("House"), *(_signed(side.get(name), currency) for side in (before, after)))


def _signed(amount: int | None, currency: str | None) -> str:
    return "" if amount is None or currency is None else format_amount(amount, currency, signed=True)


# ---------------------------------------------------------------- single values

Teller = Callable[[Any, Values], str]
"""A value in words; the values beside it say in which currency it is."""


def _text(value: Any, side: Values) -> str:
    return "" if value is None else str(value)


def _money(value: Any, side: Values) -> str:
    return "" if value is None else format_money(value, side["currency"])


def _day(value: Any, side: Values) -> str:
    return date_format(date.fromisoformat(value), "j F Y")


def _currency(value: Any, side: Values) -> str:
    return str(CURRENCIES[value].name) if value in CURRENCIES else str(value)


def _names(value: Any, side: Values) -> str:
    return listed(value)


def _preset(value: Any, side: Values) -> str:
    return preset_name(value)


_LABELS: Mapping[str, tuple[Any, Teller]] = {
    "name": (gettext_lazy("Name"), _text),
    "date": (gettext_lazy("Date"), _day),
    "place": (gettext_lazy("Place"), _text),
    "players": (gettext_lazy("Players"), _names),
    "currency": (gettext_lazy("Currency"), _currency),
    "stake": (gettext_lazy("Stake of a point"), _money),
    "time_zone": (gettext_lazy("Time zone"), _text),
    "rounds_planned": (gettext_lazy("Number of rounds"), _text),
    "preset": (gettext_lazy("Rules"), _preset),
    "notes": (gettext_lazy("Notes"), _text),
    "amount": (gettext_lazy("Amount"), _money),
    "fee": (gettext_lazy("Room fee"), _money),
}


def _names_changed(old: Values, new: Values) -> Iterator[Value]:
    """A name that stands in the title needs no line of its own."""
    if old and new:
        yield from _plain_values(old, new)


def _evening(old: Values, new: Values) -> Iterator[Value]:
    """Its settings; at its end the fee that was taken, whose currency is no news."""
    return _plain_values(old, new, ("fee",) if "fee" in new else ())


def _payment(old: Values, new: Values) -> Iterator[Value]:
    """Who paid whom stands in the title."""
    return _plain_values(old, new, ("amount",))


def _none(old: Values, new: Values) -> Iterator[Value]:
    """All there is to say stands in the title."""
    return iter(())


_TELLERS: Mapping[str, Callable[[Values, Values], Iterator[Value]]] = {
    Change.Kind.SESSION: _evening,
    Change.Kind.STAKE: _stakes,
    Change.Kind.RULES: _rules,
    Change.Kind.ROUND: _nets,
    Change.Kind.PAYMENT: _payment,
    Change.Kind.ADJUSTMENT: _amounts,
    Change.Kind.CARRY_OVER: _amounts,
    Change.Kind.PLAYER: _names_changed,
    Change.Kind.HOST: _none,
    Change.Kind.SEAT: _none,
    Change.Kind.LINK: _none,
}
