"""Convolutions whose weights, biases or factors are at the ends of what a model may hold: where
kernels that add products in halves of words, or requantise by a shorter way, must notice."""

import itertools
import struct
from types import SimpleNamespace

import numpy as np
import pytest

from support.native.native_call import Call, run_nodes
from support.reference import kernel_model
from tflm.ops.collect import rows

LARGEST = np.array([-128, 127], np.int8)


def float_bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


def check(name, params, data, weights, bias, scale):
    """Run kernel *name* and compare; *params* are those that differ from a small 1 x 1 one."""
    fields = rows().kernel(name).fields
    values = dict.fromkeys(fields, 1) | {"input_offset": 1, "output_offset": -5}
    values |= {"pad_top": 0, "pad_left": 0, "scale_step": 0}
    values |= {"activation_min": -128, "activation_max": 127}
    values |= {"input_scale": float_bits(0.5), "output_scale": float_bits(0.25)}
    values |= params
    record = struct.pack(f"<{len(fields)}i", *(values[field] for field in fields))
    outputs = values["batches"] * values["output_height"] * values["output_width"]
    inputs = [data.tobytes(), weights.tobytes(), bias.astype("<i4").tobytes()]
    inputs += [struct.pack("<f", scale), b""]
    taps = values["filter_height"] * values["filter_width"] * values.get("filter_depth", 0)
    scratch = 4 * (taps + 3 & -4) + 16 * values["output_depth"]
    call = Call(name, record, inputs, [bytes(outputs * values["output_depth"]), bytes(scratch)])
    expected = getattr(kernel_model, name)(SimpleNamespace(**values), *inputs)
    assert call.run(run_nodes)[0] == expected[0]


def check_1x1(data, weights, bias, scale=0.001):
    channels, depth = weights.shape
    params = {"input_width": len(data) // depth, "output_width": len(data) // depth}
    params |= {"input_depth": depth, "filter_depth": depth, "output_depth": channels}
    check("conv_2d_s8", params, data, weights, bias, scale)


@pytest.mark.parametrize("depth", range(1, 6))
def test_conv_weights_and_inputs_at_their_ends_equals_model(depth):
    weights = np.array(list(itertools.product(LARGEST, repeat=depth)), np.int8)
    bias = np.arange(len(weights)) * 1000
    for first, second in itertools.product(LARGEST, repeat=2):
        check_1x1(np.repeat([first, second, first], depth), weights, bias)


@pytest.mark.parametrize("scale", [1e-9, 2**-24, 2**-18, 2**-10, 0.4, 1.0, 3.0, 500.0])
@pytest.mark.parametrize("bias", [0, 2**30, -(2**30), 2**31 - 1, -(2**31)])
def test_conv_dead_channels_and_any_factor_equals_model(scale, bias):
    rng = np.random.default_rng(7)
    data = rng.integers(-128, 128, 16, np.int8)
    check_1x1(data, np.zeros((3, 4), np.int8), np.array([bias, 0, -7]), scale)
    if abs(bias) <= 2**30:
        weights = rng.integers(-127, 128, (3, 4), np.int8)
        check_1x1(data, weights, np.array([bias, 0, -7]), scale)


@pytest.mark.parametrize("bias", [0, 2**30, -(2**30)])
@pytest.mark.parametrize(("height", "width", "multiplier"), [(3, 3, 1), (3, 1, 1), (12, 12, 2)])
def test_depthwise_conv_dead_channels_and_large_windows_equals_model(
    height, width, multiplier, bias
):
    rng = np.random.default_rng(9)
    depth, side = 3, 13
    channels = depth * multiplier
    weights = rng.integers(-128, 128, (height, width, channels), np.int8)
    weights[..., 0] = 0
    sizes = {"input": side, "output": side, "filter": height}
    params = {f"{what}_height": size for what, size in sizes.items()}
    params |= {"input_width": side, "output_width": side, "filter_width": width}
    params |= {"input_depth": depth, "output_depth": channels, "depth_multiplier": multiplier}
    params |= {"pad_top": height // 2, "pad_left": width // 2}
    data = rng.integers(-128, 128, side * side * depth, np.int8)
    biases = np.array([bias] + [100] * (channels - 1))
    check("depthwise_conv_2d_s8", params, data, weights, biases, 0.001)


@pytest.mark.parametrize("depth", [16_384, 16_385])
def test_conv_window_of_more_values_than_a_pc_gathers_equals_model(depth):
    rng = np.random.default_rng(depth)
    data = rng.integers(-128, 128, (2, depth), np.int8)
    weights = rng.integers(-128, 128, (3, depth), np.int8)
    check_1x1(data.ravel(), weights, np.array([-70_000, 0, 70_000]), 1e-5)


@pytest.mark.parametrize("channels", [1, 63, 64, 65, 130])
def test_depthwise_conv_of_blocks_of_channels_equals_model(channels):
    rng = np.random.default_rng(channels)
    data, weights = rng.integers(-128, 128, (2, 3, 3, channels), np.int8)
    size = {"input_height": 3, "input_width": 3, "output_height": 3, "output_width": 3}
    size |= {"filter_height": 3, "filter_width": 3, "pad_top": 1, "pad_left": 1}
    size |= {"input_depth": channels, "output_depth": channels}
    check("depthwise_conv_2d_s8", size, data, weights, np.arange(channels) * 100, 0.0005)
