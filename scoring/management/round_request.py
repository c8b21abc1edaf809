"""A round as JSON: what `score_round` reads and what it answers (RULES 10)."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

from scoring.engine.cards import Card, CardError, parse_cards
from scoring.engine.errors import shown
from scoring.engine.hand_input import DECLARATIONS, HandInput
from scoring.engine.rounds import BonusPaid, Need, PairScore, PlayerScore, RoundScore, Won
from scoring.engine.rules import NATURALS, ROWS, Ruleset, RulesetError, parse_ruleset
from scoring.engine.told import Told, ToldError
from scoring.engine.words import parse_row
from scoring.wording import row_text

_REQUEST_FIELDS = ("rules", "stake", "stakes", "players", "won")
_PLAYER_FIELDS = ("name", *ROWS, "cards", "declare", "natural", "declared")
_STAKE_FIELDS = ("players", "stake")
_WON_FIELDS = ("row", "a", "b", "result")
_JSON_NAMES: Mapping[type[Any], str] = {list: "a list", dict: "an object", str: "text"}


class RoundRequest(NamedTuple):
    """What is to be scored, in the order of `score_round`'s arguments."""

    hands: list[HandInput]
    ruleset: Ruleset
    stake: int
    stakes: dict[frozenset[Hashable], int]
    won: list[Won]


def read_round(request: Mapping[str, Any]) -> RoundRequest:
    """The round that a request describes. Raises ValueError with a message that starts with the field."""
    _refuse_unknown(request, _REQUEST_FIELDS, "")
    ruleset = _read_ruleset(_required(request, "rules", ""))
    players = _typed(_required(request, "players", ""), list, "players")
    hands = [_read_hand(player, f"players[{place}]", ruleset) for place, player in enumerate(players)]
    stakes, won = _read_stakes(request.get("stakes", [])), _read_won(request.get("won", []))
    return RoundRequest(hands, ruleset, request.get("stake", 1), stakes, won)


def tell_round(score: RoundScore) -> dict[str, Any]:
    """The answer for a scored round."""
    return {
        "players": [_tell_player(player) for player in score.players],
        "pairs": [_tell_pair(pair) for pair in score.pairs],
        "house": score.house,
    }


def tell_need(need: Need) -> dict[str, Any]:
    """Something that must still be told before a round can be scored (RULES 9)."""
    return {"player": need.who, "row": need.row, "place": need.place}


def _read_ruleset(rules: Any) -> Ruleset:
    try:
        return parse_ruleset(rules)
    except RulesetError as error:
        raise ValueError(f"rules: {error}") from error


def _read_hand(player: Any, path: str, ruleset: Ruleset) -> HandInput:
    player = _typed(player, dict, path)
    _refuse_unknown(player, _PLAYER_FIELDS, f"{path}.")
    name = _typed(_required(player, "name", f"{path}."), str, f"{path}.name")
    if not name.strip():
        raise ValueError(f"{path}.name: expected a name, not {shown(name)}")
    return HandInput.of_rows(
        name,
        {row: _read_row(player, row, path, ruleset) for row in ROWS},
        cards=_read_cards(player, "cards", path),
        declare=_read_choice(player, "declare", DECLARATIONS, path) or "",
        natural=_read_choice(player, "natural", NATURALS, path),
        declared=_read_declared(player.get("declared", []), f"{path}.declared"),
    )


def _read_row(player: Mapping[str, Any], row: str, path: str, ruleset: Ruleset) -> tuple[Card, ...] | Told:
    try:
        return parse_row(_typed(player.get(row, ""), str, f"{path}.{row}"), row, ruleset)
    except (CardError, ToldError) as error:
        raise ValueError(f"{path}.{row}: {error}") from error


def _read_cards(player: Mapping[str, Any], field: str, path: str) -> tuple[Card, ...] | None:
    try:
        return parse_cards(_typed(player.get(field, ""), str, f"{path}.{field}")) or None
    except CardError as error:
        raise ValueError(f"{path}.{field}: {error}") from error


def _read_choice(player: Mapping[str, Any], field: str, choices: Collection[str], path: str) -> str | None:
    if field not in player:
        return None
    return _chosen(player[field], choices, f"{path}.{field}")


def _read_declared(rows: Any, path: str) -> frozenset[str]:
    return frozenset(_chosen(row, ROWS, path) for row in _typed(rows, list, path))


def _read_stakes(stakes: Any) -> dict[frozenset[Hashable], int]:
    read: dict[frozenset[Hashable], int] = {}
    for place, item in enumerate(_typed(stakes, list, "stakes")):
        path = f"stakes[{place}]"
        _refuse_unknown(_typed(item, dict, path), _STAKE_FIELDS, f"{path}.")
        players = _typed(_required(item, "players", f"{path}."), list, f"{path}.players")
        pair: frozenset[Hashable] = frozenset(_typed(name, str, f"{path}.players") for name in players)
        if pair in read:
            raise ValueError(f"{path}.players: this pair has a stake already")
        read[pair] = _required(item, "stake", f"{path}.")
    return read


def _read_won(won: Any) -> list[Won]:
    read = []
    for place, item in enumerate(_typed(won, list, "won")):
        path = f"won[{place}]"
        _refuse_unknown(_typed(item, dict, path), _WON_FIELDS, f"{path}.")
        row = _chosen(_required(item, "row", f"{path}."), ROWS, f"{path}.row")
        a, b = (_typed(_required(item, side, f"{path}."), str, f"{path}.{side}") for side in ("a", "b"))
        read.append(Won(row, a, b, _required(item, "result", f"{path}.")))
    return read


def _required(values: Mapping[str, Any], field: str, path: str) -> Any:
    if field not in values:
        raise ValueError(f"{path}{field}: this field is missing")
    return values[field]


def _refuse_unknown(values: Mapping[str, Any], fields: Collection[str], path: str) -> None:
    for field in values:
        if field not in fields:
            raise ValueError(f"{path}{field}: there is no such field; expected one of {', '.join(fields)}")


def _typed(value: Any, kind: type[Any], path: str) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{path}: expected {_JSON_NAMES[kind]}, not {shown(value)}")
    return value


def _chosen(value: Any, choices: Collection[str], path: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{path}: expected one of {', '.join(choices)}, not {shown(value)}")
    return value


def _tell_player(player: PlayerScore) -> dict[str, Any]:
    rows = player.rows
    return {
        "name": player.who,
        "status": player.status,
        "natural": player.natural,
        "super": player.super,
        "rows": rows and {row: {"category": rows[row].category, "text": row_text(rows[row])} for row in ROWS},
        "points": player.points,
        "money": player.money,
        "fee": player.fee,
        "net": player.net,
    }


def _tell_pair(pair: PairScore) -> dict[str, Any]:
    told: dict[str, Any] = {"a": pair.a, "b": pair.b, "rows": None if pair.rows is None else dict(pair.rows)}
    for figure in ("row_points", "multiplier", "extra", "bonus", "points", "stake", "money"):
        told[figure] = getattr(pair, figure)
    return told | {"bonuses": [_tell_bonus(bonus) for bonus in pair.bonuses]}


def _tell_bonus(bonus: BonusPaid) -> dict[str, Any]:
    return {"to": bonus.to, "row": bonus.row, "category": bonus.category, "points": bonus.points}
