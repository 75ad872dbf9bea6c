"""`tflm ops`: the kernels that a firmware for some models alone needs."""

from struct import iter_unpack

import click

from tflm import layout
from tflm.arena import Arena
from tflm.interpreter import Interpreter
from tflm.model import Model

from .cli_common import model_files, print_json, read_model, reports_errors


@click.command("ops")
@click.argument("models", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def ops(models, as_json):
    """Print the kernels that MODELS (files, or folders of them) need, in one line.

    It is what `make firmware BOARD=... TFLM_OPS=...` takes: that firmware has these kernels alone.
    """
    found = {str(path): kernels_of(read_model(path)) for path in model_files(models)}
    used = {name for names in found.values() for name in names}
    kernels = [kernel[0] for kernel in layout.KERNELS if kernel[0] in used]
    if as_json:
        print_json({"kernels": kernels, "models": found})
    else:
        click.echo(",".join(kernels))


def kernels_of(model):
    """Return the names of the kernels that run *model* (bytes), in order of use."""
    snapshot = Model(model).snapshot
    if snapshot:
        return [layout.KERNELS[kernel][0] for kernel in snapshot.kernels()]
    arena = Arena()
    tables = Interpreter(Model(model), arena, measure=True)._allocator.tables
    names = {}
    for subgraph, depth in zip(Model(model).subgraphs, tables, strict=True):
        table = arena.view(depth, subgraph.operator_count * layout.NODE_SIZE)
        for kernel, _, _ in iter_unpack(layout.NODE_FORMAT, table):
            if kernel != layout.NO_KERNEL:
                names[layout.KERNELS[kernel][0]] = None
    return list(names)
