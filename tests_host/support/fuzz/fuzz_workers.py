"""Runs numbered trials in forked processes: what kills one is a finding, and the next goes on.

A trial is a function of a number. It returns (outcome, problem): the name of what happened, to be
counted, and what is wrong with it, "" for nothing. A trial may take SECONDS of processor time.
"""

import faulthandler
import os
import signal
import struct
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass, field
from mmap import mmap

SECONDS = 2.0
OUTCOMES = 64  # at most, of different names
NAME = 40  # bytes of a name
ROW = f"<{NAME}sq"
ROW_BYTES = struct.calcsize(ROW)


@dataclass
class Report:
    """What a campaign found: how often each outcome, and (number, problem) of the findings."""

    outcomes: Counter = field(default_factory=Counter)
    findings: list = field(default_factory=list)

    def add(self, other):
        self.outcomes += other.outcomes
        self.findings += other.findings


def run_trials(trial, first, count, seconds=SECONDS, stop_after=20):
    """Run trial(first) to trial(first + count - 1); return the Report.

    After *stop_after* trials that killed their process it gives up.
    """
    report, deaths = Report(), 0
    number, end = first, first + count
    while number < end:
        board = _Board()
        process = os.fork()
        if process == 0:
            _serve(trial, number, end, seconds, board)
        _, status = os.waitpid(process, 0)
        board.read_into(report)
        number = board.number + 1
        if status != 0:
            report.findings.append((board.number, _cause(status, seconds)))
            deaths += 1
            if deaths == stop_after:
                report.findings.append((number, f"given up after {deaths} deaths"))
                break
    return report


def _cause(status, seconds):
    if not os.WIFSIGNALED(status):
        return f"the process ended with status {os.WEXITSTATUS(status)}"
    name = signal.Signals(os.WTERMSIG(status)).name
    return f"more than {seconds} s" if name == "SIGPROF" else f"killed by {name}"


def _serve(trial, number, end, seconds, board):
    """Run the trials in this process, a child, and end it."""
    faulthandler.disable()  # what kills the process is said by its status
    try:
        for n in range(number, end):
            board.number = n
            signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                outcome, problem = trial(n)
            except Exception:  # which one it is, is the finding
                outcome, problem = "foreign", traceback.format_exc(limit=-4)
            signal.setitimer(signal.ITIMER_PROF, 0)
            board.count(outcome)
            if problem:
                board.report(n, problem)
        board.number = end - 1
    except BaseException:  # nothing of the parent's may run here
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


class _Board:
    """What parent and child share: the present number, the counts, a file of findings."""

    def __init__(self):
        self._memory = mmap(-1, 8 + OUTCOMES * ROW_BYTES)
        self._rows = {}
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - read_into() closes it

    @property
    def number(self):
        return struct.unpack_from("<q", self._memory)[0]

    @number.setter
    def number(self, value):
        struct.pack_into("<q", self._memory, 0, value)

    def count(self, outcome):
        row = self._rows.setdefault(outcome, [len(self._rows), 0])
        row[1] += 1
        if row[0] < OUTCOMES:
            struct.pack_into(
                ROW, self._memory, 8 + row[0] * ROW_BYTES, outcome.encode()[:NAME], row[1]
            )

    def report(self, number, problem):
        text = problem.replace("\n", "\\n")[:900]
        os.write(self._said.fileno(), f"{number} {text}\n".encode())

    def read_into(self, report):
        """Enter what the child said; it has ended."""
        for at in range(8, len(self._memory), ROW_BYTES):
            name, count = struct.unpack_from(ROW, self._memory, at)
            if count:
                report.outcomes[name.rstrip(b"\0").decode(errors="replace")] += count
        with self._said as said:
            said.seek(0)
            for line in said.read().decode(errors="replace").splitlines():
                number, _, problem = line.partition(" ")
                report.findings.append((int(number), problem))
