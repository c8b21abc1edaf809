"""A ruleset told to people: as text in sections, place by place, and what differs between two of them."""

from collections.abc import Iterator

from scoring.engine.rules import Ruleset
from scoring.rules_text import extras, play
from scoring.rules_text.differences import Difference, differences, value_text
from scoring.rules_text.names import preset_name, switch_name
from scoring.rules_text.parts import Section

__all__ = ["Difference", "Section", "differences", "preset_name", "switch_name", "tell_ruleset", "value_text"]


def tell_ruleset(ruleset: Ruleset) -> list[Section]:
    """The whole ruleset in the page's language, for a player who knows no field by name.

    What the ruleset does not have gets no section; one sentence at the end says so.
    """
    return list(_sections(ruleset))


def _sections(ruleset: Ruleset) -> Iterator[Section]:
    yield play.rows_section(ruleset)
    yield play.ties_section(ruleset)
    yield play.order_section(ruleset)
    yield play.points_section(ruleset)
    yield play.sweep_section(ruleset)
    if ruleset.bonuses:
        yield extras.bonuses_section(ruleset)
    if ruleset.naturals:
        yield extras.naturals_section(ruleset)
    if ruleset.surrender_points is not None:
        yield extras.surrender_section(ruleset)
    yield extras.money_section(ruleset)
    absent = extras.absent_section(ruleset)
    if absent:
        yield absent
