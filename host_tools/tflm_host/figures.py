"""The figures that the documents quote: arena, heap and instructions of models on one board.

    python -m tflm_host.figures [BOARD]

Models: those of models/, and those of others beside the clone when they are there.
"""

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

import tflm
from tflm_host.targets import open_target

ROOT = Path(__file__).resolve().parent.parent.parent
ZOO = Path(os.environ.get("TFLM_MODEL_ZOO", ROOT.parent / "shared" / "models"))
COLUMNS = ("model", "file", "arena on host", "arena on board", "heap", "load", "invoke")

HEAP = """
gc.collect()
before = gc.mem_alloc()
interp = tflm.Interpreter({path!r})
gc.collect()
print(interp.arena_used_bytes(), gc.mem_alloc() - before - len(interp.arena.buf))
"""


def models():
    """Return the paths of all models that this build can run."""
    found = sorted((ROOT / "models").glob("*.tflite")) + sorted(ZOO.glob("*.tflite"))
    return [path for path in found if _runs(path)]


def _runs(path):
    try:
        tflm.Model(str(path)).arena_required()
    except tflm.UnsupportedOpError:
        return False
    return True


def measure(board, path):
    """Return one row: bytes and instructions of the model at *path* on *board*.

    Load is parse, verify, prepare and plan; modules are imported before. Invoke is the second.
    """
    with open_target(board, models=[path], icount=True) as target:
        place = target.path(path)
        target.exec(f"import gc, tflm\ntflm.Interpreter({place!r}).invoke()\ngc.collect()")
        used, heap = map(int, target.exec(HEAP.format(path=place)).split())
        target.exec("del interp")
        load = target.count_instructions("", f"tflm.Interpreter({place!r})")
        setup = f"invoke = tflm.Interpreter({place!r}).invoke\ninvoke()"
        invoke = target.count_instructions(setup, "invoke()")
    host = tflm.Model(str(path)).arena_required()
    return path.stem, path.stat().st_size, host, used, heap, load, invoke


def main(board="MPS2_AN386"):
    console = Console(width=110)
    rows = [measure(board, path) for path in track(models(), board, console=console)]
    table = Table(*COLUMNS, title=f"{board}: bytes, and instructions of load and one invoke")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(row[0], *(f"{value:,}" for value in row[1:]))
    console.print(table)
    return 0 if all(row[2] == row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
