"""Fills an empty book with the made-up club: its year of evenings, and the one that is running now."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from scoring import ledger, rotation, sharing
from scoring.demo.deals import deal, in_words, lay
from scoring.demo.evenings import HOUSE_RULES, Evening, clock, past_evenings, ruleset_fields, tonight
from scoring.demo.people import PEOPLE, VOID_REASONS, Person
from scoring.engine.advisor import suggest
from scoring.engine.cards import Card, format_cards, parse_cards
from scoring.engine.hand_input import HandInput
from scoring.engine.rules import ROWS, Ruleset, parse_ruleset
from scoring.ledger.bulk import PastRound, write_evening, write_payments
from scoring.models import Club, Host, PairStake, Player, Round, Seat, Session

SEED = 52
EVENINGS = 40
STAKE = 1_000
_OPEN_EVENINGS = 3  # the newest ones, of which not everything is paid yet
_FOOD = 75_000  # rupiah
_VOIDED = 0.02  # how many rounds were voided


def build_club(host: User, now: datetime, evenings: int = EVENINGS) -> Club:
    """The club with so many evenings, the last of them running `now`. The same every time but for the days."""
    chance = Random(SEED)  # noqa: S311 - nothing secret, and it must be the same every time
    club = make_club(host)
    zone = ZoneInfo(club.time_zone)
    players = make_players(club)
    planned = past_evenings(evenings - 1, now, zone, chance)
    unpaid = []
    for number, evening in enumerate(planned, start=1):
        session = open_session(club, evening, players, host)
        play(session, evening, players, host, chance)
        is_paid = pay(session, host, evenings - number <= _OPEN_EVENINGS, chance)
        unpaid += [] if is_paid else [session]
    ledger.carry_all_over(unpaid[:1], host)
    play_tonight(club, tonight(now, zone, chance), players, host, chance)
    return club


def make_club(host: User) -> Club:
    """The club, still empty, with its host."""
    club = Club.objects.create(
        name="Kamis Malam",
        currency="IDR",
        stake=STAKE,
        preset=HOUSE_RULES["preset"],
        ruleset_fields=ruleset_fields(HOUSE_RULES),
    )
    Host.objects.create(club=club, user=host, role=Host.Role.OWNER)
    return club


def make_players(club: Club) -> dict[str, Player]:
    """Everybody, by name."""
    return {person.name: Player.objects.create(club=club, name=person.name) for person in PEOPLE}


def open_session(club: Club, evening: Evening, players: Mapping[str, Player], host: User) -> Session:
    """The evening with its seats and stakes, before the first round."""
    session = Session.objects.create(
        club=club,
        date=evening.start.date(),
        currency=club.currency,
        stake=evening.stake,
        place=evening.place,
        notes=evening.notes,
        preset=evening.rules["preset"],
        ruleset_fields=ruleset_fields(evening.rules),
        created_at=evening.start,
        created_by=host,
    )
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=players[person.name], position=position)
        for position, person in enumerate(evening.people)
    )
    for pair, stake in evening.pair_stakes.items():
        a, b = sorted((players[name] for name in pair), key=lambda player: player.pk)
        PairStake.objects.create(session=session, club=club, a=a, b=b, stake=stake)
    return session


def play(session: Session, evening: Evening, players: Mapping[str, Player], host: User, chance: Random) -> None:
    """All rounds of a past evening, and its end."""
    rounds = list(_rounds(evening, players, parse_ruleset(session.ruleset_fields), chance))
    closed_at = rounds[-1].scored_at + timedelta(minutes=chance.randint(2, 15))
    if evening.leaves:
        left_at = rounds[evening.leaves_after - 1].scored_at
        session.seats.filter(player=players[evening.leaves.name]).update(left_at=left_at)
    write_evening(session, rounds, host, closed_at)


def pay(session: Session, host: User, is_recent: bool, chance: Random) -> bool:
    """What was paid at the end of the evening or in the days after it: of older evenings nearly everything. Says
    whether it was all."""
    session.refresh_from_db()
    claims = ledger.settlement(session).claims
    paid = []
    for claim in claims:
        if chance.random() < (0.5 if is_recent else 0.98):
            minutes = chance.choice((3, 5, 8, 60 * 20))
            at = (session.closed_at or session.created_at) + timedelta(minutes=minutes)
            paid.append((claim.payer, claim.payee, claim.open, at))
    write_payments(session, paid, host)
    return len(paid) == len(claims)


def play_tonight(club: Club, evening: Evening, players: Mapping[str, Player], host: User, chance: Random) -> None:
    """The evening that is running: some rounds are scored, one of them corrected, somebody brought food; the next
    round lies on the table."""
    session = open_session(club, evening, players, host)
    ruleset = parse_ruleset(session.ruleset_fields)
    rounds = list(_rounds(evening, players, ruleset, chance))
    write_evening(session, rounds, host)
    sharing.share_board(session, host)
    _correct(session, host, ruleset)
    _share_food(session, host)
    skills = {players[person.name]: person.skill for person in evening.people}
    table = rotation.propose(list(skills), skills.keys(), [_holding(past, skills) for past in rounds])
    open_round = ledger.open_round(session, table.players)
    hands = open_round.hands.select_related("player")
    for hand, cards in list(zip(hands, deal(chance, len(table.players)), strict=True))[:2]:
        laid = lay(cards, skills[hand.player], ruleset, chance)
        ledger.keep_hand(hand, {row: format_cards(laid.row(row)) for row in ROWS}, hand.version)


def _correct(session: Session, host: User, ruleset: Ruleset) -> None:
    """Void one round of those that were scored, and lay the first hand of another as it should have been typed."""
    first, second = session.rounds.filter(state=Round.State.SCORED).order_by("number")[:2]
    ledger.void_round(first, host, VOID_REASONS[0])
    hands = dict(ledger.hands_of(second))
    player = next(iter(hands))
    cards = [card for row in ROWS for card in parse_cards(hands[player][row])]
    best = suggest(cards, ruleset, 1)[0]
    rows = {row: format_cards(getattr(best, row)) for row in ROWS}
    ledger.amend_round(second, host, "Two rows were typed wrong.", hands | {player: {**hands[player], **rows}})


def _share_food(session: Session, host: User) -> None:
    """Who sat down first paid for all."""
    seated = list(session.seats.values_list("player_id", flat=True))
    key = uuid.uuid4()
    amounts: dict[int | None, int] = {
        player: -share for player, share in ledger.split_equally(_FOOD, seated, key).items()
    }
    amounts[seated[0]] += _FOOD
    ledger.record_adjustment(session, amounts, "Martabak", key, host)


def _holding(past: PastRound, players: Mapping[Player, float]) -> list[Player]:
    here = {hand.who for hand in past.hands}
    return [player for player in players if player.pk in here]


def _rounds(evening: Evening, players: Mapping[str, Player], ruleset: Ruleset, chance: Random) -> Iterator[PastRound]:
    """The rounds of an evening: whoever is there takes turns, as the site proposes it."""
    circle = list(evening.people)
    played: list[Sequence[Person]] = []
    for number, (opened_at, scored_at) in enumerate(clock(evening.start, evening.rounds, chance)):
        present = [one for one in circle if one is not evening.leaves or number < evening.leaves_after]
        holding = rotation.propose(circle, present, played).players
        hands = [
            replace(_laid(cards, person, evening, ruleset, chance), who=players[person.name].pk)
            for cards, person in zip(deal(chance, len(holding)), holding, strict=True)
        ]
        if chance.random() < _VOIDED:
            voided_at = scored_at + timedelta(seconds=90)
            yield PastRound(hands, opened_at, scored_at, voided_at, chance.choice(VOID_REASONS))
        else:
            played.append(holding)
            yield PastRound(hands, opened_at, scored_at)


def _laid(cards: Sequence[Card], person: Person, evening: Evening, ruleset: Ruleset, chance: Random) -> HandInput:
    hand = lay(cards, person.skill, ruleset, chance)
    return in_words(hand, ruleset) if evening.in_words and chance.random() < 0.5 else hand
