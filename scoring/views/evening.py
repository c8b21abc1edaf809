"""Looking back on one evening: its review, its replay round by round, its picture; for hosts, and by the link of the
board for everybody who has it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from scoring.charts import Chart, Series, draw_totals
from scoring.evening import Evening
from scoring.exports.sheets import file_name
from scoring.models import Round, Session, ShareLink
from scoring.money import format_amount
from scoring.picture import draw_evening, picture_of
from scoring.replay import Replay, way_of
from scoring.sharing import open_links
from scoring.views.access import HostRequest, get_session
from scoring.views.board import BOARD
from scoring.views.links import GuestRequest, address_for_others, by_link

PER_PAGE = 25


@dataclass(frozen=True)
class Paths:
    """Where these pages are: for the hosts of `session`, or with `link` for everybody who has the board."""

    session: Session
    link: ShareLink | None = None

    @property
    def up(self) -> str:
        """The page of the evening, or the board."""
        return reverse("board", args=[self.link.token]) if self.link else self.session.get_absolute_url()

    @property
    def review(self) -> str:
        return self._path("review")

    @property
    def picture(self) -> str:
        return self._path("picture")

    def replay(self, number: int) -> str:
        """A round laid out again, for good: whatever is corrected, its newest version is there."""
        return self._path("replay", number)

    def result(self, round_: Round) -> str:
        """The same round with its reasons; nowhere for guests where it does not count."""
        if not self.link:
            return round_.get_absolute_url()
        is_shown = round_.state == Round.State.SCORED
        return reverse("board-round", args=[self.link.token, round_.number]) if is_shown else ""

    def _path(self, page: str, *more: int) -> str:
        if self.link:
            return reverse(f"board-{page}", args=[self.link.token, *more])
        return reverse(f"session-{page}", args=[self.session.pk, *more])


@require_GET
def session_review(request: HostRequest, pk: int) -> HttpResponse:
    """How an evening went: the final table, charts, highlights, and a summary to send."""
    session = get_session(request, pk)
    board = open_links(session).filter(kind=BOARD).first()
    return _review(request, Paths(session), board)


@require_GET
def session_replay(request: HostRequest, pk: int, number: int) -> HttpResponse:
    """A round of an evening laid out again."""
    return _replay(request, Paths(get_session(request, pk)), number)


@require_GET
def session_picture(request: HostRequest, pk: int) -> FileResponse:
    """The evening as a picture."""
    return _picture(request, get_session(request, pk))


@by_link(BOARD)
@require_GET
def board_review(request: GuestRequest, link: ShareLink) -> HttpResponse:
    """How the evening went, for everybody who has the link."""
    return _review(request, Paths(link.session, link), link)


@by_link(BOARD)
@require_GET
def board_replay(request: GuestRequest, link: ShareLink, number: int) -> HttpResponse:
    """A round laid out again, for everybody who has the link."""
    return _replay(request, Paths(link.session, link), number)


@by_link(BOARD)
@require_GET
def board_picture(request: GuestRequest, link: ShareLink) -> FileResponse:
    """The picture of the evening, for everybody who has the link."""
    return _picture(request, link.session)


def _review(request: HttpRequest, paths: Paths, board: ShareLink | None) -> HttpResponse:
    """The page of an evening; whoever gets its text finds the page by the link of the `board`."""
    session = paths.session
    evening = Evening(session)
    page = Paginator(evening.numbers[::-1], PER_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "session": session,
        "paths": paths,
        "evening": evening,
        "specials": [(one, [(moment, paths.replay(moment.round)) for moment in one.told]) for one in evening.specials],
        "records": [(one, paths.replay(one.round)) for one in evening.records],
        "first_url": paths.replay(evening.numbers[0]) if evening.rounds else "",
        "picture": draw_evening(evening),
        "picture_name": file_name(session.club, session.date),
        "page": page,
        "totals": _totals(evening, paths, list(page)),
        "address": address_for_others(request, Paths(session, board).review) if board else "",
    }
    if evening.rounds:
        context["points_chart"] = _chart(evening, evening.points, "PTS")
        context["money_chart"] = _chart(evening, evening.money, session.currency) if evening.has_money else None
    return render(request, "scoring/evening.html", context)


def _replay(request: HttpRequest, paths: Paths, number: int) -> HttpResponse:
    """A round by its number; of one that does not count (yet) no card is shown."""
    session = paths.session
    rounds = session.rounds.current().select_related("session", "replaces")
    round_ = get_object_or_404(rounds, number=number)
    way = way_of(session, number)
    neighbours = {name: paths.replay(to) for name in ("previous", "next") if (to := getattr(way, name))}
    context = {
        "session": session,
        "paths": paths,
        "round": round_,
        "way": way,
        "to": neighbours,
        "replay": Replay(round_) if round_.state == Round.State.SCORED else None,
        "result_url": paths.result(round_),
    }
    return render(request, "scoring/replay.html", context)


def _picture(request: HttpRequest, session: Session) -> FileResponse:
    """The picture to be looked at, or with `?download` to be kept as a file."""
    drawing = BytesIO(picture_of(Evening(session)).encode())
    name = f"{file_name(session.club, session.date)}.svg"
    return FileResponse(drawing, as_attachment="download" in request.GET, filename=name, content_type="image/svg+xml")


def _totals(evening: Evening, paths: Paths, numbers: Sequence[int]) -> list[tuple[int, str, list[tuple[int, int]]]]:
    """Everybody's points and money after each of the rounds `numbers`, and where the round is laid out."""
    places = {number: place for place, number in enumerate(evening.numbers)}
    return [
        (
            number,
            paths.replay(number),
            [
                (evening.points[player.pk][places[number]], evening.money[player.pk][places[number]])
                for player in evening.players
            ],
        )
        for number in numbers
    ]


def _chart(evening: Evening, totals: Mapping[int, Sequence[int]], currency: str) -> Chart:
    lines = [Series(player.name, totals[player.pk]) for player in evening.players]
    return draw_totals(lines, evening.numbers, partial(format_amount, currency=currency, signed=True))
