"""The object of a file as the rows of a club, each checked by itself and against those that it refers to.

What only shows when rounds are scored again and entries are summed is left to the audit.
"""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils.translation import gettext as _

from scoring.club_file import checks, shape
from scoring.club_file.kinds import Known, Ruleset
from scoring.club_file.places import ProblemError, RefusedError
from scoring.club_file.shape import Part
from scoring.ledger.imported import ClubRows
from scoring.models import Entry, Round, Session
from scoring.names import name_key
from scoring.sharing import new_token


class ClubReader:
    """The club of a file, read in its order: its `rows`, and the names of those who hosted it.

    `owner` is who imports it: what somebody of that name wrote is his.

    Raises:
        RefusedError: something in the file is not as it should be.
    """

    def __init__(self, file: dict[str, Any], owner: User) -> None:
        self._file = file
        self._known = Known(authors={owner.get_username(): owner})
        self._places: list[tuple[Model, str]] = []
        checks.require_format(file)
        shape.BOOK.read(file, "", self._known)
        self._read_rulesets()
        self.rows = ClubRows(shape.CLUB.read(file.get("club"), "club", self._known))
        self.hosts = [host["user"] for _place, _value, host in self._each(shape.HOST, "hosts")]
        self._read_players()
        for place, value, session in self._each(shape.SESSION, "sessions"):
            self._read_session(place, value, session)
        self._read_entries()
        self._read_changes()
        self.rows.authors = [author for author in self._known.authors.values() if author is not owner]

    def place_of(self, row: Model) -> str:
        """Where in the file a session, a round or an entry stands that was written meanwhile."""
        wanted = type(row), row.pk
        return next((place for one, place in self._places if (type(one), one.pk) == wanted), "")

    # ---------------------------------------------------------------- one part after the other

    def _read_rulesets(self) -> None:
        for number, (place, value) in enumerate(shape.BOOK.items(self._file, "rulesets", ""), start=1):
            try:
                self._known.rulesets[number] = Ruleset().read(value, self._known)
            except ProblemError as problem:
                raise RefusedError(place, problem) from problem

    def _read_players(self) -> None:
        once = checks.Once(_("Two players read as one name."))
        for place, _value, player in self._each(shape.PLAYER, "players"):
            player.name_key = name_key(player.name)
            once.require(place, player.name_key)
            self.rows.players.append(player)

    def _read_session(self, place: str, value: dict[str, Any], session: Session) -> None:
        self.rows.sessions.append(session)
        seats = list(self._of(session, shape.SEAT, value, "seats", place))
        stakes = list(self._of(session, shape.PAIR_STAKE, value, "pair_stakes", place))
        planned = list(self._of(session, shape.PLANNED_STAKE, value, "planned_stakes", place))
        links = list(self._of(session, shape.LINK, value, "links", place))
        for _place, link in links:
            link.token = new_token()
        checks.check_seats(seats)
        checks.check_stakes(stakes)
        checks.check_planned(planned)
        checks.check_links(links)
        for table, found in (
            (self.rows.seats, seats),
            (self.rows.pair_stakes, stakes),
            (self.rows.planned_stakes, planned),
            (self.rows.links, links),
        ):
            table += [row for _place, row in found]
        self._read_rounds(place, value, session)

    def _of(
        self, session: Session, part: Part, value: dict[str, Any], name: str, place: str
    ) -> Iterator[tuple[str, Any]]:
        for spot, _value, row in self._each(part, name, value, shape.SESSION, place):
            row.session = session
            yield spot, row

    def _read_rounds(self, place: str, value: dict[str, Any], session: Session) -> None:
        rounds = []
        for spot, told, round_ in self._each(shape.ROUND, "rounds", value, shape.SESSION, place):
            round_.session = session
            rounds.append((spot, round_))
            self._read_round(spot, told, round_)
        checks.check_rounds(rounds)

    def _read_round(self, place: str, value: dict[str, Any], round_: Round) -> None:
        def parts(part: Part, name: str) -> list[tuple[str, Any]]:
            return [(spot, row) for spot, _value, row in self._each(part, name, value, shape.ROUND, place)]

        hands, pairs, aside = parts(shape.HAND, "hands"), parts(shape.PAIR, "pairs"), parts(shape.ASIDE, "set_aside")
        for _place, row in (*hands, *pairs):
            row.round = round_
        checks.check_round(place, round_, hands, pairs)
        checks.check_aside(hands, aside)
        self.rows.rounds.append(round_)
        self.rows.hands += [hand for _place, hand in hands]
        self.rows.pairs += [pair for _place, pair in pairs]
        self.rows.answers.append([answer for _place, answer in parts(shape.ANSWER, "answers")])
        self.rows.set_aside.append([hand for _place, hand in aside])

    def _read_entries(self) -> None:
        entries, lines = [], []
        for place, value, entry in self._each(shape.ENTRY, "entries"):
            entries.append((place, entry))
            of_entry = list(self._each(shape.LINE, "lines", value, shape.ENTRY, place))
            for spot, _value, line in of_entry:
                line.entry = entry
                lines.append((spot, line))
            checks.check_entry(place, entry, [(spot, line) for spot, _value, line in of_entry])
        checks.check_book(entries, lines)
        self.rows.entries = [entry for _place, entry in entries]
        self.rows.lines = [line for _place, line in lines]

    def _read_changes(self) -> None:
        for place, _value, change in self._each(shape.CHANGE, "changes"):
            checks.check_change(place, change)
            self.rows.changes.append(change)

    def _each(
        self, part: Part, name: str, holder: dict[str, Any] | None = None, of: Part = shape.BOOK, place: str = ""
    ) -> Iterator[tuple[str, Any, Any]]:
        """The objects of a list of `holder`, by default of the file: place, as told, and as read."""
        for spot, value in of.items(self._file if holder is None else holder, name, place):
            row = part.read(value, spot, self._known)
            if isinstance(row, Session | Round | Entry):
                self._places.append((row, spot))
            yield spot, value, row
