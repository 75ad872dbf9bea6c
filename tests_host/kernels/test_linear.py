"""Requantisation by one linear function with 64 bits equals TFLM's for every sum of a channel.

Proven here by trying all sums of random channels; and for the zoo's models, in the constants that
the DSP kernels read, all sums around each step of the outputs.
"""

import random
import struct

import numpy as np
import pytest

from kernels.test_linear32 import layers_of, random_channel, reaches_of, tflm_outputs
from support.exact import ZOO
from tflm_host.prepare.constants import dsp, dsp_wide, linear
from tflm_host.prepare.constants.linear32 import first_sums

CHANNELS = 200
SHIFTS = 8, 4


def linear_outputs(sums, multiplier, constant, shift, output_range):
    """Return what the kernel makes of *sums*: a product of 32 bits, a sum of 64."""
    doubled = 2 * np.asarray(sums, np.int64)
    assert multiplier == 0 or (np.abs(doubled) < 1 << 31).all()
    outputs = (doubled * multiplier + constant) >> 32 >> shift
    return np.clip(outputs, *output_range[1:])


@pytest.mark.parametrize("shift", SHIFTS)
def test_fit_random_channels_equals_tflm_for_every_sum(shift):
    rng = random.Random(shift)
    fits = 0
    for _ in range(CHANNELS):
        reach, factor, output_range = random_channel(rng)
        found = linear.fit(reach, factor, output_range, shift)
        if found is not None:
            fits += 1
            sums = np.arange(reach[0], reach[1] + 1)
            expected = tflm_outputs(sums, factor, output_range)
            assert (linear_outputs(sums, *found, shift, output_range) == expected).all()
    assert fits > CHANNELS // 4


def test_fit_sums_of_more_than_30_bits_gives_none():
    factor, output_range = (1 << 30, -20), (0, 0, 127)
    assert linear.fit((-5, (1 << 30) - 1), factor, output_range, 8) is not None
    assert linear.fit((-5, 1 << 30), factor, output_range, 8) is None


def test_fit_multiplier_of_more_than_31_bits_gives_none():
    output_range = (0, 0, 127)
    assert linear.fit((-500, 500), (1 << 30, -4), output_range, 4) is not None
    assert linear.fit((-500, 500), (1 << 30, -3), output_range, 4) is None


def channels_of(layer, blob):
    """Yield (start, multiplier, constant) of each channel of a blob in a linear form."""
    words = np.frombuffer(blob[4:], "<u4")
    if dsp._is_3x3(layer):
        words = _channels_of_lanes(words.reshape(-1, 34), len(layer.bias))
    if struct.unpack_from("<i", blob)[0] & dsp_wide.FLAG:
        words = _channels_of_stream(words, layer)
    for row in words.reshape(-1, 4):
        start, multiplier, low, high = struct.unpack("<iiIi", row.tobytes())
        yield start, multiplier, high << 32 | low


def _channels_of_lanes(lanes, channels):
    """Return four words of each channel of tflm_lanes_t, one by one as the kernel reads them."""
    words = np.zeros((channels, 4), np.uint32)
    for group, lane_words in enumerate(lanes):
        first = min(4 * group, channels - 4)
        for lane in range(4):
            pair = 22 + lane // 2 * 6 + lane % 2
            words[first + lane] = lane_words[[lane, pair, pair + 2, pair + 4]]
    return words


def _channels_of_stream(words, layer):
    """Return the same of a stream of conv_wide.h; the last pair may have a channel once more."""
    channels, taps = layer.filter.shape
    behind = 4 + (taps + 3) // 4 * 4
    pairs = words.reshape((channels + 1) // 2, behind + 10)
    assert (pairs[:, 0:4:2] == pairs[:, 1:4:2]).all()
    assert (pairs[:, [behind + 1, behind + 3]] == pairs[:, [behind + 2, behind + 4]]).all()
    columns = [[2 * i, *(behind + 5 * i + k for k in (0, 1, 3))] for i in range(2)]
    rows = np.stack([pairs[:, column] for column in columns], axis=1)
    return np.concatenate([rows[: channels // 2].reshape(-1, 4), rows[channels // 2 :, 1]])


@pytest.mark.parametrize("name", ZOO)
def test_every_linear_channel_of_zoo_models_equals_tflm_around_every_step(zoo, name):
    for layer, blob in layers_of((zoo / f"{name}.tflite").read_bytes(), "dsp"):
        shift = struct.unpack_from("<i", blob)[0] & ~dsp_wide.FLAG
        if shift == dsp.EXACT:
            continue
        fields = "output_offset", "activation_min", "activation_max"
        output_range = [layer.params[field] for field in fields]
        channels = zip(reaches_of(layer), layer.multipliers, layer.bias.tolist(), strict=True)
        for known, (start, multiplier, constant) in zip(
            channels, channels_of(layer, blob), strict=True
        ):
            reach, factor, bias = known
            steps = first_sums(np.arange(-128, 129), reach, factor, output_range[0])
            sums = np.clip(np.add.outer(steps, range(-3, 3)), *reach).ravel()
            sums = np.concatenate([sums, np.linspace(*reach, 500, dtype=np.int64)])
            expected = tflm_outputs(sums, factor, output_range)
            got = linear_outputs(sums, multiplier, constant, shift, output_range)
            assert (start - 2 * bias) % (1 << 32) == 0
            assert (got == expected).all()
