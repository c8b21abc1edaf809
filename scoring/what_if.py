"""The evenings of a club as they would have gone under other rules. Nothing is written.

Hands are taken as they were laid, and stakes as they were; money is told before room fees, which are a matter of the
house and not of the cards. A round that cannot be scored under the other rules counts as it was played.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from django.db.models import Count, Exists, F, OuterRef, Subquery

from scoring.engine.errors import ScoringError
from scoring.engine.rules import Ruleset
from scoring.models import Club, Hand, PairScore, Player, Round, Session

PairStakes = Mapping[frozenset[Hashable], int]

MOST_ROUNDS = 1_500  # that one page scores


@dataclass
class Change:
    """What somebody won, as it was and as it would have been: points, and minor units of one currency."""

    points: int = 0
    new_points: int = 0
    money: int = 0
    new_money: int = 0

    def add(self, points: int, new_points: int, money: int, new_money: int) -> None:
        self.points += points
        self.new_points += new_points
        self.money += money
        self.new_money += new_money

    @property
    def difference(self) -> int:
        """In points."""
        return self.new_points - self.points


@dataclass
class EveningChange:
    """An evening both ways, by player's key."""

    session: Session
    players: dict[int, Change] = field(default_factory=dict)

    @property
    def before(self) -> set[int]:
        """Who won most money, or where it was for none most points; nobody where all are level."""
        return _best({key: (one.money, one.points) for key, one in self.players.items()})

    @property
    def after(self) -> set[int]:
        return _best({key: (one.new_money, one.new_points) for key, one in self.players.items()})


@dataclass(frozen=True)
class Refused:
    """A round that the other rules cannot score, and why: it counts as it was played."""

    session: Session
    round: Round
    error: ScoringError


@dataclass(frozen=True)
class PlayerChange:
    """A player's sum over all the evenings; the money by currency."""

    player: Player
    points: Change
    money: dict[str, Change]


class WhatIf:
    """The last evenings of a club under `ruleset`: as many as asked for, and no more than MOST_ROUNDS in all.

    Takes five queries, however many evenings and rounds.
    """

    def __init__(self, club: Club, ruleset: Ruleset, evenings: int) -> None:
        self.club = club
        self.ruleset = ruleset
        self.sessions, self.left_out = _within_bounds(_played(club, evenings))
        self.refused: list[Refused] = []
        self.evenings = {session.pk: EveningChange(session) for session in self.sessions}
        self.rounds = 0
        if self.sessions:
            self._score_all()

    @property
    def changed_winners(self) -> list[EveningChange]:
        """The evenings that somebody else would have won, newest first."""
        return [evening for evening in self.evenings.values() if evening.before != evening.after]

    @property
    def currencies(self) -> list[str]:
        """What was played for, the club's own first; points alone are no money."""
        codes = {session.currency for session in self.sessions} - {"PTS"}
        return sorted(codes, key=lambda code: (code != self.club.currency, code))

    def players(self) -> list[PlayerChange]:
        """Everybody who played, the winner of most points as it was first; one query."""
        sums: dict[int, Change] = {}
        money: dict[int, dict[str, Change]] = {}
        for evening in self.evenings.values():
            for key, one in evening.players.items():
                for total in (
                    sums.setdefault(key, Change()),
                    money.setdefault(key, {}).setdefault(evening.session.currency, Change()),
                ):
                    total.add(one.points, one.new_points, one.money, one.new_money)
        found = self.club.players.filter(pk__in=sums)
        changes = [PlayerChange(player, sums[player.pk], money[player.pk]) for player in found]
        return sorted(changes, key=lambda change: -change.points.points)

    def _score_all(self) -> None:
        hands: dict[int, list[Hand]] = {}
        of_rounds = {"round__session__in": self.sessions, "round__state": Round.State.SCORED}
        for hand in Hand.objects.filter(**of_rounds).order_by("position", "pk"):
            hands.setdefault(hand.round_id, []).append(hand)
        own = PairScore.objects.filter(**of_rounds).exclude(stake=F("round__stake"))
        stakes: dict[int, dict[frozenset[Hashable], int]] = {}
        for pk, a, b, stake in own.order_by().values_list("round_id", "a_id", "b_id", "stake"):
            stakes.setdefault(pk, {})[frozenset((a, b))] = stake
        rounds = Round.objects.filter(session__in=self.sessions, state=Round.State.SCORED)
        for round_ in rounds.order_by("session", "number"):
            self.rounds += 1
            self._score(round_, hands[round_.pk], stakes.get(round_.pk, {}))

    def _score(self, round_: Round, hands: Sequence[Hand], stakes: PairStakes) -> None:
        evening = self.evenings[round_.session_id]
        round_.session = evening.session
        played = [(hand.points or 0, hand.money or 0) for hand in hands]
        try:
            players = round_.score(hands, stakes, self.ruleset).players
            scored = [(player.points, player.money) for player in players]
        except ScoringError as error:
            self.refused.append(Refused(evening.session, round_, error))
            scored = played
        for hand, (points, money), (new_points, new_money) in zip(hands, played, scored, strict=True):
            evening.players.setdefault(hand.player_id, Change()).add(points, new_points, money, new_money)


def _played(club: Club, evenings: int) -> list[Session]:
    """The last evenings in which a round was scored, newest first, with `rounds_scored`."""
    scored = Round.objects.filter(session=OuterRef("pk"), state=Round.State.SCORED).order_by()
    # Counted one by one for the few that are asked for, not for all that the club ever had.
    count = scored.values("session").annotate(count=Count("pk")).values("count")
    played = club.sessions.filter(Exists(scored)).annotate(rounds_scored=Subquery(count))
    return list(played.order_by("-date", "-pk")[:evenings])


def _within_bounds(sessions: list[Session]) -> tuple[list[Session], int]:
    """The newest evenings that have no more than MOST_ROUNDS together, one at least, and how many are left out."""
    sums = accumulate(session.rounds_scored for session in sessions)  # type: ignore[attr-defined]  # annotated
    kept = max(sum(total <= MOST_ROUNDS for total in sums), min(1, len(sessions)))
    return sessions[:kept], len(sessions) - kept


def _best(won: dict[int, tuple[int, int]]) -> set[int]:
    most = max(won.values())
    best = {key for key, amounts in won.items() if amounts == most}
    return best if len(best) < len(won) else set()


def names_of(keys: Iterable[int], players: Sequence[PlayerChange]) -> list[str]:
    """The names of players by their keys, in the order of the list."""
    wanted = set(keys)
    return [change.player.name for change in players if change.player.pk in wanted]
