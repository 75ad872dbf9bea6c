"""How an interpreter gets its nodes and its memory, and modules that few models need."""

from ..base.errors import ModelError, UnsupportedOpError
from ..base.port import tidy


def place_snapshot(interp):
    """Let *interp* take what its prepared model brings."""
    if interp._keep_inputs:
        raise ModelError(
            "a prepared model overwrites its inputs: for keep_inputs take the unprepared .tflite,"
            " or Model(..., prepared=False)"
        )
    snapshot = interp.model.snapshot
    if not interp._measure:
        snapshot.check()
    interp._allocator = snapshot.allocator(interp.arena)


def loader_of(model):
    """Return what loads *model*; raise UnsupportedOpError where this firmware has nothing."""
    tidy("load")
    try:
        from ..load.loading import load
    except ImportError:
        if model.untrusted:
            raise UnsupportedOpError(
                "this firmware runs prepared models only, and trusts this one only in /rom: put"
                " it there with tflm deploy, or say prepared=True"
            ) from None
        raise UnsupportedOpError(
            "this firmware runs prepared models only: make one with tflm prepare"
        ) from None
    return load


def load_plain(interp):
    """Prepare the operators of *interp*'s model and plan its arena."""
    load = loader_of(interp.model)
    options = interp.model, interp.arena, interp.resolver, interp._planner, interp._keep_inputs
    interp._allocator, interp.context, interp._nodes = load(*options, interp._external)


def spoil(interp):
    """Let each run end with other bytes in the inputs, as it may on a board."""
    graph = interp.model.subgraphs[0]
    inputs, outputs = [[graph.tensor(i) for i in side] for side in (graph.inputs, graph.outputs)]
    used_up = [info for info in inputs if interp._is_used_up(graph, info)]
    view = interp._allocator.view_of
    dead, alive = [[view(graph, info) for info in infos] for infos in (used_up, outputs)]
    interp.graph.runners[0].run.spoil(dead, alive)
