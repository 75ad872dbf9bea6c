"""Runs on the target: what loading a model, one invoke and each node of it cost.

Inputs are filled before each run, so that all runs see the same; the first one, which imports
modules, is not counted.
"""

import gc
from io import BytesIO

import tflm


def bench(path, inputs, backend, count):
    """Print arena and heap, the counts of load and invoke, then that of each node.

    Of a stream all runs of a period are counted: one of them goes on where the others end.
    count(function) returns what a call of the function costs.
    """

    def load():
        return tflm.Interpreter(path, backend=backend)

    fill(load(), inputs).invoke()
    before = in_use()
    interp = load()
    heap = in_use() - before - len(interp.arena.buf)
    if isinstance(path, str) and not interp.model.in_flash:
        heap -= len(interp.model.buf)
    print(interp.backend, interp.arena_used_bytes(), heap, int(interp.model.in_flash))
    del interp
    nothing = count(lambda: None)
    print(count(load) - nothing)
    interp = load()
    invoke = interp.invoke
    costs = []
    for _ in range(interp.model.stream[1] if interp.model.stream else 1):
        fill(interp, inputs)
        costs.append(count(lambda: invoke()) - nothing)  # noqa: PLW0108 - the call is part of it
    print(*costs)
    interp = invoke = None
    print(*nodes(fill(load(), inputs), count))


def in_use():
    """Return the bytes of heap that are in use.

    The collector takes any word on the C stack for a pointer, so what calls have left there goes
    first.
    """
    wipe(20)
    gc.collect()
    return gc.mem_alloc()


def wipe(depth):
    """Overwrite the C stack below the caller."""
    if depth > 0:
        wipe(depth - 1)


def fill(interp, inputs):
    """Fill the inputs of *interp* from *inputs*, a path or bytes; return *interp*."""
    with open(inputs, "rb") if isinstance(inputs, str) else BytesIO(inputs) as file:
        for tensor in interp.inputs:
            file.readinto(tensor.data)
    return interp


def nodes(interp, count):
    """Return what each node takes more than a call of the runner that runs none."""
    run = interp.graph.runners[0].run
    none = count(lambda: run(0, 0))
    last = interp.model.subgraphs[0].operator_count
    return [count(lambda node=node: run(node, node + 1)) - none for node in range(last)]
