"""What the host is asked where rows tell too little (RULES 9): the next rank or the suit of a row, or who wins it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import wording
from scoring.engine.cards import RANKS, SUITS
from scoring.engine.errors import ScoringError
from scoring.engine.rounds import HandInput, Need, RoundNeeds, Undecided
from scoring.engine.rules import Ruleset
from scoring.engine.told import Told, checked
from scoring.engine.words import parse_row
from scoring.models import Hand
from scoring.models.answers import Answer, answers_for

_WHEEL_TOP = RANKS.index("5")

_NEXT_CARD = gettext_lazy("Next card beside it?")
_FIFTH_CARD = gettext_lazy("Fifth card?")
# By category and the number of ranks that are told; the last text also stands for every further rank.
_RANK_QUESTIONS: Mapping[str, tuple[Promise, ...]] = {
    "high_card": (gettext_lazy("Highest card?"), gettext_lazy("Next card?")),
    "pair": (gettext_lazy("Pair of which rank?"), _NEXT_CARD),
    "two_pair": (gettext_lazy("The higher pair?"), gettext_lazy("The lower pair?"), _FIFTH_CARD),
    "three_of_a_kind": (gettext_lazy("Three of which rank?"), _NEXT_CARD),
    "straight": (gettext_lazy("Top card of the straight?"),),
    "flush": (
        gettext_lazy("Highest card of the flush?"),
        gettext_lazy("Next card of the flush?"),
    ),
    "full_house": (gettext_lazy("Full house: three of which rank?"), gettext_lazy("Full house: the pair?")),
    "four_of_a_kind": (gettext_lazy("Four of which rank?"), _FIFTH_CARD),
    "straight_flush": (gettext_lazy("Top card of the straight flush?"),),
}
_SUIT_QUESTIONS: Mapping[str, Promise] = {
    "high_card": gettext_lazy("Suit of its highest card?"),
    "pair": gettext_lazy("Suit of the better card of the pair?"),
    "two_pair": gettext_lazy("Suit of the better card of the higher pair?"),
    "straight": gettext_lazy("Suit of its top card?"),
    "flush": gettext_lazy("Suit of the flush?"),
    "straight_flush": gettext_lazy("Suit of the straight flush?"),
    "royal_flush": gettext_lazy("Suit of the royal flush?"),
}
_ANY_SUIT = gettext_lazy("Suit of its best card?")
_WHEEL_BY_ITS_ACE = gettext_lazy("Suit of its ace?")


class Choice(NamedTuple):
    """A button that answers: what it says, what it is called for those who hear the page, and what it sends."""

    label: str
    name: str
    value: str
    suit: str = ""


class RowQuestion(NamedTuple):
    """A rank or suit that is asked of one row. `field` is the field of the row: a choice sends the row completed."""

    hand: Hand
    row: str
    field: str
    text: str
    choices: list[Choice]
    is_suit: bool

    @property
    def label(self) -> str:
        return str(wording.row_name(self.row))


class DuelQuestion(NamedTuple):
    """A row of two players, and who may have won it."""

    row: str
    names: tuple[str, str]
    choices: list[Choice]

    @property
    def label(self) -> str:
        return str(wording.row_name(self.row))


class Answered(NamedTuple):
    """What the host said about a row, and what a button sends to take it back."""

    text: str
    value: str


class Questions(NamedTuple):
    """Everything that is asked about a round: each row by itself, and pair by pair what would do as well."""

    rows: list[RowQuestion]
    duels: list[DuelQuestion]


def questions(
    needs: RoundNeeds, hands: Mapping[Any, Hand], laid: Mapping[Any, HandInput], ruleset: Ruleset
) -> Questions:
    """The questions of a round; `hands` and `laid` are its hands as typed and as read, by the players' keys."""
    return Questions(
        [_row_question(need, hands[need.who], laid[need.who], ruleset) for need in needs.needs],
        [_duel_question(undecided, hands, laid) for undecided in needs.undecided],
    )


def answered(answer: Answer, names: Mapping[Any, str]) -> Answered:
    """What the host said, in words."""
    winner, loser = (answer.a, answer.b) if answer.result != -1 else (answer.b, answer.a)
    parts = {"row": wording.row_name(answer.row), "winner": names[winner], "loser": names[loser]}
    text = (
        _("%(row)s: %(winner)s wins against %(loser)s") if answer.result else _("%(row)s: %(winner)s and %(loser)s tie")
    )
    return Answered(text % parts, answer._replace(result=None).as_text())


def _row_question(need: Need, hand: Hand, laid: HandInput, ruleset: Ruleset) -> RowQuestion:
    told = (laid.told or {})[need.row]
    is_suit = need.place == "suit"
    choices = _suits(told, hand, need.row, ruleset) if is_suit else _ranks(told, hand, need.row, ruleset)
    text = _suit_question(told, ruleset) if is_suit else _rank_question(told)
    return RowQuestion(hand, need.row, f"{hand.pk}-{need.row}", str(text), list(choices), is_suit)


def _rank_question(told: Told) -> Promise:
    texts = _RANK_QUESTIONS[told.category]
    return texts[min(len(told.ranks), len(texts) - 1)]


def _suit_question(told: Told, ruleset: Ruleset) -> Promise:
    if told.category == "straight" and told.ranks == (_WHEEL_TOP,) and ruleset.wheel == "second":
        return _WHEEL_BY_ITS_ACE
    return _SUIT_QUESTIONS.get(told.category, _ANY_SUIT)


def _ranks(told: Told, hand: Hand, row: str, ruleset: Ruleset) -> Iterator[Choice]:
    for rank in reversed(range(len(RANKS))):
        text = wording.rank_text(rank)
        value = _completed(hand, row, text, told._replace(ranks=(*told.ranks, rank)), ruleset)
        if value:
            yield Choice(text, wording.rank_name(rank), value)


def _suits(told: Told, hand: Hand, row: str, ruleset: Ruleset) -> Iterator[Choice]:
    for suit in reversed(range(len(SUITS))):
        sign = wording.SUIT_SIGNS[suit]
        value = _completed(hand, row, sign, told._replace(suit=suit), ruleset)
        if value:
            yield Choice(sign, wording.suits_name(suit), value, SUITS[suit])


def _completed(hand: Hand, row: str, more: str, told: Told, ruleset: Ruleset) -> str:
    """The text of a row with one more word at its end; empty where there is no such row."""
    text = f"{getattr(hand, row).strip()} {more}"
    try:
        return text if parse_row(text, row, ruleset) == checked(told, row, ruleset) else ""
    except ScoringError:
        return ""


def _duel_question(undecided: Undecided, hands: Mapping[Any, Hand], laid: Mapping[Any, HandInput]) -> DuelQuestion:
    names = (hands[undecided.a].player.name, hands[undecided.b].player.name)
    choices = [_duel_choice(answer, names) for answer in answers_for(undecided, laid)]
    return DuelQuestion(undecided.row, names, choices)


def _duel_choice(answer: Answer, names: tuple[str, str]) -> Choice:
    parts = {"row": wording.row_in_sentence(answer.row), "first": names[0], "second": names[1]}
    if answer.result == 0:
        return Choice(_("Tie"), _("%(first)s and %(second)s tie in the %(row)s") % parts, answer.as_text())
    if answer.result == -1:
        parts |= {"first": names[1], "second": names[0]}
    name = _("%(first)s wins the %(row)s against %(second)s") % parts
    return Choice(_("%(first)s wins") % parts, name, answer.as_text())
