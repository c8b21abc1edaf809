"""Stakes of an evening: for all and of single pairs, from the round at hand on or planned for a later one.

The only writer of stakes and planned stakes. Rounds that are scored keep what they were played for.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from scoring.change_log import log_change
from scoring.ledger.book import lock_session, require_open, touch
from scoring.models import Change, PlannedStake, Player, Round, Session
from scoring.models.sessions import Pair

Stakes = Mapping[Pair | None, int | None]
"""Minor units a point by pair of players' keys, the lower first. The key None is the stake of every other pair; the
value None is a pair without a stake of its own."""


def next_round(session: Session) -> int:
    """The number of the round that is open, else of the one that is opened next: the first that is not in the book."""
    newest = session.rounds.first()
    if newest is None:
        return 1
    return newest.number if newest.is_open else newest.number + 1


def stakes_from(session: Session, number: int) -> dict[Pair | None, int]:
    """The stakes that hold in round `number`, which is not scored yet, as things are planned."""
    stakes: dict[Pair | None, int | None] = {None: session.stake}
    stakes |= {pair.pair: pair.stake for pair in session.pair_stakes.all()}
    stakes |= {planned.pair: planned.stake for planned in session.planned_stakes.filter(from_round__lte=number)}
    return {pair: stake for pair, stake in stakes.items() if stake is not None}


def change_stakes(session: Session, wanted: Stakes, from_round: int, user: User) -> None:
    """From the round `from_round` on, or from the next one where that is scored already, play for `wanted`; pairs that
    are not named stay as they are. What is planned for rounds after it stays planned.

    The session is open and locked; whoever locked it counts the write.
    """
    at_hand = next_round(session)
    apply_planned(session, at_hand)
    before = stakes_from(session, from_round)
    changes = {pair: stake for pair, stake in wanted.items() if stake != before.get(pair)}
    if not changes:
        return
    names = _names(session)
    is_planned = from_round > at_hand
    for pair, stake in changes.items():
        if is_planned:
            _plan(session, pair, stake, from_round)
        else:
            _put(session, pair, stake)
        told = _told(session, names, pair, from_round if is_planned else None)
        sides = {"old": told | {"stake": before.get(pair)}, "new": told | {"stake": stake}}
        log_change(session, Change.Kind.STAKE, "planned" if is_planned else "changed", user, **sides)


def withdraw_stake(planned: PlannedStake, user: User) -> None:
    """Plan it no longer. Where its round was opened meanwhile it is no plan any more, and nothing changes.

    Raises:
        LedgerError: the session is closed.
    """
    with transaction.atomic():
        session = lock_session(planned.session_id)
        require_open(session)
        withdrawn, _models = PlannedStake.objects.filter(pk=planned.pk).delete()
        if withdrawn:
            told = _told(session, _names(session), planned.pair, planned.from_round)
            log_change(session, Change.Kind.STAKE, "withdrawn", user, old=told | {"stake": planned.stake})
            touch(session)


def apply_planned(session: Session, number: int, round_: Round | None = None) -> None:
    """Make what is planned up to round `number` the stakes of a locked session. `round_` is that round, once opened."""
    due = list(session.planned_stakes.filter(from_round__lte=number))
    if not due:
        return
    names = _names(session)
    for planned in due:
        before = stakes_from(session, 0).get(planned.pair)
        _put(session, planned.pair, planned.stake)
        planned.delete()
        if planned.stake != before:
            told = _told(session, names, planned.pair, planned.from_round)
            sides = {"old": told | {"stake": before}, "new": told | {"stake": planned.stake}}
            log_change(round_ or session, Change.Kind.STAKE, "applied", None, **sides)


def _put(session: Session, pair: Pair | None, stake: int | None) -> None:
    """Let it hold from now on."""
    if pair is None:
        session.stake = stake or 0
        session.save(update_fields=["stake"])
        return
    a, b = pair
    if stake is None:
        session.pair_stakes.filter(a=a, b=b).delete()
    else:
        create = {"club_id": session.club_id, "stake": stake}
        session.pair_stakes.update_or_create(a_id=a, b_id=b, defaults={"stake": stake}, create_defaults=create)


def _plan(session: Session, pair: Pair | None, stake: int | None, number: int) -> None:
    """Let it hold from round `number` on. What holds just before then anyway needs no plan."""
    a, b = pair or (None, None)
    session.planned_stakes.filter(from_round=number, a=a, b=b).delete()
    if stakes_from(session, number - 1).get(pair) != stake:
        session.planned_stakes.create(from_round=number, a_id=a, b_id=b, stake=stake, club_id=session.club_id)


def _names(session: Session) -> dict[int, str]:
    return dict(Player.objects.filter(club=session.club_id).values_list("pk", "name"))


def _told(session: Session, names: Mapping[int, str], pair: Pair | None, number: int | None) -> dict[str, Any]:
    """What the log tells of a stake besides the amount."""
    told: dict[str, Any] = {"currency": session.currency}
    if pair:
        told["players"] = [names[player] for player in pair]
    if number:
        told["from_round"] = number
    return told
