"""When the made-up club met over the last year, who came, and what was agreed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from scoring.demo.people import NOTES, PEOPLE, PLACES, Person
from scoring.engine.rules import PRESETS

_STAKES = (1_000, 1_000, 1_000, 2_000, 500)  # rupiah a point
_THURSDAY = 3
_LATE = 9  # of so many evenings one begins so late that it passes midnight
_WORDS = 13  # and in one of so many the hands are called out in words

# The rules of the house: a dragon takes less than elsewhere, and three more hands are naturals.
HOUSE_RULES: Mapping[str, Any] = {
    "preset": "capsa",
    "naturals": [
        {"name": "dragon", "points": 52},
        *({"name": name, "points": 6} for name in ("three_straights", "three_flushes", "six_pairs")),
    ],
}
_OTHER_RULES = {6: {"preset": "chinese-2-4"}, 17: {"preset": "points"}, 28: {"preset": "chinese-2-4"}}
_FEE_AT_THE_END = {11: {**HOUSE_RULES, "room_fee_percent": 5, "room_fee_basis": "session"}}


@dataclass(frozen=True)
class Evening:
    """What is known of an evening before the first card is dealt. `leaves` goes home after `leaves_after` rounds."""

    start: datetime
    people: Sequence[Person]
    rounds: int
    stake: int
    rules: Mapping[str, Any]
    place: str
    notes: str
    in_words: bool = False
    leaves: Person | None = None
    leaves_after: int = 0
    pair_stakes: Mapping[tuple[str, str], int] = field(default_factory=dict)


def past_evenings(count: int, now: datetime, zone: ZoneInfo, chance: Random) -> list[Evening]:
    """`count` evenings over about a year before `now`, oldest first."""
    weeks = sorted(chance.sample(range(1, count * 13 // 10 + 1), count), reverse=True)
    return [_evening(number, week, now, zone, chance) for number, week in enumerate(weeks)]


def tonight(now: datetime, zone: ZoneInfo, chance: Random) -> Evening:
    """The evening that is running `now`: it began an hour ago."""
    start = (now - timedelta(minutes=70)).astimezone(zone)
    return Evening(start, _company(chance, 5), 6, 1_000, HOUSE_RULES, "Teras Budi", "")


def _evening(number: int, weeks_ago: int, now: datetime, zone: ZoneInfo, chance: Random) -> Evening:
    last = now.astimezone(zone).date() - timedelta(days=1)
    thursday = last - timedelta(days=(last.weekday() - _THURSDAY) % 7)
    day = thursday - timedelta(days=7 * (weeks_ago - 1) + chance.choice((0, 0, 0, 1)))
    begins = time(22, 50) if number % _LATE == _LATE - 1 else time(19, chance.randrange(30, 60))
    people = _company(chance, chance.choice((4, 4, 5, 5, 6, 7)))
    rounds = chance.randint(8, 16)
    leaves = chance.choice(people) if len(people) > 5 and chance.random() < 0.5 else None
    rules = _OTHER_RULES.get(number) or _FEE_AT_THE_END.get(number) or HOUSE_RULES
    return Evening(
        start=datetime.combine(day, begins, zone),
        people=people,
        rounds=rounds,
        stake=chance.choice(_STAKES),
        rules=rules,
        place=chance.choice(PLACES),
        notes=chance.choice(NOTES) if chance.random() < 0.2 else "",
        in_words=number % _WORDS == _WORDS - 1,
        leaves=leaves,
        leaves_after=rounds * 2 // 3,
        pair_stakes={(people[0].name, people[1].name): 5_000} if chance.random() < 0.12 else {},
    )


def _company(chance: Random, count: int) -> list[Person]:
    """Who comes, in the order in which they sit down: the regulars more often than the others."""
    came = sorted(PEOPLE, key=lambda person: chance.random() ** (1 / person.comes), reverse=True)[:count]
    chance.shuffle(came)
    return came


def clock(start: datetime, rounds: int, chance: Random) -> Iterator[tuple[datetime, datetime]]:
    """When each of so many rounds was dealt and scored."""
    at = start + timedelta(minutes=5)
    for _ in range(rounds):
        scored = at + timedelta(seconds=chance.randint(240, 520))
        yield at, scored
        at = scored + timedelta(seconds=chance.randint(20, 120))


def ruleset_fields(rules: Mapping[str, Any]) -> dict[str, Any]:
    """All fields of rules that are given as a preset and what differs from it."""
    changes = {name: value for name, value in rules.items() if name != "preset"}
    return PRESETS[rules["preset"]].as_dict() | changes
