"""A model that tells a low tone from a high one, and such tones: for tests of labelled sounds."""

import numpy as np

from support.models.model_builder import ModelBuilder, Quant

RATE = 16000  # samples a second
SAMPLES = 1600  # that the model takes
HERTZ = {"high": 3000, "low": 500}  # its classes, in alphabetical order as folders are
TAPS = 32
STRIDE = 4
PLACES = (SAMPLES - TAPS) // STRIDE + 1
FULL = 127


def tone(hertz, count, phase=0.0, level=0.5):
    """Return *count* samples of a sine, int16 in bytes."""
    angles = 2 * np.pi * hertz * np.arange(count) / RATE + phase
    return np.round(level * 32767 * np.sin(angles)).astype("<i2").tobytes()


def tones_model():
    """Return a model: int8 [1, SAMPLES] in, shares of the classes of HERTZ out.

    A filter of each tone runs over the samples. The mean of what is positive tells its loudness.
    """
    angles = 2 * np.pi * np.arange(TAPS) / RATE
    waves = np.round([FULL * np.sin(hertz * angles) for hertz in HERTZ.values()])
    builder = ModelBuilder()
    x = builder.tensor([1, SAMPLES], "INT8", Quant(1 / 128))
    shape = builder.tensor([4], "INT32", data=np.array([1, 1, SAMPLES, 1], "<i4").tobytes())
    row = builder.tensor([1, 1, SAMPLES, 1], "INT8", Quant(1 / 128))
    builder.op("RESHAPE", [x, shape], [row])
    filters = waves.astype(np.int8).reshape(2, 1, TAPS, 1)
    scale = Quant([1 / FULL] * 2, [0, 0])
    weights = builder.tensor([2, 1, TAPS, 1], "INT8", scale, data=filters.tobytes())
    biases = Quant([1 / FULL / 128] * 2, [0, 0])
    bias = builder.tensor([2], "INT32", biases, data=bytes(8))
    loud = builder.tensor([1, 1, PLACES, 2], "INT8", Quant(TAPS / 255, -128))
    options = {"padding": 1, "stride_w": STRIDE, "stride_h": 1, "activation": 1}
    builder.op("CONV_2D", [row, weights, bias], [loud], version=3, **options)
    axes = builder.tensor([2], "INT32", data=np.array([1, 2], "<i4").tobytes())
    means = builder.tensor([1, 2], "INT8", Quant(TAPS / 255, -128))
    builder.op("MEAN", [loud, axes], [means], version=2)
    shares = builder.tensor([1, 2], "INT8", Quant(1 / 256, -128))
    builder.op("SOFTMAX", [means], [shares], version=2, beta=2.0)
    return builder.build([x], [shares])
