"""Medians of several contestants, measured in turn so that a slow moment of the machine meets all of them.

What is measured is the time of this process alone: waiting for a core that something else keeps busy does not count.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any

Contestant = Callable[[], Any]


def medians(contestants: Mapping[str, Contestant], turns: int) -> dict[str, float]:
    """The median processor time of one call of each contestant in seconds, over so many turns."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for contestant in contestants.values():
        contestant()
    gc.collect()
    gc.disable()
    try:
        for _ in range(turns):
            for name, contestant in contestants.items():
                start = process_time()
                contestant()
                times[name].append(process_time() - start)
    finally:
        gc.enable()
    return {name: median(durations) for name, durations in times.items()}


def over(work: Callable[[Any], Any], items: Sequence[Any]) -> Contestant:
    """One call that does the work on every item."""

    def run() -> None:
        for item in items:
            work(item)

    return run
