"""The quick score: hands that stand in no book, under any preset."""

from collections.abc import Hashable, Iterator
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.rounds import RoundScore
from scoring.entry import HandEntry, RoundEntry
from scoring.forms.amounts import AmountField
from scoring.forms.names import NameField
from scoring.forms.quick_keep import QUICK_RULES, QuickHand, QuickRound
from scoring.forms.rounds import HandForm, answers_in
from scoring.ledger import HAND_FIELDS
from scoring.models import Club, Hand, Player, Round, Session
from scoring.money import CURRENCIES
from scoring.names import name_key
from scoring.result import RoundResult
from scoring.rules_text.names import preset_name, switch_name
from scoring.wording import listed

MOST_HANDS = 4
LEAST_HANDS = 2


class TermsForm(forms.Form):
    """What is played, for how much, and by whom. Its fields belong to the form of the hands, wherever they stand."""

    rules = forms.ChoiceField(
        label=_("Rules"), choices=lambda: [(rules, rules_name(rules)) for rules in QUICK_RULES], initial="capsa"
    )
    players = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[(count, count) for count in range(LEAST_HANDS, MOST_HANDS + 1)],
        initial=MOST_HANDS,
    )
    currency = forms.ChoiceField(
        label=_("Currency"), choices=lambda: [(code, currency.name) for code, currency in CURRENCIES.items()]
    )

    def __init__(self, typed: QueryDict | None = None) -> None:
        super().__init__(typed)
        club = Club()  # what a new club starts with
        chosen = typed.get("currency") if typed else None
        currency = chosen if chosen in CURRENCIES else club.currency
        self.fields["currency"].initial = currency
        self.fields["stake"] = AmountField(label=_("Stake of a point"), currency=currency, initial=club.stake)
        for place in range(1, MOST_HANDS + 1):
            self.fields[f"name-{place}"] = NameField(label=default_name(place), required=False)
        for field in self.fields.values():
            field.widget.attrs["form"] = "round-form"

    @property
    def told(self) -> list[str]:
        """What is wrong, in sentences that stand apart from their fields."""
        faults = [(str(self[name].label), error) for name, errors in self.errors.items() for error in errors]
        return [gettext("%(field)s: %(error)s") % {"field": field, "error": error} for field, error in faults]

    @property
    def names(self) -> Iterator[forms.BoundField]:
        """The fields for the names."""
        return (self[f"name-{place}"] for place in range(1, MOST_HANDS + 1))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        seen: dict[str, str] = {}
        for place in range(1, MOST_HANDS + 1):
            name = cleaned.get(f"name-{place}") or default_name(place)
            other = seen.setdefault(name_key(name), name)
            if other is not name:
                text = gettext("“%(name)s” and “%(other)s” read as one name. Tell them apart.")
                self.add_error(f"name-{place}", text % {"name": name, "other": other})
            cleaned[f"name-{place}"] = name
        return cleaned


def rules_name(rules: str) -> str:
    """A preset as people call it, with the switches that are on."""
    preset, *switches = rules.split("+")
    if not switches:
        return preset_name(preset)
    return gettext("%(preset)s with %(switches)s") % {
        "preset": preset_name(preset),
        "switches": listed([switch_name(switch).lower() for switch in switches]),
    }


def default_name(place: int) -> str:
    """What a player is called who has no name yet."""
    return gettext("Player %(number)s") % {"number": place}


class QuickEntry(RoundEntry):
    """Hands that stand in no book. Whoever has nothing laid does not play, as long as two do."""

    @property
    def playing(self) -> list[HandEntry]:
        laid = [entry for entry in self.hands if not entry.hand.is_empty]
        spare = [entry for entry in self.hands if entry.hand.is_empty]
        needed = spare[: max(0, LEAST_HANDS - len(laid))]
        return [entry for entry in self.hands if entry in laid or entry in needed]

    def score(self) -> RoundScore:
        return self.round.score([entry.hand for entry in self.playing], {})


class QuickSheet:
    """The page of the quick score: its terms, and for each player what was typed and what is said about it.

    The models are used as they are, but nothing of them is saved.
    """

    def __init__(self, typed: QueryDict | None = None) -> None:
        self.terms = TermsForm(typed)
        self.is_sound = typed is None or self.terms.is_valid()
        self.told = self.terms.told
        self.forms: dict[int, HandForm] = {}
        chosen = self.terms.cleaned_data if typed is not None else {}
        self.rules: str = chosen.get("rules", "capsa")
        self.players: int = chosen.get("players", MOST_HANDS)
        self.currency: str = chosen.get("currency", Club().currency)
        self.stake: int = chosen.get("stake", Club().stake) or 0
        fields = QUICK_RULES[self.rules].as_dict()
        session = Session(currency=self.currency, stake=self.stake, ruleset_fields=fields)
        round_ = Round(session=session, number=1, stake=self.stake, ruleset_fields=session.ruleset_fields)
        round_.won = [list(answer) for answer in answers_in(typed)]
        names = [chosen.get(f"name-{place}") or default_name(place) for place in range(1, self.players + 1)]
        self.entry = QuickEntry(round_, [self._read(round_, place, name, typed) for place, name in enumerate(names, 1)])
        self.entry.ask_at_the_rows()

    @property
    def hands(self) -> list[tuple[HandForm, HandEntry]]:
        """For each hand its form and what is said about it."""
        return [(self.forms[entry.hand.pk], entry) for entry in self.entry]

    @property
    def rules_name(self) -> str:
        return rules_name(self.rules)

    @property
    def is_valid(self) -> bool:
        """Whether everything that was typed can be read."""
        return self.is_sound and not any(form.errors for form in self.forms.values())

    @property
    def result(self) -> RoundResult | None:
        """The score with its reasons; None while something is missing or wrong."""
        if not (self.is_valid and self.entry.preview):
            return None
        hands = [entry.hand.as_input(self.entry.ruleset) for entry in self.entry.playing]
        names: dict[Hashable, str] = {entry.hand.player_id: entry.hand.player.name for entry in self.entry.playing}
        return RoundResult(self.entry.preview, hands, names, self.entry.ruleset, self.currency)

    @property
    def typed(self) -> Iterator[tuple[str, str]]:
        """What a browser sends for this page, to go on with it elsewhere."""
        for form in (self.terms, *self.forms.values()):
            for field in form:
                value = field.value()
                for each in value if isinstance(value, list) else [value]:
                    yield field.html_name, "" if each is None else str(each)
        for answer in self.entry.round.answers:
            yield "won", answer.as_text()

    @property
    def round(self) -> QuickRound:
        """The round to be handed on, each time with a key of its own."""
        hands = [
            QuickHand(entry.hand.player.name, {field: getattr(entry.hand, field) for field in HAND_FIELDS})
            for entry in self.entry.playing
        ]
        places = {entry.hand.pk: place for place, entry in enumerate(self.entry.playing)}
        won = [
            answer._replace(a=places[answer.a], b=places[answer.b])
            for answer in self.entry.round.answers
            if {answer.a, answer.b} <= places.keys()
        ]
        return QuickRound(self.rules, self.currency, self.stake, hands, uuid4(), won)

    def _read(self, round_: Round, place: int, name: str, typed: QueryDict | None) -> Hand:
        hand = Hand(pk=place, round=round_, player=Player(pk=place, name=name), position=place)
        form = self.forms[place] = HandForm(typed, hand=hand, ruleset=round_.ruleset)
        if typed is None:
            return hand
        del form.fields["version"]  # nobody else can change a hand that is kept nowhere
        form.is_valid()
        for field, value in form.typed().items():
            setattr(hand, field, value)
        if not form.errors:
            self.forms[place] = HandForm(hand=hand, ruleset=round_.ruleset)
        return hand
