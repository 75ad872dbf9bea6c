"""Writes a memory plan into a model, as metadata that TFLM and this runtime follow.

The metadata gives every tensor its offset, but no scratch buffer: the device places those around
the tensors. So a plan is worth what the device makes of it, and that is asked of the very
planner that runs there.
"""

from dataclasses import dataclass
from struct import pack

from tflm.errors import ModelError
from tflm.model import PREPARED, Model
from tflm.offline import NAME
from tflm.planner import ONLINE, overlap

from .. import flatfile
from .optimal import SECONDS, solve
from .problem import of_model

VERSION = 1  # of the metadata; nobody reads it


@dataclass(frozen=True)
class Planned:
    """A model with its plan: *height* bytes of head, and the *bound* that no plan is below."""

    data: bytes
    height: int
    bound: int


def plan_model(data, seconds=SECONDS, overlaps=True):
    """Return the model *data* Planned as low as can be, in place of a plan that it has.

    overlaps  False: every two tensors in use at one moment lie apart, as TFLM needs it too
    """
    given = Model(data, prepared=False)
    given.verify()  # flatfile reads what was checked
    root = flatfile.read(given.buf)
    names = [entry.name for entry in root.metadata or ()]
    if PREPARED.encode() in names:
        raise ModelError("the model is prepared: write the plan first, and prepare it then")
    if NAME.encode() in names:
        flatfile.drop_metadata(root, NAME)
    model = Model(flatfile.write(root))
    problem = of_model(model)
    allowed = problem.overlaps if overlaps else ()
    solution = solve(problem.buffers, allowed, seconds)
    offsets, height = solution.offsets, _on_device(problem, solution.offsets)
    default = overlap(problem.buffers, allowed)[0]
    if _on_device(problem, default) < height:
        offsets, height = default, _on_device(problem, default)
    flatfile.add_metadata(root, NAME, _metadata(model, problem, offsets))
    return Planned(flatfile.write(root), height, solution.bound)


def _on_device(problem, offsets):
    """Return the height of the plan whose tensors lie at *offsets*, with scratch where it goes."""
    return overlap(problem.fixed(offsets).buffers, problem.overlaps)[1]


def _metadata(model, problem, offsets):
    placed = dict(zip(problem.owners, offsets, strict=True))
    tensors = [(s.index, i) for s in model.subgraphs for i in range(s.tensor_count)]
    words = VERSION, len(model.subgraphs), len(tensors)
    offsets = [placed.get(tensor, ONLINE) for tensor in tensors]
    return pack(f"<{len(words) + len(offsets)}i", *words, *offsets)
