"""Who gets in: every page of the site, asked by nobody and by somebody else's host."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse

from scoring import invitations, ledger, sharing
from scoring.models import Club, Entry, Hand, Host, Invitation, Line, PlannedStake, Player, Round, Session, ShareLink
from scoring.urls import urlpatterns

# Open to anybody: each of them has its own test of what it lets through.
PUBLIC = {"healthz", "setup", "signup", "login", "invitation", "quick", "quick-score"}
# Open to whoever has the link; another token opens none of them (tests/test_board.py, tests/test_seat.py).
BY_LINK = {str(pattern.name) for pattern in urlpatterns if str(pattern.pattern).startswith(("board/", "seat/"))}
# Pages of the person who asks; they name nobody's club.
OWN = {"home", "account", "password", "logout", "club-new", "club-import", "quick-keep"}
NOBODYS = 999_999

PATTERNS = {str(pattern.name): pattern for pattern in urlpatterns}
CLOSED = sorted(PATTERNS.keys() - PUBLIC - BY_LINK)
OF_A_CLUB = sorted(PATTERNS.keys() - PUBLIC - BY_LINK - OWN)


@pytest.fixture
def things(club: Club, rudi: User, score, ana: Player, cast) -> Mapping[str, int | str]:
    """The key of one of Rudi's for every kind of thing that an address can name."""
    score()
    session = Session.objects.get()
    hand = ledger.open_round(session, cast).hands.get(player=ana)
    invitations.invite(club, rudi)
    return {
        "clubs": club.pk,
        "players": ana.pk,
        "player_pk": ana.pk,
        "sessions": session.pk,
        "rounds": hand.round_id,
        "hands": hand.pk,
        "planned-stakes": session.planned_stakes.create(club=club, from_round=9, stake=5).pk,
        "links": sharing.share_board(session, rudi).pk,
        "entries": Entry.objects.get().pk,
        "host_pk": Host.objects.get().pk,
        "invitation_pk": Invitation.objects.get().pk,
        "token": 0,
        "currency": "IDR",
        "number": 1,
    }


def address(pattern: URLPattern, things: Mapping[str, int | str], pk: int | None = None) -> str:
    """The address of a page of one of `things`, or with `pk` of something that does not exist."""
    kind = str(pattern.pattern).split("/")[0]
    keys = pattern.pattern.converters
    return reverse(
        str(pattern.name),
        kwargs={key: things[kind] if key == "pk" else things[key] for key in keys} | ({"pk": pk} if pk else {}),
    )


def book() -> list[object]:
    """Everything that a stranger could have changed."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Club, Host, Player, Session, PlannedStake, Round, Hand, Entry, Line, ShareLink)
    ]


@contextmanager
def rolled_back() -> Iterator[None]:
    """What one page wrote is gone for the next."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_the_site_is_covered() -> None:
    assert {*PUBLIC, *OWN} <= PATTERNS.keys()
    assert len(PATTERNS) == len(urlpatterns)
    assert len(OF_A_CLUB) > 30


def test_nobody_gets_in_without_an_account(
    client: Client, things: Mapping[str, int | str], subtests: pytest.Subtests
) -> None:
    before = book()
    for name in CLOSED:
        with subtests.test(page=name), rolled_back():
            url = address(PATTERNS[name], things)
            for response, back_to in ((client.get(url), url), (client.post(url), reverse("home"))):
                login = f"{reverse('login')}?next={back_to}"
                assert (response.status_code, response.headers["Location"]) == (302, login)
            assert book() == before


def test_what_is_somebody_elses_does_not_exist(
    stranger: Client, things: Mapping[str, int | str], subtests: pytest.Subtests
) -> None:
    """404, and in no way told apart from what was never there."""
    before = book()
    for name in OF_A_CLUB:
        with subtests.test(page=name), rolled_back():
            answers = []
            for method in (stranger.get, stranger.post):
                theirs = method(address(PATTERNS[name], things))
                nobodys = method(address(PATTERNS[name], things, NOBODYS))
                assert (theirs.status_code, theirs.content) == (nobodys.status_code, nobodys.content)
                answers.append(theirs.status_code)
            assert 404 in answers
            assert set(answers) <= {404, 405}
            assert book() == before


def test_to_its_host_every_page_exists(
    host: Client, things: Mapping[str, int | str], subtests: pytest.Subtests
) -> None:
    """The counterpart: the addresses above are right ones, and no page breaks on an empty form."""
    for name in OF_A_CLUB:
        with subtests.test(page=name), rolled_back():
            for method in (host.get, host.post):
                response = method(address(PATTERNS[name], things))
                assert response.status_code in {200, 302, 303, 405, 409, 422}
                b"".join(response)  # a download is closed when it is read


@pytest.mark.parametrize("path", ["/admin/", "/admin/scoring/club/"])
def test_the_tables_are_for_staff_only(host: Client, path: str) -> None:
    assert host.get(path).status_code == 302


def test_the_tables_can_be_looked_at_but_not_changed(
    admin_client: Client, things: Mapping[str, int | str], club: Club
) -> None:
    for model in (Club, Host, Player, Session, Round, Hand, Entry, Line, Invitation, ShareLink):
        table = f"/admin/scoring/{model.__name__.lower()}/"
        assert admin_client.get(table).status_code == 200
        assert admin_client.get(f"{table}add/").status_code == 403
        row = model.objects.first()
        assert row is not None
        assert admin_client.get(f"{table}{row.pk}/change/").status_code == 200
        assert admin_client.post(f"{table}{row.pk}/change/", {"name": "x"}).status_code == 403
        assert admin_client.post(f"{table}{row.pk}/delete/", {"post": "yes"}).status_code == 403
