"""What pages read: the scoreboard of an evening, a club's history, and how its players did."""

from scoring.statistics.evenings import (
    RoundSummary,
    RunningTotals,
    Scoreboard,
    Standing,
    finished_rounds,
    next_number,
    running_totals,
    scoreboard,
)
from scoring.statistics.history import Best, best_of, find_sessions, sessions_of

__all__ = [
    "Best",
    "RoundSummary",
    "RunningTotals",
    "Scoreboard",
    "Standing",
    "best_of",
    "find_sessions",
    "finished_rounds",
    "next_number",
    "running_totals",
    "scoreboard",
    "sessions_of",
]
