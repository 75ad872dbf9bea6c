"""What a model costs on a target: load, one invoke and each node of it, arena and heap.

An emulated board counts instructions, the emulated Pico cycles of its core: two runs give the
same numbers. Everything else takes the time. What is measured is what a user runs: Interpreter()
with its modules imported before, and invoke() the first time after it, on random inputs of a
fixed seed.
"""

from dataclasses import dataclass, field

import numpy as np

from tflm.model import Model

from ..model.tensor_io import random_tensor
from ..targets import rp2040
from ..targets.boards import RP2_EMULATORS, all_board_names, load_board
from ..targets.device import script
from ..targets.open_target import COUNTER, EmulatedTarget, PicoTarget, TargetError, open_target
from ..targets.repl import ExecError
from ..targets.run import HOST, INPUTS, Job, run_jobs

SECONDS = 3600
SEED = 0

# Defines _count() where there is but a clock.
CLOCK = """
import gc, time
def _count(function):
    gc.collect()
    start = time.ticks_us()
    function()
    return time.ticks_diff(time.ticks_us(), start)
"""


@dataclass
class Cost:
    """What one model costs on one target; counts are in *unit*."""

    backend: str
    unit: str  # "instructions", "cycles" or "microseconds"
    arena: int
    heap: int | None  # Python heap besides arena and model; None on the host
    load: int | None
    invoke: int
    nodes: list = field(default_factory=list)  # (operator, count) each
    in_flash: bool | None = None  # whether the model was used in place; None on the host


def measure(target, name, model, backend=None, consent=None):
    """Return the Cost of *model* (bytes, called *name*) on *target* (a name).

    consent  as of open_target()
    """
    graph = Model(model).subgraphs[0]
    rng = np.random.default_rng(SEED)
    inputs = [random_tensor(graph.tensor(i), rng) for i in graph.inputs]
    if target == HOST:
        return _measure_here(name, model, inputs, backend)
    files = [(name, model), (name + INPUTS, b"".join(inputs))]
    options = {"icount": counts_instructions(target), "viper": backend == "viper"}
    options["consent"] = consent
    with open_target(target, models=files, **options) as device:
        unit, counter, scale = counter_of(device)
        device.exec(counter + script("bench_device"))
        paths = f"{device.source(name)}, {device.source(name + INPUTS)}"
        call = f"bench({paths}, {backend!r}, _count)"
        try:
            printed = device.exec(call, SECONDS).splitlines()
        except ExecError as error:
            raise TargetError(f"{name} on {target}: {error.traceback.splitlines()[-1]}") from None
    (backend, arena, heap, in_flash), load, invoke, nodes = (line.split() for line in printed)
    counts = [scale(int(count)) for count in (*load, *invoke, *nodes)]
    operators = [graph.operator(i).name for i in range(graph.operator_count)]
    rows = list(zip(operators, counts[2:], strict=True))
    figures = int(arena), int(heap), counts[0], counts[1]
    return Cost(backend, unit, *figures, rows, in_flash == "1")


def counts_instructions(target):
    """Tell whether *target* is a board that QEMU emulates."""
    if target not in all_board_names() or target in RP2_EMULATORS:
        return False
    return load_board(target).machine is not None


def counter_of(device):
    """Return the unit, the definition of _count() and what turns its counts into the unit."""
    if isinstance(device, PicoTarget):
        return "cycles", rp2040.COUNTER, int
    if isinstance(device, EmulatedTarget):
        return "instructions", COUNTER, device.instructions
    return "microseconds", CLOCK, int


def _measure_here(name, model, inputs, backend):
    result = run_jobs(HOST, [Job(name, model, [inputs] * 2, backend, profile=True)])[0]
    nodes = [(op, microseconds) for _, op, microseconds, _ in result.profile]
    return Cost(
        result.backend,
        "microseconds",
        result.arena_used_bytes,
        None,
        None,
        result.microseconds[-1],
        nodes,
    )
