"""`manage.py audit_ledger`: a sound book passes, and every way of damaging it is found and named."""

import re
from collections.abc import Callable
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F, QuerySet

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.engine.rules import PRESETS
from scoring.models import Club, Entry, Hand, Line, OpenBalance, PairScore, PlannedStake, Player, Round, Seat, Session
from tests.conftest import SUPER

AT_THE_END = {**PRESETS["capsa"].as_dict(), "room_fee_basis": "session"}


@pytest.fixture
def book(session, rudi, score) -> Session:
    """An evening with a round corrected, a voided one, one voided and restored, and a payment taken back."""
    ledger.amend_round(score(), rudi, "Misread")
    ledger.void_round(score(), rudi, "Entered twice")
    ledger.restore_round(ledger.void_round(score(), rudi), rudi)
    claim = ledger.settlement(session).claims[0]
    payer, payee = (session.seats.get(player=key).player if key else None for key in (claim.payer, claim.payee))
    entry = ledger.record_payment(session, payer, payee, claim.amount, uuid4(), rudi)
    ledger.reverse_payment(entry, rudi)
    return session


@pytest.fixture
def club_book(book, club, cast, rudi, lay) -> ledger.ClubBook:
    """Besides that evening one that is carried over, and paid in the club at one tap; and one that was taken back."""
    in_club = ledger.ClubBook(club, "IDR")
    for day in ("2026-11-12", "2026-11-19"):
        session = Session.objects.create(
            club=club, date=day, currency="IDR", stake=10_000, ruleset_fields=AT_THE_END, created_by=rudi
        )
        Seat.objects.bulk_create(
            Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(cast)
        )
        round_ = ledger.open_round(session, cast)
        lay(round_, SUPER)
        ledger.record_round(round_, rudi)
        entry = ledger.carry_over(ledger.close_session(session, rudi), rudi)
        if day == "2026-11-12":
            ledger.take_back_carry_over(entry, rudi)
    ledger.record_all_paid(in_club, ledger.all_paid_key(ledger.settlement(in_club)), rudi)
    return in_club


def faults() -> str:
    return "\n".join(map(str, audit_ledger().faults))


def test_a_sound_book_passes(book):
    out = StringIO()
    call_command("audit_ledger", stdout=out)
    assert out.getvalue() == "4 rounds and 10 entries: everything agrees.\n"


def test_an_empty_book_passes(db):
    call_command("audit_ledger", stdout=StringIO())


def test_a_fault_ends_in_an_error_that_counts_them(book):
    Line.objects.filter(entry__kind=Entry.Kind.ROUND).first().delete()
    out = StringIO()
    with pytest.raises(CommandError, match=r"3 faults in 4 rounds and 10 entries\."):
        call_command("audit_ledger", stderr=out)
    assert "is off by" in out.getvalue()


DAMAGES: dict[str, tuple[Callable[[], object], str]] = {
    "a-card-changed": (
        lambda: Hand.objects.filter(player__name="Ana").update(front="2s 2h Kd"),
        "cannot be scored any more",
    ),
    "rows-swapped": (
        lambda: Hand.objects.filter(player__name="Dewi").update(front="8s 7h 2d", back="Ad Ac 5d 6c Kc"),
        "cannot be|scores",
    ),
    "points-changed": (lambda: Hand.objects.filter(player__name="Ana").update(points=67), "hand .* is kept as"),
    "a-super-forgotten": (lambda: Hand.objects.filter(player__name="Ana").update(is_super=False), "hand .* is kept as"),
    "a-pair-missing": (lambda: PairScore.objects.first().delete(), "pair of players .* is missing"),
    "a-row-of-a-pair-changed": (lambda: PairScore.objects.filter(front=1).update(front=0), "pair .* is kept as"),
    "the-fee-changed": (lambda: Round.objects.update(fee=1), "the house has 1, should have"),
    "other-rules": (lambda: Round.objects.update(ruleset_fields={"ties": "by beauty"}), "cannot be scored any more"),
    "a-line-missing": (lambda: Line.objects.first().delete(), "is off by"),
    "a-line-changed": (lambda: Line.objects.filter(amount__gt=0).update(amount=1), "is off by"),
    "no-lines": (lambda: Line.objects.filter(entry=Entry.objects.first()).delete(), "has no lines"),
    "a-round-alive-again": (
        lambda: Round.objects.filter(state="voided").update(state="scored"),
        "was reversed 1 times",
    ),
    "a-round-without-entry": (
        lambda: Entry.objects.filter(round__isnull=False).update(round=None),
        "should have one entry",
    ),
    "a-reversal-of-another": (
        lambda: Entry.objects.filter(kind="reversal", round__isnull=True).update(
            reverses=Entry.objects.filter(round__state="scored").order_by("pk").first()
        ),
        "does not undo entry",
    ),
    "a-player-without-seat": (lambda: Seat.objects.filter(player__name="Budi").delete(), "has no seat there"),
    "no-newer-version": (lambda: Round.objects.update(replaces=None), "amended, but nothing stands in its place"),
    "a-newer-version-elsewhere": (
        lambda: Round.objects.filter(replaces__isnull=False).update(number=9),
        "round 9: version .* replaces session .*, round 1",
    ),
    "an-older-version-that-counts": (
        lambda: Round.objects.filter(state="amended").update(state="scored", number=9),
        "which is scored",
    ),
    "a-version-that-replaces-itself": (
        lambda: Round.objects.filter(replaces__isnull=False).update(state="amended", replaces=F("pk")),
        "version .* replaces .*, which is amended",
    ),
    "a-round-open-in-the-book": (lambda: Round.objects.filter(number=2).update(state="open"), "is not scored"),
}


def entries(kind: str) -> QuerySet[Entry]:
    return Entry.objects.filter(kind=kind)


def of_club(kind: str) -> QuerySet[Entry]:
    return entries(kind).filter(session=None)


def of_evening(kind: str) -> QuerySet[Entry]:
    return entries(kind).filter(session__isnull=False)


def carried() -> Entry:
    """The entry that carries an evening over and stands."""
    return of_evening("carry-over").get(reversed_by=None)


def lines_of(entry: Entry) -> QuerySet[Line]:
    return Line.objects.filter(entry=entry)


def shift(entry: Entry) -> None:
    """Move a unit from one line of an entry to another: it still sums to zero."""
    for line, more in zip(lines_of(entry), (1, -1), strict=False):
        lines_of(entry).filter(pk=line.pk).update(amount=F("amount") + more)


def carry_over_twice() -> None:
    """The evening whose carry-over was taken back lends its own to the other."""
    entries("reversal").filter(reverses__kind="carry-over").delete()
    of_evening("carry-over").update(session=Session.objects.get(date="2026-11-19"))


def a_second_line_of_the_house() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX line_one_for_the_house")
    line = Line.objects.filter(player=None).order_by("pk").first()
    for amount in (5, -5):
        Line.objects.create(entry=line.entry, session=line.session, club=line.club, player=line.player, amount=amount)


DAMAGES_OF_THE_CLUB: dict[str, tuple[Callable[[], object], str]] = {
    "two-lines-of-one": (a_second_line_of_the_house, "has 3 lines of the house"),
    "carried-over-into-nothing": (
        lambda: of_club("carry-over").update(carries=None),
        "is carried over, but not into the book of the club",
    ),
    "carried-over-from-nothing": (
        lambda: of_club("carry-over").update(carries=None),
        r"club \d+, entry \d+: is carried over from entry None, which is none",
    ),
    "carried-over-from-a-payment": (
        lambda: of_club("carry-over").filter(reversed_by=None).update(carries=of_evening("payment").first()),
        "is carried over from entry .*, which is none",
    ),
    "other-amounts-come-in": (
        lambda: shift(of_club("carry-over").get(reversed_by=None)),
        "does not bring in what entry .* takes out",
    ),
    "another-currency-comes-in": (
        lambda: of_club("carry-over").update(currency="MYR"),
        "does not bring in what entry .* takes out",
    ),
    "only-one-of-the-two-taken-back": (
        lambda: (
            of_club("reversal")
            .filter(reverses__kind="carry-over")
            .update(reverses=of_club("carry-over").get(reversed_by=None))
        ),
        "only one of it and entry .* is taken back",
    ),
    "less-carried-over-than-open": (
        lambda: shift(carried()),
        "is carried over, but player .* has .* open",
    ),
    "carried-over-while-open": (
        lambda: Session.objects.filter(entries=carried()).update(closed_at=None),
        "is open, and carried over 1 times",
    ),
    "carried-over-twice": (carry_over_twice, "is closed, and carried over 2 times"),
    "something-else-carries": (
        lambda: of_club("payment").filter(pk=of_club("payment").first().pk).update(carries=of_evening("fee").first()),
        "is a payment, but carries entry",
    ),
    "a-round-in-the-club": (
        lambda: entries("round").filter(pk=entries("round").first().pk).update(session=None),
        "is a round, which has no place in the book of a club",
    ),
    "another-currency": (lambda: entries("round").update(currency="MYR"), "is in MYR, the evening is not"),
    "a-payment-about-a-round": (
        lambda: of_evening("payment").update(round=Round.objects.first()),
        "is a payment, and its round is",
    ),
    "a-payment-of-nothing": (
        lambda: lines_of(of_club("payment").first()).update(amount=0),
        "is a payment between 0 parties",
    ),
    "a-batch-of-two-books": (
        lambda: of_evening("payment").update(batch=of_club("payment").first().batch),
        "was recorded at one tap with",
    ),
    "a-fee-in-a-batch": (lambda: entries("fee").update(batch=uuid4()), "is no payment, but was recorded with others"),
    "a-fee-taken-twice": (
        lambda: entries("fee").update(session=carried().session),
        "is closed, and its fee was taken 2 times",
    ),
    "a-fee-of-an-open-evening": (
        lambda: Session.objects.update(closed_at=None),
        "is open, and its fee was taken 1 times",
    ),
    "more-kept-as-open": (
        lambda: OpenBalance.objects.filter(amount__gt=0).update(amount=F("amount") + 1),
        r"\+640201 is kept as open of player \d+, it should be \+640200",
    ),
    "nothing-kept-as-open": (
        lambda: OpenBalance.objects.all().delete(),
        r"\+0 is kept as open of the house, it should be \+19800",
    ),
    "something-open-of-an-open-evening": (
        lambda: OpenBalance.objects.filter(player=None).update(session=Session.objects.get(closed_at=None)),
        r"\+19800 is kept as open of the house, it should be \+0",
    ),
    "a-line-of-a-stranger": (
        lambda: lines_of(of_club("payment").first()).filter(amount__gt=0).update(player=stranger()),
        r"club \d+, entry \d+: player .* is none of that club",
    ),
    "a-seat-of-a-stranger": (
        lambda: Seat.objects.filter(pk=Seat.objects.first().pk).update(player=stranger()),
        "player .* is none of the club",
    ),
    "a-stake-that-was-reached": (lambda: plan_stake(from_round=2), "a stake is planned from round 2, but round 3"),
    "a-stake-of-a-stranger": (
        lambda: plan_stake(from_round=9, a=Player.objects.get(name="Ana"), b=stranger()),
        "is of players without a seat there",
    ),
    "a-round-lost": (
        lambda: Round.objects.filter(number=3).update(number=4),
        "has 3 rounds, the last is round 4",
    ),
    "a-hand-lost": (
        lambda: Hand.objects.exclude(player__name="Ana").delete(),
        "has 1 hands",
    ),
    "two-hands-in-one-place": (lambda: Hand.objects.update(position=0), "has two hands in one place"),
    "a-card-twice": (
        lambda: Hand.objects.filter(player__name="Budi").update(front="As Qc Js"),
        "cannot be scored any more: .*As is also in the front of",
    ),
    "a-reversal-about-another-round": (
        lambda: entries("reversal").filter(round__isnull=False).update(round=None),
        "should come after entry .*, and about its round",
    ),
    "a-line-in-another-book": (
        lambda: lines_of(carried()).update(session=None),
        "line .*: carries another club or session",
    ),
}


def stranger() -> Player:
    return Player.objects.create(club=Club.objects.create(name="Minggu"), name="Eko")


def plan_stake(**terms: object) -> PlannedStake:
    session = Session.objects.get(closed_at=None)
    return PlannedStake.objects.create(session=session, club=session.club, stake=1, **terms)


def test_a_sound_book_of_a_club_passes(club_book):
    plan_stake(from_round=4)
    assert not faults()


def test_every_damage_of_an_evening_is_found_and_named(book):
    assert_found(DAMAGES)


def test_every_damage_of_the_clubs_book_is_found_and_named(club_book):
    assert_found(DAMAGES_OF_THE_CLUB)


def assert_found(damages: dict[str, tuple[Callable[[], object], str]]) -> None:
    """One after the other, each in a book that is sound but for it."""
    missed = {}
    for name, (damage, message) in damages.items():
        with transaction.atomic():
            damage()
            found = faults()
            transaction.set_rollback(True)
        if not re.search(message, found):
            missed[name] = found
    assert missed == {}
    assert not faults()


def test_a_row_of_another_club_is_found(book, club):
    other = type(club).objects.create(name="Jumat")
    Line.objects.filter(pk=Line.objects.first().pk).update(club=other)
    assert "carries another club" in faults()


def test_more_rounds_take_no_more_queries(book, score, django_assert_num_queries):
    with django_assert_num_queries(54):
        audit_ledger()
    for _more in range(5):
        score()
    with django_assert_num_queries(54):
        audit_ledger()


def test_the_audit_of_one_club_leaves_the_others_alone(book, club):
    other = type(club).objects.create(name="Jumat")
    Line.objects.filter(amount__gt=0).update(amount=1)
    assert audit_ledger(club).faults
    assert audit_ledger(other) == (0, 0, ())
