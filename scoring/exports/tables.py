"""The tables of an evening and of a club, for a spreadsheet. All are read row by row; nothing here writes.

Times are those of the place where the club plays. What was voided or amended stands in the book with its counter
entry, and in no other table.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import ledger
from scoring.exports.sheets import Amount, Sheet, Value
from scoring.ledger import ClubBook
from scoring.models import Club, Entry, Hand, Line, PairScore, Player, Round, Session
from scoring.wording import natural_name, status_name

CHUNK = 500  # rows in memory at a time
_SCORED = Q(round__state=Round.State.SCORED)


def session_sheets(session: Session) -> list[Sheet]:
    """All that was written down of an evening."""
    evening = Session.objects.filter(pk=session.pk)
    return [
        rounds(session),
        players(session),
        settle_up([session], session.club),
        hands(evening),
        pairs(evening),
        book(session.entries.all(), session.club),
    ]


def club_sheets(club: Club) -> list[Sheet]:
    """All evenings of a club, and its own book."""
    evenings = club.sessions.all()
    currencies = club.entries.filter(session=None).order_by("currency").values_list("currency", flat=True).distinct()
    return [
        sessions(club),
        balances(club),
        settle_up([ClubBook(club, currency) for currency in currencies], club),
        hands(evenings),
        pairs(evenings),
        book(club.entries.all(), club),
    ]


# ---------------------------------------------------------------- of an evening


def rounds(session: Session) -> Sheet:
    """The rounds one below the other, the players side by side: points, and what they brought after the room fee."""
    seated = [seat.player for seat in session.seats.select_related("player")]
    of_players = [
        heading % {"player": player} for player in seated for heading in (_("%(player)s, points"), _("%(player)s, net"))
    ]
    return Sheet(
        gettext_lazy("Rounds"),
        [_("Round"), _("Scored"), *of_players, _("House"), _("Currency")],
        _round_rows(session, seated),
    )


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


def players(session: Session) -> Sheet:
    """Who took part, and how each came out of it."""
    zone = ZoneInfo(session.club.time_zone)
    settled = ledger.settlement(session)
    played = dict(_played(session).values_list("player").annotate(Count("pk")))
    seats = session.seats.select_related("player")
    lines = [(seat.player_id, str(seat.player), seat.left_at) for seat in seats] + [(None, _("House"), None)]
    return Sheet(
        gettext_lazy("Players"),
        [_("Player"), _("Rounds"), _("Won"), _("Adjusted"), _("Open balance"), _("Currency"), _("Left")],
        [
            [
                name,
                played.get(who, 0) if who else None,
                *(
                    Amount(sums.get(who, 0), session.currency)
                    for sums in (settled.won, settled.adjusted, settled.balances)
                ),
                session.currency,
                left_at.astimezone(zone) if left_at else None,
            ]
            for who, name, left_at in lines
        ],
    )


def _played(session: Session) -> QuerySet[Hand]:
    return Hand.objects.filter(_SCORED, round__session=session).order_by()


def settle_up(books: Sequence[ledger.Book], club: Club) -> Sheet:
    """Who is to pay whom, what is still open of it, and what was paid."""
    names = {None: _("House")} | dict(club.players.values_list("pk", "name"))
    claims = ((claim, book.currency) for book in books for claim in ledger.settlement(book).claims)
    return Sheet(
        gettext_lazy("Settle-up"),
        [_("From"), _("To"), _("Open"), _("Paid"), _("Currency")],
        (
            [
                names[claim.payer],
                names[claim.payee],
                Amount(claim.open, currency),
                Amount(claim.paid, currency),
                currency,
            ]
            for claim, currency in claims
        ),
    )


# ---------------------------------------------------------------- of a club


def sessions(club: Club) -> Sheet:
    """The evenings one below the other, the players side by side: what the cards brought, room fees taken off."""
    names = list(club.players.values_list("pk", "name"))
    return Sheet(
        gettext_lazy("Evenings"),
        [
            *(_("Date"), _("Place"), _("Rounds"), _("Stake"), _("State")),
            *(name for _pk, name in names),
            *(_("House"), _("Currency")),
        ],
        _session_rows(club, [pk for pk, _name in names]),
    )


def _session_rows(club: Club, seated: Sequence[int]) -> Iterator[list[Value]]:
    lines = Line.objects.filter(ledger.is_winning(), club=club, session__isnull=False).order_by()
    won = {(session, player): amount for session, player, amount in _sums(lines, "session", "player")}
    scored = Count("rounds", filter=Q(rounds__state=Round.State.SCORED))
    for session in club.sessions.annotate(scored=scored).order_by("date", "pk").iterator(chunk_size=CHUNK):
        amounts = [won.get((session.pk, player)) for player in (*seated, None)]
        yield [
            session.date,
            session.place,
            session.scored,
            Amount(session.stake, session.currency),
            _("running") if session.is_open else _("closed"),
            *(None if amount is None else Amount(amount, session.currency) for amount in amounts),
            session.currency,
        ]


def balances(club: Club) -> Sheet:
    """What each player has won, and what is open, over all evenings; amounts of two currencies are never added."""
    names = {None: _("House")} | dict(club.players.values_list("pk", "name"))
    lines = Line.objects.filter(club=club).order_by("entry__currency", "player__name_key")
    winnings = lines.filter(ledger.is_winning(), session__isnull=False)
    won = {(player, currency): amount for player, currency, amount in _sums(winnings, "player", "entry__currency")}
    return Sheet(
        gettext_lazy("Players"),
        [_("Player"), _("Won"), _("Open balance"), _("Currency")],
        [
            [names[player], Amount(won.get((player, currency), 0), currency), Amount(amount, currency), currency]
            for player, currency, amount in _sums(lines, "player", "entry__currency")
        ],
    )


def _sums(lines: QuerySet[Line], *keys: str) -> QuerySet[Line, tuple]:
    return lines.values_list(*keys).annotate(Sum("amount"))


# ---------------------------------------------------------------- of either


def hands(evenings: QuerySet[Session]) -> Sheet:
    """Every hand of the scored rounds: what was laid, and what it came to."""
    laid = Hand.objects.filter(_SCORED, round__session__in=evenings).select_related("player", "round__session")
    ordered = laid.order_by("round__session__date", "round__session", "round__number", "position")
    return Sheet(
        gettext_lazy("Hands"),
        [
            *(_("Date"), _("Round"), _("Player"), _("Front"), _("Middle"), _("Back"), _("Result")),
            *(_("Points"), _("Amount"), _("Room fee"), _("Net"), _("Currency")),
        ],
        (_hand_row(hand, hand.round.session) for hand in ordered.iterator(chunk_size=CHUNK)),
    )


def _hand_row(hand: Hand, session: Session) -> list[Value]:
    amounts = [Amount(amount or 0, session.currency) for amount in (hand.money, hand.fee, hand.net)]
    rows = (session.date, hand.round.number, hand.player.name, hand.front, hand.middle, hand.back)
    return [*rows, _result(hand), hand.points, *amounts, session.currency]


def _result(hand: Hand) -> str | Promise:
    if hand.status == "natural":
        return natural_name(hand.natural)
    return _("Super") if hand.is_super else status_name(hand.status)


def pairs(evenings: QuerySet[Session]) -> Sheet:
    """What each two players of a scored round came to, seen from the first of them."""
    met = PairScore.objects.filter(_SCORED, round__session__in=evenings).select_related("a", "b", "round__session")
    ordered = met.order_by("round__session__date", "round__session", "round__number", "pk")
    return Sheet(
        gettext_lazy("Pairs"),
        [
            *(_("Date"), _("Round"), _("Player"), _("Against"), _("Front"), _("Middle"), _("Back"), _("Rows")),
            *(_("Multiplier"), _("Extra"), _("Bonus"), _("Points"), _("Stake"), _("Amount"), _("Currency")),
        ],
        (_pair_row(pair, pair.round.session) for pair in ordered.iterator(chunk_size=CHUNK)),
    )


def _pair_row(pair: PairScore, session: Session) -> list[Value]:
    points = (pair.row_points, pair.multiplier, pair.extra, pair.bonus, pair.points)
    amounts = [Amount(amount, session.currency) for amount in (pair.stake, pair.money)]
    names = (pair.a.name, pair.b.name)
    rows = (pair.front, pair.middle, pair.back)
    return [session.date, pair.round.number, *names, *rows, *points, *amounts, session.currency]


def book(entries: QuerySet[Entry], club: Club) -> Sheet:
    """The book itself: every line of every entry, in the order in which they were written; they sum to zero."""
    numbered = entries.order_by("pk").select_related("session", "round", "created_by").prefetch_related("lines__player")
    return Sheet(
        gettext_lazy("Book"),
        [
            *(_("Entry"), _("Date"), _("Written"), _("Kind"), _("Round"), _("Takes back"), _("Player"), _("Amount")),
            *(_("Currency"), _("Note"), _("By")),
        ],
        _book_rows(numbered, ZoneInfo(club.time_zone)),
    )


def _book_rows(entries: QuerySet[Entry], zone: ZoneInfo) -> Iterator[list[Value]]:
    numbers: dict[int | None, int] = {}
    for number, entry in enumerate(entries.iterator(chunk_size=CHUNK), start=1):
        numbers[entry.pk] = number
        before: list[Value] = [
            number,
            entry.session.date if entry.session else None,
            entry.created_at.astimezone(zone),
            entry.get_kind_display(),
            entry.round.number if entry.round else None,
            numbers.get(entry.reverses_id),
        ]
        after: list[Value] = [entry.currency, entry.note, str(entry.created_by or "")]
        for line in entry.lines.all():
            who = line.player.name if line.player else _("House")
            yield list(chain(before, [who, Amount(line.amount, entry.currency)], after))
