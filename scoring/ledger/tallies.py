"""Tallies of evenings (`models.tallies`): counted from their rounds, and kept once an evening is closed.

The same count serves the evenings that still run; of those nothing is kept.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction

from scoring.engine.rules import ROWS
from scoring.models import Entry, Hand, Line, PairScore, PairTally, PlayedRuleset, Round, Session, Tally

CHUNK = 100  # evenings that are tallied anew in one transaction
FEE_FIELDS = ("room_fee_percent", "room_fee_basis")
_RESULTS = {1: "won", 0: "tied", -1: "lost"}
_TOLD_OF_EVENING = ("session_id", "club_id", "session__date", "session__currency")
_TOLD_OF_HAND = ("round_id", "player_id", "status", "is_super", "points", "money", "fee")
_TOLD_OF_PAIR = ("round_id", "a_id", "b_id", *ROWS, "bonus", "points", "money")


class _Evening(NamedTuple):
    """What tallies keep of the evening they are of."""

    session_id: int
    club_id: int
    date: date
    currency: str


class _Pair(NamedTuple):
    """What a pair of a round came to; without rows where one of the two had a natural or surrendered."""

    round: int
    a: int
    b: int
    front: int | None
    middle: int | None
    back: int | None
    bonus: int
    points: int
    money: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The results of front, middle and back for `a`; none where no rows were compared."""
        return () if self.front is None else (self.front, self.middle or 0, self.back or 0)

    @property
    def sweep(self) -> int:
        """1 where `a` won all three rows, -1 where he lost them."""
        return self.front if self.front and self.front == self.middle == self.back else 0


def rules_digest(ruleset_fields: Mapping[str, Any] | None) -> str:
    """What names rules as they were kept with a round; the room fee is no part of them."""
    kept = {field: value for field, value in (ruleset_fields or {}).items() if field not in FEE_FIELDS}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:32]


class TallyCount:
    """The tallies of `sessions` (keys), counted from their scored rounds in four queries; nothing is written.

    Their `rules` are not kept yet either: they carry the digest.
    """

    def __init__(self, sessions: Collection[int]) -> None:
        self._tallies: dict[tuple[int, int, str], Tally] = {}
        self._pairs: dict[tuple[int, int, int, str], PairTally] = {}
        self._rules: dict[tuple[int, str], PlayedRuleset] = {}
        self._places: dict[int, tuple[_Evening, PlayedRuleset]] = {}  # by round: where it belongs, and its rules
        self._statuses: dict[tuple[int, int], str] = {}
        self._last: dict[tuple[int, int], Tally] = {}  # by session and player: that of the last round
        if sessions:
            self._count_rounds(sessions)
            self._count_hands(sessions)
            self._count_pairs(sessions)
            self._count_fees(sessions)

    @property
    def tallies(self) -> Collection[Tally]:
        return self._tallies.values()

    @property
    def pairs(self) -> Collection[PairTally]:
        return self._pairs.values()

    def keep(self) -> None:
        """Write them all down; there must be none of these sessions yet."""
        known = _keep_rules(self._rules)
        tallies: list[Tally | PairTally] = [*self.tallies, *self.pairs]
        for tally in tallies:
            tally.rules = known[tally.club_id, tally.rules.digest]
        Tally.objects.bulk_create(self.tallies, batch_size=500)
        PairTally.objects.bulk_create(self.pairs, batch_size=500)

    def _count_rounds(self, sessions: Collection[int]) -> None:
        rounds = Round.objects.filter(session__in=sessions, state=Round.State.SCORED).order_by("session", "number")
        told = rounds.values_list("pk", "session__preset", "ruleset_fields", *_TOLD_OF_EVENING)
        for pk, preset, fields, *evening in told.iterator():
            where = _Evening(*evening)
            digest = rules_digest(fields)
            rules = self._rules.get((where.club_id, digest))
            if rules is None:
                rules = PlayedRuleset(club_id=where.club_id, digest=digest, preset=preset, ruleset_fields=fields)
                self._rules[where.club_id, digest] = rules
            self._places[pk] = where, rules

    def _count_hands(self, sessions: Collection[int]) -> None:
        streaks: dict[tuple[int, int, str], tuple[int, int]] = {}  # rounds won, and lost, in a row just now
        hands = Hand.objects.filter(round__session__in=sessions, round__state=Round.State.SCORED)
        for round_, player, *told in hands.order_by("round__session", "round__number").values_list(*_TOLD_OF_HAND):
            if round_ not in self._places:  # scored since the rounds were read
                continue
            self._statuses[round_, player] = told[0]
            tally = self._tally(round_, player)
            _add_hand(tally, *told)
            key = tally.session_id, player, tally.rules.digest
            streaks[key] = _add_to_streaks(tally, *streaks.get(key, (0, 0)), points=told[2])
            self._last[tally.session_id, player] = tally

    def _count_pairs(self, sessions: Collection[int]) -> None:
        pairs = PairScore.objects.filter(round__session__in=sessions, round__state=Round.State.SCORED)
        for pair in map(_Pair._make, pairs.order_by().values_list(*_TOLD_OF_PAIR)):
            if pair.round in self._places:
                self._add_pair(pair)

    def _add_pair(self, pair: _Pair) -> None:
        played = all(self._statuses.get((pair.round, player)) == "played" for player in (pair.a, pair.b))
        sweep = pair.sweep if played else 0
        for player, sign in ((pair.a, 1), (pair.b, -1)):
            tally = self._tally(pair.round, player)
            _add_rows(tally, pair, sign)
            _add_sweep(tally, sweep * sign)
        sign = 1 if pair.a < pair.b else -1
        together = self._pair(pair.round, *(pair.a, pair.b)[::sign])
        _add_sums(together, pair, sign)
        _add_sweep(together, sweep * sign)

    def _count_fees(self, sessions: Collection[int]) -> None:
        """What was taken at the end of evenings and not given back since."""
        fees = Line.objects.filter(session__in=sessions, player__isnull=False, entry__kind=Entry.Kind.FEE)
        for session, player, amount in fees.filter(entry__reversed_by=None).values_list(
            "session_id", "player_id", "amount"
        ):
            if (session, player) in self._last:
                self._last[session, player].closing_fee -= amount

    def _tally(self, round_: int, player: int) -> Tally:
        where, rules = self._places[round_]
        key = where.session_id, player, rules.digest
        if key not in self._tallies:
            self._tallies[key] = Tally(**where._asdict(), player_id=player, rules=rules)
        return self._tallies[key]

    def _pair(self, round_: int, a: int, b: int) -> PairTally:
        where, rules = self._places[round_]
        key = where.session_id, a, b, rules.digest
        if key not in self._pairs:
            self._pairs[key] = PairTally(**where._asdict(), a_id=a, b_id=b, rules=rules)
        return self._pairs[key]


def keep_tallies(session: Session) -> None:
    """Tally a locked session that is being closed."""
    TallyCount([session.pk]).keep()


def drop_tallies(session: Session) -> None:
    """Forget the tallies of a locked session whose rounds may change again."""
    session.tallies.all().delete()
    session.pair_tallies.all().delete()


def rebuild_tallies(sessions: Collection[int]) -> None:
    """Tally the closed ones of `sessions` (keys) anew, such as those that were imported. Some hundred a second."""
    for keys in _chunks(sorted(sessions)):
        with transaction.atomic():
            closed = Session.objects.select_for_update().filter(pk__in=keys, closed_at__isnull=False)
            pks = list(closed.order_by("pk").values_list("pk", flat=True))
            for model in (Tally, PairTally):
                model.objects.filter(session__in=keys).delete()
            TallyCount(pks).keep()


def _keep_rules(rules: Mapping[tuple[int, str], PlayedRuleset]) -> dict[tuple[int, str], PlayedRuleset]:
    """The rules as they stand in the book, those that were new now among them."""
    PlayedRuleset.objects.bulk_create(rules.values(), ignore_conflicts=True)
    kept = PlayedRuleset.objects.filter(
        club__in={club for club, _digest in rules}, digest__in={digest for _club, digest in rules}
    )
    return {(one.club_id, one.digest): one for one in kept}


def _add_hand(tally: Tally, status: str, is_super: bool, points: int, money: int, fee: int) -> None:
    tally.best_round = max(tally.best_round, points) if tally.rounds else points
    tally.worst_round = min(tally.worst_round, points) if tally.rounds else points
    tally.rounds += 1
    tally.won += points > 0
    tally.lost += points < 0
    tally.points += points
    tally.points_squared += points**2
    tally.money += money
    tally.fee += fee
    tally.supers += is_super
    tally.paos += status == "pao"
    tally.naturals += status == "natural"
    tally.surrenders += status == "surrendered"


def _add_to_streaks(tally: Tally, wins: int, losses: int, points: int) -> tuple[int, int]:
    """How many rounds are won, and lost, in a row with one more that brought `points`."""
    wins = wins + 1 if points > 0 else 0
    losses = losses + 1 if points < 0 else 0
    tally.wins_longest = max(tally.wins_longest, wins)
    tally.losses_longest = max(tally.losses_longest, losses)
    return wins, losses


def _add_rows(tally: Tally, pair: _Pair, sign: int) -> None:
    for row, result in zip(ROWS, pair.rows, strict=False):
        name = f"{row}_{_RESULTS[result * sign]}"
        setattr(tally, name, getattr(tally, name) + 1)
    tally.bonus_won += max(pair.bonus * sign, 0)
    tally.bonus_paid += max(-pair.bonus * sign, 0)


def _add_sums(together: PairTally, pair: _Pair, sign: int) -> None:
    together.rounds += 1
    together.points += pair.points * sign
    together.money += pair.money * sign
    for result in pair.rows:
        name = f"rows_{_RESULTS[result * sign]}"
        setattr(together, name, getattr(together, name) + 1)


def _add_sweep(tally: Tally | PairTally, sweep: int) -> None:
    tally.tembus_given += sweep > 0
    tally.tembus_taken += sweep < 0


def _chunks(keys: list[int]) -> Iterator[list[int]]:
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))
