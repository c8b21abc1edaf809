"""`manage.py audit_ledger`: a sound book passes, and every way of damaging it is found and named."""

import re
from collections.abc import Callable
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.models import Entry, Hand, Line, PairScore, Round, Seat, Session


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


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damage_is_found_and_named(book, damage, message):
    damage()
    assert re.search(message, faults())


def test_a_row_of_another_club_is_found(book, club):
    other = type(club).objects.create(name="Jumat")
    Line.objects.filter(pk=Line.objects.first().pk).update(club=other)
    assert "carries another club" in faults()


def test_more_rounds_take_no_more_queries(book, score, django_assert_num_queries):
    with django_assert_num_queries(50):
        audit_ledger()
    for _more in range(5):
        score()
    with django_assert_num_queries(50):
        audit_ledger()


def test_the_audit_of_one_club_leaves_the_others_alone(book, club):
    other = type(club).objects.create(name="Jumat")
    Line.objects.filter(amount__gt=0).update(amount=1)
    assert audit_ledger(club).faults
    assert audit_ledger(other) == (0, 0, ())
