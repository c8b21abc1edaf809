"""Corrections of scored rounds: the wrong version is reversed and stays, a right one of the same number is scored."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.engine.rounds import RoundScore
from scoring.ledger.book import LedgerError, StaleError, lock_session
from scoring.ledger.booking import PairStakes, pair_stakes, require_players
from scoring.ledger.rounds import lock_scored
from scoring.ledger.versions import Draft, LaidHands, laid_fields, write_versions
from scoring.models import Entry, Round
from scoring.models.answers import Answer

_KEYS = uuid.UUID("0a6f0d59-0f4f-4f0d-8d3c-5b7f2f0f9a3e")  # the name space of the keys of versions brought back


def hands_of(round_: Round) -> LaidHands:
    """What was laid in a round of the book, to be changed and given to `amend_round`."""
    return {hand.player: laid_fields(hand) for hand in round_.hands.select_related("player")}


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
    return _draft(round_, hands, won, ruleset_fields, stake, stakes).score


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
        draft = _draft(old, hands, won, ruleset_fields, stake, stakes)
        (new,) = write_versions(old.session, [draft], user, reason, action, key)
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


def _draft(
    old: Round,
    hands: LaidHands | None,
    won: Sequence[Answer] | None,
    ruleset_fields: Mapping[str, Any] | None,
    stake: int | None,
    stakes: PairStakes | None,
) -> Draft:
    laid = hands_of(old) if hands is None else hands
    require_players(old.session, list(laid))
    draft = Draft(old, laid, won, ruleset_fields, stake)
    draft.score = draft.round.score(draft.hands, _stakes(draft) if stakes is None else stakes)
    return draft


def _stakes(draft: Draft) -> PairStakes:
    """The stakes of the old version, and where two did not meet in it what they play for by now."""
    met = {frozenset((pair.a_id, pair.b_id)) for pair in draft.old.pair_scores.all()}
    by_now = pair_stakes(draft.old.session, [hand.player_id for hand in draft.hands])
    return {pair: stake for pair, stake in by_now.items() if pair not in met} | dict(stakes_of(draft.old))


def _known(round_: Round, key: uuid.UUID | None) -> Round | None:
    """The version that the form with this key has made already."""
    entry = Entry.objects.filter(session=round_.session_id, key=key).select_related("round").first() if key else None
    if entry is None:
        return None
    if entry.round is None or entry.round.replaces_id != round_.pk:
        raise StaleError(_("This form was used for something else already. Open the round again."))
    return entry.round
