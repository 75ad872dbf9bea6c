"""A model of one layer needs no more arena than TFLM takes for it, whose objects are few there."""

import csv
import os
import subprocess
import sys

import pytest

from tflm import Interpreter

# Loads models in arenas of a size each, and prints which it refuses: TFLM may end its process.
ASK = """
import os, sys
from tflite_micro.python.tflite_micro import runtime
for line in sys.stdin:
    size, path = line.rstrip("\\n").split(" ", 1)
    child = os.fork()
    if child == 0:
        with open(path, "rb") as file:
            model = file.read()
        try:
            runtime.Interpreter.from_bytes(model, arena_size=int(size))
        except BaseException:
            os._exit(1)
        os._exit(0)
    print(int(os.waitpid(child, 0)[1] != 0), flush=True)
"""


def refused(asked):
    """Return for each (bytes of arena, path) whether TFLM, on this machine, refuses it."""
    lines = "".join(f"{size} {path}\n" for size, path in asked)
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input=lines,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line == "1" for line in done.stdout.split()]


@pytest.mark.usefixtures("oracle")
def test_layers_of_others_need_no_more_arena_than_tflm(shared):
    zoo = shared / "zoo"
    if not zoo.is_dir():
        pytest.skip("no folder zoo in shared: models of one layer are not tested")
    with (zoo / "zoo.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["whole"] == "0" and row["tflm"] == "ok"]
    paths = [zoo / "models" / row["file"] for row in rows]
    needs = [Interpreter(path.read_bytes()).arena_used_bytes() for path in paths]
    spared = refused([(need - 1, path) for need, path in zip(needs, paths, strict=True)])
    dearer = {path.name for path, is_spared in zip(paths, spared, strict=True) if not is_spared}
    assert len(paths) > 30  # there are that many
    assert dearer == set()
