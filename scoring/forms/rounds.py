"""Forms of a round: who holds cards, and what each player laid."""

import contextlib
import re
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.engine.cards import CardError, format_cards, parse_cards
from scoring.engine.hand_input import HAND_SIZE
from scoring.engine.rules import ROWS, Ruleset
from scoring.entry import lay_out
from scoring.forms.choices import RowsField
from scoring.ledger import HAND_FIELDS
from scoring.models import Hand, Player, Session
from scoring.models.answers import Answer, with_answer
from scoring.wording import explain, natural_name, row_name

_SEPARATOR = re.compile(r"[/|\n;]+")
# What is said most often comes first.
_DECLARATIONS = (
    Hand.Declare.AUTOMATIC,
    Hand.Declare.PAO,
    Hand.Declare.NATURAL,
    Hand.Declare.PLAY,
    Hand.Declare.SURRENDER,
)


class SeatChoiceForm(forms.Form):
    """Two to four players of the session, in the order in which they sit."""

    players = RowsField(
        label=_("Players"),
        queryset=Player.objects.none(),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "names"}),
        error_messages={"required": _("Choose two, three or four players.")},
    )

    def __init__(self, *args: Any, session: Session, everybody: bool = False, **kwargs: Any) -> None:
        """With `everybody` those who have left may be chosen too, for a round of the past."""
        super().__init__(*args, **kwargs)
        seats = session.seats.select_related("player")
        seats = seats if everybody else seats.filter(left_at=None)
        self.order = [seat.player for seat in seats]
        self.fields["players"].queryset = Player.objects.filter(seats__in=seats).order_by("seats__position")  # type: ignore[attr-defined]  # a ModelMultipleChoiceField

    def clean_players(self) -> list[Player]:
        chosen = set(self.cleaned_data["players"])
        if not 2 <= len(chosen) <= 4:
            raise forms.ValidationError(
                _("Choose two, three or four players; %(count)s are chosen."), params={"count": len(chosen)}
            )
        return [player for player in self.order if player in chosen]


class HandForm(forms.Form):
    """What is typed for one hand. Cards are not judged here: a draft is kept whatever it holds (see scoring.entry)."""

    thirteen = forms.CharField(label=_("All 13 cards at once"), required=False, max_length=400)
    front = forms.CharField(required=False, max_length=200)
    middle = forms.CharField(required=False, max_length=200)
    back = forms.CharField(required=False, max_length=200)
    declare = forms.ChoiceField(label=_("Counts as"), required=False, choices=())
    natural = forms.ChoiceField(label=_("Which natural"), required=False, choices=())
    declared = forms.MultipleChoiceField(
        label=_("Bonus announced for"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=[(row, row_name(row)) for row in ROWS],
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, typed: QueryDict | None = None, *, hand: Hand, ruleset: Ruleset) -> None:
        initial = {field: getattr(hand, field) for field in (*HAND_FIELDS, "version")}
        super().__init__(typed, prefix=str(hand.pk), initial=initial)
        self.hand = hand
        self._offer(ruleset)

    def _offer(self, ruleset: Ruleset) -> None:
        """Offer only what the house rules know."""
        left_out = set()
        if not ruleset.naturals:
            left_out |= {Hand.Declare.NATURAL, Hand.Declare.PLAY}
            del self.fields["natural"]
        else:
            names = [(natural.name, natural_name(natural.name)) for natural in ruleset.naturals]
            self.fields["natural"].choices = [("", _("by the cards")), *names]  # type: ignore[attr-defined]  # a ChoiceField
        if ruleset.surrender_points is None:
            left_out.add(Hand.Declare.SURRENDER)
        offered = [(choice, choice.label) for choice in _DECLARATIONS if choice not in left_out]
        self.fields["declare"].choices = offered  # type: ignore[attr-defined]  # a ChoiceField
        if not ruleset.bonus_declared:
            del self.fields["declared"]

    def clean_thirteen(self) -> dict[str, str]:
        """The pasted cards by row: as they are parted by `/`, a bar or a new line, else front, middle, back."""
        text = self.cleaned_data["thirteen"].strip()
        if not text:
            return {}
        parts = [part for part in _SEPARATOR.split(text) if part.strip()]
        try:
            rows = [parse_cards(part) for part in parts]
        except CardError as error:
            raise forms.ValidationError(explain(error, {})) from error
        cards = [card for row in rows for card in row]
        if len(cards) != HAND_SIZE:
            raise forms.ValidationError(
                _("A hand has %(size)s cards, not %(count)s."), params={"size": HAND_SIZE, "count": len(cards)}
            )
        sizes = [len(row) for row in rows]
        if sizes == [5, 5, 3]:
            rows.reverse()
        laid = dict(zip(ROWS, rows, strict=True)) if sizes in ([3, 5, 5], [5, 5, 3]) else lay_out(cards)
        return {name: format_cards(row) for name, row in laid.items()}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        return cleaned | (cleaned.get("thirteen") or {})

    def typed(self) -> dict[str, Any]:
        """What was typed in the fields that can be kept; a field that is refused keeps what the book holds."""
        return {field: self.cleaned_data[field] for field in HAND_FIELDS if field in self.cleaned_data}


def answers_in(typed: QueryDict | None) -> list[Answer]:
    """Who won the rows of which too little is told, by the host's word; what is no answer came from no page of ours."""
    answers: list[Answer] = []
    for text in typed.getlist("won") if typed else ():
        with contextlib.suppress(ValueError):
            answers = with_answer(answers, Answer.from_text(text))
    return answers


class VoidForm(forms.Form):
    """Why a round is taken out of the sums."""

    reason = forms.CharField(label=_("Why (optional)"), required=False, max_length=200)


class ReasonForm(forms.Form):
    """Why a round is corrected; everybody can read it."""

    reason = forms.CharField(label=_("Why"), max_length=200)
