"""QUANTIZE of float32 to int8, near ties and of extreme numbers and scales, as floats give it.

The kernels of a core without an FPU, which test_kernels_isa.py runs this with, divide by a product
of 16 bits where that tells the result.
"""

import struct

import numpy as np
import pytest

from support.native.native_call import Call, run_nodes

SIZE = 4096
LARGEST = 1 << 30
SCALES = [0.05, 1.0, 2.0**-7, 1 / 255, 0.9999999, 1.0000001, 1.9999999, 3.3e38, 1.2e-38, 2.4e-38]


def values(rng, scale):
    """Return numbers of all sizes, multiples of the scale and its half, and their neighbours."""
    patterns = rng.integers(0, 1 << 32, SIZE // 4, dtype=np.uint32)
    halves = rng.integers(-600, 601, SIZE // 2).astype(np.float32) / np.float32(2) * scale
    beside = halves.view(np.uint32) + rng.integers(-2, 3, SIZE // 2).astype(np.uint32)
    between = (rng.uniform(-300, 300, SIZE // 4) * scale).astype(np.float32)
    return np.concatenate([patterns, beside, between.view(np.uint32)]).view(np.float32)


def quantized(x, scale, zero_point):
    with np.errstate(all="ignore"):
        quotient = (x / scale).astype(np.float64)
        steps = np.sign(quotient) * np.floor(np.abs(quotient) + 0.5)
    steps = np.clip(np.nan_to_num(steps, nan=0.0), -LARGEST, LARGEST)
    return np.clip(steps + zero_point, -128, 127).astype(np.int8)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("zero_point", [-128, 0, 5, 127])
def test_quantize_equals_floats(scale, zero_point):
    rng = np.random.default_rng(zero_point + 128)
    for drawn in [1.0, *rng.uniform(0.5, 2, 20)]:
        step = np.float32(min(max(scale * drawn, 1.2e-38), 3.3e38))
        with np.errstate(all="ignore"):
            x = values(rng, step)
        (bits,) = struct.unpack("<i", step.tobytes())
        record = struct.pack("<3i", SIZE, bits, zero_point)
        (found,) = Call("quantize_f32_s8", record, [x.tobytes()], [bytes(SIZE)]).run(run_nodes)
        wanted = quantized(x, step, zero_point)
        wrong = np.flatnonzero(np.frombuffer(found, np.int8) != wanted)
        assert wrong.size == 0, (x[wrong[0]], step, found[wrong[0]], wanted[wrong[0]])
