"""Report the contents of the arena: an arena without memory notes each allocation."""

import tflm.base.layout as layout

from ..base.arena import align_up
from ..base.port import bring
from .prepared import SCRATCH
from .recording import Recording


def arena_report(interpreter):
    """Return the report described in `Interpreter.arena_report`."""
    arena = interpreter.arena._measuring(Recording())
    allocator = interpreter.measure(arena)
    return {
        "arena_bytes": arena.used_bytes(),
        "head_bytes": arena.head,
        "tail_bytes": arena.tail,
        "planner_heap_bytes": allocator.planner_bytes,
        "kinds": arena.recording.rows(),
        "nodes": _nodes(allocator, arena.recording),
        "groups": list(getattr(allocator, "groups", ())),  # of a prepared model
        "buffers": [_buffer(allocator, *row) for row in placed(allocator)],
    }


def placed(allocator):
    """Return rows (owner, buffer, offset) of the memory plan; a MicroAllocator has noted them."""
    found = allocator.placed
    return _placed_of_snapshot(allocator) if found is None else found


def _placed_of_snapshot(allocator):
    """Return the rows of the memory plan of a PreparedAllocator."""
    try:
        lifetimes_of = bring("memory.lifetime").Lifetimes
    except ImportError as error:
        raise ImportError(
            "firmware for prepared models only does not show an arena: tflm arena does"
        ) from error
    model, snapshot = allocator.model, allocator._snapshot
    model.verify()
    lifetimes = lifetimes_of(model)
    for first, last in allocator.groups:
        lifetimes.join(first, last)
    graphs = model.subgraphs
    end = max([max(row) for row in lifetimes.node_last if len(row)] + [0])
    rows = []
    for s, refs in enumerate(allocator.refs):
        first, last = lifetimes.first[s], lifetimes.last[s]
        for i, ref in enumerate(refs):
            if ref >= 0 and ref & 1 == layout.ARENA:
                tensor = graphs[s].tensor(i)
                span = (0, end) if tensor.is_variable else (first[i], last[i])
                size = align_up(tensor.nbytes)
                rows.append(((s, i), (size,) + span + (ref >> 1,), ref >> 1))
    for i, (offset, nbytes, _, _) in enumerate(allocator.resources):
        rows.append(((len(graphs), i), (align_up(nbytes), 0, end, offset), offset))
    for i, (offset, size, node, s) in enumerate(snapshot.rows(12, SCRATCH)):
        snapshot.require(0 <= s < len(graphs) and 0 <= node < graphs[s].operator_count)
        span = lifetimes.node_first[s][node], lifetimes.node_last[s][node]
        rows.append((("scratch", i), (size,) + span + (offset,), offset))
    for _, buffer, offset in rows:
        room = snapshot.arena_bytes
        if offset >= layout.TAIL:
            room = snapshot.second_bytes + layout.TAIL
        snapshot.require(0 <= offset <= room - buffer[0])
    return rows


def place_of(subgraph, index):
    """Return how a node is named: by its index, in a subgraph that others run "1:0"."""
    return "%d:%d" % (subgraph, index) if subgraph else index


def _nodes(allocator, recording):
    rows = []
    for op in allocator.model.operators():
        s = op.subgraph.index
        rows.append((place_of(s, op.index), op.name, recording.node_bytes((s, op.index))))
    return rows


def _buffer(allocator, owner, buffer, offset):
    """Return one row of `buffers`; *owner* is (subgraph, tensor) or ("scratch", index)."""
    if owner[0] == "scratch":
        _, subgraph, node = allocator.scratch[owner[1]]
        name = "scratch %d of node %d" % (owner[1], node)
        index = -1
    else:
        subgraph, index = owner
        graphs = allocator.model.subgraphs
        name = "resource %d" % index  # behind the last subgraph
        if subgraph < len(graphs):
            name = graphs[subgraph].tensor(index).name
    return {
        "subgraph": subgraph,
        "tensor": index,
        "name": name,
        "size": buffer[0],
        "first_used": buffer[1],
        "last_used": buffer[2],
        "offset": offset,
    }
