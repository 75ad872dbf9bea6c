"""Report the contents of the arena: an arena without memory notes each allocation."""

from ..base.arena import Arena
from .recording import Recording


def arena_report(interpreter):
    """Return the report described in `Interpreter.arena_report`."""
    arena = Arena(None, Recording())
    allocator = interpreter.measure(arena)
    return {
        "arena_bytes": arena.used_bytes(),
        "head_bytes": arena.head,
        "tail_bytes": arena.tail,
        "planner_heap_bytes": allocator.planner_bytes,
        "kinds": arena.recording.rows(),
        "nodes": _nodes(allocator, arena.recording),
        "groups": list(getattr(allocator, "groups", ())),  # of a prepared model
        "buffers": [_buffer(allocator, *placed) for placed in allocator.placed],
    }


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
