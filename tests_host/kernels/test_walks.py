"""How kernels walk memory: an output at the gap that prepare allows is safe, one less is not.

Each random model of one operator runs with its output placed exactly that gap before an
input, and must give what it gives with both apart; one step nearer it must often not: an element,
or a row of the output where a kernel uses its input up by rows. The kernels of other cores run
the same tests.
"""

import random
from types import SimpleNamespace

import pytest

from cases import OPS
from support.native.each_isa import with_each_isa
from support.nets import one_op_models
from tflm import Interpreter, Model
from tflm.load.context import Context
from tflm.memory import allocator, plan_check
from tflm.ops.common import allow_rows

ROWS = [name for name, op in OPS.items() if op.rows]
# Operators that overwrite an input element by element, and the bytes of a step.
STEPS = {name: op.step for name, op in OPS.items() if op.step}
CASES = 50
ROW_CASES = 200  # the order of groups, rows and pairs of positions shows in few
LONG = pytest.mark.long
FLOOR = 1 << 14  # the output's offset: room below for an input that is too near


class Near:
    """A planner that puts the output over one input, *extra* bytes farther than it must be."""

    def __init__(self, which, distances, extra):
        self.which = which  # of the overlaps
        self.distances = distances  # before they are rounded up to 16, in the same order
        self.extra = extra

    def __call__(self, buffers, overlaps):
        output, data, _ = overlaps[self.which]
        offsets = [0] * len(buffers)
        offsets[output] = FLOOR
        offsets[data] = FLOOR + self.distances[self.which] + self.extra
        height = max(offsets[i] + buffers[i][0] for i in (output, data))
        for i in range(len(buffers)):
            if i not in (output, data):
                offsets[i] = height = (height + 15) & -16
                height += buffers[i][0]
        return offsets, height


@pytest.fixture
def distances(monkeypatch):
    """The exact gaps that prepare declares; the plans made with them are not checked."""
    monkeypatch.setattr(Context, "in_blocks", False)  # blocks of channels reuse no input
    seen = []
    allow = allocator.MicroAllocator.allow_overlap

    def note(self, node, i, distance):
        before = len(self._overlaps)
        allow(self, node, i, distance)
        if len(self._overlaps) > before and not node.input(i).data:
            seen.append(distance)

    monkeypatch.setattr(allocator.MicroAllocator, "allow_overlap", note)
    monkeypatch.setattr(plan_check, "check", lambda *_: None)
    return seen


def outputs(model, inputs, planner):
    interpreter = Interpreter(model, planner=planner)
    for tensor, data in zip(interpreter.inputs, inputs, strict=True):
        tensor.data[:] = data
    interpreter.invoke()
    return [bytes(tensor.data) for tensor in interpreter.outputs]


def judge(op, distances, count):
    """Return over all cases (pairs tried, pairs that one step less corrupts)."""
    tried = corrupted = 0
    for seed in range(count):
        case = one_op_models.case_of(op, seed)
        inputs = case.inputs[0]
        wanted = outputs(case.model, inputs, "linear")
        declared, step = list(distances), STEPS.get(op) or output_row(case.model)
        for which in range(len(declared)):
            safe = outputs(case.model, inputs, Near(which, declared, 0))
            assert safe == wanted, f"{case.name}: input {which} at {declared[which]}"
            assert outputs(case.model, inputs, Near(which, declared, 16)) == wanted, case.name
            tried += 1
            corrupted += outputs(case.model, inputs, Near(which, declared, -step)) != wanted
        distances.clear()
    return tried, corrupted


def output_row(model):
    """Return the bytes of one row of the output, [batches, height, width, depth]."""
    graph = Model(model).subgraphs[0]
    output = graph.tensor(graph.outputs[0])
    return output.nbytes // (output.shape[0] * output.shape[1])


@pytest.mark.slow
@pytest.mark.parametrize("op", STEPS)
@pytest.mark.parametrize("count", [CASES])
def test_elements_are_used_up_in_order(op, count, distances):
    tried, corrupted = judge(op, distances, count)
    assert tried > count // 4
    # Two are moved as if there were no overlap; MUL reads 32 elements before it writes them.
    if op not in ("reshape", "update", "mul"):
        assert corrupted > tried // 4


@pytest.mark.slow
@pytest.mark.parametrize("op", ROWS)
@pytest.mark.parametrize("count", [ROW_CASES])
def test_rows_are_used_up_in_order(op, count, distances):
    tried, corrupted = judge(op, distances, count)
    assert tried == count
    assert corrupted > tried // 50  # a pool that walks single positions can spare most of a row


def test_distance_of_rows_is_the_least_that_no_row_exceeds():
    rng = random.Random(3)
    for _ in range(2000):
        batches, height, stride = rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 4)
        out_height, pad = rng.randint(1, 12), rng.randint(0, 5)
        row, out_row = rng.randint(1, 9), rng.randint(1, 9)
        pad = min(pad, height + stride - 1)
        out_height = min(out_height, (height - 1 + pad) // stride + 1)
        tensors = [
            SimpleNamespace(shape=(batches, h, size, 1), nbytes=batches * h * size)
            for h, size in ((height, row), (out_height, out_row))
        ]
        node = SimpleNamespace(input=lambda _, t=tensors: t[0], output=lambda _, t=tensors: t[1])
        declared = []
        context = SimpleNamespace(allow_overlap=lambda *facts, into=declared: into.append(facts))
        allow_rows(context, node, SimpleNamespace(stride=stride, pad=pad))
        least = max(
            (b * out_height + y + 1) * out_row - (b * height + max(y * stride - pad, 0)) * row
            for b in range(batches)
            for y in range(out_height)
        )
        assert declared == [(node, 0, least)]


# Most kernels of an ISA are the portable ones, so `make test` tries fewer models.
test_elements_with_each_isa = with_each_isa(
    test_elements_are_used_up_in_order, count=[CASES // 3, pytest.param(CASES, marks=LONG)]
)
test_rows_with_each_isa = with_each_isa(
    test_rows_are_used_up_in_order, count=[ROW_CASES // 2, pytest.param(ROW_CASES, marks=LONG)]
)
