"""Finds the browser for the tests, and installs one where there is none: `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
APT = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "chromium"]


def find_chromium() -> str | None:
    """The path of a Chromium that starts: CAPSA_CHROMIUM, one on PATH, the Mac's, or Playwright's own."""
    if chosen := os.environ.get("CAPSA_CHROMIUM"):
        return chosen
    return next((path for path in _candidates() if _starts(path)), None)


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, (*NAMES, MAC)))
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    yield from map(str, sorted(Path(home).glob("chromium-*/chrome-*/chrome"), reverse=True))


def _starts(path: str) -> bool:
    """Some names on PATH only tell how to install the browser."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, check=False, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install_chromium() -> None:
    """By the system's packages where that is allowed, else by Playwright. May fail: ask `find_chromium` afterwards."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "--quiet"], check=False, env=environment)
        subprocess.run(APT, check=False, env=environment)
    if not find_chromium():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> None:
    if not find_chromium():
        sys.stderr.write("No Chromium found; installing one for the tests in a browser.\n")
        install_chromium()
    if not find_chromium():
        sys.exit("The tests need Chromium: sudo apt install chromium, or CAPSA_CHROMIUM=path.")


if __name__ == "__main__":
    main()
