"""Hands of an open round. Each has one writer at a time: the host, or the player at his own seat until the reveal.

Nothing that anybody enters is lost. Where host and seat meet, the hand holds what its writer entered and `set_aside`
what the other one did; taking a hand over swaps the two. A card that two hands claim stays with the first.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.engine.cards import Card
from scoring.engine.rules import ROWS
from scoring.ledger.book import LedgerError, StaleError, lock_round, require_unscored, touch
from scoring.ledger.claims import CardTakenError, held_by_others, leave_out
from scoring.ledger.reveal import require_complete
from scoring.models import Hand, Round

HAND_FIELDS = (*ROWS, "declare", "natural", "declared")
_NOTHING: Mapping[str, Any] = {"front": "", "middle": "", "back": "", "declare": "", "natural": "", "declared": []}


class OtherWriterError(LedgerError):
    """The hand is entered elsewhere, by the host or at the seat. What was typed is set aside and not lost."""


class OtherPhoneError(LedgerError):
    """The hand is laid at the seat, but on another phone."""

    def __init__(self) -> None:
        super().__init__(_("This hand is laid on another phone. Nothing was changed."))


def keep_hand(
    hand: Hand, typed: Mapping[str, Any], version: int, editor: str = "", *, sent: int = 0, at_seat: str = ""
) -> Hand:
    """Keep on the open round what was `typed` for a hand (any of HAND_FIELDS), cards or not.

    `version` is the one that the form was drawn from, `editor` names the page it is on: a page is in no conflict with
    itself. Its requests may overtake each other; one that was `sent` (by its own clock) before what stands there comes
    too late and changes nothing. The same text arriving again changes nothing but that time. `at_seat` names the phone
    at the player's seat, where it comes from there; the first thing laid at a seat hides the hand and binds it to that
    phone.

    Raises:
        StaleError: the hand was changed, or taken out of the round, by somebody else since then.
        OtherWriterError: the hand is hidden, or at the seat: the host enters it. What was typed is set aside.
        CardTakenError: some of the cards belong to another hand; the rest is kept.
        LedgerError: its round is not open any more, or at the seat: the hand is ready, revealed or on another phone.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        is_others = _is_others(stands, at_seat)
        if is_others:
            _set_aside(stands, typed)
        else:
            taken = _keep(stands, typed, version, (editor, sent), at_seat)
    if is_others:
        raise OtherWriterError(_other_writer(stands, at_seat))
    if taken:
        raise CardTakenError(stands, taken)
    return stands


def ready_hand(hand: Hand, device: str) -> Hand:
    """The player at the seat says that his hand is set. Saying it again changes nothing.

    Raises:
        ValueError: something is missing or wrong (the engine's error names the row).
        LedgerError: it is entered by the host or on another phone, or the round is revealed or not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        _require_at_seat(stands, device)
        if stands.ready_at is None:
            require_complete(stands)
            stands.ready_at = timezone.now()
            _save(stands, "ready_at")
        return stands


def unready_hand(hand: Hand, device: str) -> Hand:
    """The player at the seat wants to change his hand once more.

    Raises:
        LedgerError: it is entered by the host or on another phone, or the round is revealed or not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        _require_at_seat(stands, device)
        if stands.ready_at is not None:
            stands.ready_at = None
            _save(stands, "ready_at")
        return stands


def take_over_hand(hand: Hand) -> Hand:
    """The host enters a hidden hand from now on. What was laid at the seat is set aside, where the host cannot see it.

    Raises:
        CardTakenError: what the host had entered earlier holds cards that are in another hand by now.
        LedgerError: the round is not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        taken = _swap(stands, to_seat=False) if stands.is_veiled else []
    if taken:
        raise CardTakenError(stands, taken)
    return stands


def lay_at_seat(hand: Hand, device: str) -> Hand:
    """The player takes the hand back to his seat, as he had laid it; what the host entered is set aside.

    It is bound to `device` where it was on no phone before, else it stays with that one.

    Raises:
        CardTakenError: some of his cards are in another hand by now.
        LedgerError: the round is revealed or not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        _require_unrevealed(stands.round)
        stands.device = stands.device or device
        taken = [] if stands.is_hidden else _swap(stands, to_seat=True)
    if taken:
        raise CardTakenError(stands, taken)
    return stands


def give_hand(hand: Hand, device: str) -> Hand:
    """The player lets the host have what he laid at the seat before the host took the hand over.

    Raises:
        CardTakenError: some of his cards are in another hand by now.
        LedgerError: the host has entered something himself, the cards were laid on another phone, or the round is
            not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        if stands.device != device:
            raise OtherPhoneError
        if not stands.is_empty:
            raise LedgerError(_("The host has entered cards for you already. Compare them at the table."))
        laid = {**_NOTHING, **(stands.set_aside or {})}
        taken = _put(stands, laid)
        stands.set_aside = {}
        _save(stands, *HAND_FIELDS, "set_aside", "version", "editor")
    if taken:
        raise CardTakenError(stands, taken)
    return stands


def move_hand(hand: Hand, device: str) -> Hand:
    """Go on with a hand that is laid at its seat on another phone. The one before is told, and shown no card any more.

    Raises:
        LedgerError: the round is revealed or not open any more.
    """
    with transaction.atomic():
        stands = lock_hand(hand)
        _require_unrevealed(stands.round)
        if stands.device != device:
            stands.device, stands.editor = device, ""
            stands.version += 1
            _save(stands, "device", "editor", "version")
        return stands


def lock_hand(hand: Hand) -> Hand:
    """The hand as it stands in its open round, whose session is held until the transaction ends.

    Raises:
        StaleError: the hand, or its round, is gone.
        LedgerError: the round is not open any more.
    """
    round_ = lock_round(hand.round)
    require_unscored(round_)
    stands = round_.hands.select_related("player").filter(pk=hand.pk).first()
    if stands is None:
        raise StaleError(_("%(player)s does not play in this round any more.") % {"player": hand.player})
    return stands


def as_kept(hand: Hand) -> dict[str, Any]:
    """All that was entered for a hand and who may see it, to be put back by `put_back`."""
    fields = (*HAND_FIELDS, "is_hidden", "device", "set_aside")
    return {field: getattr(hand, field) for field in fields}


def put_back(hand: Hand, kept: Mapping[str, Any]) -> None:
    """Fill a fresh hand with what `as_kept` gave; cards that are in another hand by now are left out."""
    hand.is_hidden, hand.device, hand.set_aside = kept["is_hidden"], kept["device"], kept["set_aside"]
    _put(hand, {field: kept[field] for field in HAND_FIELDS})
    hand.save()


# ---------------------------------------------------------------- who writes


def _is_others(stands: Hand, at_seat: str) -> bool:
    """Whether somebody else is the writer of the hand. An untouched hand is anybody's."""
    if not at_seat:
        return stands.is_veiled
    _require_unrevealed(stands.round)
    if stands.device not in ("", at_seat):
        raise OtherPhoneError
    return not stands.is_hidden and not (stands.is_empty and stands.set_aside is None)


def _other_writer(hand: Hand, at_seat: str) -> str:
    if at_seat:
        return _("The host enters your hand in this round. What you laid is kept here; nothing is lost.")
    text = _("%(player)s lays this hand on the own phone. Take it over to enter it here.")
    return text % {"player": hand.player}


def _require_at_seat(stands: Hand, device: str) -> None:
    _require_unrevealed(stands.round)
    if not stands.is_hidden:
        raise OtherWriterError(_other_writer(stands, device))
    if stands.device != device:
        raise OtherPhoneError


def _require_unrevealed(round_: Round) -> None:
    if round_.revealed_at is not None:
        raise LedgerError(_("The hands are on the table now. If yours is wrong, tell the host."))


# ---------------------------------------------------------------- writing


def _keep(stands: Hand, typed: Mapping[str, Any], version: int, page: tuple[str, int], at_seat: str) -> list[Card]:
    """Write what was typed on a page (its editor, when it was sent) by the hand's writer; the cards left out."""
    editor, sent = page
    is_same_page = bool(editor) and stands.editor == editor
    changed = {field: value for field, value in typed.items() if getattr(stands, field) != value}
    if is_same_page and 0 < sent < stands.sent:
        return []
    if not changed:
        if is_same_page and sent > stands.sent:  # what is still on its way from before must not come on top of it
            stands.sent = sent
            stands.save(update_fields=["sent"])
        return []
    if at_seat and stands.ready_at is not None:
        raise LedgerError(_("Your hand is ready. Take it back to change it."))
    if stands.version != version and not is_same_page:
        raise StaleError(_("The hand of %(player)s was changed on another device.") % {"player": stands.player})
    if at_seat:
        stands.is_hidden, stands.device = True, at_seat
    taken = _put(stands, changed, editor)
    stands.sent = max(sent, stands.sent) if is_same_page else sent
    _save(stands, *changed, "is_hidden", "device", "version", "editor", "sent")
    return taken


def _set_aside(stands: Hand, typed: Mapping[str, Any]) -> None:
    """Keep what was typed by somebody who is not the writer; an empty form that was drawn earlier says nothing."""
    kept = {**_NOTHING, **(stands.set_aside or {}), **typed}
    if kept != {**_NOTHING, **(stands.set_aside or {})}:
        stands.set_aside = kept
        stands.save(update_fields=["set_aside"])


def _swap(stands: Hand, *, to_seat: bool) -> list[Card]:
    """Change the writer: what the new one had entered earlier comes back, what the old one did is set aside."""
    before = {field: getattr(stands, field) for field in HAND_FIELDS}
    stands.is_hidden, stands.ready_at = to_seat, None
    taken = _put(stands, {**_NOTHING, **(stands.set_aside or {})})
    stands.set_aside = before
    _save(stands, *HAND_FIELDS, "set_aside", "is_hidden", "device", "ready_at", "version", "editor")
    return taken


def _put(stands: Hand, fields: Mapping[str, Any], editor: str = "") -> list[Card]:
    """Set fields of a hand and count the change; the cards that had to be left out."""
    fields = dict(fields)
    taken = leave_out(fields, held_by_others(stands))
    for field, value in fields.items():
        setattr(stands, field, value)
    stands.version += 1
    stands.editor = editor
    return taken


def _save(stands: Hand, *fields: str) -> None:
    stands.save(update_fields=fields)
    touch(stands.round.session)
