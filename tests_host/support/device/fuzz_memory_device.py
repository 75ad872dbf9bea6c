"""Runs on boards/unix-memfail: every allocation of a model's life fails once, one after the other.

The life of a model is load, views, invoke, reset, a hook, close. The n-th allocation of it fails,
alone or with all later ones, for n = 0, 1, 2, ... until there is no n-th any more. What a life
imports is imported before: an import that fails leaves half a module behind in MicroPython.
"""

import sys

import memfail

import tflm


class Life:
    """One life of the model in *data*; `interp` outlives an error in it."""

    def __init__(self, data, given, backend, arena):
        self.data = data
        self.given = given
        self.backend = backend
        self.arena = arena
        self.interp = None
        self.said = []

    def run(self):
        self.interp = tflm.Interpreter(self.data, self.arena, backend=self.backend, prepared=True)
        for again in range(2):
            self.invoke()
            if not again:
                self.interp.reset()
        self.interp.on_node = passed_by
        self.invoke()
        self.interp.on_node = None
        self.interp.close()

    def invoke(self):
        interp = self.interp
        interp.reset()
        for i, values in enumerate(self.given):
            interp.inputs[i].data[:] = values
        interp.invoke()
        self.said.append([bytes(tensor.data) for tensor in interp.outputs])


def passed_by(_node):
    pass


def sweep(path, given, backend, every, shared, first):
    """Let allocation first, first + every, ... fail; print the number of trials and problems."""
    with open(path, "rb") as file:
        data = file.read()
    life = Life(data, given, backend, None)
    life.run()
    expected = life.said
    size = life.interp.arena_used_bytes()
    problems, trials = [], 0
    for every_later in (False, True):
        n = first
        while True:
            arena = tflm.Arena(bytearray(2 * size)) if shared else None  # of two lives
            failed, problem = fail_at(n, every_later, Life(data, given, backend, arena), expected)
            trials += 1
            again = Life(data, given, backend, arena)
            again.run()
            if again.said != expected:
                problem = problem or "the load after it answers otherwise"
            if problem:
                problems.append((n, every_later, problem))
            if not failed:
                break
            n += every
    for problem in problems:
        print("!", *problem)
    print("=", trials)


def fail_at(n, every_later, life, expected):
    """Return whether there was an allocation *n*, and what is wrong."""
    problem = ""
    memfail.after(n, every_later)
    try:
        life.run()
        memfail.off()
        if life.said != expected:
            problem = "other outputs without an error"
    except MemoryError:  # ArenaError is one
        memfail.off()
    except Exception as error:
        memfail.off()
        problem = f"{type(error).__name__}: {error}"
        sys.print_exception(error)
    made = memfail.off()
    if life.arena and not life.interp and life.arena.tail:
        problem = problem or "a load that failed keeps a part of the arena"
    if life.interp and life.said != expected:
        problem = problem or after_failure(life, expected)
    life.interp = None
    return made > n, problem


def after_failure(life, expected):
    """An interpreter whose load went well must still run after a later failure, unless closed.

    Its outputs are those of its first run, or, where CALL_ONCE is over, as after a reset.
    """
    life.interp.on_node = None
    life.said = []
    life.invoke()
    return "" if life.said[0] in expected[:2] else "the interpreter answers otherwise afterwards"
