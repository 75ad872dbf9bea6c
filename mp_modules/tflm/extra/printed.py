"""The texts of an interpreter's `plan` and `places`, line by line."""

from struct import unpack_from

import tflm.base.layout as layout

from ..base.arena import align_up, bytes_from, spaces_of
from ..ops.index import kernel_name
from ..run.report import arena_report, place_of

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Text:
    """Lines that print() and the REPL show as they are; str() returns them."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


def plan(interpreter, width):
    """Return the text of `Interpreter.plan`."""
    lines = []
    for line in plan_lines(interpreter, width):  # in no call more: the stack of a Pico has 8 KB
        lines.append(line)
    return Text("\n".join(lines))


def places(interpreter):
    """Return the text of `Interpreter.places`."""
    lines = []
    for line in place_lines(interpreter):
        lines.append(line)
    return Text("\n".join(lines))


def plan_lines(interpreter, width):
    """Yield the lines of `Interpreter.plan`."""
    report = arena_report(interpreter)
    sizes = tuple([report[part + "_bytes"] for part in ("arena", "head", "tail")])
    yield "arena %d bytes: head %d, tail %d" % sizes
    for kind, requested, used, count in sorted(report["kinds"]):
        yield "  %s: %d bytes used, %d requested, %d times" % (kind, used, requested, count)
    step = max(align_up(-(-report["head_bytes"] // width)), layout.ALIGNMENT)
    yield "%d bytes a column; * scratch, ! shared, . free" % step
    rows, named = [], 0  # (letter, buffer)
    for buffer in report["buffers"]:
        letter = "*"
        if buffer["tensor"] >= 0:
            letter = _LETTERS[named % len(_LETTERS)]
            named += 1
        rows.append((letter, buffer))
        values = [buffer[key] for key in ("size", "offset", "first_used", "last_used", "name")]
        if values[1] >= layout.TAIL:
            values[1] -= layout.TAIL
            letter += " in the second memory,"
            rows.pop()
        yield "%s %d bytes at %d, moments %d to %d: %s" % tuple([letter] + values)
    columns = -(-report["head_bytes"] // step)
    labels = _labels(interpreter.model)
    for moment in range(max([row[1]["last_used"] for row in rows] + [-1]) + 1):
        live = [row for row in rows if row[1]["first_used"] <= moment <= row[1]["last_used"]]
        text = _drawn(live, columns, step), union([row[1] for row in live])
        yield "%3d %-20s %s %d" % ((moment, labels.get(moment, "")[:20]) + text)


def _labels(model):
    """Return {moment: node and name of the operator that runs then}."""
    from ..memory.lifetime import Lifetimes  # a board with prepared models only has none

    scopes = Lifetimes(model).node_first
    labels = {}
    for operator in model.operators():
        s = operator.subgraph.index
        label = "%s %s" % (place_of(s, operator.index), operator.name)
        labels[scopes[s][operator.index]] = label
    return labels


def _drawn(live, columns, step):
    """Return a line of *columns* characters for *step* bytes each; *live* are rows in use."""
    line = ["."] * columns
    spans = []
    for letter, buffer in live:
        start, end = buffer["offset"], buffer["offset"] + buffer["size"]
        _fill(line, letter, start, end, step)
        spans.append((start, end))
    for i, (start, end) in enumerate(spans):
        for low, high in spans[:i]:
            _fill(line, "!", max(start, low), min(end, high), step)
    return "".join(line)


def _fill(line, letter, start, end, step):
    if start < end:
        for column in range(start // step, -(-end // step)):
            line[column] = letter


def union(buffers):
    """Return how many bytes lie in at least one of *buffers*, rows of `arena_report`."""
    total = end = 0
    for start, size in sorted([(buffer["offset"], buffer["size"]) for buffer in buffers]):
        top = start + size
        total += max(top - max(end, start), 0)
        end = max(end, top)
    return total


def place_lines(interpreter):
    """Yield the lines of `Interpreter.places`."""
    totals = {}  # kind of place: bytes of tensors
    refs = interpreter._allocator.refs
    yield str(interpreter)[1:-1]
    for graph in interpreter.model.subgraphs:
        counts = graph.index, graph.name, graph.tensor_count, graph.operator_count
        yield "subgraph %d %s: %d tensors, %d nodes" % counts
        sides = list(graph.inputs), list(graph.outputs)
        yield "  inputs %s, outputs %s" % sides
        for i in range(graph.tensor_count):
            info = graph.tensor(i)
            kind, where = _place(refs[graph.index][i], info)
            if any([i in part.hidden for part in getattr(graph, "parts", ())]):
                kind = "hidden"  # in a delegate's part
            totals[kind] = totals.get(kind, 0) + info.nbytes
            shape = "x".join([str(dim) for dim in info.shape])
            words = i, info.type_name, shape, info.nbytes, kind + where, info.name
            yield "  tensor %3d %-8s %-12s %8d %-16s %s" % words
        for i in range(graph.operator_count):
            operator = graph.operator(i)
            words = operator.name, operator.version, _kernel(interpreter, graph, i)
            sides = list(operator.inputs), list(operator.outputs)
            yield "  node %3d %s v%d by %s: %s -> %s" % ((i,) + words + sides)
            for member in getattr(operator, "members", ()):
                yield "    %s" % str(member)[len("<Operator ") : -1]
    parts = ["%s %d" % (kind, totals[kind]) for kind in sorted(totals)]
    yield "bytes of tensors: %s" % ", ".join(parts)


def _place(ref, info):
    """Return where the bytes of a tensor are: a kind of place, and the position there as text."""
    if ref == layout.ABSENT:
        return "nowhere", ""  # no node uses it, or it has no bytes
    if ref < 0:
        return "rows", ""  # of which a group keeps some at a time
    if ref & 1 == layout.MODEL:
        return "model", " %d" % (ref >> 1)
    where = " %d" % (ref >> 1 & layout.TAIL - 1)
    return "variable" if info.is_variable else "plan", where


def _kernel(interpreter, graph, node):
    """Return the name of the kernel that runs *node* of *graph*, "Python" where none does."""
    table = interpreter.graph.runners[graph.index].table
    spaces = spaces_of(interpreter._allocator)
    entry = bytes_from(spaces, table + 2 * node * layout.NODE_SIZE)
    kernel = unpack_from(layout.NODE_FORMAT, entry)[0]
    return "Python" if kernel == layout.NO_KERNEL else kernel_name(kernel)
