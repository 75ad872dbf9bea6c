"""Runs on the target: models in two memories, which must answer and count as on the PC.

The file is what test_two_memories_on_boards.pack() made: words of 32 bits, then bytes.
"""

import gc
import struct

from micropython import heap_lock, heap_unlock
from uctypes import addressof, bytearray_at

import tflm

PSRAM = 0x21800000  # of MPS2_AN386, behind /rom
ROW = struct.calcsize("<11i")
GUARD = 16
MARK = b"\xa5" * GUARD


def check(path):
    """Run all models of the file *path*; print a line for each that fails, then how many ran."""
    with open(path, "rb") as file:
        data = memoryview(file)  # in flash
    (count,) = struct.unpack_from("<i", data)
    for i in range(count):
        model, size, at, *facts = struct.unpack_from("<11i", data, 4 + ROW * i)
        try:
            gc.collect()
            failure = run(data[model : model + size], data[at:], *facts)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        if failure:
            print("!", i, failure)
    print("=", count)


def guarded(memory, nbytes):
    """Return the middle of *memory*, at a multiple of 16, with marks at both ends."""
    start = GUARD + -addressof(memory) % GUARD
    view = memoryview(memory)
    view[start - GUARD : start] = view[start + nbytes : start + nbytes + GUARD] = MARK
    return view[start : start + nbytes]


def is_whole(memory, nbytes):
    start = GUARD + -addressof(memory) % GUARD
    view = memoryview(memory)
    return view[start - GUARD : start] == MARK == view[start + nbytes : start + nbytes + GUARD]


def run(model, vectors, invokes, prepared, *facts):
    """Load and invoke *model* in just the bytes needed, then load it in 16 bytes less of each.

    Returns what differs from the PC, "" where nothing does.
    """
    need, short = facts[:2], facts[2:]
    near = bytearray(need[0] + 3 * GUARD)
    far = bytearray_at(PSRAM, need[1] + 3 * GUARD)
    memories = [guarded(memory, size) for memory, size in zip((near, far), need)]  # noqa: B905
    arena = tflm.Arena(memories[0], tail=memories[1])
    interp = tflm.Interpreter(model, arena, prepared=bool(prepared))
    if arena.used_in_each() != need:
        return f"{arena.used_in_each()} in place of {need}"
    wrong = []
    for i in range(invokes):
        for tensor in interp.inputs:
            tensor.data[:] = vectors[: tensor.nbytes]
            vectors = vectors[tensor.nbytes :]
        heap_lock()
        try:
            interp.invoke()
        finally:
            heap_unlock()
        for tensor in interp.outputs:
            if tensor.data != vectors[: tensor.nbytes]:
                wrong.append(i)
            vectors = vectors[tensor.nbytes :]
    if wrong:
        return f"invokes {wrong} differ"
    if not (is_whole(near, need[0]) and is_whole(far, need[1])):
        return "it wrote beyond a memory"
    del interp, arena
    found = ()
    for which in range(2):
        less = [memories[i][: need[i] - 16 * (i == which)] for i in range(2)]
        found += refusal(model, less, prepared) if need[which] else (-1, -1)
        gc.collect()
    return "" if found == short else f"with 16 bytes less {found} in place of {short}"


def refusal(model, memories, prepared):
    """Return the bytes requested and available that the error names, (0, 0) where it loads."""
    try:
        tflm.Interpreter(model, tflm.Arena(memories[0], tail=memories[1]), prepared=bool(prepared))
    except tflm.ArenaError as error:
        return error.requested, error.available
    return 0, 0
