"""Random chains of layers over frames, and the results that their streams must give."""

import random

from support.models.model_builder import SAME, VALID
from support.nets.row_groups import Chain
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm_host.prepare.stream import stream

MOST_LAYERS = 6
RESULTS = 4  # of each stream that are compared


class Frames(Chain):
    """Images whose rows are frames, under windows that seldom pad; some are one pixel high."""

    def __init__(self, seed):
        self.pads = random.Random(f"pads {seed}").random() < 0.2
        super().__init__(f"frames {seed}")

    def _choice(self, *items):
        if items == (SAME, VALID) and not self.pads:
            return VALID
        return super()._choice(*items)


def frames_of(seed):
    """Return (model, axis) number *seed*: 1 to 6 layers."""
    net = Frames(seed)
    axis = net.rng.choice((1, 1, 1, 2)) if net.shape[1] == 1 else 1
    steps = (net.conv, net.conv, net.depthwise, net.depthwise, net.pool, net.unary)
    steps += (net.residual, net.with_constants, net.beside)
    for step in net.rng.choices(steps, k=net.rng.randint(1, MOST_LAYERS)):
        step()
    if net.rng.random() < 0.6:
        net.mean()
    if net.rng.random() < 0.3:
        net.flatten()
    return net.finish()[0], axis


def windows(model, axis, made, seed):
    """Return (frames, expected): what comes, and {frames that came: outputs of *model*}."""
    interpreter = Interpreter(model, prepared=True)
    data = interpreter.inputs[0]
    count = data.shape[axis]
    nbytes = data.nbytes // count
    rng = random.Random(f"values {seed}")
    frames = [rng.randbytes(nbytes) for _ in range(2 * count + RESULTS * made.period + 2)]
    expected = {}
    for came in range(made.frames, len(frames) - count + made.frames):
        if came % made.period == 0 and len(expected) < RESULTS:
            data.data[:] = b"".join(frames[came - made.frames :][:count])
            interpreter.invoke()
            expected[came] = [bytes(tensor.data) for tensor in interpreter.outputs]
    return frames, expected


def answers(data, frames, counts):
    """Return {frames that came: outputs of the stream *data*} for these *counts* of them."""
    interpreter = Interpreter(Model(data, prepared=True))
    found = {}
    for came, frame in enumerate(frames, 1):
        interpreter.inputs[0].data[:] = frame
        interpreter.invoke()
        assert interpreter.answered == (came % interpreter.model.stream[1] == 0)
        if came in counts:
            found[came] = [bytes(tensor.data) for tensor in interpreter.outputs]
    return found


def made_of(seed):
    """Return (model, axis, Streamed) number *seed*; ModelError where none is made."""
    model, axis = frames_of(seed)
    return model, axis, stream(model, axis)
