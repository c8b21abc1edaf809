"""A club as text: one row a line, the same club always the same text.

What players laid at their seats and have not shown yet stays hidden: of an open round the file holds what the host
could see.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.club_file import shape
from scoring.club_file.kinds import Written
from scoring.club_file.shape import Part
from scoring.ledger import HAND_FIELDS
from scoring.models import Club, Hand, Round, Session

CHUNK = 500
_EVENINGS = 8  # in memory at a time, with all their rounds


def write_club(club: Club) -> Iterator[str]:
    """The file of `club`, piece by piece. Read inside `exports.snapshot`, it is of one moment."""
    written = Written()
    yield f'{{"format": {_json(shape.FORMAT)}, "version": {shape.VERSION},\n"club": '
    yield _json(shape.CLUB.write(club, written))
    yield from _list("hosts", shape.HOST, club.hosts.order_by("pk"), written)
    yield from _list("players", shape.PLAYER, club.players.order_by("pk"), written)
    yield from _objects("sessions", (_session(session, written) for session in _sessions(club)))
    yield from _objects("entries", _entries(club, written))
    yield from _list("changes", shape.CHANGE, club.changes.order_by("pk").iterator(CHUNK), written)
    yield from _objects("rulesets", map(json.loads, written.numbers["rulesets"]))
    yield "}\n"


def _list(name: str, part: Part, rows: Iterable[Any], written: Written) -> Iterator[str]:
    return _objects(name, (part.write(row, written) for row in rows))


def _objects(name: str, objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield f',\n"{name}": ['
    between = "\n"
    for one in objects:
        yield f"{between}{_lines(one)}"
        between = ",\n"
    yield "]"


def _lines(value: dict[str, Any], indent: str = "") -> str:
    """An object on one line, but for its lists of objects: each of those on a line of its own."""
    flat = {name: item for name, item in value.items() if not _is_table(item)}
    text = _json(flat)
    for name, item in value.items():
        if name not in flat:
            rows = ",\n".join(f"{indent}  {_lines(row, indent + '  ')}" for row in item)
            text = f'{text[:-1]},\n{indent} "{name}": [\n{rows}]}}'
    return text


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- evenings


def _sessions(club: Club) -> Iterator[Session]:
    related = ("seats", "pair_stakes", "planned_stakes", "share_links", "rounds__hands", "rounds__pair_scores")
    return club.sessions.order_by("pk").prefetch_related(*related).iterator(_EVENINGS)


def _session(session: Session, written: Written) -> dict[str, Any]:
    told = shape.SESSION.write(session, written)
    parts: dict[str, tuple[Part, Iterable[Any]]] = {
        "seats": (shape.SEAT, session.seats.all()),
        "pair_stakes": (shape.PAIR_STAKE, session.pair_stakes.all()),
        "planned_stakes": (shape.PLANNED_STAKE, session.planned_stakes.all()),
        "links": (shape.LINK, session.share_links.all()),
    }
    for name, (part, rows) in parts.items():
        told[name] = [part.write(row, written) for row in _by_key(rows)]
    told["rounds"] = [_round(round_, written) for round_ in _by_key(session.rounds.all())]
    return _without_empty(told, shape.SESSION)


def _round(round_: Round, written: Written) -> dict[str, Any]:
    told = shape.ROUND.write(round_, written)
    told["hands"] = [shape.HAND.write(_as_host_sees(hand), written) for hand in _by_key(round_.hands.all())]
    told["pairs"] = [shape.PAIR.write(pair, written) for pair in _by_key(round_.pair_scores.all())]
    told["answers"] = [shape.ANSWER.write(answer, written) for answer in round_.answers]
    told["set_aside"] = [shape.ASIDE.write(hand, written) for hand in _aside(round_)]
    return _without_empty(told, shape.ROUND)


def _without_empty(told: dict[str, Any], part: Part) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value or name not in part.lists}


def _by_key(rows: Iterable[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: row.pk)


def _as_host_sees(hand: Hand) -> Hand:
    return _filled(hand, hand.set_aside) if hand.is_veiled else hand


def _aside(round_: Round) -> list[Hand]:
    """Hands of those who were taken out of the open round, as far as the host sees them."""
    return [
        _filled(Hand(player_id=int(player)), kept["set_aside"] if _is_veiled(round_, kept) else kept)
        for player, kept in sorted(round_.set_aside.items(), key=lambda item: int(item[0]))
    ]


def _is_veiled(round_: Round, kept: dict[str, Any]) -> bool:
    return bool(kept["is_hidden"]) and round_.revealed_at is None


def _filled(hand: Hand, typed: dict[str, Any] | None) -> Hand:
    """A hand that is not to be saved, with what was typed."""
    empty = Hand()
    for name in HAND_FIELDS:
        setattr(hand, name, (typed or {}).get(name, getattr(empty, name)))
    return hand


# ---------------------------------------------------------------- the book


def _entries(club: Club, written: Written) -> Iterator[dict[str, Any]]:
    for entry in club.entries.order_by("pk").prefetch_related("lines").iterator(CHUNK):
        told = shape.ENTRY.write(entry, written)
        yield told | {"lines": [shape.LINE.write(line, written) for line in _by_key(entry.lines.all())]}
