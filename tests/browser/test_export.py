"""A club taken along as a file on a phone, and brought in by somebody else."""

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import Club
from tests.browser.checks import assert_accessible, assert_no_sideways_scroll, screenshot


def check(page, name):
    assert_no_sideways_scroll(page)
    page.mouse.move(0, 0)  # a button under the pointer has other colours
    assert_accessible(page)
    screenshot(page, name)


def test_a_club_goes_from_one_host_to_another(open_page, rudi, club, score, tmp_path):
    score()
    page = open_page(reverse("club-settings", args=[club.pk]), rudi)
    page.get_by_role("link", name="Export").click()
    check(page, "club-export")
    with page.expect_download() as table:
        page.get_by_role("link", name="Hands").click()
    assert table.value.suggested_filename.endswith("-hands.csv")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)

    newcomer = User.objects.create_user("rudi-elsewhere")
    page = open_page(reverse("home"), newcomer)
    page.get_by_role("link", name="Import a club from a file").click()
    broken = tmp_path / "broken.json"
    broken.write_text(file.read_text().replace('"points": 66', '"points": 67'))
    page.get_by_label("File").set_input_files(broken)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Nothing was imported. sessions[0].rounds[0]:")).to_be_visible()
    check(page, "club-import-refused")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Kamis Malam is here with 1 round.")).to_be_visible()
    assert Club.objects.get(users=newcomer).entries.count() == 1
