"""Two hosts at work on one evening: whatever comes first, nothing is lost, doubled, or changed unseen."""

from collections.abc import Callable
from itertools import permutations
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.forms.rules import RulesForm
from scoring.models import Entry, Session
from scoring.urls import urlpatterns

RULES = {"room_fee_basis": "session", "room_fee_percent": 10}


@pytest.fixture
def evening(session, score) -> Session:
    """Two rounds under a fee that is taken at the end."""
    session.ruleset_fields = session.ruleset_fields | RULES
    session.save()
    score()
    score()
    return session


def pay_all(session: Session, user) -> None:
    ledger.record_all_paid(session, ledger.all_paid_key(ledger.settlement(session)), user)


def pay_a_part(session: Session, user) -> None:
    claim = next(claim for claim in ledger.settlement(session).claims if claim.open and claim.payee)
    payer, payee = (session.players.get(pk=who) for who in (claim.payer, claim.payee))
    ledger.record_payment(session, payer, payee, 1, claim.key, user)


def adjust(session: Session, user) -> None:
    first, last = session.players.order_by("pk").values_list("pk", flat=True)[:4:3]
    ledger.record_adjustment(session, {first: 7, last: -7}, "Drinks", uuid4(), user)


def correct(session: Session, user) -> None:
    round_ = session.rounds.current().get(number=1)
    hands = {player: dict(fields) for player, fields in ledger.hands_of(round_).items()}
    next(iter(hands.values()))["declare"] = "pao"
    ledger.amend_round(round_, user, "Misset", hands)


def void(session: Session, user) -> None:
    ledger.void_round(session.rounds.current().get(number=2), user)


def close(session: Session, user) -> None:
    ledger.close_session(session, user)


def carry(session: Session, user) -> None:
    ledger.carry_over(session, user)


def reopen(session: Session, user) -> None:
    ledger.reopen_session(session, user)


def reprice(session: Session, user) -> None:
    terms = ledger.Terms(stakes={None: 2_500})
    seen = ledger.rounds_key(session, ledger.rescored(session, terms))
    ledger.rescore(session, terms, 1, seen, user, "Stakes changed", lambda: None)


STEPS: dict[str, Callable[[Session, object], None]] = {
    step.__name__: step for step in (pay_all, pay_a_part, adjust, correct, void, close, carry, reopen, reprice)
}
MEETINGS = [
    ("pay_all", "correct", "close", "reopen"),
    ("pay_a_part", "reprice", "void", "close"),
    ("close", "carry", "pay_all", "reopen"),
    ("adjust", "close", "carry", "pay_a_part"),
]
# Every third order of each: each step comes first, and each pair of them both ways round.
ORDERS = [order for meeting in MEETINGS for order in list(permutations(meeting))[::3]]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_whatever_comes_first_the_book_holds(evening, rudi, order) -> None:
    for name in order:
        evening.refresh_from_db()
        before = ledger.balances(evening)
        entries = evening.entries.count()
        try:
            STEPS[name](evening, rudi)
        except (ledger.LedgerError, StopIteration):
            assert ledger.balances(evening) == before  # refused whole
            assert evening.entries.count() == entries
        evening.refresh_from_db()
        settled = ledger.settlement(evening)
        assert settled.gap == 0
        assert sum(settled.won.values()) == 0
        for transfer in settled.plan.transfers:
            assert transfer.amount > 0
    assert not audit_ledger().faults
    _all_paid_leaves_nothing(evening, rudi)


def _all_paid_leaves_nothing(evening: Session, rudi) -> None:
    """What is open by the plan is all that is open, in the evening or in its club."""
    book: ledger.Book = evening
    if not evening.is_open and ledger.standing_carry_over(evening):
        book = ledger.ClubBook(evening.club, evening.currency)
    for direct in (True, False):
        due = ledger.settlement(book, direct=direct)
        if due.plan.transfers:
            ledger.record_all_paid(book, ledger.all_paid_key(due), rudi, direct=direct)
        assert not any(ledger.settlement(book).balances.values())
    assert not audit_ledger().faults


@pytest.mark.parametrize("first", ["rules", "round"])
def test_one_changes_the_rules_while_the_other_corrects_a_round(host, evening, rudi, first) -> None:
    """The page that was drawn before shows what would change now, and nothing of its own is written."""
    url = reverse("session-rules", args=[evening.pk])
    form = RulesForm.of(evening.ruleset, evening.preset, evening.ruleset)
    changed = {**form.data, "super_multiplier": "8"}
    preview = host.post(url, changed).context["preview"]
    answer = {**changed, "scored": "again", "seen": preview.key, "shown_from": "1", "again_from": "1"}
    round_ = evening.rounds.current().get(number=1)
    if first == "round":
        correct(evening, rudi)
        rounds = evening.rounds.count()
        assert host.post(url, answer).status_code == 409
        assert evening.rounds.count() == rounds
        return
    assert host.post(url, answer).status_code == 302
    sums = ledger.totals(evening)
    with pytest.raises(ledger.StaleError):
        ledger.amend_round(round_, rudi, "Misset", {**ledger.hands_of(round_)}, key=uuid4())
    assert ledger.totals(evening) == sums


NONSENSE = {
    "empty": "",
    "minus": "-1",
    "huge": "9" * 40,
    "no-digit": "²",
    "nul": "\x00",
    "script": "<script>alert(1)</script>",
}
FIELDS = (
    "key amount payer payee note from_round stake drawn_for again_from shown_from look seen current reason sessions "
    "players rounds_planned date place notes paid_by shared_by version drawn rest plan scored name names"
).split()
WITH_MONEY = [
    pattern
    for pattern in urlpatterns
    if str(pattern.name).startswith(("pay", "club-pay", "club-carry", "carry", "entry", "adjustment", "stakes"))
    or pattern.name in ("session-settings", "session-rules", "round-amend-save", "round-amend-difference", "round-void")
    or pattern.name in ("round-bring-back", "planned-stake-withdraw")
]


@pytest.mark.parametrize("sent", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_in_a_form_moves_no_money(host, evening, sent) -> None:
    before = list(evening.lines.order_by("pk").values_list("player", "amount"))
    kept = {"pk": evening.pk, "currency": "IDR"}
    for pattern in WITH_MONEY:
        if pattern.name == "round-void":
            continue  # a reason is all it takes
        names = pattern.pattern.converters
        for pk in (evening.pk, evening.entries.latest("pk").pk, 2**70):
            url = reverse(str(pattern.name), kwargs={name: (kept | {"pk": pk})[name] for name in names})
            answer = host.post(url, dict.fromkeys(FIELDS, sent))
            assert answer.status_code in (302, 404, 409, 422), (url, answer.status_code)
    assert list(evening.lines.order_by("pk").values_list("player", "amount")) == before
    assert not Entry.objects.filter(session=None).exists()
