"""Kernels with the constants of a prepared model give the bytes that they give without, on records
of many sizes. It tests the kernels of TFLM_ISA: see test_kernels_isa.py."""

import random
import struct

import numpy as np
import pytest

import _tflm
from support.draw import viper_records
from support.expected.viper_vectors import Vector, vectors
from support.native.native_call import Call, run_nodes
from support.reference import kernel_model
from tflm.ops.collect import rows
from tflm_host.prepare import constants
from tflm_host.prepare.constants import dsp, dsp_wide

KERNELS = (
    "conv_2d_s8",
    "depthwise_conv_2d_s8",
    "fully_connected_s8",
    "fully_connected_per_channel_s8",
)
SMALL, LARGE = 150, 25  # vectors of each kernel
WIDE = 60  # vectors of each kind
WIDE_CHANNELS = 4, 8, 15, 16, 17, 22, 23


def large_record(name, rng):
    """Return parameters of *name* with more channels and taps than viper_records draws."""
    if name == "conv_2d_s8":
        depth, groups = rng.choice((1, 3, 4, 7, 8, 16, 33)), rng.choice((1, 1, 1, 2))
        record = {"filter_depth": depth, "input_depth": depth * groups}
        record["output_depth"] = groups * rng.choice((rng.randrange(1, 12), 20, 32))
        return viper_records.convolution(rng, record)
    if name == "depthwise_conv_2d_s8":
        depth, multiplier = rng.choice(
            ((1, 8), (2, 4), (4, 1), (6, 1), (13, 1), (16, 1), (5, 3), (24, 1), (32, 1))
        )
        record = {"input_depth": depth, "depth_multiplier": multiplier}
        record["output_depth"] = depth * multiplier
        return viper_records.convolution(rng, record)
    return getattr(viper_records, name)(rng)


def large_vectors(name, count):
    rng = random.Random(name)
    for _ in range(count):
        yield Vector(name, *large_record(name, rng), rng.randrange(4))


def layer_of(vector):
    """Return the constants.Layer of a kernel's call."""
    fields = rows().kernel(vector.name).fields
    words = struct.unpack(f"<{len(fields)}i", vector.record)
    params = dict(zip(fields, words, strict=True))
    channels = params["output_depth"]
    weights = np.frombuffer(vector.inputs[1], np.int8)
    if vector.name.startswith("depthwise"):
        weights = weights.reshape(-1, channels).T
    bias = np.frombuffer(vector.inputs[2] or bytes(4 * channels), "<i4")
    if "multiplier" in params:
        multipliers = [(params["multiplier"], params["shift"])] * channels
    else:
        scales = np.frombuffer(vector.inputs[3], "<f4").astype(float).tolist()
        ends = [kernel_model.real_bits(params[f"{end}_scale"]) for end in ("input", "output")]
        multipliers = [kernel_model.quantize_multiplier(ends[0] * s / ends[1]) for s in scales]
        multipliers *= channels // len(multipliers)
    return constants.Layer(vector.name, params, weights.reshape(channels, -1), bias, multipliers)


def assert_equal(vector, label):
    outputs = [data for data, _ in vector.outputs]
    got = Call(vector.name, vector.record, vector.inputs, outputs, vector.shift).run(run_nodes)
    assert got[0] == vector.outputs[0][1], label


@pytest.mark.parametrize("name", KERNELS)
def test_kernel_large_records_equals_model(name):
    for i, vector in enumerate(large_vectors(name, LARGE)):
        assert_equal(vector, i)


@pytest.mark.parametrize("name", KERNELS)
def test_kernel_with_prepared_constants_equals_model(name):
    prepared = 0
    for source in (vectors(name, SMALL, seed=3), large_vectors(name, LARGE)):
        for i, vector in enumerate(source):
            blob = constants.build(_tflm.isa, layer_of(vector))
            if blob:
                prepared += 1
                vector.inputs[-1] = blob
                assert_equal(vector, i)
    if prepared == 0:
        pytest.skip("this kernel takes no constants")


def wide_vectors(count):
    """Yield (vector, blob) of convolutions with packed weights, half of them of long windows."""
    rng = random.Random("wide")
    found = {False: 0, True: 0}
    while min(found.values()) < count:
        depth = rng.choice((1, 3, 5, 8, 12, 16, 28))
        record = {"filter_depth": depth, "input_depth": depth}
        record["output_depth"] = rng.choice(WIDE_CHANNELS)
        made = viper_records.convolution(rng, record)
        vector = Vector("conv_2d_s8", *made, rng.randrange(4))
        layer = layer_of(vector)
        is_long = layer.filter.shape[1] > dsp_wide.COPY_BYTES
        if dsp_wide.is_wide(layer) and found[is_long] < count:
            blob = constants.build("dsp", layer)
            found[is_long] += bool(blob)
            yield vector, blob


def test_conv_with_wide_filters_equals_model():
    if _tflm.isa != "dsp":
        pytest.skip("these kernels have no wide filters")
    forms = set()
    for i, (vector, blob) in enumerate(wide_vectors(WIDE)):
        if blob:
            forms.add(blob[0])
            vector.inputs[-1] = blob
            assert_equal(vector, i)
    assert forms == {dsp_wide.FLAG | form for form in (dsp.EXACT, *dsp.LINEAR)}
