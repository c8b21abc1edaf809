"""The engine is a library of its own: it knows the standard library and nothing else."""

import subprocess
import sys
from pathlib import Path

import scoring.engine

ENGINE = Path(scoring.engine.__file__).parent
MODULES = sorted(f"scoring.engine.{file.stem}" for file in ENGINE.glob("*.py") if file.stem != "__init__")

LOADED = """
import importlib, sys
before = set(sys.modules)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


def test_a_fresh_python_loads_only_the_standard_library_and_scoring() -> None:
    command = [
        sys.executable,
        "-I",
        "-c",
        f"import sys; sys.path.insert(0, {str(ENGINE.parents[1])!r})\n{LOADED}",
        *MODULES,
    ]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    foreign = set(loaded) - set(sys.stdlib_module_names) - {"scoring"}
    assert "scoring" in loaded
    assert not foreign


def test_no_module_of_the_engine_opens_the_clock_the_network_or_a_process() -> None:
    forbidden = (
        "import time",
        "import datetime",
        "from datetime",
        "import random",
        "import socket",
        "import subprocess",
    )
    for file in ENGINE.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not [line for line in forbidden if line in text], file.name
