"""Corrections of scored rounds: the wrong version is reversed and stays, a right one of the same number is scored."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.engine.rounds import RoundScore
from scoring.ledger.book import LedgerError, StaleError, lock_session, post
from scoring.ledger.booking import (
    PairStakes,
    amounts_of,
    fill_hands,
    keep_pairs,
    pair_stakes,
    refuse_too_large,
    require_players,
)
from scoring.ledger.hands import HAND_FIELDS
from scoring.ledger.rounds import flip, lock_scored, log_round
from scoring.models import Entry, Hand, Player, Round
from scoring.models.answers import Answer, deciding

LaidHands = Mapping[Player, Mapping[str, Any]]
"""Who held cards, in the order of the table, and what each laid: HAND_FIELDS by name, rows as cards or words."""

_KEYS = uuid.UUID("0a6f0d59-0f4f-4f0d-8d3c-5b7f2f0f9a3e")  # the name space of the keys of versions brought back


def hands_of(round_: Round) -> LaidHands:
    """What was laid in a round of the book, to be changed and given to `amend_round`."""
    return {hand.player: laid_fields(hand) for hand in round_.hands.select_related("player")}


def laid_fields(hand: Hand) -> dict[str, Any]:
    """What a player laid. A natural that the engine found by itself is no word of his."""
    fields = {field: getattr(hand, field) for field in HAND_FIELDS}
    return fields if hand.declare == Hand.Declare.NATURAL else fields | {"natural": ""}


def stakes_of(round_: Round) -> PairStakes:
    """What the pairs that had a stake of their own played for in a scored round, in minor units a point."""
    pairs = round_.pair_scores.all()
    return {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs if pair.stake != round_.stake}


def preview_amendment(
    round_: Round,
    hands: LaidHands | None = None,
    *,
    won: Sequence[Answer] | None = None,
    ruleset_fields: Mapping[str, Any] | None = None,
    stake: int | None = None,
    stakes: PairStakes | None = None,
) -> RoundScore:
    """What `amend_round` would make of a scored round; nothing is written. Its `who` are the players' keys.

    Raises:
        ValueError: the hands are no round (the engine's error names the player and the row).
        LedgerError: not two to four players with a seat in the session are named.
    """
    return _Draft(round_, hands, won, ruleset_fields, stake).score(stakes)


def amend_round(
    round_: Round,
    user: User,
    reason: str = "",
    hands: LaidHands | None = None,
    *,
    won: Sequence[Answer] | None = None,
    ruleset_fields: Mapping[str, Any] | None = None,
    stake: int | None = None,
    stakes: PairStakes | None = None,
    key: uuid.UUID | None = None,
    action: str = "amended",
) -> Round:
    """Put a corrected version in the place of a scored round. The old one is reversed and stays: who, when and why.

    Whatever is not given stays as it was: `hands`, who `won` rows of which too little is told, the rules, the `stake`
    of a point and the own `stakes` of pairs (minor units). A pair that did not meet in the old version plays for what
    it plays for in the session by now. `key` came with the form: the same form sent twice is one correction, and gives
    the same version. `action` is what the change log calls it.

    Raises:
        ValueError: the hands are no round (the engine's error names the player and the row).
        AmendedError: another version stands in its place by now; nothing was written.
        LedgerError: the session is closed, the round is open or voided, an amount would not fit the book, or not two
            to four players with a seat in the session are named.
    """
    with transaction.atomic():
        lock_session(round_.session_id)
        known = _known(round_, key)
        if known:
            return known
        old = lock_scored(round_)
        if old.is_voided:
            text = _("Round %(number)s is voided. Restore it first, then correct it.")
            raise LedgerError(text % {"number": old.number})
        draft = _Draft(old, hands, won, ruleset_fields, stake)
        score = draft.score(stakes)
        old.voided_at, old.voided_by, old.void_reason = timezone.now(), user, reason
        before = flip(old, Round.State.AMENDED, user, reason)
        new = draft.keep(score, user, key)
        after = {hand.player.name: hand.net for hand in draft.hands}
        log_round(new, action, user, old=before, new=after, reason=reason)
        return new


def bring_back(older: Round, current: Round, user: User, reason: str = "") -> Round:
    """Undo corrections: a version as `older` once stood, terms included, takes the place of `current`, visibly.

    A second tap gives the same version again.

    Raises:
        AmendedError: yet another version stands by now; nothing was written.
        LedgerError: the session is closed, the round is voided, `older` is no version of it, or an amount would not
            fit the book.
    """
    if older == current or (older.session_id, older.number) != (current.session_id, current.number):
        raise LedgerError(_("This is no older version of the round."))
    return amend_round(
        current,
        user,
        reason,
        hands_of(older),
        won=older.answers,
        ruleset_fields=older.ruleset_fields,
        stake=older.stake,
        stakes=stakes_of(older),
        key=uuid.uuid5(_KEYS, f"{older.pk}/{current.pk}"),
        action="brought back",
    )


class _Draft:
    """A corrected version that is not written yet: the `round`, and its `hands` in the order of the table."""

    def __init__(
        self,
        old: Round,
        hands: LaidHands | None,
        won: Sequence[Answer] | None,
        ruleset_fields: Mapping[str, Any] | None,
        stake: int | None,
    ) -> None:
        laid = hands_of(old) if hands is None else hands
        require_players(old.session, list(laid))
        self.old = old
        self.round = Round(
            session=old.session,
            club_id=old.club_id,
            number=old.number,
            replaces=old,
            opened_at=old.opened_at,
            revealed_at=old.revealed_at,
            revealed_by_id=old.revealed_by_id,
            won=old.won if won is None else [list(answer) for answer in won],
            ruleset_fields=old.ruleset_fields if ruleset_fields is None else ruleset_fields,
            stake=old.stake if stake is None else stake,
            # When and by whom it was played stays; the correction is told by the old version.
            scored_at=old.scored_at,
            scored_by_id=old.scored_by_id,
        )
        self.hands = [
            Hand(round=self.round, club_id=old.club_id, player=player, position=position, **fields)
            for position, (player, fields) in enumerate(laid.items())
        ]

    def score(self, stakes: PairStakes | None) -> RoundScore:
        """What it comes to, under the `stakes` given or else those of the old version."""
        return self.round.score(self.hands, self._stakes() if stakes is None else stakes)

    def keep(self, score: RoundScore, user: User, key: uuid.UUID | None) -> Round:
        """Write it into the book as it was scored."""
        ruleset = self.round.ruleset
        amounts = amounts_of(score, self.hands)
        refuse_too_large(self.round.session, score, amounts)
        decided = deciding(self.round.answers, [hand.as_input(ruleset) for hand in self.hands], ruleset)
        self.round.won = [list(answer) for answer in decided]
        self.round.state, self.round.fee = Round.State.SCORED, score.house
        self.round.save()
        fill_hands(self.hands, ruleset, score)
        Hand.objects.bulk_create(self.hands)
        keep_pairs(self.round, self.hands, score)
        post(self.round.session, Entry.Kind.ROUND, amounts, user, round_=self.round, key=key)
        return self.round

    def _stakes(self) -> PairStakes:
        met = {frozenset((pair.a_id, pair.b_id)) for pair in self.old.pair_scores.all()}
        by_now = pair_stakes(self.old.session, [hand.player_id for hand in self.hands])
        return {pair: stake for pair, stake in by_now.items() if pair not in met} | dict(stakes_of(self.old))


def _known(round_: Round, key: uuid.UUID | None) -> Round | None:
    """The version that the form with this key has made already."""
    entry = Entry.objects.filter(session=round_.session_id, key=key).select_related("round").first() if key else None
    if entry is None:
        return None
    if entry.round is None or entry.round.replaces_id != round_.pk:
        raise StaleError(_("This form was used for something else already. Open the round again."))
    return entry.round
