"""Runs a command beside a PostgreSQL server of its own: `python -m tests.postgres pytest …`.

The server lies in a folder that goes away with it, listens on a socket in there and on nothing else, and gives the
command its address as DATABASE_URL. Where its programs are missing they are installed, if that is allowed.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

APT = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "postgresql"]
# The book is thrown away after the tests: nothing has to reach the disk, nobody copies what is written.
QUICK = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=4GB",
    "shared_buffers=256MB",
    "jit=off",
    "listen_addresses=''",
    "max_connections=100",
)


def find_programs() -> Path | None:
    """The folder with initdb and pg_ctl of the newest PostgreSQL there is."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).parent] if on_path else []
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return next((folder for folder in [*folders, *reversed(versions)] if (folder / "initdb").exists()), None)


def install_programs() -> None:
    """By the system's packages, where that is allowed. May fail: ask `find_programs` afterwards."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "--quiet"], check=False, env=environment)
        subprocess.run(APT, check=False, env=environment)


@contextmanager
def server(programs: Path) -> Iterator[str]:
    """A running server; gives the URL of a database in it."""
    with tempfile.TemporaryDirectory(prefix="capsa-postgres-") as name:
        folder = Path(name)
        data, log = folder / "data", folder / "log"
        run = partial(subprocess.run, check=True, stdout=subprocess.DEVNULL, **_as_owner(folder))
        run([programs / "initdb", "--username=capsa", "--auth=trust", "--encoding=UTF8", "-D", data])
        options = " ".join([f"-c unix_socket_directories={folder}", *(f"-c {option}" for option in QUICK)])
        run([programs / "pg_ctl", "start", "--wait", "-D", data, "-l", log, "-o", options])
        try:
            yield f"postgres://capsa@/postgres?host={quote(name, safe='')}"
        finally:
            run([programs / "pg_ctl", "stop", "--mode=immediate", "-D", data])


def _as_owner(folder: Path) -> dict[str, Any]:
    """How to start the server's programs: they refuse to run as root, so root hands them to the package's own user."""
    if os.geteuid() != 0:
        return {}
    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": [], "cwd": folder}


def main(command: Sequence[str]) -> int:
    if not find_programs():
        sys.stderr.write("No PostgreSQL found; installing one for the tests.\n")
        install_programs()
    programs = find_programs()
    if not programs:
        sys.exit("These tests need PostgreSQL: sudo apt install postgresql")
    with server(programs) as url:
        return subprocess.run(command, check=False, env={**os.environ, "DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
