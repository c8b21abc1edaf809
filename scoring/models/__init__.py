"""The tables. Every row reaches its club in one foreign key, or carries it."""

from scoring.models.clubs import Club, Host, Invitation, Player
from scoring.models.ledger import Entry, Line
from scoring.models.links import ShareLink
from scoring.models.rounds import Hand, PairScore, Round
from scoring.models.sessions import PairStake, Seat, Session

__all__ = [
    "Club",
    "Entry",
    "Hand",
    "Host",
    "Invitation",
    "Line",
    "PairScore",
    "PairStake",
    "Player",
    "Round",
    "Seat",
    "Session",
    "ShareLink",
]
