"""A club as one file: everything is in it, always as the same text, and nothing that is nobody's business."""

import json
import threading
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from scoring import ledger
from scoring.club_file import shape, write_club
from scoring.club_file.shape import Part
from scoring.exports.snapshot import snapshot
from scoring.models import Club, Entry, Hand, Player, Session, ShareLink

# What is not written, and why: keys and what goes with forms, pages and phones; what names the row's own place in the
# file; what is worked out from the rest.
LEFT_OUT = {
    "Club": {"id", "users"},
    "Player": {"id", "club", "name_key"},
    "Session": {"id", "club", "key", "version", "players"},
    "Seat": {"id", "session", "club"},
    "PairStake": {"id", "session", "club"},
    "PlannedStake": {"id", "session", "club"},
    "ShareLink": {"id", "session", "club", "token"},
    "Round": {"id", "session", "club", "set_aside", "won", "reviewed_at"},  # two of them are lists of their own
    "Hand": {
        *("id", "round", "club", "version", "editor", "sent"),
        *("is_hidden", "ready_at", "device", "set_aside"),  # of a phone at a seat
    },
    "PairScore": {"id", "round", "club"},
    "Entry": {"id", "club", "key"},
    "Line": {"id", "entry", "session", "club"},
    "Change": {"id", "club"},
}
PARTS = {
    part.make.__name__: part
    for part in (
        *(shape.CLUB, shape.PLAYER, shape.SESSION, shape.SEAT, shape.PAIR_STAKE, shape.PLANNED_STAKE, shape.LINK),
        *(shape.ROUND, shape.HAND, shape.PAIR, shape.ENTRY, shape.LINE, shape.CHANGE),
    )
}


def told(club: Club):
    return json.loads("".join(write_club(club)))


def names(part: Part):
    return {field.attribute or field.name for field in part.fields}


@pytest.mark.parametrize("model", LEFT_OUT)
def test_every_field_of_the_book_is_in_the_file_or_left_out_on_purpose(model):
    part = PARTS[model]
    fields = {field.name for field in apps.get_model("scoring", model)._meta.get_fields() if field.concrete}
    assert names(part) | LEFT_OUT[model] == fields
    assert not names(part) & LEFT_OUT[model]


def test_every_table_is_in_the_file_or_left_out_on_purpose():
    of_one_site = {"Host", "Invitation"}  # hosts stand there by name only
    worked_out = {"HandReview", "OpenBalance", "PairTally", "PlayedRuleset", "Tally"}
    tables = {model.__name__ for model in apps.get_app_config("scoring").get_models()}
    assert tables == PARTS.keys() | of_one_site | worked_out


def test_the_file_says_what_it_is_and_reads_like_a_book(full_club):
    file = told(full_club)
    assert list(file)[:4] == ["format", "version", "club", "hosts"]
    assert (file["format"], file["version"]) == ("capsa-ledger-club", 1)
    assert file["club"]["name"] == "Kamis Malam"
    assert file["hosts"] == [{"user": "rudi", "role": "owner"}, {"user": "siti", "role": "host"}]
    assert [player["name"] for player in file["players"]] == ["Ana", "Budi", "Citra", "Dewi", "Eka 😀"]
    evening = file["sessions"][0]
    assert (evening["date"], evening["place"], evening["created_by"]) == (
        "2026-11-26",
        "Warung Bu Sri, Jl. Merdeka",
        "rudi",
    )
    assert [(round_["number"], round_["state"]) for round_ in evening["rounds"]] == [
        (1, "scored"),
        (2, "voided"),
        (3, "scored"),
        (4, "amended"),
        (4, "amended"),
        (4, "scored"),
        (5, "open"),
    ]
    assert evening["rounds"][0]["hands"][0] == {
        "player": 1,
        "position": 0,
        "front": "As Ah Kd",
        "middle": "Qs Qh Qd 7c 7d",
        "back": "9s 9h 9d 9c 2c",
        "status": "played",
        "super": True,
        "points": 66,
        "money": 1_540_000,
        "fee": 46_200,
        "net": 1_493_800,
    }


def test_what_belongs_together_goes_by_numbers_of_the_file(full_club):
    file = told(full_club)
    rounds = file["sessions"][0]["rounds"]
    assert rounds[4]["replaces"] == rounds[3]["id"]
    entries = {entry["id"]: entry for entry in file["entries"]}
    reversal = next(entry for entry in file["entries"] if entry["kind"] == "reversal")
    amounts = {line["player"]: line["amount"] for line in entries[reversal["reverses"]]["lines"]}
    assert {line["player"]: -line["amount"] for line in reversal["lines"]} == amounts
    (carried,) = (entry for entry in file["entries"] if "carries" in entry)
    assert "session" not in carried
    assert {entry["batch"] for entry in file["entries"] if "batch" in entry} == {1}
    last = rounds[-1]
    assert [(answer["row"], answer["a"], answer["b"], answer["result"]) for answer in last["answers"]] == [
        ("middle", 1, 2, 1)
    ]
    assert [(aside["player"], aside["back"]) for aside in last["set_aside"]] == [(3, "Ts Js")]


def test_the_same_book_is_the_same_text(full_club):
    assert "".join(write_club(full_club)) == "".join(write_club(Club.objects.get()))


def test_rules_stand_in_the_file_once(full_club):
    file = told(full_club)
    assert len(file["rulesets"]) == 1
    assert {round_.get("rules") for round_ in file["sessions"][0]["rounds"]} == {1, None}


def test_no_secret_is_in_it(full_club, rudi):
    text = "".join(write_club(full_club))
    secrets = [*ShareLink.objects.values_list("token", flat=True), rudi.password]
    secrets += [str(key) for key in Entry.objects.values_list("key", flat=True)]
    assert len(secrets) > 10
    assert not [secret for secret in secrets if secret in text]


def test_one_club_only(full_club, rudi):
    other = Club.objects.create(name="Jumat")
    assert told(other)["players"] == told(other)["sessions"] == told(other)["entries"] == []
    assert "Jumat" not in "".join(write_club(full_club))


class TestHidden:
    """What lies hidden at a seat is in no file before the reveal."""

    CARDS = {"front": "As Ah Kd", "middle": "Qs Qh Qd 7c 7d", "back": "9s 9h 9d 9c 2c"}

    @pytest.fixture
    def hand(self, session, cast) -> Hand:
        hand = ledger.open_round(session, cast).hands.first()
        return ledger.keep_hand(hand, self.CARDS, hand.version, at_seat="phone")

    @staticmethod
    def last_round(club):
        return told(club)["sessions"][0]["rounds"][-1]

    def test_its_cards_are_left_out(self, hand, club):
        assert self.last_round(club)["hands"][0] == {"player": 1, "position": 0}

    def test_also_where_the_host_took_it_over(self, hand, club):
        ledger.take_over_hand(hand)
        assert self.last_round(club)["hands"][0] == {"player": 1, "position": 0}

    def test_what_the_host_had_typed_is_in_it(self, hand, club):
        Hand.objects.filter(pk=hand.pk).update(set_aside={"front": "2s 2h Kd"})
        assert self.last_round(club)["hands"][0] == {"player": 1, "position": 0, "front": "2s 2h Kd"}

    def test_also_where_the_player_was_taken_out_of_the_round(self, hand, club, budi, citra):
        ledger.reseat_round(hand.round, [budi, citra])
        assert self.last_round(club)["set_aside"] == [{"player": 1}, {"player": 4}]

    def test_once_they_are_on_the_table_they_are_in_it(self, hand, club):
        round_ = hand.round
        round_.revealed_at = hand.round.opened_at
        round_.save()
        assert self.last_round(club)["hands"][0] == {"player": 1, "position": 0, **self.CARDS}


@pytest.mark.django_db(transaction=True)
def test_the_file_is_of_one_moment_and_no_writer_waits_for_it(score, session, club):
    score()
    with snapshot():
        before = "".join(write_club(club))
        writer = threading.Thread(target=_rename_all)
        writer.start()
        writer.join(timeout=15)
        assert not writer.is_alive()
        assert "".join(write_club(club)) == before
    assert "".join(write_club(club)) != before


def _rename_all():
    Player.objects.update(name="X")
    connection.close()


# ---------------------------------------------------------------- page and command


def test_the_file_is_downloaded_under_a_good_name(full_club, host, time_machine):
    time_machine.move_to("2026-11-27T20:00:00+00:00")  # the 28th in Jakarta
    response = host.get(reverse("club-json", args=[full_club.pk]))
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"] == 'attachment; filename="kamis-malam-2026-11-28.json"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.getvalue().decode() == "".join(write_club(full_club))


def test_more_rounds_take_no_more_queries(full_club, host, score, session, django_assert_num_queries):
    url = reverse("club-json", args=[full_club.pk])
    ledger.discard_round(session.rounds.get(state="open"))
    with django_assert_num_queries(18) as counted:
        host.get(url).getvalue()
    for _more in range(3):
        score()
    with django_assert_num_queries(len(counted)):
        host.get(url).getvalue()


def test_the_command_writes_a_new_file(full_club, tmp_path):
    out = StringIO()
    call_command("export_club", str(full_club.pk), str(tmp_path / "club.json"), stdout=out)
    assert (tmp_path / "club.json").read_text() == "".join(write_club(full_club))
    assert (tmp_path / "club.json").stat().st_mode & 0o777 == 0o600
    assert "Kamis Malam" in out.getvalue()
    with pytest.raises(CommandError, match="Cannot write a new file"):
        call_command("export_club", str(full_club.pk), str(tmp_path / "club.json"))


def test_the_command_writes_to_standard_output(full_club):
    out = StringIO()
    call_command("export_club", str(full_club.pk), stdout=out)
    assert out.getvalue() == "".join(write_club(full_club))


def test_the_command_names_the_clubs_there_are(club):
    with pytest.raises(CommandError, match=rf"There is no club 999\. The clubs here: {club.pk} \(Kamis Malam\)\."):
        call_command("export_club", "999")


def test_an_evening_without_rounds_is_a_file_too(session):
    (evening,) = told(session.club)["sessions"]
    assert "rounds" not in evening
    assert Session.objects.count() == 1
