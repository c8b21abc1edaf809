"""Long names beside large sums, on a phone."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.models import Player, Round, Session
from tests.browser.checks import assert_no_sideways_scroll
from tests.browser.conftest import OpenPage

NAMES = ("W" * 60, "😀" * 60, "Maximiliana dari Konstantinopel", "<b>Dewi</b>")
ROOM = 60  # pixels that a name keeps: half a dozen letters


@pytest.fixture
def evening(session: Session, cast: list[Player], score) -> Session:
    """A super at three milliards of rupiah a point, among four with names of all kinds."""
    for player, name in zip(cast, NAMES, strict=True):
        player.name = name
        player.save()
    Session.objects.update(stake=3_000_000_000)
    session.refresh_from_db()
    score()
    return session


def test_names_keep_room_beside_large_sums(open_page: OpenPage, evening: Session, rudi: User) -> None:
    page = open_page(user=rudi)
    for address in (
        evening.club.get_absolute_url(),
        evening.get_absolute_url(),
        Round.objects.get().get_absolute_url(),
        *(reverse(name, args=[evening.pk]) for name in ("settle-up", "stakes", "seats", "round-open")),
    ):
        page.goto(address)
        assert_no_sideways_scroll(page)
        for name in page.locator(".rows :has(> .sum) > .who").all():
            assert name.evaluate("who => who.clientWidth") >= ROOM, address
