"""Hands in the open round: one writer each, the host or the seat; hidden until the reveal; nothing gets lost."""

import pytest

from scoring import ledger
from scoring.engine.rules import ROWS
from scoring.models import Hand, Round
from tests.conftest import SUPER

PHONE = "anas-phone"


def rows(text: str) -> dict[str, str]:
    return dict(zip(ROWS, (part.strip() for part in text.split("/")), strict=True))


@pytest.fixture
def round_(session, cast) -> Round:
    return ledger.open_round(session, cast)


@pytest.fixture
def hands(round_) -> list[Hand]:
    return list(round_.hands.select_related("player"))


def again(hand: Hand) -> Hand:
    return Hand.objects.select_related("player", "round").get(pk=hand.pk)


def laid(hand: Hand) -> tuple[str, str, str]:
    hand = again(hand)
    return hand.front, hand.middle, hand.back


def lay_at_seat(hand: Hand, text: str) -> Hand:
    hand = again(hand)
    return ledger.keep_hand(hand, rows(text), hand.version, "a-page", at_seat=PHONE)


def ready(hand: Hand, text: str) -> Hand:
    return ledger.ready_hand(lay_at_seat(hand, text), PHONE)


def host_types(hand: Hand, text: str) -> Hand:
    hand = again(hand)
    return ledger.keep_hand(hand, rows(text), hand.version, "the-host")


# ---------------------------------------------------------------- at the seat


def test_what_is_laid_at_a_seat_is_hidden_until_the_reveal(round_, hands, rudi):
    for hand, text in zip(hands, SUPER, strict=True):
        assert ready(hand, text).is_veiled
    ledger.reveal_round(round_, rudi)
    assert not any(again(hand).is_veiled for hand in hands)


def test_every_change_at_a_seat_counts_for_the_board(session, hands, rudi):
    versions = []
    for write in (
        lambda: lay_at_seat(hands[0], SUPER[0]),
        lambda: ledger.ready_hand(hands[0], PHONE),
        lambda: ledger.unready_hand(hands[0], PHONE),
        lambda: ledger.take_over_hand(hands[0]),
        lambda: ledger.give_hand(hands[0], PHONE),
        lambda: ledger.lay_at_seat(hands[0], PHONE),
    ):
        write()
        session.refresh_from_db()
        versions.append(session.version)
    assert versions == sorted(set(versions))


def test_saying_ready_twice_changes_nothing(session, hands):
    first = ready(hands[0], SUPER[0])
    session.refresh_from_db()
    version = session.version
    assert ledger.ready_hand(hands[0], PHONE).ready_at == first.ready_at
    session.refresh_from_db()
    assert session.version == version


@pytest.mark.parametrize(
    "text",
    ["AsAhKd / QsQhQd7c7d / 9s9h9d9c", "AsAhKd / QsQhQd7c7d / 9s9h9d9cAs", "AsAhKd / QsQhQd7c7d / 9s9h9d9cXX"],
    ids=["12-cards", "a-card-twice", "no-card"],
)
def test_a_hand_that_could_not_be_scored_is_not_ready(hands, text):
    lay_at_seat(hands[0], text)
    with pytest.raises(ValueError):
        ledger.ready_hand(hands[0], PHONE)
    assert again(hands[0]).ready_at is None


def test_a_ready_hand_is_changed_only_after_taking_it_back(hands):
    ready(hands[0], SUPER[0])
    with pytest.raises(ledger.LedgerError, match="Take it back"):
        lay_at_seat(hands[0], SUPER[1])
    ledger.unready_hand(hands[0], PHONE)
    lay_at_seat(hands[0], SUPER[1])
    assert laid(hands[0])[0] == "KsQcJs"


def test_two_phones_at_one_seat_do_not_overwrite_each_other(hands):
    ledger.keep_hand(hands[0], {"front": "AsAhKd"}, 0, "one", at_seat=PHONE)
    with pytest.raises(ledger.StaleError):
        ledger.keep_hand(hands[0], {"front": "2c"}, 0, "two", at_seat=PHONE)
    assert laid(hands[0])[0] == "AsAhKd"


def test_what_a_page_sent_earlier_and_comes_late_changes_nothing(hands):
    ledger.keep_hand(hands[0], {"front": "As Ah"}, 0, "a-page", sent=2000, at_seat=PHONE)
    late = ledger.keep_hand(hands[0], {"front": "As"}, 0, "a-page", sent=1000, at_seat=PHONE)
    assert (late.front, late.version) == ("As Ah", 1)
    ledger.keep_hand(hands[0], {"front": "As Ah Kd"}, 0, "a-page", sent=3000, at_seat=PHONE)
    ledger.keep_hand(hands[0], {"front": "As Ah Ks"}, 0, "a-page", at_seat=PHONE)  # by the button, without a script
    assert laid(hands[0])[0] == "As Ah Ks"


def test_what_is_taken_back_does_not_come_again_with_a_late_arrival(hands):
    ledger.keep_hand(hands[0], {"front": "As"}, 0, "a-page", sent=1000, at_seat=PHONE)
    ledger.keep_hand(hands[0], {"front": "As"}, 1, "a-page", sent=3000, at_seat=PHONE)  # after the ace of hearts
    ledger.keep_hand(hands[0], {"front": "As Ah"}, 1, "a-page", sent=2000, at_seat=PHONE)
    assert laid(hands[0])[0] == "As"


def test_a_page_loaded_anew_has_a_clock_of_its_own(hands):
    ledger.keep_hand(hands[0], {"front": "As Ah"}, 0, "a-page", sent=2000, at_seat=PHONE)
    ledger.keep_hand(hands[0], {"front": "As"}, 1, "another-page", sent=1000, at_seat=PHONE)
    assert laid(hands[0])[0] == "As"


# ---------------------------------------------------------------- a card that somebody else holds


@pytest.mark.parametrize("first", [lay_at_seat, host_types], ids=["the-other-at-a-seat", "the-other-by-the-host"])
def test_a_card_of_another_hand_is_left_out_and_the_rest_kept(hands, first):
    first(hands[0], SUPER[0])
    with pytest.raises(ledger.CardTakenError) as error:
        lay_at_seat(hands[1], "AsQcJs / 5s5h4s3s8c / TsTh6s6h9s")
    assert str(error.value).startswith("A♠\ufe0e, 9♠\ufe0e are in other hands already.")
    assert "Ana" not in str(error.value)
    assert laid(hands[1]) == ("Qc Js", "5s5h4s3s8c", "Ts Th 6s 6h")
    assert laid(hands[0]) == ("AsAhKd", "QsQhQd7c7d", "9s9h9d9c2c")


def test_the_host_is_not_told_who_hides_a_card(hands):
    lay_at_seat(hands[0], SUPER[0])
    with pytest.raises(ledger.CardTakenError) as error:
        host_types(hands[1], "AsQcJs / 5s5h4s3s8c / TsTh6s6h2s")
    assert str(error.value).startswith("A♠\ufe0e is in another hand already.")
    assert "Ana" not in str(error.value)
    assert laid(hands[1])[0] == "Qc Js"


def test_two_hands_that_the_host_enters_are_left_to_him(hands):
    host_types(hands[0], SUPER[0])
    host_types(hands[1], SUPER[0])
    assert laid(hands[1])[0] == "AsAhKd"


# ---------------------------------------------------------------- the host enters for a player


def test_the_host_does_not_write_over_a_hidden_hand_and_loses_nothing(hands):
    lay_at_seat(hands[0], SUPER[0])
    with pytest.raises(ledger.OtherWriterError, match="Ana lays this hand"):
        host_types(hands[0], SUPER[3])
    assert laid(hands[0])[0] == "AsAhKd"
    ledger.take_over_hand(hands[0])
    assert laid(hands[0])[0] == "8s7h6c"


def test_taking_over_shows_the_host_nothing_and_keeps_what_was_laid(hands):
    ready(hands[0], SUPER[0])
    taken = ledger.take_over_hand(hands[0])
    assert not taken.is_veiled
    assert laid(hands[0]) == ("", "", "")
    assert again(hands[0]).ready_at is None
    ledger.lay_at_seat(hands[0], PHONE)
    assert laid(hands[0])[0] == "AsAhKd"


def test_the_player_may_give_the_host_what_he_laid(hands):
    lay_at_seat(hands[0], SUPER[0])
    ledger.take_over_hand(hands[0])
    given = ledger.give_hand(hands[0], PHONE)
    assert not given.is_veiled
    assert laid(hands[0])[0] == "AsAhKd"


def test_what_the_host_entered_is_not_overwritten_by_giving(hands):
    lay_at_seat(hands[0], SUPER[0])
    ledger.take_over_hand(hands[0])
    host_types(hands[0], SUPER[3])
    with pytest.raises(ledger.LedgerError, match="entered cards for you already"):
        ledger.give_hand(hands[0], PHONE)
    assert laid(hands[0])[0] == "8s7h6c"


def test_what_is_laid_while_the_host_enters_is_kept_for_the_player(hands):
    lay_at_seat(hands[0], "As // ")
    ledger.take_over_hand(hands[0])
    with pytest.raises(ledger.OtherWriterError, match="host enters your hand"):
        lay_at_seat(hands[0], SUPER[0])
    assert laid(hands[0]) == ("", "", "")
    ledger.lay_at_seat(hands[0], PHONE)
    assert laid(hands[0])[0] == "AsAhKd"


def test_a_hand_that_the_host_has_begun_is_not_taken_by_a_tap(hands):
    host_types(hands[0], "As //")
    with pytest.raises(ledger.OtherWriterError):
        lay_at_seat(hands[0], SUPER[0])
    ledger.lay_at_seat(hands[0], PHONE)
    assert laid(hands[0])[0] == "AsAhKd"
    ledger.take_over_hand(hands[0])
    assert laid(hands[0]) == ("As", "", "")


def test_a_card_that_went_elsewhere_meanwhile_does_not_come_back(hands):
    lay_at_seat(hands[0], SUPER[0])
    ledger.take_over_hand(hands[0])
    lay_at_seat(hands[1], "As //")
    with pytest.raises(ledger.CardTakenError):
        ledger.lay_at_seat(hands[0], PHONE)
    assert laid(hands[0]) == ("Ah Kd", "QsQhQd7c7d", "9s9h9d9c2c")


def test_an_empty_form_of_the_host_says_nothing(hands):
    lay_at_seat(hands[0], SUPER[0])
    with pytest.raises(ledger.OtherWriterError):
        host_types(hands[0], "//")
    assert again(hands[0]).set_aside is None


# ---------------------------------------------------------------- the reveal


def test_reveal_with_hands_missing_names_whose(round_, hands, rudi):
    ready(hands[0], SUPER[0])
    lay_at_seat(hands[1], SUPER[1])
    host_types(hands[2], SUPER[2])
    with pytest.raises(ledger.LedgerError, match="Budi and Dewi are not ready yet"):
        ledger.reveal_round(round_, rudi)
    round_.refresh_from_db()
    assert round_.revealed_at is None


def test_after_the_reveal_only_the_host_changes_hands(round_, hands, rudi):
    for hand, text in zip(hands, SUPER, strict=True):
        ready(hand, text)
    ledger.reveal_round(round_, rudi)
    for write in (ledger.unready_hand, ledger.ready_hand, ledger.lay_at_seat):
        with pytest.raises(ledger.LedgerError, match="on the table"):
            write(again(hands[0]), PHONE)
    with pytest.raises(ledger.LedgerError, match="on the table"):
        lay_at_seat(hands[0], SUPER[1])
    host_types(hands[0], "AhAsKd / QsQhQd7c7d / 9s9h9d9c2c")
    assert laid(hands[0])[0] == "AhAsKd"


def test_revealing_twice_is_revealing_once(round_, hands, rudi, siti):
    for hand, text in zip(hands, SUPER, strict=True):
        ready(hand, text)
    first = ledger.reveal_round(round_, rudi)
    assert ledger.reveal_round(round_, siti).revealed_by == rudi
    assert ledger.reveal_round(round_, siti).revealed_at == first.revealed_at


def test_ready_hands_are_scored_without_a_reveal_of_their_own(round_, hands, rudi):
    for hand, text in zip(hands[:3], SUPER, strict=False):
        ready(hand, text)
    host_types(hands[3], SUPER[3])
    ledger.record_round(round_, rudi)
    assert again(hands[0]).points == 66
    assert not again(hands[0]).is_veiled


def test_a_hand_that_is_not_ready_keeps_the_round_from_being_scored(round_, hands, rudi):
    for hand, text in zip(hands, SUPER, strict=True):
        lay_at_seat(hand, text)
    with pytest.raises(ledger.LedgerError, match="Ana, Budi, Citra and Dewi are not ready yet"):
        ledger.record_round(round_, rudi)


def test_scoring_forgets_what_was_set_aside(round_, hands, cast, rudi):
    ready(hands[0], SUPER[0])
    ledger.take_over_hand(hands[0])
    ledger.give_hand(hands[0], PHONE)
    host_types(hands[1], SUPER[1])
    lay_at_seat(hands[3], SUPER[3])
    ledger.reseat_round(round_, cast[:2])
    ledger.record_round(round_, rudi)
    round_.refresh_from_db()
    assert (round_.set_aside, again(hands[0]).set_aside) == ({}, None)


def test_nothing_is_laid_in_a_scored_or_discarded_round(round_, hands, rudi, lay):
    lay(round_, SUPER)
    ledger.record_round(round_, rudi)
    with pytest.raises(ledger.LedgerError, match="scored already"):
        lay_at_seat(hands[0], SUPER[1])


def test_a_hand_of_a_discarded_round_is_stale(round_, hands):
    hand = again(hands[0])
    ledger.discard_round(round_)
    with pytest.raises(ledger.StaleError, match="discarded"):
        ledger.keep_hand(hand, rows(SUPER[0]), 0, "a-page", at_seat=PHONE)


# ---------------------------------------------------------------- taken out of the round


def test_who_is_taken_out_and_comes_back_finds_his_cards_hidden(round_, hands, cast):
    ready(hands[3], SUPER[3])
    ledger.reseat_round(round_, cast[:3])
    with pytest.raises(ledger.StaleError, match="Dewi does not play"):
        ledger.keep_hand(hands[3], rows(SUPER[3]), 1, "a-page", at_seat=PHONE)
    ledger.reseat_round(round_, cast)
    dewi = round_.hands.get(player=cast[3])
    assert (dewi.front, dewi.is_veiled, dewi.ready_at) == ("8s7h6c", True, None)
    round_.refresh_from_db()
    assert round_.set_aside == {}
