"""A player's own seat as his phone shows it: what he can do just now, and nothing of anybody else's cards."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from django.utils.translation import gettext as _

from scoring import ledger, statistics
from scoring.models import Hand, Round, ShareLink
from scoring.statistics import Scoreboard

LONGEST_KEY = 19  # digits of a key of the database; what is longer is none


class Stage(StrEnum):
    """What is going on at a seat."""

    CLOSED = "closed"  # the evening is over
    WAITING = "waiting"  # no round is open
    RESTING = "resting"  # a round is open, without him
    LAYING = "laying"
    ELSEWHERE = "elsewhere"  # his hand is laid on another phone
    READY = "ready"
    HOST = "host"  # the host enters his hand
    REVEALED = "revealed"


@dataclass(frozen=True)
class LastResult:
    """The newest scored round, and what it was for the player; None for one who had no cards in it."""

    round: Round
    hand: Hand | None


class OwnSeat:
    """The seat that a link opens, on the phone that `device` names."""

    def __init__(self, link: ShareLink, device: str) -> None:
        if link.player is None:
            raise ValueError("this link opens no seat")
        self.link = link
        self.device = device
        self.session = link.session
        self.player = link.player
        open_rounds = self.session.rounds.filter(state=Round.State.OPEN)
        self.round = open_rounds.first() if self.session.is_open else None
        self.hand = self._own_hand(self.round) if self.round else None

    @property
    def stage(self) -> Stage:
        if not self.session.is_open:
            return Stage.CLOSED
        if self.round is None:
            return Stage.WAITING
        if self.hand is None:
            return Stage.RESTING
        if self.round.revealed_at is not None:
            return Stage.REVEALED
        if self.hand.is_hidden and self.hand.device != self.device:
            return Stage.ELSEWHERE
        if self.hand.is_hidden:
            return Stage.LAYING if self.hand.ready_at is None else Stage.READY
        return Stage.LAYING if self.hand.is_empty and self.hand.set_aside is None else Stage.HOST

    @property
    def key(self) -> str:
        """What the page was drawn for: another key, and the page is out of date."""
        round_ = self.round or (self.last_result and self.last_result.round)
        return f"{self.stage}.{round_.pk if round_ else 0}"

    @cached_property
    def last_result(self) -> LastResult | None:
        last = self.session.rounds.filter(state=Round.State.SCORED).first()
        return LastResult(last, self._own_hand(last)) if last else None

    @cached_property
    def scores(self) -> Scoreboard:
        """The scoreboard of the evening."""
        last = self.last_result
        brought = {player: net or 0 for player, net in last.round.hands.values_list("player", "net")} if last else {}
        return statistics.scoreboard(self.session, list(self.session.seats.select_related("player")), brought)

    @property
    def is_kept(self) -> bool:
        """Whether something that he laid waits for him while he does not write himself."""
        if self.hand is None:
            return bool(self.round and str(self.player.pk) in self.round.set_aside)
        return any((self.hand.set_aside or {}).get(field) for field in ledger.HAND_FIELDS)

    def what_became_of(self, key: str) -> str:
        """What happened to the round that a page was drawn for, in a sentence; empty where it still goes on."""
        stage, _dot, pk = key.partition(".")
        if stage in (Stage.WAITING, Stage.CLOSED) or not (pk.isascii() and pk.isdecimal() and len(pk) < LONGEST_KEY):
            return ""
        round_ = self.session.rounds.filter(pk=pk).first()
        if round_ is None:
            return _("The host discarded the round. Nothing of it counts.")
        if round_.state == Round.State.SCORED:
            return _("Round %(number)s is scored.") % {"number": round_.number}
        if self.stage == Stage.ELSEWHERE and stage in (Stage.LAYING, Stage.READY):
            return _("Your seat was opened on another phone just now. If that was not you, tell the table.")
        if self.stage == Stage.RESTING and stage != Stage.RESTING:
            return _("The host changed who plays: you sit out round %(number)s.") % {"number": round_.number}
        return ""

    def _own_hand(self, round_: Round) -> Hand | None:
        return round_.hands.select_related("player").filter(player=self.player).first()
