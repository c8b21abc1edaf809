"""The one writer of the change log (`models.changes`); whoever changes something calls it in the same transaction."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User

from scoring.models import Change, Club, Player, Round, Session


def log_change(
    about: Club | Session | Round,
    kind: str,
    action: str,
    user: User | None,
    *,
    old: Any = None,
    new: Any = None,
) -> Change:
    """Write down a `change`."""
    told = change(about, kind, action, user, old=old, new=new)
    told.save()
    return told


def log_changes(changes: Iterable[Change]) -> None:
    """Write down many of them in one statement, the first one first."""
    Change.objects.bulk_create(changes)


def change(
    about: Club | Session | Round,
    kind: str,
    action: str,
    user: User | None,
    *,
    old: Any = None,
    new: Any = None,
) -> Change:
    """A line of the log that is not written yet: that `user` (None: nobody with an account) changed something of a
    club, an evening or a round.

    `kind` is one of `Change.Kind`, `action` what was done ("renamed", "amended"). `old` and `new` are the values as
    JSON, or None where there was or is nothing.
    """
    round_ = about if isinstance(about, Round) else None
    owner = about.session if isinstance(about, Round) else about
    session = owner if isinstance(owner, Session) else None
    club_id = owner.club_id if isinstance(owner, Session) else owner.pk
    return Change(
        club_id=club_id, session=session, round=round_, kind=kind, action=action, old=old, new=new, created_by=user
    )


def log_differences(
    about: Club | Session, kind: str, user: User | None, old: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    """Write down as "changed" what differs between two sets of the same values; no line where nothing does.

    The currency, where there is one, goes with them: it tells how to read an amount.
    """
    changed = [key for key in new if old[key] != new[key]]
    if changed:
        kept = [key for key in new if key in changed or key == "currency"]
        before, now = ({key: side[key] for key in kept} for side in (old, new))
        log_change(about, kind, "changed", user, old=before, new=now)


def told_amounts(currency: str, amounts: Mapping[int | None, int]) -> dict[str, Any]:
    """Amounts by player's key as the log keeps them: with the names of now; the house has none."""
    names = Player.objects.in_bulk([who for who in amounts if who])
    return {"currency": currency, "amounts": [[names[who].name if who else None, amounts[who]] for who in amounts]}
