"""The kernels that a model's nodes run."""

from struct import iter_unpack

from tflm import layout
from tflm.arena import Arena
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.ops.index import kernel_name


def kernels_of(model):
    """Return the names of the kernels that run *model* (bytes), in order of use."""
    snapshot = Model(model).snapshot
    if snapshot:
        return [kernel_name(kernel) for kernel, _ in snapshot.kernels()]
    arena = Arena()
    tables = Interpreter(Model(model), arena, measure=True)._allocator.tables
    names = {}
    for subgraph, depth in zip(Model(model).subgraphs, tables, strict=True):
        table = arena.view(depth, subgraph.operator_count * layout.NODE_SIZE)
        for kernel, _, _ in iter_unpack(layout.NODE_FORMAT, table):
            if kernel != layout.NO_KERNEL:
                names[kernel_name(kernel)] = None
    return list(names)
