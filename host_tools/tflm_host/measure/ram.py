"""Cycles of prepared models in flash that waits, and copied into RAM, on three chips.

    python -m tflm_host.measure.ram

Writes bench/ram.csv. `small` files pack no filters. Where file and arena exceed the free heap of a
board with that chip there is no row. Runs begin with empty caches: see waits.py.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from ..prepare import prepare
from ..report.terminal import Grid, number, progress
from ..targets.boards import board_facts
from ..targets.build import build
from ..targets.isa import core_of
from . import ledger
from .bench import measure
from .bench_table import FOLDER, models
from .waits import BOARDS, CHIPS

RAM = FOLDER / "ram.csv"
KEYS = "chip", "model", "form"
NAMES = "ad01_int8", "kws_ref_model", "person_detect", "pretrainedResnet_quant", "vww_96_int8"
SOLD = {"RP2040": "RPI_PICO", "RP2350": "RPI_PICO2", "STM32F4": "NETDUINOPLUS2"}


def row_of(job):
    """Measure (chip, path, whether no filter is packed); return its columns, None for no row."""
    name, path, small = job
    chip = CHIPS[name]
    isa = core_of(chip.board).isa
    model = prepare(path.read_bytes(), isa, small=small, flash_cache=chip.flash_cache)
    flash = measure(chip.board, path.name, model, is_cold=True)
    (facts,) = board_facts([SOLD[name]])
    if len(model) + flash.arena + flash.heap > facts["free_heap"]:
        return None
    ram = measure(chip.board, path.name, model, is_cold=True, in_ram=True)
    waiting = chip.figures[1]
    costs = [getattr(cost, waiting) for cost in (flash, ram)]
    return {"file": len(model), "arena": flash.arena, "flash": costs[0], "ram": costs[1]}


def is_form(chip, _, small):
    """Tell whether files of that chip have such a form: other kernels than "dsp" pack none."""
    return not small or core_of(CHIPS[chip].board).isa == "dsp"


def saved():
    """Return {(chip, model, form): columns} of the file."""
    return ledger.parse(RAM.read_text(), KEYS)


def main():
    for board in BOARDS:
        build(board)
    work = [job for job in product(CHIPS, models(NAMES), (False, True)) if is_form(*job)]
    rows = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool, progress("models", len(work)) as advance:
        for (chip, path, small), row in zip(work, pool.map(row_of, work), strict=True):
            if row:
                rows[chip, path.stem, "small" if small else "prepared"] = row
            advance()
    grid = Grid("", *KEYS, ">bytes", ">arena", ">in flash", ">in RAM")
    for key, row in sorted(rows.items()):
        grid.add_row(*key, *(number(value) for value in row.values()))
    grid.show()
    ledger.update(RAM, KEYS, rows)


if __name__ == "__main__":
    main()
