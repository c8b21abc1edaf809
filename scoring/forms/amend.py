"""A scored round laid out to be corrected: who held cards, what was laid, and what it would change."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple
from uuid import UUID, uuid4

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring import ledger, wording
from scoring.engine.rounds import RoundScore
from scoring.entry import HandEntry, RoundEntry, RowEntry
from scoring.forms.rounds import HandForm, SeatChoiceForm, answers_in
from scoring.ledger import HAND_FIELDS
from scoring.models import Hand, Player, Round
from scoring.models.answers import deciding


class Difference(NamedTuple):
    """What a correction changes for one player, or for the house: points and money (minor units), before and after."""

    name: str
    points_before: int
    points: int
    net_before: int
    net: int

    @property
    def points_change(self) -> int:
        return self.points - self.points_before

    @property
    def net_change(self) -> int:
        return self.net - self.net_before


class RowChange(NamedTuple):
    """Something of a hand that is different: a row, or what the hand counts as."""

    label: str
    before: RowEntry
    after: RowEntry


class HandChange(NamedTuple):
    """What is different of one player's hand, and what the new one comes to, where that is known. Without `before` he
    held no cards before, without `after` he does not any more."""

    player: Player
    before: HandEntry | None
    after: HandEntry | None
    rows: list[RowChange]
    points: int | None


class AmendEntry(RoundEntry):
    """The corrected hands, which stand nowhere yet; `old` is the version that they would replace."""

    def __init__(self, old: Round, draft: Round, hands: list[Hand]) -> None:
        self.old = old
        super().__init__(draft, hands)

    @property
    def is_ready(self) -> bool:
        return super().is_ready and 2 <= len(self.hands) <= 4

    @property
    def laid(self) -> ledger.LaidHands:
        """The hands as `ledger.amend_round` takes them."""
        return {entry.hand.player: {name: getattr(entry.hand, name) for name in HAND_FIELDS} for entry in self.hands}

    def score(self) -> RoundScore:
        return ledger.preview_amendment(self.old, self.laid, won=self.round.answers)


class AmendSheet:
    """The page of a correction: as the round stands, or with what was `typed`."""

    def __init__(self, old: Round, typed: QueryDict | None = None) -> None:
        self.old = old
        self.typed = typed
        self.key = _key(typed)
        self.told: list[str] = []
        self.stands = list(old.hands.select_related("player"))
        self.seats = SeatChoiceForm(typed, session=old.session, everybody=True, initial={"players": self._held})
        self.seats.fields["players"].widget.attrs["form"] = "round-form"  # they stand beside the form of the hands
        self.forms: dict[int, HandForm] = {}
        draft = Round(session=old.session, number=old.number, stake=old.stake, ruleset_fields=old.ruleset_fields)
        draft.won = old.won if typed is None else [list(answer) for answer in answers_in(typed)]
        hands = [self._read(draft, player, place) for place, player in enumerate(self._players())]
        self.entry = AmendEntry(old, draft, hands)
        self.entry.ask_at_the_rows()

    @property
    def hands(self) -> list[tuple[HandForm, HandEntry]]:
        """For each hand its form and what is said about it."""
        return [(self.forms[entry.hand.pk], entry) for entry in self.entry]

    @property
    def is_valid(self) -> bool:
        """Whether everything that was typed can be read."""
        return not self.told and not any(form.errors for form in self.forms.values())

    @property
    def carried(self) -> Iterator[tuple[str, str]]:
        """Everything that was typed, for a page that only passes it on."""
        for name, values in self.typed.lists() if self.typed else ():
            if name not in ("csrfmiddlewaretoken", "reason"):
                yield from ((name, value) for value in values)

    @property
    def aside(self) -> Iterator[tuple[str, str]]:
        """What was typed for players who are not chosen (any more): it comes back with them."""
        away = {str(player.pk) for player in self.seats.order if player.pk not in self.forms}
        return ((name, value) for name, value in self.carried if name.partition("-")[0] in away)

    @cached_property
    def is_different(self) -> bool:
        """Whether anything is laid otherwise than it stands, be it worth points or not."""
        ruleset = self.entry.ruleset
        before = [hand.as_input(ruleset) for hand in self.stands]
        after = [entry.hand.as_input(ruleset) for entry in self.entry]
        decided = (deciding(self.old.answers, before, ruleset), deciding(self.entry.round.answers, after, ruleset))
        return before != after or set(decided[0]) != set(decided[1])

    @property
    def differences(self) -> list[Difference]:
        """What the correction comes to for everybody who is in either version, and for the house where it differs."""
        preview = self.entry.preview
        if preview is None:
            return []
        names = {hand.player_id: hand.player.name for hand in (*self.stands, *(entry.hand for entry in self.entry))}
        before = {hand.player_id: (hand.points or 0, hand.net or 0) for hand in self.stands}
        after = {player.who: (player.points, player.net) for player in preview.players}
        found = [_difference(name, before.get(who, (0, 0)), after.get(who, (0, 0))) for who, name in names.items()]
        if self.old.fee != preview.house:
            found.append(Difference(_("House"), 0, 0, self.old.fee, preview.house))
        return found

    @property
    def marked(self) -> list[tuple[str, int]]:
        """The change of points by the players' marks, for those whom it concerns."""
        marks = {entry.hand.player.name: entry.mark for entry in self.entry}
        return [(marks.get(one.name, one.name), one.points_change) for one in self.differences if one.points_change]

    @property
    def changes(self) -> list[HandChange]:
        """What is laid otherwise, hand by hand."""
        return self.changes_from(RoundEntry(self.old, self.stands))

    def changes_from(self, version: RoundEntry) -> list[HandChange]:
        """What is laid otherwise than in any version of the round, hand by hand."""
        old = {entry.hand.player: entry for entry in version}
        new = {entry.hand.player: entry for entry in self.entry}
        points = {entry.hand.player: player.points for entry, player in self.entry.preview_rows}
        found = [
            _hand_change(player, old.get(player), new.get(player), points.get(player)) for player in {**old, **new}
        ]
        return [change for change in found if change.rows or change.before is None or change.after is None]

    @property
    def _held(self) -> list[int]:
        return [hand.player_id for hand in self.stands]

    def _players(self) -> list[Player]:
        """Who holds cards on this page, in the order of the table; as it stands where nobody else is chosen."""
        before = [hand.player for hand in self.stands]
        if self.typed is None:
            return before
        self.told = [] if self.seats.is_valid() else [str(error) for error in self.seats.errors["players"]]
        chosen = self.typed.getlist("players")
        players = [player for player in self.seats.order if str(player.pk) in chosen]
        return players if players and set(players) != set(before) else before

    def _read(self, draft: Round, player: Player, place: int) -> Hand:
        """The hand of a player as it was typed, else as it stands; on this page it goes by the player's key."""
        hand = Hand(pk=player.pk, round=draft, player=player, position=place, **self._laid.get(player, {}))
        is_typed = self.typed is not None and f"{player.pk}-front" in self.typed
        form = self.forms[player.pk] = HandForm(self.typed if is_typed else None, hand=hand, ruleset=draft.ruleset)
        del form.fields["version"]  # the version of the round is what may be out of date, not that of a hand
        if not is_typed:
            return hand
        form.is_valid()
        for field, value in form.typed().items():
            setattr(hand, field, value)
        if not form.errors:
            self.forms[player.pk] = HandForm(hand=hand, ruleset=draft.ruleset)
        return hand

    @cached_property
    def _laid(self) -> ledger.LaidHands:
        return {hand.player: ledger.laid_fields(hand) for hand in self.stands}


def _key(typed: QueryDict | None) -> UUID:
    """The form's key: the same form sent twice is one correction."""
    try:
        return UUID(str(typed["key"])) if typed else uuid4()
    except (KeyError, ValueError):
        return uuid4()


def _difference(name: str, before: tuple[int, int], after: tuple[int, int]) -> Difference:
    return Difference(name, before[0], after[0], before[1], after[1])


def _hand_change(player: Player, before: HandEntry | None, after: HandEntry | None, points: int | None) -> HandChange:
    return HandChange(player, before, after, list(_rows(before, after)), points)


def _rows(before: HandEntry | None, after: HandEntry | None) -> Iterator[RowChange]:
    """The rows in which two hands of a player differ, and what they count as where that does."""
    if before is None or after is None:
        return
    for row, other in zip(before.rows, after.rows, strict=True):
        if (row.cards, row.words) != (other.cards, other.words):
            yield RowChange(row.label, row, other)
    told = _counts_as(before.hand), _counts_as(after.hand)
    if told[0] != told[1]:
        yield RowChange(_("Counts as"), RowEntry("declare", told[0]), RowEntry("declare", told[1]))
    announced = _announced(before.hand), _announced(after.hand)
    if announced[0] != announced[1]:
        yield RowChange(_("Bonus announced for"), *(RowEntry("declared", text) for text in announced))


def _counts_as(hand: Hand) -> str:
    is_named = hand.declare == Hand.Declare.NATURAL and hand.natural
    return str(wording.natural_name(hand.natural)) if is_named else hand.get_declare_display()


def _announced(hand: Hand) -> str:
    return ", ".join(str(wording.row_name(row)) for row in hand.declared)
