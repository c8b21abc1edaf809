"""Reading the book at one moment while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment. No writer waits for it, and nothing may be written."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.in_atomic_block:  # of one moment already
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _without_the_lock_of_writers(connection), transaction.atomic():
            yield


@contextmanager
def _without_the_lock_of_writers(connection: Any) -> Iterator[None]:
    """The embedded database takes that lock when a transaction begins (see the settings): a reader needs none."""
    mode = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = mode
