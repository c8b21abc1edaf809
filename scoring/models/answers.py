"""The host's results for rows of which too little is told (RULES 9), as they are kept with a round."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.engine.cards import format_cards
from scoring.engine.rounds import HandInput, RoundNeeds, Undecided, Won, score_points
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.told import Told
from scoring.engine.words import format_told, parse_row

LONGEST_ROW = 200  # of a row's text, as it is kept


class Answer(NamedTuple):
    """Who wins a row of two players, by their keys: 1 `a`, -1 `b`, 0 a tie; None takes an answer back.

    `told` is what the two rows were told to be, in the order of the players. The answer holds as long as each of them
    is that or more: a row that is told anew is another row.
    """

    row: str
    a: int
    b: int
    result: int | None
    told: tuple[str, str]

    @classmethod
    def from_text(cls, text: str) -> "Answer":
        """The answer that `as_text` wrote, from a page where anybody may have changed it.

        Raises:
            ValueError: it was changed to something that is no answer.
        """
        try:
            row, a, b, result, told = json.loads(text)
            one, other = (part[:LONGEST_ROW] for part in told)
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError("not an answer") from error
        is_sound = type(a) is type(b) is int and isinstance(one, str) and isinstance(other, str)
        if row not in ROWS or not is_sound or type(result) not in (int, type(None)) or result not in (1, 0, -1, None):
            raise ValueError("not an answer")
        return cls(row, a, b, result, (one, other))

    def as_text(self) -> str:
        """The answer as one text, for a button."""
        return json.dumps(self)

    @property
    def place(self) -> tuple[str, frozenset[int]]:
        """The row of two players that it is about: there is one answer for each."""
        return self.row, frozenset((self.a, self.b))

    @property
    def won(self) -> Won:
        """The result as the engine takes it."""
        if self.result is None:
            raise ValueError("an answer that is taken back is no result")
        return Won(self.row, self.a, self.b, self.result)


def with_answer(answers: Sequence[Answer], answer: Answer) -> list[Answer]:
    """The answers after one more: for each place the last word counts, and one that is taken back is gone."""
    others = [other for other in answers if other.place != answer.place]
    return others if answer.result is None else [*others, answer]


def deciding(answers: Sequence[Answer], hands: Sequence[HandInput], ruleset: Ruleset) -> list[Answer]:
    """Those of the answers on which the score of the hands depends.

    Raises:
        RoundError: the hands are no round.
    """
    if not answers:
        return []
    try:
        score_points(hands, ruleset)
    except RoundNeeds as needs:
        open_places = {(row, frozenset((a, b))) for row, a, b, _can_tie in needs.undecided}
        laid = {hand.who: hand for hand in hands}
        return [one for one in answers if one.place in open_places and _holds(one, laid, ruleset)]
    return []


def answers_for(undecided: Undecided, hands: Mapping[Any, HandInput]) -> list[Answer]:
    """What the host may answer about a row that is undecided: the first wins it, nobody, the second."""
    row, a, b, can_tie = undecided
    told = (row_as_text(hands[a], row), row_as_text(hands[b], row))
    return [Answer(row, a, b, result, told) for result in (1, 0, -1) if result or can_tie]  # type: ignore[arg-type]  # here players go by their keys


def row_as_text(hand: HandInput, row: str) -> str:
    """A row in its canonical text: its cards, or the words in which it is told; empty where there is nothing."""
    told = (hand.told or {}).get(row)
    return format_told(told) if told else format_cards(hand.row(row))


def _holds(answer: Answer, hands: Mapping[Any, HandInput], ruleset: Ruleset) -> bool:
    return all(
        _is_still(hands[who], answer.row, text, ruleset)
        for who, text in zip((answer.a, answer.b), answer.told, strict=True)
    )


def _is_still(hand: HandInput, row: str, text: str, ruleset: Ruleset) -> bool:
    """Whether a row is what it was, or the same told in more detail."""
    now = (hand.told or {}).get(row)
    if now is None or text == format_told(now):
        return text == row_as_text(hand, row)
    try:
        before = parse_row(text, row, ruleset)
    except ValueError:
        return False
    return isinstance(before, Told) and _adds_to(before, now)


def _adds_to(before: Told, now: Told) -> bool:
    return (
        now.category == before.category
        and now.ranks[: len(before.ranks)] == before.ranks
        and before.suit in (None, now.suit)
    )
