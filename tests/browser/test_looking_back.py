"""What could have been, and what if, on a phone."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.reviews import review_round
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot


def test_from_a_round_to_what_could_have_been_and_the_luck_of_a_player(phone: Page, score, ana) -> None:
    rounds = [score() for _ in range(3)]
    review_round(rounds[0])
    phone.goto(reverse("round", args=[rounds[0].pk]))
    phone.get_by_text("What could have been").click()
    assert_accessible(phone)
    assert_no_sideways_scroll(phone)
    phone.get_by_role("link", name="See the better hands").click()
    phone.goto(reverse("round", args=[rounds[2].pk]))  # which nobody has reviewed yet
    phone.get_by_role("link", name="What could have been").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("What could have been")
    expect(phone.get_by_text("At best, against these hands")).to_have_count(4)
    assert_accessible(phone)
    assert_no_sideways_scroll(phone)
    phone.goto(reverse("player-luck", args=[ana.pk]))
    phone.get_by_text("The same as a table").click()
    assert_accessible(phone)
    assert_no_sideways_scroll(phone)
    screenshot(phone, "luck")


def test_rules_are_tried_on_past_evenings_before_they_are_saved(phone: Page, score, club) -> None:
    score()
    phone.goto(reverse("club-rules", args=[club.pk]))
    phone.get_by_label("A super multiplies the rows by").fill("2")
    phone.get_by_role("button", name="What if").click()
    expect(phone.get_by_text("1 place differs from the club’s rules")).to_be_visible()
    row = phone.get_by_role("row", name="Ana")
    expect(row).to_contain_text("+66")
    expect(row).to_contain_text("+48")  # two times three rows instead of four: 12 − 6 less from each of three
    assert_accessible(phone)
    assert_no_sideways_scroll(phone)
    phone.get_by_label("Evenings").select_option("25")
    phone.get_by_role("button", name="Compare").click()
    expect(phone.get_by_role("row", name="Ana")).to_contain_text("+48")
    club.refresh_from_db()
    assert club.ruleset.super_multiplier == 4
