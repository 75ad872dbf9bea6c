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
from tflm_host.prepare.constants import dsp, dsp_wide, dsp_winograd

KERNELS = (
    "conv_2d_s8",
    "depthwise_conv_2d_s8",
    "fully_connected_s8",
    "fully_connected_per_channel_s8",
)
SMALL, LARGE = 150, 25  # vectors of each kernel
WIDE = 60  # vectors of each kind
WINOGRAD = 40  # vectors
EXTREME = 1 / 3  # share of them
ENDS = 0x80, 0x7F
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


def give_constants(vector, isa):
    """Give *vector* the constants of *isa*, and the scratch that they take; return them."""
    layer = layer_of(vector)
    vector.inputs[-1] = blob = constants.build(isa, layer)
    if blob and vector.name == "conv_2d_s8":
        nbytes = len(vector.outputs[1][0]) - 16 * len(layer.bias)
        vector.outputs[1] = bytes(constants.scratch(isa, layer, nbytes)), None
    return blob


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
            if give_constants(vector, _tflm.isa):
                prepared += 1
                assert_equal(vector, i)
    if prepared == 0:
        pytest.skip("this kernel takes no constants")


def wide_vectors(count):
    """Yield convolutions with packed weights, half of them of long windows."""
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
        if dsp_winograd.is_winograd(layer) or not dsp_wide.is_wide(layer):
            continue
        if found[is_long] < count and give_constants(vector, "dsp"):
            found[is_long] += 1
            yield vector


@pytest.mark.parametrize("isa", ["armv6m", "dsp", "mve"])
@pytest.mark.parametrize("bias", [-(1 << 31) + 100, (1 << 31) - 100])
def test_layer_whose_sums_may_leave_32_bits_has_no_constants(isa, bias):
    params = {"filter_depth": 8, "input_depth": 8, "output_depth": 8}
    vector = Vector("conv_2d_s8", *viper_records.convolution(random.Random(1), params), 0)
    layer = layer_of(vector)
    layer.bias = np.zeros(8, np.int32)
    assert constants.build(isa, layer)
    layer.bias[3] = bias
    assert constants.build(isa, layer) == b""


def winograd_vectors(count):
    """Yield *count* convolutions by F(2, 3), a third of them of extreme values."""
    rng = random.Random("winograd")
    found = 0
    while found < count:
        depth = rng.choice((4, 8, 8, 12, 20))
        record = {"filter_depth": depth, "input_depth": depth}
        record["output_depth"] = rng.choice(WIDE_CHANNELS)
        _, inputs, _ = viper_records.convolution(rng, record, viper_records.window_3x3)
        if rng.random() < EXTREME:
            inputs[:2] = [_extreme(rng, data) for data in inputs[:2]]
        vector = Vector("conv_2d_s8", record, inputs, [], rng.randrange(4))
        if dsp_winograd.is_winograd(layer_of(vector)) and give_constants(vector, "dsp"):
            found += 1
            yield vector


def _extreme(rng, data):
    """Return as many bytes, of the least and the largest value."""
    return bytes(rng.choice(ENDS) for _ in data)


@pytest.mark.parametrize(
    ("vectors_of", "flags", "count"),
    [
        (wide_vectors, {dsp_wide.FLAG, dsp_wide.FLAG | dsp_wide.FOURS}, WIDE),
        (winograd_vectors, {dsp_winograd.FLAG}, WINOGRAD),
    ],
)
def test_conv_with_a_stream_equals_model(vectors_of, flags, count):
    if _tflm.isa != "dsp":
        pytest.skip("these kernels have no streams")
    forms = set()
    for i, vector in enumerate(vectors_of(count)):
        forms.add(vector.inputs[-1][0])
        assert_equal(vector, i)
    assert forms == {flag | form for flag in flags for form in (dsp.EXACT, *dsp.LINEAR)}
