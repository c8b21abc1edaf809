"""Who plays and who deals in a round of an evening: its seats and its rounds, put to `scoring.rotation`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring import rotation
from scoring.models import Hand, Player, Round, Seat, Session
from scoring.wording import listed

Played = Sequence[Collection[int]]
"""The scored rounds of an evening, oldest first: the keys of those who held cards in each."""


@dataclass(frozen=True)
class Table:
    """A round as it is dealt: who holds cards and who sits out, in the order of the seats, and who deals."""

    players: list[Player]
    resting: list[Player]
    dealer: Player

    @property
    def resting_names(self) -> str:
        return listed([player.name for player in self.resting])


def rounds_played(session: Session) -> Played:
    """Who held cards in each scored round of an evening; one query."""
    hands = Hand.objects.filter(round__session=session, round__state=Round.State.SCORED).order_by("round__number")
    rounds: dict[int, set[int]] = {}
    for number, player in hands.values_list("round__number", "player_id"):
        rounds.setdefault(number, set()).add(player)
    return list(rounds.values())


def seats_of(session: Session) -> list[Seat]:
    """The seats of an evening clockwise, with their players; also of those who have left."""
    return list(session.seats.select_related("player"))


def next_table(seats: Sequence[Seat], played: Played) -> Table | None:
    """The next round as it should be dealt; None where fewer than two are at the table."""
    circle = [seat.player_id for seat in seats]
    present = {seat.player_id for seat in seats if seat.left_at is None}
    return table_with(seats, played, rotation.propose(circle, present, played).players) if len(present) > 1 else None


def table_with(seats: Sequence[Seat], played: Played, holding: Collection[int]) -> Table:
    """The round after those that were `played`, with cards for the players `holding` (their keys)."""
    circle = [seat.player_id for seat in seats]
    dealer = rotation.next_dealer(circle, played, holding)
    by_key = {seat.player_id: seat.player for seat in seats}
    return Table(
        players=[by_key[key] for key in circle if key in holding],
        resting=[seat.player for seat in seats if seat.left_at is None and seat.player_id not in holding],
        dealer=by_key[dealer],
    )
