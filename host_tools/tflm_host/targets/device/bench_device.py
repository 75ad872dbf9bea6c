"""Runs on the target: the cost of loading a model, of one invoke and of each node.

Inputs are filled before each run, so that all runs have equal inputs. The first run, which imports
modules, is not counted. A clock is read in several rounds, of which the median counts.
"""

import gc
from io import BytesIO

import tflm


def bench(path, inputs, backend, count, rounds, in_ram=False):
    """Print arena and heap, the counts of load and invoke, then that of each node.

    count(function) returns what a call of the function costs; rounds: 1 where that never varies
    in_ram  whether the file is copied into the heap
    """

    # What lies elsewhere is trusted as well: the PC has proven it.
    trust = None if isinstance(path, str) and path.startswith("/rom/") else True

    def load():
        return tflm.Interpreter(path, backend=backend, prepared=trust, in_ram=in_ram)

    fill(load(), inputs).invoke()
    before = in_use()
    interp = load()
    heap = in_use() - before - interp.arena_used_bytes()
    if isinstance(path, str) and not interp.model.in_flash:
        heap -= len(interp.model.buf)
    print(interp.backend, interp.arena_used_bytes(), heap, int(interp.model.in_flash))
    del interp
    nothing = median([count(lambda: None) for _ in range(rounds)])
    print(median([count(load) for _ in range(rounds)]) - nothing)
    print(*invokes(load, inputs, count, rounds, nothing))
    print(*nodes(load, inputs, count, rounds))


def median(counts):
    return sorted(counts)[len(counts) // 2]


def invokes(load, inputs, count, rounds, nothing):
    """Return what an invoke takes.

    Of a stream these are all runs of a period: one of them goes on where the others end.
    """
    interp = load()
    invoke = interp.invoke
    period = interp.model.stream[1] if interp.model.stream else 1
    costs = [[] for _ in range(period)]
    for _ in range(rounds):
        for run in costs:
            fill(interp, inputs)
            run.append(count(lambda: invoke()) - nothing)  # noqa: PLW0108 - the call is part of it
    return [max(median(run), 0) for run in costs]


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


def nodes(load, inputs, count, rounds):
    """Return what each node takes more than a call of the runner that runs none."""
    interp = load()
    run = interp.graph.runners[0].run
    last = interp.model.subgraphs[0].operator_count
    costs, none = [[] for _ in range(last)], []
    for _ in range(rounds):
        fill(interp, inputs)
        none.append(count(lambda: run(0, 0)))
        for node, cost in enumerate(costs):
            cost.append(count(lambda node=node: run(node, node + 1)))
    least = median(none)
    return [max(median(cost) - least, 0) for cost in costs]  # a clock may say less than nothing
