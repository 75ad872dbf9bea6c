"""The arena report: a measuring run of the very same allocation, with a recording."""

from .arena import Arena
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
        "buffers": [_buffer(allocator, *placed) for placed in allocator.placed],
    }


def _nodes(allocator, recording):
    operators = allocator.model.subgraphs[0].operators()
    return [(op.index, op.name, recording.node_bytes((0, op.index))) for op in operators]


def _buffer(allocator, owner, buffer, offset):
    """Return one row of `buffers`; *owner* is (subgraph, tensor) or ("scratch", index)."""
    if owner[0] == "scratch":
        name = "scratch %d of node %d" % (owner[1], allocator.scratch[owner[1]][2])
        index = -1
    else:
        index = owner[1]
        name = allocator.model.subgraphs[owner[0]].tensor(index).name
    return {
        "tensor": index,
        "name": name,
        "size": buffer[0],
        "first_used": buffer[1],
        "last_used": buffer[2],
        "offset": offset,
    }
