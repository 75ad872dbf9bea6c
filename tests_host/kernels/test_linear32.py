"""Requantisation by one linear function equals TFLM's for every sum that a channel can reach.

Proven here by trying them all: for random channels, and for those of the zoo's models in the
constants that the Cortex-M0 kernels read.
"""

import random
import struct

import numpy as np
import pytest

from support.expected.exact import ZOO
from support.reference import kernel_model
from tflm.memory.planner import linear as keep_apart
from tflm_host.prepare import constants
from tflm_host.prepare.constants import armv6m, linear32
from tflm_host.prepare.snapshot import PreparedGraph

CHANNELS = 300
BEYOND = 1000  # sums on either side of the limit that are tried, too


def tflm_outputs(sums, factor, output_range):
    """Return TFLM's outputs, by its own steps: a doubling high product, a rounding division."""
    multiplier, shift = factor
    offset, minimum, maximum = output_range
    product = sums * multiplier
    nudged = product + np.where(product >= 0, 1 << 30, 1 - (1 << 30))
    high = np.sign(nudged) * (np.abs(nudged) >> 31)  # division rounds to zero
    remainder = high & ((1 << -shift) - 1)
    threshold = (((1 << -shift) - 1) >> 1) + (high < 0)
    return np.clip((high >> -shift) + (remainder > threshold) + offset, minimum, maximum)


def int32(values):
    return (np.asarray(values, np.int64) + (1 << 31)) % (1 << 32) - (1 << 31)


def linear_outputs(sums, linear):
    """Return what the kernel makes of *sums*, in its steps: each in 32 bits."""
    x = np.clip(int32(sums - linear.middle), -linear.limit, linear.limit)
    low = x * linear.low
    assert (int32(low) == low).all()
    return int32(x * linear.high + (low >> linear32.LOW_BITS) + linear.addend) >> linear32.SHIFT


def assert_equal_everywhere(reach, factor, output_range, linear):
    """Try all sums of *reach* from the limit up and down, and its ends."""
    first = max(reach[0], linear.middle - linear.limit - BEYOND)
    last = min(reach[1], linear.middle + linear.limit + BEYOND)
    sums = np.concatenate([np.arange(first, last + 1), np.array(reach)])
    expected = tflm_outputs(sums, factor, output_range)
    assert (linear_outputs(sums, linear) == expected).all()


def random_channel(rng):
    reach = -rng.randrange(1, 1 << rng.randrange(4, 19)), rng.randrange(1 << rng.randrange(4, 19))
    factor = rng.randrange(1 << 30, 1 << 31), -rng.randrange(16)
    offset = rng.randrange(-128, 128)
    minimum = rng.choice((-128, offset))
    return reach, factor, (offset, minimum, rng.randrange(minimum, 128))


def test_reference_of_this_file_equals_the_kernels_model():
    rng = random.Random(0)
    for _ in range(2000):
        (low, high), factor, output_range = random_channel(rng)
        x = rng.choice((low, high, rng.randrange(low, high + 1)))
        y = kernel_model.multiply(x, *factor) + output_range[0]
        expected = kernel_model.clamp(y, *output_range[1:])
        assert tflm_outputs(np.array([x]), factor, output_range)[0] == expected


def test_fit_random_channels_equals_tflm_for_every_sum():
    rng = random.Random(1)
    fits = 0
    for _ in range(CHANNELS):
        reach, factor, output_range = random_channel(rng)
        linear = linear32.fit(reach, factor, output_range)
        if linear is not None:
            fits += 1
            assert_equal_everywhere(reach, factor, output_range, linear)
    assert fits > CHANNELS // 2


def test_fit_sums_beyond_its_bounds_gives_none():
    factor, output_range = (1 << 30, -20), (0, -128, 127)
    assert linear32.fit((-(1 << 30), 1 << 29), factor, output_range) is None
    assert linear32.fit((-(1 << 29), 1 << 29), factor, output_range) is None  # the limit is large


def layers_of(data, isa="armv6m"):
    """Return all (layer, constants) of a model."""
    found = []
    build = constants.build

    def record(isa, layer):
        found.append((layer, build(isa, layer)))
        return found[-1][1]

    constants.build = record
    try:
        PreparedGraph(data, isa).plan(keep_apart)
    finally:
        constants.build = build
    return found


def reaches_of(layer):
    """Return the least and the largest sum of each channel."""
    ends = np.array([-128, 127]) + layer.params["input_offset"]
    products = layer.filter.astype(np.int64)[:, :, None] * ends
    bias = layer.bias.astype(np.int64)
    return zip(
        (bias + products.min(axis=2).sum(axis=1)).tolist(),
        (bias + products.max(axis=2).sum(axis=1)).tolist(),
        strict=True,
    )


def linear_channels(blob):
    """Yield (bias, Linear) of each channel, the bias being less by the middle."""
    body = blob[struct.calcsize(armv6m.HEADER) :]
    for _, bias, *rest in struct.iter_unpack(armv6m.LINEAR_CHANNEL, body):
        yield bias, linear32.Linear(0, *rest)


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_every_linear_channel_of_zoo_models_equals_tflm_for_every_sum(zoo, name):
    for layer, blob in layers_of((zoo / f"{name}.tflite").read_bytes()):
        assert blob
        if struct.unpack_from(armv6m.HEADER, blob)[0] != armv6m.LINEAR:
            continue
        fields = "output_offset", "activation_min", "activation_max"
        output_range = [layer.params[field] for field in fields]
        channels = zip(reaches_of(layer), layer.multipliers, layer.bias.tolist(), strict=True)
        for (reach, factor, bias), (less, linear) in zip(
            channels, linear_channels(blob), strict=True
        ):
            linear.middle = bias - less
            assert_equal_everywhere(reach, factor, output_range, linear)
