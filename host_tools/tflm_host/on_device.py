"""Runs on the target, MicroPython or CPython: loads models, feeds them, prints what came out.

The host sends this file, then calls `job(...)` for each model. Everything it has to say is one
line of JSON behind MARK; the host reads nothing else.
"""

import gc
import json
import sys
from binascii import hexlify

from micropython import heap_lock, heap_unlock

import tflm
from tflm.port import ticks_diff, ticks_us

MARK = "tflm:"
CHUNK = 512  # bytes of tensor data a line


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


def job(model, inputs, options):
    """Run *model* on the tensors in the file *inputs*, one after the other.

    options: count (invokes), backend, profile, probe (try an arena of 16 bytes less), lock
    (invoke under heap_lock).
    """
    try:
        gc.collect()
        interp = load(model, options)
        run(interp, inputs, options)
        if options.get("profile"):
            emit("profile", interp.profile())
        if options.get("probe"):
            need, source = interp.arena_used_bytes(), interp.model
            del interp
            probe(source, need, options.get("backend"))
    except Exception as error:
        emit("error", [type(error).__name__, str(error)])
        if not isinstance(error, (ValueError, MemoryError, OSError)):
            sys.print_exception(error)


def load(path, options):
    before = gc.mem_alloc()
    model = tflm.Model(path)
    interp = tflm.Interpreter(model, backend=options.get("backend"))
    gc.collect()
    heap = gc.mem_alloc() - before - len(interp.arena.buf)
    if not model.in_flash:
        heap -= len(model.buf)
    emit("loaded", [interp.backend, interp.arena_used_bytes(), heap])
    return interp


def run(interp, inputs, options):
    with open(inputs, "rb") as file:
        for _ in range(options["count"]):
            for tensor in interp.inputs:
                file.readinto(tensor.data)
            emit("microseconds", invoke(interp, options.get("lock")))
            for tensor in interp.outputs:
                emit("output", tensor.nbytes)
                for i in range(0, tensor.nbytes, CHUNK):
                    emit("data", hexlify(tensor.data[i : i + CHUNK]).decode())


def invoke(interp, lock):
    start = ticks_us()
    if lock:
        heap_lock()
    try:
        interp.invoke()
    finally:
        if lock:
            heap_unlock()
    return ticks_diff(ticks_us(), start)


def probe(model, need, backend):
    """Try arenas of exactly the bytes needed and of 16 less; say what each did."""
    gc.collect()
    interp = tflm.Interpreter(model, tflm.Arena(need), backend=backend)
    emit("exact", interp.arena_used_bytes())
    del interp
    gc.collect()
    try:
        tflm.Interpreter(model, tflm.Arena(need - 16), backend=backend)
    except tflm.ArenaError as error:
        emit("short", [error.requested, error.available, error.missing])
