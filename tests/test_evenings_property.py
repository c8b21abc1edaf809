"""Random evenings against a simple model of the book: a few of those of `python -m tests.torture evenings`."""

import pytest

from tests.torture.evenings import play_evenings


@pytest.mark.django_db
def test_balances_agree_with_the_model_after_every_step() -> None:
    play_evenings(10, 40, in_short=True)
