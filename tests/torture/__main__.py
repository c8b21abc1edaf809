"""`python -m tests.torture PROGRAM …`: runs one on a fresh installation and prints its figures."""

import sys
from importlib import import_module

from tests.torture.installation import installation

PROGRAMS = ("concurrency", "crash", "evenings", "growth")


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(f"Which one? {', '.join(PROGRAMS)}")
    with installation():
        # Only now that Django knows its database.
        program = import_module(f"tests.torture.{sys.argv[1]}")
        sys.stdout.write(program.main(sys.argv[2:]) + "\n")


if __name__ == "__main__":
    main()
