"""A club comes in as a file: the same book as before, or nothing at all and a sentence that says why and where."""

import copy
import json
import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring import ledger, statistics
from scoring.audit import audit_ledger
from scoring.club_file import RefusedError, import_club, write_club
from scoring.club_file.kinds import ELSEWHERE
from scoring.forms.accounts import AccountForm
from scoring.models import (
    Change,
    Club,
    Entry,
    Hand,
    Host,
    Line,
    PairScore,
    Player,
    Round,
    Seat,
    Session,
    ShareLink,
    Tally,
)

TABLES = (Club, Host, Player, Session, Seat, Round, Hand, PairScore, Entry, Line, Change, ShareLink, Tally, User)


def text_of(club):
    return "".join(write_club(club))


def file_of(club):
    return json.loads(text_of(club))


def book():
    return [list(model._default_manager.order_by("pk").values()) for model in TABLES]


@pytest.fixture
def fresh(db) -> User:
    """Rudi on another site, as far as one database can be two: a user who hosts nothing here."""
    return User.objects.create_user("rudi-elsewhere", password="kartu-remi-52")


# ---------------------------------------------------------------- there and back


def test_the_same_club_comes_back(full_club, fresh):
    text = text_of(full_club)
    club, report, hosts = import_club(text.encode(), fresh)
    assert hosts == ["rudi", "siti"]
    assert not report.faults
    assert not audit_ledger().faults
    before, after = (one.partition('"players":') for one in (text, text_of(club)))
    assert '"hosts": [\n{"user": "rudi-elsewhere", "role": "owner"}]' in after[0]
    assert before[1:] == after[1:]  # to the letter


def test_every_key_is_a_new_one(full_club, fresh):
    club = import_club(text_of(full_club).encode(), fresh).club
    old, new = (set(one.players.values_list("pk", flat=True)) for one in (full_club, club))
    assert not old & new
    for lines in (club.lines, Hand.objects.filter(club=club)):
        assert set(lines.exclude(player=None).values_list("player", flat=True)) <= new
    unfinished = Round.objects.get(club=club, state="open")
    assert {unfinished.answers[0].a, unfinished.answers[0].b, *map(int, unfinished.set_aside)} <= new
    tokens = list(ShareLink.objects.values_list("token", flat=True))
    assert len(tokens) == len(set(tokens)) == 2 * ShareLink.objects.filter(club=club).count()
    batches = [set(one.entries.exclude(batch=None).values_list("batch", flat=True)) for one in (full_club, club)]
    assert not batches[0] & batches[1]


def test_balances_scores_and_statistics_are_the_same(full_club, session, fresh):
    club = import_club(text_of(full_club).encode(), fresh).club
    twin = club.sessions.get(date=session.date)

    def by_name(amounts):
        names = {None: "house"} | dict(Player.objects.values_list("pk", "name"))
        return {names[who]: amount for who, amount in amounts.items()}

    one, other = ledger.settlement(session), ledger.settlement(twin)
    assert by_name(one.balances) == by_name(other.balances)
    assert by_name(one.won) == by_name(other.won)
    ours, theirs = (list(statistics.finished_rounds(evening)) for evening in (session, twin))
    assert [str(round_) for round_ in ours] == [str(round_) for round_ in theirs]


def test_the_evening_goes_on_where_it_was(full_club, fresh, client):
    club = import_club(text_of(full_club).encode(), fresh).club
    unfinished = Round.objects.get(club=club, state="open")
    assert ledger.preview_round(unfinished)
    ana, budi, citra = club.players.filter(name__in=("Ana", "Budi", "Citra")).order_by("pk")
    ledger.reseat_round(unfinished, [ana, budi, citra])
    assert unfinished.hands.get(player=citra).back == "Ts Js"
    ledger.reseat_round(unfinished, [ana, budi])
    ledger.record_round(unfinished, fresh)
    assert not audit_ledger(club).faults
    client.force_login(fresh)
    for page in ("session", "settle-up", "session-log", "stakes", "share"):
        assert client.get(reverse(page, args=[unfinished.session_id])).status_code == 200


def test_what_is_worked_out_is_worked_out_anew(full_club, fresh, rudi):
    evening = Session.objects.get(date="2026-11-26")
    ledger.discard_round(evening.rounds.get(state="open"))
    ledger.close_session(evening, rudi)
    club = import_club(text_of(full_club).encode(), fresh).club

    def tallies(one):
        return list(one.tallies.order_by("player__name", "pk").values_list("player__name", "rounds", "points", "money"))

    assert tallies(club) == tallies(full_club) != []

    def still_open(one):
        return list(one.open_balances.order_by("session__date", "pk").values_list("player__name", "amount"))

    assert still_open(club) == still_open(full_club) != []


class TestAuthors:
    """Who wrote in the book elsewhere keeps the name, and gets no account by it."""

    def test_they_are_nobody_who_can_log_in(self, full_club, fresh):
        import_club(text_of(full_club).encode(), fresh)
        author = User.objects.get(username=f"siti{ELSEWHERE}")
        assert (author.is_active, author.has_usable_password()) == (False, False)
        assert author.hosting.count() == 0

    def test_nobody_can_sign_up_by_such_a_name(self, db):
        form = AccountForm({"username": f"siti{ELSEWHERE}", "password1": "kartu-remi-52", "password2": "kartu-remi-52"})
        assert "username" in form.errors

    def test_a_namesake_here_has_nothing_to_do_with_it(self, full_club, fresh, siti):
        club = import_club(text_of(full_club).encode(), fresh).club
        assert not club.entries.filter(created_by=siti).exists()
        assert not club.users.filter(pk=siti.pk).exists()

    def test_the_importer_stays_the_author_of_what_he_wrote(self, full_club, rudi):
        club = import_club(text_of(full_club).encode(), rudi, again=True).club
        assert club.entries.filter(created_by=rudi).count() == full_club.entries.filter(created_by=rudi).count() > 5

    def test_the_next_export_gives_the_names_back(self, full_club, fresh):
        club = import_club(text_of(full_club).encode(), fresh).club
        assert {entry.get("created_by") for entry in file_of(club)["entries"]} == {"rudi", "siti"}


def test_a_file_of_an_older_version_has_sensible_defaults(full_club, fresh):
    file = file_of(full_club)
    for evening in file["sessions"]:
        for name in ("place", "notes", "planned_stakes", "links", "created_by", "created_at"):
            evening.pop(name, None)
    for entry in file["entries"]:
        entry.pop("batch", None)
    del file["changes"], file["club"]["created_at"]
    club = import_club(json.dumps(file).encode(), fresh).club
    assert [one.place for one in club.sessions.all()] == ["", ""]
    assert club.entries.count() == full_club.entries.count()


def test_stakes_of_pairs_hold_whatever_the_order_of_the_players(full_club, fresh):
    file = file_of(full_club)
    file["players"].reverse()
    club = import_club(json.dumps(file).encode(), fresh).club
    evening = club.sessions.get(date="2026-11-26")
    (stake,) = evening.pair_stakes.all()
    assert {stake.a.name, stake.b.name} == {"Ana", "Budi"}
    assert ledger.stakes_from(evening, 40).get(None) == 20_000


# ---------------------------------------------------------------- twice


def test_the_same_club_is_not_imported_twice_by_mistake(full_club, fresh):
    raw = text_of(full_club).encode()
    import_club(raw, fresh)
    before = book()
    with pytest.raises(RefusedError, match="You host this club already: Kamis Malam"):
        import_club(raw, fresh)
    assert book() == before
    assert import_club(raw, fresh, again=True).club.entries.count() == full_club.entries.count()


def test_the_club_of_somebody_else_is_no_hindrance_and_stays_untold(full_club, fresh):
    import_club(text_of(full_club).encode(), fresh)
    assert full_club.users.count() == 2


# ---------------------------------------------------------------- broken files


def put(*path_and_value):
    path, last, value = path_and_value[:-2], *path_and_value[-2:]

    def change(file):
        for step in path:
            file = file[step]
        file[last] = value

    return change


def drop(*path_to):
    path, last = path_to[:-1], path_to[-1]

    def change(file):
        for step in path:
            file = file[step]
        del file[last]

    return change


def twice(*path):
    def change(file):
        for step in path:
            file = file[step]
        file.append(copy.deepcopy(file[-1]))

    return change


EVENING = ("sessions", 0)
ROUND = (*EVENING, "rounds", 0)
HAND = (*ROUND, "hands", 2)
PAIR = (*ROUND, "pairs", 0)
OPEN = (*EVENING, "rounds", 6)
BROKEN = {
    "other-format": (put("format", "splitwise"), r"^This is no club of Capsa Ledger"),
    "newer": (put("version", 2), r"^version: This file is of a newer version \(2, this one reads 1\)"),
    "no-version": (drop("version"), r"“version” is missing"),
    "no-club": (drop("club"), r"^club: Expected an object, not None"),
    "unknown-part": (put("wallets", []), r"does not know “wallets”"),
    "unknown-field": (put(*HAND, "cheated", True), r"^sessions\[0\]\.rounds\[0\]\.hands\[2\]: .* “cheated”"),
    "no-list": (put("players", {}), r"^players: Expected a list"),
    "no-object": (put("players", 0, "Ana"), r"^players\[0\]: Expected an object, not 'Ana'"),
    "no-name": (put("players", 0, "name", " \u200b "), r"^players\[0\]\.name: Expected a name"),
    "long-name": (put("players", 0, "name", "A" * 61), r"^players\[0\]\.name: At most 60 characters, not 61"),
    "same-name": (put("players", 1, "name", "ANA"), r"^players\[1\]: Two players read as one name"),
    "same-number": (put("players", 1, "id", 1), r"^players\[1\]\.id: There is a number 1"),
    "no-number": (drop("players", 0, "id"), r"^players\[0\]\.id: Expected a whole number"),
    "number-as-text": (put(*HAND, "points", "6"), r"hands\[2\]\.points: Expected a whole number, not '6'"),
    "fraction": (put("club", "stake", 0.5), r"^club\.stake: Expected a whole number, not 0\.5"),
    "truth-as-number": (put("club", "stake", True), r"^club\.stake: Expected a whole number, not True"),
    "no-stake": (put("club", "stake", -1), r"^club\.stake: Expected a number from 0 to"),
    "stake-too-large": (put("club", "stake", 10**13), r"^club\.stake: Expected a number from 0 to"),
    "amount-too-large": (put("entries", 0, "lines", 0, "amount", 10**18), r"^entries\[0\]\.lines\[0\]\.amount: Expect"),
    "other-currency": (put("club", "currency", "BTC"), r"^club\.currency: Expected one of"),
    "currency-of-an-entry": (put("entries", 0, "currency", "EUR"), r"^entries\[0\]\.currency: The evening has another"),
    "other-zone": (put("club", "time_zone", "../etc/passwd"), r"^club\.time_zone: "),
    "other-preset": (put("club", "preset", "poker"), r"^club\.preset: "),
    "other-rules": (put("rulesets", 0, "ties", "by beauty"), r"^rulesets\[0\]: ties: "),
    "rules-that-are-not-there": (put("club", "rules", 9), r"^club\.rules: There are no rules 9"),
    "a-day-of-no-year": (put(*EVENING, "date", "2026-02-30"), r"^sessions\[0\]\.date: Expected a day"),
    "a-time-without-zone": (put(*EVENING, "created_at", "2026-11-26T20:00:00"), r"^sessions\[0\]\.created_at: "),
    "a-time-of-another-age": (put(*EVENING, "created_at", "0001-01-01T00:00:00Z"), r"^sessions\[0\]\.created_at: "),
    "a-text-with-a-null": (put(*EVENING, "notes", "a\x00b"), r"^sessions\[0\]\.notes: There are characters"),
    "half-a-character": (put(*EVENING, "notes", "\ud800"), r"^sessions\[0\]\.notes: There are characters"),
    "a-long-row": (put(*HAND, "front", "As " * 99), r"hands\[2\]\.front: At most 200 characters"),
    "cards-that-are-none": (put(*HAND, "front", "As Ah Xx"), r"^sessions\[0\]\.rounds\[0\]: .*cannot be scored"),
    "a-card-twice": (put(*HAND, "front", "As Ah Kd"), r"^sessions\[0\]\.rounds\[0\]: "),
    "points-changed": (put(*HAND, "points", 7), r"^sessions\[0\]\.rounds\[0\]: .*is kept as"),
    "a-result-missing": (drop(*HAND, "net"), r"hands\[2\]: A hand has its results just where"),
    "a-hand-missing": (drop(*HAND), r"^sessions\[0\]\.rounds\[0\]: "),
    "hands-missing": (drop(*ROUND, "hands"), r"^sessions\[0\]\.rounds\[0\]\.hands: Two, three or four"),
    "a-hand-twice": (twice(*OPEN, "hands"), r"^sessions\[0\]\.rounds\[6\]\.hands\[2\]: This player has a hand"),
    "a-player-aside-and-in": (put(*OPEN, "set_aside", 0, "player", 1), r"set_aside\[0\]: This player has a hand"),
    "a-player-of-nowhere": (put(*HAND, "player", 99), r"hands\[2\]\.player: Nothing before this place is number 99"),
    "a-player-without-seat": (put(*OPEN, "hands", 0, "player", 5), r"^sessions\[0\]\.rounds\[6\]: .*no seat"),
    "pair-points": (put(*PAIR, "points", 1), r"pairs\[0\]\.points: The points do not add up"),
    "pair-money": (put(*PAIR, "money", 1), r"pairs\[0\]\.money: The money is not"),
    "pair-twice": (twice(*ROUND, "pairs"), r"pairs\[6\]: These two stand there already"),
    "pair-with-himself": (put(*PAIR, "b", 1), r"pairs\[0\]: Two different players"),
    "half-a-comparison": (drop(*PAIR, "front"), r"pairs\[0\]: Either all three rows"),
    "a-fee-changed": (put(*ROUND, "fee", 1), r"^sessions\[0\]\.rounds\[0\]: .*the house has 1"),
    "no-terms": (drop(*ROUND, "scored_at"), r"^sessions\[0\]\.rounds\[0\]: A scored round has its rules"),
    "open-with-terms": (put(*OPEN, "stake", 1), r"^sessions\[0\]\.rounds\[6\]: An open round has no rules"),
    "voided-at-no-time": (put(*ROUND, "state", "voided"), r"^sessions\[0\]\.rounds\[0\]: It has a time of voiding"),
    "state-of-no-round": (put(*ROUND, "state", "burnt"), r"^sessions\[0\]\.rounds\[0\]\.state: "),
    "a-number-twice": (put(*ROUND, "number", 3), r"^sessions\[0\]\.rounds\[2\]: There is a round of this number"),
    "a-version-of-another": (put(*ROUND, "replaces", 4), r"rounds\[0\]\.replaces: Nothing before this place"),
    "a-version-of-a-scored": (put(*EVENING, "rounds", 5, "replaces", 1), r"rounds\[5\]\.replaces: It replaces an amen"),
    "a-version-twice": (put(*EVENING, "rounds", 5, "replaces", 4), r"rounds\[5\]\.replaces: Another round stands"),
    "a-seat-twice": (twice(*EVENING, "seats"), r"^sessions\[0\]\.seats\[4\]: This player has a seat"),
    "a-stake-twice": (twice(*EVENING, "pair_stakes"), r"pair_stakes\[1\]: These two have a stake"),
    "a-plan-twice": (twice(*EVENING, "planned_stakes"), r"planned_stakes\[2\]: A stake from this round"),
    "a-plan-for-one": (put(*EVENING, "planned_stakes", 0, "a", 1), r"planned_stakes\[\d\]: Name two players"),
    "a-link-twice": (twice(*EVENING, "links"), r"links\[6\]: Such a link is open"),
    "a-board-of-a-player": (put(*EVENING, "links", 0, "player", 1), r"links\[0\]: The link to a seat names a player"),
    "an-answer-of-nobody": (put(*OPEN, "answers", 0, "result", 2), r"answers\[0\]\.result: Expected a number from -1"),
    "a-line-missing": (drop("entries", 4, "lines", 0), r"^entries\[4\]: .*is off by"),
    "a-line-twice": (twice("entries", 0, "lines"), r"^entries\[0\]\.lines\[2\]: This player has a line"),
    "no-lines": (drop("entries", 0, "lines"), r"^entries\[0\]: .*has no lines"),
    "a-reversal-of-nothing": (drop("entries", 5, "reverses"), r"^entries\[5\]: A reversal names the entry"),
    "an-entry-of-another-round": (
        put("entries", 3, "round", 2),
        r"^sessions\[0\]\.rounds\[0\]: .*should have one entry",
    ),
    "an-entry-of-another-evening": (put("entries", 3, "session", 2), r"^entries\[3\]\.(currency|round): "),
    "a-change-that-cannot-be-told": (put("changes", 0, "new", [1, 2]), r"^changes\[0\]: The log cannot tell"),
    "a-change-without-end": (put("changes", 0, "new", {"a": "b" * 20_001}), r"^changes\[0\]\.new: At most 20000"),
}


@pytest.fixture
def refused(fresh):
    """What the file is refused with; nothing may have been changed."""

    def refused(raw):
        before = book()
        with pytest.raises(RefusedError) as error:
            import_club(raw if isinstance(raw, bytes) else json.dumps(raw).encode(), fresh)
        assert book() == before
        return str(error.value)

    return refused


@pytest.fixture(scope="module")
def kept():
    """The text of the full club, written once for all tests of this module that only need the file."""
    return {}


@pytest.fixture
def file(kept, request):
    if not kept:
        club = request.getfixturevalue("full_club")
        kept["text"] = text_of(club)
    request.getfixturevalue("db")
    return json.loads(kept["text"])


@pytest.mark.parametrize(("damage", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_changes_nothing_and_names_the_place(file, refused, damage, message):
    damage(file)
    said = refused(file)
    assert re.search(message, said), said


NO_FILE = {
    "nothing": (b"", r"^Line 1, column 1: This is no JSON"),
    "half-a-file": (b'{\n "format": "capsa-ledger-club",\n "vers', r"^Line 3, column 2: This is no JSON"),
    "a-picture": (b"\x89PNG\r\n\x1a\n", r"^Line 1, column 1: This is no text in UTF-8"),
    "other-letters": ('{\n"club": "Jos\xe9"}'.encode("latin-1"), r"^Line 2, column 13: This is no text in UTF-8"),
    "a-list": (b"[]", r"^Line 1, column 1: A club is an object"),
    "a-name-twice": (b'{"format": 1, "format": 2}', r"^“format” stands twice"),
    "not-a-number": (b'{"club": NaN}', r"^“NaN” is no number"),
    "endless": (b'{"club": 1e999}', r"^“1e999” is no number"),
    "digits": (b'{"club": ' + b"9" * 5000 + b"}", r"^“99999999999999999999…” is too large"),
    "nested": (b'{"club":' + b"[" * 200_000 + b"]" * 200_000 + b"}", r"nested too deeply"),
    "bomb": (b'{"club":[' + b"0," * 5_000_001 + b"0]}", r"There is more in this file"),
    "another-club-of-numbers": (b'{"format": "capsa-ledger-club", "version": true}', r"^version: Expected a whole"),
}


@pytest.mark.parametrize(("raw", "message"), NO_FILE.values(), ids=NO_FILE)
def test_what_is_no_file_of_ours_is_refused_by_line(refused, raw, message):
    said = refused(raw)
    assert re.search(message, said), said


def test_sums_beyond_the_book_are_refused(file, refused):
    entry = next(entry for entry in file["entries"] if entry["kind"] == "adjustment" and entry["currency"] == "IDR")
    for line, amount in zip(entry["lines"], (10**17, -(10**17)), strict=True):
        line["amount"] = amount
    assert "The amounts are too large for the book" in refused(file)


def _places(value, place=()):
    yield place
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(item, (*place, step))


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([2**63, -(2**31), 10**17, 1e300, 0.5]),
    st.sampled_from(["", "scored", "As Ah Kd", "reversal", "2026-11-26", "2026-11-26T20:00:00Z", "\x00", "x" * 300]),
    st.sampled_from([[], {}, [1], {"id": 1}]),
)


@pytest.mark.django_db
def test_whatever_is_done_to_a_file_it_is_refused_or_sound(file, fresh):
    """One or two values of a sound file become something odd or vanish: refused with a place, or the book is sound."""
    text = json.dumps(file)
    places = [place for place in _places(file) if place]

    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.sampled_from(places), st.one_of(st.just("drop"), ODD)), min_size=1, max_size=2))
    def damaged(changes):
        broken = json.loads(text)
        for place, value in changes:
            _damage(broken, place, value)
        count = Club.objects.count()
        try:
            club = import_club(json.dumps(broken).encode(), fresh, again=True).club
        except RefusedError:
            assert Club.objects.count() == count
        else:
            assert not audit_ledger(club).faults
            assert import_club(text_of(club).encode(), fresh, again=True)

    damaged()


def _damage(file, place, value):
    holder = file
    try:
        for step in place[:-1]:
            holder = holder[step]
        if value == "drop":
            del holder[place[-1]]
        else:
            holder[place[-1]] = value
    except (KeyError, IndexError, TypeError):
        pass  # the other change took it away


# ---------------------------------------------------------------- page and command


def upload(client, raw, name="kamis-malam.json", **fields):
    return client.post(reverse("club-import"), {"file": SimpleUploadedFile(name, raw), **fields}, follow=True)


def test_a_club_is_brought_in_on_a_page(full_club, fresh, client):
    raw = text_of(full_club).encode()
    client.force_login(fresh)
    for page in ("home", "club-new"):
        assert reverse("club-import") in client.get(reverse(page)).content.decode()
    response = upload(client, raw)
    club = fresh.clubs.get()
    assert response.redirect_chain == [(club.get_absolute_url(), 302)]
    content = response.content.decode()
    assert "Kamis Malam is here with 6 rounds. The book was checked and adds up." in content
    assert "These hosted it too: rudi, siti." in content
    assert Host.objects.get(club=club).role == Host.Role.OWNER


def test_a_second_club_only_for_who_says_so(full_club, host):
    raw = text_of(full_club).encode()
    response = upload(host, raw)
    assert response.status_code == 422
    assert "Nothing was imported. You host this club already: Kamis Malam." in response.content.decode()
    assert upload(host, raw, again="on").status_code == 200
    assert Club.objects.count() == 2


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "This file is empty."),
        (b"{,", "Nothing was imported. Line 1, column 2: This is no JSON"),
        (b"x" * (25 * 1024 * 1024 + 1), "Files of up to 25.0\xa0MB are taken here"),
    ],
    ids=["empty", "broken", "large"],
)
def test_what_is_refused_is_said_at_the_field(host, club, raw, message):
    response = upload(host, raw)
    assert response.status_code == 422
    assert message in response.content.decode()
    assert Club.objects.count() == 1


def test_without_a_file_the_page_asks_for_one(host):
    assert host.post(reverse("club-import")).status_code == 422


def test_a_club_is_brought_in_by_command(full_club, fresh, tmp_path):
    path, out = tmp_path / "club.json", StringIO()
    path.write_text(text_of(full_club))
    call_command("import_club", str(path), "--owner", "rudi-elsewhere", stdout=out)
    assert "6 rounds and 24 entries, everything agrees. Other hosts, to be invited again: rudi, siti." in out.getvalue()
    with pytest.raises(CommandError, match="You host this club already"):
        call_command("import_club", str(path), "--owner", "rudi-elsewhere")
    call_command("import_club", str(path), "--owner", "rudi-elsewhere", "--again", stdout=out)
    assert fresh.clubs.count() == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.json", "--owner", "rudi"], "Cannot read nowhere.json"),
        (["nowhere.json", "--owner", "nobody"], "There is no account nobody"),
        (["nowhere.json"], "Say who owns the club"),
    ],
    ids=["no-file", "no-account", "no-owner"],
)
def test_the_command_says_what_it_needs(rudi, siti, arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("import_club", *arguments)
