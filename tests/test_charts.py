"""The chart of running totals: pure geometry, no database."""

from itertools import pairwise

import pytest

from scoring.charts import WIDTH, BarChart, Chart, Series, draw_bars, draw_totals

GAP = 14


def draw(names: dict[str, list[int]]) -> Chart:
    count = len(next(iter(names.values())))
    return draw_totals([Series(*item) for item in names.items()], list(range(1, count + 1)), str)


def places(line_points: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in line_points.split())]


def test_every_line_starts_at_nought_and_ends_at_its_total() -> None:
    chart = draw({"Ana": [100, 300], "Budi": [-100, -300]})
    for line in chart.lines:
        points = places(line.points)
        assert points[0] == (chart.left, chart.zero)
        assert points[-1] == (chart.right, line.end)
    ana, budi = chart.lines
    assert ana.end < chart.zero < budi.end


def test_one_round_and_nothing_won_is_a_flat_line_on_the_zero_line() -> None:
    chart = draw({"Ana": [0], "Budi": [0]})
    assert {y for line in chart.lines for _x, y in places(line.points)} == {chart.zero}
    assert chart.levels == ()
    assert [tick.label for tick in chart.rounds] == ["1"]


def test_levels_are_round_amounts_and_only_the_outermost_are_written() -> None:
    chart = draw({"Ana": [1_287_500], "Budi": [-994_100]})
    assert [tick.label for tick in chart.levels] == ["-500000", "", "1000000"]


@pytest.mark.parametrize("span", [1, 3, 7, 99, 12_345, 10**6, 3 * 10**9, 10**18], ids=str)
def test_there_are_few_levels_whatever_the_amounts(span: int) -> None:
    chart = draw({"Ana": [span], "Budi": [0]})
    assert 1 <= len(chart.levels) <= 8


def test_the_last_round_is_always_labelled() -> None:
    chart = draw({"Ana": list(range(13))})
    assert [tick.label for tick in chart.rounds] == ["1", "4", "7", "10", "13"]


def test_voided_numbers_are_skipped_along_the_axis() -> None:
    chart = draw_totals([Series("Ana", [5, 6])], [3, 9], str)
    assert [tick.label for tick in chart.rounds] == ["3", "9"]


def test_a_thousand_rounds_weigh_no_more_than_sixty() -> None:
    chart = draw({f"Player {place}": [place * number for number in range(1000)] for place in range(12)})
    assert all(len(line.points.split()) == 61 for line in chart.lines)
    assert all(places(line.points)[-1] == (chart.right, line.end) for line in chart.lines)


def test_names_of_players_who_are_level_do_not_collide() -> None:
    chart = draw({f"Player {place}": [100, 100] for place in range(12)})
    marks = sorted(line.label_at for line in chart.lines)
    assert all(after - before >= GAP for before, after in pairwise(marks))
    assert marks[0] > 0
    assert marks[-1] < chart.height
    assert any(line.is_moved for line in chart.lines)


def test_names_stay_in_the_order_of_their_lines() -> None:
    chart = draw({"Ana": [300], "Budi": [299], "Citra": [-300], "Dewi": [-299]})
    by_end = sorted(chart.lines, key=lambda line: line.end)
    assert [line.name for line in by_end] == ["Ana", "Budi", "Dewi", "Citra"]
    assert sorted(line.label_at for line in chart.lines) == [line.label_at for line in by_end]


def test_twelve_players_have_twelve_styles() -> None:
    chart = draw({f"Player {place}": [place] for place in range(12)})
    assert [line.style for line in chart.lines] == list(range(1, 13))


@pytest.mark.parametrize(
    "name",
    ["A" * 60, "👩‍👩‍👧‍👦" * 8, "<b>" * 20, "محمد عبد الرحمن بن عبد الله", "陈" * 30, "e\u0301" * 40],
    ids=["capitals", "family-emoji", "html", "arabic", "chinese", "combining"],
)
def test_a_long_name_is_cut_and_leaves_room_for_the_lines(name: str) -> None:
    chart = draw({name: [1], "Budi": [-1]})
    label = chart.lines[0].label
    assert len(label) < len(name)
    assert label.endswith("…")
    assert not label.removesuffix("…").endswith("\u200d")
    assert chart.right > WIDTH * 0.6


def test_long_names_that_begin_alike_stay_told_apart() -> None:
    chart = draw({"Muhammad Ainun Najib": [1], "Muhammad Ainun Rahman": [0], "Muhammad": [-1]})
    labels = [line.label for line in chart.lines]
    assert len(set(labels)) == 3
    assert labels[0].endswith("ajib")
    assert labels[2] == "Muhammad"


# ---------------------------------------------------------------- bars


def bars(*values: int) -> BarChart:
    return draw_bars(values, [f"E{place}" for place in range(1, len(values) + 1)], str)


def test_gains_stand_on_the_zero_line_and_losses_hang_from_it() -> None:
    gain, loss, even = bars(30, -10, 0).bars
    chart = bars(30, -10, 0)
    assert gain.is_gain
    assert gain.y + gain.height == pytest.approx(chart.zero, abs=0.1)
    assert not loss.is_gain
    assert loss.y == chart.zero
    assert gain.height == pytest.approx(3 * loss.height, abs=0.3)
    assert even.height == 0


def test_bars_stay_inside_the_drawing_and_off_the_scale() -> None:
    chart = bars(*range(-15, 15))
    assert all(chart.left <= bar.x and bar.x + chart.bar_width <= WIDTH for bar in chart.bars)
    assert all(bar.y >= 0 and bar.y + bar.height <= chart.height for bar in chart.bars)
    assert all(before.x + chart.bar_width < after.x for before, after in pairwise(chart.bars))


def test_few_bars_are_no_wider_than_eight() -> None:
    assert bars(5).bar_width == pytest.approx(bars(*[5] * 8).bar_width, abs=0.1)


def test_the_first_and_the_last_evening_are_named_and_three_between() -> None:
    assert [name.label for name in bars(*range(30)).names] == ["E1", "E8", "E15", "E23", "E30"]


def test_only_even_evenings_are_a_line() -> None:
    chart = bars(0, 0)
    assert chart.levels == ()
    assert {bar.height for bar in chart.bars} == {0}
