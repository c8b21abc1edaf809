"""Random evenings against a simple model of the book: `python -m tests.torture evenings [--examples 300]`.

People join and leave, rounds are played, voided, restored, corrected and brought back, stakes change now and later,
money is adjusted and paid and taken back, evenings are closed, reopened and carried over to the club. After every step
the balances agree with the model; at the end the audit is clean. What is refused changes nothing.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import combinations
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import QueryDict
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring import ledger
from scoring.audit import audit_ledger
from scoring.forms.seats import SeatsForm, seat_players
from scoring.ledger.book import lock_session
from scoring.models import Club, Entry, Host, PlannedStake, Player, Round, Session
from tests.conftest import SUPER
from tests.torture import model
from tests.torture.installation import database_name

NAMES = ("Ana", "Budi", "Citra", "Dewi", "Eka", "Fajar")
STAKES = st.sampled_from([0, 1, 500, 10_000, 12_345])
INDEX = st.integers(0, 10**6)
ORDER = st.permutations(range(4))
HANDS = [dict(zip(("front", "middle", "back"), text.split(" / "), strict=True)) for text in SUPER]


def _is_open(machine: "Evenings") -> bool:
    return machine.evening.is_open


def _has_rounds(machine: "Evenings") -> bool:
    return machine.evening.is_open and bool(machine.evening.rounds)


def _has_corrected(machine: "Evenings") -> bool:
    return machine.evening.is_open and any(len(round_.versions) > 1 for round_ in machine.evening.rounds)


def _can_pay(machine: "Evenings") -> bool:
    return not machine.evening.carried


class Evenings(RuleBasedStateMachine):
    """Two evenings of a club, one of them at hand. Rows of the model and of the book stand at the same place in their
    lists."""

    def __init__(self) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.user = User.objects.create_user("rudi")
        self.club = Club.objects.create(name="Kamis Malam", currency="IDR", stake=10_000)
        Host.objects.create(club=self.club, user=self.user, role=Host.Role.OWNER)
        self.players = [Player.objects.create(club=self.club, name=name) for name in NAMES]
        self.sessions: list[Session] = []
        self.evenings: list[model.Evening] = []
        self.club_model = model.Club(self.evenings)
        self.payments: dict[int | None, list[Entry]] = {0: [], 1: [], None: []}  # by evening, None the club
        self.adjustments: dict[int, list[Entry]] = {0: [], 1: []}
        self.now = 0

    @initialize(fees=st.lists(st.tuples(st.sampled_from([0, 3, 10]), st.booleans()), min_size=2, max_size=2))
    def sit_down(self, fees: list[tuple[int, bool]]) -> None:
        for percent, at_end in fees:
            rules = {"room_fee_percent": percent, "room_fee_basis": "session" if at_end else "round"}
            session = Session.objects.create(
                club=self.club,
                date=date(2026, 11, 26),
                currency=self.club.currency,
                stake=self.club.stake,
                ruleset_fields={**self.club.ruleset_fields, **rules},
            )
            seat_players(session, self.players[:4])
            self.sessions.append(session)
            evening = model.Evening(self.club.stake, percent, at_end)
            evening.seat({player.pk for player in self.players[:4]})
            self.evenings.append(evening)

    def teardown(self) -> None:
        try:
            faults = audit_ledger().faults
            assert not faults, "\n".join(map(str, faults))
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    @invariant()
    def the_book_agrees(self) -> None:
        for session, evening in zip(self.sessions, self.evenings, strict=True):
            assert model.without_zeros(ledger.totals(session)) == model.without_zeros(evening.won)
            assert model.without_zeros(ledger.balances(session)) == model.without_zeros(evening.balances)
        club = ledger.ClubBook(self.club, self.club.currency)
        assert model.without_zeros(ledger.balances(club)) == model.without_zeros(self.club_model.balances)

    # ---------------------------------------------------------------- what is at hand

    @property
    def session(self) -> Session:
        return Session.objects.get(pk=self.sessions[self.now].pk)

    @property
    def evening(self) -> model.Evening:
        return self.evenings[self.now]

    def round(self, index: int) -> tuple[int, model.Round, Round]:
        """One of the rounds: its place, as the model has it, and the version of it that counts."""
        place = index % len(self.evening.rounds)
        current = Round.objects.current().get(session=self.session, number=place + 1)
        return place, self.evening.rounds[place], current

    def held(self, order: Sequence[int], number: int, among: Sequence[int]) -> dict[int, int]:
        """So many players out of `among`, by turns, and which of the four hands each holds."""
        first = order[0] % len(among)
        players = [*among[first:], *among[:first]][:number]
        return dict(zip(players, order, strict=False))

    def laid(self, hands: Mapping[int, int]) -> dict[Player, dict[str, str]]:
        return {player: HANDS[hands[player.pk]] for player in self.players if player.pk in hands}

    @rule()
    def turn_to_the_other_evening(self) -> None:
        self.now = 1 - self.now

    # ---------------------------------------------------------------- seats and rounds

    @precondition(_is_open)
    @rule(staying=st.sets(st.integers(0, len(NAMES) - 1), min_size=2))
    def come_and_go(self, staying: set[int]) -> None:
        players = [self.players[place] for place in sorted(staying)]
        sent = QueryDict(mutable=True)
        sent.setlist("players", [player.pk for player in players])
        sent["version"] = str(self.session.version)
        form = SeatsForm(sent, session=self.session)
        assert form.is_valid(), form.errors
        form.save(self.user)
        self.evening.seat({player.pk for player in players})

    @precondition(_is_open)
    @rule(order=ORDER, number=st.integers(2, 4), rounds=st.integers(1, 3))
    def play(self, order: list[int], number: int, rounds: int) -> None:
        for turn in range(rounds):
            self._play(self.held([*order[turn:], *order[:turn]], number, sorted(self.evening.present)))

    def _play(self, hands: Mapping[int, int]) -> None:
        laid = self.laid(hands)
        round_ = ledger.open_round(self.session, list(laid))
        for hand in round_.hands.all():
            ledger.keep_hand(hand, laid[hand.player], hand.version)
        assert ledger.record_round(round_, self.user) == ledger.record_round(round_, self.user)
        self.evening.play(hands)

    @precondition(_has_rounds)
    @rule(index=INDEX)
    def void_or_restore(self, index: int) -> None:
        _place, known, round_ = self.round(index)
        (ledger.restore_round if known.is_voided else ledger.void_round)(round_, self.user)
        known.is_voided = not known.is_voided

    @precondition(_has_rounds)
    @rule(index=INDEX, order=ORDER, number=st.integers(2, 4), stake=st.none() | STAKES)
    def correct(self, index: int, order: list[int], number: int, stake: int | None) -> None:
        place, known, round_ = self.round(index)
        hands = self.held(order, number, sorted(self.evening.seated))
        if known.is_voided:
            self.refuse(lambda: ledger.amend_round(round_, self.user, "Misread", self.laid(hands)))
            return
        ledger.amend_round(round_, self.user, "Misread", self.laid(hands), stake=stake)
        self.evening.amend(place, hands, stake)

    @precondition(_has_corrected)
    @rule(index=INDEX, older=INDEX)
    def bring_back(self, index: int, older: int) -> None:
        corrected = [place for place, round_ in enumerate(self.evening.rounds) if len(round_.versions) > 1]
        place, known, round_ = self.round(corrected[index % len(corrected)])
        version = older % (len(known.versions) - 1)
        stored = Round.objects.filter(session=self.session, number=place + 1).order_by("pk")[version]
        if known.is_voided:
            self.refuse(lambda: ledger.bring_back(stored, round_, self.user))
            return
        ledger.bring_back(stored, round_, self.user)
        self.evening.bring_back(place, version)

    # ---------------------------------------------------------------- stakes

    @precondition(_is_open)
    @rule(pair=st.none() | INDEX, stake=STAKES, later=st.integers(0, 2))
    def change_stake(self, pair: int | None, stake: int, later: int) -> None:
        pairs = list(combinations(sorted(self.evening.seated), 2))
        chosen = None if pair is None else pairs[pair % len(pairs)]
        self._change_stake(chosen, stake, len(self.evening.rounds) + 1 + later)

    @precondition(lambda self: self.evening.is_open and self.evening.own)
    @rule(index=INDEX, later=st.integers(0, 2))
    def drop_the_stake_of_a_pair(self, index: int, later: int) -> None:
        pair = sorted(self.evening.own)[index % len(self.evening.own)]
        self._change_stake(pair, None, len(self.evening.rounds) + 1 + later)

    def _change_stake(self, pair: model.Pair | None, stake: int | None, from_round: int) -> None:
        with transaction.atomic():
            ledger.change_stakes(lock_session(self.session.pk), {pair: stake}, from_round, self.user)
        self.evening.change_stake(pair, stake, from_round)

    @precondition(lambda self: self.evening.is_open and self.evening.plans)
    @rule(index=INDEX)
    def withdraw_a_plan(self, index: int) -> None:
        start, pair = list(self.evening.plans)[index % len(self.evening.plans)]
        a, b = pair or (None, None)
        ledger.withdraw_stake(PlannedStake.objects.get(session=self.session, from_round=start, a=a, b=b), self.user)
        del self.evening.plans[start, pair]

    # ---------------------------------------------------------------- money

    @precondition(_can_pay)
    @rule(index=INDEX, part=st.integers(1, 4), direct=st.booleans())
    def pay(self, index: int, part: int, direct: bool) -> None:
        self._pay(self.session, self.now, index, part, direct)

    @rule(index=INDEX, part=st.integers(1, 4))
    def pay_in_the_club(self, index: int, part: int) -> None:
        self._pay(ledger.ClubBook(self.club, self.club.currency), None, index, part, direct=False)

    def _pay(self, book: ledger.Book, place: int | None, index: int, part: int, direct: bool) -> None:
        """Part of what is open in one row of the plan; the tap arrives twice. More than that is refused."""
        due = [claim for claim in ledger.settlement(book, direct=direct).claims if claim.open]
        if not due:
            return
        claim = due[index % len(due)]
        amount = max(claim.open // part, 1)
        named: dict[int | None, Player] = {player.pk: player for player in self.players}
        payer, payee = named.get(claim.payer), named.get(claim.payee)
        over = claim.open + 1
        self.refuse(lambda: ledger.record_payment(book, payer, payee, over, uuid4(), self.user, direct=direct))
        first, second = (
            ledger.record_payment(book, payer, payee, amount, claim.key, self.user, direct=direct) for _tap in range(2)
        )
        assert first == second
        self._note_payment(place, first, {claim.payer: amount, claim.payee: -amount})

    def _note_payment(self, place: int | None, entry: Entry, amounts: Mapping[int | None, int]) -> None:
        self.payments[place].append(entry)
        book = self.club_model if place is None else self.evenings[place]
        book.payments.append(model.Moved(amounts))

    @precondition(_can_pay)
    @rule(direct=st.booleans())
    def pay_all(self, direct: bool) -> None:
        """What is open before a room fee that is still to come; nothing is open then."""
        due = ledger.settlement(self.session, direct=direct)
        if not due.plan.transfers:
            return
        key = ledger.all_paid_key(due)
        entries = ledger.record_all_paid(self.session, key, self.user, direct=direct)
        assert entries == ledger.record_all_paid(self.session, key, self.user, direct=direct)
        for entry, claim in zip(entries, (claim for claim in due.claims if claim.open), strict=True):
            self._note_payment(self.now, entry, {claim.payer: claim.open, claim.payee: -claim.open})
        assert not ledger.settlement(self.session, direct=direct).plan.transfers

    @precondition(lambda self: _can_pay(self) and self.payments[self.now])
    @rule(index=INDEX)
    def take_back_a_payment(self, index: int) -> None:
        self._take_back(index, self.payments[self.now], self.evening.payments, ledger.reverse_payment)

    @precondition(lambda self: self.payments[None])
    @rule(index=INDEX)
    def take_back_a_payment_in_the_club(self, index: int) -> None:
        self._take_back(index, self.payments[None], self.club_model.payments, ledger.reverse_payment)

    @precondition(_is_open)
    @rule(amounts=st.lists(st.integers(-50_000, 50_000).filter(bool), min_size=1, max_size=4))
    def adjust(self, amounts: list[int]) -> None:
        """By hand, the house takes the rest; what does not sum to zero is refused."""
        lines: dict[int | None, int] = dict(zip(sorted(self.evening.seated), amounts, strict=False))
        if sum(lines.values()):
            self.refuse(lambda: ledger.record_adjustment(self.session, lines, "Drinks", uuid4(), self.user))
            lines[None] = -sum(lines.values())
        entry = ledger.record_adjustment(self.session, lines, "Drinks", uuid4(), self.user)
        self.adjustments[self.now].append(entry)
        self.evening.adjustments.append(model.Moved(lines))

    @precondition(lambda self: self.evening.is_open and self.adjustments[self.now])
    @rule(index=INDEX)
    def take_back_an_adjustment(self, index: int) -> None:
        entries = self.adjustments[self.now]
        self._take_back(index, entries, self.evening.adjustments, ledger.reverse_adjustment)

    def _take_back(
        self, index: int, entries: list[Entry], moved: list[model.Moved], reverse: Callable[[Entry, User], Entry]
    ) -> None:
        place = index % len(entries)
        entry = Entry.objects.get(pk=entries[place].pk)
        assert reverse(entry, self.user) == reverse(entry, self.user)
        moved[place].stands = False

    # ---------------------------------------------------------------- the end of an evening

    @precondition(_is_open)
    @rule()
    def close(self) -> None:
        ledger.close_session(self.session, self.user)
        self.evening.close()

    @precondition(lambda self: not self.evening.is_open)
    @rule(hands=ORDER)
    def reopen(self, hands: list[int]) -> None:
        self.refuse(lambda: ledger.open_round(self.session, self.players[:4]))
        ledger.reopen_session(self.session, self.user)
        self.evening.reopen()

    @precondition(lambda self: not self.evening.is_open)
    @rule()
    def carry_over(self) -> None:
        """Carry over what is open, or back what was."""
        standing = ledger.standing_carry_over(self.session)
        if standing:
            ledger.take_back_carry_over(standing, self.user)
            self.evening.carried = {}
            return
        open_amounts = model.without_zeros(self.evening.balances)
        if not open_amounts:
            self.refuse(lambda: ledger.carry_over(self.session, self.user))
            return
        ledger.carry_over(self.session, self.user)
        self.evening.carried = open_amounts

    def refuse(self, work: Callable[[], object]) -> None:
        """The book says no; that nothing changed is seen by the invariant."""
        with pytest.raises(ledger.LedgerError):
            work()


def play_evenings(examples: int, steps: int, *, in_short: bool) -> None:
    """So many examples of so many steps. Raises AssertionError where the book and the model disagree, with the steps
    that lead there: as they came, and the same ones each time, `in_short`, else the fewest that do."""
    run_state_machine_as_test(
        Evenings,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=in_short,
            phases=[Phase.generate] if in_short else [Phase.generate, Phase.shrink],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def main(arguments: Sequence[str]) -> str:
    """Runs it; gives a sentence with the figures."""
    parser = ArgumentParser(prog="python -m tests.torture evenings")
    parser.add_argument("--examples", type=int, default=300)
    examples = parser.parse_args(arguments).examples
    play_evenings(examples, 50, in_short=False)
    return f"{examples} pairs of evenings on {database_name()}: every balance as the model has it, audit clean."
