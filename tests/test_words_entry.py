"""Rows told in words on the pages: what is recognised, what is asked, how it is answered, and what the book keeps."""

import re
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from scoring import ledger, wording
from scoring.audit import audit_ledger
from scoring.engine.rules import PRESETS, parse_ruleset
from scoring.engine.told import Told, read_told
from scoring.engine.words import parse_row
from scoring.models import Hand, Round
from scoring.models.answers import Answer
from scoring.templatetags.words import rows_to_tell
from tests.test_round_entry import check_url, hand_of, score_url, typed

# By words the round of RULES 11: nothing is asked, Ana has a super.
CALLED = (
    "pair A / full house Q 7 / quads 9",
    "K Q J / sepasang 5 / dua pasang 10 6",
    "K J 8 / pareja 3 / two pair J 4",
    "8 7 6 / pair 10 / two pair A 5",
)
# Ana and Budi have a flush of hearts at the back; whatever else there is is decided.
CLOSE = (
    "pair A / two pair K 9 / flush hati",
    "pair K / two pair Q 8 / flush hearts",
    "pair Q / trips 7 / straight 9",
    "high 9 / pair 2 / pair 3",
)


@pytest.fixture
def open_round(session, cast) -> Round:
    return ledger.open_round(session, cast)


def checked(host, round_: Round, *hands: str, **more: Any) -> str:
    return str(host.post(check_url(round_), typed(round_, *hands, **more)).content.decode())


def row_of(page: str, round_: Round, name: str, row: str) -> str:
    """What stands beside the field of a row."""
    hand = hand_of(round_, name)
    found = re.search(rf'id="told-{hand.pk}-{row}".*?>(.*?)</span>', page, re.S)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(found[1])).split())


def asked(page: str) -> list[str]:
    """The questions of a page as one reads them, those about pairs of players too."""
    legends = re.findall(r"<legend>(.*?)</legend>", page, re.S)
    return [" ".join(re.sub(r"<[^>]+>", "", unescape(legend)).split()) for legend in legends]


def answers(page: str, question: str) -> dict[str, tuple[str, str]]:
    """The buttons of a question: what is seen of them, and the name and value that they send."""
    fieldsets = re.findall(r'<fieldset class="ask".*?</fieldset>', page, re.S)
    fieldset = next(each for each in fieldsets if asked(each)[0].startswith(question))
    buttons = re.findall(r'<button[^>]*? name="([^"]+)" value="([^"]*)"[^>]*><\w+[^>]*>(.*?)<', fieldset, re.S)
    return {label: (name, unescape(value)) for name, value, label in buttons}


# ---------------------------------------------------------------- what is recognised


@pytest.mark.parametrize(
    ("text", "recognised"),
    [
        ("full house J 3", "Full house, jacks over threes"),
        ("Full House J dan 3", "Full house, jacks over threes"),
        ("full house J", "Full house, jacks"),
        ("flush hati", "Flush, hearts"),
        ("straight 9", "Straight, nine high"),
        ("KK5", "Pair of kings"),
        ("póker de reinas", "Four of a kind, queens"),
        ("royal", "Royal flush"),
        ("As Ah Kd Kc 2c", "Two pair A K"),
    ],
)
def test_a_row_is_recognised_beside_its_field(host, open_round, text, recognised):
    page = checked(host, open_round, f"// {text}")
    assert row_of(page, open_round, "Ana", "back") == recognised
    assert f'value="{text}"' in unescape(page)
    assert hand_of(open_round, "Ana").back == text


@pytest.mark.parametrize(
    ("row", "text", "error"),
    [
        ("back", "full hose J", '"hose" at position 6 is neither a card nor a word for a row'),
        ("back", "flush hearts ♠", '"♠" at position 14 is a second suit'),
        ("front", "straight 9", "Straight cannot stand in the front"),
        ("back", "straight 4", "there is no Straight to 4 under these rules"),
        ("back", "As Ah Kd Kx 2c", "is a rank without a suit"),
    ],
    ids=["unknown-word", "two-suits", "front", "no-such-straight", "cards"],
)
def test_what_is_not_understood_is_said_at_its_field_and_kept(host, open_round, row, text, error):
    rows = {"front": "", "middle": "", "back": ""} | {row: text}
    answer = host.post(score_url(open_round), typed(open_round, "/".join(rows.values()), *CALLED[1:]))
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    field = page[page.index(f'id="error-{hand_of(open_round, "Ana").pk}-{row}"') :]
    assert error in field[: field.index("</div>")]
    assert f'value="{text}"' in page


def test_a_row_in_words_counts_as_whole(host, open_round):
    page = checked(host, open_round, "// flush")
    assert "5/13" in page
    assert "Ana: 8 cards to go" in page


# ---------------------------------------------------------------- a whole round


def test_a_round_in_words_is_scored_and_kept_in_canonical_text(host, open_round):
    page = checked(host, open_round, *CALLED)
    assert "+66 points" in page
    assert not asked(page)
    answer = host.post(score_url(open_round), typed(Round.objects.get(), *CALLED))
    assert answer.headers["Location"] == reverse("round", args=[open_round.pk])
    budi = hand_of(open_round, "Budi")
    assert (budi.front, budi.middle, budi.back) == ("high K Q J", "pair 5", "two pair 10 6")
    assert hand_of(open_round, "Ana").is_super
    assert not audit_ledger().faults


def test_the_result_tells_rows_in_words(host, score):
    page = host.get(score(*CALLED).get_absolute_url()).content.decode()
    assert "Four of a kind, nines, beats two pair, tens and sixes" in page
    assert "Full house Q" in page
    assert 'class="cards"' not in page
    assert "Four of a kind in the back, to Ana" in page


def test_cards_and_words_meet_in_one_round(host, open_round):
    hands = ("AsAhKd / QsQhQd7c7d / 9s9h9d9c2c", *CALLED[1:])
    assert "+66 points" in checked(host, open_round, *hands)


def test_a_hand_in_words_is_pao_where_that_is_proven(host, open_round):
    page = checked(host, open_round, "pair A / flush / straight", *CALLED[1:])
    assert "Middle beats back: PAO" in page
    assert "Middle beats back" not in checked(
        host, Round.objects.get(), "pair A / flush hearts / flush hearts", *CALLED[1:]
    )


def test_a_natural_is_declared_with_rows_in_words(host, open_round):
    form = typed(open_round, "pair A / flush / flush", *CALLED[1:])
    ana = hand_of(open_round, "Ana")
    host.post(score_url(open_round), form | {f"{ana.pk}-declare": "natural", f"{ana.pk}-natural": "dragon"})
    ana.refresh_from_db()
    assert (ana.status, ana.points) == ("natural", 3 * 208)
    assert host.get(open_round.get_absolute_url(), follow=True).status_code == 200


def test_one_deck_has_not_that_many_cards(host, open_round):
    hands = ("pair 10 / pair K / trips J", "pair 8 / pair 9 / trips J", *CLOSE[2:])
    page = checked(host, open_round, *hands)
    assert "Ana, back: one deck has not enough cards of rank J for this row and that of Budi" in page


# ---------------------------------------------------------------- what is asked


ASKED = [
    ("capsa", "straight 9", "straight 9", "Suit of its top card?", "♠♥♣♦", "both"),
    ("capsa", "pair A", "pair A", "Suit of the better card of the pair?", "♠♥♣", "both"),
    ("capsa", "flush ♥ K", "flush ♥", "Highest card of the flush?", "AKQJ10987", "Budi"),
    ("capsa", "flush ♥ K", "flush ♥ K", "Next card of the flush?", "QJ1098765", "both"),
    ("capsa", "flush", "flush ♥", "Suit of the flush?", "♠♥♣♦", "Ana"),
    ("capsa", "straight", "straight 9", "Top card of the straight?", "AKQJ1098765", "Ana"),
    ("capsa", "two pair K", "two pair K", "The lower pair?", "QJ1098765432", "both"),
    ("capsa", "full house", "full house 9", "Full house: three of which rank?", "AKQJ1098765432", "Ana"),
    ("points", "pair A K", "pair A", "Next card beside it?", "KQJ10987654", "Budi"),
    ("points", "high A", "high A", "Next card?", "KQJ109876", "both"),
]


@pytest.mark.parametrize(
    ("rules", "one", "other", "question", "keys", "whose"), ASKED, ids=[f"{case[1]} – {case[2]}" for case in ASKED]
)
def test_exactly_what_is_missing_is_asked(host, session, open_round, rules, one, other, question, keys, whose):
    session.ruleset = parse_ruleset(rules)
    session.save()
    hands = (
        f"high 9 / high K / {one}",
        f"high 8 / high Q / {other}",
        "high 7 / high J / pair 2",
        "high 6 / high 10 / pair 3",
    )
    page = checked(host, open_round, *hands)
    players = {"both": ["Ana", "Budi"], "Ana": ["Ana"], "Budi": ["Budi"]}[whose]
    assert asked(page) == [*[f"{name} · Back {question}" for name in players], "Back Ana – Budi"]
    for name in players:
        assert "".join(answers(page, f"{name} · Back")).replace("\ufe0e", "") == keys
        assert question in page[page.index(f'id="told-{hand_of(open_round, name).pk}-back"') :].split("</span>")[0]
    count = "1 question left" if len(players) == 1 else "2 questions left"
    assert count in page


def test_an_answer_completes_the_text_of_its_row(host, open_round):
    page = checked(host, open_round, *CLOSE)
    field, value = answers(page, "Ana · Back")["K"]
    assert value == "flush hati K"
    form = typed(open_round, *CLOSE)
    page = host.post(check_url(open_round), form | {field: [form[field], value]}).content.decode()
    assert hand_of(open_round, "Ana").back == "flush hati K"
    assert asked(page) == ["Budi · Back Highest card of the flush?", "Back Ana – Budi"]


def test_the_same_answer_twice_is_one(host, open_round):
    page = checked(host, open_round, *CLOSE)
    field, value = answers(page, "Ana · Back")["K"]
    form = typed(open_round, *CLOSE)
    for _tap in range(2):
        host.post(check_url(open_round), form | {field: [form[field], value]})
    assert hand_of(open_round, "Ana").back == "flush hati K"


def test_a_round_is_not_scored_while_something_is_asked(host, open_round):
    answer = host.post(score_url(open_round), typed(open_round, *CLOSE))
    assert answer.status_code == 422
    assert asked(answer.content.decode())
    assert Round.objects.get().is_open


# ---------------------------------------------------------------- who wins


@pytest.mark.parametrize(("label", "result"), [("Ana wins", 1), ("Budi wins", -1)])
def test_the_host_may_say_who_wins(host, open_round, label, result):
    page = checked(host, open_round, *CLOSE)
    name, value = answers(page, "Back Ana – Budi")[label]
    page = checked(host, Round.objects.get(), *CLOSE, **{name: value})
    winner, loser = ("Ana", "Budi")[::result]
    assert f"Back: {winner} wins against {loser}" in page
    assert "It comes to" in page
    host.post(score_url(open_round), typed(Round.objects.get(), *CLOSE))
    pair = Round.objects.get().pair_scores.get(a__name="Ana", b__name="Budi")
    assert (pair.front, pair.middle, pair.back) == (1, 1, result)
    result_page = host.get(reverse("round", args=[open_round.pk])).content.decode()
    assert "Flush, hearts against flush, hearts: decided by the host" in result_page
    assert not audit_ledger().faults


def test_a_tie_is_offered_only_where_there_can_be_one(host, session, open_round):
    assert list(answers(checked(host, open_round, *CLOSE), "Back Ana – Budi")) == ["Ana wins", "Budi wins"]
    session.ruleset = parse_ruleset("points")
    session.save()
    page = checked(host, Round.objects.get(), *CLOSE)
    choices = answers(page, "Back Ana – Budi")
    assert list(choices) == ["Ana wins", "Tie", "Budi wins"]
    page = checked(host, Round.objects.get(), *CLOSE, won=choices["Tie"][1])
    assert "Back: Ana and Budi tie" in page


def test_an_answer_is_taken_back(host, open_round):
    page = checked(host, open_round, *CLOSE)
    page = checked(host, Round.objects.get(), *CLOSE, won=answers(page, "Back Ana – Budi")["Ana wins"][1])
    back = unescape(re.findall(r'name="won" value="([^"]+)"', page)[-1])
    page = checked(host, Round.objects.get(), *CLOSE, won=back)
    assert asked(page)[-1] == "Back Ana – Budi"
    assert Round.objects.get().won == []


@pytest.mark.parametrize(
    ("text", "holds"),
    [("flush hearts", True), ("flush ♥ Q", True), ("flush spades", None), ("flush", False), ("straight 10", None)],
)
def test_an_answer_holds_while_the_row_is_that_or_more(host, open_round, text, holds):
    page = checked(host, open_round, *CLOSE)
    checked(host, Round.objects.get(), *CLOSE, won=answers(page, "Back Ana – Budi")["Ana wins"][1])
    hands = (CLOSE[0], f"pair K / two pair Q 8 / {text}", *CLOSE[2:])
    page = checked(host, Round.objects.get(), *hands)
    assert ("decided by the host" in page.lower()) == bool(holds)
    assert bool(asked(page)) == (holds is False)


def test_a_round_that_is_taken_back_keeps_the_answers(host, score, open_round, rudi, lay):
    lay(open_round, CLOSE)
    ana, budi = hand_of(open_round, "Ana"), hand_of(open_round, "Budi")
    told = ("flush hearts", "flush hearts")
    ledger.answer_row(open_round, Answer("back", ana.player_id, budi.player_id, 1, told))
    scored = ledger.record_round(open_round, rudi)
    again = ledger.take_back_round(scored, rudi)
    assert "It comes to" in host.get(again.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[1]",
        "{}",
        '["back", 1, 2, 1]',
        '["rear", 1, 2, 1, ["a", "b"]]',
        '["back", 1, 2, 7, ["a", "b"]]',
        '["back", 1, 2, true, ["a", "b"]]',
        '["back", "1", 2, 1, ["a", "b"]]',
        '["back", 1, 2, 1, ["a"]]',
        '["back", 1, 2, 1, [1, 2]]',
        '["back", 1, 2, 1, null]',
        '[["back"], 1, 2, 1, ["a", "b"]]',
        "[" * 100_000,
    ],
)
def test_what_is_no_answer_changes_nothing(host, open_round, text):
    assert host.post(check_url(open_round), typed(open_round, *CLOSE, won=text)).status_code == 200
    assert Round.objects.get().won == []


def test_an_answer_about_somebody_who_does_not_play_is_refused_in_words(host, open_round):
    text = Answer("back", 999_999, hand_of(open_round, "Ana").player_id, 1, ("flush", "flush")).as_text()
    assert "do not meet in this round any more" in checked(host, open_round, *CLOSE, won=text)


def test_questions_take_no_more_queries_than_the_page_without(host, open_round, django_assert_max_num_queries):
    checked(host, open_round, *CLOSE)
    with django_assert_max_num_queries(12):
        host.get(open_round.get_absolute_url())


# ---------------------------------------------------------------- at a seat


def test_hidden_hands_are_asked_about_only_after_the_reveal(host, open_round, rudi):
    for hand, text in zip(open_round.hands.all(), CLOSE, strict=True):
        rows = dict(zip(("front", "middle", "back"), (part.strip() for part in text.split("/")), strict=True))
        ledger.ready_hand(ledger.keep_hand(hand, rows, hand.version, at_seat=f"phone-{hand.pk}"), f"phone-{hand.pk}")
    page = host.post(score_url(open_round), {"editor": "a-phone"}).content.decode()
    assert "Reveal the hands to be asked for it." in page
    assert not asked(page)
    ledger.reveal_round(open_round, rudi)
    assert asked(host.get(open_round.get_absolute_url()).content.decode())


def test_a_hidden_hand_in_words_shows_how_far_it_is(host, open_round):
    ana: Hand = hand_of(open_round, "Ana")
    ledger.keep_hand(ana, {"back": "flush clubs", "front": "pair A"}, ana.version, at_seat="phone")
    page = host.get(open_round.get_absolute_url()).content.decode()
    assert "8/13" in page
    assert "flush clubs" not in page.replace('data-called="flush clubs"', "")


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("preset", PRESETS)
def test_every_key_tells_the_row_that_it_names(preset):
    ruleset = PRESETS[preset]
    for group in rows_to_tell(ruleset):
        for key in (group.head, *group.keys):
            for row in key.rows.split():
                told = parse_row(key.text, row, ruleset)
                assert isinstance(told, Told)
                assert wording.row_text(read_told(told, row, ruleset)) == key.name


@pytest.mark.parametrize(("preset", "keys"), [("capsa", "♠♥♣♦"), ("points", "AKQJ10987")], ids=["suit", "rank"])
def test_a_flush_is_told_by_what_decides_first(preset, keys):
    flush = next(group for group in rows_to_tell(PRESETS[preset]) if group.category == "flush")
    assert "".join(str(key.label) for key in flush.keys).replace("\ufe0e", "") == keys
