"""Constants of the kernels for cores with the DSP extension: see firmware/tflm/kernels/dsp.

tflm_dsp_constants_t begins with a word that names the form, then has four words for each channel.
A depthwise layer with 3x3 filters has the words of dsp_fours.py, a convolution with packed weights
the stream of dsp_wide.py or dsp_winograd.py.
"""

import struct

import numpy as np

from . import dsp_fours, dsp_wide, dsp_winograd
from .linear import fit
from .linear32 import requantize

EXACT = 0
LINEAR = 8, 4  # forms, and their shifts: the more precise one first
CHANNEL = "<iiii"  # start, multiplier, addend, right; the last is 0 in a linear form
SCALE = 2  # of sums
WIDE_LEAD = 4 + 4 * dsp_wide.FOUR  # the form and the starts of four channels
SUM_LIMIT = 1 << 30
RIGHT_MAX = 22
SHARED_WORDS = 248  # of a window and filters, TFLM_DSP_SHARED_WORDS


def build(layer):
    """Return the constants of *layer*, b"" where its kernel makes them itself."""
    if not _is_supported(layer):
        return b""
    reaches = list(_reaches(layer))
    if dsp_fours.is_3x3(layer):
        return _fours(layer, reaches)
    for form in (*LINEAR, EXACT):
        channels = _channels(layer, reaches, form)
        if channels is not None:
            words = np.array(channels, np.int64).astype(np.uint32)
            packing = _packing(layer)
            if packing:
                words = packing.stream(layer, words, form == EXACT)
            flag = packing.flags(layer) if packing else 0
            return struct.pack("<i", form | flag) + words.astype("<u4").tobytes()
    return b""


def scratch(layer, nbytes):
    """Return the bytes of scratch of a *layer* with constants, which takes *nbytes* else."""
    return dsp_winograd.scratch(layer) if dsp_winograd.is_winograd(layer) else nbytes


def lead(layer):
    """Return the bytes before the taps of packed weights, None for other constants."""
    return WIDE_LEAD if _packing(layer) is dsp_wide else None


def _packing(layer):
    """Return the module that packs the weights of *layer*, or None."""
    if dsp_winograd.is_winograd(layer):
        return dsp_winograd
    return dsp_wide if dsp_wide.is_wide(layer) else None


def _is_supported(layer):
    params = layer.params
    if not (-127 <= params["input_offset"] <= 128 and _filter_offset(layer) in range(-127, 129)):
        return False
    if (
        layer.kind != "depthwise_conv_2d_s8"
        or dsp_fours.is_3x3(layer)
        or dsp_fours.is_single(params)
    ):
        return True
    taps = layer.filter.shape[1]
    window, filters = (taps + 3) // 4 * 4, (taps * params["depth_multiplier"] + 3) // 4
    return taps < SHARED_WORDS // 2 and window + filters <= SHARED_WORDS


def _filter_offset(layer):
    return layer.params.get("filter_offset", 0)


def _fours(layer, reaches):
    """Return the constants of a layer that conv_depthwise_3x3.c runs."""
    channels = dsp_fours.linear(layer, reaches)
    if channels is not None:
        form, words = dsp_fours.FORM, dsp_fours.linear_words(layer.filter, channels)
    else:
        form, rows = EXACT, _channels(layer, reaches, EXACT)
        if rows is None:
            return b""
        words = dsp_fours.exact_words(layer.filter, np.array(rows, np.int64))
    return struct.pack("<i", form) + words.astype("<u4").tobytes()


def _reaches(layer):
    """Return the least and the largest sum of each channel."""
    weights = layer.filter.astype(np.int64) + _filter_offset(layer)
    ends = np.array([-128, 127]) + layer.params["input_offset"]
    positive, negative = weights.clip(min=0).sum(axis=1), weights.clip(max=0).sum(axis=1)
    bias = layer.bias.astype(np.int64)
    low = bias + positive * ends[0] + negative * ends[1]
    high = bias + positive * ends[1] + negative * ends[0]
    return zip(low.tolist(), high.tolist(), strict=True)


def _channels(layer, reaches, form):
    """Return four words a channel, or None where one has no such form."""
    params = layer.params
    limits = [params[name] for name in ("output_offset", "activation_min", "activation_max")]
    if form != EXACT and _has_tail(layer):
        return None  # it lies beside `right`, zeros too
    tails = _tails(layer)
    rows = []
    channels = zip(reaches, layer.multipliers, layer.bias.tolist(), tails, strict=True)
    for reach, factor, bias, tail in channels:
        if form == EXACT:
            row = _exact(reach, factor, bias, limits)
            row = row and (*row[:3], row[3] | tail << 8)
        else:
            row = _linear(reach, factor, bias, (limits, form))
        if row is None:
            return None
        rows.append([word % (1 << 32) for word in row])
    return rows


def _has_tail(layer):
    """Return whether the last taps of a channel fill no word and the kernel takes them apart."""
    if layer.kind.startswith("fully") or dsp_fours.is_3x3(layer) or dsp_wide.is_wide(layer):
        return False
    return layer.filter.shape[1] % 4 != 0


def _tails(layer):
    """Return the last taps of each channel that fill no word, as one number."""
    if not _has_tail(layer):
        return [0] * len(layer.filter)
    rest = np.ascontiguousarray(layer.filter[:, layer.filter.shape[1] & ~3 :])
    return [int.from_bytes(row.tobytes(), "little") for row in rest]


def _exact(reach, factor, bias, limits):
    """Return start, multiplier, addend and right, or None. See tflm_dsp_channel()."""
    multiplier, right = factor[0], -factor[1]
    if multiplier == 0 or right > RIGHT_MAX:
        if right < 0:
            return None
        first, last = np.clip(requantize(np.array(reach), factor, limits[0]), -128, 127).tolist()
        return (0, 0, 2 * first + 1, 1) if first == last else None
    if right < 1 or max(-reach[0], reach[1]) >= SUM_LIMIT:
        return None
    return 2 * bias, multiplier, (1 << (right - 1)) + limits[0] * (1 << right), right


def _linear(reach, factor, bias, form):
    """Return start, multiplier, addend and 0, or None."""
    limits, shift = form
    found = fit(reach, factor, limits, bias, (shift, SCALE))
    return found and (found.start, found.multiplier, found.addend, 0)
