"""The cost of a model on a target: load, one invoke and each node of it, arena and heap.

An emulated board counts instructions, the emulated Pico cycles of its core: two runs give the same
numbers. A board with a core of cycles.py has modelled cycles of an invoke, too, and counts the
bytes of the model that it reads. Other targets take the time, the median of ROUNDS. The measured
code is the user's: Interpreter() with its modules imported before, then the first invoke(), on
random inputs of a fixed seed.
"""

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from time import perf_counter_ns

import numpy as np

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.flash_cache import ART_WAIT, MISSES
from ..model.tensor_io import random_tensor
from ..targets import rp2040
from ..targets.answers import refuse
from ..targets.boards import RP2_EMULATORS, UNICORN, all_board_names, load_board
from ..targets.build import build
from ..targets.device import bench_device, script
from ..targets.open_target import (
    COUNTER,
    EmulatedTarget,
    PicoTarget,
    Stm32Target,
    TargetError,
    open_target,
)
from ..targets.repl import ExecError
from ..targets.run import HOST, INPUTS, Job, run_jobs
from .blocks import F4_CORE, Blocks
from .cycles import CORES, modelled

SECONDS = 3600
SEED = 0
ROUNDS = 9  # where there is but a clock

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
    """The cost of one model on one target; counts are in *unit*."""

    backend: str
    unit: str  # "instructions", "cycles" or "microseconds"
    arena: int
    heap: int | None  # Python heap besides arena and model; None on the host
    load: int | None
    invoke: int  # of a stream the mean of the runs of a period
    nodes: list = field(default_factory=list)  # (operator, count) each
    in_flash: bool | None = None  # whether the model was used in place; None on the host
    # Of an invoke; None where the core has no model:
    cycles: int | None = None
    model_bytes: int | None = None  # that were read of the model
    missed: int | None = None  # lines that the flash cache of an RP2040 or RP2350 missed
    waiting: int | None = None  # cycles with these misses
    missed_code: int | None = None  # how many of these lines are code
    # Of an M4 alone:
    f4_missed: int | None = None  # lines that an STM32F4's caches missed, except prefetched ones
    f4_waiting: int | None = None  # cycles on an STM32F4 at 168 MHz

    @property
    def other(self):
        """The cost of an invoke besides its nodes: Python's part of the call, and the runner's."""
        return max(self.invoke - sum(count for _, count in self.nodes), 0)

    def percent(self, count):
        """Return *count* in percent of all nodes and the rest of the run."""
        total = self.other + sum(count for _, count in self.nodes)
        return 100 * count / total if total else 0.0


def measure(target, name, model, backend=None, consent=None, *, is_cold=False, in_ram=False):
    """Return the Cost of *model* (bytes, called *name*) on *target* (a name).

    model  is trusted where it is prepared
    consent  as of open_target()
    is_cold  whether caches before flash are empty when a run begins, not as loading leaves them
    in_ram  whether a board copies the model into its heap, and uses it there
    """
    graph = Model(model, prepared=True).subgraphs[0]
    rng = np.random.default_rng(SEED)
    inputs = [random_tensor(graph.tensor(i), rng) for i in graph.inputs]
    if target == HOST:
        return _measure_here(name, model, inputs, backend)
    files = [(name, model), (name + INPUTS, b"".join(inputs))]
    with _blocks(target, is_cold) as blocks:
        options = {"icount": counts_instructions(target), "viper": backend == "viper"}
        options |= {"consent": consent, "options": blocks.options}
        unit, scale, printed = _run(target, files, options, backend, in_ram)
        parts = blocks.parts()
    try:
        cost, runs = _cost(graph, unit, scale, printed)
    except (ValueError, IndexError, ZeroDivisionError):
        refuse(target, printed)
    if parts:
        _add_cycles(cost, parts, runs, load_board(target))
    return cost


def _cost(graph, unit, scale, printed):
    """Return the Cost that *printed* tells of, and the runs; an error where it is none."""
    (backend, arena, heap, in_flash), load, invoke, nodes = (line.split() for line in printed)
    runs = len(invoke)
    counts = [scale(int(count)) for count in (*load, *nodes)]
    operators = [graph.operator(i).name for i in range(graph.operator_count)]
    rows = list(zip(operators, counts[1:], strict=True))
    mean = scale(sum(map(int, invoke))) // runs
    if backend not in ("c", "viper"):
        raise ValueError(backend)
    figures = int(arena), int(heap), counts[0], mean
    return Cost(backend, unit, *figures, rows, in_flash == "1"), runs


def _run(target, files, options, backend, in_ram):
    """Return the unit of counts, its conversion, and the output of bench_device.py."""
    (model, _), (inputs, _) = files
    with open_target(target, models=files, **options) as device:
        unit, counter, scale = counter_of(device)
        device.exec(counter + script("bench_device"))
        rounds = 1 if counter != CLOCK else ROUNDS
        paths = f"{device.source(model)}, {device.source(inputs)}"
        call = f"bench({paths}, {backend!r}, _count, {rounds}, {in_ram})"
        try:
            return unit, scale, device.exec(call, SECONDS).splitlines()
        except ExecError as error:
            raise TargetError(f"{model} on {target}: {error.traceback.splitlines()[-1]}") from None


class NoBlocks:
    """Of a target whose core has no model."""

    options = ()

    def parts(self):
        return ()


@contextmanager
def _blocks(target, is_cold):
    """Yield what counts the blocks that *target* runs."""
    if counts_instructions(target) and load_board(target).cpu in CORES:
        build(target)
        with tempfile.TemporaryDirectory() as folder:
            yield Blocks(load_board(target), Path(folder), is_cold)
    else:
        yield NoBlocks()


def _add_cycles(cost, parts, runs, board):
    """Set the figures of an invoke: bench_device.py counts nothing, a load, *runs* invokes first.

    The clock is read before and after each: every second part lies between two of them.
    """
    core = CORES[board.cpu]
    nothing, invokes = parts[1], parts[5 : 5 + 2 * runs : 2]
    cycles = sum(modelled(core, part) - modelled(core, nothing) for part in invokes)
    cost.cycles = cycles // runs
    cost.model_bytes = sum(part.model_bytes - nothing.model_bytes for part in invokes) // runs
    data, code = (
        sum(getattr(part, name) for part in invokes) // runs
        for name in ("missed_data", "missed_code")
    )
    of_data, of_code = MISSES[board.isa]
    cost.missed, cost.missed_code = data + code, code
    cost.waiting = cost.cycles + data * of_data + code * of_code
    if board.cpu == F4_CORE:
        cost.f4_missed = sum(part.art_data + part.art_jumps for part in invokes) // runs
        late = sum(part.art_late for part in invokes) // runs
        cost.f4_waiting = cost.cycles + cost.f4_missed * ART_WAIT + late


def counts_instructions(target):
    """Tell whether *target* is a board that QEMU emulates."""
    if target not in all_board_names() or target in {*RP2_EMULATORS, *UNICORN}:
        return False
    return load_board(target).machine is not None


def counter_of(device):
    """Return the unit, the definition of _count(), and the conversion of its counts."""
    if isinstance(device, PicoTarget):
        return "cycles", rp2040.COUNTER, int
    if isinstance(device, EmulatedTarget) and not isinstance(device, Stm32Target):
        return "instructions", COUNTER, device.instructions
    return "microseconds", CLOCK, int


def begin(device, code):
    """Run *code* on *device*, where _count() and nothing() are known then.

    Returns the unit of counts, and their conversion.
    """
    unit, counter, scale = counter_of(device)
    device.exec(f"{counter}\n{code}\nnothing = lambda: None\n", SECONDS)
    return unit, scale


def counted(device, setup, statement, *names):
    """Return what the lines *statement* take behind *setup*, the numbers *names*, and the unit."""
    body = indent(statement.strip("\n"), "    ")
    unit, scale = begin(device, f"{setup}\ndef statement():\n{body}")
    shown = ", ".join(("_count(nothing)", "_count(statement)", *names))
    printed = device.exec(f"print({shown})", SECONDS)
    empty, count, *numbers = map(int, printed.split()[-2 - len(names) :])
    return scale(count - empty), *numbers, unit


def _measure_here(name, model, inputs, backend):
    # This imports, and refuses what does not run here.
    result = run_jobs(HOST, [Job(name, model, [inputs], backend, prepared=True)])[0]

    def load():
        return Interpreter(Model(model, prepared=True), backend=backend)

    data = b"".join(inputs)
    nothing = bench_device.median([_nanoseconds(lambda: None) for _ in range(ROUNDS)])
    runs = bench_device.invokes(load, data, _nanoseconds, ROUNDS, nothing)
    counts = [round(ns / 1000) for ns in bench_device.nodes(load, data, _nanoseconds, ROUNDS)]
    graph = Model(model, prepared=True).subgraphs[0]
    nodes = [(graph.operator(i).name, count) for i, count in enumerate(counts)]
    invoke = round(sum(runs) / len(runs) / 1000)
    arena = result.arena_used_bytes
    return Cost(result.backend, "microseconds", arena, None, None, invoke, nodes)


def _nanoseconds(function):
    start = perf_counter_ns()
    function()
    return perf_counter_ns() - start
