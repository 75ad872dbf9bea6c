"""Mutants on MicroPython: many in one file, each at several addresses, compared with the host.

What the host says of each mutant, its outcome and its outputs, is found first, in a process that
may die; the target must say the same.
"""

import re
import struct
from collections import Counter
from pathlib import Path

from support.device import fuzz_device
from support.fuzz.fuzz_host import MOST_PRODUCTS, may_end, work_of
from support.fuzz.fuzz_workers import Report, run_trials
from tflm import ArenaError, Interpreter, ModelError, UnsupportedOpError
from tflm.model import PREPARED
from tflm_host.targets.boards import all_board_names, load_board
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError
from tflm_host.targets.run import batches

DRIVER = Path(fuzz_device.__file__)
ARENA_BYTES = 24 * 1024  # fits the smallest board's heap
SLOWEST_S = 2  # of processor time, where the target knows it
MOST_WORK = MOST_PRODUCTS >> 8  # of what is invoked: an emulated core is slow
HOST_SECONDS = 0.05  # of processor time for what runs in two seconds there
ROOM = 2 << 20  # bytes of a batch on a target without a limit
LARGEST = 40_000  # bytes of a mutant
SHIFTS = (0, 1, 2, 3)
CALL_SECONDS = 1800
HEAP = "8m"  # a larger one costs time by itself, under the sanitizers


def expect(make, first, count):
    """Return [(number, name, model, letter, sum of the outputs, invoke)] of mutants."""

    def trial(number):
        letter, total, invoke = _on_host(make(number)[1])
        return letter, f"{ord(letter)} {total} {invoke}"

    rows = []
    for number, said in run_trials(trial, first, count, HOST_SECONDS + 1, count).findings:
        words = said.split()
        name, model = make(number)
        if words[0].isdigit():
            rows.append((number, name, model, *map(int, words)))
    return rows


def _on_host(model):
    try:
        interp = Interpreter(model, bytearray(ARENA_BYTES))
    except UnsupportedOpError:
        return "u", 0, 0
    except ModelError:
        return "m", 0, 0
    except ArenaError:
        return "a", 0, 0
    graph = interp.model.subgraphs[0]
    is_fed = not any(graph.tensor(i).is_constant for i in graph.inputs)
    if not is_fed or may_end(interp.model) or work_of(interp.model) > MOST_WORK:
        return "r", 0, 0
    for tensor in interp.inputs:
        fuzz_device.fill(tensor.data)
    interp.invoke()
    return "r", fuzz_device.sum_of(interp.outputs), 1


def pack(rows, shifts):
    """Return the file of *rows*, every model once for each of *shifts* bytes from 16.

    Except prepared files: where one is not aligned it counts as an unprepared model, which
    may be refused for another reason.
    """
    body, index = bytearray(), []
    count = len(rows) * len(shifts)
    start = 4 + fuzz_device.ROW_BYTES * count
    for _, _, model, letter, total, invoke in rows:
        is_prepared = PREPARED.encode() in model
        for shift in shifts:
            body += bytes(-(start + len(body)) % 16 + (0 if is_prepared else shift))
            index.append(
                struct.pack(fuzz_device.ROW, start + len(body), len(model), letter, total, invoke)
            )
            body += model
    return struct.pack("<I", count) + b"".join(index) + body


def run_on(target, make, first, count, shifts=SHIFTS):
    """Run mutants first..first+count-1 on *target*; return the Report."""
    rows = [row for row in expect(make, first, count) if len(row[2]) <= LARGEST]
    return run_rows(target, rows, shifts)


def run_rows(target, rows, shifts=SHIFTS):
    """Run *rows*, as expect() makes them, on *target*; return the Report."""
    report = Report()
    room = load_board(target).romfs_size - 4096 if target in all_board_names() else ROOM
    for batch in batches(rows, room, lambda row: len(shifts) * (len(row[2]) + 48)):
        done = 0
        while done < len(batch):
            done += _run(target, batch[done:], shifts, report)
    return report


def _run(target, rows, shifts, report):
    """Run *rows*; return how many of them were run, all but where the target died of one."""
    call = f"check(PATH, {ARENA_BYTES}, {SLOWEST_S})"
    with open_target(target, models=[("batch", pack(rows, shifts))], heap=HEAP) as device:
        device.exec(DRIVER.read_text())
        try:
            lines = device.exec(call.replace("PATH", repr(device.path("batch"))), CALL_SECONDS)
        except TargetError as error:
            return _blame(str(error), rows, shifts, report)
    *lines, last = lines.splitlines()
    problems = [line for line in lines if line.startswith("!")]
    report.outcomes += Counter("".join(line.split(" ")[1] for line in lines if line[:1].isdigit()))
    for line in problems:
        _, i, problem = line.split(" ", 2)
        number, name, *_ = rows[int(i) // len(shifts)]
        report.findings.append((number, f"{name}, {shifts[int(i) % len(shifts)]}: {problem}"))
    if last != f"= {len(rows) * len(shifts)}":
        raise AssertionError(f"{target} ran some of the mutants only: {last}")
    return len(rows)


def _blame(error, rows, shifts, report):
    """Find the mutant that *error* is about; return how many of *rows* are done with."""
    lines = re.findall(r"^(\d+) ([rumahx]*)", error, re.MULTILINE)
    first, letters = lines[-1] if lines else (0, "")
    done = min((int(first) + len(letters)) // len(shifts), len(rows) - 1)
    number, name, *_ = rows[done]
    report.outcomes += Counter("".join(letters for _, letters in lines))
    report.findings.append((number, f"{name}: {error[-600:]}"))
    return done + 1
