"""The sections about the play itself: rows, order, tembus (RULES 1 to 4 and 6). One whole sentence a rule."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.rules import CATEGORIES, Ruleset
from scoring.rules_text import examples, names
from scoring.rules_text.parts import Section, Table


def rows_section(ruleset: Ruleset) -> Section:
    """What a row is and which category beats which (RULES 1 and 2)."""
    return Section(
        key="rows",
        title=_("What beats what"),
        lead=_(
            "Each player lays thirteen cards in three rows: three in front, five in the middle, five at the back. "
            "Every row meets the same row of every other player. From the strongest down:"
        ),
        table=Table(
            caption=_("What a row can be, strongest first"),
            columns=(_("Row"), _("What it is")),
            rows=tuple(
                (str(wording.category_name(name)), str(names.CATEGORY_NOTES[name])) for name in reversed(CATEGORIES)
            ),
        ),
        sentences=tuple(_row_sentences(ruleset)),
    )


def _row_sentences(ruleset: Ruleset) -> Iterator[str]:
    yield _("In front there is only three of a kind, a pair or a high card: three cards make no straight and no flush.")
    yield _("The ranks from the lowest: 2, 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king, ace.")
    if ruleset.ties == "suits" or ruleset.flush_by_suit:
        yield _("The suits from the lowest: ♦ diamonds, ♣ clubs, ♥ hearts, ♠ spades.")
    else:
        yield _("All four suits are worth the same.")
    yield {
        "lowest": _("A-2-3-4-5 is the lowest straight, below 2-3-4-5-6."),
        "second": _("A-2-3-4-5 is the second-highest straight, just below 10-J-Q-K-A."),
        "none": _("A-2-3-4-5 is no straight, and five such cards of one suit are a plain flush."),
    }[ruleset.wheel]
    yield _("No straight goes round the ace: Q-K-A-2-3 is none.")


def ties_section(ruleset: Ruleset) -> Section:
    """How two rows of one category compare (RULES 3)."""
    return Section(
        key="ties",
        title=_("Two rows of the same kind"),
        lead=_(
            "Where both players have the same kind of row, the ranks decide, the largest group of equal cards first."
        ),
        sentences=tuple(_tie_sentences(ruleset)),
    )


def _tie_sentences(ruleset: Ruleset) -> Iterator[str]:
    yield _("Two pair compare the higher pair, then the lower one; a full house its three cards, then its pair.")
    yield _("A straight and a straight flush compare their top card.")
    if ruleset.flush_by_suit:
        yield _("Rows without a group, high cards, compare all their cards from the highest down.")
        yield _(
            "Between two flushes the suit decides first, then the ranks: spades up to the nine beat hearts up to the "
            "ace. Straight flushes still compare their top card first."
        )
    else:
        yield _("Rows without a group, high cards and flushes, compare all their cards from the highest down.")
    yield _kickers(ruleset)
    yield from _equal_ranks(ruleset)


def _kickers(ruleset: Ruleset) -> str:
    if ruleset.kickers:
        return _("Next the single cards beside a group count, from the highest down: A-A-K beats A-A-Q.")
    if ruleset.ties == "suits":
        return _("Single cards beside a group never count: between A-A-K and A-A-Q the suits of the aces decide.")
    return _("Single cards beside a group never count: A-A-K and A-A-Q are equal.")


def _equal_ranks(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.ties == "split":
        yield _("Rows that are still equal are a tie, and nobody wins that row.")
        return
    yield _(
        "Where the ranks that count are equal, the suits decide, so that no row is tied: for a pair its better suit, "
        "for two pair the better suit of the higher pair, for a straight the suit of its top card, for a flush and a "
        "high card the suit of the highest card."
    )
    if ruleset.wheel == "lowest":
        yield _("The top card of A-2-3-4-5 is the five.")
    if ruleset.wheel == "second":
        yield _("Between two A-2-3-4-5 the suits of the aces decide.")


def order_section(ruleset: Ruleset) -> Section:
    """Legal order, and what PAO costs (RULES 4 and 6.5)."""
    return Section(
        key="order",
        title=_("Legal order and PAO"),
        lead=_(
            "The back must be at least as strong as the middle, and the middle at least as strong as the front. "
            "A hand in any other order is PAO."
        ),
        sentences=tuple(_order_sentences(ruleset)) + tuple(_pao_sentences(ruleset)),
        examples=(examples.pao(ruleset),),
    )


def _order_sentences(ruleset: Ruleset) -> Iterator[str]:
    yield _("Back and middle compare like the rows of two players.")
    if ruleset.kickers:
        yield _(
            "Between middle and front suits never count, and only as many ranks as the front has: K-K-Q in front of "
            "K-K-Q-J-10 is legal, K-K-A is PAO."
        )
    else:
        yield _(
            "Between middle and front suits never count, and of a pair only its rank: K-K-A in front of K-K-Q-J-10 "
            "is legal. High cards compare three ranks."
        )
    yield _("The host may call a hand PAO as well: for a wrong number of cards, or for cards shown too early.")


def _pao_sentences(ruleset: Ruleset) -> Iterator[str]:
    yield ngettext(
        "A PAO hand loses all three rows to every legal hand, and they count once.",
        "A PAO hand loses all three rows to every legal hand, and they count %(times)d times.",
        ruleset.pao_multiplier,
    ) % {"times": ruleset.pao_multiplier}
    if ruleset.super_multiplier is not None and ruleset.super_multiplier > ruleset.pao_multiplier:
        yield ngettext(
            "Against a super they count once.", "Against a super they count %(times)d times.", ruleset.super_multiplier
        ) % {"times": ruleset.super_multiplier}
    if ruleset.tembus_bonus or ruleset.majority_bonus:
        yield _("What is added for three rows won is added here too.")
    if ruleset.bonuses:
        yield _("A PAO hand earns no bonus, and it pays for every bonus of the legal hand.")
    yield _("Two PAO hands owe each other nothing.")


def points_section(ruleset: Ruleset) -> Section:
    """What a row and a majority of rows are worth (RULES 6.1 and 6.4)."""
    return Section(
        key="points",
        title=_("Points of the rows"),
        lead=ngettext(
            "Whoever wins a row takes %(number)d point from that opponent.",
            "Whoever wins a row takes %(number)d points from that opponent.",
            ruleset.row_points,
        )
        % {"number": ruleset.row_points},
        sentences=tuple(_point_sentences(ruleset)),
        examples=(examples.two_rows(ruleset),),
    )


def _point_sentences(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.ties == "split":
        yield _("A tied row is worth nothing to either.")
    if ruleset.majority_bonus:
        yield ngettext(
            "Whoever wins two rows or all three from an opponent takes %(number)d point more.",
            "Whoever wins two rows or all three from an opponent takes %(number)d points more.",
            ruleset.majority_bonus,
        ) % {"number": ruleset.majority_bonus}


def sweep_section(ruleset: Ruleset) -> Section:
    """Tembus and super (RULES 6.3)."""
    shown = [examples.tembus(ruleset)]
    if ruleset.super_multiplier is not None:
        shown.append(examples.super_(ruleset))
    return Section(
        key="sweeps",
        title=_("Tembus and super") if ruleset.super_multiplier is not None else _("Tembus"),
        lead=_("Winning all three rows from one opponent is a tembus, also called a scoop."),
        sentences=tuple(_tembus_sentences(ruleset)) + tuple(_super_sentences(ruleset)),
        examples=tuple(shown),
    )


def _tembus_sentences(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.ties == "split":
        yield _("Two rows won and one tied are no tembus.")
    yield ngettext(
        "The points of the three rows count once.",
        "The points of the three rows count %(times)d times.",
        ruleset.tembus_multiplier,
    ) % {"times": ruleset.tembus_multiplier}
    if ruleset.tembus_bonus:
        yield ngettext(
            "A tembus takes %(number)d point more, which nothing multiplies.",
            "A tembus takes %(number)d points more, which nothing multiplies.",
            ruleset.tembus_bonus,
        ) % {"number": ruleset.tembus_bonus}


def _super_sentences(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.super_multiplier is None:
        return
    yield _super_condition(ruleset)
    yield ngettext(
        "In a super the points of the rows count once from every opponent, in place of the tembus.",
        "In a super the points of the rows count %(times)d times from every opponent, in place of the tembus.",
        ruleset.super_multiplier,
    ) % {"times": ruleset.super_multiplier}
    yield _("A PAO hand counts as swept, even where all opponents are PAO.")
    if ruleset.naturals:
        yield _("A natural never counts as swept.")
    if ruleset.surrender_points is not None:
        yield _("A surrendered hand never counts as swept.")


def _super_condition(ruleset: Ruleset) -> str:
    players = ruleset.super_players
    if players is None:
        return _("A tembus against everybody is a super, also called a home run, however many play.")
    return ngettext(
        "A tembus against everybody, in a round of at least %(players)d player, is a super, also called a home run.",
        "A tembus against everybody, in a round of at least %(players)d players, is a super, also called a home run.",
        players,
    ) % {"players": players}
