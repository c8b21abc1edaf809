"""Versions of rounds: drafts of corrected ones, and putting any number of them in the place of those that stood."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.utils import timezone

from scoring.change_log import log_changes
from scoring.engine.rounds import RoundScore
from scoring.ledger.booking import amounts_of, fill_hands, pairs_of, refuse_too_large
from scoring.ledger.entries import NewEntry, reversal_of, write_entries
from scoring.ledger.hands import HAND_FIELDS
from scoring.ledger.rounds import round_change
from scoring.ledger.sums import totals
from scoring.models import Change, Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.models.answers import Answer, deciding

LaidHands = Mapping[Player, Mapping[str, Any]]
"""Who held cards, in the order of the table, and what each laid: HAND_FIELDS by name, rows as cards or words."""


def laid_fields(hand: Hand) -> dict[str, Any]:
    """What a player laid. A natural that the engine found by itself is no word of his."""
    fields = {field: getattr(hand, field) for field in HAND_FIELDS}
    return fields if hand.declare == Hand.Declare.NATURAL else fields | {"natural": ""}


class Draft:
    """A corrected version of the scored round `old` that is not written yet: the `round`, and its `hands` in the order
    of the table. `score` is what they come to; it is set before it is written."""

    score: RoundScore

    def __init__(
        self,
        old: Round,
        laid: LaidHands,
        won: Sequence[Answer] | None,
        ruleset_fields: Mapping[str, Any] | None,
        stake: int | None,
    ) -> None:
        """What is None stays as it was in the old version."""
        self.old = old
        self.round = Round(
            session=old.session,
            club_id=old.club_id,
            number=old.number,
            replaces=old,
            state=Round.State.SCORED,
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

    @property
    def amounts(self) -> dict[int | None, int]:
        """The lines of its entry."""
        return amounts_of(self.score, self.hands)

    def fill(self) -> None:
        """Set the round and its hands to what they came to."""
        ruleset = self.round.ruleset
        decided = deciding(self.round.answers, [hand.as_input(ruleset) for hand in self.hands], ruleset)
        self.round.won = [list(answer) for answer in decided]
        self.round.fee = self.score.house
        fill_hands(self.hands, ruleset, self.score)


def write_versions(
    session: Session,
    drafts: Sequence[Draft],
    user: User,
    reason: str,
    action: str = "amended",
    key: uuid.UUID | None = None,
) -> list[Round]:
    """Reverse the rounds that `drafts` replace and put those in their place, all with a few statements.
    `key` is that of the form, where it corrects a single round.

    The session is open and locked, and the old versions are scored.

    Raises:
        LedgerError: an amount would not fit the book; nothing was written.
    """
    standing = _standing_entries(drafts)
    _refuse_too_large(session, drafts, standing)
    now = timezone.now()
    told = {"state": Round.State.AMENDED, "voided_at": now, "voided_by": user, "void_reason": reason}
    Round.objects.filter(pk__in=[draft.old.pk for draft in drafts]).update(**told)
    _write_rounds(drafts)
    entries = []
    for draft in drafts:
        stands = standing[draft.old.pk]
        entries.append(reversal_of(stands, stands.amounts, now, reason))
        entries.append(NewEntry(Entry.Kind.ROUND, draft.amounts, now, draft.round, key=key))
    write_entries(session, entries, user)
    log_changes(_change(draft, standing[draft.old.pk], action, user, reason) for draft in drafts)
    return [draft.round for draft in drafts]


def _write_rounds(drafts: Sequence[Draft]) -> None:
    for draft in drafts:
        draft.fill()
    Round.objects.bulk_create(draft.round for draft in drafts)
    Hand.objects.bulk_create(hand for draft in drafts for hand in draft.hands)
    PairScore.objects.bulk_create(pair for draft in drafts for pair in pairs_of(draft.round, draft.hands, draft.score))


def _standing_entries(drafts: Sequence[Draft]) -> dict[int, Entry]:
    """By old version its last entry, be that the round or a reversal that put it back into the sums."""
    rounds = [draft.old.pk for draft in drafts]
    entries = Entry.objects.filter(round__in=rounds, reversed_by=None).select_related("round")
    lines = Prefetch("lines", Line.objects.select_related("player"))
    return {entry.round_id: entry for entry in entries.prefetch_related(lines) if entry.round_id}


def _refuse_too_large(session: Session, drafts: Sequence[Draft], standing: Mapping[int, Entry]) -> None:
    """Each version in its turn must fit the book, those before it being there already."""
    sums = totals(session)
    for draft in drafts:
        for who, amount in standing[draft.old.pk].amounts.items():
            sums[who] -= amount
        refuse_too_large(sums, (pair.money for pair in draft.score.pairs), draft.amounts)
        for who, amount in draft.amounts.items():
            sums[who] = sums.get(who, 0) + amount


def _change(draft: Draft, was: Entry, action: str, user: User, reason: str) -> Change:
    before = {line.player.name: line.amount for line in was.lines.all() if line.player}
    after = {hand.player.name: hand.net for hand in draft.hands}
    return round_change(draft.round, action, user, old=before, new=after, reason=reason)
