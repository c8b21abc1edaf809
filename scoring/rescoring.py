"""What a change of rules or stakes would make of the rounds that are scored, told round by round before it is made."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import Any

from django.utils.translation import gettext as _

from scoring import ledger
from scoring.engine.rounds import RoundError, RoundNeeds, room_fee
from scoring.engine.rules import parse_ruleset
from scoring.ledger import Rescored, Terms
from scoring.models import Player, Session
from scoring.wording import explain

SHOWN = 25  # rounds whose outcomes the page tells one by one, and reasons why rounds cannot be scored


@dataclass(frozen=True)
class Outcome:
    """What a round, or all of them, comes to for one player (None is the house) before and after; amounts in minor
    units. Points are None where they say nothing."""

    player: Player | None
    money: int
    new_money: int
    points: int | None = None
    new_points: int | None = None

    @property
    def changes(self) -> bool:
        return (self.money, self.points) != (self.new_money, self.new_points)


class Rescoring:
    """The evening with its rounds from number `from_round` on scored under `terms`; nothing is written.

    Those from number `look` on are told one by one, as many as a page takes; all are in the sums and named by number.
    """

    def __init__(self, session: Session, terms: Terms, from_round: int, look: int = 1) -> None:
        self.session = session
        self.terms = terms
        self.from_round = from_round
        self.look = look
        self.rounds = ledger.rescored(session, terms, from_round)
        self.key = ledger.rounds_key(session, self.rounds)

    @cached_property
    def changed(self) -> list[tuple[Rescored, list[Outcome]]]:
        """The rounds that would come to something else, with what they come to for each player."""
        return [(each, list(_outcomes(each))) for each in self.rounds if each.changes]

    @property
    def unchanged(self) -> list[int]:
        """The numbers of those that would come to the same."""
        return [each.round.number for each in self.rounds if each.score and not each.changes]

    @cached_property
    def shown(self) -> list[tuple[Rescored, list[Outcome]]]:
        """Those of the changed rounds that are told one by one."""
        return list(islice((each for each in self.changed if each[0].round.number >= self.look), SHOWN))

    @property
    def others(self) -> str:
        """The numbers of the changed rounds that are not told one by one here."""
        shown = {each.round.number for each, _outcomes in self.shown}
        changed = [each.round.number for each, _outcomes in self.changed]
        return as_ranges([number for number in changed if number not in shown])

    @property
    def next_look(self) -> int | None:
        """The number of the changed round after those that are told one by one; after the last one the first."""
        if len(self.shown) == len(self.changed):
            return None
        numbers = [each.round.number for each, _outcomes in self.changed]
        last = self.shown[-1][0].round.number if self.shown else numbers[-1]
        return next((number for number in numbers if number > last), numbers[0])

    @property
    def unchanged_numbers(self) -> str:
        return as_ranges(self.unchanged)

    @property
    def refused(self) -> list[tuple[str, str]]:
        """The numbers of rounds that cannot be scored under the terms and would stay as they are, by the reason; where
        there are very many reasons, the rest of the numbers without one."""
        by_reason: dict[str, list[int]] = {}
        for each in self.rounds:
            if each.error:
                by_reason.setdefault(_why(each), []).append(each.round.number)
        told = [(as_ranges(numbers), reason) for reason, numbers in by_reason.items()]
        rest = [number for numbers in list(by_reason.values())[SHOWN:] for number in numbers]
        return told[:SHOWN] + ([(as_ranges(sorted(rest)), "…")] if rest else [])

    @cached_property
    def asks(self) -> bool:
        """Whether the change would mean something for what is in the book, so that it is not made unasked."""
        before, after = self.fee_at_end
        return bool(self.changed) or before != after

    @property
    def has_payments(self) -> bool:
        """Whether something was paid already, so that what is open would be another amount."""
        return bool(ledger.settlement(self.session).payments)

    @cached_property
    def fee_at_end(self) -> tuple[int, int]:
        """The room fee that is due at the end, by the rules as they are and as they would be, rounds left alone."""
        now = sum(ledger.fee_due(self.session).values())
        if self.terms.ruleset_fields is None:
            return now, now
        kept, self.session.ruleset_fields = self.session.ruleset_fields, dict(self.terms.ruleset_fields)
        then = sum(ledger.fee_due(self.session).values())
        self.session.ruleset_fields = kept
        return now, then

    @cached_property
    def fee_again(self) -> int:
        """The room fee that would be due at the end with the rounds scored again."""
        ruleset = parse_ruleset(self.terms.ruleset_fields) if self.terms.ruleset_fields else self.session.ruleset
        if ruleset.room_fee_basis != "session":
            return 0
        won = Counter(ledger.won_before_fee(self.session))
        for each, outcomes in self.changed:
            was, will_be = (_is_before_fee(fields) for fields in (each.round.ruleset_fields, each.ruleset_fields))
            for outcome in outcomes:
                if outcome.player:
                    won[outcome.player.pk] += was * -outcome.money + will_be * outcome.new_money
        return sum(room_fee(amount, ruleset) for amount in won.values())

    def totals(self) -> list[Outcome]:
        """What everybody has won in all, as it is and as it would be; the best first, the house last."""
        before = ledger.totals(self.session)
        after = dict(before)
        players: dict[int | None, Player] = {
            seat.player_id: seat.player for seat in self.session.seats.select_related("player")
        }
        for _each, outcomes in self.changed:
            for outcome in outcomes:
                key = outcome.player.pk if outcome.player else None
                after[key] = after.get(key, 0) + outcome.new_money - outcome.money
        sums = [Outcome(players.get(who), before.get(who, 0), after[who]) for who in after]
        return sorted(sums, key=lambda each: (each.player is None, -each.money))


def as_ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers in short: "1–4, 7"."""
    runs = [list(run) for _gap, run in groupby(enumerate(numbers), lambda one: one[1] - one[0])]
    ends = [(run[0][1], run[-1][1]) for run in runs]
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ends)


def _is_before_fee(ruleset_fields: Mapping[str, Any] | None) -> bool:
    """Whether a round under these rules leaves its room fee to the end of the evening."""
    return (ruleset_fields or {}).get("room_fee_basis") == "session"


def _outcomes(each: Rescored) -> Iterator[Outcome]:
    if each.score is None:
        return
    for hand, player in zip(each.hands, each.score.players, strict=True):
        yield Outcome(hand.player, hand.net or 0, player.net, hand.points or 0, player.points)
    if each.house_change:
        yield Outcome(None, each.round.fee, each.score.house)


def _why(each: Rescored) -> str:
    if each.error is None:
        return ""
    if isinstance(each.error, RoundNeeds):
        return _("too little is told of rows in words")
    names: dict[Hashable, str] = {hand.player_id: hand.player.name for hand in each.hands}
    fault = str(explain(each.error, names))
    who = names.get(each.error.who) if isinstance(each.error, RoundError) else None
    return _("%(player)s: %(fault)s") % {"player": who, "fault": fault} if who else fault
