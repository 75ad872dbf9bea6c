"""ADD and SUB of all pairs of int8 values, with parameters that scales give and random ones."""

import hashlib
import random
import struct

import numpy as np
import pytest

from support.native.native_call import Call, run_nodes
from tflm.ops.collect import rows
from tflm_host.targets.open_target import open_target

CASES = 150
VIPER_CASES = 60
VIPER = """
import struct
from binascii import hexlify
from hashlib import sha256
from tflm.kernels import find
add = find({name!r})
x1, x2 = {inputs!r}
y = bytearray(len(x1))
def params(words):
    return struct.pack("<%di" % len(words), *words)
"""
SHOW = "print(hexlify(sha256(y).digest()).decode())"
VALUES = np.arange(-128, 128, dtype=np.int64)
FIRST, SECOND = (np.ascontiguousarray(x.ravel()) for x in np.meshgrid(VALUES, VALUES))


def scaled(x, multiplier, shift):
    """MultiplyByQuantizedMultiplier of an array, for shifts to the right."""
    high = (x * multiplier + 2**30) >> 31
    half = (1 << -shift) >> 1
    return (high + half - ((high < 0) & (shift < 0))) >> -shift


def expected(record, sign):
    r = record
    x, y = (
        scaled(
            (value + r[f"input{i}_offset"]) << r["left_shift"],
            r[f"input{i}_multiplier"],
            r[f"input{i}_shift"],
        )
        for i, value in ((1, FIRST), (2, SECOND))
    )
    out = scaled(x + sign * y, r["output_multiplier"], r["output_shift"]) + r["output_offset"]
    return np.clip(out, r["activation_min"], r["activation_max"]).astype(np.int8)


def multiplier_of(real):
    mantissa, exponent = np.frexp(real)
    return min(round(float(mantissa) * 2**31), 2**31 - 1), int(exponent)


def of_scales(rng):
    """Return what prepare makes of two input scales and an output scale."""
    scale1 = rng.uniform(0.001, 0.1)
    scale2 = scale1 * rng.choice((1.0, rng.uniform(0.01, 100.0)))
    larger = max(scale1, scale2)
    output = (scale1 + scale2) * rng.choice((0.02, 0.5, 1.0, rng.uniform(0.01, 4.0)))
    reals = (scale1 / (2 * larger), scale2 / (2 * larger), 2 * larger / (2**20 * output))
    return [multiplier_of(real) for real in reals]


def at_random(rng):
    ends = ((-30, 0), (-12, 0), (-30, 0))
    return [(rng.choice((2**30, 2**31 - 1)), rng.randint(*end)) for end in ends]


def record_of(rng):
    factors = rng.choice((of_scales, of_scales, at_random))(rng)
    low, high = rng.choice(((-128, 127), (-128, 127), (rng.randrange(-128, 0), 100)))
    record = {"left_shift": 20}
    for name, (multiplier, shift) in zip(("input1", "input2", "output"), factors, strict=True):
        record[name + "_offset"] = rng.choice((-127, 128, 0, rng.randrange(-127, 129)))
        record[name + "_multiplier"], record[name + "_shift"] = multiplier, shift
    record["output_offset"] = -record["output_offset"]
    return record | {"activation_min": low, "activation_max": high}


@pytest.mark.parametrize(("name", "sign"), [("add_s8", 1), ("sub_s8", -1)])
def test_all_pairs_equal_double_rounding(name, sign):
    rng = random.Random(name)
    fields = [field for field in rows().records["ADD"] if field not in ("rank", "dims[]")]
    inputs = [x.astype(np.int8).tobytes() for x in (FIRST, SECOND)]
    for case in range(CASES):
        record = record_of(rng)
        words = [int(record[field]) for field in fields] + [1, len(FIRST), 1, 1]
        packed = struct.pack(f"<{len(words)}i", *words)
        call = Call(name, packed, inputs, [bytes(len(FIRST))], 0)
        got = np.frombuffer(call.run(run_nodes)[0], np.int8)
        assert np.array_equal(got, expected(record, sign)), f"case {case}: {record}"


@pytest.mark.firmware
@pytest.mark.parametrize(("name", "sign"), [("add_s8", 1), ("sub_s8", -1)])
def test_viper_all_pairs_equal_double_rounding(name, sign):
    rng = random.Random(name + " viper")
    fields = [field for field in rows().records["ADD"] if field not in ("rank", "dims[]")]
    x1, x2 = (x.astype(np.int8).tobytes() for x in (FIRST, SECOND))
    with open_target("unix") as target:
        target.exec(VIPER.format(name=name, inputs=(x1, x2)))
        for case in range(VIPER_CASES):
            record = record_of(rng)
            words = [int(record[field]) for field in fields] + [1, len(FIRST), 1, 1]
            target.exec(f"add(params({words}), x1, x2, y)")
            digest = hashlib.sha256(expected(record, sign).tobytes()).hexdigest()
            assert target.exec(SHOW) == digest + "\n", f"case {case}: {record}"
