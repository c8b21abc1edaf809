"""Charts as geometry that the server draws as SVG: running totals as lines (scoring/_chart.html), results as bars
(scoring/_bars.html).

Nothing here knows a language or a currency: amounts are worded by the caller. Lengths are units of the drawing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.lettering import cut, cut_middle, text_width

WIDTH = 312
MOST_POINTS = 60  # of one line: an evening of a thousand rounds weighs no more than one of sixty
LINE_STYLES = 12  # how many dash patterns the stylesheet knows
_LEFT, _TOP, _FOOT = 4, 16, 26
_LEAST_PLOT_HEIGHT = 134
_NAME_GAP = 14  # from one name to the next
_NAME_WIDTH = 88  # the widest name; a longer one is cut
_FEWEST_BARS = 8  # fewer are no wider than these
_BESIDE_PLOT = 8  # between the end of a line and its name


@dataclass(frozen=True)
class Series:
    """One player's running totals: one after each round, in the order of the rounds."""

    name: str
    values: Sequence[int]


@dataclass(frozen=True)
class Tick:
    """A place on an axis and what is written there, if anything."""

    at: float
    label: str


@dataclass(frozen=True)
class ChartLine:
    """One player's line: its style (1 to LINE_STYLES), its points as SVG wants them, its end, where its name goes."""

    style: int
    name: str
    label: str
    points: str
    end: float
    label_at: float

    @property
    def is_moved(self) -> bool:
        """Whether the name stands so far from the end of its line that a stroke has to lead to it."""
        return abs(self.label_at - self.end) > _NAME_GAP / 2


@dataclass(frozen=True)
class Chart:
    """A drawing of WIDTH × height: horizontal lines at round amounts, the rounds below, a line for each player."""

    height: float
    right: float
    zero: float
    levels: tuple[Tick, ...]
    rounds: tuple[Tick, ...]
    lines: tuple[ChartLine, ...]

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def left(self) -> int:
        return _LEFT

    @property
    def names_left(self) -> float:
        """Where the names at the ends of the lines begin."""
        return self.right + _BESIDE_PLOT


def draw_totals(players: Sequence[Series], numbers: Sequence[int], word_amount: Callable[[int], str]) -> Chart:
    """The chart of running totals over rounds called `numbers`; every line starts at nought before the first.

    Every series holds one value for each of `numbers`, of which there is at least one. `word_amount` writes the
    amounts beside the scale. Of many rounds only some are drawn, the last one always among them.
    """
    labels = _labels([player.name for player in players])
    right = round(WIDTH - _BESIDE_PLOT - max(map(text_width, labels), default=0), 1)
    height = max(_LEAST_PLOT_HEIGHT, _NAME_GAP * (len(players) - 1))
    low, high = _range(players)
    across = _Scale(0, len(numbers), _LEFT, right)
    upwards = _Scale(low, high, _TOP + height, _TOP)
    ends = [upwards(player.values[-1]) for player in players]
    names_at = _spread(ends, _TOP, _TOP + height)
    kept = [0, *(place + 1 for place in _evenly(len(numbers), MOST_POINTS))]
    return Chart(
        height=_TOP + height + _FOOT,
        right=right,
        zero=upwards(0),
        levels=_levels(low, high, upwards, word_amount),
        rounds=tuple(Tick(across(place + 1), str(numbers[place])) for place in _evenly(len(numbers), 5)),
        lines=tuple(
            ChartLine(
                style=index % LINE_STYLES + 1,
                name=player.name,
                label=labels[index],
                points=_points([0, *player.values], kept, across, upwards),
                end=ends[index],
                label_at=names_at[index],
            )
            for index, player in enumerate(players)
        ),
    )


@dataclass(frozen=True)
class Bar:
    """One result: a box that stands on the zero line or hangs from it."""

    x: float
    y: float
    height: float
    is_gain: bool


@dataclass(frozen=True)
class BarChart:
    """A drawing of WIDTH × height: a bar of one width for each result, some of them named below; the scale stands to
    the left of `left`."""

    height: float
    bar_width: float
    zero: float
    left: float
    levels: tuple[Tick, ...]
    names: tuple[Tick, ...]
    bars: tuple[Bar, ...]

    @property
    def width(self) -> int:
        return WIDTH


def draw_bars(values: Sequence[int], names: Sequence[str], word_amount: Callable[[int], str]) -> BarChart:
    """The chart of single results, each with a name, of which at most five are written; there is at least one."""
    low, high = min(0, *values), max(0, *values)
    upwards = _Scale(low, high, _TOP + _LEAST_PLOT_HEIGHT, _TOP)
    levels = _levels(low, high, upwards, word_amount)
    left = round(max((text_width(level.label) for level in levels), default=0) + _BESIDE_PLOT, 1)
    room = (WIDTH - left) / max(len(values), _FEWEST_BARS)
    zero = upwards(0)
    return BarChart(
        height=_TOP + _LEAST_PLOT_HEIGHT + _FOOT,
        bar_width=round(room * 0.7, 1),
        zero=zero,
        left=left,
        levels=levels,
        names=tuple(Tick(round(left + room * (at + 0.5), 1), names[at]) for at in _evenly(len(values), 5)),
        bars=tuple(
            Bar(
                x=round(left + room * (place + 0.15), 1),
                y=min(zero, upwards(value)),
                height=round(abs(upwards(value) - zero), 1),
                is_gain=value > 0,
            )
            for place, value in enumerate(values)
        ),
    )


@dataclass(frozen=True)
class _Scale:
    """A straight mapping of values onto lengths. Figures are rounded: a tenth of a unit cannot be seen."""

    low: int
    high: int
    start: float
    stop: float

    def __call__(self, value: int) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.stop - self.start), 1)


def _range(players: Sequence[Series]) -> tuple[int, int]:
    values = [0, *(value for player in players for value in player.values)]
    return min(values), max(values)


def _evenly(count: int, most: int) -> list[int]:
    """At most `most` of the places 0 … count − 1, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return [round(step * (count - 1) / (most - 1)) for step in range(most)]


def _points(values: Sequence[int], kept: Sequence[int], across: _Scale, upwards: _Scale) -> str:
    return " ".join(f"{across(place):g},{upwards(values[place]):g}" for place in kept)


def _levels(low: int, high: int, upwards: _Scale, word_amount: Callable[[int], str]) -> tuple[Tick, ...]:
    """Lines at round amounts; the highest and the lowest are written out, the zero line apart."""
    step = _round_step(high - low)
    amounts = [level * step for level in range(-(-low // step), high // step + 1) if level]
    named = {max(amounts, default=0), min(amounts, default=0)}
    return tuple(Tick(upwards(amount), word_amount(amount) if amount in named else "") for amount in amounts)


def _round_step(span: int) -> int:
    """1, 2 or 5 times a power of ten, so that three to seven steps make `span`."""
    if span < 4:
        return 1
    power = int(10 ** int(math.log10(span / 4)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power * 8 > span)


def _spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places as near to `wanted` as may be, a _NAME_GAP apart, between `top` and `bottom`."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places: list[float] = []
    for index in order:
        places.append(max(wanted[index], places[-1] + _NAME_GAP if places else top))
    limit = bottom
    for rank in reversed(range(len(places))):
        places[rank] = round(min(places[rank], limit), 1)
        limit = places[rank] - _NAME_GAP
    return [place for _index, place in sorted(zip(order, places, strict=True))]


def _labels(names: Sequence[str]) -> list[str]:
    """Names short enough to stand at a line; where two would read the same their ends are kept as well."""
    short = [cut(name, _NAME_WIDTH) for name in names]
    return [
        cut_middle(name, _NAME_WIDTH) if label != name and short.count(label) > 1 else label
        for name, label in zip(names, short, strict=True)
    ]
