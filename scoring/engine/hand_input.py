"""One hand as it is entered: what is refused, and what it stands for in the round (RULES 4, 5, 10)."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scoring.engine.bonuses import HandBonus, bonus_tables, hand_bonuses
from scoring.engine.cards import Card, format_card
from scoring.engine.errors import ScoringError, gettext_noop, shown
from scoring.engine.hands import SUIT_OFF, RowReading, are_different, row_tables
from scoring.engine.naturals import detect_natural, holds, natural_by_key
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.told import RowStrength, Told, ToldError, checked, read_told, told_strength

ROW_SIZES: Mapping[str, int] = {"front": 3, "middle": 5, "back": 5}
HAND_SIZE = 13
DECLARATIONS = ("play", "pao", "surrender", "natural")
COMPARED_NATURALS = ("six_pairs", "three_flushes", "three_straights")
"""Those of which two hands compare their cards; two of any other are equal."""
_PLAIN = ("", "play")

PLAYED: Final = 0
PAO: Final = 1
NATURAL: Final = 2
SURRENDERED: Final = 3
STATUSES = ("played", "pao", "natural", "surrendered")
_GIVEN_UP = {"pao": PAO, "surrender": SURRENDERED}

_MISSING_ROW = gettext_noop("this row is missing")
_WRONG_COUNT = gettext_noop("%(count)d cards instead of %(expected)d")
_TWICE_HERE = gettext_noop("%(card)s stands here twice")
_ALSO_IN_ROW = gettext_noop("%(card)s is also in the %(other_row)s of this hand")
_ALSO_AT_PLAYER = gettext_noop("%(card)s is also in the %(other_row)s of %(other)s")
_NOT_AMONG_CARDS = gettext_noop("%(card)s is in the %(other_row)s but not among these cards")
_UNKNOWN_DECLARATION = gettext_noop("expected one of %(choices)s, not %(got)s")
_NO_SURRENDER = gettext_noop("there is no surrender under these rules")
_NATURAL_NOT_LISTED = gettext_noop("%(natural)s is no natural under these rules")
_NATURAL_NOT_HELD = gettext_noop("the 13 cards do not hold %(natural)s")
_NO_NATURAL_HELD = gettext_noop("the 13 cards hold no natural of these rules")
_CARDS_NEEDED = gettext_noop("the cards are needed: %(other)s has %(natural)s too, and the two are compared")
_TOLD_AND_LAID = gettext_noop("a row told in words does not go together with its cards or with all 13")
_NATURAL_UNNAMED = gettext_noop("a natural without its cards must be named")


class RoundError(ScoringError):
    """A round that cannot be scored. `who` is the player and `row` the part of the hand that is wrong: a row, or
    another field of HandInput such as `cards`. Either is None where the fault lies elsewhere."""

    def __init__(self, who: Hashable, row: str | None, message: str, **params: object) -> None:
        self.who = who
        self.row = row
        super().__init__(message, **params)

    def __str__(self) -> str:
        place = ", ".join(str(part) for part in (self.who, self.row) if part is not None)
        return f"{place}: {super().__str__()}" if place else super().__str__()


@dataclass(frozen=True, slots=True)
class HandInput:
    """What a host enters for one player.

    Cards come as rows, or as `cards` where the rows are not known; `declare` is "" or one of DECLARATIONS; `natural`
    names one that is declared without its cards; `declared` are the rows whose bonus was announced; `told` are the
    rows that were told in words, by their names.
    """

    who: Hashable
    front: tuple[Card, ...] | None = None
    middle: tuple[Card, ...] | None = None
    back: tuple[Card, ...] | None = None
    cards: tuple[Card, ...] | None = None
    declare: str = ""
    natural: str | None = None
    declared: frozenset[str] = frozenset()
    told: Mapping[str, Told] | None = None

    @classmethod
    def of_rows(cls, who: Hashable, rows: Mapping[str, tuple[Card, ...] | Told], **more: Any) -> "HandInput":
        """A hand from its rows, each by cards or in words, as `parse_row` reads them; `more` are the other fields."""
        laid = {row: cards for row, cards in rows.items() if not isinstance(cards, Told)}
        told = {row: words for row, words in rows.items() if isinstance(words, Told)}
        front, middle, back = (laid.get(row) or None for row in ROWS)
        return cls(who, front, middle, back, told=told or None, **more)

    def row(self, name: str) -> tuple[Card, ...]:
        """The cards of a row; empty where nothing was entered."""
        return {"front": self.front, "middle": self.middle, "back": self.back, "cards": self.cards}[name] or ()

    @property
    def all_cards(self) -> tuple[Card, ...]:
        """All cards that are known, whether they are given as rows or as thirteen."""
        return self.cards or (self.front or ()) + (self.middle or ()) + (self.back or ())


class PaoReason(NamedTuple):
    """Why a hand is PAO: by the host's hand, or because `higher` (a row) beats `lower`, which must not be lower."""

    declared: bool
    higher: str | None = None
    lower: str | None = None


DECLARED_PAO = PaoReason(declared=True)
_MIDDLE_OVER_BACK = PaoReason(False, "middle", "back")
_FRONT_OVER_MIDDLE = PaoReason(False, "front", "middle")


Standing = tuple[int, int, int, int, tuple[HandBonus, ...], tuple[Card, ...], str | None, int]
"""What a hand stands for in the round: its status; the strengths of front, middle and back (0 where nobody looked); the
bonuses that it carries; the cards of a natural, as far as they are known; the natural; the sum of CARD_KEYS over its
rows (0 where nobody looked). A bare tuple: four are made in every round."""


class HandReading(NamedTuple):
    """What can be said about one hand before the others are known. `rows` holds the rows that are complete; `pao` is
    given as soon as two known rows are out of order, `status` says PAO only when all 13 cards are known."""

    status: str
    rows: dict[str, RowReading]
    natural: str | None
    pao: PaoReason | None


@lru_cache(maxsize=256)
def hand_reader(ruleset: Ruleset) -> Callable[[HandInput], Standing]:
    """A function that says what a hand stands for, made ready for one ruleset.

    It raises RoundError where a hand is incomplete or contradicts itself or the ruleset. Whether a card occurs twice is
    looked at for the whole table at once, by `refuse_doubles`.
    """
    lay, find_natural, bonuses = row_tables(ruleset).lay, natural_by_key(ruleset), bonus_tables(ruleset)
    least_front, least_middle, least_back = bonuses.least

    def stand(hand: HandInput) -> Standing:
        front, middle, back = hand.front, hand.middle, hand.back
        if hand.declare in _PLAIN and front and middle and back and not (hand.cards or hand.natural or hand.told):
            try:
                of_front, of_middle, of_back, key = lay(front, middle, back)
            except (LookupError, ValueError):  # a wrong number of cards, or ranks that no deck has
                _checked_cards(hand, ruleset)
                raise
        else:
            cards = _checked_cards(hand, ruleset)
            special = _special_standing(hand, cards, ruleset)
            if special:
                return special
            front, middle, back = front or (), middle or (), back or ()
            of_front, of_middle, of_back, key = lay(front, middle, back)
        if hand.declare != "play":
            natural = find_natural(key, front, middle, back)
            if natural:
                return NATURAL, of_front, of_middle, of_back, (), front + middle + back, natural, key
        if of_middle > of_back or of_front & SUIT_OFF > of_middle:  # as in `order_fault`: a call less for every hand
            return PAO, of_front, of_middle, of_back, (), (), None, key
        if of_front < least_front and of_middle < least_middle and of_back < least_back:
            return PLAYED, of_front, of_middle, of_back, (), (), None, key
        carried = hand_bonuses(of_front, of_middle, of_back, front + middle + back, hand.declared, bonuses)
        return PLAYED, of_front, of_middle, of_back, carried, (), None, key

    return stand


def _special_standing(hand: HandInput, cards: tuple[Card, ...], ruleset: Ruleset) -> Standing | None:
    """What a hand stands for that is not simply its three rows of cards; None where it is."""
    if hand.declare in _GIVEN_UP:
        return _GIVEN_UP[hand.declare], 0, 0, 0, (), (), None, 0
    natural = None
    if hand.told:
        natural = hand.natural if hand.declare == "natural" else None
    elif hand.declare != "play":
        natural = detect_natural(cards, ruleset) if cards else hand.natural
    if natural:
        return NATURAL, 0, 0, 0, (), cards, natural, 0
    return _told_standing(hand, ruleset) if hand.told else None


def _told_standing(hand: HandInput, ruleset: Ruleset) -> Standing:
    """What a hand that plays stands for as far as it is told. It is PAO only where that proves it, and its bonuses are
    those of its rows: what it holds broken nobody knows."""
    rows = row_strengths(hand, ruleset)
    front, middle, back = (rows[row].least for row in ROWS)
    if proven_order_fault(rows):
        return PAO, front, middle, back, (), (), None, 0
    bonuses = hand_bonuses(front, middle, back, (), hand.declared, bonus_tables(ruleset))
    return PLAYED, front, middle, back, bonuses, (), None, 0


def refuse_doubles(hands: Sequence[HandInput], standings: Sequence[Standing]) -> bool:
    """Raise RoundError where a card occurs twice at the table, or where cards are missing that must be compared; else
    say whether all cards of all hands are known."""
    if are_different(sum([standing[7] for standing in standings]), HAND_SIZE * len(hands)):
        return True
    held = [hand.all_cards for hand in hands]
    is_whole = all(len(cards) == HAND_SIZE for cards in held)
    if len(set().union(*held)) < sum(map(len, held)):
        _raise_double([(hand, row) for hand in hands for row in (("cards",) if hand.cards else ROWS)])
    if not is_whole:
        _refuse_unknown_naturals(hands, standings)
    return is_whole


def _refuse_unknown_naturals(hands: Sequence[HandInput], standings: Sequence[Standing]) -> None:
    names = [standing[6] for standing in standings]
    for hand, (_, _, _, _, _, cards, natural, _) in zip(hands, standings, strict=True):
        if natural in COMPARED_NATURALS and len(cards) < HAND_SIZE and names.count(natural) > 1:
            other = next(o.who for o, name in zip(hands, names, strict=True) if name == natural and o is not hand)
            raise RoundError(hand.who, "cards", _CARDS_NEEDED, other=other, natural=natural)


def read_hand(hand: HandInput, ruleset: Ruleset) -> HandReading:
    """What can be said about one hand, complete or not, before the others are known.

    `status` is played, pao, natural or surrendered as it would count, or incomplete. Raises RoundError where a row or
    the hand has more cards than it can have, or a card twice.
    """
    cards = _cards_so_far(hand)
    _refuse_false_words(hand, ruleset)
    rows = row_readings(hand, ruleset)
    pao = DECLARED_PAO if hand.declare == "pao" else proven_order_fault(row_strengths(hand, ruleset))
    natural = hand.natural if hand.declare == "natural" else None
    if len(cards) == HAND_SIZE and hand.declare in ("", "natural"):
        natural = detect_natural(cards, ruleset)
    return HandReading(_status(hand, rows, natural, pao), rows, natural, pao)


def row_readings(hand: HandInput, ruleset: Ruleset) -> dict[str, RowReading]:
    """What the rows are that are complete or told."""
    tables, told = row_tables(ruleset), hand.told or {}
    return {
        row: read_told(told[row], row, ruleset) if row in told else tables.describe(cards, tables.strength(cards))
        for row, cards in _entered_rows(hand)
    }


def row_strengths(hand: HandInput, ruleset: Ruleset) -> dict[str, RowStrength]:
    """How strong the rows are that are complete or told."""
    tables, told = row_tables(ruleset), hand.told or {}
    return {
        row: told_strength(told[row], row, ruleset) if row in told else RowStrength(tables.strength(cards))
        for row, cards in _entered_rows(hand)
    }


def _entered_rows(hand: HandInput) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """The rows that are complete or told, with their cards."""
    for row, size in ROW_SIZES.items():
        if len(hand.row(row)) == size or row in (hand.told or ()):
            yield row, hand.row(row)


def proven_order_fault(rows: Mapping[str, RowStrength]) -> PaoReason | None:
    """Which row is above which whatever is still untold, or None."""
    front, middle, back = (rows.get(row, RowStrength(0)) for row in ROWS)
    return order_fault(0, middle.least, back.most) or order_fault(front.least, middle.most, 0)


def pao_reason(hand: HandInput, standing: Standing, ruleset: Ruleset) -> PaoReason:
    """Why a hand is PAO that stands for that."""
    if hand.told and hand.declare != "pao":
        return proven_order_fault(row_strengths(hand, ruleset)) or DECLARED_PAO
    return order_fault(*standing[1:4]) or DECLARED_PAO


def order_fault(front: int, middle: int, back: int) -> PaoReason | None:
    """Which row is above which, by their strengths (0 where a row is not known); None where back >= middle >= front."""
    if back and middle > back:
        return _MIDDLE_OVER_BACK
    if middle and front & SUIT_OFF > middle:
        return _FRONT_OVER_MIDDLE
    return None


def _status(hand: HandInput, rows: Mapping[str, RowReading], natural: str | None, pao: PaoReason | None) -> str:
    if hand.declare in ("pao", "surrender"):
        return "pao" if hand.declare == "pao" else "surrendered"
    if natural:
        return "natural"
    if len(rows) < len(ROWS):
        return "incomplete"
    return "pao" if pao else "played"


def _checked_cards(hand: HandInput, ruleset: Ruleset) -> tuple[Card, ...]:
    """All cards of a hand that is not plain; raises RoundError for whatever keeps it from being scored."""
    if hand.declare not in ("", *DECLARATIONS):
        raise RoundError(
            hand.who, "declare", _UNKNOWN_DECLARATION, choices=", ".join(DECLARATIONS), got=shown(hand.declare)
        )
    if hand.declare == "surrender" and ruleset.surrender_points is None:
        raise RoundError(hand.who, "declare", _NO_SURRENDER)
    cards = _known_cards(hand)
    _refuse_false_words(hand, ruleset)
    if hand.declare != "pao":
        _refuse_wrong_counts(hand)
    if hand.natural is not None:
        _refuse_false_natural(hand, hand.natural, cards, ruleset)
    if hand.declare in ("", "play", "natural"):
        _refuse_missing(hand, cards, ruleset)
    return cards


def _known_cards(hand: HandInput) -> tuple[Card, ...]:
    """The cards of the hand, which may be given as rows, as 13 cards, or as both. Raises RoundError for one twice."""
    _raise_double([(hand, row) for row in ROWS])
    _raise_double([(hand, "cards")])
    cards = hand.all_cards
    for row in ROWS:
        for card in hand.row(row):
            if card not in cards:
                raise RoundError(hand.who, "cards", _NOT_AMONG_CARDS, card=format_card(card), other_row=row)
    return cards


def _refuse_false_words(hand: HandInput, ruleset: Ruleset) -> None:
    for row, told in (hand.told or {}).items():
        if hand.cards or hand.row(row):
            raise RoundError(hand.who, row, _TOLD_AND_LAID)
        try:
            checked(told, row, ruleset)
        except ToldError as error:
            raise RoundError(hand.who, row, error.message, **error.params) from error


def _refuse_wrong_counts(hand: HandInput) -> None:
    for row, size in (*ROW_SIZES.items(), ("cards", HAND_SIZE)):
        count = len(hand.row(row))
        if count not in (0, size):
            raise RoundError(hand.who, row, _WRONG_COUNT, count=count, expected=size)


def _refuse_false_natural(hand: HandInput, natural: str, cards: tuple[Card, ...], ruleset: Ruleset) -> None:
    if ruleset.natural_points(natural) is None:
        raise RoundError(hand.who, "natural", _NATURAL_NOT_LISTED, natural=natural)
    if len(cards) == HAND_SIZE and not holds(natural, cards, ruleset):
        raise RoundError(hand.who, "natural", _NATURAL_NOT_HELD, natural=natural)


def _refuse_missing(hand: HandInput, cards: tuple[Card, ...], ruleset: Ruleset) -> None:
    """Three rows are needed, unless 13 cards hold a natural or one is declared by its name without cards."""
    if hand.declare == "natural" and (hand.told or not cards):
        if hand.natural is None:
            raise RoundError(hand.who, "natural", _NATURAL_UNNAMED)
        return
    if hand.declare != "play" and detect_natural(cards, ruleset):
        return
    for row in ROWS:
        if not hand.row(row) and row not in (hand.told or ()):
            raise RoundError(hand.who, row, _MISSING_ROW)
    if hand.declare == "natural":
        raise RoundError(hand.who, "natural", _NO_NATURAL_HELD)


def _cards_so_far(hand: HandInput) -> tuple[Card, ...]:
    """The cards of a hand that may be incomplete; raises RoundError for what no further card can put right."""
    cards = _known_cards(hand)
    for row, size in (*ROW_SIZES.items(), ("cards", HAND_SIZE)):
        if hand.declare != "pao" and len(hand.row(row)) > size:
            raise RoundError(hand.who, row, _WRONG_COUNT, count=len(hand.row(row)), expected=size)
    return cards


def _raise_double(places: Sequence[tuple[HandInput, str]]) -> None:
    """Go through parts of hands and raise RoundError at the first card that was there before."""
    seen: dict[Card, tuple[HandInput, str]] = {}
    for hand, row in places:
        for card in hand.row(row):
            if card in seen:
                raise _double(card, hand, row, *seen[card])
            seen[card] = hand, row


def _double(card: Card, hand: HandInput, row: str, other: HandInput, other_row: str) -> RoundError:
    name = format_card(card)
    if other.who != hand.who:
        return RoundError(hand.who, row, _ALSO_AT_PLAYER, card=name, other=other.who, other_row=other_row)
    if other_row != row:
        return RoundError(hand.who, row, _ALSO_IN_ROW, card=name, other_row=other_row)
    return RoundError(hand.who, row, _TWICE_HERE, card=name)
