"""Run models on any target: in this process, on the unix port, on an emulated or a real board.

A Job is a model and the inputs of successive invokes. The function run_jobs() takes several at
once, because an emulated board boots once for all of them. on_device.py does the work at the other
end.
"""

import time
from dataclasses import dataclass, field

from tflm import backends
from tflm.base.arena import Arena
from tflm.base.clock import ticks_diff, ticks_us
from tflm.base.errors import ArenaError
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.settled import settled_view
from .answers import answers, checked, is_count, is_hex, is_number, is_text, one_of, refuse
from .boards import all_board_names, load_board
from .device import script
from .open_target import TargetError, open_target

# What each line of on_device.py holds behind its kind.
FORMS = {
    "loaded": [one_of("c", "viper"), is_count, is_number, bool],
    "microseconds": is_number,
    "output": is_count,
    "data": is_hex,
    "answered": bool,
    "profile": [[is_count, is_text, is_number, is_count], ...],
    "exact": is_count,
    "short": [is_count, is_count, is_count],
    "error": [is_text, is_text],
}
HOST = "host"
INPUTS = ".in"  # after the model's file name: the file with its inputs
FILE_OVERHEAD = 256  # at most, of a file in /rom
ROOM_ELSEWHERE = 4 << 20
CALL_SECONDS = 600
STEP_SECONDS = 0.25  # between two steps of the progress display
FREE = "data", "answered", "profile"  # kinds of which nobody counts the lines


@dataclass
class Job:
    """One model, the bytes of its inputs for each invoke, and what to do with it."""

    name: str  # of the file that the target sees
    model: bytes
    inputs: list  # of one list of bytes an invoke
    backend: str | None = None
    profile: bool = False
    probe: bool = False  # also try arenas of exactly the bytes needed and of 16 less
    lock: bool = False  # invoke under micropython.heap_lock()
    prepared: bool = False  # whether a prepared model is trusted: it was proven, or made here
    again: bool = False  # every invoke gets the first inputs, which the target has once

    def options(self):
        names = ("backend", "profile", "probe", "lock", "again", "prepared")
        return {name: getattr(self, name) for name in names}


@dataclass
class Result:
    """The results of one job on a target."""

    backend: str | None = None
    arena_used_bytes: int = 0
    heap_bytes: int | None = None  # Python heap besides arena and model; None on the host
    in_flash: bool | None = None  # whether the model was used in place; None on the host
    outputs: list = field(default_factory=list)  # one list an invoke, of bytes, one an output
    microseconds: list = field(default_factory=list)  # one an invoke
    profile: list = field(default_factory=list)  # [node, op, microseconds, bytes]
    answered: bool = True  # whether the last run came to its end
    exact: int | None = None  # used bytes in an arena of exactly those
    short: list | None = None  # requested, available, missing bytes when 16 less were given
    error: list | None = None  # exception name and message


def _no_progress(_invokes):
    pass


def run_jobs(target, jobs, advance=_no_progress, consent=None):
    """Run *jobs* on *target* (a name); return one Result each.

    advance(n) is called after every n invokes; consent is that of open_target().
    """
    if target == HOST:
        return [_run_here(job, advance) for job in jobs]
    return _run_there(target, jobs, advance, consent)


def _run_here(job, advance):
    _check_kernels()
    if job.backend not in (None, *backends()):
        raise TargetError(f"the host has no {job.backend} kernels, only {', '.join(backends())}")
    interpreter = Interpreter(Model(job.model, prepared=job.prepared), backend=job.backend)
    result = Result(interpreter.backend, interpreter.arena_used_bytes())
    for inputs in job.inputs:
        for tensor, data in zip(interpreter.inputs, inputs, strict=True):
            tensor.data[:] = data
        start = ticks_us()
        interpreter.invoke()
        result.microseconds.append(ticks_diff(ticks_us(), start))
        result.outputs.append(_outputs(interpreter))
        advance(1)
    result.answered = interpreter.answered
    if job.profile:
        result.profile = [list(row) for row in interpreter.profile()]
    if job.probe:
        _probe_here(job, result)
    return result


def _check_kernels():
    """Raise TargetError with the reason where this machine has no kernels."""
    if not backends():
        try:
            import _tflm  # noqa: F401 - it says why
        except ImportError as error:
            raise TargetError(f"{HOST}: {error}") from None


def _outputs(interpreter):
    return [bytes(tensor.data) for tensor in interpreter.outputs]


def _probe_here(job, result):
    need = result.arena_used_bytes
    exact = Interpreter(Model(job.model, prepared=job.prepared), Arena(need), backend=job.backend)
    result.exact = exact.arena_used_bytes()
    try:
        Interpreter(Model(job.model, prepared=job.prepared), Arena(need - 16), backend=job.backend)
    except ArenaError as error:
        result.short = [error.requested, error.available, error.missing]


def _run_there(target, jobs, advance, consent):
    results = []
    for batch in batches(jobs, _room(target), _bytes_of):
        files = [file for job in batch for file in _files(job)]
        viper = any(job.backend == "viper" for job in batch)
        with open_target(target, models=files, viper=viper, consent=consent) as device:
            device.exec(script("on_device"))
            results += [_run_one(device, job, advance) for job in batch]
    return results


def _room(target):
    """Return the bytes of files that *target* takes at once."""
    return load_board(target).romfs_size if target in all_board_names() else ROOM_ELSEWHERE


def batches(items, room, size_of, at_once=None):
    """Yield lists of the *items*, in order.

    at_once  items of a list at most, None for any number
    size_of  function of an item that returns the bytes it takes of a file. A list takes *room*
             bytes or less, unless it is one item that is larger
    """
    batch, size = [], 0
    for item in items:
        nbytes = size_of(item)
        if batch and (size + nbytes > room or len(batch) == at_once):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += nbytes
    if batch:
        yield batch


def _bytes_of(job):
    return sum(len(data) + FILE_OVERHEAD for _, data in _files(job))


def _files(job):
    fed = job.inputs[:1] if job.again else job.inputs
    return [
        (job.name, job.model),
        (job.name + INPUTS, b"".join(data for inputs in fed for data in inputs)),
    ]


def _run_one(device, job, advance):
    model, inputs = device.source(job.name), device.source(job.name + INPUTS)
    result = Result()
    device.exec("trial = None\ngc.collect()")
    start = f"trial = attempt(Trial, {model}, {inputs}, {job.options()!r})"
    _call(device, start, result, ["loaded"])
    graph = None if result.error else _graph_of(job)
    sizes = [] if result.error else [graph.tensor(i).nbytes for i in graph.outputs]
    left, step = len(job.inputs), 1
    while left and not result.error:
        step = min(step, left)
        start = time.monotonic()
        invokes = ["microseconds"] * step + ["output"] * step * len(sizes)
        _call(device, f"attempt(trial.invokes, {step})", result, invokes)
        if not result.error:
            _check_sizes(device.name, result.outputs[-step:], sizes)
        advance(step)
        left -= step
        if time.monotonic() - start < STEP_SECONDS:
            step *= 2
    if not result.error:
        _call(device, "attempt(trial.end)", result, ["exact", "short"] * job.probe)
    return result


def _graph_of(job):
    """Return the subgraph whose outputs the target prints."""
    return settled_view(Model(job.model, prepared=False)).subgraphs[0]


def _call(device, code, result, kinds):
    """Run *code* of on_device.py and enter what it says into *result*.

    Raises TargetError where that is not of *kinds*, or an error.
    """
    printed = device.exec(code, CALL_SECONDS)
    found = answers(device.name, printed, [one_of(*FORMS), lambda _: True])
    for kind, value in found:
        _take(device.name, result, kind, checked(device.name, value, FORMS[kind]))
    said = sorted(kind for kind, _ in found if kind not in FREE)
    if result.error is None and said != sorted(kinds):
        if not said:
            raise TargetError(f"{device.name} printed nothing: {printed[-500:]}")
        refuse(device.name, said)


def _take(name, result, kind, value):
    """Enter one line of on_device.py into *result*."""
    if kind == "loaded":
        result.backend, result.arena_used_bytes, result.heap_bytes, result.in_flash = value
    elif kind == "microseconds":
        result.microseconds.append(value)
        result.outputs.append([])
    elif kind == "output" and result.outputs:
        result.outputs[-1].append(b"")
    elif kind == "data" and result.outputs and result.outputs[-1]:
        result.outputs[-1][-1] += bytes.fromhex(value)
    elif kind in ("output", "data"):
        refuse(name, [kind, value])
    else:
        setattr(result, kind, value)  # of FORMS


def _check_sizes(name, outputs, sizes):
    """Raise TargetError unless each invoke gave outputs of *sizes* bytes."""
    for found in outputs:
        said = [len(data) for data in found]
        if said != sizes:
            raise TargetError(
                f"{name}: outputs of {said} bytes, those of this model have {sizes}: what came"
                " over the line is damaged"
            )
