"""A scored round as its page tells it: who stands where, pair by pair, and the reasons.

Points and money are those of the book; the reasons are worked out again from the hands and the rules kept with it.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from scoring import wording
from scoring.engine.cards import Card, parse_cards
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import PairScore as PairReasons
from scoring.engine.rounds import PlayerScore, RoundScore, RowReason, score_round
from scoring.engine.rules import ROWS
from scoring.models import Hand, PairScore, Round
from scoring.rules_text.extras import percent_text

_PRIORITY = ("super", "tembus")  # what is worth explaining before the merely large

Badge = tuple[str, str]  # its class and its text


@dataclass
class Standing:
    """One player's line in the table of the round."""

    hand: Hand
    badges: list[Badge]
    told: str


@dataclass
class Side:
    """What one player laid in a row that is compared."""

    name: str
    cards: tuple[Card, ...]
    told: str
    won: bool


@dataclass
class RowDuel:
    """One row of a pair, the winner of the pair first; `points` are his."""

    label: str
    points: int
    sides: list[Side]
    reason: str


@dataclass
class Duel:
    """One pair, its winner first (the first at the table where it is even); points and money are what he gets."""

    names: list[str]
    points: int
    money: int
    stake: int
    badges: list[Badge]
    intro: str
    rows: list[RowDuel]
    sum: list[tuple[str, str]]
    rank: int


class RoundResult:
    """Everything that the page of a scored round shows."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.hands = {hand.player_id: hand for hand in round_.hands.select_related("player")}
        self.pairs = list(round_.pair_scores.all())
        self.names: Mapping[object, str] = {key: hand.player.name for key, hand in self.hands.items()}

    @cached_property
    def score(self) -> RoundScore | None:
        """The reasons; None where the rules kept with the round can no longer be read."""
        stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in self.pairs}
        hands = [hand.as_input() for hand in self.hands.values()]
        try:
            return score_round(hands, self.round.ruleset, self.round.stake or 0, stakes)
        except ScoringError:
            return None

    @property
    def super_hand(self) -> Hand | None:
        return next((hand for hand in self.hands.values() if hand.is_super), None)

    @property
    def headline(self) -> str:
        """Who takes the round; several where they share the best result."""
        best = max(hand.points or 0 for hand in self.hands.values())
        winners = [hand.player.name for hand in self.hands.values() if hand.points == best]
        if best <= 0 or len(winners) == len(self.hands):
            return _("Round %(number)s is even") % {"number": self.round.number}
        text = _("%(player)s takes round %(number)s") if len(winners) == 1 else _("%(player)s share round %(number)s")
        return text % {"player": wording.listed(winners), "number": self.round.number}

    @property
    def standings(self) -> list[Standing]:
        hands = sorted(self.hands.values(), key=lambda hand: (-(hand.net or 0), hand.position))
        return [Standing(hand, self._badges(hand), self._told(hand)) for hand in hands]

    @property
    def matrix(self) -> list[tuple[Hand, list[tuple[int | None, int | None]]]]:
        """Each player's row of the pair table: points signed for him, and the money; None against himself."""
        return [(hand, [self._signed(hand, other) for other in self.hands.values()]) for hand in self.hands.values()]

    @property
    def duels(self) -> list[Duel]:
        """The pairs with their reasons, the one most worth explaining first: super, tembus, then the largest."""
        if not self.score:
            return []
        pairs = zip(self.pairs, self.score.pairs, strict=True)
        duels = [self._duel(stored, reasons, self.score) for stored, reasons in pairs]
        return sorted(duels, key=lambda duel: (duel.rank, -duel.points))

    @property
    def fee_percent(self) -> str:
        """The room fee that was taken, as people write it; empty where the rules can no longer be read."""
        return percent_text(self.round.ruleset.room_fee_percent) if self.score else ""

    @property
    def next_number(self) -> int:
        """The number that the next round of the session will have, or has where it is open already."""
        return max(self.round.session.rounds.values_list("number", flat=True)) + (0 if self._has_open_round else 1)

    @property
    def _has_open_round(self) -> bool:
        return self.round.session.rounds.filter(state=Round.State.OPEN).exists()

    def _badges(self, hand: Hand) -> list[Badge]:
        if hand.is_super:
            return [("super", "★ " + _("Super"))]
        if hand.status == "natural":
            return [("natural", str(wording.natural_name(hand.natural)))]
        if hand.status in ("pao", "surrendered"):
            return [("pao", str(wording.status_name(hand.status)))]
        causes = {pair.cause for pair in (self.score.pairs if self.score else ()) if _won_by(pair, hand.player_id)}
        return [("tembus", _("Tembus"))] if "tembus" in causes else []

    def _told(self, hand: Hand) -> str:
        """The hand in one line: its rows by their short names, or why it has none to show."""
        player = self._players.get(hand.player_id)
        if player and player.pao:
            return wording.pao_reason(player.pao)
        if player and player.rows and hand.status == "played":
            return " · ".join(wording.row_short(player.rows[row]) for row in ROWS)
        return ""

    @cached_property
    def _players(self) -> Mapping[object, PlayerScore]:
        return {player.who: player for player in self.score.players} if self.score else {}

    def _signed(self, hand: Hand, other: Hand) -> tuple[int | None, int | None]:
        """The points that `hand` has from `other`, and the money that changes hands for them."""
        for pair in self.pairs:
            if {pair.a_id, pair.b_id} == {hand.player_id, other.player_id}:
                return (pair.points if pair.a_id == hand.player_id else -pair.points), abs(pair.money)
        return None, None

    def _duel(self, stored: PairScore, reasons: PairReasons, score: RoundScore) -> Duel:
        side = -1 if stored.points < 0 else 1
        return Duel(
            names=[self.names[stored.a_id], self.names[stored.b_id]][::side],
            points=abs(stored.points),
            money=abs(stored.money),
            stake=stored.stake,
            badges=_pair_badges(reasons, score),
            intro=wording.pair_intro(reasons, score, self.names),
            rows=[self._row(reason, stored, side) for reason in reasons.row_reasons],
            sum=wording.pair_sum(reasons, side, self.names),
            rank=_PRIORITY.index(reasons.cause) if reasons.cause in _PRIORITY else len(_PRIORITY),
        )

    def _row(self, reason: RowReason, stored: PairScore, side: int) -> RowDuel:
        sides = [self._side(key, reason, won) for key, won in ((stored.a_id, 1), (stored.b_id, -1))]
        readings = [self._players[key].rows for key in (stored.a_id, stored.b_id)]
        first, second = (rows[reason.row] for rows in readings if rows)
        return RowDuel(
            label=str(wording.row_name(reason.row)),
            points=side * reason.result * self.round.ruleset.row_points,
            sides=sides[::side],
            reason=wording.row_reason(reason, first, second),
        )

    def _side(self, key: int, reason: RowReason, won: int) -> Side:
        rows = self._players[key].rows
        return Side(
            name=self.names[key],
            cards=parse_cards(getattr(self.hands[key], reason.row)),
            told=wording.row_short(rows[reason.row]) if rows else "",
            won=reason.result == won,
        )


def _won_by(pair: PairReasons, player: int) -> bool:
    return bool(pair.row_points) and player == (pair.a if pair.row_points > 0 else pair.b)


def _pair_badges(pair: PairReasons, score: RoundScore) -> list[Badge]:
    """What is special about a pair, with its multiplier where there is one."""
    times = f" ×{pair.multiplier}" if pair.multiplier != 1 else ""
    if pair.cause == "natural":
        holders = [player for player in score.players if player.who in (pair.a, pair.b) and player.natural]
        return [("natural", str(wording.natural_name(holder.natural))) for holder in holders if holder.natural]
    kinds = {"super": ("super", _("Super")), "tembus": ("tembus", _("Tembus")), "pao": ("pao", _("PAO"))}
    kinds["both_pao"] = kinds["pao"]
    kinds["surrender"] = ("pao", str(wording.status_name("surrendered")))
    if pair.cause not in kinds:
        return []
    kind, text = kinds[pair.cause]
    return [(kind, text + times)]
