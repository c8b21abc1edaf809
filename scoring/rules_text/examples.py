"""Worked examples for the rules as text. The engine scores them, so they are true under every ruleset."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.engine.cards import Card, parse_cards
from scoring.engine.rounds import HandInput, PairScore, score_round
from scoring.engine.rules import ROWS, Ruleset

# Hands that hold no natural under any ruleset. Ana wins all three rows from Budi and two from Citra.
_THREE_AT_THE_TABLE = {
    "Ana": "KsKd4c 9s9h9d5c5s QsQhQd8c8s",
    "Budi": "Jh6d3c AhAdTc6h2s JdJc7s7h2c",
    "Citra": "AsAc2h KhKcTdTh3s 4d5d6s7d8h",
}
# Ana wins everything: RULES 11.
_FOUR_AT_THE_TABLE = {
    "Ana": "AsAhKd QsQhQd7c7d 9s9h9d9c2c",
    "Budi": "KsQcJs 5s5h4s3s8c TsTh6s6h2s",
    "Citra": "KhJh8h 3h3d4h6d8d JdJc4d4c2h",
    "Dewi": "8s7h6c TdTc7s3c2d AdAc5d5cKc",
}
# Budi has laid his two pair in the middle and his pair of aces at the back.
_ONE_PAO = {
    "Ana": "KsKd4c 9s9h9d5c5s QsQhQd8c8s",
    "Budi": "Jh6d3c JdJc7s7h2c AhAdTc6h2s",
}


@dataclass(frozen=True)
class LaidHand:
    """A hand of an example as it lies on the table."""

    name: str
    rows: tuple[tuple[str, tuple[Card, ...]], ...]


@dataclass(frozen=True)
class Example:
    """Two hands, and step by step what the first player takes from the second."""

    title: str
    hands: tuple[LaidHand, ...]
    steps: tuple[tuple[str, str], ...]
    total: str


def two_rows(ruleset: Ruleset) -> Example:
    """Two rows won and one lost."""
    return _example(_("Example: Ana wins two rows from Citra"), _THREE_AT_THE_TABLE, "Citra", ruleset)


def tembus(ruleset: Ruleset) -> Example:
    """All three rows won from one of two opponents, with a full house in the middle."""
    title = _("Example: Ana has a tembus against Budi, with a full house in the middle")
    return _example(title, _THREE_AT_THE_TABLE, "Budi", ruleset)


def super_(ruleset: Ruleset) -> Example:
    """All three rows won from all three opponents; what one of them pays."""
    return _example(_("Example: Ana has a super; what Budi pays"), _FOUR_AT_THE_TABLE, "Budi", ruleset)


def pao(ruleset: Ruleset) -> Example:
    """A hand out of order against a legal one."""
    return _example(_("Example: Budi is PAO against Ana, his middle beats his back"), _ONE_PAO, "Budi", ruleset)


@lru_cache(maxsize=64)
def _pair(table: tuple[tuple[str, str], ...], opponent: str, ruleset: Ruleset) -> PairScore:
    hands = [_hand(name, text) for name, text in table]
    return next(pair for pair in score_round(hands, ruleset).pairs if (pair.a, pair.b) == ("Ana", opponent))


def _hand(name: str, text: str) -> HandInput:
    front, middle, back = map(parse_cards, text.split())
    return HandInput(name, front, middle, back, declared=frozenset(ROWS))


def _example(title: str, table: Mapping[str, str], opponent: str, ruleset: Ruleset) -> Example:
    pair = _pair(tuple(table.items()), opponent, ruleset)
    hands = tuple(
        LaidHand(
            name,
            tuple(
                (str(wording.row_name(row)), parse_cards(cards))
                for row, cards in zip(ROWS, table[name].split(), strict=True)
            ),
        )
        for name in ("Ana", opponent)
    )
    total = ngettext("%(number)s point", "%(number)s points", abs(pair.points)) % {"number": _signed(pair.points)}
    return Example(title, hands, tuple(_steps(pair)), total)


def _steps(pair: PairScore) -> Iterator[tuple[str, str]]:
    won = list((pair.rows or {}).values())
    yield _("Rows: %(won)d won, %(lost)d lost") % {"won": won.count(1), "lost": won.count(-1)}, _signed(pair.row_points)
    yield from wording.pair_sum(pair, 1, {who: str(who) for who in (pair.a, pair.b)})[1:]


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", wording.MINUS) if points else "0"
