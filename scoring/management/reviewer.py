"""What could have been, worked out beside the site: a process of low priority that ends with its server."""

import subprocess
import sys
from contextlib import suppress

from django.conf import settings

PATIENCE = 5  # seconds


class Reviewer:
    """`review_rounds --watch` in a process of its own. It ends by `stop`, or by itself when its server is gone: what
    it reads from comes to an end then."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # A session of its own: Ctrl-C is for the server, which stops it in turn.
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, settings.BASE_DIR / "manage.py", "review_rounds", "--watch"],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def stop(self) -> None:
        """End it, at once and whatever it does: what it has not written yet comes the next time."""
        if self._process:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.communicate(timeout=PATIENCE)
