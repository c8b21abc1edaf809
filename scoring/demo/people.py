"""Who plays in the made-up club, where, and how well."""

from typing import NamedTuple


class Person(NamedTuple):
    """A player: how well he lays his cards (0 to 1) and how often he comes (0 to 1)."""

    name: str
    skill: float
    comes: float


PEOPLE = (
    Person("Ana", 0.95, 0.85),
    Person("Budi", 0.70, 0.90),
    Person("Citra", 0.85, 0.70),
    Person("Dewi", 0.60, 0.80),
    Person("Eko", 0.35, 0.65),
    Person("Fitri", 0.75, 0.45),
    Person("Gita", 0.50, 0.40),
    Person("Hadi", 0.20, 0.50),
    Person("Indra", 0.90, 0.25),
    Person("Joko", 0.05, 0.35),
    Person("Kartika", 0.65, 0.20),
    Person("Lestari", 0.40, 0.15),
)

PLACES = ("Rumah Ana", "Rumah Ana", "Teras Budi", "Warung Pak Joko", "Rumah Citra", "")

NOTES = (
    "Dewi brought martabak.",
    "Power cut after the third round: played on by candle light.",
    "Citra’s birthday.",
    "Hadi’s cousin watched and learned.",
    "New deck of cards.",
    "Rain: everybody came late.",
)

VOID_REASONS = ("A card lay on the floor.", "Misdeal.", "Two decks got mixed.")
