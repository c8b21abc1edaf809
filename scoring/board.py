"""The live board: an evening as everybody with its link sees it, who can change nothing.

Of the open round it knows who has set his hand and who has not, never a card.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ledger, statistics
from scoring.models import Hand, Player, Round, Session
from scoring.rules_text.extras import percent_text
from scoring.settle_up import SettleUp
from scoring.statistics import RoundSummary
from scoring.tables import RoundTable, badges

NEWEST = 8


@dataclass(frozen=True)
class Setting:
    """How far one player of the open round is."""

    player: Player
    is_ready: bool


@dataclass(frozen=True)
class LastHand:
    """What the newest round was for one of its players; `badges` are pairs of class and text."""

    hand: Hand
    badges: list[tuple[str, str | Promise]]


class Board:
    """Everything that the board shows, read in a constant number of queries. `address` leads to a round's result."""

    def __init__(self, session: Session, address: Callable[[Round], str]) -> None:
        self.session = session
        seats = list(session.seats.select_related("player"))
        newest = list(statistics.finished_rounds(session)[:NEWEST])
        self.rounds = RoundTable(session, newest, address)
        scored = next((round_ for round_ in newest if not round_.is_voided), None)
        self.last_round = RoundSummary(scored) if scored else None
        brought = {hand.player_id: hand.net or 0 for hand in self.last_round.hands} if self.last_round else {}
        self.scores = statistics.scoreboard(session, seats, brought)
        self.settle = SettleUp(session)
        self.open_round = self.settle.unfinished
        self.settings = list(_settings(self.open_round.hands.select_related("player"))) if self.open_round else []

    @property
    def fee(self) -> str:
        """The room fee as people write it."""
        return percent_text(Decimal(str(self.session.ruleset_fields["room_fee_percent"])))

    @property
    def last_hands(self) -> list[LastHand]:
        """The hands of the newest round, the best first."""
        summary = self.last_round
        return [LastHand(hand, list(badges(summary, hand))) for hand in summary.hands] if summary else []

    @property
    def is_decided(self) -> bool:
        """Whether there is a winner to announce: the planned rounds are played, or the evening is closed."""
        planned, played = self.session.rounds_planned, self.settle.rounds
        return bool(played) and (not self.session.is_open or bool(planned and played >= planned))

    @cached_property
    def now(self) -> str:
        """What is going on, in a line."""
        if not self.session.is_open:
            return _("The evening is closed.")
        if not self.open_round:
            return _("The next round is not open yet.")
        if self.open_round.revealed_at:
            return _("Round %(number)s: the hands are on the table") % {"number": self.open_round.number}
        setting = sum(not setting.is_ready for setting in self.settings)
        if not setting:
            return _("Round %(number)s: everybody is ready") % {"number": self.open_round.number}
        text = ngettext(
            "Round %(number)s: %(count)s still setting", "Round %(number)s: %(count)s still setting", setting
        )
        return text % {"number": self.open_round.number, "count": setting}


def _settings(hands: Iterable[Hand]) -> Iterable[Setting]:
    for hand in hands:
        yield Setting(hand.player, ledger.is_set(hand))
