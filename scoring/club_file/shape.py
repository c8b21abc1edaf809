"""What the file of a club holds: the fields of each of its parts, by the names they have there.

A field that may be missing has the model's default, and is left out of the file where it has no other value: that is
how files of older versions are read, and why files are small. What is not here is not written: keys of rows and forms,
what belongs to one installation (who may log in, the tokens of links, the phone that a hand is laid on), and what is
worked out from the rest (tallies, reviews).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.club_file.kinds import (
    AMOUNT,
    FIGURE,
    LARGEST_NUMBER,
    Author,
    Batch,
    Choice,
    Day,
    HostName,
    Kind,
    Known,
    Maybe,
    Moment,
    Name,
    Row,
    Rules,
    Several,
    Switch,
    Text,
    Value,
    Whole,
    Written,
    Zone,
)
from scoring.club_file.places import ProblemError, RefusedError, inside, unexpected
from scoring.engine.rules import NATURALS, PRESETS, ROWS
from scoring.models import (
    Change,
    Club,
    Entry,
    Hand,
    Host,
    Line,
    PairScore,
    PairStake,
    PlannedStake,
    Player,
    Round,
    Seat,
    Session,
    ShareLink,
)
from scoring.models.answers import LONGEST_ROW, Answer
from scoring.money import CURRENCIES, LARGEST_STAKE

FORMAT, VERSION = "capsa-ledger-club", 1


class Field(NamedTuple):
    """A field by its name in the file; `attribute` is that of the model, where it has another one."""

    name: str
    kind: Kind
    optional: bool = False
    attribute: str = ""

    @property
    def told(self) -> str:
        return self.attribute or self.name


@dataclass(frozen=True)
class Part:
    """One kind of object in the file, and what is made of it: mostly a model.

    With `table` others refer to it by its number, its `id`. `lists` are the names of what it holds many of.
    """

    make: Callable[..., Any]
    fields: tuple[Field, ...]
    table: str = ""
    lists: tuple[str, ...] = ()

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        model: Any = self.make
        return {field.name: model._meta.get_field(field.told).get_default() for field in self.fields if field.optional}

    @cached_property
    def _names(self) -> set[str]:
        return {*(field.name for field in self.fields), *self.lists, *(("id",) if self.table else ())}

    def write(self, row: Any, written: Written) -> dict[str, Any]:
        """The object that stands for `row` in the file, without its lists."""
        told: dict[str, Any] = {"id": written.numbers[self.table][row.pk]} if self.table else {}
        for field in self.fields:
            value = getattr(row, field.told + field.kind.suffix)
            if not field.optional or value != self._defaults[field.name]:
                told[field.name] = field.kind.write(value, written)
        return told

    def read(self, value: object, place: str, known: Known) -> Any:
        """What `value`, the object at `place` in the file, stands for.

        Raises:
            RefusedError: it is no such object; the place is that of the field.
        """
        if not isinstance(value, dict):
            raise RefusedError(place, unexpected(_("an object"), value))
        if unknown := sorted(value.keys() - self._names):
            message = _("This version does not know “%(field)s”, so nothing was imported.")
            raise RefusedError(place, message % {"field": unknown[0][:40]})
        attributes = {}
        for field in self.fields:
            if field.name in value:
                attributes[field.told] = _read(field.kind, value[field.name], inside(place, field.name), known)
            elif not field.optional:
                raise RefusedError(place, _("“%(field)s” is missing.") % {"field": field.name})
        row = self.make(**attributes)
        if self.table:
            self._number(row, value.get("id"), place, known)
        return row

    def items(self, value: dict[str, Any], name: str, place: str) -> list[tuple[str, object]]:
        """What the object holds in a list of that name, each with its place.

        Raises:
            RefusedError: it is no list.
        """
        items = value.get(name, [])
        if not isinstance(items, list):
            raise RefusedError(inside(place, name), unexpected(_("a list"), items))
        return [(f"{inside(place, name)}[{number}]", item) for number, item in enumerate(items)]

    def _number(self, row: Any, value: object, place: str, known: Known) -> None:
        number = _read(Whole(1, LARGEST_NUMBER), value, f"{place}.id", known)
        if number in known.rows[self.table]:
            message = _("There is a number %(number)s of “%(table)s” already.")
            raise RefusedError(f"{place}.id", message % {"number": number, "table": self.table})
        known.rows[self.table][number] = row


def _read(kind: Kind, value: object, place: str, known: Known) -> Any:
    try:
        return kind.read(value, known)
    except ProblemError as problem:
        raise RefusedError(place, problem) from problem


class Who(Row):
    """A player where no model stands between."""

    suffix = ""


_STAKE = Whole(0, LARGEST_STAKE)
_PLACE = Whole(0, 1000)
_NUMBER = Whole(1, 1_000_000)
_PLAYER = Row("players")
_CURRENCY = Choice(CURRENCIES)
_WON = Whole(-1, 1)
_WHEN_AND_WHO = (
    Field("created_at", Moment(), optional=True),
    Field("created_by", Maybe(Author()), optional=True),
)
_RULES = (
    Field("preset", Choice(PRESETS)),
    Field("rules", Rules(), attribute="ruleset_fields"),
)

BOOK = Part(
    dict,
    (Field("format", Choice((FORMAT,))), Field("version", Whole(1, VERSION))),
    lists=("club", "hosts", "players", "sessions", "entries", "changes", "rulesets"),
)
CLUB = Part(
    Club,
    (
        Field("name", Name()),
        Field("currency", _CURRENCY),
        Field("stake", _STAKE),
        Field("time_zone", Zone()),
        *_RULES,
        Field("created_at", Moment(), optional=True),
    ),
)
HOST = Part(dict, (Field("user", HostName()), Field("role", Choice(Host.Role.values))))
PLAYER = Part(
    Player,
    (
        Field("name", Name()),
        Field("retired_at", Maybe(Moment()), optional=True),
        Field("created_at", Moment(), optional=True),
    ),
    table="players",
)
SESSION = Part(
    Session,
    (
        Field("date", Day()),
        Field("place", Text(100), optional=True),
        Field("notes", Text(2000), optional=True),
        Field("currency", _CURRENCY),
        Field("stake", _STAKE),
        *_RULES,
        Field("rounds_planned", Maybe(_NUMBER), optional=True),
        *_WHEN_AND_WHO,
        Field("closed_at", Maybe(Moment()), optional=True),
        Field("closed_by", Maybe(Author()), optional=True),
    ),
    table="sessions",
    lists=("seats", "pair_stakes", "planned_stakes", "links", "rounds"),
)
SEAT = Part(
    Seat,
    (
        Field("player", _PLAYER),
        Field("position", _PLACE),
        Field("left_at", Maybe(Moment()), optional=True),
    ),
)
PAIR_STAKE = Part(PairStake, (Field("a", _PLAYER), Field("b", _PLAYER), Field("stake", _STAKE)))
PLANNED_STAKE = Part(
    PlannedStake,
    (
        Field("from_round", _NUMBER),
        Field("a", Maybe(_PLAYER), optional=True),
        Field("b", Maybe(_PLAYER), optional=True),
        Field("stake", Maybe(_STAKE), optional=True),
    ),
)
LINK = Part(
    ShareLink,
    (
        Field("kind", Choice(ShareLink.Kind.values)),
        Field("player", Maybe(_PLAYER), optional=True),
        *_WHEN_AND_WHO,
        Field("revoked_at", Maybe(Moment()), optional=True),
        Field("revoked_by", Maybe(Author()), optional=True),
    ),
)
ROUND = Part(
    Round,
    (
        Field("number", _NUMBER),
        Field("state", Choice(Round.State.values)),
        Field("replaces", Maybe(Row("rounds")), optional=True),
        Field("opened_at", Moment(), optional=True),
        Field("revealed_at", Maybe(Moment()), optional=True),
        Field("revealed_by", Maybe(Author()), optional=True),
        Field("rules", Maybe(Rules()), optional=True, attribute="ruleset_fields"),
        Field("stake", Maybe(_STAKE), optional=True),
        Field("fee", Whole(0, AMOUNT.most), optional=True),
        Field("scored_at", Maybe(Moment()), optional=True),
        Field("scored_by", Maybe(Author()), optional=True),
        Field("voided_at", Maybe(Moment()), optional=True),
        Field("voided_by", Maybe(Author()), optional=True),
        Field("void_reason", Text(200), optional=True),
    ),
    table="rounds",
    lists=("hands", "pairs", "answers", "set_aside"),
)
_TYPED = (
    *(Field(row, Text(LONGEST_ROW), optional=True) for row in ROWS),
    Field("declare", Choice(Hand.Declare.values), optional=True),
    Field("natural", Choice(("", *NATURALS)), optional=True),
    Field("declared", Several(Choice(ROWS)), optional=True),
)
HAND = Part(
    Hand,
    (
        Field("player", _PLAYER),
        Field("position", _PLACE),
        *_TYPED,
        Field("status", Choice(("", "played", "pao", "natural", "surrendered")), optional=True),
        Field("super", Switch(), optional=True, attribute="is_super"),
        Field("points", Maybe(FIGURE), optional=True),
        Field("money", Maybe(AMOUNT), optional=True),
        Field("fee", Maybe(AMOUNT), optional=True),
        Field("net", Maybe(AMOUNT), optional=True),
    ),
)
# A hand of somebody who was taken out of an open round.
ASIDE = Part(Hand, (Field("player", _PLAYER), *_TYPED))
PAIR = Part(
    PairScore,
    (
        Field("a", _PLAYER),
        Field("b", _PLAYER),
        *(Field(row, Maybe(_WON), optional=True) for row in ROWS),
        Field("row_points", FIGURE),
        Field("multiplier", FIGURE),
        Field("extra", FIGURE),
        Field("bonus", FIGURE),
        Field("points", FIGURE),
        Field("stake", _STAKE),
        Field("money", AMOUNT),
    ),
)
ANSWER = Part(
    Answer,
    (
        Field("row", Choice(ROWS)),
        Field("a", Who("players")),
        Field("b", Who("players")),
        Field("result", _WON),
        Field("told", Several(Text(LONGEST_ROW), least=2, most=2, once=False)),
    ),
)
ENTRY = Part(
    Entry,
    (
        Field("session", Maybe(Row("sessions")), optional=True),
        Field("kind", Choice(Entry.Kind.values)),
        Field("currency", _CURRENCY),
        Field("round", Maybe(Row("rounds")), optional=True),
        Field("reverses", Maybe(Row("entries")), optional=True),
        Field("carries", Maybe(Row("entries")), optional=True),
        Field("batch", Maybe(Batch()), optional=True),
        Field("note", Text(200), optional=True),
        *_WHEN_AND_WHO,
    ),
    table="entries",
    lists=("lines",),
)
LINE = Part(Line, (Field("player", Maybe(_PLAYER)), Field("amount", AMOUNT)))
CHANGE = Part(
    Change,
    (
        Field("session", Maybe(Row("sessions")), optional=True),
        Field("round", Maybe(Row("rounds")), optional=True),
        Field("kind", Choice(Change.Kind.values)),
        Field("action", Text(32)),
        Field("old", Value(), optional=True),
        Field("new", Value(), optional=True),
        *_WHEN_AND_WHO,
    ),
)
