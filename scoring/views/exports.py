"""The book as files: tables of an evening and of a club, and a whole club as one file, out and in."""

from collections.abc import Mapping
from tempfile import SpooledTemporaryFile
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from scoring.club_file import ImportedClub, write_club
from scoring.exports.sheets import CSV, EXCEL, KEPT_IN_MEMORY, file_name, spreadsheet_response
from scoring.exports.snapshot import snapshot
from scoring.exports.tables import CLUB_TABLES, SESSION_TABLES, Table
from scoring.forms.imports import ImportForm
from scoring.forms.sessions import today
from scoring.models import Club, Session
from scoring.views.access import HostRequest, get_club, get_session

# ---------------------------------------------------------------- out


@require_GET
def club_export(request: HostRequest, pk: int) -> HttpResponse:
    """What of a club can be had as a file, and what for."""
    club = get_club(request, pk)
    return render(request, "scoring/club_export.html", {"club": club, "tables": CLUB_TABLES})


@require_GET
def club_csv(request: HostRequest, pk: int) -> FileResponse:
    """One table of a club (`?table=`), or all of them in an archive."""
    return _club_tables(request, get_club(request, pk), CSV)


@require_GET
def club_excel(request: HostRequest, pk: int) -> FileResponse:
    """All tables of a club as a workbook."""
    return _club_tables(request, get_club(request, pk), EXCEL)


@require_GET
def club_json(request: HostRequest, pk: int) -> FileResponse:
    """Everything of a club, to be imported elsewhere."""
    club = get_club(request, pk)
    file = SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115 - the response closes it when it is sent
    with snapshot():
        file.writelines(piece.encode() for piece in write_club(club))
    file.seek(0)
    name = f"{file_name(club.name, today(club))}.json"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/json")


@require_GET
def session_export(request: HostRequest, pk: int) -> HttpResponse:
    """What of an evening can be had as a file."""
    session = get_session(request, pk)
    return render(request, "scoring/session_export.html", {"session": session, "tables": SESSION_TABLES})


@require_GET
def session_csv(request: HostRequest, pk: int) -> FileResponse:
    """One table of an evening (`?table=`), or all of them in an archive."""
    return _session_tables(request, get_session(request, pk), CSV)


@require_GET
def session_excel(request: HostRequest, pk: int) -> FileResponse:
    """All tables of an evening as a workbook."""
    return _session_tables(request, get_session(request, pk), EXCEL)


def _club_tables(request: HostRequest, club: Club, form: str) -> FileResponse:
    return _tables(request, club, CLUB_TABLES, form, file_name(club.name, today(club)))


def _session_tables(request: HostRequest, session: Session, form: str) -> FileResponse:
    return _tables(request, session, SESSION_TABLES, form, file_name(session.club.name, session.date))


def _tables(request: HostRequest, of: Any, tables: Mapping[str, Table[Any]], form: str, name: str) -> FileResponse:
    chosen = request.GET.get("table")
    if chosen is not None and chosen not in tables:
        raise Http404
    with snapshot():
        if chosen is None:
            return spreadsheet_response([table.sheet(of) for table in tables.values()], name, form)
        return spreadsheet_response([tables[chosen].sheet(of)], f"{name}-{file_name(tables[chosen].title)}", form)


# ---------------------------------------------------------------- in


@require_http_methods(["GET", "POST"])
def club_import(request: HostRequest) -> HttpResponse:
    """A club out of its file; who brings it owns it."""
    is_sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES, owner=request.user) if is_sent else ImportForm(owner=request.user)
    imported = form.save() if form.is_valid() else None
    if imported:
        _welcome(request, imported)
        return redirect(imported.club)
    return render(request, "scoring/club_import.html", {"form": form}, status=422 if form.errors else 200)


def _welcome(request: HostRequest, imported: ImportedClub) -> None:
    rounds = ngettext(
        "%(club)s is here with %(rounds)s round. The book was checked and adds up.",
        "%(club)s is here with %(rounds)s rounds. The book was checked and adds up.",
        imported.report.rounds,
    )
    messages.success(request, rounds % {"club": imported.club, "rounds": imported.report.rounds})
    others = [host for host in imported.hosts if host != request.user.get_username()]
    if others:
        hosts = _("These hosted it too: %(hosts)s. Invite whoever is to go on.") % {"hosts": ", ".join(others)}
        messages.info(request, hosts)
