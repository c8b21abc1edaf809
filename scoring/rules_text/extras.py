"""The sections about what comes on top: bonuses, naturals, surrender, money (RULES 5 to 7), and what is not played."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.rules import BONUS_ROWS, CATEGORIES, ROWS, Ruleset
from scoring.rules_text import names
from scoring.rules_text.parts import Section, Table


def bonuses_section(ruleset: Ruleset) -> Section:
    """What a row's category earns on top, and to whom (RULES 6.2)."""
    return Section(
        key="bonuses",
        title=_("Bonuses"),
        lead={
            "winner": _("Whoever wins a row with one of these takes a bonus from that opponent. A tied row pays none."),
            "cancel": _(
                "Whoever wins a row with one of these takes a bonus from that opponent; where both rows carry a "
                "bonus, neither is paid. A tied row pays none."
            ),
            "difference": _(
                "Whoever lays one of these takes a bonus from every opponent, whether the row is won, lost or tied. "
                "Where both lay one, only the difference changes hands."
            ),
        }[ruleset.bonus_rule],
        table=_bonus_table(ruleset),
        sentences=tuple(_bonus_sentences(ruleset)),
    )


def _bonus_table(ruleset: Ruleset) -> Table:
    points = {(bonus.row, bonus.category): str(bonus.points) for bonus in ruleset.bonuses}
    paid = [name for name in reversed(CATEGORIES) if any((row, name) in points for row in ROWS)]
    return Table(
        caption=_("Points of the bonuses"),
        columns=(_("Row"), *(str(wording.row_name(row)) for row in ROWS)),
        rows=tuple(
            (str(wording.category_name(name)), *(points.get((row, name), "–") for row in ROWS)) for name in paid
        ),
        numeric=frozenset({1, 2, 3}),
    )


def _bonus_sentences(ruleset: Ruleset) -> Iterator[str]:
    if _pays_royal_less(ruleset):
        yield _("A royal flush is not paid as a straight flush: only what its own line says counts.")
    yield _replacing(ruleset)
    if ruleset.bonus_multiplied:
        yield _("Tembus, super and PAO multiply the bonuses as they multiply the rows.")
    else:
        yield _("Tembus, super and PAO multiply the rows only, never the bonuses.")
    if ruleset.bonus_declared:
        yield _("A bonus counts only for a row that its player announced before the cards are shown.")
    else:
        yield _("Nothing has to be announced.")
    if ruleset.bonus_limit is None:
        yield _("A hand may collect as many bonuses as it has.")
    else:
        yield _one_bonus(ruleset)
    yield _broken(ruleset)


def _pays_royal_less(ruleset: Ruleset) -> bool:
    paid = {(bonus.row, bonus.category) for bonus in ruleset.bonuses}
    return any((row, "straight_flush") in paid and (row, "royal_flush") not in paid for row in BONUS_ROWS)


def _replacing(ruleset: Ruleset) -> str:
    if not ruleset.bonus_replaces_row:
        return _("A bonus comes on top of the row’s points.")
    if ruleset.bonus_rule == "difference":
        return _(
            "The winner of a row takes the bonus in place of the row’s points; a lost or tied row’s bonus is whole."
        )
    return _("The winner of a row takes the bonus in place of the row’s points.")


def _one_bonus(ruleset: Ruleset) -> str:
    if ruleset.bonus_broken:
        return _(
            "A hand has at most one bonus in a round, the one that the table pays most for; where two are equal, the "
            "back comes before the middle, the front and what is broken up. If it wins nothing, no other takes its "
            "place."
        )
    return _(
        "A hand has at most one bonus in a round, the one that the table pays most for; where two are equal, the back "
        "comes before the middle and the front. If it wins nothing, no other takes its place."
    )


def _broken(ruleset: Ruleset) -> str:
    if not ruleset.bonus_broken:
        return _("Only what lies in one row counts: a four of a kind that is broken up earns nothing.")
    return _(
        "A four of a kind or a straight flush among the thirteen cards that is not laid in one row pays its bonus of "
        "the back all the same, once, from everybody who plays or is PAO, whoever wins the rows. A hand that is PAO "
        "itself has none."
    )


def naturals_section(ruleset: Ruleset) -> Section:
    """The special hands of thirteen cards (RULES 5)."""
    return Section(
        key="naturals",
        title=_("Naturals"),
        lead=_(
            "A natural wins by its thirteen cards, however they are laid: it takes its points from every opponent, no "
            "rows are compared and nothing is multiplied. Strongest first:"
        ),
        table=Table(
            caption=_("Naturals, strongest first"),
            columns=(_("Natural"), _("What the thirteen cards hold"), _("Points")),
            rows=tuple(
                (str(wording.natural_name(natural.name)), str(names.NATURAL_NOTES[natural.name]), str(natural.points))
                for natural in ruleset.naturals
            ),
            numeric=frozenset({2}),
        ),
        sentences=tuple(_natural_sentences(ruleset)),
    )


def _natural_sentences(ruleset: Ruleset) -> Iterator[str]:
    listed = {natural.name for natural in ruleset.naturals}
    if len(listed) > 1:
        yield _("A hand counts as the first natural of the list that it holds.")
        yield _("Natural against natural: the stronger one takes its own points.")
    if listed & {"six_pairs", "five_pairs_and_triple"}:
        if ruleset.quads_are_two_pairs:
            yield _("Four of a kind counts as two pairs.")
        else:
            yield _("Four of a kind does not count as two pairs.")
    if listed & {"three_straights", "three_straight_flushes"}:
        yield (
            _("In front A-2-3 is no straight.")
            if ruleset.wheel == "none"
            else _("In front A-2-3 is a straight as well.")
        )
    yield from _same_natural(listed)
    yield _("A natural takes its points from a PAO hand as well.")
    yield _("A player may give up a natural and play the rows; PAO gives it up too.")


def _same_natural(listed: set[str]) -> Iterator[str]:
    if "six_pairs" in listed:
        yield _("Six pairs against six pairs compare their pairs from the highest down.")
    if listed & {"three_flushes", "three_straights"}:
        yield _(
            "Three flushes or three straights on both sides compare back, middle and front, each laid with the highest "
            "back possible."
        )
    others = listed - {"six_pairs", "three_flushes", "three_straights"}
    if others == listed:
        yield _("The same natural on both sides pays nothing.")
    elif others:
        yield _("Any other natural on both sides pays nothing.")


def surrender_section(ruleset: Ruleset) -> Section:
    """Giving up before the cards are shown (RULES 6)."""
    points = ruleset.surrender_points or 0
    return Section(
        key="surrender",
        title=_("Surrender"),
        lead=ngettext(
            "Before the cards are shown a player may surrender, and pays %(number)d point to every legal hand.",
            "Before the cards are shown a player may surrender, and pays %(number)d points to every legal hand.",
            points,
        )
        % {"number": points},
        sentences=tuple(_surrender_sentences(ruleset)),
    )


def _surrender_sentences(ruleset: Ruleset) -> Iterator[str]:
    yield _("A PAO hand and another surrendered hand get nothing.")
    if ruleset.naturals:
        yield _("A natural still takes its points, and a natural of one’s own is given up.")


def money_section(ruleset: Ruleset) -> Section:
    """Stakes and the room fee (RULES 7)."""
    return Section(
        key="money",
        title=_("Stakes and room fee") if ruleset.room_fee_percent else _("Stakes"),
        lead=_("A pair pays its points times its stake. Two players may agree on a stake of their own."),
        sentences=tuple(_fee_sentences(ruleset)),
    )


def _fee_sentences(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.room_fee_percent:
        return
    percent = percent_text(ruleset.room_fee_percent)
    if ruleset.room_fee_basis == "round":
        yield _("The room takes %(percent)s of what a player wins in a round, all pairs together, rounded down.") % {
            "percent": percent
        }
    else:
        yield _(
            "The room takes %(percent)s of what a player has won by the end of the evening, once, rounded down."
        ) % {"percent": percent}
    yield _("Who loses pays no fee.")


def percent_text(percent: Decimal) -> str:
    """A percentage as it is written in the page's language: "2.3%"."""
    return _("%(number)s%%") % {"number": number_format(percent.normalize(), use_l10n=True)}


def absent_section(ruleset: Ruleset) -> Section | None:
    """What other tables play and this one does not; None where nothing is left out."""
    sentences = tuple(_absent_sentences(ruleset))
    if not sentences:
        return None
    return Section(
        key="absent",
        title=_("Not played here"),
        lead=_("Other tables know these; this one does not:"),
        sentences=sentences,
    )


def _absent_sentences(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.super_multiplier is None:
        yield _("There is no super.")
    if not ruleset.bonuses:
        yield _("No row earns a bonus.")
    if not ruleset.naturals:
        yield _("There are no naturals: every hand is laid in rows.")
    if ruleset.surrender_points is None:
        yield _("Nobody may surrender.")
    if not ruleset.room_fee_percent:
        yield _("No room fee is taken.")
