"""What would make a model's arena smaller, in bytes where they are known: the largest first."""

from dataclasses import dataclass

from tflm.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import PREPARED, Model

from ..plan.compare import without_plan
from ..plan.optimal import SolverMissing, lower_bound, solve
from ..plan.problem import of_model
from ..prepare import prepare
from ..targets.boards import PORTABLE
from .terminal import short

FLOAT = "float32"
HIGH = 0.8  # operators that need more than this part of the worst moment hold up the head
WORTH_SOLVING = 0.02  # part of the head that a plan must promise before the solver is started
SECONDS = 2.0  # for it


@dataclass(frozen=True)
class Advice:
    """*nbytes* of arena saved by following *text*; at most so many where *certain* is false."""

    nbytes: int
    text: str
    certain: bool = True

    def as_json(self):
        return dict(vars(self))


def advise(report):
    """Return [Advice] for an ArenaReport."""
    model, data = report.model, bytes(report.model.buf)
    found = []
    if PREPARED not in model.metadata and len(model.subgraphs) == 1:
        found += _prepare(report, data)
        found += _plan(report, data)
    found += _operators(report)
    return sorted((advice for advice in found if advice.nbytes > 0), key=lambda a: -a.nbytes)


def _prepare(report, data):
    try:
        arena = Interpreter(Model(prepare(data, PORTABLE)), measure=True).arena_used_bytes()
    except (ModelError, SolverMissing):
        return  # nothing to prepare: another operator than a prepared model can hold
    yield Advice(report.arena_bytes - arena, f"tflm prepare: an arena of {arena:,} bytes")


def _plan(report, data):
    """What another plan of the same model saves; the solver is asked where that may be much."""
    problem = of_model(Model(without_plan(data)))
    head = report.details["head_bytes"]
    bound = lower_bound(problem.buffers, problem.overlaps)
    if head - bound > head * WORTH_SOLVING:
        try:
            best = solve(problem.buffers, problem.overlaps, SECONDS)
        except SolverMissing as error:
            yield Advice(head - bound, str(error), certain=False)
            return
        yield Advice(head - best.height, f"tflm plan: a head of {best.height:,} bytes")


def _operators(report):
    """Which operators hold up the head, and what is left to hold it up without them."""
    moments = report.moments()
    worst = report.worst_moment()
    most = [m for m in moments if m.nbytes > worst.nbytes * HIGH]
    rest = max((m.nbytes for m in moments if m not in most), default=0)
    names = ", ".join(m.label for m in most)
    text = f"smaller tensors at {names}: the rest gets by with {rest:,} bytes of head"
    if len(most) < len(moments) / 2:
        yield Advice(worst.nbytes - rest, text, certain=False)
    yield from _waiting(report, [m for m in most if m.nbytes == worst.nbytes])
    floats = sum(b["size"] for b in worst.live if _type(report, b) == FLOAT)
    text = f"quantize to int8: {floats:,} of the bytes at {worst.label} are float32"
    yield Advice(floats * 3 // 4, text, certain=False)


def _waiting(report, moments):
    """Tensors that the operators of *moments* do not use, but a later one does."""
    if len(report.model.subgraphs) > 1:
        return
    seen = set()
    for moment in moments:
        for buffer in _bystanders(report, moment):
            if buffer["tensor"] not in seen:
                seen.add(buffer["tensor"])
                reader = report.label(buffer["last_used"])
                text = f"join the branches earlier: {reader} reads {short(buffer['name'])}"
                text += f", which waits at {moment.label}"
                yield Advice(buffer["size"], text, certain=False)


def _bystanders(report, moment):
    if moment.scope == 0:
        return []
    graph = report.model.subgraphs[0]
    operator = graph.operator(moment.scope - 1)
    used = operator.inputs + operator.outputs
    tensors = [buffer for buffer in moment.live if buffer["tensor"] >= 0]
    waiting = [b for b in tensors if b["tensor"] not in used and b["last_used"] > moment.scope]
    return [buffer for buffer in waiting if not graph.tensor(buffer["tensor"]).is_variable]


def _type(report, buffer):
    if buffer["tensor"] < 0:
        return None
    return report.model.subgraphs[buffer["subgraph"]].tensor(buffer["tensor"]).type_name
