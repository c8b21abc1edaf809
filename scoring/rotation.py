"""Who holds cards next, who sits out and who deals: worked out from the seats and the rounds played, never stored.

The rule for five players or more:

* Four hold cards. Whoever has played longest without a pause sits out. Between equals it is the one who comes first
  clockwise from the last dealer, the dealer himself before all others. The first round is played by the first four.
* The deal goes round clockwise, past those who sit out. The first dealer is the first at the table who holds cards.

With the same people all evening nobody has sat out more than one round more than anybody else, and the dealer sits out
next. Whoever joins or comes back plays at once: no round counts against him that he was not there for.

Players are known by any key. A circle lists them clockwise; a round is the set of those who held cards in it, and
rounds come oldest first.
"""

from collections.abc import Collection, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

LARGEST_TABLE = 4

Key = TypeVar("Key", bound=Hashable)


class Proposal(NamedTuple, Generic[Key]):
    """Who holds cards in the next round and who sits it out, both in the order of the circle."""

    players: list[Key]
    resting: list[Key]


def propose(circle: Sequence[Key], present: Collection[Key], rounds: Sequence[Collection[Key]]) -> Proposal[Key]:
    """Who should hold cards next. `circle` holds everybody with a seat; `present` are those who can play now."""
    dealer = last_dealer(circle, rounds)
    # Before the first deal one counts from the fifth seat, so that the first four play.
    order = _clockwise_from(circle, dealer) if dealer is not None else [*circle[LARGEST_TABLE:], *circle]
    waiting = [player for player in dict.fromkeys(order) if player in present]
    waiting.sort(key=lambda player: -_streak(player, rounds))
    resting = set(waiting[: max(0, len(waiting) - LARGEST_TABLE)])
    seated = [player for player in circle if player in present]
    return Proposal(
        [player for player in seated if player not in resting], [player for player in seated if player in resting]
    )


def next_dealer(circle: Sequence[Key], rounds: Sequence[Collection[Key]], players: Collection[Key]) -> Key:
    """Who deals to `players` after `rounds`."""
    return _deal(circle, last_dealer(circle, rounds), players)


def last_dealer(circle: Sequence[Key], rounds: Sequence[Collection[Key]]) -> Key | None:
    """Who dealt the newest of `rounds`; None where there is none."""
    dealer = None
    for players in rounds:
        dealer = _deal(circle, dealer, players)
    return dealer


def _deal(circle: Sequence[Key], last: Key | None, players: Collection[Key]) -> Key:
    """The next dealer clockwise after the last one."""
    order = circle if last is None else [*_clockwise_from(circle, last)[1:], last]
    return next(player for player in order if player in players)


def _clockwise_from(circle: Sequence[Key], first: Key) -> list[Key]:
    place = circle.index(first)
    return [*circle[place:], *circle[:place]]


def _streak(player: Key, rounds: Sequence[Collection[Key]]) -> int:
    """How many of the newest rounds a player has held cards in without a pause."""
    for count, players in enumerate(reversed(rounds)):
        if player not in players:
            return count
    return len(rounds)
