"""A round with rows told in words: how its rows compare, what must still be told, and what cannot be (RULES 9)."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from scoring.engine.cards import RANKS, Card
from scoring.engine.errors import ScoringError, gettext_noop, shown
from scoring.engine.hand_input import PLAYED, HandInput, RoundError, Standing, row_strengths
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.told import Proof, RowStrength, can_tie, compare_rows, needed_place, proven_cards, shared_rank

_NEEDED = gettext_noop("needed: %(needs)s")
_TOO_FEW_CARDS = gettext_noop("one deck has not enough cards of rank %(rank)s for this row and that of %(other)s")
_NO_TIE = gettext_noop("no tie is possible against %(other)s: the suit decides")
_DECIDED_OTHERWISE = gettext_noop("what is told decides this row otherwise against %(other)s")
_GOING_ROUND = gettext_noop("the results given for this row contradict each other")
_NOT_A_ROW = gettext_noop("expected a row, not %(got)s")
_NOT_A_PAIR = gettext_noop("expected two players of this round, not %(got)s")
_NOT_A_RESULT = gettext_noop("expected 1, 0 or -1 as the result, not %(got)s")
_ANSWERED_TWICE = gettext_noop("the %(other_row)s of these two players has a result already")


class Need(NamedTuple):
    """What must be told before a round can be scored: of a player's row the next "rank", or its "suit"."""

    who: Hashable
    row: str
    place: str


class Won(NamedTuple):
    """The result of a row for `a` against `b` (1, 0, -1), from the host in place of what is needed to find it."""

    row: str
    a: Hashable
    b: Hashable
    result: int


class Undecided(NamedTuple):
    """A row of two players, in table order, that what is told does not decide, and whether a tie is possible there."""

    row: str
    a: Hashable
    b: Hashable
    can_tie: bool


class RoundNeeds(ScoringError):
    """A round in which too little is told; `needs` is everything that is needed, in table order, and `undecided` the
    rows whose results would do as well."""

    def __init__(self, needs: Sequence[Need], undecided: Sequence[Undecided]) -> None:
        self.needs = tuple(needs)
        self.undecided = tuple(undecided)
        super().__init__(_NEEDED, needs=", ".join(f"{need.who}: {need.place} of the {need.row}" for need in needs))


Place = tuple[str, int, int]
"""Where two rows meet: the row and the numbers of two hands, the lower one first."""


def resolve_told_rows(
    hands: Sequence[HandInput], standings: Sequence[Standing], won: Sequence[Won], ruleset: Ruleset
) -> tuple[list[Standing], frozenset[Place]]:
    """The standings in which every row that is compared has, in place of its strength, the number of rows that it
    beats, so that rows compare as they are told and answered; and the places that the host's results decided.

    Raises RoundNeeds where too little is told, RoundError for what cannot be.
    """
    answers = _read_answers(hands, won)
    playing = [number for number, standing in enumerate(standings) if standing[0] == PLAYED]
    strengths = {
        (row, number): strength for number in playing for row, strength in row_strengths(hands[number], ruleset).items()
    }
    told = {
        (row, one, other): compare_rows(strengths[row, one], strengths[row, other])
        for row in ROWS
        for one, other in combinations(playing, 2)
    }
    _refuse_impossible_equals(told, strengths, hands, ruleset)
    for place, result in told.items():
        if place in answers:
            _refuse_false_answer(place, answers[place], result, strengths, hands, ruleset)
    undecided = frozenset(place for place, result in told.items() if result is None)
    _refuse_needs(undecided - answers.keys(), strengths, hands, ruleset)
    results = {place: answers[place] if result is None else result for place, result in told.items()}
    return _in_order(hands, standings, results), undecided


def _refuse_needs(
    undecided: Collection[Place],
    strengths: Mapping[tuple[str, int], RowStrength],
    hands: Sequence[HandInput],
    ruleset: Ruleset,
) -> None:
    """Raise RoundNeeds with everything that is needed at these places, in the order of the table."""
    needed = set()
    for row, one, other in undecided:
        name, from_one, from_other = needed_place(strengths[row, one], strengths[row, other])
        needed |= {(number, row, name) for number, is_needed in ((one, from_one), (other, from_other)) if is_needed}
    if needed:
        in_order = sorted(needed, key=lambda need: (need[0], ROWS.index(need[1])))
        raise RoundNeeds(
            [Need(hands[number].who, row, name) for number, row, name in in_order],
            [
                Undecided(row, hands[one].who, hands[other].who, can_tie(strengths[row, one], ruleset))
                for row, one, other in sorted(undecided, key=lambda place: (ROWS.index(place[0]), *place[1:]))
            ],
        )


def _in_order(
    hands: Sequence[HandInput], standings: Sequence[Standing], results: Mapping[Place, int]
) -> list[Standing]:
    """The standings with the number of rows that each row beats. Raises RoundError where the results go round: only
    those of a host can."""
    beaten = {(row, number): 0 for row in ROWS for number in range(len(hands))}
    for (row, one, other), result in results.items():
        if result:
            beaten[row, one if result > 0 else other] += 1
    for (row, one, other), result in results.items():
        difference = beaten[row, one] - beaten[row, other]
        if (difference > 0) - (difference < 0) != result:
            raise RoundError(hands[one].who, row, _GOING_ROUND)
    return [
        (standing[0], beaten["front", number], beaten["middle", number], beaten["back", number], *standing[4:])
        for number, standing in enumerate(standings)
    ]


def _read_answers(hands: Sequence[HandInput], won: Sequence[Won]) -> dict[Place, int]:
    """The host's results by their place. Raises RoundError for one that is no result of this round."""
    numbers = {hand.who: number for number, hand in enumerate(hands)}
    answers: dict[Place, int] = {}
    for row, a, b, result in won:
        if row not in ROWS:
            raise RoundError(None, "won", _NOT_A_ROW, got=shown(row))
        if a == b or a not in numbers or b not in numbers:
            raise RoundError(None, "won", _NOT_A_PAIR, got=f"{a} – {b}")
        if result not in (1, 0, -1) or isinstance(result, bool):
            raise RoundError(None, "won", _NOT_A_RESULT, got=shown(result))
        one, other = sorted((numbers[a], numbers[b]))
        if (row, one, other) in answers:
            raise RoundError(None, "won", _ANSWERED_TWICE, other_row=row)
        answers[row, one, other] = result if one == numbers[a] else -result
    return answers


def _refuse_false_answer(
    place: Place,
    answer: int,
    result: int | None,
    strengths: Mapping[tuple[str, int], RowStrength],
    hands: Sequence[HandInput],
    ruleset: Ruleset,
) -> None:
    """Raise RoundError where what is told decides otherwise, or where no two such rows can be equal."""
    row, one, other = place
    if result not in (None, answer):
        raise RoundError(hands[one].who, row, _DECIDED_OTHERWISE, other=hands[other].who)
    if answer == 0 and not can_tie(strengths[row, one], ruleset):
        raise RoundError(hands[one].who, row, _NO_TIE, other=hands[other].who)


def _refuse_impossible_equals(
    told: Mapping[Place, int | None],
    strengths: Mapping[tuple[str, int], RowStrength],
    hands: Sequence[HandInput],
    ruleset: Ruleset,
) -> None:
    """Raise RoundError where rows are told to be equal and one deck has not the cards for that."""
    equals: dict[tuple[str, int], set[int]] = defaultdict(set)
    for (row, one, other), result in told.items():
        rank = shared_rank(strengths[row, one], strengths[row, other])
        if rank is not None:
            raise _too_few_cards(row, rank, hands[one], hands[other])
        if result == 0:
            equals[row, one].add(other)
            equals[row, other].add(one)
    laid = {card for hand in hands for card in hand.all_cards}
    for (row, number), others in equals.items():
        proofs = [proof for member in (number, *others) for proof in _proofs(hands[member], row, ruleset)]
        rank = _missing_rank(proofs, laid)
        if rank is not None:
            raise _too_few_cards(row, rank, hands[number], hands[min(others)])


def _too_few_cards(row: str, rank: int, hand: HandInput, other: HandInput) -> RoundError:
    return RoundError(hand.who, row, _TOO_FEW_CARDS, rank=RANKS[rank], other=other.who)


def _proofs(hand: HandInput, row: str, ruleset: Ruleset) -> list[Proof]:
    """What a row proves about cards that are not laid."""
    told = (hand.told or {}).get(row)
    return list(proven_cards(told, row, ruleset)) if told else []


def _missing_rank(proofs: Sequence[Proof], laid: Collection[Card]) -> int | None:
    """The rank of which too few cards are left for everything that is proven, if there is one."""
    for rank in {proof.rank for proof in proofs}:
        suits = frozenset(suit for suit in range(4) if rank * 4 + suit not in laid)
        if not _can_hold(suits, [proof for proof in proofs if proof.rank == rank]):
            return rank
    return None


def _can_hold(suits: frozenset[int], proofs: Sequence[Proof]) -> bool:
    """Whether cards of one rank in these suits can be shared out so that everything proven is true."""
    if not proofs:
        return True
    first, *rest = proofs
    return any(
        _can_hold(suits.difference(chosen), rest)
        for chosen in combinations(sorted(suits), first.cards)
        if first.highest in (None, chosen[-1])
    )
