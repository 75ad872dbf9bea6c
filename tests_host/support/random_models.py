"""Random models of one operator, legal for TensorFlow Lite Micro: case(seed) is always the same.

Each op of OPS has a function that draws shapes, options, quantisation and constants. Scales are
drawn so that outputs mostly fall inside the int8 range, and now and then far outside of it.
"""

import random
from dataclasses import dataclass
from functools import partial

from support import random_linear as linear
from support import random_pointwise as pointwise
from support.random_draw import Draw
from support.random_ties import TIES


@dataclass
class Case:
    """A model, the bytes of its inputs for each of several successive invokes."""

    name: str
    model: bytes
    inputs: list  # one list an invoke, of bytes, one an input


OPS = {
    "conv_2d": linear.conv_2d,
    "depthwise_conv_2d": linear.depthwise_conv_2d,
    "fully_connected": linear.fully_connected,
    "average_pool_2d": partial(linear.pool_2d, "AVERAGE_POOL_2D"),
    "max_pool_2d": partial(linear.pool_2d, "MAX_POOL_2D"),
    "svdf_s8": partial(linear.svdf, "INT8"),
    "svdf_s16": partial(linear.svdf, "INT16"),
    "add": partial(pointwise.binary, "ADD"),
    "sub": partial(pointwise.binary, "SUB"),
    "mul": partial(pointwise.binary, "MUL"),
    "softmax": pointwise.softmax,
    "reshape": pointwise.reshape,
    "quantize_f32": pointwise.quantize_f32,
    "quantize_s8": pointwise.requantize,
    "pad": pointwise.pad,
    "mean": pointwise.mean,
    "concatenation": pointwise.concatenation,
    "logistic": partial(pointwise.saturating, "LOGISTIC"),
    "tanh": partial(pointwise.saturating, "TANH"),
    "relu": pointwise.relu,
    "relu6": pointwise.relu6,
    "leaky_relu": pointwise.leaky_relu,
    "fully_connected_f32": linear.fully_connected_f32,
    "relu_f32": pointwise.relu_f32,
    "add_f32": pointwise.add_f32,
    "softmax_s16": partial(pointwise.softmax, dtype="INT16"),
    "quantize_s16_s8": partial(pointwise.quantize_s16, "INT8"),
    "quantize_s16_s32": partial(pointwise.quantize_s16, "INT32"),
}
INVOKES = {"svdf_s8": 10, "svdf_s16": 10}
PLAIN_INVOKES = 2


def case(seed):
    """Return the random model number *seed*; ops take turns, so n seeds cover all of them."""
    return case_of(list(OPS)[seed % len(OPS)], seed)


def tie_case(seed):
    """Return the model number *seed* of those where one bit of a multiplier decides."""
    return case_of(list(TIES)[seed % len(TIES)], seed)


def case_of(op, seed):
    draw = Draw(random.Random(f"{op} {seed}"))
    model, inputs = (OPS.get(op) or TIES[op])(draw)
    count = INVOKES.get(op, PLAIN_INVOKES)
    return Case(f"{op}-{seed}", model, [[make() for make in inputs] for _ in range(count)])
