"""Long nodes in slices: the same bytes as in one piece, and moments in between."""

import random
import signal
import time

import pytest

import _tflm
from kernels.test_walks import ROWS, Near, distances, outputs  # noqa: F401 - a fixture
from support.expected import viper_vectors
from support.models.model_builder import ModelBuilder, Quant
from support.native.each_isa import grouped
from support.native.native_call import Call, run_nodes
from support.nets import one_op_models
from tflm import Interpreter
from tflm.ops.collect import rows

SIZES = (1, 5, 40, 700, 20000)  # products in a slice
VECTORS = 60
NAMES = [kernel.name for kernel in rows().kernels if "group" not in kernel.traits]
WHOLE = [kernel.name for kernel in rows().kernels if not kernel.slices]
SECONDS = 0.2


@pytest.mark.parametrize("name", grouped(NAMES))
def test_kernel_in_slices_equals_model(name, monkeypatch):
    pauses = 0
    run = _tflm.Graph._run

    def count(*args):
        nonlocal pauses
        again = run(*args)
        pauses += again
        return again

    monkeypatch.setattr(_tflm.Graph, "_run", count)
    monkeypatch.setattr(_tflm, "_SLICES", 1)
    rng = random.Random(name)
    for i, vector in enumerate(viper_vectors.shared_vectors(name, VECTORS)):
        monkeypatch.setattr(_tflm, "_SLICE", rng.choice(SIZES))
        before = [data for data, _ in vector.outputs]
        call = Call(vector.name, vector.record, vector.inputs, before, vector.shift)
        got = call.run(run_nodes)
        for k, (_, expected) in enumerate(vector.outputs):
            if expected is not None:
                assert got[k] == expected, f"{name} vector {i}, output {k}"
    assert (pauses > VECTORS // 4) == (name not in WHOLE)


@pytest.mark.parametrize("op", ROWS)
def test_slices_use_rows_up_in_order(op, distances, monkeypatch):  # noqa: F811
    for seed in range(40):
        case = one_op_models.case_of(op, seed)
        inputs = case.inputs[0]
        wanted = outputs(case.model, inputs, "linear")
        with monkeypatch.context() as patch:
            patch.setattr(_tflm, "_SLICE", SIZES[seed % len(SIZES)])
            assert outputs(case.model, inputs, Near(0, list(distances), 0)) == wanted, case.name
        distances.clear()


def pool_of_all(size):
    """Return a model of one pooling: each window covers the image of size * size pixels."""
    b = ModelBuilder()
    x, y = (b.tensor([1, size, size, 1], "INT8", Quant(0.1, 0)) for _ in range(2))
    window = {"filter_width": 32767, "filter_height": 32767}
    b.op("AVERAGE_POOL_2D", [x], [y], padding=0, stride_w=1, stride_h=1, **window)
    return b.build([x], [y])


class Alarm(Exception):
    """What the signal's handler raises."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such signal")
def test_signal_comes_through_within_one_node():
    def ring(*_):
        raise Alarm

    interpreter = Interpreter(pool_of_all(400))  # some minutes
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        start = time.monotonic()
        with pytest.raises(Alarm):
            interpreter.invoke()
        assert time.monotonic() - start < 10 * SECONDS
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interpreter.graph.current_operator == 0


def test_pool_of_windows_larger_than_the_image_is_its_mean():
    interpreter = Interpreter(pool_of_all(40))
    values = bytes(i * 37 & 0xFF for i in range(1600))
    interpreter.inputs[0].data[:] = values
    total = sum(value - 256 if value > 127 else value for value in values)
    interpreter.invoke()
    mean = (2 * abs(total) + 1600) // 3200 * (1 if total > 0 else -1)
    assert bytes(interpreter.outputs[0].data) == bytes([mean & 0xFF]) * 1600
