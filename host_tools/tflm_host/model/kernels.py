"""The kernels that a model's nodes run.

Runs on MicroPython, too: the web page has it.
"""

from struct import calcsize, unpack_from

import tflm.ops.collect as tables
from tflm.base import layout
from tflm.base.arena import Arena
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.ops.index import kernel_name


def kernels_of(model):
    """Return the names of the kernels that run *model* (bytes), in order of use; nothing runs."""
    return kernels_run_by(Interpreter(Model(model, prepared=True), Arena(), measure=True))


def kernels_run_by(interp):
    """Return the same for *interp*, an Interpreter of one model that has measured it."""
    model = interp.model
    if model.snapshot:
        return [kernel_name(kernel) for kernel, _ in model.snapshot.kernels()]
    names = []
    for subgraph in model.subgraphs:
        depth = interp._allocator.tables[subgraph.index]
        table = interp.arena._view(depth, subgraph.operator_count * layout.NODE_SIZE)
        for offset in range(0, len(table), calcsize(layout.NODE_FORMAT)):
            kernel = unpack_from(layout.NODE_FORMAT, table, offset)[0]
            if kernel != layout.NO_KERNEL and kernel not in names:
                names.append(kernel)
    return [kernel_name(kernel) for kernel in names]


def families_of_python():
    """Return {number: name} of the families without kernels, whose operators Python runs."""
    names = str(tables.FAMILIES, "ascii").split()
    return {i: names[i] for i in range(len(names)) if i not in tables.KERNEL_FAMILIES}


def picked_for(interp):
    """Return the names by which TFLM_OPS selects the needs of *interp*'s model.

    These are its kernels, and the families of operators without kernels, which Python runs.
    """
    families = families_of_python()
    codes = [tables.CODES.find(bytes((code,))) for code, _, _ in interp.model.opcodes]
    of_python = {tables.ROW_FAMILIES[at] for at in codes if at >= 0}
    names = kernels_run_by(interp) + [families[i] for i in sorted(of_python) if i in families]
    if interp.model.snapshot and interp.model.snapshot.is_fed():
        names.append("feeding")
    return names
