"""The change log: what was changed, from what to what, by whom; and the pages that show it."""

import uuid
from html import unescape

import pytest
from django.urls import reverse

from scoring import invitations, ledger, sharing
from scoring.change_log import log_change
from scoring.changes_told import ToldChange
from scoring.forms.rules import RulesForm
from scoring.models import Change, Host, Player, Session
from tests.test_session_settings import drawn


@pytest.fixture
def told():
    """The log as it is read, newest first: what was done, and the values before and after."""

    def told(kind=None):
        changes = Change.objects.filter(kind=kind) if kind else Change.objects.all()
        lines = [ToldChange(change) for change in changes]
        return [
            (line.title, *((str(v.label), _plain(v.before), _plain(v.after)) for v in line.values)) for line in lines
        ]

    return told


def _plain(amount: str) -> str:
    """With a space between symbol and amount that can be typed."""
    return amount.replace("\xa0", " ")


# ---------------------------------------------------------------- what is written


def test_settings_of_a_club(host, club, told, rudi) -> None:
    typed = {"name": "Jumat Malam", "currency": "IDR", "stake": "20rb", "time_zone": club.time_zone}
    host.post(reverse("club-settings", args=[club.pk]), typed)
    assert told() == [
        (
            "Settings of the club changed",
            ("Name", "Kamis Malam", "Jumat Malam"),
            ("Stake of a point", "Rp 10.000", "Rp 20.000"),
        ),
    ]
    assert Change.objects.get().created_by == rudi


def test_saving_what_stands_already_writes_no_line(host, club, session, ana) -> None:
    typed = {"name": club.name, "currency": "IDR", "stake": "10rb", "time_zone": club.time_zone}
    assert host.post(reverse("club-settings", args=[club.pk]), typed).status_code == 302
    assert host.post(reverse("player-rename", args=[ana.pk]), {"name": "Ana"}).status_code == 302
    assert host.post(reverse("player-return", args=[ana.pk])).status_code == 302
    for page in ("session-settings", "stakes"):
        url = reverse(page, args=[session.pk])
        assert host.post(url, drawn(host.get(url))).status_code == 302
    seats = reverse("seats", args=[session.pk])
    form = host.get(seats).context["form"]
    typed = {"version": form.session.version, "drawn": form.drawn, "players": form["players"].value()}
    assert host.post(seats, typed).status_code == 302
    assert not Change.objects.exists()


def test_hosts_come_and_go(host, club, told, siti) -> None:
    invitations.invite(club, Host.objects.get().user)
    host.post(reverse("invitation-withdraw", args=[club.pk, club.invitations.get().pk]))
    invitations.accept(invitations.invite(club, Host.objects.get().user), siti)
    second = club.hosts.get(user=siti)
    host.post(reverse("host-promote", args=[club.pk, second.pk]))
    host.post(reverse("host-promote", args=[club.pk, second.pk]))
    host.post(reverse("host-remove", args=[club.pk, second.pk]))
    assert told() == [
        ("siti hosts the club no longer",),
        ("siti owns the club too",),
        ("siti hosts the club too, invited by rudi",),
        ("A host was invited",),
        ("An invitation was withdrawn",),
        ("A host was invited",),
    ]


def test_a_host_who_goes_by_himself_left(club, told, rudi, siti) -> None:
    host = Host.objects.create(club=club, user=siti)
    invitations.remove_host(host, siti)
    invitations.remove_host(host, siti)
    assert told() == [("siti left the club",)]


def test_players_come_are_renamed_retire_and_return(host, club, ana, told) -> None:
    host.post(reverse("players", args=[club.pk]), {"names": "Eko\nFajar"})
    host.post(reverse("player-rename", args=[ana.pk]), {"name": "Anita"})
    for verb in ("retire", "retire", "return"):
        host.post(reverse(f"player-{verb}", args=[ana.pk]))
    assert told() == [
        ("Anita plays again",),
        ("Anita is retired",),
        ("A player has another name", ("Name", "Ana", "Anita")),
        ("New in the club: Eko and Fajar",),
    ]


def test_an_evening_from_its_set_up_to_its_end(host, club, cast, told) -> None:
    typed = {"date": "2026-11-26", "stake": "1000", "rules": "club", "place": "Warung Bu Tini"}
    host.post(reverse("session-new", args=[club.pk]), typed | {"players": [cast[0].pk, cast[1].pk], "new_names": "Eko"})
    session = Session.objects.get()
    url = reverse("session-settings", args=[session.pk])
    host.post(url, drawn(host.get(url)) | {"rounds_planned": "12", "place": "", "notes": "Bring change"})
    host.post(reverse("session-close", args=[session.pk]))
    host.post(reverse("session-reopen", args=[session.pk]))
    assert told(Change.Kind.SESSION) == [
        ("The evening was opened again",),
        ("The evening was closed",),
        (
            "Settings of the evening changed",
            ("Place", "Warung Bu Tini", ""),
            ("Number of rounds", "", "12"),
            ("Notes", "", "Bring change"),
        ),
        (
            "The evening was set up",
            ("Date", "", "26 November 2026"),
            ("Place", "", "Warung Bu Tini"),
            ("Players", "", "Ana, Budi and Eko"),
            ("Currency", "", "Rupiah"),
            ("Stake of a point", "", "Rp 1.000"),
            ("Rules", "", "Capsa"),
        ),
    ]
    assert told(Change.Kind.PLAYER) == [("New in the club: Eko",)]


def test_seats(host, session, cast, score, told) -> None:
    score()
    url = reverse("seats", args=[session.pk])

    def sit(players, names=""):
        form = host.get(url).context["form"]
        typed = {"version": form.session.version, "drawn": form.drawn, "new_names": names}
        assert host.post(url, typed | {"players": [player.pk for player in players]}).status_code == 302

    sit(cast[:3], "Eko")
    sit([*cast, Player.objects.get(name="Eko")])
    assert told(Change.Kind.SEAT) == [
        ("Came back to the table: Dewi",),
        ("Sat down: Eko",),
        ("Left the table: Dewi",),
    ]


def test_a_stake_of_a_pair(host, session, ana, budi, told) -> None:
    url = reverse("stakes", args=[session.pk])
    host.post(url, drawn(host.get(url)) | {f"{ana.pk}-{budi.pk}": "25rb"})
    host.post(url, drawn(host.get(url)) | {f"{ana.pk}-{budi.pk}": ""})
    assert told() == [
        ("Stake changed", ("Ana and Budi", "Rp 25.000", "the stake of all")),
        ("Stake changed", ("Ana and Budi", "the stake of all", "Rp 25.000")),
    ]


def test_rules_of_a_club_and_of_an_evening(host, club, session, rudi, told) -> None:
    for owner in (club, session):
        form = dict(RulesForm.of(owner.ruleset, owner.preset, owner.ruleset).data) | {
            "row_points": "2",
            "bonuses-back-royal_flush": "",
        }
        kind = "club" if owner is club else "session"
        for _twice in range(2):
            assert host.post(reverse(f"{kind}-rules", args=[owner.pk]), form).status_code == 302
    line = ("House rules changed", ("Points of a row", "1", "2"), ("Bonus, Back: Royal flush", "11 points", "none"))
    assert told() == [line, line]
    assert set(Change.objects.values_list("session", flat=True)) == {None, session.pk}


def test_links_are_told_without_their_tokens(session, rudi, told) -> None:
    board = sharing.share_board(session, rudi)
    sharing.share_board(session, rudi)
    seats = sharing.share_seats(session, rudi)
    for _twice in range(2):
        sharing.revoke_link(seats[0], rudi)
        sharing.revoke_link(board, rudi)
    assert told()[:2] == [("Link to the board withdrawn",), ("Link to the seat of Ana withdrawn",)]
    assert told()[-1] == ("Link to the board made",)
    assert Change.objects.count() == 7
    written = str(list(Change.objects.values_list("old", "new")))
    assert not any(link.token in written for link in (board, *seats))


def test_rounds_and_payments(session, score, rudi, ana, budi, told) -> None:
    round_ = score()
    ledger.void_round(round_, rudi, "Wrong cards")
    ledger.restore_round(round_, rudi)
    amount = ledger.settlement(session).claims[0].open
    payment = ledger.record_payment(session, budi, ana, amount, uuid.uuid4(), rudi)
    ledger.reverse_payment(payment, rudi)
    assert [line[0] for line in told()] == [
        "Budi to Ana: the payment was taken back",
        "Budi paid Ana",
        "Round 1 restored",
        "Round 1 voided",
        "Round 1 scored",
    ]
    voided = told()[3]
    assert ("Ana", "+640.200", "") in voided
    assert ToldChange(Change.objects.get(action="voided")).reason == "Wrong cards"


@pytest.mark.parametrize("kind", Change.Kind.values)
@pytest.mark.parametrize("values", [{}, {"old": {"secret": "x"}, "new": {"secret": "y"}}], ids=["bare", "unknown"])
def test_an_action_of_another_version_still_reads(club, rudi, kind, values) -> None:
    line = ToldChange(log_change(club, kind, "swapped-round", rudi, **values))
    assert line.title.endswith(": swapped round")
    assert not any("x" in value.before or "y" in value.after for value in line.values if value.label == "secret")


# ---------------------------------------------------------------- the pages


@pytest.fixture
def board(session, rudi):
    return sharing.share_board(session, rudi)


@pytest.fixture
def pages(host, client, club, session, board):
    """The three logs as text, each read by whom it is for."""

    def pages(**query):
        return {
            "session": unescape(host.get(reverse("session-log", args=[session.pk]), query).content.decode()),
            "club": unescape(host.get(reverse("club-log", args=[club.pk]), query).content.decode()),
            "board": unescape(client.get(reverse("board-log", args=[board.token]), query).content.decode()),
        }

    return pages


def test_everybody_with_the_board_link_reads_it(pages, score, rudi) -> None:
    round_ = score()
    ledger.void_round(round_, rudi, "Wrong cards")
    for text in pages().values():
        assert "Round 1 voided" in text and "Wrong cards" in text and "by rudi" in text
        assert '<s><span class="vh">before: </span><bdi>+640.200</bdi></s>' in text


def test_a_line_leads_to_its_round(pages, score, board) -> None:
    round_ = score()
    texts = pages()
    assert f'href="{reverse("round", args=[round_.pk])}"' in texts["session"]
    assert f'href="{reverse("board-round", args=[board.token, 1])}"' in texts["board"]


def test_the_log_of_the_club_holds_its_evenings_and_leads_to_them(host, club, session, pages) -> None:
    host.post(reverse("players", args=[club.pk]), {"names": "Eko"})
    texts = pages()
    assert "New in the club: Eko" in texts["club"] and "Link to the board made" in texts["club"]
    assert f'href="{reverse("session-log", args=[session.pk])}"' in texts["club"]
    assert "New in the club: Eko" not in texts["session"] + texts["board"]
    assert "New in the club: Eko" in pages(of="club")["board"]


def test_one_kind_alone(host, club, pages) -> None:
    host.post(reverse("players", args=[club.pk]), {"names": "Eko"})
    assert "Link to the board made" not in pages(kind="player")["club"]
    for nonsense in ("payment", "nonsense"):
        assert "New in the club: Eko" in pages(kind=nonsense)["club"]


def test_a_board_tells_no_secret(host, client, club, session, board, cast, lay, rudi) -> None:
    """No token, no hand of an open round, nothing of other evenings' money."""
    token = invitations.invite(club, rudi)
    seat = sharing.share_seats(session, rudi)[0]
    lay(ledger.open_round(session, cast), ("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c",) * 4)
    log_change(club, Change.Kind.CARRY_OVER, "carried over", rudi, new={"amounts": [["Ana", 5]], "currency": "IDR"})
    url = reverse("board-log", args=[board.token])
    text = "".join(unescape(client.get(url, query).content.decode()) for query in ({}, {"of": "club"}))
    assert not any(secret in text for secret in (token, seat.token, "QsQhQd", "carried over"))


def test_times_are_told_where_the_club_plays(pages, club, board) -> None:
    Change.objects.update(created_at="2026-11-26T20:30Z")
    for text in pages().values():
        assert "03:30<small>27 Nov 2026</small>" in text
    club.time_zone = "Asia/Jayapura"
    club.save()
    assert all("05:30<small>" in text for text in pages().values())


def test_a_long_log_is_paged_and_costs_the_same(host, session, club, score, rudi, django_assert_num_queries) -> None:
    round_ = score()
    log_change(session, Change.Kind.STAKE, "planned", rudi)
    for name, pk, queries in (("session-log", session.pk, 6), ("club-log", club.pk, 6)):
        with django_assert_num_queries(queries):
            host.get(reverse(name, args=[pk]))
    for _each in range(60):
        log_change(round_, Change.Kind.ROUND, "scored", rudi, new={"number": 1, "currency": "IDR", "nets": {"Ana": 1}})
    for name, pk, queries in (("session-log", session.pk, 6), ("club-log", club.pk, 6)):
        with django_assert_num_queries(queries):
            response = host.get(reverse(name, args=[pk]))
        assert response.context["table"].paginator.num_pages == 3
        assert host.get(reverse(name, args=[pk]), {"page": "99"}).context["table"].page.number == 3


def test_a_board_costs_the_same_too(client, session, board, rudi, django_assert_num_queries) -> None:
    for _round in range(2):
        with django_assert_num_queries(4):
            client.get(reverse("board-log", args=[board.token]))
        for _each in range(30):
            log_change(session, Change.Kind.SESSION, "closed", rudi)


def test_names_and_reasons_are_text(host, club, session, ana, rudi) -> None:
    ana.name = "<script>alert(1)</script>"
    ana.save()
    host.post(reverse("player-retire", args=[ana.pk]))
    text = host.get(reverse("club-log", args=[club.pk])).content.decode()
    assert "<script>alert" not in text and "&lt;script&gt;alert(1)&lt;/script&gt; is retired" in text


def test_an_empty_log_says_what_will_stand_there(host, session) -> None:
    assert "Each change is kept here" in host.get(reverse("session-log", args=[session.pk])).content.decode()


def test_a_log_of_others_does_not_exist(stranger, session, club) -> None:
    assert stranger.get(reverse("session-log", args=[session.pk])).status_code == 404
    assert stranger.get(reverse("club-log", args=[club.pk])).status_code == 404


def test_a_log_is_only_read(host, client, session, club, board) -> None:
    assert host.post(reverse("session-log", args=[session.pk])).status_code == 405
    assert host.post(reverse("club-log", args=[club.pk])).status_code == 405
    assert client.post(reverse("board-log", args=[board.token])).status_code == 405
