"""What every test may use.

The cast and their club: Rudi hosts Kamis Malam, where Ana, Budi, Citra and Dewi play.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.test import Client, TransactionTestCase

from scoring import ledger
from scoring.ledger.book import post
from scoring.models import Club, Entry, Hand, Host, Player, Round, Seat, Session
from tests.books import fill_book, open_told_round

# RULES 11, fourth example: Ana sweeps all three, super, +66 under `capsa`.
SUPER = (
    "AsAhKd / QsQhQd7c7d / 9s9h9d9c2c",
    "KsQcJs / 5s5h4s3s8c / TsTh6s6h2s",
    "KhJh8h / 3h3d4h6d8d / JdJc4d4c2h",
    "8s7h6c / TdTc7s3c2d / AdAc5d5cKc",
)

# Playwright keeps an event loop in the main thread, where Django would otherwise refuse to ask the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_configure() -> None:
    """Settings for tests only: nothing here has to be safe, and no static file has to be collected."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    TransactionTestCase._fixture_teardown = empty_tables  # type: ignore[attr-defined] # not in its public face


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The embedded database in a file of its own. In memory the threads of a live server would lock each other out.

    Nothing in it has to outlast the machine: its writers do not wait for the disk.
    """
    database = connections["default"]
    if database.vendor == "sqlite":
        database.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        database.settings_dict["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


def empty_tables(_test: TransactionTestCase) -> None:
    """What a test committed goes when it ends. Django's own way takes long: it truncates every table, which on
    PostgreSQL makes a new file of each, and then writes the rows about models and permissions anew."""
    kept = {"django_content_type", "auth_permission"}
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables:
            if table not in kept:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608 - names of our tables


@pytest.fixture
def clean_environment(tmp_path: Path) -> dict[str, str]:
    """Environment variables for a program of ours that is started afresh, with an empty data folder."""
    kept = {name: text for name, text in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return {**kept, "CAPSA_DATA_DIR": str(tmp_path / "data")}


# ---------------------------------------------------------------- the cast


@pytest.fixture
def rudi(db) -> User:
    return User.objects.create_user("rudi", password="kartu-remi-52")


@pytest.fixture
def siti(db) -> User:
    """A user who hosts nothing of Rudi's."""
    return User.objects.create_user("siti", password="kartu-remi-52")


@pytest.fixture
def host(rudi) -> Client:
    client = Client()
    client.force_login(rudi)
    return client


@pytest.fixture
def stranger(siti) -> Client:
    client = Client()
    client.force_login(siti)
    return client


@pytest.fixture
def club(rudi) -> Club:
    club = Club.objects.create(name="Kamis Malam", currency="IDR", stake=10_000)
    Host.objects.create(club=club, user=rudi, role=Host.Role.OWNER)
    return club


@pytest.fixture
def cast(club) -> list[Player]:
    return [Player.objects.create(club=club, name=name) for name in ("Ana", "Budi", "Citra", "Dewi")]


@pytest.fixture
def ana(cast) -> Player:
    return cast[0]


@pytest.fixture
def budi(cast) -> Player:
    return cast[1]


@pytest.fixture
def citra(cast) -> Player:
    return cast[2]


@pytest.fixture
def dewi(cast) -> Player:
    return cast[3]


@pytest.fixture
def session(club, cast, rudi) -> Session:
    session = Session.objects.create(
        club=club,
        date="2026-11-26",
        currency=club.currency,
        stake=club.stake,
        preset=club.preset,
        ruleset_fields=club.ruleset_fields,
        created_by=rudi,
    )
    Seat.objects.bulk_create(
        Seat(session=session, club=club, player=player, position=position) for position, player in enumerate(cast)
    )
    return session


@pytest.fixture
def evening_of(club, cast, rudi) -> Callable[..., Session]:
    """A closed evening of the club with winnings written by hand, in minor units: `evening_of("2026-11-12", {ana: 50,
    budi: -50})`; None is the house."""

    def evening_of(day: str, won: Mapping[Player | None, int], currency: str = "IDR") -> Session:
        session = Session.objects.create(
            club=club, date=day, currency=currency, stake=1, ruleset_fields=club.ruleset_fields, created_by=rudi
        )
        Seat.objects.bulk_create(
            Seat(session=session, club=club, player=player, position=place) for place, player in enumerate(cast)
        )
        post(session, Entry.Kind.ROUND, {player and player.pk: amount for player, amount in won.items()}, rudi)
        return ledger.close_session(session, rudi)

    return evening_of


@pytest.fixture
def lay() -> Callable[[Round, Sequence[str]], None]:
    """Type hands into an open round: `front / middle / back` a player, or a declaration such as `surrender`."""

    def lay(round_: Round, hands: Sequence[str]) -> None:
        for hand, text in zip(round_.hands.order_by("position"), hands, strict=True):
            ledger.keep_hand(hand, _typed(text), hand.version)

    return lay


@pytest.fixture
def score(session, cast, rudi, lay) -> Callable[..., Round]:
    """Open, fill and score a round of the session: by default the super of RULES 11."""

    def score(*hands: str, players: Sequence[Player] | None = None) -> Round:
        round_ = ledger.open_round(session, players or cast)
        lay(round_, hands or SUPER)
        return ledger.record_round(round_, rudi)

    return score


@pytest.fixture
def full_club(session, cast, rudi, siti, score, lay) -> Club:
    """Rudi's club after an evening that was carried over, and in the middle of one with everything that can be."""
    fill_book(session, cast, rudi, siti, score)
    open_told_round(session, cast, lay)
    return session.club


def _typed(text: str) -> dict[str, str]:
    if text in Hand.Declare.values:
        return {"declare": text}
    front, middle, back = text.split("/")
    return {"front": front.strip(), "middle": middle.strip(), "back": back.strip()}
