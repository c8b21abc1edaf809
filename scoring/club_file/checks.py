"""What the rows of a file must be to each other. Every check raises RefusedError, which names the place."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.changes_told import ToldChange
from scoring.club_file.places import RefusedError
from scoring.club_file.shape import FORMAT, VERSION
from scoring.ledger import LARGEST_TOTAL
from scoring.models import Change, Entry, Hand, Line, PairScore, PairStake, PlannedStake, Player, Round, Seat, ShareLink

LARGEST_SUM = 2**63 - 1  # what the database adds up to
_FIGURES = ("points", "money", "fee", "net")

Placed = Iterable[tuple[str, Any]]
"""Rows, each with its place in the file."""


class Once:
    """What may stand in the file only once; `message` says so."""

    def __init__(self, message: str | Promise) -> None:
        self._message = message
        self._seen: set[Hashable] = set()

    def require(self, place: str, key: Hashable) -> None:
        if key in self._seen:
            raise RefusedError(place, self._message)
        self._seen.add(key)


def _require(condition: object, place: str, message: str | Promise) -> None:
    if not condition:
        raise RefusedError(place, message)


def require_format(file: dict[str, Any]) -> None:
    """That the file is one of ours, and not of a version to come."""
    _require(
        file.get("format") == FORMAT, "", _("This is no club of Capsa Ledger. Choose the .json file that was exported.")
    )
    version = file.get("version")
    newer = isinstance(version, int) and version > VERSION
    message = _("This file is of a newer version (%(version)s, this one reads %(known)s). Update Capsa Ledger first.")
    _require(not newer, "version", message % {"version": version, "known": VERSION})


# ---------------------------------------------------------------- an evening


def check_seats(seats: Iterable[tuple[str, Seat]]) -> None:
    once = Once(_("This player has a seat in this evening already."))
    for place, seat in seats:
        once.require(place, _key(seat.player))


def check_stakes(stakes: Iterable[tuple[str, PairStake]]) -> None:
    once = Once(_("These two have a stake of their own already."))
    for place, stake in stakes:
        once.require(place, _pair(place, stake.a, stake.b))


def check_planned(stakes: Iterable[tuple[str, PlannedStake]]) -> None:
    once = Once(_("A stake from this round on stands there already."))
    for place, stake in stakes:
        _require((stake.a is None) == (stake.b is None), place, _("Name two players, or none for all."))
        _require(stake.a or stake.stake is not None, place, _("Without two players there must be a stake."))
        once.require(place, (stake.from_round, _pair(place, stake.a, stake.b) if stake.a and stake.b else None))


def check_links(links: Iterable[tuple[str, ShareLink]]) -> None:
    once = Once(_("Such a link is open in this evening already."))
    for place, link in links:
        is_seat = link.kind == ShareLink.Kind.SEAT
        _require(
            is_seat == (link.player is not None), place, _("The link to a seat names a player, that to a board none.")
        )
        if link.revoked_at is None:
            once.require(place, link.player and _key(link.player))


def check_rounds(rounds: Sequence[tuple[str, Round]]) -> None:
    """The numbers, the open round, and the versions of one evening's rounds."""
    numbers = Once(_("There is a round of this number in the evening already."))
    versions = Once(_("Another round stands in the place of that one already."))
    unfinished = Once(_("There is an open round in the evening already."))
    for place, round_ in rounds:
        if not round_.is_amended:
            numbers.require(place, round_.number)
        if round_.is_open:
            unfinished.require(place, True)
        before = round_.replaces
        if before:
            is_version = before.is_amended and before.session is round_.session and before.number == round_.number
            _require(is_version, f"{place}.replaces", _("It replaces an amended round of the same evening and number."))
            versions.require(f"{place}.replaces", id(before))


# ---------------------------------------------------------------- a round


def check_round(
    place: str, round_: Round, hands: Sequence[tuple[str, Hand]], pairs: Sequence[tuple[str, PairScore]]
) -> None:
    """Whether it has what its state tells; that it is scored right, the audit says."""
    terms = (round_.ruleset_fields, round_.stake, round_.scored_at)
    is_out = round_.state in (Round.State.VOIDED, Round.State.AMENDED)
    _require(
        is_out == (round_.voided_at is not None), place, _("It has a time of voiding just where it is out of the sums.")
    )
    if round_.is_open:
        message = _("An open round has no rules, stake, pairs and results of its own yet.")
        _require(not any(term is not None for term in terms) and not pairs, place, message)
    else:
        _require(None not in terms, place, _("A scored round has its rules, its stake and the time it was scored."))
    _require(2 <= len(hands) <= 4, f"{place}.hands", _("Two, three or four different players hold cards in a round."))
    once = Once(_("This player has a hand in this round already."))
    for spot, hand in hands:
        once.require(spot, _key(hand.player))
        _check_hand(spot, hand, is_scored=not round_.is_open)
    _check_pairs(pairs)


def _check_hand(place: str, hand: Hand, is_scored: bool) -> None:
    figures = [getattr(hand, name) is not None for name in _FIGURES]
    has_result = [*figures, hand.status != ""]
    _require(
        all(has_result) if is_scored else not any(has_result),
        place,
        _("A hand has its results just where its round is scored."),
    )


def _check_pairs(pairs: Iterable[tuple[str, PairScore]]) -> None:
    once = Once(_("These two stand there already."))
    for place, pair in pairs:
        once.require(place, _pair(place, pair.a, pair.b))
        points = pair.row_points * pair.multiplier + pair.extra + pair.bonus
        _require(pair.points == points, f"{place}.points", _("The points do not add up."))
        _require(pair.money == points * pair.stake, f"{place}.money", _("The money is not the points times the stake."))
        compared = {getattr(pair, row) is None for row in ("front", "middle", "back")}
        _require(len(compared) == 1, place, _("Either all three rows are compared, or none."))


def check_aside(hands: Placed, aside: Placed) -> None:
    """Who is set aside does not play."""
    once = Once(_("This player has a hand in this round already."))
    for place, hand in (*hands, *aside):
        once.require(place, _key(hand.player))


# ---------------------------------------------------------------- the book


def check_entry(place: str, entry: Entry, lines: Sequence[tuple[str, Line]]) -> None:
    """Whether an entry refers to what its kind says; that it sums to zero, the audit says."""
    is_reversal = entry.kind == Entry.Kind.REVERSAL
    _require(
        is_reversal == (entry.reverses is not None),
        place,
        _("A reversal names the entry that it takes back, no other does."),
    )
    if entry.session:
        is_same = entry.currency == entry.session.currency
        _require(is_same, f"{place}.currency", _("The evening has another currency."))
    if entry.round:
        _require(entry.round.session is entry.session, f"{place}.round", _("The round is of another evening."))
    once = Once(_("This player has a line in this entry already."))
    for spot, line in lines:
        once.require(spot, line.player and _key(line.player))


def check_book(entries: Iterable[tuple[str, Entry]], lines: Iterable[tuple[str, Line]]) -> None:
    """What must not happen twice, and that the book can be added up."""
    taken_back = Once(_("The entry was taken back already."))
    carried = Once(_("The entry was carried over already."))
    for place, entry in entries:
        if entry.reverses:
            taken_back.require(f"{place}.reverses", id(entry.reverses))
        if entry.carries:
            carried.require(f"{place}.carries", id(entry.carries))
    sums: Counter[Hashable] = Counter()
    moved = 0
    for place, line in lines:
        who = id(line.entry.session), line.entry.currency, line.player and _key(line.player)
        sums[who] += line.amount
        moved += abs(line.amount)
        _require(
            abs(sums[who]) <= LARGEST_TOTAL and moved <= LARGEST_SUM,
            place,
            _("The amounts are too large for the book."),
        )


def check_change(place: str, change: Change) -> None:
    """Whether a line of the log can be told."""
    if change.round:
        _require(change.round.session is change.session, f"{place}.round", _("The round is of another evening."))
    try:
        told = ToldChange(change)
        str(told.title), str(told.reason), list(told.values)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RefusedError(place, _("The log cannot tell this change.")) from error


# ---------------------------------------------------------------- in short


def _key(player: Player) -> str:
    return player.name_key


def _pair(place: str, a: Player, b: Player) -> frozenset[str]:
    _require(a is not b, place, _("Two different players make a pair."))
    return frozenset((_key(a), _key(b)))
