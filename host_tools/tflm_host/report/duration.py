"""About how long a run of a model takes on a board: from its shapes, without an emulator.

The cycles of a node are a sum of few counts, each at a rate. `make rates` fits the rates to models
that ran on emulated boards, and writes rates.py. Cache misses of a flash are estimated as well.
Runs on MicroPython, too: the web page has it.
"""

from ..model.flash_cache import LINE, RP2_CACHE, read_again
from .rates import FACTORS, MISSES, RATES, RUN

CONV, DEPTHWISE, TRANSPOSED, DENSE = (
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "TRANSPOSE_CONV",
    "FULLY_CONNECTED",
)
REDUCTIONS = "AVERAGE_POOL_2D", "MAX_POOL_2D", "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"
RECURRENT = "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM"


def counts_of(operator):
    """Return (type, counts) of a node.

    counts  products, outputs, channels, positions, values of all windows, rows of all windows
    """
    graph = operator.subgraph
    data = [graph.tensor(i) for i in operator.inputs if i >= 0]
    outputs = sum([graph.tensor(i).elements for i in operator.outputs])
    read = sum([info.elements for info in data if not info.is_constant])
    name, kind = operator.name, data[0].type if data else -1
    products = _products(name, data, outputs, read)
    channels = 0
    if name in (CONV, DEPTHWISE, TRANSPOSED, DENSE):
        channels = graph.tensor(operator.outputs[0]).shape[-1]
    if channels:
        positions = outputs // channels
        rows = positions * (data[1].shape[1] if name == CONV and len(data) > 1 else 0)
        return kind, (products, outputs, channels, positions, products // channels, rows)
    return kind, (products, outputs if products else max(outputs, read), 0, 0, 0, 0)


def _products(name, data, outputs, read):
    if name in (CONV, DEPTHWISE) and len(data) > 1:
        shape = data[1].shape
        return outputs * shape[1] * shape[2] * (shape[3] if name == CONV else 1)
    if name == TRANSPOSED and len(data) > 2:
        shape = data[1].shape
        return data[2].elements * shape[0] * shape[1] * shape[2]
    if name == DENSE and len(data) > 1:
        return outputs * data[1].shape[-1]
    if name == "BATCH_MATMUL":
        return outputs * data[0].shape[-1]
    if name in REDUCTIONS:
        return read
    if name in RECURRENT:
        steps = data[0].shape[1] if name != "SVDF" and len(data[0].shape) > 2 else 1
        return steps * sum([info.elements for info in data if info.is_constant])
    return 0


def rate_of(rates, name, kind):
    """Return the rates of an operator; of another type, or of any operator, if none is known."""
    found = rates.get((name, kind))
    if found is None:
        found = next((rates[key] for key in sorted(rates) if key[0] == name), rates["", 0])
    return found


def dot(counts, rates):
    return sum([counts[i] * rate for i, rate in enumerate(rates)])


def cycles(model, isa):
    """Return about how many cycles a run of *model* takes from memory that never waits."""
    rates = RATES[isa]
    factors = FACTORS[isa] if model.snapshot else {}
    total = RUN[isa]
    for operator in model.operators():
        kind, counts = counts_of(operator)
        call, *each = rate_of(rates, operator.name, kind)
        found = call + dot(counts, each)
        total += found * factors.get(operator.name, 1)
    return total


def missed(model, isa):
    """Return about how many lines a run of *model* misses in a Pico's cache: of data, of code."""
    run, nodes, *data = MISSES[isa]
    counts = lines_of(model)
    return dot(counts[2:], data), dot(counts[:2], (run, nodes))


def lines_of(model):
    """Return the counts of `missed`: 1, nodes, lines of constants, lines that are read again."""
    nodes = again = nbytes = 0
    for graph in model.subgraphs:
        for i in range(graph.tensor_count):
            info = graph.tensor(i)
            nbytes += info.nbytes if info.is_constant else 0
    for operator in model.operators():
        nodes += 1
        if operator.name == CONV:
            _, (_, _, channels, positions, values, _) = counts_of(operator)
            nbytes_of_filter = values // max(positions, 1) * channels
            again += read_again(nbytes_of_filter, RP2_CACHE, (positions + 1) // 2) // LINE
    return 1, nodes, nbytes // LINE, again


def milliseconds(model, boards):
    """Return {name: how long a run takes, to 0.1; None if unknown} of rows of board_facts()."""
    isas = {board["isa"] for board in boards if board["mhz"]}
    work = {isa: (cycles(model, isa), missed(model, isa)) for isa in isas}
    found = {}
    for board in boards:
        ms = None
        if board["mhz"]:
            total, misses = work[board["isa"]]
            total = (total + dot(misses, board["miss"])) * board["wait"]
            ms = round(total / board["mhz"] / 1000, 1)
        found[board["name"]] = ms
    return found


def about(ms):
    """Return *ms* as text with two digits; "" for None."""
    if ms is None:
        return ""
    unit, value = ("s", ms / 1000) if ms >= 1000 else ("ms", ms)
    if value >= 100:
        return f"{round(value / 10) * 10} {unit}"
    return f"{value:.{0 if value >= 10 else 1}f} {unit}"
