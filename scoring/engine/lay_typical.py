"""Writes the files of typical hands: `python -m scoring.engine.lay_typical`. It takes some minutes."""

from collections.abc import Sequence

from scoring.engine.advisor import best_layouts
from scoring.engine.cards import format_cards
from scoring.engine.opposition import OPPONENTS
from scoring.engine.rules import PRESETS, Ruleset
from scoring.engine.typical import (
    FILES,
    WITH_BONUSES,
    WITHOUT_BONUSES,
    Hand,
    deal,
    opposition_of,
    strongest_back_first,
)

TABLES = 256
CHANGES = 8
"""After so many, nobody can better his hand by more than a fraction of a point, and most cannot at all."""

Tables = Sequence[Sequence[Hand]]


def lay_typical_tables(count: int, ruleset: Ruleset) -> Tables:
    """So many tables of three hands, each laid to bring most against all of them. Seat after seat changes its hands:
    if all did so at once, they would go on answering what nobody lays any more."""
    tables = [[strongest_back_first(hand, ruleset) for hand in deal(number)] for number in range(count)]
    for _ in range(CHANGES):
        for seat in range(OPPONENTS):
            opposition = opposition_of(tables, ruleset)
            for table in tables:
                table[seat] = best_layouts(table[seat], opposition, ruleset, 1)[0].cards
    return tables


def text_of(tables: Tables) -> str:
    """The tables as the file holds them."""
    return "".join(" | ".join(map(_rows_as_text, table)) + "\n" for table in tables)


def _rows_as_text(hand: Hand) -> str:
    return " ".join(format_cards(row).replace(" ", "") for row in (hand[:3], hand[3:8], hand[8:]))


def main() -> None:
    for preset in (WITHOUT_BONUSES, WITH_BONUSES):
        tables = lay_typical_tables(TABLES, PRESETS[preset])
        (FILES / f"{preset}.txt").write_text(text_of(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
