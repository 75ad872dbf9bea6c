"""Writes a memory plan into a model, as metadata that TFLM and this runtime follow.

The metadata gives every tensor its offset, but no scratch buffer: the device places these around
the tensors. So the value of a plan is the device's result, and this module runs the device's
planner.
"""

from dataclasses import dataclass, replace
from struct import pack

from tflm.base.errors import ModelError
from tflm.memory import plan_check
from tflm.memory.offline import NAME
from tflm.memory.planner import ONLINE, overlap
from tflm.model import PREPARED, Model

from ..model import flatfile
from ..model.settled import settled_model
from .optimal import EFFORT, solve
from .problem import of_model

VERSION = 1  # of the metadata; nobody reads it


@dataclass(frozen=True)
class Planned:
    """A model with its plan: *height* bytes of head, and the *bound* that no plan is below."""

    data: bytes
    height: int
    bound: int


def plan_model(
    data, effort=EFFORT, overlaps=True, preserve_inputs=False, preserve_intermediates=False
):
    """Return the model *data* Planned as low as can be, in place of a plan that it has.

    overlaps  False: every two tensors in use at one moment lie apart, as TFLM needs it too
    preserve_inputs, preserve_intermediates  nothing is written over inputs, or over any tensor
    """
    given = Model(settled_model(data), prepared=False)
    given.verify()  # flatfile reads what was checked
    root = flatfile.read(given.buf)
    names = [entry.name for entry in root.metadata]
    if PREPARED.encode() in names:
        raise ModelError("the model is prepared: write the plan first, and prepare it then")
    if NAME.encode() in names:
        flatfile.drop_metadata(root, NAME)
    model = Model(flatfile.write(root))
    problem = wanted = of_model(model)
    if not overlaps:
        wanted = replace(wanted, overlaps=())
    if preserve_inputs or preserve_intermediates:
        wanted = wanted.by_reference_counts(model, preserve_inputs, preserve_intermediates)
    solution = solve(wanted.buffers, wanted.overlaps, effort)
    plans = [solution.offsets, overlap(wanted.buffers, wanted.overlaps)[0], _above_scratch(wanted)]
    offsets, height = _best_on_device(problem, wanted, plans)
    flatfile.add_metadata(root, NAME, _metadata(model, problem, offsets))
    return Planned(flatfile.write(root), height, solution.bound)


def _best_on_device(problem, wanted, plans):
    """Return (offsets, height) of the lowest of *plans* that the device can complete.

    The device plans with the lifetimes of *problem*, not of *wanted*. It may put a scratch buffer
    into the place of a tensor that is to be preserved.
    """
    best = None
    for plan in plans:
        offsets, height = overlap(problem.fixed(plan).buffers, problem.overlaps)
        sound = plan_check.check(wanted.buffers, offsets, height, wanted.overlaps) is None
        if sound and (best is None or height < best[1]):
            best = offsets, height
    return best


def _above_scratch(problem):
    """Return offsets with all tensors above the place that the scratch of any node needs.

    The device puts scratch at the lowest offset, so this plan keeps every lifetime.
    """
    scratch = {}  # first moment -> bytes
    for (size, first, _, _), owner in zip(problem.buffers, problem.owners, strict=True):
        if owner[0] == "scratch":
            scratch[first] = scratch.get(first, 0) + size
    floor = max(scratch.values(), default=0)
    tensors = [i for i, owner in enumerate(problem.owners) if owner[0] != "scratch"]
    index = {i: k for k, i in enumerate(tensors)}
    pairs = [(index[out], index[data], d) for out, data, d in problem.overlaps]
    placed = overlap([problem.buffers[i] for i in tensors], pairs)[0]
    offsets = [0] * len(problem.owners)
    for i, offset in zip(tensors, placed, strict=True):
        offsets[i] = floor + offset
    return offsets


def _metadata(model, problem, offsets):
    placed = dict(zip(problem.owners, offsets, strict=True))
    tensors = [(s.index, i) for s in model.subgraphs for i in range(s.tensor_count)]
    words = VERSION, len(model.subgraphs), len(tensors)
    offsets = [placed.get(tensor, ONLINE) for tensor in tensors]
    return pack(f"<{len(words) + len(offsets)}i", *words, *offsets)
