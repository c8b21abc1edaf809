"""Does the book still say what was played? Every rule of it checked over all rows, each rule by one small function.

Nothing is written. A fault names the club's session, and the round or entry in it. The audit may be of one club only;
what it looks at is then all that carries that club.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, F, Model, Q, QuerySet, Sum

from scoring.engine.errors import ScoringError
from scoring.engine.rounds import RoundScore
from scoring.engine.rules import ROWS
from scoring.models import Club, Entry, Hand, Line, PairScore, Round, Session

CHUNK = 500  # rounds in memory at a time

_KEPT_OF_HAND = ("status", "is_super", "points", "money", "fee", "net")
_KEPT_OF_PAIR = ("row_points", "multiplier", "extra", "bonus", "points", "stake", "money")


Rows = Callable[[type[Model]], QuerySet[Any]]
"""The rows of a table that are to be looked at."""


class Fault(NamedTuple):
    """One thing that disagrees: where, and what was found against what should be. `row` is what it was found at."""

    place: str
    what: str
    row: Model

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Report(NamedTuple):
    """What an audit looked at, and what it found."""

    rounds: int
    entries: int
    faults: tuple[Fault, ...]


def audit_ledger(club: Club | None = None) -> Report:
    """Score every stored round again, sum every entry, check every rule of the book: of all clubs, or of one."""

    def rows(model: type[Model]) -> QuerySet[Any]:
        return model._default_manager.filter(**{"club": club} if club else {})

    faults = [fault for check in _CHECKS_OF_ROWS for fault in check(rows)]
    rounds = 0
    for round_ in _finished_rounds(rows):
        rounds += 1
        faults += [fault for check in _CHECKS_OF_ROUNDS for fault in check(round_)]
    return Report(rounds, rows(Entry).count(), tuple(faults))


# ---------------------------------------------------------------- rounds


def check_score(round_: Round) -> Iterator[Fault]:
    """The hands, scored anew under the rules and stakes kept with the round, come to what is kept."""
    hands, pairs = list(round_.hands.all()), list(round_.pair_scores.all())
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    try:
        score = round_.score(hands, stakes)
    except ScoringError as error:
        yield Fault(_place(round_), f"cannot be scored any more: {error}", round_)
        return
    yield from _compare_hands(round_, hands, score)
    yield from _compare_pairs(round_, pairs, score)
    if round_.fee != score.house:
        yield Fault(_place(round_), f"the house has {round_.fee}, should have {score.house}", round_)


def check_entries_of_round(round_: Round) -> Iterator[Fault]:
    """A round has one entry with the nets of its hands, then reversals of each other, as many as its state tells."""
    entries = sorted(round_.entries.all(), key=lambda entry: entry.pk)
    if not entries or [entry.kind for entry in entries] != [
        Entry.Kind.ROUND,
        *[Entry.Kind.REVERSAL] * (len(entries) - 1),
    ]:
        yield Fault(_place(round_), "should have one entry, and after it reversals only", round_)
        return
    net = {hand.player_id: hand.net for hand in round_.hands.all()} | ({None: round_.fee} if round_.fee else {})
    if _amounts(entries[0]) != net:
        yield Fault(
            _place(round_), f"its entry {entries[0].pk} says {_amounts(entries[0])}, its hands say {net}", round_
        )
    for entry, before in zip(entries[1:], entries, strict=False):
        if entry.reverses_id != before.pk:
            yield Fault(_place(round_), f"reversal {entry.pk} should reverse entry {before.pk}", round_)
    if (round_.state != Round.State.SCORED) != (len(entries) % 2 == 0):
        yield Fault(_place(round_), f"is {round_.state}, but was reversed {len(entries) - 1} times", round_)


def check_versions(round_: Round) -> Iterator[Fault]:
    """A corrected round has one newer version, of the same number; it leads on to the one that stands."""
    if round_.is_amended and not hasattr(round_, "replaced_by"):
        yield Fault(_place(round_), f"version {round_.pk} is amended, but nothing stands in its place", round_)
    older = round_.replaces
    if older is None:
        return
    if (older.session_id, older.number) != (round_.session_id, round_.number):
        yield Fault(_place(round_), f"version {round_.pk} replaces {_place(older)}", round_)
    if not older.is_amended or older.pk >= round_.pk:
        yield Fault(_place(round_), f"version {round_.pk} replaces {older.pk}, which is {older.state}", round_)


def _compare_hands(round_: Round, hands: Sequence[Hand], score: RoundScore) -> Iterator[Fault]:
    for hand, player in zip(hands, score.players, strict=True):
        found = tuple(getattr(hand, name) for name in _KEPT_OF_HAND)
        due = (player.status, player.super, player.points, player.money, player.fee, player.net)
        if found != due or hand.natural != (player.natural or ""):
            what = f"hand {hand.pk} is kept as {found} {hand.natural}, scores {due} {player.natural or ''}"
            yield Fault(_place(round_), what, round_)


def _compare_pairs(round_: Round, pairs: Sequence[PairScore], score: RoundScore) -> Iterator[Fault]:
    kept: dict[tuple[Hashable, Hashable], PairScore] = {(pair.a_id, pair.b_id): pair for pair in pairs}
    for due in score.pairs:
        pair = kept.pop((due.a, due.b), None)
        if pair is None:
            yield Fault(_place(round_), f"the pair of players {due.a} and {due.b} is missing", round_)
            continue
        rows = due.rows or dict.fromkeys(ROWS)
        found = [getattr(pair, name) for name in (*_KEPT_OF_PAIR, *ROWS)]
        should = [getattr(due, name) for name in _KEPT_OF_PAIR] + [rows[row] for row in ROWS]
        if found != should:
            yield Fault(_place(round_), f"pair {pair.pk} is kept as {found}, scores {should}", round_)
    for pair in kept.values():
        yield Fault(_place(round_), f"pair {pair.pk} is of players who have no hands in it", round_)


# ---------------------------------------------------------------- rows of the book


def check_sums(rows: Rows) -> Iterator[Fault]:
    """The lines of every entry sum to zero."""
    for entry in rows(Entry).annotate(total=Sum("lines__amount")).exclude(total=0).exclude(total=None):
        yield Fault(_entry_place(entry), f"is off by {entry.total:+}", entry)
    for empty in rows(Entry).filter(lines=None):
        yield Fault(_entry_place(empty), "has no lines", empty)


def check_reversals(rows: Rows) -> Iterator[Fault]:
    """A reversal has the lines of its entry with the other sign, in the same session."""
    reversals = (
        rows(Entry)
        .filter(kind=Entry.Kind.REVERSAL)
        .select_related("reverses")
        .prefetch_related("lines", "reverses__lines")
    )
    for entry in reversals.iterator(chunk_size=CHUNK):
        opposite = {player: -amount for player, amount in _amounts(entry.reverses).items()} if entry.reverses else {}
        if _amounts(entry) != opposite or entry.reverses is None or entry.reverses.session_id != entry.session_id:
            yield Fault(_entry_place(entry), f"does not undo entry {entry.reverses_id}", entry)


def check_payments(rows: Rows) -> Iterator[Fault]:
    """A payment has two lines: one gives, one gets."""
    for entry in rows(Entry).filter(kind=Entry.Kind.PAYMENT).annotate(parties=Count("lines")).exclude(parties=2):
        yield Fault(_entry_place(entry), f"is a payment between {entry.parties} parties", entry)


def check_rounds_have_entries(rows: Rows) -> Iterator[Fault]:
    """Only finished rounds stand in the book, and only in their own session."""
    for entry in rows(Entry).filter(round__isnull=False).exclude(round__session=F("session")):
        yield Fault(_entry_place(entry), f"is about round {entry.round_id} of another session", entry)
    for entry in rows(Entry).filter(round__state=Round.State.OPEN):
        yield Fault(_entry_place(entry), f"is about round {entry.round_id}, which is not scored", entry)


def check_players_are_seated(rows: Rows) -> Iterator[Fault]:
    """Whoever has a line or a hand has a seat in that session."""
    unseated = rows(Line).filter(player__isnull=False).exclude(session__seats__player=F("player"))
    for line in unseated.select_related("entry"):
        yield Fault(_entry_place(line.entry), f"player {line.player_id} has no seat there", line.entry)
    for hand in rows(Hand).exclude(round__session__seats__player=F("player")).select_related("round"):
        yield Fault(_place(hand.round), f"player {hand.player_id} has no seat there", hand.round)


def check_clubs(rows: Rows) -> Iterator[Fault]:
    """Every row carries the club of its session."""
    strays: Iterable[QuerySet[Any]] = (
        rows(Round).exclude(club=F("session__club")),
        rows(Entry).exclude(club=F("session__club")),
        rows(Line).filter(~Q(club=F("session__club")) | ~Q(session=F("entry__session"))),
        rows(Hand).exclude(club=F("round__club")),
        rows(PairScore).exclude(club=F("round__club")),
    )
    for row in (row for found in strays for row in found):
        yield Fault(
            f"{row._meta.verbose_name} {row.pk}", "carries another club or session than what it belongs to", row
        )


def check_closed_sessions(rows: Rows) -> Iterator[Fault]:
    """A closed session has no open round."""
    for session in rows(Session).filter(closed_at__isnull=False, rounds__state=Round.State.OPEN):
        yield Fault(f"session {session.pk}", "is closed, but a round of it is open", session)


_CHECKS_OF_ROUNDS: tuple[Callable[[Round], Iterator[Fault]], ...] = (
    check_score,
    check_entries_of_round,
    check_versions,
)
_CHECKS_OF_ROWS: tuple[Callable[[Rows], Iterator[Fault]], ...] = (
    check_sums,
    check_reversals,
    check_payments,
    check_rounds_have_entries,
    check_players_are_seated,
    check_clubs,
    check_closed_sessions,
)


def _finished_rounds(rows: Rows) -> Iterator[Round]:
    rounds = rows(Round).exclude(state=Round.State.OPEN).order_by("pk")
    rounds = rounds.select_related("session", "replaces", "replaced_by")
    return rounds.prefetch_related("hands", "pair_scores", "entries__lines").iterator(chunk_size=CHUNK)


def _amounts(entry: Entry) -> dict[int | None, int]:
    return {line.player_id: line.amount for line in entry.lines.all()}


def _place(round_: Round) -> str:
    return f"session {round_.session_id}, round {round_.number}"


def _entry_place(entry: Entry) -> str:
    return f"session {entry.session_id}, entry {entry.pk}"
