"""Runs on the target: loads a model, sets its inputs, prints its outputs.

The host sends this file, then makes a Trial and has it invoke and end through attempt().
Everything that is said here is one line of JSON behind MARK; the host reads nothing else.
"""

import gc
import json
import sys
from binascii import crc32, hexlify
from io import BytesIO

from micropython import heap_lock, heap_unlock

import tflm
from tflm.base.clock import ticks_diff, ticks_us

MARK = "tflm:"
CHUNK = 128  # bytes of tensor data a line, which takes a kilobyte of heap


class Trial:
    """One model and its inputs, each a path or bytes; options come from the host's Job."""

    def __init__(self, path, inputs, options):
        before = gc.mem_alloc()
        model = tflm.Model(path, prepared=options["prepared"])
        self.options = options
        self.interp = interp = tflm.Interpreter(model, backend=options["backend"])
        gc.collect()
        heap = gc.mem_alloc() - before - interp.arena_used_bytes()
        if isinstance(path, str) and not model.in_flash:
            heap -= len(model.buf)
        self.sum = crc32(model.buf)
        emit("loaded", [interp.backend, interp.arena_used_bytes(), heap, model.in_flash])
        # closed by end()
        self.file = open(inputs, "rb") if isinstance(inputs, str) else BytesIO(inputs)  # noqa: SIM115

    def invokes(self, count):
        for _ in range(count):
            if self.options["again"]:
                self.file.seek(0)
            for tensor in self.interp.inputs:
                self.file.readinto(tensor.data)
            emit("microseconds", self.invoke())
            for tensor in self.interp.outputs:
                emit("output", tensor.nbytes)
                for i in range(0, tensor.nbytes, CHUNK):
                    emit("data", hexlify(tensor.data[i : i + CHUNK]).decode())
        emit("answered", self.interp.answered)

    def invoke(self):
        """Return the microseconds of one invoke, with the heap locked if that is wanted."""
        lock = self.options["lock"]
        start = ticks_us()
        if lock:
            heap_lock()
        try:
            self.interp.invoke()
        finally:
            if lock:
                heap_unlock()
        return ticks_diff(ticks_us(), start)

    def end(self):
        self.file.close()
        if crc32(self.interp.model.buf) != self.sum:
            raise ValueError("a kernel wrote into the model")
        if self.options["profile"]:
            emit("profile", self.interp.profile())
        if self.options["probe"]:
            self.probe()

    def probe(self):
        """Try arenas of exactly the bytes needed and of 16 less; say what each did."""
        need, model, backend = (
            self.interp.arena_used_bytes(),
            self.interp.model,
            self.interp.backend,
        )
        self.interp = None
        gc.collect()
        interp = tflm.Interpreter(model, tflm.Arena(need), backend=backend)
        emit("exact", interp.arena_used_bytes())
        del interp
        gc.collect()
        try:
            tflm.Interpreter(model, tflm.Arena(need - 16), backend=backend)
        except tflm.ArenaError as error:
            emit("short", [error.requested, error.available, error.missing])


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


def attempt(function, *args):
    """Return what *function* returns; report what it raises."""
    try:
        return function(*args)
    except Exception as error:
        emit("error", [type(error).__name__, str(error)])
        if not isinstance(error, (ValueError, MemoryError, OSError)):
            sys.print_exception(error)
