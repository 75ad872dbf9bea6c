"""Runs on the target: the mutants of a file that fuzz_targets.pack() made, one after the other.

For each, one letter is printed at once, so that the last line tells where a target died.
"""

import struct
from binascii import crc32

import tflm

try:
    from time import clock  # of the processor, on the unix port
except ImportError:

    def clock():
        """Return nothing that grows: a board's clock is not that of the processor emulating it."""
        return 0.0


ROW = "<5I"  # position, bytes, outcome expected (a letter), sum of the outputs, 1 to invoke
ROW_BYTES = 20
LINE = 64  # letters
INFINITE = 0x7F800000  # as float32


def load(path):
    with open(path, "rb") as file:
        try:
            return memoryview(file)  # in flash
        except TypeError:
            return memoryview(file.read())


def check(path, arena_bytes, slowest_s):
    """Try every mutant of the file *path*; then print how often each letter was, and problems."""
    data = load(path)
    arena = bytearray(arena_bytes)
    (count,) = struct.unpack_from("<I", data)
    before = crc32(data)
    problems = []
    for i in range(count):
        pos, size, letter, total, invoke = struct.unpack_from(ROW, data, 4 + ROW_BYTES * i)
        start = clock()
        found, problem = attempt(data[pos : pos + size], arena, total, invoke)
        taken = clock() - start
        if found != chr(letter) and found != "h":
            problem = problem or f"{found} in place of {chr(letter)}"
        if taken > slowest_s:
            problem = f"{taken} s"
        if i % LINE == 0:
            print(f"\n{i}", end=" ")
        print(found, end="")
        if problem:
            problems.append((i, problem))
    if crc32(data) != before:
        problems.append((0, "a model was changed"))
    print()
    for i, problem in problems:
        print("!", i, problem)
    print("=", count)


def attempt(model, arena, total, invoke):
    """Return a letter for what *model* does, and what is wrong, "" for nothing."""
    try:
        return run(model, arena, total, invoke)
    except tflm.UnsupportedOpError:
        return "u", ""
    except tflm.ModelError:
        return "m", ""
    except tflm.ArenaError:
        return "a", ""
    except MemoryError:  # the heap of a board may be too small for what a PC can load
        return "h", ""
    except Exception as error:
        return "x", f"{type(error).__name__}: {error}"


def run(model, arena, total, invoke):
    interp = tflm.Interpreter(model, arena, prepared=False)  # in /rom it would be trusted
    if not invoke:
        return "r", ""
    for tensor in interp.inputs:
        fill(tensor.data)
    interp.invoke()
    found = sum_of(interp.outputs)
    return "r", "" if found == total else "the outputs differ from the host's"


def sum_of(outputs):
    """Return the bytes of *outputs* added up, where all that are no numbers are one.

    Which NaN comes of two is a matter of the core, and of the compiler.
    """
    total = 0
    for tensor in outputs:
        data = tensor.data
        if tensor.dtype == "float32":
            data = bytearray(data)
            for i in range(0, len(data), 4):
                (word,) = struct.unpack_from("<I", data, i)
                if word & 0x7FFFFFFF > INFINITE:
                    struct.pack_into("<I", data, i, INFINITE + 1)
        total = crc32(data, total)
    return total


def fill(data):
    """Fill an input with bytes that are finite as float32, too."""
    for i in range(len(data)):
        data[i] = (i * 37 + (i >> 5)) & 63
