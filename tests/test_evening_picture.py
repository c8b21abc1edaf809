"""The evening as a picture: an SVG that needs nothing but itself."""

from xml.etree import ElementTree

import pytest
from django.urls import reverse

from scoring import sharing
from scoring.evening import Evening
from scoring.lettering import text_width
from scoring.models import Club, Player, Session
from scoring.picture import WIDTH, picture_of
from tests.past import play_past

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {"svg", "title", "rect", "text", "g", "path"}


@pytest.fixture
def url(session) -> str:
    return reverse("session-picture", args=[session.pk])


def drawn(response) -> ElementTree.Element:
    """The drawing; this fails where it is no whole XML."""
    return ElementTree.fromstring(b"".join(response))  # noqa: S314 - what our own site drew


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def test_it_tells_the_final_table_and_the_highlights(host, url, score) -> None:
    score()
    told = texts(drawn(host.get(url)))
    assert told[:4] == ["Kamis Malam", "Thu 26 Nov 2026 · 1 round", "Points", "Rupiah"]
    assert told[4:12] == ["1", "Ana", "+66", "+640.200", "2", "Dewi", "−20", "−200.000"]
    assert "Super: Ana (round 1)" in told
    assert "Biggest win: Ana, +66 (in round 1, +640.200)" in told
    assert told[-1] == "Capsa Ledger"


def test_it_is_sent_as_what_it_is(host, client, url, session, score, rudi) -> None:
    score()
    for reader, address in (
        (host, url),
        (client, reverse("board-picture", args=[sharing.share_board(session, rudi).token])),
    ):
        response = reader.get(address)
        assert response.headers["Content-Type"] == "image/svg+xml"
        assert response.headers["Content-Disposition"] == 'inline; filename="kamis-malam-2026-11-26.svg"'
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        b"".join(response)
    kept = host.get(url, {"download": ""})
    assert kept.headers["Content-Disposition"] == 'attachment; filename="kamis-malam-2026-11-26.svg"'
    b"".join(kept)


def test_it_needs_nothing_else(host, url, score) -> None:
    """No script, no style sheet, no font and no other file; nothing that the site's security policy would refuse."""
    score()
    for element in drawn(host.get(url)).iter():
        assert element.tag.removeprefix(SVG) in HARMLESS
        assert not {"style", "href", "class"} & element.attrib.keys()
        assert not any(name.startswith("on") or "url(" in value for name, value in element.attrib.items())


@pytest.mark.parametrize(
    "name",
    [
        "W" * 60,
        "<script>alert(1)</script>",
        "\"Ana\" & 'Budi'",
        "👩‍👩‍👧‍👦" * 8,
        "محمد عبد الرحمن بن عبد الله",
        "陈" * 30,
        "Ana\uffff",
    ],
    ids=["capitals", "html", "quotes", "family-emoji", "arabic", "chinese", "no-character"],
)
def test_names_are_only_names_and_fit(host, url, session, score, name) -> None:
    Player.objects.filter(name="Ana").update(name=name)
    Club.objects.update(name=name)
    Session.objects.update(place=f"{name}\x08")
    score()
    picture = drawn(host.get(url))
    assert [element.tag.removeprefix(SVG) for element in picture.iter() if element.tag.endswith("script")] == []
    shown = texts(picture)
    assert all(text_width(line, 16.5) < WIDTH - 72 for line in shown)
    name_of_ana = shown[5]
    assert name_of_ana.removesuffix("…") == name.removesuffix("\uffff")[: len(name_of_ana.removesuffix("…"))]


def test_large_amounts_leave_room_for_the_names(session, score) -> None:
    Session.objects.update(stake=10**12)
    session.refresh_from_db()
    score()
    picture = ElementTree.fromstring(picture_of(Evening(session)))  # noqa: S314 - what our own site drew
    assert picture.attrib["width"] == str(WIDTH)
    assert "+64.020.000.000.000" in texts(picture)
    assert "Budi" in texts(picture)


def test_an_evening_without_rounds_is_a_picture_too(host, url) -> None:
    assert "Thu 26 Nov 2026 · 0 rounds" in texts(drawn(host.get(url)))


def test_points_alone_have_one_column(host, url, session, score) -> None:
    Session.objects.update(currency="PTS", stake=1)
    session.refresh_from_db()
    session.ruleset_fields = {**session.ruleset_fields, "room_fee_percent": 0}
    session.save()
    score()
    assert texts(drawn(host.get(url)))[2:7] == ["Points", "1", "Ana", "+66", "2"]


def test_a_picture_of_the_evening_on_paper(host, club, cast, rudi) -> None:
    """The first evening of tests/past.py: Citra 14 points, Ana 9, Budi −23; fees 2,500, 400 and 1,700."""
    first = play_past(club, cast, rudi).first
    told = texts(drawn(host.get(reverse("session-picture", args=[first.pk]))))
    assert told[1] == "Thu 5 Nov 2026 · Rumah Ana · 4 rounds"
    assert told[4:16] == ["1", "Citra", "+14", "+12.300", "2", "Ana", "+9", "+6.500", "3", "Budi", "−23", "−23.400"]
    assert "Room fees: Rp 4.600" in [line.replace("\xa0", " ") for line in told]
