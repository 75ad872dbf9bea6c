"""Advice for a smaller arena, with the bytes saved if they are known; the largest comes first."""

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import PREPARED, Model

from ..model.kernels import picked_for
from ..plan.compare import without_plan
from ..plan.optimal import SolverMissing, lower_bound, solve
from ..plan.problem import of_model
from ..prepare import prepare
from ..targets.boards import board_facts
from ..targets.isa import core_of
from ..targets.run import HOST
from .advice import Advice, of_operators, sorted_advice
from .room import missing_of

WORTH_SOLVING = 0.02  # part of the head that a plan must promise before the solver is started
EFFORT = 1.0  # of the solver


def advise(report, board=None):
    """Return [Advice] for an ArenaReport; on preparing, for *board*, or else for this machine."""
    model, data = report.model, bytes(report.model.buf)
    found = []
    if PREPARED not in model.metadata and len(model.subgraphs) == 1:
        found += _prepare(report, data, board)
        found += _plan(report, data)
    return sorted_advice(found + of_operators(report))


def _prepare(report, data, board):
    core = core_of(board or HOST)
    try:
        prepared = prepare(data, core.isa, flash_cache=core.flash_cache)
        interp = Interpreter(Model(prepared, prepared=True), measure=True)
    except (ModelError, SolverMissing):
        return  # nothing to prepare: another operator than a prepared model can hold
    command = f"tflm prepare --target {board}" if board else "tflm prepare"
    text = f"{command}: an arena of {interp.arena_used_bytes():,} bytes"
    lacks = missing_of(picked_for(interp), *board_facts([board])) if board else []
    if lacks:
        text += f", once the firmware has {', '.join(lacks)}"
    yield Advice(report.arena_bytes - interp.arena_used_bytes(), text)


def _plan(report, data):
    """The bytes that another plan of the model saves; the solver runs if that may be much."""
    problem = of_model(Model(without_plan(data)))
    head = report.details["head_bytes"]
    bound = lower_bound(problem.buffers, problem.overlaps)
    if head - bound > head * WORTH_SOLVING:
        try:
            best = solve(problem.buffers, problem.overlaps, EFFORT)
        except SolverMissing as error:
            yield Advice(head - bound, str(error), certain=False)
            return
        yield Advice(head - best.height, f"tflm plan: a head of {best.height:,} bytes")
