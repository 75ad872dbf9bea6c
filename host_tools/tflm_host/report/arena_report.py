"""Report the bytes of arena that a model needs, their contents, and boards that have them.

Every number comes from the runtime's own allocate_tensors(), run here without memory: there is
no second formula.
"""

from tflm.base.arena import Arena
from tflm.extra.constants import loosen
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..plan.compare import DEFAULT, planner_of
from ..targets.boards import board_facts
from .duration import milliseconds
from .proven import read_proven
from .room import fits
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


def measure_shared(models, planner=DEFAULT):
    """Return the bytes of one arena that all *models*, tflm.Models, share, running in turn."""
    arena = Arena()
    for model in models:
        Interpreter(model, arena, planner=planner_of(model, planner), measure=True)
    return arena.used_bytes()
