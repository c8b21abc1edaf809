"""Rules of entries and their lines: they sum to zero, say once what each gets, and undo each other exactly."""

from collections.abc import Iterator

from django.db.models import Count, F, Q, Sum

from scoring.audit.faults import CHUNK, Check, Fault, Rows, entry_place
from scoring.models import Entry, Line, Round

_KIND = Entry.Kind


def check_sums(rows: Rows) -> Iterator[Fault]:
    """The lines of every entry sum to zero."""
    for entry in rows(Entry).annotate(total=Sum("lines__amount")).exclude(total=0).exclude(total=None):
        yield Fault(entry_place(entry), f"is off by {entry.total:+}", entry)
    for empty in rows(Entry).filter(lines=None):
        yield Fault(entry_place(empty), "has no lines", empty)


def check_one_line_each(rows: Rows) -> Iterator[Fault]:
    """No player, and not the house either, has two lines in an entry."""
    twice = rows(Line).order_by().values_list("entry", "player").annotate(lines=Count("pk")).filter(lines__gt=1)
    counts = {entry: (player, lines) for entry, player, lines in twice}
    for entry in Entry.objects.filter(pk__in=counts):
        player, lines = counts[entry.pk]
        yield Fault(entry_place(entry), f"has {lines} lines of {f'player {player}' if player else 'the house'}", entry)


def check_reversals(rows: Rows) -> Iterator[Fault]:
    """A reversal has the lines of its entry with the other sign, in the same book and about the same round."""
    reversals = rows(Entry).filter(kind=_KIND.REVERSAL).select_related("reverses")
    for entry in reversals.prefetch_related("lines", "reverses__lines").iterator(chunk_size=CHUNK):
        undone = entry.reverses
        opposite = {player: -amount for player, amount in undone.amounts.items()} if undone else {}
        if undone is None or entry.amounts != opposite or _book(entry) != _book(undone):
            yield Fault(entry_place(entry), f"does not undo entry {entry.reverses_id}", entry)
        elif entry.round_id != undone.round_id or entry.pk <= undone.pk:
            yield Fault(entry_place(entry), f"should come after entry {undone.pk}, and about its round", entry)


def check_payments(rows: Rows) -> Iterator[Fault]:
    """A payment has two lines: one gives, one gets."""
    payments = rows(Entry).filter(kind=_KIND.PAYMENT)
    for entry in payments.annotate(parties=Count("lines", filter=~Q(lines__amount=0))).exclude(parties=2):
        yield Fault(entry_place(entry), f"is a payment between {entry.parties} parties", entry)


def check_batches(rows: Rows) -> Iterator[Fault]:
    """What was recorded at one tap are payments, and those of one book."""
    for entry in rows(Entry).filter(batch__isnull=False).exclude(kind=_KIND.PAYMENT):
        yield Fault(entry_place(entry), f"is no payment, but was recorded with others as {entry.batch}", entry)
    batched = rows(Entry).filter(batch__isnull=False).order_by("pk")
    first: dict[object, Entry] = {}
    for entry in batched.iterator(chunk_size=CHUNK):
        other = first.setdefault(entry.batch, entry)
        if _book(other) != _book(entry):
            yield Fault(entry_place(entry), f"was recorded at one tap with {entry_place(other)}", entry)


def check_currencies(rows: Rows) -> Iterator[Fault]:
    """An entry of an evening is in the currency of the evening."""
    for entry in rows(Entry).filter(session__isnull=False).exclude(currency=F("session__currency")):
        yield Fault(entry_place(entry), f"is in {entry.currency}, the evening is not", entry)


def check_kinds(rows: Rows) -> Iterator[Fault]:
    """What plays cards names its round, nothing else does; the club's book holds carry-overs and payments only."""
    in_club = (_KIND.CARRY_OVER, _KIND.PAYMENT, _KIND.REVERSAL)
    for entry in rows(Entry).filter(session=None).filter(~Q(kind__in=in_club) | Q(round__isnull=False)):
        yield Fault(entry_place(entry), f"is a {entry.kind}, which has no place in the book of a club", entry)
    without = rows(Entry).filter(kind=_KIND.ROUND, round=None)
    others = rows(Entry).filter(round__isnull=False).exclude(kind__in=(_KIND.ROUND, _KIND.REVERSAL))
    for entry in (*without, *others):
        yield Fault(entry_place(entry), f"is a {entry.kind}, and its round is {entry.round_id}", entry)


def check_rounds_have_entries(rows: Rows) -> Iterator[Fault]:
    """Only finished rounds stand in the book, and only in their own session."""
    for entry in rows(Entry).filter(round__isnull=False).exclude(round__session=F("session")):
        yield Fault(entry_place(entry), f"is about round {entry.round_id} of another session", entry)
    for entry in rows(Entry).filter(round__state=Round.State.OPEN):
        yield Fault(entry_place(entry), f"is about round {entry.round_id}, which is not scored", entry)


CHECKS: tuple[Check, ...] = (
    check_sums,
    check_one_line_each,
    check_reversals,
    check_payments,
    check_batches,
    check_currencies,
    check_kinds,
    check_rounds_have_entries,
)


def _book(entry: Entry) -> tuple[object, ...]:
    return entry.session_id, entry.club_id, entry.currency
