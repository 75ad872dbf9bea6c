"""PAD in front of convolutions that can pad by themselves goes, and the bytes stay the same."""

import random
import struct

import numpy as np
import pytest

from support.models.model_builder import VALID, ModelBuilder, Quant
from tflm import Interpreter, Model
from tflm_host.model import flatfile
from tflm_host.prepare import prepare
from tflm_host.prepare.padding import fold_padding

COUNT = 300
DEPTH = 3


def same_pads(size, taps, stride, dilation):
    """Return the padding before and behind *size* of SAME."""
    missing = max((-(-size // stride) - 1) * stride + (taps - 1) * dilation + 1 - size, 0)
    return missing // 2, missing - missing // 2


def padded(seed, quant=None, kept=False):
    """Return (model of PAD and a convolution, whether its padding is that of SAME).

    quant  of what PAD writes, else that of its input;  kept  it is an output of the model, too
    """
    rng = random.Random(f"padded {seed}")
    sizes = [rng.randint(2, 9) for _ in range(2)]
    taps, stride = [rng.randint(1, 4) for _ in range(2)], rng.randint(1, 3)
    dilation = rng.choice((1, 1, 2))
    wanted = [same_pads(n, k, stride, dilation) for n, k in zip(sizes, taps, strict=True)]
    pads = [tuple(p + rng.choice((0, 0, 0, 0, 0, 0, 1)) for p in pair) for pair in wanted]
    sums = [n + sum(p) for n, p in zip(sizes, pads, strict=True)]
    spans = [(k - 1) * dilation + 1 for k in taps]
    outs = [(n - s) // stride + 1 for n, s in zip(sums, spans, strict=True)]
    whole = [-(-n // stride) for n in sizes]
    before = [p[0] for p in pads] == [p[0] for p in wanted]
    if min(outs) < 1:
        return padded(seed + 10000, quant, kept)
    b, own = ModelBuilder(), Quant(0.05, -7)
    x = b.tensor([1, *sizes, DEPTH], "INT8", own)
    amounts = struct.pack("<8i", 0, 0, *pads[0], *pads[1], 0, 0)
    amounts = b.tensor([4, 2], "INT32", data=amounts)
    p = b.tensor([1, *sums, DEPTH], "INT8", quant or own)
    b.op("PAD", [x, amounts], [p])
    depthwise = rng.random() < 0.5
    shape = [1, *taps, DEPTH] if depthwise else [DEPTH, *taps, DEPTH]
    values = np.random.default_rng(seed).integers(-127, 128, shape, np.int8).tobytes()
    w = b.tensor(shape, "INT8", Quant([0.003] * DEPTH, 0, 3 if depthwise else 0), values)
    y = b.tensor([1, *outs, DEPTH], "INT8", Quant(0.05, 4))
    options = {"stride_w": stride, "stride_h": stride, "padding": VALID}
    options.update(dilation_w=dilation, dilation_h=dilation)
    if depthwise:
        options["depth_multiplier"] = 1
    b.op("DEPTHWISE_CONV_2D" if depthwise else "CONV_2D", [p, w], [y], **options)
    return b.build([x], [y, p] if kept else [y]), before and outs == whole


def folded(model):
    root = flatfile.read(Model(model).buf)
    return fold_padding(root), flatfile.write(root)


def answers(model, fed):
    interpreter = Interpreter(model)
    interpreter.inputs[0].data[:] = fed
    interpreter.invoke()
    return bytes(interpreter.outputs[0].data)


@pytest.mark.slow
def test_padding_goes_where_it_is_that_of_same_and_only_there():
    gone = 0
    for seed in range(COUNT):
        model, is_same = padded(seed)
        count, less = folded(model)
        assert count == is_same, seed
        gone += count
        graph = Model(model).subgraphs[0]
        fed = random.Random(seed).randbytes(graph.tensor(graph.inputs[0]).nbytes)
        assert answers(less, fed) == answers(model, fed), seed
    assert COUNT // 4 < gone < COUNT


def test_padding_that_others_read_or_that_changes_the_scale_stays():
    seed = next(seed for seed in range(COUNT) if padded(seed)[1])
    assert folded(padded(seed)[0])[0] == 1
    assert folded(padded(seed, kept=True)[0])[0] == 0
    assert folded(padded(seed, quant=Quant(0.05, 3))[0])[0] == 0


def test_prepared_model_has_no_padding():
    seed = next(seed for seed in range(COUNT) if padded(seed)[1])
    model, _ = padded(seed)
    left = [operator.name for operator in Model(prepare(model, "portable")).operators()]
    assert "PAD" in [operator.name for operator in Model(model).operators()]
    assert "PAD" not in left
