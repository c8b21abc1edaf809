"""Rules of a single round: it scores as it is kept, stands in the book as scored, and versions follow each other.

Which rounds those are is asked once, with everything that belongs to them, in a constant number of queries a chunk.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

from scoring.audit.faults import CHUNK, Fault, Rows, place
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import RoundScore
from scoring.engine.rules import ROWS
from scoring.models import Entry, Hand, PairScore, Round

_KEPT_OF_HAND = ("status", "is_super", "points", "money", "fee", "net")
_KEPT_OF_PAIR = ("row_points", "multiplier", "extra", "bonus", "points", "stake", "money")


def finished_rounds(rows: Rows) -> Iterator[Round]:
    """All rounds that were scored, be they voided or corrected since."""
    rounds = rows(Round).exclude(state=Round.State.OPEN).order_by("pk")
    rounds = rounds.select_related("session", "replaces", "replaced_by")
    return rounds.prefetch_related("hands", "pair_scores", "entries__lines").iterator(chunk_size=CHUNK)


def check_score(round_: Round) -> Iterator[Fault]:
    """The hands, scored anew under the rules and stakes kept with the round, come to what is kept. The engine refuses
    a card that is there twice."""
    hands, pairs = list(round_.hands.all()), list(round_.pair_scores.all())
    stakes: dict[frozenset[Hashable], int] = {frozenset((pair.a_id, pair.b_id)): pair.stake for pair in pairs}
    try:
        score = round_.score(hands, stakes)
    except ScoringError as error:
        yield Fault(place(round_), f"cannot be scored any more: {error}", round_)
        return
    yield from _compare_hands(round_, hands, score)
    yield from _compare_pairs(round_, pairs, score)
    if round_.fee != score.house:
        yield Fault(place(round_), f"the house has {round_.fee}, should have {score.house}", round_)


def check_entries(round_: Round) -> Iterator[Fault]:
    """A round has one entry with the nets of its hands, then reversals of each other, as many as its state tells."""
    entries = sorted(round_.entries.all(), key=lambda entry: entry.pk)
    if not entries or [entry.kind for entry in entries] != [
        Entry.Kind.ROUND,
        *[Entry.Kind.REVERSAL] * (len(entries) - 1),
    ]:
        yield Fault(place(round_), "should have one entry, and after it reversals only", round_)
        return
    net = {hand.player_id: hand.net for hand in round_.hands.all()} | ({None: round_.fee} if round_.fee else {})
    if entries[0].amounts != net:
        yield Fault(place(round_), f"its entry {entries[0].pk} says {entries[0].amounts}, its hands say {net}", round_)
    for entry, before in zip(entries[1:], entries, strict=False):
        if entry.reverses_id != before.pk:
            yield Fault(place(round_), f"reversal {entry.pk} should reverse entry {before.pk}", round_)
    if (round_.state != Round.State.SCORED) != (len(entries) % 2 == 0):
        yield Fault(place(round_), f"is {round_.state}, but was reversed {len(entries) - 1} times", round_)


def check_hands(round_: Round) -> Iterator[Fault]:
    """Two to four hands, each in a place of its own."""
    positions = [hand.position for hand in round_.hands.all()]
    if not 2 <= len(positions) <= 4:
        yield Fault(place(round_), f"has {len(positions)} hands", round_)
    if len(set(positions)) != len(positions):
        yield Fault(place(round_), f"has two hands in one place: {positions}", round_)


def check_versions(round_: Round) -> Iterator[Fault]:
    """A corrected round has one newer version, of the same number; it leads on to the one that stands."""
    if round_.is_amended and not hasattr(round_, "replaced_by"):
        yield Fault(place(round_), f"version {round_.pk} is amended, but nothing stands in its place", round_)
    older = round_.replaces
    if older is None:
        return
    if (older.session_id, older.number) != (round_.session_id, round_.number):
        yield Fault(place(round_), f"version {round_.pk} replaces {place(older)}", round_)
    if not older.is_amended or older.pk >= round_.pk:
        yield Fault(place(round_), f"version {round_.pk} replaces {older.pk}, which is {older.state}", round_)


CHECKS: tuple[Callable[[Round], Iterator[Fault]], ...] = (check_score, check_entries, check_hands, check_versions)


def _compare_hands(round_: Round, hands: Sequence[Hand], score: RoundScore) -> Iterator[Fault]:
    for hand, player in zip(hands, score.players, strict=True):
        found = tuple(getattr(hand, name) for name in _KEPT_OF_HAND)
        due = (player.status, player.super, player.points, player.money, player.fee, player.net)
        if found != due or hand.natural != (player.natural or ""):
            what = f"hand {hand.pk} is kept as {found} {hand.natural}, scores {due} {player.natural or ''}"
            yield Fault(place(round_), what, round_)


def _compare_pairs(round_: Round, pairs: Sequence[PairScore], score: RoundScore) -> Iterator[Fault]:
    kept: dict[tuple[Hashable, Hashable], PairScore] = {(pair.a_id, pair.b_id): pair for pair in pairs}
    for due in score.pairs:
        pair = kept.pop((due.a, due.b), None)
        if pair is None:
            yield Fault(place(round_), f"the pair of players {due.a} and {due.b} is missing", round_)
            continue
        rows = due.rows or dict.fromkeys(ROWS)
        found = [getattr(pair, name) for name in (*_KEPT_OF_PAIR, *ROWS)]
        should = [getattr(due, name) for name in _KEPT_OF_PAIR] + [rows[row] for row in ROWS]
        if found != should:
            yield Fault(place(round_), f"pair {pair.pk} is kept as {found}, scores {should}", round_)
    for pair in kept.values():
        yield Fault(place(round_), f"pair {pair.pk} is of players who have no hands in it", round_)
