"""A file becomes a club of this installation, whole and audited, or nothing does."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.audit import Fault, Report, audit_ledger
from scoring.club_file.parsing import parse_file
from scoring.club_file.places import RefusedError
from scoring.club_file.reading import ClubReader
from scoring.ledger.imported import write_club_rows
from scoring.models import Club


class ImportedClub(NamedTuple):
    """The new club, what the audit looked at in it, and who hosted it where it comes from."""

    club: Club
    report: Report
    hosts: list[str]


def import_club(raw: bytes, owner: User, *, again: bool = False) -> ImportedClub:
    """Make the club of a file (`writing.write_club`), owned by `owner`.

    Only with `again` it is made once more where he hosts it already.

    Raises:
        RefusedError: the file is broken, does not agree with itself, or was imported before. Nothing was changed.
    """
    reader = ClubReader(parse_file(raw), owner)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # two arrivals of one file wait for each other
        if not again:
            _refuse_second(reader.rows.club, owner)
        try:
            write_club_rows(reader.rows, owner)
        except IntegrityError as error:
            raise RefusedError("", _("The file does not agree with itself (%(why)s).") % {"why": error}) from error
        report = audit_ledger(reader.rows.club)
        if report.faults:
            raise _disagreement(reader, report.faults[0])
    return ImportedClub(reader.rows.club, report, reader.hosts)


def _disagreement(reader: ClubReader, fault: Fault) -> RefusedError:
    """What the audit found, at its place in the file; the rest of the words are those of the audit."""
    place = reader.place_of(fault.row)
    why = {"why": fault.what if place else fault}
    return RefusedError(place, _("The file does not agree with itself (%(why)s).") % why)


def _refuse_second(club: Club, owner: User) -> None:
    """One and the same club was made at the same moment."""
    known = owner.clubs.filter(created_at=club.created_at).first()
    if known:
        message = _("You host this club already: %(club)s. Import it once more only if you want it twice.")
        raise RefusedError("", message % {"club": known})
