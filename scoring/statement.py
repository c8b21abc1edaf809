"""Statements: every entry that touched somebody's account, or that of the house, with what it came to each time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import F, Prefetch, QuerySet, Sum, Window
from django.utils.translation import gettext as _

from scoring import ledger
from scoring.book_words import BookWords
from scoring.engine.rules import ROWS
from scoring.models import Club, Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.wording import row_in_sentence

PER_PAGE = 25

Address = Callable[[Round], str]  # where the result of a round is to be read, "" for nowhere


class Statement(BookWords):
    """The account of `player`, or of the house (None), in an evening: page `number` of its lines, the newest first."""

    def __init__(self, session: Session, player: Player | None, number: str | int, address: Address) -> None:
        super().__init__(session.currency, session.club, session.date)
        self.player = player
        self._read(session.lines.filter(player=player), number, address)

    def _read(self, lines: QuerySet[Line], number: str | int, address: Address) -> None:
        self._lines = lines
        self.page: Page[Line] = Paginator(_with_all_told(lines), PER_PAGE).get_page(number)
        on_page = list(self.page.object_list)
        rounds = _Rounds(self.player, on_page)
        self.lines = [StatementLine(self, line, rounds, address) for line in on_page]

    @cached_property
    def sums(self) -> list[tuple[str, int]]:
        """What the account is made of and what it comes to, by name; parts that are nought are left out."""
        kinds = (Entry.Kind.ADJUSTMENT, Entry.Kind.PAYMENT, Entry.Kind.CARRY_OVER)
        by_kind = {kind.name: Sum("amount", filter=ledger.is_about(kind), default=0) for kind in kinds}
        found = self._lines.aggregate(cards=Sum("amount", filter=ledger.is_winning(), default=0), **by_kind)
        labels = [
            ("cards", _("by the cards") if self.player else _("room fees")),
            ("ADJUSTMENT", _("adjustments")),
            ("PAYMENT", _("payments")),
            ("CARRY_OVER", _("carried over")),
        ]
        return [(label, found[part]) for part, label in labels if found[part]]

    @property
    def balance(self) -> int:
        return sum(amount for _label, amount in self.sums)


class HouseStatement(Statement):
    """The account of the house in all evenings of a club, in one currency. What was only carried over from an evening
    to the club stays with the house and is left out."""

    def __init__(self, club: Club, currency: str, number: str | int, address: Address) -> None:
        BookWords.__init__(self, currency, club)
        self.player = None
        lines = Line.objects.filter(club=club, player=None, entry__currency=currency)
        self._read(lines.exclude(ledger.is_about(Entry.Kind.CARRY_OVER)), number, address)

    @staticmethod
    def currencies(club: Club) -> list[str]:
        """Those in which the house has anything, the club's own first."""
        lines = Line.objects.filter(club=club, player=None)
        found = set(lines.order_by().values_list("entry__currency", flat=True).distinct())
        return [club.currency, *sorted(found - {club.currency})]


class StatementLine:
    """One line: what happened, when and by whom, the amount and what the account came to with it."""

    def __init__(self, statement: Statement, line: Line, rounds: "_Rounds", address: Address) -> None:
        entry = line.entry
        self.amount = line.amount
        self.balance: int = line.balance  # type: ignore[attr-defined]  # annotated
        self.recorded = statement.signed(entry)
        self.session = line.session
        self.title = _title(entry, statement.player)
        self.note = entry.note if entry.round else ""
        self.round = entry.round if entry.kind == Entry.Kind.ROUND else None
        self.address = address(self.round) if self.round else ""
        self.pairs = rounds.pairs(self.round) if self.round else []
        self.fee = -rounds.fee(self.round) if self.round else 0


class PairLine:
    """What one pair of a round brought the player: rows, multiplier, extras, bonuses; signed for him."""

    def __init__(self, pair: PairScore, player: int) -> None:
        side = 1 if pair.a_id == player else -1
        self.other = pair.b if side > 0 else pair.a
        results = [(row_in_sentence(row), getattr(pair, row)) for row in ROWS]
        self.rows = [(name, side * result) for name, result in results if result is not None]
        self.row_points, self.extra, self.bonus = side * pair.row_points, side * pair.extra, side * pair.bonus
        self.multiplier, self.stake = pair.multiplier, pair.stake
        self.points, self.money = side * pair.points, side * pair.money


class _Rounds:
    """The pairs and the fees of a player in the rounds of some lines, in two queries; none for the house."""

    def __init__(self, player: Player | None, lines: Iterable[Line]) -> None:
        self._pairs: dict[int, list[PairLine]] = {}
        self._fees: Mapping[int, int | None] = {}
        if player:
            rounds = [line.entry.round_id for line in lines if line.entry.kind == Entry.Kind.ROUND]
            self._fees = dict(Hand.objects.filter(round__in=rounds, player=player).values_list("round", "fee"))
            for pair in _pairs_of(player, rounds):
                self._pairs.setdefault(pair.round_id, []).append(PairLine(pair, player.pk))

    def pairs(self, round_: Round) -> Sequence[PairLine]:
        return self._pairs.get(round_.pk, [])

    def fee(self, round_: Round) -> int:
        return self._fees.get(round_.pk) or 0


def _pairs_of(player: Player, rounds: Sequence[int | None]) -> QuerySet[PairScore]:
    pairs = PairScore.objects.filter(round__in=rounds).select_related("a", "b")
    return pairs.filter(a=player) | pairs.filter(b=player)


def _with_all_told(lines: QuerySet[Line]) -> QuerySet[Line]:
    """The newest first, each with the `balance` after it and with all that its title tells."""
    running = Window(Sum("amount"), order_by=[F("entry_id").asc()])
    parties = Prefetch("entry__lines", Line.objects.select_related("player"))
    told = lines.annotate(balance=running).select_related(
        "session", "entry__created_by", "entry__round", "entry__reverses"
    )
    return told.prefetch_related(parties).order_by("-entry_id")


def _title(entry: Entry, who: Player | None) -> str:
    """What an entry is called in the account of `who`."""
    undone = entry.reverses
    if entry.round:
        return _round_title(entry) % {"number": entry.round.number}
    kind = undone.kind if undone else entry.kind
    pattern = (_UNDONE if undone else _DONE)[kind]
    note = (undone or entry).note or _("Adjustment")
    return pattern(_gave(entry, who) != bool(undone)) % {"name": _other(entry, who), "note": note}


def _round_title(entry: Entry) -> str:
    if entry.reverses is None:
        return _("Round %(number)s, corrected") if entry.round and entry.round.replaces_id else _("Round %(number)s")
    if entry.reverses.kind == Entry.Kind.ROUND:
        return _("Round %(number)s taken out")
    return _("Round %(number)s put back")


# By kind how an entry is told, and how its undoing; asked with whether the account's owner gave something.
_DONE: Mapping[str, Callable[[bool], str]] = {
    Entry.Kind.PAYMENT: lambda gave: _("Paid to %(name)s") if gave else _("Received from %(name)s"),
    Entry.Kind.FEE: lambda gave: _("Room fee of the evening"),
    Entry.Kind.ADJUSTMENT: lambda gave: "%(note)s",
    Entry.Kind.CARRY_OVER: lambda gave: _("Carried over to the club"),
    Entry.Kind.ROUND: lambda gave: _("Round"),
}
_UNDONE: Mapping[str, Callable[[bool], str]] = {
    Entry.Kind.PAYMENT: lambda gave: (
        _("Payment to %(name)s taken back") if gave else _("Payment from %(name)s taken back")
    ),
    Entry.Kind.FEE: lambda gave: _("Room fee of the evening given back"),
    Entry.Kind.ADJUSTMENT: lambda gave: _("Taken back: %(note)s"),
    Entry.Kind.CARRY_OVER: lambda gave: _("Carry-over to the club taken back"),
    Entry.Kind.ROUND: lambda gave: _("Round taken out"),
}


def _gave(entry: Entry, who: Player | None) -> bool:
    """Whether the amount of `who` is a plus: who gives money has more to get, or less to give."""
    return any(line.amount > 0 for line in entry.lines.all() if line.player == who)


def _other(entry: Entry, who: Player | None) -> str:
    """Who else has a line in an entry of two."""
    others = [line.player for line in entry.lines.all() if line.player != who]
    return str(others[0]) if others and others[0] else _("House")
