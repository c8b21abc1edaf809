"""Rounds of the book under other terms: what they would come to, and scoring them anew by amendments."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from scoring.change_log import log_change
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import RoundScore
from scoring.ledger.book import StaleError, lock_session, require_open
from scoring.ledger.booking import PairStakes
from scoring.ledger.terms import Stakes
from scoring.ledger.versions import Draft, laid_fields, write_versions
from scoring.models import Change, Hand, Round, Session


class RoundsChangedError(StaleError):
    """The scored rounds are others than those that somebody looked at."""

    def __init__(self) -> None:
        super().__init__(
            _("Rounds were scored or changed meanwhile. Nothing was saved: look at what would change now.")
        )


@dataclass(frozen=True)
class Terms:
    """What rounds may be scored by instead: a whole ruleset as stored, and stakes. What is not given stays each
    round's own, and so does the stake of a pair that `stakes` do not name."""

    ruleset_fields: Mapping[str, Any] | None = None
    stakes: Stakes = field(default_factory=dict)


class Rescored:
    """A scored round and what it would come to under `terms`: the `score`, or the `error` why it cannot be scored.

    `round_` comes with its hands, their players and its pair scores. `own_now` are the stakes that pairs have of their
    own in the evening by now: such a pair has its own in the round too, even where it equals that of all.
    """

    def __init__(self, round_: Round, terms: Terms, own_now: Mapping[frozenset[Hashable], int]) -> None:
        self.round = round_
        self.terms = terms
        self.hands: list[Hand] = list(round_.hands.all())
        self.pairs = list(round_.pair_scores.all())
        self.stake = terms.stakes.get(None)
        self.stakes = self._stakes(own_now)
        self.score: RoundScore | None = None
        self.error: ScoringError | None = None
        again = Round(
            session=round_.session,
            won=round_.won,
            ruleset_fields=self.ruleset_fields,
            stake=round_.stake if self.stake is None else self.stake,
        )
        try:
            self.score = again.score(self.hands, self.stakes)
        except ScoringError as error:
            self.error = error

    @property
    def ruleset_fields(self) -> Mapping[str, Any] | None:
        """The rules it would be scored by."""
        return self.terms.ruleset_fields or self.round.ruleset_fields

    def _stakes(self, own_now: Mapping[frozenset[Hashable], int]) -> PairStakes:
        own: dict[frozenset[Hashable], int] = {}
        for played in self.pairs:
            pair = frozenset((played.a_id, played.b_id))
            if played.stake != self.round.stake or own_now.get(pair) == played.stake:
                own[pair] = played.stake
            named = min(played.a_id, played.b_id), max(played.a_id, played.b_id)
            if named in self.terms.stakes:
                wanted = self.terms.stakes[named]
                own.pop(pair, None)
                own |= {} if wanted is None else {pair: wanted}
        return own

    @cached_property
    def changes(self) -> bool:
        """Whether the round would come to something else for anybody, or pay its room fee at another time."""
        if self.score is None:
            return False
        players, pairs = self.score.players, self.score.pairs
        basis = (self.ruleset_fields or {}).get("room_fee_basis")
        return (
            any(
                (hand.points, hand.net) != (each.points, each.net)
                for hand, each in zip(self.hands, players, strict=True)
            )
            or any(
                (old.points, old.money) != (new.points, new.money) for old, new in zip(self.pairs, pairs, strict=True)
            )
            or basis != (self.round.ruleset_fields or {}).get("room_fee_basis")
        )

    def draft(self) -> Draft:
        """The version that would stand in its place, not written yet.

        Raises:
            ScoringError: it cannot be scored under the terms.
        """
        if self.score is None:
            raise self.error or AssertionError("neither a score nor an error")
        laid = {hand.player: laid_fields(hand) for hand in self.hands}
        draft = Draft(self.round, laid, None, self.terms.ruleset_fields, self.stake)
        draft.score = self.score
        return draft

    @property
    def house_change(self) -> int:
        """By how much the room fee of the round would be another."""
        return self.score.house - self.round.fee if self.score else 0


def rescored(session: Session, terms: Terms, from_round: int = 1) -> list[Rescored]:
    """The scored rounds of an evening from number `from_round` on, the oldest first, under other terms.

    Takes a constant number of queries; nothing is written.
    """
    own: dict[frozenset[Hashable], int] = {frozenset(pair.pair): pair.stake for pair in session.pair_stakes.all()}
    rounds = _scored(session).filter(number__gte=from_round)
    hands = Prefetch("hands", Hand.objects.select_related("player"))
    found = rounds.prefetch_related(hands, "pair_scores").order_by("number")
    for round_ in found:
        round_.session = session
    return [Rescored(round_, terms, own) for round_ in found]


def rounds_key(session: Session, found: Sequence[Rescored]) -> str:
    """What tells what somebody looked at from anything else: each scored round of the evening by its version, and what
    each of `found` would come to."""
    keys = list(_scored(session).order_by("pk").values_list("pk", flat=True))
    told = [(each.round.pk, _told(each.score)) for each in found if each.changes and each.score]
    return sha256(repr((keys, told)).encode()).hexdigest()[:16]


def rescore(
    session: Session,
    terms: Terms,
    from_round: int,
    seen: str,
    user: User,
    reason: str,
    change_terms: Callable[[], object],
) -> Sequence[Round]:
    """Change the terms of an open session by `change_terms`, and put versions under them in the place of the scored
    rounds from `from_round` on that come to something else. Those that cannot be scored under them stay as they are.
    `seen` is the `rounds_key` of what was looked at: exactly that is written.

    Raises:
        RoundsChangedError: something else would be written than what was looked at; nothing was.
        LedgerError: `change_terms` refuses, or an amount would not fit the book; nothing was written.
    """
    with transaction.atomic():
        found = rescored(lock_session(session.pk), terms, from_round)
        if rounds_key(session, found) != seen:
            raise RoundsChangedError
        change_terms()
        drafts = [each.draft() for each in found if each.changes]
        if not drafts:
            return ()
        session = lock_session(session.pk)  # as it was left by the change
        require_open(session)
        told = (Change.Kind.RULES, "rescored") if terms.ruleset_fields else (Change.Kind.STAKE, "repriced")
        log_change(session, *told, user, new={"from_round": from_round})
        return write_versions(session, drafts, user, reason)


def _told(score: RoundScore) -> list[object]:
    """What of a score becomes part of the book."""
    pairs = [(pair.points, pair.stake, pair.money) for pair in score.pairs]
    return [[(player.points, player.money, player.net) for player in score.players], pairs, score.house]


def _scored(session: Session) -> QuerySet[Round]:
    return session.rounds.filter(state=Round.State.SCORED)
