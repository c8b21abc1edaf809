"""What a section of the rules is made of."""

from dataclasses import dataclass, field

from scoring.rules_text.examples import Example


@dataclass(frozen=True)
class Table:
    """A small table: the first cell of a row is its heading, the columns in `numeric` hold numbers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Section:
    """One heading of the rules: what stands before the table, the table, the sentences, and what they come to."""

    key: str
    title: str
    lead: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    examples: tuple[Example, ...] = field(default=())
