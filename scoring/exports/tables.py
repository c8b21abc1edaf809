"""The tables of an evening and of a club, for a spreadsheet. Long ones are read row by row; nothing here writes.

Times are those of the place where the club plays. A round that was voided or amended stands in the book, with the
entry that takes it back, and in no other table.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import ledger
from scoring.engine.rules import ROWS
from scoring.exports.sheets import Amount, Sheet, Value
from scoring.models import Club, Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.wording import natural_name, status_name

CHUNK = 500  # rows in memory at a time
_IN_ORDER = ("round__session__date", "round__session_id", "round__number")
_SCORED = Q(round__state=Round.State.SCORED)

Of = TypeVar("Of", Club, Session)
Contents = tuple[Sequence[str], Iterable[Sequence[Value]]]
"""Headings and rows."""


@dataclass(frozen=True)
class Table(Generic[Of]):
    """A table of a club or of an evening: what it is called, what it shows, and where it comes from."""

    title: str | Promise
    note: str | Promise
    contents: Callable[[Of], Contents]

    def sheet(self, of: Of) -> Sheet:
        return Sheet(self.title, *self.contents(of))


# ---------------------------------------------------------------- of an evening


def _rounds(session: Session) -> Contents:
    seated = [seat.player for seat in session.seats.select_related("player")]
    of_players = [
        heading % {"player": player} for player in seated for heading in (_("%(player)s, points"), _("%(player)s, net"))
    ]
    headings = [_("Round"), _("Scored"), *of_players, _("House"), _("Currency")]
    return headings, _round_rows(session, seated)


def _round_rows(session: Session, seated: Sequence[Player]) -> Iterator[list[Value]]:
    zone = ZoneInfo(session.club.time_zone)
    scored = session.rounds.filter(state=Round.State.SCORED).order_by("number").prefetch_related("hands")
    for round_ in scored.iterator(chunk_size=CHUNK):
        laid = {hand.player_id: hand for hand in round_.hands.all()}
        row: list[Value] = [round_.number, round_.scored_at.astimezone(zone) if round_.scored_at else None]
        for player in seated:
            hand = laid.get(player.pk)
            row += [hand.points, Amount(hand.net or 0, session.currency)] if hand else [None, None]
        yield [*row, Amount(round_.fee, session.currency), session.currency]


def _players(session: Session) -> Contents:
    zone = ZoneInfo(session.club.time_zone)
    settled = ledger.settlement(session)
    hands = Hand.objects.filter(_SCORED, round__session=session).order_by()
    played = dict(hands.values_list("player").annotate(Count("pk")))
    seats = session.seats.select_related("player")
    lines = [*((seat.player_id, str(seat.player), seat.left_at) for seat in seats), (None, _("House"), None)]
    headings = [
        *(_("Player"), _("Rounds"), _("Won"), _("Adjusted"), _("Open balance")),
        *(_("Currency"), _("Left at")),
    ]
    return headings, [
        [
            name,
            played.get(who, 0) if who else None,
            Amount(settled.won.get(who, 0), session.currency),
            Amount(settled.adjusted.get(who, 0), session.currency),
            Amount(settled.balances.get(who, 0), session.currency),
            session.currency,
            left_at.astimezone(zone) if left_at else None,
        ]
        for who, name, left_at in lines
    ]


# ---------------------------------------------------------------- of a club


def _evenings(club: Club) -> Contents:
    names = list(club.players.values_list("pk", "name"))
    headings = [
        *(_("Date"), _("Place"), _("Rounds"), _("Stake"), _("State")),
        *(name for _pk, name in names),
        *(_("House"), _("Currency")),
    ]
    return headings, _evening_rows(club, [pk for pk, _name in names])


def _evening_rows(club: Club, players: Sequence[int]) -> Iterator[list[Value]]:
    lines = Line.objects.filter(ledger.is_winning(), club=club, session__isnull=False).order_by()
    won = {(session, player): amount for session, player, amount in _sums(lines, "session", "player")}
    scored = Count("rounds", filter=Q(rounds__state=Round.State.SCORED))
    for session in club.sessions.annotate(scored=scored).order_by("date", "pk").iterator(chunk_size=CHUNK):
        amounts = [won.get((session.pk, player)) for player in (*players, None)]
        yield [
            session.date,
            session.place,
            session.scored,
            Amount(session.stake, session.currency),
            _("running") if session.is_open else _("closed"),
            *(None if amount is None else Amount(amount, session.currency) for amount in amounts),
            session.currency,
        ]


def _balances(club: Club) -> Contents:
    names = _names(club)
    lines = Line.objects.filter(club=club).order_by("entry__currency", "player__name_key")
    winnings = lines.filter(ledger.is_winning(), session__isnull=False)
    won = {(player, currency): amount for player, currency, amount in _sums(winnings, "player", "entry__currency")}
    return [_("Player"), _("Won"), _("Open balance"), _("Currency")], [
        [names[player], Amount(won.get((player, currency), 0), currency), Amount(amount, currency), currency]
        for player, currency, amount in _sums(lines, "player", "entry__currency")
    ]


def _sums(lines: QuerySet[Line], *keys: str) -> Iterable[tuple]:
    return lines.values_list(*keys).annotate(Sum("amount"))


def _club_books(club: Club) -> list[ledger.Book]:
    used = club.entries.filter(session=None).order_by("currency").values_list("currency", flat=True).distinct()
    return [ledger.ClubBook(club, currency) for currency in used]


# ---------------------------------------------------------------- of either


def _settle_up(books: Iterable[ledger.Book], club: Club) -> Contents:
    names = _names(club)
    claims = ((claim, book.currency) for book in books for claim in ledger.settlement(book).claims)
    return [_("From"), _("To"), _("Open"), _("Paid"), _("Currency")], (
        [names[claim.payer], names[claim.payee], Amount(claim.open, currency), Amount(claim.paid, currency), currency]
        for claim, currency in claims
    )


def _names(club: Club) -> dict[int | None, str]:
    return {None: _("House")} | dict(club.players.values_list("pk", "name"))


def _hands(sessions: QuerySet[Session]) -> Contents:
    headings = [
        *(_("Date"), _("Round"), _("Player"), _("Front"), _("Middle"), _("Back"), _("Result")),
        *(_("Points"), _("Amount"), _("Room fee"), _("Net"), _("Currency")),
    ]
    laid = Hand.objects.filter(_SCORED, round__session__in=sessions).order_by(*_IN_ORDER, "position")
    told = laid.values_list(
        *("round__session__currency", "status", "natural", "is_super", "points", "money", "fee", "net"),
        *("round__session__date", "round__number", "player__name", *ROWS),
    )
    return headings, _hand_rows(told.iterator(CHUNK))


def _hand_rows(told: Iterator[tuple]) -> Iterator[list[Value]]:
    for currency, status, natural, is_super, points, money, fee, net, *laid in told:
        result = natural_name(natural) if status == "natural" else _("Super") if is_super else status_name(status)
        yield [*laid, result, points, *(Amount(amount, currency) for amount in (money, fee, net)), currency]


def _pairs(sessions: QuerySet[Session]) -> Contents:
    headings = [
        *(_("Date"), _("Round"), _("Player"), _("Against"), _("Front"), _("Middle"), _("Back"), _("Rows")),
        *(_("Multiplier"), _("Extra"), _("Bonus"), _("Points"), _("Stake"), _("Amount"), _("Currency")),
    ]
    met = PairScore.objects.filter(_SCORED, round__session__in=sessions).order_by(*_IN_ORDER, "pk")
    told = met.values_list(
        *("round__session__currency", "stake", "money"),
        *("round__session__date", "round__number", "a__name", "b__name", *ROWS),
        *("row_points", "multiplier", "extra", "bonus", "points"),
    )
    return headings, _pair_rows(told.iterator(CHUNK))


def _pair_rows(told: Iterator[tuple]) -> Iterator[list[Value]]:
    for currency, stake, money, *pair in told:
        yield [*pair, Amount(stake, currency), Amount(money, currency), currency]


def _book(lines: QuerySet[Line], club: Club) -> Contents:
    headings = [
        *(_("Entry"), _("Date"), _("Round"), _("Written"), _("Kind"), _("Takes back"), _("Player")),
        *(_("Amount"), _("Currency"), _("Note"), _("By")),
    ]
    told = lines.order_by("entry_id", "pk").values_list(
        *("entry", "entry__reverses", "entry__created_at", "entry__kind", "player__name", "amount"),
        *("session__date", "entry__round__number"),
        *("entry__currency", "entry__note", "entry__created_by__username"),
    )
    return headings, _book_rows(told.iterator(CHUNK), ZoneInfo(club.time_zone))


def _book_rows(told: Iterator[tuple], zone: ZoneInfo) -> Iterator[list[Value]]:
    """Entries are numbered in their order: their keys tell nothing outside this installation."""
    kinds = dict(Entry.Kind.choices)
    numbers: defaultdict[int, int] = defaultdict(count(1).__next__)
    for entry, reverses, written, kind, player, amount, day, round_, currency, *by in told:
        about = [numbers[entry], day, round_, written.astimezone(zone), kinds[kind]]
        takes_back = numbers[reverses] if reverses else None
        yield [*about, takes_back, player or _("House"), Amount(amount, currency), currency, *by]


# ---------------------------------------------------------------- by the names in addresses

_SETTLE = gettext_lazy("Settle-up"), gettext_lazy("who pays whom, what is open of it and what was paid")
_HANDS = gettext_lazy("Hands"), gettext_lazy("the cards of every hand, its points and amounts")
_PAIRS = gettext_lazy("Pairs"), gettext_lazy("what each two players came to, row by row")
_BOOK = gettext_lazy("Book"), gettext_lazy("every line of every entry; they sum to zero")


def _only(session: Session) -> QuerySet[Session]:
    return Session.objects.filter(pk=session.pk)


SESSION_TABLES: Mapping[str, Table[Session]] = {
    "rounds": Table(gettext_lazy("Rounds"), gettext_lazy("points and amounts, the players side by side"), _rounds),
    "players": Table(gettext_lazy("Players"), gettext_lazy("how each came out of the evening"), _players),
    "settle-up": Table(*_SETTLE, lambda session: _settle_up([session], session.club)),
    "hands": Table(*_HANDS, lambda session: _hands(_only(session))),
    "pairs": Table(*_PAIRS, lambda session: _pairs(_only(session))),
    "book": Table(*_BOOK, lambda session: _book(session.lines.all(), session.club)),
}
CLUB_TABLES: Mapping[str, Table[Club]] = {
    "evenings": Table(gettext_lazy("Evenings"), gettext_lazy("what they brought, the players side by side"), _evenings),
    "players": Table(gettext_lazy("Players"), gettext_lazy("what each has won and has open"), _balances),
    "settle-up": Table(*_SETTLE, lambda club: _settle_up(_club_books(club), club)),
    "hands": Table(*_HANDS, lambda club: _hands(club.sessions.all())),
    "pairs": Table(*_PAIRS, lambda club: _pairs(club.sessions.all())),
    "book": Table(*_BOOK, lambda club: _book(club.lines.all(), club)),
}
