"""Models at the edge of a board's heap, and what is said of them beside what happens there."""

import struct

from support.models.model_builder import ModelBuilder, Quant
from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.memory.planner import overlap
from tflm.model import Model
from tflm_host.model.files import read_model
from tflm_host.prepare import prepare
from tflm_host.report import room
from tflm_host.report.timeline import timeline
from tflm_host.targets.boards import board_facts, load_board
from tflm_host.targets.device import script
from tflm_host.targets.open_target import BOOT_SECONDS, ExecError, TargetError, open_target
from tflm_host.targets.run import Job, run_jobs

TOO_CAREFUL = 8 * 1024  # bytes that a model may be told to lack, and yet load
NEAR = 24 * 1024  # bytes of heap from the edge at which a model of the zoo is tried
QUANT = Quant(0.1, 0)


def wide(nodes, width):
    """Return a model that takes *width* bytes of arena in its middle alone, in so many nodes."""
    b = ModelBuilder()
    x = b.tensor([1, 4, 1, 1], "INT8", QUANT)
    pads = b.tensor([4, 2], "INT32", data=struct.pack("<8i", 0, 0, 0, width - 4, 0, 0, 0, 0))
    at = b.tensor([1, width, 1, 1], "INT8", QUANT)
    b.op("PAD", [x, pads], [at])
    for _ in range(nodes):
        then = b.tensor([1, width, 1, 1], "INT8", QUANT)
        b.op("RELU", [at], [then])
        at = then
    axes = b.tensor([2], "INT32", data=struct.pack("<2i", 1, 2))
    y = b.tensor([1, 1], "INT8", QUANT)
    b.op("MEAN", [at, axes], [y], keep_dims=0)
    return b.build([x], [y])


def report_of(data):
    return timeline("edge.tflite", Model(data, prepared=True), "overlap", overlap)


def at_edge(board, make, left):
    """Return the model make(width) that is said to leave *left* bytes of the board's heap.

    It leaves up to 31 bytes more, because arenas are multiples of 16.
    """
    (facts,) = board_facts([board])
    width, more = 4096, -1
    while not 0 <= more < 32:  # the second time where scratch adds some
        model = make(width)
        more = room.left_on(report_of(model), facts)[0] - left
        width += more - more % 16
    return model


def prepared_for(board):
    """Return what makes prepared models for *board*, of wide()."""
    return lambda width: prepare(wide(1, width), load_board(board).isa, by_rows=False)


def runs_on(board, models):
    """Load and run each of *models* on *board* after a reset; yield the error, None for none."""
    for data in models:
        graph = Model(data).subgraphs[0]
        fed = [bytes(graph.tensor(i).nbytes) for i in graph.inputs]
        try:
            (result,) = run_jobs(board, [Job("edge.tflite", data, [fed], prepared=True)])
        except TargetError as error:  # there is not even room for the next line of code
            yield ["TargetError", str(error).splitlines()[-1]]
        else:
            yield result.error


FILL = """
gc.collect()
filled = bytearray(%d)
trial = attempt(Trial, %r, b"", {"backend": None, "prepared": True})
print(trial and len(trial.interp.inputs + trial.interp.outputs))
"""


def loads_in(board, models, lefts):
    """Load each of *models*, {file name: bytes}, in a heap with as many free bytes as it is
    said to take.

    lefts  bytes that it is said to leave; for each of them the board is reset
    Returns [(name, left, whether it loaded)].
    """
    (facts,) = board_facts([board])
    found, begun = [], False
    with open_target(board, models=list(models.items())) as target:
        for name, data in models.items():
            over = room.left_on(report_of(data), facts)[0]
            for left in lefts:
                if begun:
                    target.repl.enter(BOOT_SECONDS)
                begun = True
                target.exec(script("on_device"))
                found.append((name, left, _loads(target, over - left, target.path(name))))
    return found


def _loads(target, filled, path):
    try:
        printed = target.exec(FILL % (filled, path))
    except ExecError:  # there is not even room for these lines
        return False
    return printed.split()[-1].isdigit()


def wrong_about(path, board):
    """Return (bytes of heap that *board* is said to have left, what is wrong with that).

    None where the model at *path* cannot run, or is not near the edge; "" where nothing is wrong.
    """
    (facts,) = board_facts([board])
    try:
        data = read_model(path)
        report = report_of(data)
        Interpreter(Model(data), measure=True)
    except ModelError:
        return None
    heap, rom = room.left_on(report, facts)
    sizes = [report.tensor(b) for b in report.buffers if b["first_used"] == 0]
    fed = sum(tensor.nbytes for tensor in sizes if tensor)
    if abs(heap) > NEAR or rom < fed + 4096:  # inputs go to /rom, too
        return None
    (error,) = runs_on(board, [data])
    if heap >= 0 and error:
        return heap, f"fits, but raises {': '.join(error)}"
    if heap < -TOO_CAREFUL and error is None:
        return heap, "runs"
    return heap, ""
