"""What the page of the house-rules editor shows around its form: groups, and what differs from the preset."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring import wording
from scoring.engine.rules import BONUS_ROWS, CATEGORIES, NATURALS, PRESETS, ROWS, SWITCHES, Ruleset
from scoring.forms.rules import RulesForm
from scoring.forms.rules_draft import BONUS_PLACES, ORDER, PLAIN_FIELDS, full_order, is_switched_on
from scoring.rules_text import Difference, differences, names, preset_name, switch_name


@dataclass(frozen=True)
class Group:
    """Fields that belong together."""

    key: str
    title: str | Promise
    hint: str | Promise
    fields: tuple[str, ...]


GROUPS = (
    Group(
        "comparison",
        _("Comparing two rows"),
        _("What decides between two rows of the same kind."),
        ("ties", "kickers", "flush_by_suit", "wheel"),
    ),
    Group(
        "rows",
        _("Rows, tembus and super"),
        _("What one player takes from another when both hands are legal."),
        ("row_points", "majority_bonus", "tembus_multiplier", "tembus_bonus", "super_multiplier", "super_players"),
    ),
    Group("pao", _("PAO"), _("A hand whose rows are in the wrong order."), ("pao_multiplier",)),
    Group("surrender", _("Surrender"), _("Giving up before the cards are shown."), ("surrender_points",)),
    Group("fee", _("Room fee"), _("What the winners leave to the house."), ("room_fee_percent", "room_fee_basis")),
)
TABLE_GROUPS = (
    Group(
        "bonuses",
        _("Bonuses"),
        _("Points for a strong row (barang). An empty place pays nothing."),
        ("bonus_rule", "bonus_replaces_row", "bonus_multiplied", "bonus_declared", "bonus_limit", "bonus_broken"),
    ),
    Group(
        "naturals",
        _("Naturals"),
        _("Special hands of thirteen cards, strongest first. What is switched off does not exist."),
        ("quads_are_two_pairs",),
    ),
)


@dataclass(frozen=True)
class Mark:
    """What stands beside a place of the form: how it differs from the preset, None where it does not."""

    key: str
    was: Difference | None

    @property
    def is_field(self) -> bool:
        """Whether the place is a whole field of the ruleset, which can go back to the preset by itself."""
        return "-" not in self.key

    @property
    def is_cell(self) -> bool:
        """Whether the place is in the table of bonuses, where there is no room for a sentence."""
        return self.key in BONUS_PLACES


@dataclass(frozen=True)
class Place:
    """A field of the form and its mark."""

    bound: BoundField
    mark: Mark


@dataclass(frozen=True)
class BonusLine:
    """A category with its bonus in front, middle and back; None where the row cannot hold it."""

    label: str | Promise
    cells: tuple[Place | None, ...]


@dataclass(frozen=True)
class NaturalLine:
    """A natural: whether it is played, and for how many points."""

    name: str
    label: str | Promise
    note: str | Promise
    is_on: BoundField
    points: BoundField
    mark: Mark


@dataclass(frozen=True)
class PresetLine:
    """A preset to start from, and how many places of the stored rules it would replace."""

    preset: str
    label: str
    note: str | Promise
    replaces: int
    is_chosen: bool


class RulesEditor:
    """The page around `form`, which was asked `is_valid()` already; a save would replace the rules `stored`."""

    def __init__(self, form: RulesForm, stored: Ruleset) -> None:
        self.form = form
        self.stored = stored
        self.preset = form.base_preset

    @property
    def preset_label(self) -> str:
        return preset_name(self.preset)

    @cached_property
    def differences(self) -> list[Difference]:
        """How the draft differs from its preset."""
        return self._sound(differences(PRESETS[self.preset], self.form.ruleset))

    @cached_property
    def pending(self) -> list[Difference]:
        """What a save would change of the stored rules."""
        return self._sound(differences(self.stored, self.form.ruleset))

    def _sound(self, found: list[Difference]) -> list[Difference]:
        """Without the places that hold an error: what stands there in `ruleset` was not typed by anybody."""
        errors = self.form.errors
        return [each for each in found if each.place not in errors and f"{each.place}-points" not in errors]

    @cached_property
    def _by_place(self) -> dict[str, Difference]:
        return {each.place: each for each in self.differences}

    def _mark(self, key: str) -> Mark:
        return Mark(key, self._by_place.get(key))

    def _place(self, name: str) -> Place:
        return Place(self.form[name], self._mark(name))

    @property
    def order_mark(self) -> Mark:
        """How the order of the naturals differs from the preset's."""
        return self._mark(ORDER)

    def marks(self) -> Iterator[Mark]:
        """All marks, for an answer that brings them up to date."""
        yield from map(self._mark, (*PLAIN_FIELDS, *BONUS_PLACES, *(f"naturals-{name}" for name in NATURALS), ORDER))

    @property
    def differing_fields(self) -> set[str]:
        """The fields of the ruleset that differ, `bonuses` and `naturals` as one each."""
        return {each.place.split("-")[0] for each in self.differences}

    def groups(self) -> Iterator[tuple[Group, list[Place]]]:
        """The groups of plain fields in their order."""
        yield from self._filled(GROUPS)

    def table_groups(self) -> Iterator[tuple[Group, list[Place]]]:
        """Bonuses and naturals: plain fields below a table of their own."""
        yield from self._filled(TABLE_GROUPS)

    def _filled(self, groups: tuple[Group, ...]) -> Iterator[tuple[Group, list[Place]]]:
        for group in groups:
            yield group, [self._place(name) for name in group.fields]

    def bonuses(self) -> Iterator[BonusLine]:
        """The table of bonuses, the strongest category first."""
        for category in reversed(CATEGORIES):
            yield BonusLine(wording.category_name(category), tuple(self._bonus(row, category) for row in ROWS))

    def _bonus(self, row: str, category: str) -> Place | None:
        if category not in BONUS_ROWS[row]:
            return None
        return self._place(f"bonuses-{row}-{category}")

    def naturals(self) -> Iterator[NaturalLine]:
        """All thirteen naturals in the order of the draft."""
        for name in full_order(self.form.data.get(ORDER, "").split(",")):
            place = f"naturals-{name}"
            yield NaturalLine(
                name,
                wording.natural_name(name),
                names.NATURAL_NOTES[name],
                self.form[place],
                self.form[f"{place}-points"],
                self._mark(place),
            )

    def switches(self) -> Iterator[tuple[str, str, bool]]:
        """The switches of the preset: key, label, and whether the draft has it on."""
        for switch in SWITCHES.get(self.preset, ()):
            yield switch, switch_name(switch), is_switched_on(self.form.ruleset, self.preset, switch)

    def presets(self) -> Iterator[PresetLine]:
        """All presets to start from."""
        for preset, ruleset in PRESETS.items():
            replaces = len(differences(self.stored, ruleset))
            note = names.PRESET_NOTES.get(preset, "")
            yield PresetLine(preset, preset_name(preset), note, replaces, preset == self.preset)
