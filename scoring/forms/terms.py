"""What the forms that change stakes have in common: the round from which on they hold."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import ledger
from scoring.forms.amounts import AmountField
from scoring.forms.changes import SessionForm
from scoring.models import PlannedStake, Round, Session
from scoring.models.sessions import Pair
from scoring.money import format_amount, format_money

MOST_ROUNDS = 1000


class TermsForm(SessionForm):
    """A form with stakes: those that stand in it hold from a round on, by default from the round at hand.

    It shows what holds in that round; drawn `for_round` what is planned to hold by then. For a later round only what
    was changed in the form counts: a plan that starts in between is not undone by a field that was left alone.
    """

    drawn_for = forms.IntegerField(widget=forms.HiddenInput, required=False, max_value=MOST_ROUNDS)

    def __init__(
        self, data: Any = None, *, session: Session, initial: Mapping[str, object], for_round: int | None = None
    ) -> None:
        self.at_hand = ledger.next_round(session)
        drawn_for = max(for_round or 0, self.at_hand)
        drawn = {field_of(pair): stake for pair, stake in ledger.stakes_from(session, drawn_for).items()}
        rounds = {"drawn_for": drawn_for, "from_round": for_round}
        super().__init__(data, session=session, initial={**initial, **drawn, **rounds})
        self.fields["stake"] = AmountField(label=_("Stake of a point"), currency=session.currency)
        hint = gettext("Empty: from round %(number)s on. From an earlier one: you see first what would change.")
        self.fields["from_round"] = forms.IntegerField(
            label=_("Stakes hold from round"),
            help_text=hint % {"number": self.at_hand},
            min_value=1,
            max_value=MOST_ROUNDS,
            required=False,
        )

    def wanted(self) -> ledger.Stakes:
        """The stakes as typed; pairs that the form does not show are left out."""
        return {None: self.cleaned_data["stake"]}

    @property
    def planned(self) -> list[PlannedStake]:
        """What is planned for later rounds, the next one first."""
        return list(self.session.planned_stakes.select_related("a", "b"))

    @property
    def from_round(self) -> int:
        return self.cleaned_data.get("from_round") or self.at_hand

    @property
    def reaches_back(self) -> bool:
        """Whether the stakes are to hold in rounds that are scored already."""
        later = self.session.rounds.filter(state=Round.State.SCORED, number__gte=self.from_round)
        return self.from_round < self.at_hand and later.exists()

    def shown(self) -> dict[str, str]:
        """The stake of the evening and what is planned for it; a plan's key is `<round>/<name of the field>`."""
        planned = {
            f"{each.from_round}/{field_of(each.pair)}": "" if each.stake is None else str(each.stake)
            for each in self.session.planned_stakes.all()
            if field_of(each.pair) in self.fields
        }
        return {"stake": str(self.session.stake)} | planned

    def told(self, key: str, value: str) -> str:
        stake = format_amount(int(value), self.session.currency) if value else gettext("the stake of the session")
        return gettext("%(field)s: now %(value)s.") % {"field": self.label_of(key), "value": stake}

    def label_of(self, key: str) -> str:
        number, _slash, field = key.rpartition("/")
        label = super().label_of(field)
        return gettext("%(field)s, from round %(number)s") % {"field": label, "number": number} if number else label

    def told_stakes(self) -> list[tuple[str, str, str]]:
        """The stakes as typed, in words: what for, before (nothing) and after."""
        typed = {field_of(pair): stake for pair, stake in self.wanted().items() if stake is not None}
        return [
            (self.label_of(field), "", format_money(stake, self.session.currency)) for field, stake in typed.items()
        ]

    def write(self, user: User) -> None:
        wanted = self.wanted()
        if self.from_round > self.at_hand:
            drawn = ledger.stakes_from(self.session, self.cleaned_data["drawn_for"] or self.at_hand)
            wanted = {pair: stake for pair, stake in wanted.items() if stake != drawn.get(pair)}
        ledger.change_stakes(self.session, wanted, self.from_round, user)


def field_of(pair: Pair | None) -> str:
    """The name of the field for the stake of a pair; without a pair, for that of all others."""
    return "stake" if pair is None else "{}-{}".format(*pair)
