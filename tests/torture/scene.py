"""A club and its evenings, and cards for any number of rounds."""

from datetime import UTC, date, datetime, timedelta
from random import Random

from django.contrib.auth.models import User

from scoring.engine.cards import DECK, format_cards, parse_cards
from scoring.engine.rounds import HandInput
from scoring.engine.rules import ROWS
from scoring.ledger.bulk import PastRound, write_evening
from scoring.models import Club, Host, Player, Round, Seat, Session

CAST = ("Ana", "Budi", "Citra", "Dewi")
Rows = dict[str, str]


def make_evenings(number: int, hosts: int) -> tuple[list[Session], list[User]]:
    """So many evenings of one club, the cast of four at each, and so many who host them."""
    club = Club.objects.create(name="Kamis Malam", currency="IDR", stake=10_000)
    users = [User.objects.create_user(f"rudi-{place}") for place in range(hosts)]
    Host.objects.bulk_create(Host(club=club, user=user, role=Host.Role.OWNER) for user in users)
    cast = [Player.objects.create(club=club, name=name) for name in CAST]
    return [_evening(club, cast) for _number in range(number)], users


def _evening(club: Club, cast: list[Player]) -> Session:
    session = Session.objects.create(
        club=club,
        date=date(2026, 11, 26),
        currency=club.currency,
        stake=club.stake,
        preset=club.preset,
        ruleset_fields=club.ruleset_fields,
    )
    seats = (Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(cast))
    Seat.objects.bulk_create(seats)
    return session


def deal(seed: int) -> list[Rows]:
    """What each of the cast lays, the same for the same seed: the lowest cards in front, the highest at the back."""
    deck = list(DECK)
    Random(seed).shuffle(deck)
    hands = (sorted(deck[13 * place : 13 * place + 13]) for place in range(len(CAST)))
    return [
        {"front": format_cards(cards[:3]), "middle": format_cards(cards[3:8]), "back": format_cards(cards[8:])}
        for cards in hands
    ]


def play(session: Session, rounds: int, user: User) -> list[Round]:
    """Fill an evening that has no rounds yet with so many."""
    seated = list(session.players.order_by("seats__position").values_list("pk", flat=True))
    began = datetime(2026, 11, 26, 12, tzinfo=UTC)
    return write_evening(session, [_past_round(seated, began, number) for number in range(rounds)], user)


def _past_round(seated: list[int], began: datetime, number: int) -> PastRound:
    hands = [
        HandInput(player, *(parse_cards(rows[row]) for row in ROWS))
        for player, rows in zip(seated, deal(number), strict=True)
    ]
    opened = began + timedelta(minutes=2 * number)
    return PastRound(hands, opened, opened + timedelta(minutes=1))
