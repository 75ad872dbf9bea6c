"""The planners by name, and the plan of each for one model."""

from dataclasses import dataclass

from tflm.extra.arena_planner import best_fit
from tflm.interpreter import Interpreter
from tflm.memory.offline import NAME
from tflm.memory.planner import PLANNERS
from tflm.model import Model

from ..model import flatfile
from .optimal import EFFORT, LARGE, optimal, solve
from .problem import of_model

DEFAULT = "overlap"
HOST_PLANNERS = {"best_fit": best_fit, "optimal": optimal}
NAMES = sorted({**PLANNERS, **HOST_PLANNERS})
COMPARED = ("linear", "greedy", "best_fit", "overlap", "optimal")


@dataclass(frozen=True)
class Row:
    """The plan of *planner* for a model; *bound*: a height that no plan is below, if known."""

    planner: str
    head_bytes: int
    arena_bytes: int
    bound: int | None = None

    def as_json(self):
        return dict(vars(self))


def planner_of(model, name, preserve_inputs=False, preserve_intermediates=False):
    """Return a planner for Interpreter, only for *model* if lifetimes are changed."""
    preserving = preserve_inputs or preserve_intermediates
    if name == "linear" or (name in PLANNERS and not preserving):
        return PLANNERS[name]
    problem = of_model(model)
    if name == "best_fit" or preserving:
        problem = problem.by_reference_counts(model, preserve_inputs, preserve_intermediates)
    plan = {**PLANNERS, **HOST_PLANNERS}[name](problem.buffers, problem.overlaps)
    return lambda _buffers, _overlaps=(): plan


def compare(data, effort=EFFORT):
    """Return a Row for each planner, and one for the plan that the model *data* brings along."""
    rows = []
    plain = without_plan(data)
    if plain is not data:
        rows.append(_row("its own", Model(data, prepared=False), PLANNERS[DEFAULT]))
    model = Model(plain, prepared=False)
    problem = of_model(model)
    best = solve(problem.buffers, problem.overlaps, effort)
    quick = ("linear", DEFAULT)
    names = [name for name in COMPARED[:-1] if name in quick or len(problem.buffers) <= LARGE]
    for name in names:
        rows.append(_row(name, model, planner_of(model, name)))
    plan = best.offsets, best.height
    rows.append(_row("optimal", model, lambda _buffers, _overlaps=(): plan, best.bound))
    return rows


def _row(name, model, planner, bound=None):
    report = Interpreter(model, planner=planner, measure=True).arena_report()
    return Row(name, report["head_bytes"], report["arena_bytes"], bound)


def without_plan(data):
    """Return *data* itself, or a copy of the model without the plan that it brings along."""
    given = Model(data, prepared=False)
    given.verify()
    if NAME not in given.metadata:
        return data
    root = flatfile.read(data)
    flatfile.drop_metadata(root, NAME)
    return flatfile.write(root)
