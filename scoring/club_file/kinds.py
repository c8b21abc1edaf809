"""The kinds of values in the file of a club. Each knows how it is written, and reads it back from anybody's hand."""

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import count
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import available_timezones

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from scoring.club_file.places import ProblemError, unexpected
from scoring.engine.rules import RulesetError, parse_ruleset
from scoring.ledger import LARGEST_TOTAL
from scoring.names import NAME_LENGTH, clean_name

LARGEST_NUMBER = 2**31 - 1
LONGEST_USER_NAME = 150
LONGEST_VALUE = 20_000  # characters of what the change log keeps of one change
YEARS = range(1970, 2201)
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass
class Known:
    """What the file that is being read has told so far: rows by table and number, and who wrote them."""

    rows: defaultdict[str, dict[int, Model]] = field(default_factory=lambda: defaultdict(dict))
    rulesets: dict[int, dict[str, Any]] = field(default_factory=dict)
    authors: dict[str, User] = field(default_factory=dict)
    batches: defaultdict[int, UUID] = field(default_factory=lambda: defaultdict(uuid4))


class Written:
    """How the file that is being written refers to its own rows: numbers in the order in which they are first named."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, defaultdict[Any, int]] = defaultdict(lambda: defaultdict(count(1).__next__))
        self.authors: dict[int, str] = {}

    def author(self, pk: int) -> str:
        """The name of the user who wrote something, without the mark of somebody from another installation."""
        if pk not in self.authors:
            self.authors[pk] = User.objects.get(pk=pk).get_username().removesuffix(ELSEWHERE)
        return self.authors[pk]


# Who wrote in a book that was imported is no user here. No account can be called so: names to log in by have no spaces.
ELSEWHERE = " (import)"


class Kind:
    """Any value. `read` raises ProblemError for what it does not take."""

    suffix = ""  # of the model's attribute that is written

    def write(self, value: Any, written: Written) -> Any:
        return value

    def read(self, value: object, known: Known) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Maybe(Kind):
    """A value that may be missing: null."""

    kind: Kind

    @property
    def suffix(self) -> str:  # type: ignore[override]  # that of its kind
        return self.kind.suffix

    def write(self, value: Any, written: Written) -> Any:
        return None if value is None else self.kind.write(value, written)

    def read(self, value: object, known: Known) -> Any:
        return None if value is None else self.kind.read(value, known)


@dataclass(frozen=True)
class Text(Kind):
    longest: int

    def read(self, value: object, known: Known) -> str:
        if not isinstance(value, str):
            raise unexpected(_("a text"), value)
        if len(value) > self.longest:
            raise ProblemError(
                _("At most %(most)s characters, not %(got)s.") % {"most": self.longest, "got": len(value)}
            )
        if _UNSEEN.search(value):
            raise ProblemError(_("There are characters in it that no text holds."))
        return value


class Name(Kind):
    """What a club or a player is called."""

    def read(self, value: object, known: Known) -> str:
        name = clean_name(Text(NAME_LENGTH).read(value, known))
        if not name:
            raise unexpected(_("a name"), value)
        return name


@dataclass(frozen=True)
class Whole(Kind):
    least: int
    most: int

    def read(self, value: object, known: Known) -> int:
        if type(value) is not int:
            raise unexpected(_("a whole number"), value)
        if not self.least <= value <= self.most:
            raise unexpected(_("a number from %(least)s to %(most)s") % {"least": self.least, "most": self.most}, value)
        return value


class Switch(Kind):
    def read(self, value: object, known: Known) -> bool:
        if not isinstance(value, bool):
            raise unexpected("true / false", value)
        return value


@dataclass(frozen=True)
class Choice(Kind):
    choices: Container[str]

    def read(self, value: object, known: Known) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise unexpected(_("one of the words that this version knows"), value)
        return value


class Zone(Choice):
    def __init__(self) -> None:
        super().__init__(available_timezones())


class Moment(Kind):
    def write(self, value: datetime, written: Written) -> str:
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")

    def read(self, value: object, known: Known) -> datetime:
        moment = _parsed(parse_datetime, value)
        if not isinstance(moment, datetime) or moment.tzinfo is None or moment.year not in YEARS:
            raise unexpected(_("a time such as %(example)s") % {"example": "2026-11-26T13:15:00Z"}, value)
        return moment.astimezone(UTC)


class Day(Kind):
    def write(self, value: date, written: Written) -> str:
        return value.isoformat()

    def read(self, value: object, known: Known) -> date:
        day = _parsed(parse_date, value)
        if not isinstance(day, date) or day.year not in YEARS:
            raise unexpected(_("a day such as %(example)s") % {"example": "2026-11-26"}, value)
        return day


def _parsed(parse: Any, value: object) -> object:
    try:
        return parse(value) if isinstance(value, str) and len(value) < 40 else None
    except ValueError:
        return None


class Rules(Kind):
    """A whole ruleset, kept once in the file and named by its number."""

    def write(self, value: Mapping[str, Any], written: Written) -> int:
        return written.numbers["rulesets"][json.dumps(value, sort_keys=True)]

    def read(self, value: object, known: Known) -> dict[str, Any]:
        number = Whole(1, LARGEST_NUMBER).read(value, known)
        if number not in known.rulesets:
            raise ProblemError(_("There are no rules %(number)s in this file.") % {"number": number})
        return known.rulesets[number]


class Ruleset(Kind):
    """The fields of a ruleset."""

    def read(self, value: object, known: Known) -> dict[str, Any]:
        try:
            return parse_ruleset(value).as_dict()
        except RulesetError as error:
            raise ProblemError(error) from error


@dataclass(frozen=True)
class Row(Kind):
    """Another row of the file, which stands before this one, by its number in its table."""

    table: str
    suffix = "_id"

    def write(self, value: Any, written: Written) -> int:
        return written.numbers[self.table][value]

    def read(self, value: object, known: Known) -> Model:
        number = Whole(1, LARGEST_NUMBER).read(value, known)
        row = known.rows[self.table].get(number)
        if row is None:
            message = _("Nothing before this place is number %(number)s of “%(table)s”.")
            raise ProblemError(message % {"number": number, "table": self.table})
        return row


class Author(Kind):
    """Who did something, by the name he logged in with."""

    suffix = "_id"

    def write(self, value: int, written: Written) -> str:
        return written.author(value)

    def read(self, value: object, known: Known) -> User:
        name = Text(LONGEST_USER_NAME).read(value, known)[: LONGEST_USER_NAME - len(ELSEWHERE)]
        return known.authors.setdefault(name, User(username=name + ELSEWHERE))


class HostName(Author):
    """Who hosted the club, for people to read: nobody is let in by it."""

    def read(self, value: object, known: Known) -> str:  # type: ignore[override]  # a name is all that is made of it
        return Text(LONGEST_USER_NAME).read(value, known)


class Batch(Kind):
    """What was recorded at one tap has the same number."""

    def write(self, value: UUID, written: Written) -> int:
        return written.numbers["batches"][value]

    def read(self, value: object, known: Known) -> UUID:
        return known.batches[Whole(1, LARGEST_NUMBER).read(value, known)]


class Value(Kind):
    """Anything that the change log keeps of a change."""

    def read(self, value: object, known: Known) -> object:
        if len(json.dumps(value)) > LONGEST_VALUE:
            raise ProblemError(_("At most %(most)s characters, not more.") % {"most": LONGEST_VALUE})
        for text in _texts(value):
            Text(LONGEST_VALUE).read(text, known)
        return value


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


@dataclass(frozen=True)
class Several(Kind):
    """A list of values of one kind."""

    kind: Kind
    least: int = 0
    most: int = 3
    once: bool = True  # each of them

    def read(self, value: object, known: Known) -> list[Any]:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise unexpected(_("a list of at most %(most)s") % {"most": self.most}, value)
        values = [self.kind.read(item, known) for item in value]
        if self.once and len({*values}) < len(values):
            raise ProblemError(_("The same stands there twice."))
        return values


AMOUNT = FIGURE = Whole(-LARGEST_TOTAL, LARGEST_TOTAL)
