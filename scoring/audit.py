"""Does the book still say what was played? Every rule of it checked over all rows, each rule by one small function.

Nothing is written. A fault names the club's session, and the round or entry in it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum

from scoring.engine.errors import ScoringError
from scoring.engine.rounds import RoundScore
from scoring.engine.rules import ROWS
from scoring.models import Entry, Hand, Line, PairScore, Round, Session

CHUNK = 500  # rounds in memory at a time

_KEPT_OF_HAND = ("status", "is_super", "points", "money", "fee", "net")
_KEPT_OF_PAIR = ("row_points", "multiplier", "extra", "bonus", "points", "stake", "money")


class Fault(NamedTuple):
    """One thing that disagrees: where, and what was found against what should be."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Report(NamedTuple):
    """What an audit looked at, and what it found."""

    rounds: int
    entries: int
    faults: tuple[Fault, ...]


def audit_ledger() -> Report:
    """Score every stored round again, sum every entry, check every rule of the book."""
    faults = [fault for check in _CHECKS_OF_ROWS for fault in check()]
    rounds = 0
    for round_ in _finished_rounds():
        rounds += 1
        faults += [fault for check in _CHECKS_OF_ROUNDS for fault in check(round_)]
    return Report(rounds, Entry.objects.count(), tuple(faults))


# ---------------------------------------------------------------- rounds


def check_score(round_: Round) -> Iterator[Fault]:
    """The hands, scored anew under the rules and stakes kept with the round, come to what is kept."""
    hands, pairs = list(round_.hands.all()), list(round_.pair_scores.all())
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    try:
        score = round_.score(hands, stakes)
    except ScoringError as error:
        yield Fault(_place(round_), f"cannot be scored any more: {error}")
        return
    yield from _compare_hands(round_, hands, score)
    yield from _compare_pairs(round_, pairs, score)
    if round_.fee != score.house:
        yield Fault(_place(round_), f"the house has {round_.fee}, should have {score.house}")


def check_entries_of_round(round_: Round) -> Iterator[Fault]:
    """A round has one entry with the nets of its hands, then reversals of each other, as many as its state tells."""
    entries = sorted(round_.entries.all(), key=lambda entry: entry.pk)
    if not entries or [entry.kind for entry in entries] != [
        Entry.Kind.ROUND,
        *[Entry.Kind.REVERSAL] * (len(entries) - 1),
    ]:
        yield Fault(_place(round_), "should have one entry, and after it reversals only")
        return
    net = {hand.player_id: hand.net for hand in round_.hands.all()} | ({None: round_.fee} if round_.fee else {})
    if _amounts(entries[0]) != net:
        yield Fault(_place(round_), f"its entry {entries[0].pk} says {_amounts(entries[0])}, its hands say {net}")
    for entry, before in zip(entries[1:], entries, strict=False):
        if entry.reverses_id != before.pk:
            yield Fault(_place(round_), f"reversal {entry.pk} should reverse entry {before.pk}")
    if (round_.state != Round.State.SCORED) != (len(entries) % 2 == 0):
        yield Fault(_place(round_), f"is {round_.state}, but was reversed {len(entries) - 1} times")


def _compare_hands(round_: Round, hands: Sequence[Hand], score: RoundScore) -> Iterator[Fault]:
    for hand, player in zip(hands, score.players, strict=True):
        found = tuple(getattr(hand, name) for name in _KEPT_OF_HAND)
        due = (player.status, player.super, player.points, player.money, player.fee, player.net)
        if found != due or hand.natural != (player.natural or ""):
            yield Fault(
                _place(round_), f"hand {hand.pk} is kept as {found} {hand.natural}, scores {due} {player.natural or ''}"
            )


def _compare_pairs(round_: Round, pairs: Sequence[PairScore], score: RoundScore) -> Iterator[Fault]:
    kept: dict[tuple[Hashable, Hashable], PairScore] = {(pair.a_id, pair.b_id): pair for pair in pairs}
    for due in score.pairs:
        pair = kept.pop((due.a, due.b), None)
        if pair is None:
            yield Fault(_place(round_), f"the pair of players {due.a} and {due.b} is missing")
            continue
        rows = due.rows or dict.fromkeys(ROWS)
        found = [getattr(pair, name) for name in (*_KEPT_OF_PAIR, *ROWS)]
        should = [getattr(due, name) for name in _KEPT_OF_PAIR] + [rows[row] for row in ROWS]
        if found != should:
            yield Fault(_place(round_), f"pair {pair.pk} is kept as {found}, scores {should}")
    for pair in kept.values():
        yield Fault(_place(round_), f"pair {pair.pk} is of players who have no hands in it")


# ---------------------------------------------------------------- rows of the book


def check_sums() -> Iterator[Fault]:
    """The lines of every entry sum to zero."""
    for entry in Entry.objects.annotate(total=Sum("lines__amount")).exclude(total=0).exclude(total=None):
        yield Fault(_entry_place(entry), f"is off by {entry.total:+}")
    for empty in Entry.objects.filter(lines=None):
        yield Fault(_entry_place(empty), "has no lines")


def check_reversals() -> Iterator[Fault]:
    """A reversal has the lines of its entry with the other sign, in the same session."""
    reversals = (
        Entry.objects.filter(kind=Entry.Kind.REVERSAL)
        .select_related("reverses")
        .prefetch_related("lines", "reverses__lines")
    )
    for entry in reversals.iterator(chunk_size=CHUNK):
        opposite = {player: -amount for player, amount in _amounts(entry.reverses).items()} if entry.reverses else {}
        if _amounts(entry) != opposite or entry.reverses is None or entry.reverses.session_id != entry.session_id:
            yield Fault(_entry_place(entry), f"does not undo entry {entry.reverses_id}")


def check_payments() -> Iterator[Fault]:
    """A payment has two lines: one gives, one gets."""
    for entry in Entry.objects.filter(kind=Entry.Kind.PAYMENT).annotate(parties=Count("lines")).exclude(parties=2):
        yield Fault(_entry_place(entry), f"is a payment between {entry.parties} parties")


def check_rounds_have_entries() -> Iterator[Fault]:
    """Only finished rounds stand in the book, and only in their own session."""
    for entry in Entry.objects.filter(round__isnull=False).exclude(round__session=F("session")):
        yield Fault(_entry_place(entry), f"is about round {entry.round_id} of another session")
    for entry in Entry.objects.filter(round__state=Round.State.OPEN):
        yield Fault(_entry_place(entry), f"is about round {entry.round_id}, which is not scored")


def check_players_are_seated() -> Iterator[Fault]:
    """Whoever has a line or a hand has a seat in that session."""
    unseated = Line.objects.filter(player__isnull=False).exclude(session__seats__player=F("player"))
    for line in unseated:
        yield Fault(f"session {line.session_id}, entry {line.entry_id}", f"player {line.player_id} has no seat there")
    for hand in Hand.objects.exclude(round__session__seats__player=F("player")).select_related("round"):
        yield Fault(_place(hand.round), f"player {hand.player_id} has no seat there")


def check_clubs() -> Iterator[Fault]:
    """Every row carries the club of its session."""
    rows: Iterable[QuerySet] = (
        Round.objects.exclude(club=F("session__club")),
        Entry.objects.exclude(club=F("session__club")),
        Line.objects.filter(~Q(club=F("session__club")) | ~Q(session=F("entry__session"))),
        Hand.objects.exclude(club=F("round__club")),
        PairScore.objects.exclude(club=F("round__club")),
    )
    for row in (row for found in rows for row in found):
        yield Fault(f"{row._meta.verbose_name} {row.pk}", "carries another club or session than what it belongs to")


def check_closed_sessions() -> Iterator[Fault]:
    """A closed session has no open round."""
    for session in Session.objects.filter(closed_at__isnull=False, rounds__state=Round.State.OPEN):
        yield Fault(f"session {session.pk}", "is closed, but a round of it is open")


_CHECKS_OF_ROUNDS: tuple[Callable[[Round], Iterator[Fault]], ...] = (check_score, check_entries_of_round)
_CHECKS_OF_ROWS: tuple[Callable[[], Iterator[Fault]], ...] = (
    check_sums,
    check_reversals,
    check_payments,
    check_rounds_have_entries,
    check_players_are_seated,
    check_clubs,
    check_closed_sessions,
)


def _finished_rounds() -> Iterator[Round]:
    rounds = Round.objects.exclude(state=Round.State.OPEN).order_by("pk").select_related("session")
    return rounds.prefetch_related("hands", "pair_scores", "entries__lines").iterator(chunk_size=CHUNK)


def _amounts(entry: Entry) -> dict[int | None, int]:
    return {line.player_id: line.amount for line in entry.lines.all()}


def _place(round_: Round) -> str:
    return f"session {round_.session_id}, round {round_.number}"


def _entry_place(entry: Entry) -> str:
    return f"session {entry.session_id}, entry {entry.pk}"
