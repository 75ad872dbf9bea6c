"""Report the bytes of arena that a model needs, their contents, and boards that have them.

Every number comes from the runtime's own allocate_tensors(), run here without memory: there is
no second formula.
"""

from dataclasses import dataclass

from tflm.base.arena import Arena, align_up
from tflm.base.errors import ArenaError
from tflm.base.layout import ALIGNMENT
from tflm.extra.constants import loosen
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..plan.compare import DEFAULT, planner_of
from ..plan.in_two import First, least_first
from ..plan.problem import of_model
from ..targets.boards import board_facts
from .duration import milliseconds
from .proven import read_proven
from .room import fits
from .terminal import number
from .timeline import Timeline, timeline


class ArenaReport(Timeline):
    """A Timeline that knows the boards."""

    def fits(self):
        """Return {board name: whether it has room for arena and model, and the kernels}."""
        return {board["name"]: fits(self, board) for board in board_facts()}

    def milliseconds(self):
        """Return {board name: about how long a run takes, None where that is unknown}."""
        return milliseconds(self.model, board_facts())

    def as_json(self):
        return {**super().as_json(), "boards": self.fits(), "milliseconds": self.milliseconds()}


def measure(
    path, planner=DEFAULT, preserve_inputs=False, preserve_intermediates=False, constants=()
):
    """Return the ArenaReport of the model file *path*.

    constants  names of tensors, or their numbers, as Interpreter takes them
    """
    preserves = preserve_inputs or preserve_intermediates
    as_planned = planner == DEFAULT and not preserves and not constants
    model = Model(read_proven(path), prepared=as_planned)
    if constants:
        model = loosen(model, [int(name) if name.isdecimal() else name for name in constants])
    plan = planner_of(model, planner, preserve_inputs, preserve_intermediates)
    found = timeline(str(path), model, planner, plan)
    return ArenaReport(found.path, found.model, planner, found.details, found.picked)


@dataclass(frozen=True)
class Memories:
    """The bytes that a model needs of each of two memories, and the bytes that they have."""

    need: tuple
    available: tuple
    first: First | None = None  # the least first memory beside this second one

    @property
    def fits(self):
        return all(map(int.__le__, self.need, self.available))

    def as_json(self):
        return {
            "memories": [
                {"bytes": need, "available": available}
                for need, available in zip(self.need, self.available, strict=True)
            ],
            "fits_in_memories": self.fits,
            **({"first_memory": vars(self.first)} if self.first else {}),
        }

    def lines(self):
        parts = map(shortage, ("first", "second"), self.need, self.available)
        proof = (first_line(self.first),) if self.first else ()
        return *proof, f"two memories: {', '.join(parts)}"


def shortage(name, need, available):
    """Return how many bytes the memory *name* must have, and has."""
    missing = need - available
    end = f"of {number(available)}"
    if missing > 0:
        end = f"but it has {number(available)}: {number(missing)} are missing"
    return f"{name} {number(need)} {end}"


def in_two(report, planner, available, is_proven=False):
    """Return the Memories of the model of *report*, by Arena's own count, without memory.

    is_proven  whether the least first memory is searched, and the solver asked for a lower one
    """
    available = tuple(size & -ALIGNMENT for size in available)
    need = needed_of_each(report.model, available, planner)
    first = None
    if is_proven and report.model.snapshot is None:  # no board divides a prepared plan
        problem = of_model(report.model)
        tail = align_up(report.details["tail_bytes"])
        first = least_first(problem.buffers, problem.overlaps, available[1] - tail)
    return Memories(need, available, first)


def needed_of_each(model, available, planner=DEFAULT):
    """Return the bytes that *model* needs of each of two memories, of *available* bytes."""
    arena = Arena()
    arena._is_split, arena.size = True, available[0]
    try:
        Interpreter(model, arena, planner=planner, measure=True)
    except ArenaError:  # which a plan that nobody can divide makes: how much does it take?
        arena = Arena()
        arena._is_split = True
        Interpreter(model, arena, planner=planner, measure=True)
    return arena.used_in_each()


def first_line(first):
    """Return what *first*, a plan.in_two.First, says of the first memory."""
    end = "no plan takes less"
    if first.found < first.nbytes:
        end = f"the solver's plan takes {number(first.found)}, {end}"
    if first.bound < first.found:
        end += f" than {number(first.bound)}"
    return f"with this second memory, boards need {number(first.nbytes)} of the first: {end}"


def measure_shared(models, planner=DEFAULT):
    """Return the bytes of one arena that all *models*, tflm.Models, share, running in turn."""
    arena = Arena()
    for model in models:
        Interpreter(model, arena, planner=planner_of(model, planner), measure=True)
    return arena.used_bytes()
