"""A scored round as a page tells it: who stands where, pair by pair, and the reasons.

It works from what the engine says. For a round of the book points and money are those of the book; its reasons are
worked out again from the hands and the rules kept with it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scoring import wording
from scoring.engine.cards import Card
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import HandInput, PairScore, PlayerScore, RoundScore, RowReason
from scoring.engine.rules import ROWS, Ruleset
from scoring.models import Hand, Round
from scoring.models import PairScore as StoredPair
from scoring.money import CURRENCIES
from scoring.rules_text.extras import percent_text

_PRIORITY = ("super", "tembus")  # what is worth explaining before the merely large

Badge = tuple[str, str]  # its class and its text


@dataclass
class Standing:
    """One player's line in the table of the round."""

    name: str
    score: PlayerScore
    badges: list[Badge]
    told: str

    @property
    def initial(self) -> str:
        """What stands on the player's chip."""
        return self.name[:1].upper()


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
    """Everything that a page shows of a score. `ruleset` is None where it can no longer be read: then there are no
    reasons to tell."""

    def __init__(
        self,
        score: RoundScore,
        hands: Sequence[HandInput],
        names: Mapping[Hashable, str],
        ruleset: Ruleset | None,
        currency: str,
        number: int | None = None,
    ) -> None:
        self.score = score
        self.hands = {hand.who: hand for hand in hands}
        self.names = names
        self.ruleset = ruleset
        self.currency = currency
        self.number = number
        self._players = {player.who: player for player in score.players}

    @property
    def currency_name(self) -> str | Promise:
        return CURRENCIES[self.currency].name

    @property
    def special(self) -> Standing | None:
        """Who has a super, else the best natural: what the whole table talks about."""
        found = [standing for standing in self.standings if standing.score.super or standing.score.status == "natural"]
        return next(iter(found), None)

    @property
    def special_cards(self) -> list[tuple[Card, ...]]:
        """The rows of a natural, which no pair shows: front, middle, back. Empty for one declared without its cards."""
        hand = self.hands.get(self.special.score.who) if self.special else None
        rows = [hand.row(row) for row in (*ROWS, "cards")] if hand else []
        return [row for row in rows if row]

    @property
    def headline(self) -> str:
        """Who takes the round; several where they share the best result."""
        best = max(player.points for player in self.score.players)
        winners = [self.names[player.who] for player in self.score.players if player.points == best]
        pattern = self._headline(0 if best <= 0 or len(winners) == len(self.names) else len(winners))
        return pattern % {"player": wording.listed(winners), "number": self.number}

    def _headline(self, winners: int) -> str:
        if not winners:
            return _("The round is even") if self.number is None else _("Round %(number)s is even")
        if winners > 1:
            return _("%(player)s share the round") if self.number is None else _("%(player)s share round %(number)s")
        return _("%(player)s takes the round") if self.number is None else _("%(player)s takes round %(number)s")

    @cached_property
    def standings(self) -> list[Standing]:
        players = sorted(self.score.players, key=lambda player: (-player.net, -player.points))
        return [Standing(self.names[player.who], player, self._badges(player), _told(player)) for player in players]

    @property
    def matrix(self) -> list[tuple[str, list[tuple[int | None, int | None]]]]:
        """Each player's row of the pair table: points signed for him, and the money; None against himself."""
        return [(name, [self._signed(one, other) for other in self.names]) for one, name in self.names.items()]

    @property
    def duels(self) -> list[Duel]:
        """The pairs with their reasons, the one most worth explaining first: super, tembus, then the largest."""
        if self.ruleset is None:
            return []
        duels = [self._duel(pair, self.ruleset) for pair in self.score.pairs]
        return sorted(duels, key=lambda duel: (duel.rank, -duel.points))

    @property
    def fee_percent(self) -> str:
        """The room fee that was taken, as people write it; empty where the rules can no longer be read."""
        return percent_text(self.ruleset.room_fee_percent) if self.ruleset else ""

    def _badges(self, player: PlayerScore) -> list[Badge]:
        if player.super:
            return [("super", "★ " + _("Super"))]
        if player.natural and player.status == "natural":
            return [("natural", str(wording.natural_name(player.natural)))]
        if player.status in ("pao", "surrendered"):
            return [("pao", str(wording.status_name(player.status)))]
        causes = {pair.cause for pair in self.score.pairs if _won_by(pair, player.who)}
        return [("tembus", _("Tembus"))] if "tembus" in causes else []

    def _signed(self, one: Hashable, other: Hashable) -> tuple[int | None, int | None]:
        """The points that `one` has from `other`, and the money that changes hands for them."""
        for pair in self.score.pairs:
            if {pair.a, pair.b} == {one, other}:
                return (pair.points if pair.a == one else -pair.points), abs(pair.money)
        return None, None

    def _duel(self, pair: PairScore, ruleset: Ruleset) -> Duel:
        side = -1 if pair.points < 0 else 1
        return Duel(
            names=[self.names[pair.a], self.names[pair.b]][::side],
            points=abs(pair.points),
            money=abs(pair.money),
            stake=pair.stake,
            badges=_pair_badges(pair, self.score),
            intro=wording.pair_intro(pair, self.score, self.names),
            rows=[self._row(reason, pair, side, ruleset.row_points) for reason in pair.row_reasons],
            sum=wording.pair_sum(pair, side, self.names),
            rank=_PRIORITY.index(pair.cause) if pair.cause in _PRIORITY else len(_PRIORITY),
        )

    def _row(self, reason: RowReason, pair: PairScore, side: int, row_points: int) -> RowDuel:
        sides = [self._side(who, reason, won) for who, won in ((pair.a, 1), (pair.b, -1))]
        readings = [self._players[who].rows for who in (pair.a, pair.b)]
        first, second = (rows[reason.row] for rows in readings if rows)
        return RowDuel(
            label=str(wording.row_name(reason.row)),
            points=side * reason.result * row_points,
            sides=sides[::side],
            reason=wording.row_reason(reason, first, second),
        )

    def _side(self, who: Hashable, reason: RowReason, won: int) -> Side:
        rows = self._players[who].rows
        return Side(
            name=self.names[who],
            cards=self.hands[who].row(reason.row),
            told=wording.row_short(rows[reason.row]) if rows else "",
            won=reason.result == won,
        )


def result_of(round_: Round) -> RoundResult:
    """The result of a round of the book."""
    stored, pairs = list(round_.hands.select_related("player")), list(round_.pair_scores.all())
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    hands: list[HandInput] = []
    ruleset: Ruleset | None = None
    reasons: RoundScore | None = None
    try:
        ruleset = round_.ruleset
        hands = [hand.as_input(ruleset) for hand in stored]
        reasons = round_.score(stored, stakes)
    except ScoringError:
        ruleset = reasons = None
    score = RoundScore(
        tuple(map(_booked_player, stored, reasons.players if reasons else repeat(None))),
        tuple(map(_booked_pair, pairs, reasons.pairs if reasons else repeat(None))),
        round_.fee,
    )
    names: dict[Hashable, str] = {hand.player_id: hand.player.name for hand in stored}
    return RoundResult(score, hands, names, ruleset, round_.session.currency, round_.number)


def versions_of(round_: Round) -> list[Round]:
    """The other versions of a corrected round, the newest first; asked for only where there are any."""
    if not (round_.replaces_id or round_.is_amended):
        return []
    others = round_.session.rounds.filter(number=round_.number).exclude(pk=round_.pk)
    return list(others.select_related("voided_by").order_by("-pk"))


def _booked_player(hand: Hand, reasons: PlayerScore | None) -> PlayerScore:
    return PlayerScore(
        who=hand.player_id,
        status=hand.status,
        natural=hand.natural or None,
        super=hand.is_super,
        rows=reasons.rows if reasons else None,
        points=hand.points or 0,
        money=hand.money or 0,
        fee=hand.fee or 0,
        net=hand.net or 0,
        pao=reasons.pao if reasons else None,
    )


def _booked_pair(pair: StoredPair, reasons: PairScore | None) -> PairScore:
    told = reasons or PairScore(pair.a_id, pair.b_id, None, 0, 1, None, 0, 0, 0, 0, 0, (), (), ())
    return told._replace(points=pair.points, stake=pair.stake, money=pair.money)


def _told(player: PlayerScore) -> str:
    """The hand in one line: its rows by their short names, or why it has none to show."""
    if player.pao:
        return wording.pao_reason(player.pao)
    if player.rows and player.status == "played":
        return " · ".join(wording.row_short(player.rows[row]) for row in ROWS)
    return ""


def _won_by(pair: PairScore, player: Hashable) -> bool:
    return bool(pair.row_points) and player == (pair.a if pair.row_points > 0 else pair.b)


def _pair_badges(pair: PairScore, score: RoundScore) -> list[Badge]:
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
