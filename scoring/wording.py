"""The engine's structured values as sentences that a player understands, in the language of the page.

Every text is a whole pattern with named parts, never words strung together, so that a language can order them its way.
The `*_name` functions give lazy texts, fit for labels that are made before a language is chosen.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.engine.cards import RANKS, SUITS, Card, parse_card, rank_of, suit_of
from scoring.engine.errors import ScoringError
from scoring.engine.hands import RowReading
from scoring.engine.rounds import BonusPaid, PairScore, PaoReason, RoundScore, RowReason

Names = Mapping[Any, str]
"""What the players are called, by what the engine knows them by."""

MINUS = "\N{MINUS SIGN}"

# The sign is followed by U+FE0E: without it phones draw a coloured emoji.
SUIT_SIGNS = ("♦\ufe0e", "♣\ufe0e", "♥\ufe0e", "♠\ufe0e")

_ROW_NAMES = {
    "front": gettext_lazy("Front"),
    "middle": gettext_lazy("Middle"),
    "back": gettext_lazy("Back"),
}
_ROWS_IN_SENTENCES = {
    "front": gettext_lazy("front"),
    "middle": gettext_lazy("middle"),
    "back": gettext_lazy("back"),
    "cards": gettext_lazy("13 cards"),
}
_CATEGORY_NAMES = {
    "high_card": gettext_lazy("High card"),
    "pair": gettext_lazy("Pair"),
    "two_pair": gettext_lazy("Two pair"),
    "three_of_a_kind": gettext_lazy("Three of a kind"),
    "straight": gettext_lazy("Straight"),
    "flush": gettext_lazy("Flush"),
    "full_house": gettext_lazy("Full house"),
    "four_of_a_kind": gettext_lazy("Four of a kind"),
    "straight_flush": gettext_lazy("Straight flush"),
    "royal_flush": gettext_lazy("Royal flush"),
}
_NATURAL_NAMES = {
    "clean_dragon": gettext_lazy("Clean dragon"),
    "dragon": gettext_lazy("Dragon"),
    "twelve_royals": gettext_lazy("Twelve royals"),
    "three_straight_flushes": gettext_lazy("Three straight flushes"),
    "three_quads": gettext_lazy("Three quads"),
    "all_high": gettext_lazy("All high"),
    "all_low": gettext_lazy("All low"),
    "one_colour": gettext_lazy("One colour"),
    "four_triples": gettext_lazy("Four triples"),
    "five_pairs_and_triple": gettext_lazy("Five pairs and a triple"),
    "six_pairs": gettext_lazy("Six pairs"),
    "three_flushes": gettext_lazy("Three flushes"),
    "three_straights": gettext_lazy("Three straights"),
}
_STATUS_NAMES = {
    "played": gettext_lazy("Played"),
    "pao": gettext_lazy("PAO"),
    "natural": gettext_lazy("Natural"),
    "surrendered": gettext_lazy("Surrendered"),
    "incomplete": gettext_lazy("Incomplete"),
}
_DECLARATION_NAMES = {
    "": gettext_lazy("By the cards"),
    "play": gettext_lazy("Play on"),
    "pao": gettext_lazy("PAO"),
    "surrender": gettext_lazy("Surrender"),
    "natural": gettext_lazy("Natural"),
}

_RANK_NAMES = (
    pgettext_lazy("rank of a card", "two"),
    pgettext_lazy("rank of a card", "three"),
    pgettext_lazy("rank of a card", "four"),
    pgettext_lazy("rank of a card", "five"),
    pgettext_lazy("rank of a card", "six"),
    pgettext_lazy("rank of a card", "seven"),
    pgettext_lazy("rank of a card", "eight"),
    pgettext_lazy("rank of a card", "nine"),
    pgettext_lazy("rank of a card", "ten"),
    pgettext_lazy("rank of a card", "jack"),
    pgettext_lazy("rank of a card", "queen"),
    pgettext_lazy("rank of a card", "king"),
    pgettext_lazy("rank of a card", "ace"),
)
_RANKS_NAMES = (
    pgettext_lazy("several cards of a rank", "twos"),
    pgettext_lazy("several cards of a rank", "threes"),
    pgettext_lazy("several cards of a rank", "fours"),
    pgettext_lazy("several cards of a rank", "fives"),
    pgettext_lazy("several cards of a rank", "sixes"),
    pgettext_lazy("several cards of a rank", "sevens"),
    pgettext_lazy("several cards of a rank", "eights"),
    pgettext_lazy("several cards of a rank", "nines"),
    pgettext_lazy("several cards of a rank", "tens"),
    pgettext_lazy("several cards of a rank", "jacks"),
    pgettext_lazy("several cards of a rank", "queens"),
    pgettext_lazy("several cards of a rank", "kings"),
    pgettext_lazy("several cards of a rank", "aces"),
)
_SUIT_NAMES = (
    pgettext_lazy("suit of a card", "diamond"),
    pgettext_lazy("suit of a card", "club"),
    pgettext_lazy("suit of a card", "heart"),
    pgettext_lazy("suit of a card", "spade"),
)
_SUITS_NAMES = (
    gettext_lazy("diamonds"),
    gettext_lazy("clubs"),
    gettext_lazy("hearts"),
    gettext_lazy("spades"),
)

# A row in full. `rank` and `other` are its first two ranks, `ranks` and `others` the same for several cards.
_ROW_TEXTS = {
    "high_card": gettext_lazy("High card, %(rank)s"),
    "pair": gettext_lazy("Pair of %(ranks)s"),
    "two_pair": gettext_lazy("Two pair, %(ranks)s and %(others)s"),
    "three_of_a_kind": gettext_lazy("Three of a kind, %(ranks)s"),
    "straight": gettext_lazy("Straight, %(rank)s high"),
    "flush": gettext_lazy("Flush, %(rank)s high in %(suits)s"),
    "full_house": gettext_lazy("Full house, %(ranks)s over %(others)s"),
    "four_of_a_kind": gettext_lazy("Four of a kind, %(ranks)s"),
    "straight_flush": gettext_lazy("Straight flush, %(rank)s high in %(suits)s"),
    "royal_flush": gettext_lazy("Royal flush in %(suits)s"),
}
# For tabs and tables: ranks as they stand on the cards.
_ROW_SHORTS = {
    "high_card": gettext_lazy("%(r)s high"),
    "pair": gettext_lazy("Pair of %(r)s"),
    "two_pair": gettext_lazy("Two pair %(r)s %(o)s"),
    "three_of_a_kind": gettext_lazy("Three %(r)s"),
    "straight": gettext_lazy("Straight %(r)s"),
    "flush": gettext_lazy("Flush %(sign)s"),
    "full_house": gettext_lazy("Full house %(r)s"),
    "four_of_a_kind": gettext_lazy("Four %(r)s"),
    "straight_flush": gettext_lazy("Straight flush %(r)s %(sign)s"),
    "royal_flush": gettext_lazy("Royal flush %(sign)s"),
}

# Rows told in words of which some part is not told: by category, number of ranks and whether the suit is known. Where
# nothing is told that has a place in the text, the name of the category is all there is.
_PARTLY_TOLD_TEXTS = {
    ("two_pair", 1, False): gettext_lazy("Two pair, %(ranks)s"),
    ("full_house", 1, False): gettext_lazy("Full house, %(ranks)s"),
    ("flush", 0, True): gettext_lazy("Flush, %(suits)s"),
    ("flush", 1, False): gettext_lazy("Flush, %(rank)s high"),
    ("straight_flush", 0, True): gettext_lazy("Straight flush, %(suits)s"),
    ("straight_flush", 1, False): gettext_lazy("Straight flush, %(rank)s high"),
}
_PARTLY_TOLD_SHORTS = {
    ("two_pair", 1, False): gettext_lazy("Two pair %(r)s"),
    ("full_house", 1, False): _ROW_SHORTS["full_house"],
    ("flush", 0, True): _ROW_SHORTS["flush"],
    ("flush", 1, False): gettext_lazy("Flush %(r)s"),
    ("straight_flush", 0, True): gettext_lazy("Straight flush %(sign)s"),
    ("straight_flush", 1, False): gettext_lazy("Straight flush %(r)s"),
}
_RANKS_IN_TEXTS = {"two_pair": 2, "full_house": 2, "royal_flush": 0}
_SUITED = ("flush", "straight_flush", "royal_flush")

_MULTIPLIERS = {
    "tembus": gettext_lazy("Tembus, all three rows"),
    "super": gettext_lazy("Super, all three rows from everyone"),
    "pao": gettext_lazy("PAO"),
}
_EXTRAS = {
    "tembus_bonus": gettext_lazy("Bonus for tembus"),
    "majority_bonus": gettext_lazy("Bonus for most of the rows"),
    "natural": gettext_lazy("Natural"),
    "surrender": gettext_lazy("Surrender"),
}


def row_name(row: str) -> Promise:
    """Front, Middle or Back."""
    return _ROW_NAMES[row]


def row_in_sentence(row: str) -> Promise:
    """A row as it stands inside a sentence: front, middle or back."""
    return _ROWS_IN_SENTENCES[row]


def category_name(category: str) -> Promise:
    """The name of a category of rows, such as "Full house"."""
    return _CATEGORY_NAMES[category]


def natural_name(natural: str) -> Promise:
    """The name of a natural, such as "Six pairs"."""
    return _NATURAL_NAMES[natural]


def status_name(status: str) -> Promise:
    """How a hand counted, such as "PAO"."""
    return _STATUS_NAMES[status]


def declaration_name(declaration: str) -> Promise:
    """What a host can say a hand is, such as "Play on"."""
    return _DECLARATION_NAMES[declaration]


def rank_text(rank: int) -> str:
    """A rank as it stands on the card: 2 to 10, J, Q, K, A."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def rank_name(rank: int) -> str:
    """A rank in words, for those who hear the page: "jack"."""
    return str(_RANK_NAMES[rank])


def suits_name(suit: int) -> str:
    """A suit in words: "hearts"."""
    return str(_SUITS_NAMES[suit])


def card_text(card: Card) -> str:
    """A card as it looks: 10♥."""
    return rank_text(rank_of(card)) + SUIT_SIGNS[suit_of(card)]


def card_name(card: Card) -> str:
    """A card in words, for those who hear the page: "jack of hearts"."""
    return _("%(rank)s of %(suits)s") % {"rank": _RANK_NAMES[rank_of(card)], "suits": _SUITS_NAMES[suit_of(card)]}


def row_text(reading: RowReading) -> str:
    """A row in full: "Full house, jacks over threes", or as far as it is told: "Full house, jacks"."""
    return _row_pattern(reading, _ROW_TEXTS, _PARTLY_TOLD_TEXTS) % _parts(reading)


def row_short(reading: RowReading) -> str:
    """A row as short as can be: "Full house J"."""
    return _row_pattern(reading, _ROW_SHORTS, _PARTLY_TOLD_SHORTS) % _parts(reading)


def _row_pattern(
    reading: RowReading, whole: Mapping[str, Promise], partly: Mapping[tuple[str, int, bool], Promise]
) -> str:
    ranks = _RANKS_IN_TEXTS.get(reading.category, 1)
    is_suited = reading.category in _SUITED
    if len(reading.ranks) >= ranks and (reading.suit is not None or not is_suited):
        return str(whole[reading.category])
    told = (reading.category, min(len(reading.ranks), ranks), reading.suit is not None and is_suited)
    return str(partly.get(told, _CATEGORY_NAMES[reading.category]))


def row_reason(reason: RowReason, first: RowReading, second: RowReading) -> str:
    """Who won a row and by what, told from the stronger side: "Full house, jacks over threes, beats flush, ace high in
    hearts". The readings are those of the pair's two players."""
    if not reason.result:
        return _("%(row)s on both sides: nobody wins the row") % {"row": row_text(first)}
    winner, loser = (first, second) if reason.result > 0 else (second, first)
    parts = {
        "winner": row_text(winner),
        "loser": _inside_sentence(row_text(loser)),
        "rank": _RANK_NAMES[_deciding_rank(winner, loser)],
        "suit": _SUIT_NAMES[_named_suit(winner)],
    }
    if reason.decided_by == "suit" and winner.suit is None:
        return _("%(winner)s against %(loser)s: the suit decides") % parts
    return _reason_pattern(reason.decided_by, winner.category) % parts


def _inside_sentence(text: str) -> str:
    return text[:1].lower() + text[1:]


def _reason_pattern(decided_by: str, category: str) -> str:
    if decided_by == "host":
        return _("%(winner)s against %(loser)s: decided by the host")
    if decided_by == "suit":
        return _("%(winner)s against %(loser)s: the %(suit)s decides")
    if decided_by == "kicker":
        if category in ("high_card", "flush"):
            return _("%(winner)s against %(loser)s: the %(rank)s decides")
        return _("%(winner)s against %(loser)s: the %(rank)s kicker decides")
    if category in ("pair", "royal_flush"):
        return _("%(winner)s beats %(loser)s")
    return _("%(winner)s, beats %(loser)s")


def _deciding_rank(winner: RowReading, loser: RowReading) -> int:
    """The winner's rank at the first place where the two differ; where none does, no text names one."""
    differing = (ours for ours, theirs in zip(winner.ranks, loser.ranks, strict=False) if ours != theirs)
    return next(differing, 0)


def _parts(reading: RowReading) -> dict[str, object]:
    rank, other = (*reading.ranks, 0, 0)[:2]  # what is not told is not named either
    return {
        "rank": _RANK_NAMES[rank],
        "ranks": _RANKS_NAMES[rank],
        "others": _RANKS_NAMES[other],
        "suits": _SUITS_NAMES[_named_suit(reading)],
        "r": rank_text(rank),
        "o": rank_text(other),
        "sign": SUIT_SIGNS[_named_suit(reading)],
    }


def _named_suit(reading: RowReading) -> int:
    """The suit that a text about `reading` may name; where no suit decides, no text names one."""
    return reading.suit or 0


def pao_reason(pao: PaoReason) -> str:
    """Why a hand is PAO: "Middle beats back: PAO"."""
    if pao.higher == "middle":
        return _("Middle beats back: PAO")
    if pao.higher == "front":
        return _("Front beats middle: PAO")
    return _("Called PAO by the host")


def pair_intro(pair: PairScore, score: RoundScore, names: Names) -> str:
    """Why a pair's rows are multiplied, or why no rows count; empty where there is nothing to explain."""
    winner, loser = (pair.b, pair.a) if pair.points < 0 else (pair.a, pair.b)
    parts = {"winner": names[winner], "loser": names[loser]}
    if pair.cause == "natural":
        return _natural_intro(pair, score, names)
    if pair.cause == "surrender":
        return _surrender_intro(pair, parts)
    patterns = {
        None: "",
        "tembus": _("%(winner)s wins all three rows from %(loser)s: tembus."),
        "super": _("%(winner)s wins all three rows from everyone: super."),
        "pao": _("%(loser)s is PAO and loses all three rows."),
        "both_pao": _("Both are PAO: neither pays the other."),
    }
    return patterns[pair.cause] % _by_rows(pair, parts, names)


def _by_rows(pair: PairScore, parts: dict[str, str], names: Names) -> dict[str, str]:
    """Winner and loser by the rows: bonuses may have turned the sum the other way."""
    if not pair.row_points:
        return parts
    winner, loser = (pair.b, pair.a) if pair.row_points < 0 else (pair.a, pair.b)
    return {"winner": names[winner], "loser": names[loser]}


def _surrender_intro(pair: PairScore, parts: dict[str, str]) -> str:
    if not pair.points:
        return _("Neither plays a legal hand: neither pays the other.")
    return _("%(loser)s surrendered and pays %(winner)s without comparing rows.") % parts


def _natural_intro(pair: PairScore, score: RoundScore, names: Names) -> str:
    naturals = {player.who: player.natural for player in score.players}
    holders = [who for who in (pair.a, pair.b) if naturals[who]][:: -1 if pair.points < 0 else 1]
    held = [_NATURAL_NAMES[str(naturals[who])] for who in holders]
    parts = {"holder": names[holders[0]], "natural": held[0], "other": names[holders[-1]], "weaker": held[-1]}
    if len(holders) == 1:
        return _("%(holder)s has a natural, %(natural)s: rows are not compared.") % parts
    if not pair.points:
        return _("Both have a natural of the same strength, %(natural)s: neither pays the other.") % parts
    return _("%(holder)s has the stronger natural: %(natural)s against %(weaker)s of %(other)s.") % parts


def pair_sum(pair: PairScore, side: int, names: Names) -> list[tuple[str, str]]:
    """A pair's points as a calculation, step by step, seen from its first player (side 1) or its second (-1)."""
    lines = []
    if pair.rows is not None:
        lines.append((_("Rows"), _signed(side * pair.row_points)))
    if pair.multiplier != 1:
        lines.append((str(_MULTIPLIERS[str(pair.cause)]), f"× {pair.multiplier}"))
    lines += [(str(_EXTRAS[kind]), _signed(side * points)) for kind, points in pair.extras]
    mine = pair.a if side > 0 else pair.b
    for bonus in pair.bonuses:
        lines.append((bonus_text(bonus, names), _signed(bonus.points if bonus.to == mine else -bonus.points)))
    return lines


def bonus_text(bonus: BonusPaid, names: Names) -> str:
    """A bonus and who collects it: "Full house in the middle, to Ana"."""
    row = _ROWS_IN_SENTENCES[bonus.row] if bonus.row else ""
    parts = {"category": category_name(bonus.category), "player": names[bonus.to], "row": row}
    pattern = _("%(category)s in the %(row)s, to %(player)s") if row else _("%(category)s broken up, to %(player)s")
    return pattern % parts


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", MINUS) if points else "0"


def listed(texts: Sequence[str]) -> str:
    """Several names as one: "Ana, Budi and Citra"."""
    if len(texts) < 2:
        return "".join(texts)
    first, *rest = texts
    for text in rest[:-1]:
        first = pgettext("more than two names", "%(first)s, %(next)s") % {"first": first, "next": text}
    return _("%(first)s and %(last)s") % {"first": first, "last": rest[-1]}


def explain(error: ScoringError, names: Names) -> str:
    """What the engine refuses, to be shown beside its field: the place is not repeated in it."""
    return _(error.message) % {name: _told(name, part, names) for name, part in error.params.items()}


def _told(name: str, part: object, names: Names) -> object:
    """A named part of an error as people know it."""
    if name == "other" and isinstance(part, Hashable):
        return names.get(part, part)
    tables: dict[str, Mapping[str, object]] = {
        "other_row": _ROWS_IN_SENTENCES,
        "natural": _NATURAL_NAMES,
        "category": _CATEGORY_NAMES,
        "suit": dict(zip(SUITS, _SUITS_NAMES, strict=True)),
    }
    if name in tables:
        return tables[name].get(str(part), part)
    return card_text(parse_card(str(part))) if name == "card" else part
