"""What can be said about a round while it is being entered: row names, PAO, naturals, what is missing or wrong, and
what must still be told of rows in words.

Nothing here writes. The words come from `wording`, the rules from the engine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ledger, wording
from scoring.engine.advisor import suggest
from scoring.engine.cards import DECK, Card, format_cards
from scoring.engine.errors import ScoringError
from scoring.engine.hand_input import HAND_SIZE, ROW_SIZES, HandReading, read_hand
from scoring.engine.hands import describe_row
from scoring.engine.rounds import PlayerScore, RoundError, RoundNeeds, RoundScore
from scoring.engine.rules import ROWS, Ruleset
from scoring.engine.told import Told
from scoring.engine.words import parse_row
from scoring.models import Hand, Round
from scoring.models.answers import deciding
from scoring.questions import Answered, Questions, RowQuestion, answered, questions


@dataclass
class RowEntry:
    """One row as typed: its cards as far as they can be read, what it is called, and what is wrong with it.

    `words` is what it was told to be, where it was; `told` names it in short and `told_in_full` at length.
    """

    name: str
    typed: str
    cards: tuple[Card, ...] = ()
    words: Told | None = None
    told: str = ""
    told_in_full: str = ""
    error: str = ""
    question: RowQuestion | None = None

    @property
    def label(self) -> str:
        return str(wording.row_name(self.name))

    @property
    def size(self) -> int:
        return ROW_SIZES[self.name]

    @property
    def places(self) -> range:
        """The places of its cards, counted from 1."""
        return range(1, self.size + 1)

    @property
    def count(self) -> int:
        """How many of its cards are laid; a row that is told in words is whole."""
        return self.size if self.words else len(self.cards)

    @property
    def missing(self) -> int:
        return max(0, self.size - self.count)

    @property
    def missing_text(self) -> str:
        return ngettext("%(count)s to go", "%(count)s to go", self.missing) % {"count": self.missing}


class Layout(NamedTuple):
    """One way to lay thirteen cards: each row's cards and what the row is called."""

    rows: tuple[tuple[tuple[Card, ...], str], ...]

    @property
    def text(self) -> str:
        """The cards as `front / middle / back`, ready to be sent back."""
        return " / ".join(format_cards(cards) for cards, _told in self.rows)


@dataclass
class HandEntry:
    """One hand as typed, and what the engine says about it by itself."""

    hand: Hand
    rows: tuple[RowEntry, ...]
    reading: HandReading | None = None
    error: str = ""
    mark: str = ""
    """The player in a letter or two, different from the other players of the round: it stands on his cards."""

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(card for row in self.rows for card in row.cards)

    @property
    def count(self) -> int:
        """How many of its cards are laid or told."""
        return sum(row.count for row in self.rows)

    @property
    def has_errors(self) -> bool:
        return bool(self.error or any(row.error for row in self.rows))

    @property
    def status(self) -> str:
        """`empty`, `incomplete`, or what it counts as: `played`, `pao`, `natural`, `surrendered`."""
        if self.hand.is_empty:
            return "empty"
        return self.reading.status if self.reading else "incomplete"

    @property
    def is_ready(self) -> bool:
        return not self.has_errors and self.status not in ("empty", "incomplete")

    @property
    def state_text(self) -> str:
        """The state in a word or two, as it stands on the player's tab."""
        if self.has_errors:
            return _("check")
        if self.reading and self.status == "natural" and self.reading.natural:
            return str(wording.natural_name(self.reading.natural))
        if self.status in ("pao", "surrendered"):
            return str(wording.status_name(self.status))
        if self.status == "played":
            return self.rows[-1].told
        return f"{self.count}/{HAND_SIZE}"

    @property
    def is_pao_by_back(self) -> bool:
        """Whether the middle beats the back: swapping the two may put the hand right."""
        pao = self.reading.pao if self.reading and self.status == "pao" else None
        return bool(pao and pao.higher == "middle")

    @property
    def pao_text(self) -> str:
        """Why the hand is PAO, where it is by its order."""
        pao = self.reading.pao if self.reading and self.status == "pao" else None
        return str(wording.pao_reason(pao)) if pao else ""


class HiddenHand(HandEntry):
    """A hand that is laid at its seat: how far it is, and not a card of it, here or in its `hand`."""

    def __init__(self, hand: Hand, ruleset: Ruleset) -> None:
        self.laid = sum(_read_row(name, getattr(hand, name), ruleset).count for name in ROWS)
        hand.front = hand.middle = hand.back = hand.declare = hand.natural = ""
        hand.declared = []
        hand.set_aside = None
        super().__init__(hand, tuple(RowEntry(name, "") for name in ROWS))

    @property
    def status(self) -> str:
        return "hidden"

    @property
    def is_ready(self) -> bool:
        return self.hand.ready_at is not None

    @property
    def state_text(self) -> str:
        return _("ready") if self.is_ready else f"{self.laid}/{HAND_SIZE}"


class RoundEntry:
    """An open round as it stands: its hands, what is left of the deck, and the score as far as it can be told.

    Hands that are laid at their seats are hidden, and with them whatever could be worked out from them; `at_seat` is
    the entry of one such hand for its own player, who sees it and nothing of the others.
    """

    def __init__(self, round_: Round, hands: Sequence[Hand] | None = None, *, at_seat: bool = False) -> None:
        self.round = round_
        self.ruleset: Ruleset = round_.ruleset
        stored = hands if hands is not None else list(round_.hands.select_related("player"))
        self.is_partial = at_seat or any(hand.is_veiled for hand in stored)
        self.hands = [
            HiddenHand(hand, self.ruleset) if hand.is_veiled and not at_seat else _read(hand, self.ruleset)
            for hand in stored
        ]
        for entry, mark in zip(self.hands, _marks([hand.player.name for hand in stored]), strict=True):
            entry.mark = mark
        self._name_cards_used_twice()

    def __iter__(self) -> Iterator[HandEntry]:
        return iter(self.hands)

    def hand(self, pk: int) -> HandEntry:
        """The entry of one of the round's hands."""
        return next(entry for entry in self.hands if entry.hand.pk == pk)

    @property
    def hidden(self) -> list[HiddenHand]:
        """The hands that are laid at their seats and not revealed yet."""
        return [entry for entry in self.hands if isinstance(entry, HiddenHand)]

    @property
    def hidden_key(self) -> str:
        """Which hands are hidden: where that changes, another page is to be drawn."""
        return "-".join(str(entry.hand.pk) for entry in self.hidden)

    @property
    def playing(self) -> list[HandEntry]:
        """The hands that the score needs."""
        return self.hands

    @property
    def is_ready(self) -> bool:
        return all(entry.is_ready for entry in self.playing)

    @property
    def missing_text(self) -> str:
        """What still keeps the round from being scored, in one line; empty when nothing does."""
        for entry in self.playing:
            if not entry.is_ready:
                return _missing_text(entry)
        if self.questions:
            count = len(self.questions.rows)
            return ngettext("%(count)s question left", "%(count)s questions left", count) % {"count": count}
        return "" if self.preview or not self.is_ready else self.error

    @cached_property
    def _scored(self) -> RoundScore | ScoringError | None:
        if self.is_partial or not self.is_ready:
            return None
        try:
            return self.score()
        except ScoringError as error:
            return error

    def score(self) -> RoundScore:
        """What the hands come to where every one of them is ready.

        Raises:
            ScoringError: together they are no round.
        """
        return ledger.preview_round(self.round)

    @property
    def preview(self) -> RoundScore | None:
        """What the round would come to; None while something is missing or wrong."""
        return self._scored if isinstance(self._scored, RoundScore) else None

    @property
    def can_score(self) -> bool:
        """Whether the round may be scored now; with hands hidden only the score itself can tell what it comes to."""
        return self.is_ready if self.is_partial else self.preview is not None

    @property
    def error(self) -> str:
        """What is wrong with the round as a whole, where every hand by itself is in order."""
        error = self._scored
        if not isinstance(error, ScoringError) or isinstance(error, RoundNeeds):
            return ""
        text = str(wording.explain(error, self.names))
        if not isinstance(error, RoundError) or error.row not in ROWS:
            return text
        place = {"player": self.names.get(error.who, ""), "row": wording.row_in_sentence(error.row), "fault": text}
        return _("%(player)s, %(row)s: %(fault)s") % place

    @cached_property
    def questions(self) -> Questions | None:
        """What must still be told of rows in words; None while anything else is missing or wrong, and in the end."""
        needs = self._scored
        if not isinstance(needs, RoundNeeds):
            return None
        hands: dict[object, Hand] = {entry.hand.player_id: entry.hand for entry in self.playing}
        laid = {who: hand.as_input(self.ruleset) for who, hand in hands.items()}
        return questions(needs, hands, laid, self.ruleset)

    @property
    def answered(self) -> list[Answered]:
        """What the host said about rows, as far as it counts."""
        if self._scored is None or not (self.preview or self.questions):
            return []
        laid = [entry.hand.as_input(self.ruleset) for entry in self.playing]
        return [answered(answer, self.names) for answer in deciding(self.round.answers, laid, self.ruleset)]

    @cached_property
    def names(self) -> Mapping[object, str]:
        """The players' names by the key that the engine knows them by."""
        return {entry.hand.player_id: entry.hand.player.name for entry in self.hands}

    @property
    def preview_rows(self) -> list[tuple[HandEntry, PlayerScore]]:
        """Each player's hand with its score, for the preview."""
        return list(zip(self.playing, self.preview.players, strict=True)) if self.preview else []

    @cached_property
    def running(self) -> list[tuple[HandEntry, int]]:
        """What the hands that are ready come to among themselves, in points, as long as others are missing."""
        ready = [entry for entry in self.hands if entry.is_ready]
        if self.is_partial or self.is_ready or len(ready) < 2:
            return []
        try:
            score = self.round.score([entry.hand for entry in ready], {})
        except ScoringError:
            return []  # what is wrong between them is told at their fields, or by the score
        return [(entry, player.points) for entry, player in zip(ready, score.players, strict=True)]

    @property
    def last_hand(self) -> HandEntry | None:
        """The one hand without any card, where the three others hold 39 cards between them."""
        if self.is_partial:
            return None
        empty = [entry for entry in self.hands if not entry.count and entry.hand.declare != Hand.Declare.SURRENDER]
        full = [entry for entry in self.hands if len(set(entry.cards)) == HAND_SIZE and not entry.has_errors]
        return empty[0] if len(empty) == 1 and len(full) == 3 else None

    @property
    def cards_left(self) -> tuple[Card, ...]:
        """The cards that nobody has, from the highest of each suit down."""
        used = {card for entry in self.hands for card in entry.cards}
        return tuple(sorted((card for card in DECK if card not in used), key=lambda card: (-(card & 3), -card)))

    @property
    def layouts(self) -> list[Layout]:
        """How the last hand was probably laid, the best way first."""
        return [_named(suggested[:3], self.ruleset) for suggested in suggest(self.cards_left, self.ruleset)]

    def ask_at_the_rows(self) -> None:
        """Put each question about a row beside it."""
        for question in self.questions.rows if self.questions else ():
            row = self.hand(question.hand.pk).rows[ROWS.index(question.row)]
            row.question = question

    def name_what_is_missing(self) -> None:
        """Turn "so many to go" into errors at their fields: the host asked for the score."""
        for entry in self.playing:
            if entry.status == "empty":
                entry.error = _("Enter the cards of %(player)s.") % {"player": entry.hand.player}
            elif entry.status == "incomplete":
                for row in entry.rows:
                    row.error = row.error or (_row_short(row) if row.missing else "")

    def _name_cards_used_twice(self) -> None:
        """Say at the field which card stands where else; of two places the later one, in the order of the table."""
        places: dict[Card, tuple[HandEntry, RowEntry]] = {}
        for entry in self.hands:
            for row in entry.rows:
                for card in row.cards:
                    if card in places:
                        row.error = row.error or _used_twice(card, entry, row, *places[card])
                    else:
                        places[card] = (entry, row)


def lay_out(cards: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
    """Thirteen cards in the order in which they were given: front, middle, back."""
    return {"front": tuple(cards[:3]), "middle": tuple(cards[3:8]), "back": tuple(cards[8:])}


def _named(rows: Iterable[tuple[Card, ...]], ruleset: Ruleset) -> Layout:
    return Layout(tuple((cards, wording.row_short(describe_row(cards, ruleset))) for cards in rows))


def _read(hand: Hand, ruleset: Ruleset) -> HandEntry:
    rows = tuple(_read_row(name, getattr(hand, name), ruleset) for name in ROWS)
    entry = HandEntry(hand, rows)
    if hand.declare not in (Hand.Declare.PAO, Hand.Declare.SURRENDER):
        _name_wrong_counts(rows)
    if entry.has_errors or hand.is_empty:
        return entry
    try:
        entry.reading = read_hand(hand.as_input(ruleset), ruleset)
    except ScoringError as error:
        entry.error = str(wording.explain(error, {hand.player_id: hand.player.name}))
        return entry
    for row in rows:
        reading = entry.reading.rows.get(row.name)
        if reading:
            row.told, row.told_in_full = wording.row_short(reading), wording.row_text(reading)
    return entry


def _read_row(name: str, typed: str, ruleset: Ruleset) -> RowEntry:
    if not typed.strip():
        return RowEntry(name, typed)
    try:
        read = parse_row(typed, name, ruleset)
    except ScoringError as error:
        return RowEntry(name, typed, error=str(wording.explain(error, {})))
    return RowEntry(name, typed, words=read) if isinstance(read, Told) else RowEntry(name, typed, read)


def _name_wrong_counts(rows: Iterable[RowEntry]) -> None:
    for row in rows:
        if not row.error and len(row.cards) > row.size:
            text = _("%(row)s takes %(size)s cards, not %(count)s. If it was laid like this, mark the hand PAO.")
            row.error = text % {"row": row.label, "size": row.size, "count": len(row.cards)}


def _missing_text(entry: HandEntry) -> str:
    if isinstance(entry, HiddenHand):
        return _("%(player)s is still setting") % {"player": entry.hand.player}
    missing = sum(row.missing for row in entry.rows)
    if not missing:
        return _("%(player)s: see the message") % {"player": entry.hand.player}
    text = ngettext("%(player)s: %(count)s card to go", "%(player)s: %(count)s cards to go", missing)
    return text % {"player": entry.hand.player, "count": missing}


def _marks(names: Sequence[str]) -> list[str]:
    """A letter or two for each player: his initial; where that is not his alone two letters, or else his number too."""
    initials = [name[:1].upper() for name in names]
    pairs = [name[:2].capitalize() for name in names]
    marks = []
    for number, (initial, pair) in enumerate(zip(initials, pairs, strict=True), start=1):
        if initials.count(initial) == 1:
            marks.append(initial)
        else:
            marks.append(pair if pair.isalpha() and pairs.count(pair) == 1 else f"{initial}{number}")
    return marks


def _row_short(row: RowEntry) -> str:
    text = _("%(row)s takes %(size)s cards, not %(count)s.")
    return text % {"row": row.label, "size": row.size, "count": len(row.cards)}


def _used_twice(card: Card, entry: HandEntry, row: RowEntry, other: HandEntry, other_row: RowEntry) -> str:
    name = wording.card_text(card)
    if row is other_row:
        return _("%(card)s stands twice in this row.") % {"card": name}
    if entry is other:
        return _("%(card)s is already in the %(row)s of this hand.") % {"card": name, "row": other_row.label.lower()}
    return _("%(card)s is already with %(player)s (%(row)s).") % {
        "card": name,
        "player": other.hand.player,
        "row": other_row.label.lower(),
    }
