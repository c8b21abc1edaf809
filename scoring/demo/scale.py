"""The same club after many years: as many evenings as pages have to bear, written as fast as the database takes them.

A few hundred deals are laid once and dealt again and again, to other players each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from scoring.demo.club import SEED, make_club, make_players, open_session
from scoring.demo.deals import deal, lay
from scoring.demo.evenings import HOUSE_RULES, Evening, clock
from scoring.demo.people import PEOPLE, PLACES
from scoring.engine.hand_input import HandInput
from scoring.engine.rules import parse_ruleset
from scoring.ledger.bulk import PastRound, write_evening
from scoring.models import Club, Player

SESSIONS, ROUNDS, DEALS = 2_000, 40, 400
_YEARS = 12

Table = Sequence[HandInput]
"""Four hands from one deck, nobody's yet."""


def build_large_club(
    host: User, now: datetime, sessions: int = SESSIONS, rounds: int = ROUNDS, deals: int = DEALS
) -> Club:
    """A club of so many evenings, of so many rounds each, made from so many different deals."""
    chance = Random(SEED)  # noqa: S311 - nothing secret, and it must be the same every time
    club = make_club(host)
    players, zone = make_players(club), ZoneInfo(club.time_zone)
    tables = [_table(chance) for _ in range(deals)]
    apart = timedelta(days=365 * _YEARS) / sessions
    for number in range(sessions, 0, -1):
        start = (now - number * apart).astimezone(zone).replace(hour=19, minute=30)
        people = chance.sample(PEOPLE, 4)
        evening = Evening(start, people, rounds, club.stake, HOUSE_RULES, chance.choice(PLACES), "")
        session = open_session(club, evening, players, host)
        past = _rounds(evening, tables, players, chance)
        write_evening(session, past, host, past[-1].scored_at)
    return club


def _table(chance: Random) -> Table:
    ruleset = parse_ruleset(HOUSE_RULES)
    return [lay(cards, chance.random(), ruleset, chance) for cards in deal(chance, 4)]


def _rounds(
    evening: Evening, tables: Sequence[Table], players: Mapping[str, Player], chance: Random
) -> list[PastRound]:
    keys = [players[person.name].pk for person in evening.people]
    return [
        PastRound([replace(hand, who=key) for hand, key in zip(_shuffled(tables, chance), keys, strict=True)], *times)
        for times in clock(evening.start, evening.rounds, chance)
    ]


def _shuffled(tables: Sequence[Table], chance: Random) -> Table:
    table = chance.choice(tables)
    return chance.sample(table, len(table))
