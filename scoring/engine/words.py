"""Text to a row told in words, such as "full house J 3" (RULES 9). The words themselves are data: words.toml."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scoring.engine.cards import Card, CardError, parse_cards
from scoring.engine.errors import gettext_noop
from scoring.engine.rules import CATEGORIES, Ruleset
from scoring.engine.told import GROUP_SIZES, Told, ToldError, checked, rank_count

_UNKNOWN = gettext_noop('"%(word)s" at position %(position)d is neither a card nor a word for a row')
_OUT_OF_PLACE = gettext_noop('"%(word)s" cannot stand at position %(position)d of a row')
_NO_CATEGORY = gettext_noop('"%(word)s" at position %(position)d does not say what the row is, such as "pair"')
_SECOND_SUIT = gettext_noop('"%(word)s" at position %(position)d is a second suit; only the one that decides is told')
_NOT_ONE_ROW = gettext_noop("there is no %(category)s of %(ranks)s")
_NOTHING_TOLD = gettext_noop("nothing is told of this row")

_APOSTROPHES = "'’‘ʼ`´"
_RANKS_ONLY = re.compile("(?:10|[2-9tjqka])+")
_ONE_RANK = re.compile("10|.")
_CARD_LETTERS = re.compile("[0-9tjqkashcd]+")
_LONGEST_WORD = 40

_BY_GROUPS = {
    groups: category
    for category, groups in zip(CATEGORIES, GROUP_SIZES, strict=True)
    if category in ("pair", "two_pair", "three_of_a_kind", "full_house", "four_of_a_kind")
}


class _Word(NamedTuple):
    """A word as it was written, where it starts (counted from 1), and in small letters without accents."""

    shown: str
    position: int
    plain: str

    def error(self, message: str) -> ToldError:
        shown = self.shown if len(self.shown) <= _LONGEST_WORD else f"{self.shown[:_LONGEST_WORD]}…"
        return ToldError(message, word=shown, position=self.position)


class _Vocabulary(NamedTuple):
    """The file of words, made ready to look them up. Categories are several words each."""

    categories: Mapping[tuple[str, ...], str]
    after_a_rank: Mapping[str, str]
    suits: Mapping[str, int]
    ranks: Mapping[str, int]
    fillers: frozenset[str]


def parse_row(text: str, row: str, ruleset: Ruleset) -> tuple[Card, ...] | Told:
    """The cards of a row where the whole text reads as cards, else what it tells in words.

    >>> parse_row("full house J 3", "back", ruleset)
    Told(category='full_house', ranks=(9, 1), suit=None)

    Raises CardError or ToldError, whichever understood more of the text.
    """
    try:
        return parse_cards(text)
    except CardError as error:
        not_cards = error
    try:
        return parse_told(text, row, ruleset)
    except ToldError as error:
        if _is_meant_as_cards(text, not_cards, error):
            raise not_cards from None
        raise


def _is_meant_as_cards(text: str, not_cards: CardError, not_told: ToldError) -> bool:
    """Whether more of a text was understood as cards than as words."""
    if not_told.position is None or not_told.position > not_cards.position:
        return False
    if not_told.position == not_cards.position:
        return bool(_CARD_LETTERS.fullmatch(_plain(not_told.word or "")))
    # "K hearts" starts like the card Kh, but the word that goes on from there is one of ours.
    begun = [word for word in _split(text) if word.position <= not_cards.position]
    return not _is_known(begun[-1])


def parse_told(text: str, row: str, ruleset: Ruleset) -> Told:
    """A row from the words in which it is told. Raises ToldError, which names the word that is not understood, or says
    what keeps such a row from being there."""
    words = _split(text)
    if not words:
        raise ToldError(_NOTHING_TOLD)
    length = _length_of_category(words)
    if length:
        category, rest = _WORDS.categories[_plains(words[:length])], words[length:]
    elif len(words) > 1 and words[1].plain in _WORDS.after_a_rank and len(_ranks_in(words[0])) == 1:
        category, rest = _WORDS.after_a_rank[words[1].plain], [words[0], *words[2:]]
    else:
        return _from_ranks(words, row, ruleset)
    ranks, suit = _read_items(rest)
    return checked(Told(category, _in_order(category, ranks, row), suit), row, ruleset)


def format_told(told: Told) -> str:
    """Words that `parse_told` reads back to the same row, in English: "full house J 3"."""
    ranks = [_RANK_TEXTS[rank] for rank in told.ranks]
    suit = [] if told.suit is None else [_SUIT_TEXTS[told.suit]]
    return " ".join([_CATEGORY_TEXTS[told.category], *ranks, *suit])


def _from_ranks(words: Sequence[_Word], row: str, ruleset: Ruleset) -> Told:
    """A row told by ranks alone: some equal ones first, or all three of a front."""
    if not _ranks_in(words[0]):
        raise words[0].error(_OUT_OF_PLACE if _is_known(words[0]) else _UNKNOWN)
    ranks, suit = _read_items(words)
    counts = tuple(sorted(Counter(ranks).values(), reverse=True))
    if ranks[:1] == ranks[1:2]:
        category = next((name for groups, name in _BY_GROUPS.items() if groups[: len(counts)] == counts), None)
        if category is None:
            raise ToldError(_NOT_ONE_ROW, category="row", ranks=_rank_texts(ranks))
    elif row == "front" and len(ranks) == 3:
        category = "high_card" if len(counts) == 3 else "pair"
    else:
        raise words[0].error(_NO_CATEGORY)
    return checked(Told(category, _in_order(category, ranks, row), suit), row, ruleset)


def _read_items(words: Sequence[_Word]) -> tuple[tuple[int, ...], int | None]:
    """The ranks and the suit among words."""
    ranks: list[int] = []
    suit = None
    for word in words:
        found = _WORDS.suits.get(word.plain)
        if found is not None:
            if suit not in (None, found):
                raise word.error(_SECOND_SUIT)
            suit = found
        elif _ranks_in(word):
            ranks += _ranks_in(word)
        elif word.plain not in _WORDS.fillers:
            raise word.error(_OUT_OF_PLACE if _is_known(word) else _UNKNOWN)
    return tuple(ranks), suit


def _in_order(category: str, ranks: tuple[int, ...], row: str) -> tuple[int, ...]:
    """Ranks in the order in which they compare. Every card may have been told, "pair KK 9", and then in any order, as
    may two pairs and whatever else is complete."""
    counts = Counter(ranks)
    sizes = GROUP_SIZES[CATEGORIES.index(category)]
    if len(counts) < len(ranks):
        by_group = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
        if tuple(counts[rank] for rank in by_group) != sizes[: len(by_group)]:
            raise ToldError(_NOT_ONE_ROW, category=category, ranks=_rank_texts(ranks))
        return tuple(by_group)
    if category == "two_pair":
        return (*sorted(ranks[:2], reverse=True), *ranks[2:])
    if category == "full_house" or len(ranks) < rank_count(category, row):
        return ranks
    groups = 0 if category in ("high_card", "flush") else 1
    return (*ranks[:groups], *sorted(ranks[groups:], reverse=True))


def _length_of_category(words: Sequence[_Word]) -> int:
    """How many words at the start name a category: as many as can be, 0 where none does."""
    lengths = range(min(_LONGEST_CATEGORY, len(words)), 0, -1)
    return next((length for length in lengths if _plains(words[:length]) in _WORDS.categories), 0)


def _ranks_in(word: _Word) -> tuple[int, ...]:
    """The ranks that a word stands for: one by name, or several by their signs alone, such as "KK5"."""
    rank = _WORDS.ranks.get(word.plain)
    if rank is not None:
        return (rank,)
    if _RANKS_ONLY.fullmatch(word.plain):
        return tuple(_WORDS.ranks[sign] for sign in _ONE_RANK.findall(word.plain))
    return ()


def _is_known(word: _Word) -> bool:
    """Whether a word occurs in the vocabulary at all."""
    plain = word.plain
    known: tuple[Any, ...] = (_WORDS.suits, _WORDS.fillers, _WORDS.after_a_rank, *_WORDS.categories)
    return bool(_ranks_in(word)) or any(plain in words for words in known)


def _split(text: str) -> list[_Word]:
    """The words of a text; signs of suits stand for themselves, punctuation is a gap."""
    spaced = "".join(" " if _is_gap(sign) else sign for sign in text)
    found = [_Word(match[0], match.start() + 1, _plain(match[0])) for match in _WORD.finditer(spaced)]
    return [word for word in found if word.plain]


def _is_gap(sign: str) -> bool:
    """Punctuation, spaces and signs that do not show; an apostrophe belongs to its word."""
    return unicodedata.category(sign)[0] in "PZC" and sign not in _APOSTROPHES


def _plain(word: str) -> str:
    """In small letters, without accents and apostrophes."""
    letters = unicodedata.normalize("NFD", word.casefold())
    return "".join(sign for sign in letters if unicodedata.category(sign) != "Mn" and sign not in _APOSTROPHES)


def _plains(words: Sequence[_Word]) -> tuple[str, ...]:
    return tuple(word.plain for word in words)


def _rank_texts(ranks: Sequence[int]) -> str:
    return " ".join(_RANK_TEXTS[rank] for rank in ranks)


def _read_vocabulary(file: Mapping[str, Any]) -> _Vocabulary:
    return _Vocabulary(
        {
            tuple(_plain(part) for part in alias.split()): category
            for category, aliases in file["categories"].items()
            for alias in aliases
        },
        {alias: category for category, aliases in file["after_a_rank"].items() for alias in aliases},
        _with_plurals(list(file["suits"].values())),
        _with_plurals(list(file["ranks"].values())),
        frozenset(file["fillers"]["words"]),
    )


def _with_plurals(aliases: Sequence[Sequence[str]]) -> dict[str, int]:
    """Every alias, also with -s and longer ones with -es, to the number of its list. A word itself comes before a
    plural: "as" is an ace and not several A."""
    singular = {_plain(alias): number for number, of_one in enumerate(aliases) for alias in of_one}
    plural = {alias + "s": number for alias, number in singular.items() if alias.isalnum()}
    plural |= {alias + "es": number for alias, number in singular.items() if len(alias) > 2}
    return plural | singular


_FILE = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
_WORDS = _read_vocabulary(_FILE)
_LONGEST_CATEGORY = max(map(len, _WORDS.categories))
_SIGNS = "".join(sign for sign in _WORDS.suits if len(sign) == 1)
_WORD = re.compile(f"[{_SIGNS}]|[^ {_SIGNS}]+")
_CATEGORY_TEXTS = {category: aliases[0] for category, aliases in _FILE["categories"].items()}
_SUIT_TEXTS = [aliases[0] for aliases in _FILE["suits"].values()]
_RANK_TEXTS = [aliases[0] for aliases in _FILE["ranks"].values()]
