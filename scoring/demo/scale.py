"""The same club after many years: as many evenings as pages have to bear, written as fast as the database takes them.

A few hundred deals are laid and reviewed once, and dealt again and again, to other players each time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import connection

from scoring.demo.club import SEED, make_club, make_players, open_session
from scoring.demo.deals import deal, lay
from scoring.demo.evenings import HOUSE_RULES, Evening, clock
from scoring.demo.people import PEOPLE, PLACES
from scoring.engine.hand_input import HandInput
from scoring.engine.rules import parse_ruleset
from scoring.ledger.bulk import PastRound, write_evening
from scoring.models import Club, Hand, Round, Session
from scoring.reviews import Measure, keep_reviews, measure_round

SESSIONS, ROUNDS, DEALS = 2_000, 40, 400
_YEARS = 12

Table = Sequence[tuple[HandInput, Measure | None]]
"""Four hands from one deck, nobody's yet, and what could have been made of them."""


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
        keys = [players[person.name].pk for person in evening.people]
        dealt = [chance.sample(chance.choice(tables), len(keys)) for _ in range(rounds)]
        past = [
            PastRound([replace(hand, who=key) for (hand, _), key in zip(table, keys, strict=True)], *times)
            for table, times in zip(dealt, clock(start, rounds, chance), strict=True)
        ]
        written = write_evening(session, past, host, past[-1].scored_at)
        _keep_reviews(session, written, dealt)
    _look_at_the_tables()
    return club


def _look_at_the_tables() -> None:
    """PostgreSQL does this by itself after a while, and plans queries badly until then."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _table(chance: Random) -> Table:
    ruleset = parse_ruleset(HOUSE_RULES)
    hands = [
        replace(lay(cards, chance.random(), ruleset, chance), who=place) for place, cards in enumerate(deal(chance, 4))
    ]
    return list(zip(hands, measure_round(hands, ruleset), strict=True))


def _keep_reviews(session: Session, written: Sequence[Round], dealt: Sequence[Table]) -> None:
    hands: dict[int, list[Hand]] = {}
    for hand in Hand.objects.filter(round__session=session).order_by("round", "position"):
        hands.setdefault(hand.round_id, []).append(hand)
    measures = ([measure for _, measure in table] for table in dealt)
    keep_reviews([(round_, hands[round_.pk], found) for round_, found in zip(written, measures, strict=True)])
