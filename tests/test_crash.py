"""The server is killed while phones write: the short form of `python -m tests.torture crash`."""

from tests.torture.short import torture


def test_what_phones_are_told_outlives_a_killed_server(clean_environment: dict[str, str]) -> None:
    told = torture(clean_environment, "crash", "--kills=2", "--phones=2", "--writes=12")
    assert "2 times killed" in told
    assert "there once, none half" in told
