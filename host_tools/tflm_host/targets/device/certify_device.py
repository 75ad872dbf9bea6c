"""Runs on the target for `tflm certify`: says what the board is, and runs models.

The host sends this file, then calls its functions. Each prints lines of JSON behind MARK. Nothing
here reads a serial number or a unique ID.
"""

import gc
import json
import os
import sys
import time
from binascii import a2b_base64, hexlify  # noqa: F401 - the host's calls have base64
from io import BytesIO

from micropython import heap_lock, heap_unlock

import tflm
from tflm.base.clock import ticks_diff, ticks_us

try:
    import _tflm
except ImportError:
    _tflm = None

MARK = "tflm:"
PAGE = 4096
OURS = "tflm_certify_{}.tmp"
# Of an RP2040 or RP2350: where flash begins, and how its binary information is marked.
# Source: pico-sdk src/common/pico_binary_info (structure.h, defs.h) @2.1.1.
FLASH, INFORMATION, INFORMATION_ROOM = 0x10000000, 0x7188EBF2, 1024
ID_AND_INT, BINARY_END = 0x50520005, 0x68F465DE


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


def identity():
    """Say what board, firmware and runtime this is."""
    about = sys.implementation
    emit(
        "identity",
        {
            "machine": getattr(about, "_machine", sys.platform),
            "build": getattr(about, "_build", ""),
            "version": sys.version,
            "platform": sys.platform,
            "hertz": _hertz(),
            "tflm": tflm.__version__,
            "backends": list(tflm.backends()),
            "isa": _tflm.isa if _tflm else None,
            "layout": _tflm.layout if _tflm else None,
            "way": _way(),
            "heap_free": _free(),
        },
    )


def _hertz():
    try:
        from machine import freq

        hertz = freq()
    except ImportError:
        return None
    return hertz if isinstance(hertz, int) else hertz[0]


def _way():
    if _tflm is None:
        return "viper"
    return "native module" if hasattr(_tflm, "__file__") else "firmware"


def _free():
    gc.collect()
    return gc.mem_free()


def lacking(count):
    """Say how many of the C kernels 0 to *count* - 1 this build lacks; None where it has no C."""
    emit("lacking", _tflm and sum([not _tflm.form(i) for i in range(count)]))


def image():
    """Say size and sha256 of the firmware in the flash of an rp2 board; None elsewhere."""
    end = _end_of_image() if sys.platform == "rp2" else None
    if end is None:
        emit("image", None)
        return
    from hashlib import sha256

    from uctypes import bytearray_at

    total = sha256()
    for at in range(FLASH, end, PAGE):
        total.update(bytearray_at(at, min(PAGE, end - at)))
    emit("image", [end - FLASH, hexlify(total.digest()).decode()])


def _end_of_image():
    """Return the address behind the firmware, None where the firmware does not tell."""
    from struct import unpack_from

    from machine import mem32
    from uctypes import bytearray_at

    for at in range(FLASH, FLASH + INFORMATION_ROOM, 4):
        if mem32[at] == INFORMATION:
            for entry in range(mem32[at + 4], mem32[at + 8], 4):
                # The linker places some of them at odd addresses.
                kind, number, value = unpack_from("<III", bytearray_at(mem32[entry], 12))
                if kind == ID_AND_INT and number == BINARY_END:
                    return value
    return None


class Trial:
    """A model and its inputs, each a path or bytes. Runs take one input after the other."""

    def __init__(self, model, inputs):
        self.interp = interp = tflm.Interpreter(model)
        # closed by end()
        self.file = open(inputs, "rb") if isinstance(inputs, str) else BytesIO(inputs)  # noqa: SIM115
        self.is_running = False
        emit("loaded", [interp.backend, interp.arena_used_bytes(), interp.model.in_flash])

    def fill(self):
        """Set the inputs of the next run."""
        for tensor in self.interp.inputs:
            if self.file.readinto(tensor.data) < tensor.nbytes:
                self.file.seek(0)
                self.file.readinto(tensor.data)

    def run(self):
        """Fill the inputs and invoke; return the microseconds of the invoke."""
        self.fill()
        invoke = self.interp.invoke
        self.is_running = True
        start = ticks_us()
        invoke()
        spent = ticks_diff(ticks_us(), start)
        self.is_running = False
        return spent

    def run_locked(self):
        """Do the same with the heap locked: an allocation in invoke() raises MemoryError."""
        self.fill()
        invoke = self.interp.invoke
        heap_lock()
        try:
            invoke()
        finally:
            heap_unlock()

    def output(self):
        return b"".join([bytes(tensor.data) for tensor in self.interp.outputs])

    def runs(self, count):
        """Say microseconds and outputs of *count* runs."""
        for _ in range(count):
            spent = self.run()
            emit("run", [spent, hexlify(self.output()).decode()])

    def soak(self, count, rounds, milliseconds):
        """Repeat runs of *count* inputs, each with the heap locked.

        rounds, milliseconds  of the repetition, at least
        Says runs, runs with other outputs, and free bytes of heap before and after.
        """
        self.file.seek(0)
        first = self._outputs(count)
        before = self._free()
        runs, different = self._repeat(first, rounds, milliseconds)
        emit("soak", [runs, different, before, self._free()])

    # Each in a function of its own: what its frame leaves keeps no object alive when it has ended.

    def _outputs(self, count):
        found = []
        for _ in range(count):
            self.run_locked()
            found.append(self.output())
        return found

    def _repeat(self, first, rounds, milliseconds):
        runs = different = 0
        start = time.ticks_ms()
        while rounds > 0 or time.ticks_diff(time.ticks_ms(), start) < milliseconds:
            rounds -= 1
            for output in first:
                self.run_locked()
                different += self.output() != output
                runs += 1
        return runs, different

    def _free(self):
        _wipe(20)  # the collector takes words that calls have left on the C stack for pointers
        return _free()

    def write_meanwhile(self, most, wanted):
        """Write to a new file from a timer's callback during runs, and remove the file.

        most    runs at most
        wanted  writes that are enough
        Says microseconds and outputs as runs() does, then the writes during runs and whether the
        file had their bytes.
        """
        from machine import Timer

        path = _new_file()
        written = []

        def write(_):
            if self.is_running and len(written) < wanted:
                with open(path, "ab") as file:
                    file.write(bytes([len(written)] * PAGE))
                written.append(PAGE)

        timer = Timer(period=20, mode=Timer.PERIODIC, callback=write)
        try:
            for _ in range(most):
                if len(written) == wanted:
                    break
                self.runs(1)
        finally:
            timer.deinit()
            is_whole = _holds(path, len(written))
        emit("written", [len(written), is_whole])

    def end(self):
        self.file.close()


def _wipe(depth):
    if depth > 0:
        _wipe(depth - 1)


def _new_file():
    """Return the path of a file that is not there."""
    folder = os.getcwd().rstrip("/")
    names = os.listdir(folder or "/")
    i = 0
    while OURS.format(i) in names:
        i += 1
    return folder + "/" + OURS.format(i)


def _holds(path, pages):
    """Tell whether the file at *path* has the pages that were written; remove it."""
    is_whole = True
    try:
        with open(path, "rb") as file:
            for i in range(pages):
                is_whole = is_whole and file.read(PAGE) == bytes([i] * PAGE)
            is_whole = is_whole and not file.read(1)
        os.remove(path)
    except OSError:
        is_whole = False
    return is_whole


def use_cores(count):
    """Say how many cores kernels use from now on: *count*, or 1 where there are no more."""
    try:
        tflm.cores(count)
    except ValueError:
        count = 1
    emit("cores", count)
