"""Loads while others load: scheduled callbacks on MicroPython, threads on CPython; bad hooks."""

import sys
import threading
from collections import Counter

import tflm
from support.fuzz.fuzz_host import inputs_of
from support.fuzz.fuzz_workers import Report, run_trials
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

MODELS = ("sine", "digits_cnn", "digits_gated")
SECONDS = 3000
SWITCH_SECONDS = 1e-5  # between threads
ROUND = 10  # loads of a thread in one process
ROUND_SECONDS = 60

# A callback is always due: each schedules the next. It looks at a tensor, or loads and runs a
# model itself, in turns.
CALLBACKS = """
import micropython, tflm
class Caller:
    def __init__(self, paths):
        self.paths = paths
        self.seen = tflm.Interpreter(paths[1])
        self.calls = 0
        self.wrong = {}
        self.is_on = False
        self.busy = False
    def start(self):
        self.is_on = True
        micropython.schedule(self.call, 0)
    def call(self, _):
        self.calls += 1
        if not self.busy:
            self.busy = True
            try:
                self.act()
            except Exception as error:
                self.note("in a callback", error)
            self.busy = False
        if self.is_on:
            micropython.schedule(self.call, 0)
    def act(self):
        if self.calls % EVERY == 0:
            k = self.calls // EVERY % len(self.paths)
            if run(self.paths[k]) != expected[k]:
                self.note("in a callback", ValueError("other outputs"))
        else:
            self.seen.tensor(self.calls % 8)
    def note(self, where, error):
        text = "%s: %s: %s" % (where, type(error).__name__, error)
        self.wrong[text] = self.wrong.get(text, 0) + 1
def run(path):
    interp = tflm.Interpreter(path)
    for tensor in interp.inputs:
        tensor.data[:] = bytes(tensor.nbytes)
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs], interp.arena_used_bytes()
def loads(paths, first, count):
    global expected
    expected = [run(path) for path in paths]
    caller = Caller(paths)
    for i in range(first, first + count):
        caller.start()
        try:
            if run(paths[i % len(paths)]) != expected[i % len(paths)]:
                caller.note("load", ValueError("other outputs"))
        except Exception as error:
            caller.note("load", error)
        caller.is_on = False
        while caller.busy:
            pass
    for text in caller.wrong:
        print("!", caller.wrong[text], text)
    print("=", count, caller.calls)
"""


def _own_models():
    return [ROOT / "models" / f"{name}.tflite" for name in MODELS]


def with_callbacks(first, count, target="unix", every=50):
    """Load *count* times with callbacks at every poll; each *every*-th loads a model, too."""
    paths = _own_models()
    with open_target(target, models=paths) as device:
        device.exec(CALLBACKS.replace("EVERY", str(every)))
        there = [device.path(path) for path in paths]
        said = device.exec(f"loads({there!r}, {first}, {count})", SECONDS)
    *lines, last = said.strip().splitlines()
    _, loads, calls = last.split()
    report = Report(Counter(loads=int(loads), callbacks=int(calls)))
    report.findings = [(first, line) for line in lines if line.startswith("!")]
    return report


def in_threads(first, count, threads=3):
    """Load and run *count* times in each of *threads* threads at once, in a process of its own."""
    data = [path.read_bytes() for path in _own_models()]
    expected = [_answer(model, 0) for model in data]

    def trial(number):
        found = Counter()

        def work(thread):
            for i in range(ROUND):
                k = (thread + number + i) % len(data)
                try:
                    problem = "" if _answer(data[k], 0) == expected[k] else "other outputs"
                except Exception as error:  # which one it is, is the finding
                    problem = f"{type(error).__name__}: {error}"
                found[problem] += 1

        running = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        del found[""]
        return "rounds", "; ".join(found)

    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        report = run_trials(trial, first, -(-count // ROUND), ROUND_SECONDS)
    finally:
        sys.setswitchinterval(before)
    report.outcomes["loads"] = report.outcomes.pop("rounds", 0) * ROUND * threads
    return report


def _answer(model, number, hook=None):
    interp = tflm.Interpreter(model)
    given = inputs_of(interp, number)
    return interp.arena_used_bytes(), _invoke(interp, given, hook)


def _invoke(interp, given, hook=None):
    interp.on_node = hook
    interp.reset()
    for tensor, values in zip(interp.inputs, given, strict=True):
        tensor.data[:] = values
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


class Stop(Exception):
    """What a hook raises."""


def with_bad_hooks(models):
    """Let a hook raise at every node of every model; the next invoke must be as without it."""
    report = Report()
    for name, model in models:
        try:
            interp = tflm.Interpreter(model)
        except (tflm.ModelError, tflm.ArenaError):
            continue
        given = inputs_of(interp, 0)
        _invoke(interp, given)  # what its CALL_ONCE wrote is gone behind the next reset
        expected = _invoke(interp, given)
        for node in range(interp.model.subgraphs[0].operator_count):
            problem = _raise_at(node, interp, given, expected)
            report.outcomes["nodes"] += 1
            if problem:
                report.findings.append((node, f"{name}, node {node}: {problem}"))
    return report


def _raise_at(node, interp, given, expected):
    def hook(i):
        if i == node:
            raise Stop

    try:
        _invoke(interp, given, hook)
    except Stop:
        found = _invoke(interp, given)
        return "" if found == expected else "the next invoke answers otherwise"
    return "the hook was not called, or its exception was lost"
