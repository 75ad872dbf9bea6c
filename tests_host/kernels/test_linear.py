"""Requantisation by one linear function with 64 bits equals TFLM's for every sum of a channel.

Proven here by trying all sums of random channels; and for the zoo's models, in the constants that
the DSP kernels read, all sums around each step of the outputs.
"""

import random
import struct

import numpy as np
import pytest

from kernels.test_linear32 import layers_of, random_channel, reaches_of, tflm_outputs
from support.expected.exact import ZOO
from tflm_host.prepare.constants import dsp, dsp_fours, dsp_wide, dsp_winograd, linear
from tflm_host.prepare.constants.linear32 import first_sums

FLAGS = dsp_wide.FLAG | dsp_wide.FOURS | dsp_winograd.FLAG
CHANNELS = 200


FORMS = (8, 2), (4, 2), (8, None)  # shift, scale


def linear_outputs(products, found, shift, output_range):
    """Return what the kernel makes of *products*, whose steps stay inside 32 bits each."""
    sums = np.asarray(products, np.int64) * found.scale + found.start
    high = sums * found.multiplier + (1 << 31) >> 32
    if found.multiplier != 0:
        for step in (sums, high + found.addend):
            assert (np.abs(step) < 1 << 31).all()
    assert found.scale in (1 << i for i in range(9))
    return np.clip((high + found.addend) >> shift, *output_range[1:])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bias", [0, -70000, 4000])
def test_fit_random_channels_equals_tflm_for_every_sum(form, bias):
    rng = random.Random(bias + form[0])
    fits = 0
    for _ in range(CHANNELS):
        reach, factor, output_range = random_channel(rng)
        found = linear.fit(reach, factor, output_range, bias, form)
        if found is not None:
            fits += 1
            sums = np.arange(reach[0], reach[1] + 1)
            expected = tflm_outputs(sums, factor, output_range)
            assert (linear_outputs(sums - bias, found, form[0], output_range) == expected).all()
            assert found.scale == form[1] or form[1] is None
            assert (found.start - found.scale * bias) % 2 == 0 or found.multiplier == 0
    assert fits > CHANNELS // 4


def test_fit_sums_of_more_than_30_bits_gives_none():
    factor, output_range = (1 << 30, -20), (0, 0, 127)
    room = linear.STARTS[-1] // 2
    assert linear.fit((-5, (1 << 30) - room - 1), factor, output_range, 0, (8, 2)) is not None
    assert linear.fit((-5, (1 << 30) - room), factor, output_range, 0, (8, 2)) is None


def test_fit_multiplier_of_more_than_31_bits_gives_none():
    output_range = (0, 0, 127)
    assert linear.fit((-500, 500), (1 << 30, -4), output_range, 0, (4, 2)) is not None
    assert linear.fit((-500, 500), (1 << 30, -3), output_range, 0, (4, 2)) is None


def test_fit_scale_of_more_than_8_bits_gives_none():
    output_range = (0, 0, 127)
    assert linear.fit((-500, 500), (1 << 30, -1), output_range, 0, (8, None)).scale == 256
    assert linear.fit((-500, 500), (1 << 30, 0), output_range, 0, (8, None)) is None


def channels_of(layer, blob):
    """Yield the Linear of each channel of a blob in a linear form."""
    words = np.frombuffer(blob[4:], "<u4")
    flags, taps = struct.unpack_from("<i", blob)[0] & FLAGS, layer.filter.shape[1]
    if flags:
        place = 4 if flags == dsp_winograd.FLAG else 4 + (taps + 3) // 4 * 8
        words = _channels_of_stream(words, len(layer.filter), place)
    for row in words.reshape(-1, 4):
        start, multiplier, addend, last = struct.unpack("<iiii", row.tobytes())
        assert last == 0
        yield linear.Linear(dsp.SCALE, start, multiplier, addend)


def _channels_of_stream(words, channels, place):
    """Return the same of a stream; the last four may have channels once more.

    place  of the factors of four channels
    """
    fours = words.reshape((channels + 3) // 4, -1)
    zeros = np.zeros((len(fours), 4, 1), np.uint32)
    factors = fours[:, place : place + 8].reshape(-1, 4, 2)
    rows = np.concatenate([fours[:, :4, None], factors, zeros], axis=2)
    whole, again = channels // 4, -channels % 4
    return np.concatenate([rows[:whole].reshape(-1, 4), *rows[whole:, again:]])


def lanes_of(layer, blob):
    """Yield the same of a blob of dsp_fours."""
    fours = np.frombuffer(blob[4:], "<i4").reshape(-1, 32)
    taps = layer.filter.astype(np.int64)
    for c in range(len(taps)):
        four = min(c // 4, len(fours) - 1)
        lane = c - min(4 * four, len(taps) - 4)
        words = fours[four, 6 * lane : 6 * lane + 6]
        halves = words[:5, None] >> np.array([0, 16])
        first, second = halves[:3].T.astype(np.int16)
        last = halves[3:].astype(np.int16)
        assert last[0, 1] == last[1, 0]
        scaled = np.concatenate([first, second, last[0], last[1, 1:]])
        scale = scaled[taps[c] != 0][0] // taps[c][taps[c] != 0][0] if taps[c].any() else 1
        assert (scaled == scale * taps[c]).all()
        multiplier, addend = fours[four, [24 + lane, 28 + lane]].tolist()
        yield linear.Linear(int(scale), int(words[5]), multiplier, addend)


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_every_linear_channel_of_zoo_models_equals_tflm_around_every_step(zoo, name):
    for layer, blob in layers_of((zoo / f"{name}.tflite").read_bytes(), "dsp"):
        shift = struct.unpack_from("<i", blob)[0] & ~FLAGS
        if shift == dsp.EXACT:
            continue
        fields = "output_offset", "activation_min", "activation_max"
        output_range = [layer.params[field] for field in fields]
        channels = zip(reaches_of(layer), layer.multipliers, layer.bias.tolist(), strict=True)
        is_four = dsp_fours.is_3x3(layer)
        for known, found in zip(
            channels, (lanes_of if is_four else channels_of)(layer, blob), strict=True
        ):
            reach, factor, bias = known
            steps = first_sums(np.arange(-128, 129), reach, factor, output_range[0])
            sums = np.clip(np.add.outer(steps, range(-3, 3)), *reach).ravel()
            sums = np.concatenate([sums, np.linspace(*reach, 500, dtype=np.int64)])
            expected = tflm_outputs(sums, factor, output_range)
            got = linear_outputs(sums - bias, found, shift, output_range)
            assert (got == expected).all()
