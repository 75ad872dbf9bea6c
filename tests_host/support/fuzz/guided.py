"""A fuzzer for Python, guided by coverage: what reaches a new line of code is changed further.

    report = fuzz(read, seeds, [flexbuffer], 0, 10_000)

`read(data)` reads *data* and returns what happened, a short name; it raises where something is
wrong. A trial counts how often each step from line to line of *modules* is made, by powers of
two, as coverage-guided fuzzers of C do.
"""

import random
import sys
from mmap import mmap

from support.fuzz.fuzz_workers import run_trials

LARGEST = 2048  # bytes of an input
MOST_EDITS = 4
SPARE_LINES = 1000
WORDS = (0, 1, 2, 3, 4, 8, 127, 128, 255, 256, 32767, 32768, 65535, 1 << 31, (1 << 32) - 1)
WIDTHS = (1, 2, 4, 8)


def fuzz(read, seeds, modules, first, count, lines_a_byte=None):
    """Run trials *first* to first + count - 1; return the Report.

    lines_a_byte  of *modules* that an input may run, and 1,000 lines besides; None: any number
    """
    trial = Guided(read, seeds, modules, lines_a_byte)
    report = run_trials(trial, first, count)
    killed = [(n, text) for n, text in report.findings if " of " not in text]
    if killed:  # the last one's input is known
        number, text = killed[-1]
        report.findings.append((number, f"{text} of {trial.last().hex()}"))
    return report


class Guided:
    """A trial for run_trials(); an input depends on its number and on the trials before."""

    def __init__(self, read, seeds, modules, lines_a_byte=None):
        self.pool = [bytes(data[:LARGEST]) for data in seeds]
        self.steps = set()  # (file, line before, line, logarithm of how often)
        self._seeds = len(self.pool)
        self._read = read
        self._files = {module.__file__ for module in modules}
        self._lines = lines_a_byte
        self._last = mmap(-1, LARGEST + 4)  # parent and child share it

    def __call__(self, number):
        """Return (outcome, problem) of a seed, or of a changed input of the pool."""
        data = self.pool[number] if number < self._seeds else self._changed(number)
        self._last[:4] = len(data).to_bytes(4, "little")
        self._last[4 : 4 + len(data)] = data
        counts = {}
        sys.settrace(self._tracer(counts))
        try:
            outcome, problem = self._read(data), ""
        except Exception as error:  # which one it is, is the finding
            sys.settrace(None)
            outcome, problem = "foreign", f"{error!r} of {data.hex()}"
        finally:
            sys.settrace(None)
        steps = {(*step, count.bit_length()) for step, count in counts.items()}
        if not steps <= self.steps:
            self.steps |= steps
            self.pool.append(data)
        lines = sum(counts.values())
        if self._lines is not None and lines > self._lines * len(data) + SPARE_LINES:
            problem = problem or f"{lines} lines run because of {data.hex()}"
        return outcome, problem

    def last(self):
        """Return the input of the last trial, which may have killed its process."""
        return self._last[4 : 4 + int.from_bytes(self._last[:4], "little")]

    def _tracer(self, counts):
        files = self._files

        def on_call(frame, _event, _argument):
            file = frame.f_code.co_filename
            if file not in files:
                return None
            before = frame.f_code.co_firstlineno

            def on_line(frame, event, _argument):
                nonlocal before
                if event == "line":
                    step = file, before, frame.f_lineno
                    counts[step] = counts.get(step, 0) + 1
                    before = frame.f_lineno
                return on_line

            return on_line

        return on_call

    def _changed(self, number):
        rng = random.Random(number)
        data = bytearray(rng.choice(self.pool))
        for _ in range(rng.randint(1, MOST_EDITS)):
            rng.choice(EDITS)(rng, data, self.pool)
        return bytes(data[:LARGEST])


def _at(rng, data):
    return rng.randrange(len(data) + 1)


def _flip(rng, data, _pool):
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _byte(rng, data, _pool):
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)


def _add(rng, data, _pool):
    """Add a little to a number."""
    if data:
        at = rng.randrange(len(data))
        data[at] = data[at] + rng.choice((-2, -1, 1, 2, 4, -4)) & 255


def _word(rng, data, _pool):
    width, at = rng.choice(WIDTHS), _at(rng, data)
    value = rng.choice(WORDS) & ((1 << 8 * width) - 1)
    data[at : at + width] = value.to_bytes(width, "little")


def _insert(rng, data, _pool):
    at = _at(rng, data)
    data[at:at] = rng.randbytes(rng.choice(WIDTHS))


def _remove(rng, data, _pool):
    at = _at(rng, data)
    del data[at : at + rng.choice(WIDTHS)]


def _repeat(rng, data, _pool):
    at, size = _at(rng, data), rng.randint(1, 32)
    data[at:at] = data[at : at + size]


def _cut(rng, data, _pool):
    del data[_at(rng, data) :]


def _splice(rng, data, pool):
    other = rng.choice(pool)
    at = rng.randrange(len(other) + 1)
    to = _at(rng, data)
    data[to : to + rng.randint(0, 16)] = other[at : at + rng.randint(1, 64)]


EDITS = (_flip, _byte, _add, _word, _insert, _remove, _repeat, _cut, _splice)
