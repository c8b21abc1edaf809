"""Runs a program of torture from a test: in a process of its own, on an installation of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping

from django.conf import settings

PATIENCE = 300  # seconds


def torture(environment: Mapping[str, str], program: str, *arguments: str) -> str:
    """What the program tells. Raises AssertionError, with what it says of it, where the book did not stand it."""
    environment = {**environment, **{name: text for name, text in os.environ.items() if name == "DATABASE_URL"}}
    command = [sys.executable, "-m", "tests.torture", program, *arguments]
    ended = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
