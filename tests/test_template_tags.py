"""The template tags and the templates every page shares: what they write, and that names given by people stay text."""

import re

import django_tables2 as tables
import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from scoring import charts
from scoring.engine.cards import parse_cards

NAMES = {
    "one character": "Z",
    "sixty characters": "Maharani Kusumaningtyas " + "W" * 36,
    "emoji": "Eko 🃏👩‍👩‍👧",
    "right to left": "داوي",
    "HTML": "<script>alert(1)</script>",
    "attribute": '"><img src=x onerror=alert(1)>',
}
SHARP = {"HTML": "&lt;script&gt;alert(1)&lt;/script&gt;", "attribute": "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"}


def render(source: str, **values: object) -> str:
    return Template("{% load capsa %}" + source).render(Context(values))


# ---------------------------------------------------------------- cards


def test_a_card_is_seen_as_text_and_heard_by_its_name() -> None:
    (jack,) = parse_cards("Jh")
    html = render("{% card card %}", card=jack)
    assert html.startswith('<span class="c c-h"><span aria-hidden="true">J<i>♥\ufe0e</i></span>')
    assert html.endswith('<span class="vh">jack of hearts</span></span>')


@pytest.mark.parametrize(
    ("card", "suit", "shown", "name"),
    [
        ("Td", "c-d", "10<i>♦\ufe0e</i>", "ten of diamonds"),
        ("2c", "c-c", "2<i>♣\ufe0e</i>", "two of clubs"),
        ("As", "c-s", "A<i>♠\ufe0e</i>", "ace of spades"),
    ],
    ids=["ten", "two", "ace"],
)
def test_rank_sign_and_name_of_a_card(card: str, suit: str, shown: str, name: str) -> None:
    html = render("{% cards row %}", row=parse_cards(card))
    assert suit in html
    assert shown in html
    assert name in html


def test_the_cards_of_a_row_keep_their_order() -> None:
    html = render("{% cards row %}", row=parse_cards("9s 9h 9c 9d 2c"))
    assert re.findall(r">(\w+)<i>", html) == ["9", "9", "9", "9", "2"]


@pytest.mark.parametrize("row", [None, ()], ids=["no row", "empty row"])
def test_a_row_without_cards_is_nothing(row: tuple[int, ...] | None) -> None:
    assert render("{% cards row %}", row=row) == ""


# ---------------------------------------------------------------- amounts


@pytest.mark.parametrize(
    ("units", "html"),
    [
        (1_287_500, '<span class="m m-plus">+1.287.500</span>'),
        (-612_000, '<span class="m m-minus">−612.000</span>'),
        (0, '<span class="m m-zero">0</span>'),
    ],
    ids=["won", "lost", "even"],
)
def test_a_balance_shows_its_sign_first_and_then_its_colour(units: int, html: str) -> None:
    assert render("{% signed units 'IDR' %}", units=units) == html


def test_a_minus_is_a_minus_and_not_a_hyphen() -> None:
    html = render("{% signed -5 'IDR' %} {% money -5 'IDR' %} {% amount -5 'IDR' %} {% points -5 %} {{ -5|sign }}")
    assert html.count("\u2212") == 5
    assert "-5" not in html


def test_the_symbol_stands_only_where_it_is_asked_for() -> None:
    assert "Rp" not in render("{% signed 1000 'IDR' %}{% amount 1000 'IDR' %}")
    assert render("{% money 1000 'IDR' %}") == "Rp\u00a01.000"
    assert "+Rp\u00a01.000" in render("{% signed 1000 'IDR' symbol=True %}")


def test_an_amount_can_be_put_into_a_sentence() -> None:
    source = "{% money 494100 'IDR' as due %}{% blocktranslate %}{{ due }} left{% endblocktranslate %}"
    assert render(source) == "Rp\u00a0494.100 left"


@pytest.mark.parametrize(
    ("number", "text"),
    [(66, "+66 points"), (1, "+1 point"), (-1, "−1 point"), (-20, "−20 points"), (0, "0 points")],
    ids=str,
)
def test_points_in_words(number: int, text: str) -> None:
    assert render("{% points number %}", number=number) == text


@pytest.mark.parametrize(("number", "tone"), [(3, "m-plus"), (-3, "m-minus"), (0, "m-zero")], ids=str)
def test_tone_of_a_number(number: int, tone: str) -> None:
    assert render("{{ number|tone }}", number=number) == tone


# ---------------------------------------------------------------- drawings


def test_icons_and_mark_are_silent() -> None:
    assert 'aria-hidden="true"' in render("{% icon 'share' %}")
    assert 'aria-hidden="true"' in render("{% mark %}")


def test_the_mark_is_thirteen_cards() -> None:
    assert render("{% mark 'fan' %}").count("<rect") == 13


def test_the_way_back_says_where_it_leads_and_escapes_it() -> None:
    html = render("{% back '/clubs/1/' label %}", label=NAMES["attribute"])
    assert 'href="/clubs/1/"' in html
    assert f'aria-label="{SHARP["attribute"]}"' in html


def test_a_qr_code_has_a_name_and_nothing_the_security_policy_forbids() -> None:
    html = render("{% qr 'http://192.168.1.20:8000/board/x' label %}", label="To the <board>")
    assert 'role="img" aria-label="To the &lt;board&gt;"' in html
    assert "<path" in html
    assert "style" not in html


def test_a_chart_writes_its_lengths_with_a_point_in_every_language() -> None:
    chart = charts.draw_totals([charts.Series("Ana", [3, 7, -2]), charts.Series("<b>", [-3, -7, 2])], [1, 2, 3], str)
    with translation.override("id"):
        html = render_to_string("scoring/_chart.html", {"chart": chart, "label": "Running totals"})
    assert not re.search(r'="\d+,\d+"', html)
    assert "&lt;b&gt;</text>" in html
    assert html.count("<polyline") == 2


# ---------------------------------------------------------------- forms


class EveningForm(forms.Form):
    name = forms.CharField(help_text="As your <group> calls itself.")
    rules = forms.ChoiceField(
        choices=[("capsa", "Capsa"), ("points", "Points")], widget=forms.RadioSelect, help_text="For tonight."
    )
    fee = forms.BooleanField(required=False, label="Room fee")
    key = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> None:
        raise forms.ValidationError("Choose at least two players.")


def test_a_field_points_to_its_hint_and_its_error() -> None:
    html = str(EveningForm({"name": ""})["name"].as_field_group())
    assert '<label for="id_name">Name</label>' in html
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert re.search(r'id="id_name_helptext">As your &lt;group&gt; calls itself.<', html)
    assert re.search(r'id="id_name_error">\s*<p>This field is required.</p>', html)


def test_radio_buttons_are_a_group_of_labelled_choices() -> None:
    html = str(EveningForm({})["rules"].as_field_group())
    assert re.search(
        r'<fieldset class="field" aria-describedby="id_rules_helptext id_rules_error">\s*<legend>Rules</legend>', html
    )
    assert re.findall(r'<label class="choice" for="(\w+)"><input type="radio"', html) == ["id_rules_0", "id_rules_1"]


def test_the_label_of_a_check_box_stands_behind_it() -> None:
    html = str(EveningForm()["fee"].as_field_group())
    assert html.index("<input") < html.index('<label for="id_fee">')


def test_a_whole_form_tells_its_own_errors_first_and_keeps_hidden_fields() -> None:
    html = str(EveningForm({"name": "Kamis Malam", "rules": "capsa", "key": "k1"}))
    assert html.index('role="alert"><p>Choose at least two players.</p>') < html.index('name="name"')
    assert html.count('name="key" value="k1"') == 1


@pytest.mark.parametrize("kind", SHARP)
def test_what_was_typed_comes_back_as_text(kind: str) -> None:
    html = str(EveningForm({"name": NAMES[kind]}))
    assert f'value="{SHARP[kind]}"' in html
    assert NAMES[kind] not in html


# ---------------------------------------------------------------- shared parts


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_shown_as_they_are_and_never_as_markup(kind: str) -> None:
    html = render_to_string("scoring/_empty.html", {"title": NAMES[kind]})
    assert f"<b>{SHARP.get(kind, NAMES[kind])}</b>" in html


def test_the_undo_bar_is_a_form_with_token_and_key(rf: RequestFactory) -> None:
    bar = {"text": "Round 13 voided", "url": "/rounds/13/restore/", "button": "Restore", "key": "k1"}
    html = render_to_string("scoring/_undo_bar.html", bar, request=rf.get("/"))
    assert '<form method="post" action="/rounds/13/restore/">' in html
    assert "csrfmiddlewaretoken" in html
    assert 'name="key" value="k1"' in html


class PlayersTable(tables.Table):
    label = "Players"
    name = tables.Column()
    points = tables.Column(orderable=False)


def players_page(rf: RequestFactory, page: int, order: str = "") -> str:
    table = PlayersTable([{"name": NAMES["HTML"], "points": n} for n in range(6)], order_by=order)
    table.paginate(page=page, per_page=2)
    return str(table.as_html(rf.get("/", {"page": page})))


def test_a_table_has_a_named_region_headings_and_escaped_names(rf: RequestFactory) -> None:
    html = players_page(rf, 1, "-name")
    assert '<div class="scroll" role="region" tabindex="0" aria-label="Players">' in html
    assert re.findall(r'<th scope="(\w+)"', html) == ["col", "col", "row", "row"]
    assert 'aria-sort="descending"' in html
    assert SHARP["HTML"] in html
    assert NAMES["HTML"] not in html


@pytest.mark.parametrize(
    ("page", "links"),
    [(1, ["?page=2"]), (2, ["?page=1", "?page=3"]), (3, ["?page=2"])],
    ids=["first", "middle", "last"],
)
def test_the_pager_leads_to_both_neighbours(rf: RequestFactory, page: int, links: list[str]) -> None:
    html = players_page(rf, page)
    assert re.findall(r'<a class="icon-btn" rel="\w+" href="([^"]+)"', html) == links
    assert f"Page {page} of 3" in html
    assert 'href="#"' not in html


def test_one_page_needs_no_pager(rf: RequestFactory) -> None:
    table = PlayersTable([{"name": "Ana", "points": 1}])
    table.paginate(paginator_class=Paginator)
    assert "<nav" not in table.as_html(rf.get("/"))


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize("page", ["400", "403", "403_csrf", "404", "500"])
def test_an_error_page_stands_on_its_own(page: str) -> None:
    """Without a request, context processors or the table of hashed static files: any of those may be what is broken."""
    html = render_to_string(f"{page}.html")
    assert html.count("<h1>") == 1
    assert 'href="/static/css/app.css"' in html
    assert 'href="/"' in html
    assert not re.search(r"<script|<style|style=", html)
