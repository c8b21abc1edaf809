"""Many processes write into one evening at once: the short form of `python -m tests.torture concurrency`."""

from tests.torture.short import torture


def test_what_four_processes_are_told_is_in_the_book_once(clean_environment: dict[str, str]) -> None:
    told = torture(clean_environment, "concurrency", "--writers=4", "--rounds=8")
    assert "4 processes" in told
    assert "none lost, none twice, none locked out" in told
