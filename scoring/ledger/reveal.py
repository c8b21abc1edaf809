"""When hands are set, and turning hidden ones over for the table."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.errors import ScoringError
from scoring.engine.hand_input import hand_reader, refuse_doubles
from scoring.ledger.book import LedgerError, lock_round, require_unscored, touch
from scoring.models import Hand, Round


def reveal_round(round_: Round, user: User) -> Round:
    """Turn the hidden hands of an open round over for everybody. Doing it again changes nothing.

    Raises:
        LedgerError: a hand is not ready (the message names whose), or the round is not open any more.
    """
    with transaction.atomic():
        round_ = lock_round(round_)
        require_unscored(round_)
        if round_.revealed_at is None:
            hands = list(round_.hands.select_related("player"))
            missing = [hand.player.name for hand in hands if not is_set(hand)]
            if missing:
                raise LedgerError(_not_ready(missing))
            round_.revealed_at, round_.revealed_by = timezone.now(), user
            round_.save(update_fields=["revealed_at", "revealed_by"])
            touch(round_.session)
        return round_


def is_set(hand: Hand) -> bool:
    """Whether a hand is as it will be scored: ready by its player's word, or complete where the host enters it."""
    if hand.is_veiled:
        return hand.ready_at is not None
    try:
        require_complete(hand)
    except ScoringError:
        return False
    return True


def require_complete(hand: Hand) -> None:
    """Raises ValueError where a hand by itself could not be scored; the engine's error names the row."""
    ruleset = hand.round.ruleset
    laid = hand.as_input(ruleset)
    refuse_doubles([laid], [hand_reader(ruleset)(laid)])


def require_all_ready(hands: list[Hand]) -> None:
    """Raises LedgerError, naming whose, where a hidden hand is not ready yet."""
    missing = [hand.player.name for hand in hands if hand.is_veiled and hand.ready_at is None]
    if missing:
        raise LedgerError(_not_ready(missing))


def _not_ready(names: list[str]) -> str:
    text = ngettext(
        "%(players)s is not ready yet. Wait for the hand, or take it over and enter it.",
        "%(players)s are not ready yet. Wait for the hands, or take them over and enter them.",
        len(names),
    )
    return text % {"players": wording.listed(names)}
