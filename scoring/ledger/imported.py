"""A club that was kept in another installation comes into the book whole, row by row as it was."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model

from scoring.ledger.book import keep_open_balances
from scoring.ledger.hands import as_kept
from scoring.ledger.tallies import rebuild_tallies
from scoring.models import (
    Change,
    Club,
    Entry,
    Hand,
    Host,
    Line,
    PairScore,
    PairStake,
    PlannedStake,
    Player,
    Round,
    Seat,
    Session,
    ShareLink,
)
from scoring.models.answers import Answer

Row = TypeVar("Row", bound=Model)


@dataclass
class ClubRows:
    """The rows of a club, not saved yet: they refer to each other, those that are referred to come first.

    `answers` and `set_aside` belong to open rounds (by their place in `rounds`): what the host said about rows, with
    the players instead of their keys, and hands of players who were taken out.
    """

    club: Club
    authors: list[User] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    pair_stakes: list[PairStake] = field(default_factory=list)
    planned_stakes: list[PlannedStake] = field(default_factory=list)
    links: list[ShareLink] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    answers: list[list[Answer]] = field(default_factory=list)
    set_aside: list[list[Hand]] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    pairs: list[PairScore] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def write_club_rows(rows: ClubRows, owner: User) -> None:
    """Write a club that `owner` owns from now on. What is worked out from its rows is worked out here.

    Whether they agree with each other is not asked: `audit` says that, before the transaction ends.

    Raises:
        IntegrityError: the rows break a rule of the database.
    """
    with transaction.atomic():
        _keep_authors(rows.authors)
        rows.club.save()
        Host.objects.create(club=rows.club, user=owner, role=Host.Role.OWNER)
        _write(rows.players, rows.club)
        _write(rows.sessions, rows.club)
        _write(rows.seats, rows.club)
        _write_stakes(rows)
        _write(rows.links, rows.club)
        _write_rounds(rows)
        _write_in_runs(rows.entries, rows.club, lambda entry: (entry.reverses, entry.carries))
        for line in rows.lines:
            line.session = line.entry.session
        _write(rows.lines, rows.club)
        _write(rows.changes, rows.club)
        evenings = [session.pk for session in rows.sessions]
        keep_open_balances(evenings)
        rebuild_tallies(evenings)


def _keep_authors(authors: Iterable[User]) -> None:
    """Names of people who wrote in the book elsewhere: nobody can log in by them."""
    for author in authors:
        known = User.objects.filter(username=author.username).first()
        if known:
            author.pk = known.pk
        else:
            author.is_active = False
            author.set_unusable_password()
            author.save()


def _write(table: list[Row], club: Club) -> None:
    for row in table:
        row.club = club  # type: ignore[attr-defined]  # every row of a club carries it
    if table:
        type(table[0])._default_manager.bulk_create(table)


def _write_stakes(rows: ClubRows) -> None:
    stakes: list[PairStake | PlannedStake] = [*rows.pair_stakes, *rows.planned_stakes]
    for stake in stakes:
        if stake.a and stake.b and stake.a.pk > stake.b.pk:
            stake.a, stake.b = stake.b, stake.a
    _write(rows.pair_stakes, rows.club)
    _write(rows.planned_stakes, rows.club)


def _write_rounds(rows: ClubRows) -> None:
    for round_, answers, aside in zip(rows.rounds, rows.answers, rows.set_aside, strict=True):
        round_.won = [[row, a.pk, b.pk, result, told] for row, a, b, result, told in answers]  # type: ignore[attr-defined]  # here players stand for their keys
        round_.set_aside = {str(hand.player.pk): as_kept(hand) for hand in aside}
    _write_in_runs(rows.rounds, rows.club, lambda round_: (round_.replaces,))
    _write(rows.hands, rows.club)
    _write(rows.pairs, rows.club)


def _write_in_runs(table: list[Row], club: Club, refers_to: Callable[[Row], Iterable[Model | None]]) -> None:
    """Write rows that refer to earlier ones of their own table: as many at a time as know their keys."""
    for run in _runs(table, refers_to):
        _write(run, club)


def _runs(table: Iterable[Row], refers_to: Callable[[Row], Iterable[Any]]) -> Iterator[list[Row]]:
    run: list[Row] = []
    for row in table:
        if any(other and other.pk is None for other in refers_to(row)):
            yield run
            run = []
        run.append(row)
    yield run
