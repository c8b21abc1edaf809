"""A small past of three evenings, worked out on paper."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from scoring import ledger
from scoring.engine.rules import Ruleset, parse_ruleset
from scoring.models import Club, Player, Round, Seat, Session

# A row is 1, a tembus and a PAO double, a super of three players triples, four of a kind in the back pays 4, a dragon
# takes 6. The room takes a tenth: of every round in HOUSE_RULES, of the evening in PLAIN_RULES.
HOUSE_RULES = parse_ruleset(
    {
        "preset": "points",
        "super_multiplier": 3,
        "super_players": 3,
        "bonuses": {"back": {"four_of_a_kind": 4}},
        "naturals": [{"name": "dragon", "points": 6}],
        "room_fee_percent": 10,
    }
)
PLAIN_RULES = parse_ruleset({"preset": "points", "room_fee_percent": 10, "room_fee_basis": "session"})

BEST = {"front": "pair A", "middle": "two pair K Q", "back": "straight 9"}
WORST = {"front": "pair 5", "middle": "two pair 4 3", "back": "straight 8"}
OTHER = {"front": "pair 9", "middle": "two pair J 10", "back": "straight K"}
PAO = {"declare": "pao"}
DRAGON = {"declare": "natural", "natural": "dragon"}

Laid = Mapping[str, str]


class Past(NamedTuple):
    """Three evenings: the first two are closed, the third still runs."""

    first: Session
    second: Session
    third: Session


def play_past(club: Club, cast: Sequence[Player], rudi: User) -> Past:
    """Ana, Budi and Citra play; Dewi never does. On paper, in points, and money in rupiah:

    5 November, HOUSE_RULES, Rp 1,000 a point           Ana  Budi  Citra
    1  Ana takes three rows of Budi (6), two of
       Citra (1); Citra takes three of Budi (6)           7   −12      5
    2  Budi is PAO, Ana takes three of Citra: a super
       (9 from each); Citra has 6 from the PAO           18   −15     −3
    3  Citra has a dragon (6 from each); Budi takes
       three rows of Ana with four of a kind (6 + 4)    −16     4     12
    4  Ana and Budi: front tied, middle Ana, back Budi    0     0
    5  voided, as 1                                     (7)  (−12)   (5)
                                                          9   −23     14
       before fees                                    9,000  −23,000  14,000
       a tenth of what each round brought             2,500      400   1,700

    12 November, PLAIN_RULES, Rp 2,000 a point
    1  Ana takes three rows of Budi                       6    −6
    2  Budi takes front and middle, Ana back             −1     1
                                                          5    −5
       before fees                                   10,000  −10,000
       a tenth of what the evening brought            1,000        0

    19 November, HOUSE_RULES, Rp 1,000 a point, still open
    1  as the very first                                  7   −12      5
       a tenth                                          700     0    500
    """
    ana, budi, citra, _dewi = cast
    first = _evening(club, "2026-11-05", HOUSE_RULES, 1_000, [ana, budi, citra], place="Rumah Ana", notes="Hujan deras")
    _play(first, rudi, {ana: BEST, budi: WORST, citra: OTHER})
    _play(first, rudi, {ana: BEST | {"back": "straight K"}, budi: PAO, citra: OTHER | {"back": "straight 9"}})
    _play(first, rudi, {ana: WORST, budi: OTHER | {"back": "quads 7"}, citra: DRAGON})
    tied = {"front": "pair A 5"}
    _play(first, rudi, {ana: BEST | tied, budi: WORST | tied | {"back": "straight 10"}})
    ledger.void_round(_play(first, rudi, {ana: BEST, budi: WORST, citra: OTHER}), rudi, "Entered twice")
    second = _evening(club, "2026-11-12", PLAIN_RULES, 2_000, [ana, budi])
    _play(second, rudi, {ana: BEST, budi: WORST})
    _play(second, rudi, {ana: WORST, budi: OTHER | {"back": "straight 7"}})
    third = _evening(club, "2026-11-19", HOUSE_RULES, 1_000, [ana, budi, citra])
    _play(third, rudi, {ana: BEST, budi: WORST, citra: OTHER})
    for session in (first, second):
        ledger.close_session(session, rudi)
    return Past(first, second, third)


def _evening(
    club: Club, date: str, rules: Ruleset, stake: int, players: Sequence[Player], place: str = "", notes: str = ""
) -> Session:
    session = Session.objects.create(
        club=club,
        date=date,
        currency="IDR",
        stake=stake,
        preset="points",
        ruleset_fields=rules.as_dict(),
        place=place,
        notes=notes,
    )
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=player, position=position) for position, player in enumerate(players)
    )
    return session


def _play(session: Session, rudi: User, laid: Mapping[Player, Laid]) -> Round:
    round_ = ledger.open_round(session, list(laid))
    for hand in round_.hands.select_related("player"):
        ledger.keep_hand(hand, laid[hand.player], hand.version)
    return ledger.record_round(round_, rudi)
