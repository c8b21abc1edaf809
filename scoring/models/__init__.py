"""The tables. Every row reaches its club in one foreign key, or carries it."""

from scoring.models.changes import Change
from scoring.models.clubs import Club, Host, Invitation, Player
from scoring.models.ledger import Entry, Line, OpenBalance
from scoring.models.links import ShareLink
from scoring.models.reviews import HandReview
from scoring.models.rounds import Hand, PairScore, Round
from scoring.models.sessions import PairStake, PlannedStake, Seat, Session
from scoring.models.tallies import PairTally, PlayedRuleset, Tally

__all__ = [
    "Change",
    "Club",
    "Entry",
    "Hand",
    "HandReview",
    "Host",
    "Invitation",
    "Line",
    "OpenBalance",
    "PairScore",
    "PairStake",
    "PairTally",
    "PlannedStake",
    "PlayedRuleset",
    "Player",
    "Round",
    "Seat",
    "Session",
    "ShareLink",
    "Tally",
]
