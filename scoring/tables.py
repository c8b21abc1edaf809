"""The tables of django-tables2: rounds of an evening, lines of the change log."""

from collections.abc import Callable, Iterator, Sequence
from zoneinfo import ZoneInfo

import django_tables2 as tables
from django.core.paginator import EmptyPage, PageNotAnInteger
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring import statistics
from scoring.changes_told import ToldChange
from scoring.models import Change, Hand, Round, Session
from scoring.statistics import RoundSummary
from scoring.wording import natural_name, status_name

PER_PAGE = 25


class PagedTable(tables.Table):
    """A table of PER_PAGE rows a page. A page that does not exist (any more) is answered with the last one."""

    class Meta:
        orderable = False
        show_header = False
        attrs = {"class": "list"}

    def turn_page(self, request: HttpRequest) -> None:
        """Show the page that the address asks for."""
        self.request = request
        try:
            self.paginate(page=request.GET.get(self.prefixed_page_field, 1), per_page=PER_PAGE)
        except PageNotAnInteger:
            self.paginate(page=1, per_page=PER_PAGE)
        except EmptyPage:
            self.paginate(page=self.paginator.num_pages, per_page=PER_PAGE)


class RoundTable(PagedTable):
    """The rounds of an evening, newest first; voided ones stand among them, struck out.

    `rounds` are those to show where it is not all of them; `address` says where a round's result is ("" for nowhere),
    by default on the host's page.
    """

    number = tables.Column(verbose_name=_("Round"))
    told = tables.Column(verbose_name=_("Result"), empty_values=())

    label = _("Rounds")

    class Meta(PagedTable.Meta):
        row_attrs = {"class": lambda record: "voided" if record.is_voided else None}

    def __init__(
        self,
        session: Session,
        rounds: Sequence[Round] | None = None,
        address: Callable[[Round], str] = lambda round_: reverse("round", args=[round_.pk]),
    ) -> None:
        super().__init__(statistics.finished_rounds(session) if rounds is None else rounds)
        self.session = session
        self.address = address
        self.zone = ZoneInfo(session.club.time_zone)

    def render_told(self, record: Round) -> SafeString:
        summary = RoundSummary(record)
        winners = [(hand, list(badges(summary, hand))) for hand in summary.winners]
        others = [(hand, list(badges(summary, hand))) for hand in summary.others]
        context = {"round": record, "best": summary.best, "winners": winners, "others": others}
        context["address"] = self.address(record)
        return render_to_string("scoring/_round_line.html", context | {"session": self.session, "zone": self.zone})

    def numbers(self) -> tuple[int, int]:
        """The lowest and the highest number on the page; 0 and 0 where there is no round."""
        numbers = [row.record.number for row in self.page.object_list]
        return min(numbers, default=0), max(numbers, default=0)


def badges(summary: RoundSummary, hand: Hand) -> Iterator[tuple[str, str | Promise]]:
    """What was special about a hand: the class of its badge and its text."""
    if hand.is_super:
        yield "super", _("Super")
    elif hand in summary.winners and summary.is_tembus:
        yield "tembus", _("Tembus")
    if hand.status == "natural":
        yield "natural", natural_name(hand.natural)
    elif hand.status != "played":
        yield "pao" if hand.status == "pao" else "void", status_name(hand.status)


class ChangeTable(PagedTable):
    """Lines of the change log, newest first. `address` says where the round is that a line is about, "" for nowhere.

    In the log of a whole club each line of an evening leads to the log of that evening.
    """

    created_at = tables.Column(verbose_name=_("Time"))
    told = tables.Column(verbose_name=_("Change"), empty_values=())

    label = _("Changes")

    class Meta(PagedTable.Meta):
        pass

    def __init__(
        self, changes: QuerySet[Change], address: Callable[[Round], str], names_evenings: bool = False
    ) -> None:
        super().__init__(changes.select_related("created_by", "round", "session"))
        self.address = address
        self.names_evenings = names_evenings

    def render_created_at(self, record: Change) -> SafeString:
        return render_to_string("scoring/_change_time.html", {"change": record})

    def render_told(self, record: Change) -> SafeString:
        context = {"told": ToldChange(record), "change": record, "names_evenings": self.names_evenings}
        context["round_url"] = self.address(record.round) if record.round else ""
        return render_to_string("scoring/_change_line.html", context)
