"""Filters of 16 bits for the DSP kernels: the stream of firmware/tflm/kernels/dsp/conv_wide.h.

They add twice the filter's bytes to the model. So they are only for layers with small filters, or
with filters that are read at many positions.
"""

import numpy as np

from ...model.flash_cache import RP2_CACHE

FLAG, FOURS = 64, 32  # TFLM_WIDE, TFLM_FOURS
# Values of Layer.packed_from.
NEVER, MANY_POSITIONS, FEW_POSITIONS = 1 << 31, 100, 16
FOUR = 4  # channels that run together
SMALL = 1024  # bytes of a filter
CHANNELS_PER_REPEATED = 8  # channels for each that runs twice, to fill the last four
COPY_BYTES = 96  # TFLM_COPY_BYTES of conv_gather.h
SHORT = 64  # values of a window of which four run together, 4 * TFLM_WIDE_FOURS_MAX


def is_wide(layer):
    """Return whether *layer* gets a stream."""
    params = layer.params
    channels, taps = layer.filter.shape
    if layer.kind != "conv_2d_s8" or channels < FOUR or layer.packed_from == NEVER:
        return False
    if -channels % FOUR * CHANNELS_PER_REPEATED > channels:
        return False
    if params["filter_depth"] != params["input_depth"]:
        return False
    if params["filter_width"] != 1 and params["dilation_width"] != 1:
        return False
    if _run(params) % 4 != 0 and taps > COPY_BYTES:
        return False
    positions = params["batches"] * params["output_height"] * params["output_width"]
    return positions >= layer.packed_from or layer.filter.size <= SMALL


def outputs(layer):
    """Return how many positions a pass over the stream computes.

    An RP2350 keeps most of a stream in its cache, so that four gain nothing there.
    """
    return 4 if layer.filter.shape[1] <= SHORT and layer.flash_cache != RP2_CACHE else 2


def flags(layer):
    """Return what the form of *layer* is marked with."""
    return FLAG | (FOURS if outputs(layer) == 4 else 0)


def stream(layer, words, is_exact):
    """Return the words of the stream; *words* are four for each channel."""
    fours, starts, factors = in_fours(words, is_exact)
    pairs = _taps(layer)[fours].reshape(len(fours), 2, FOUR // 2, -1, 2)
    taps = pairs.transpose(0, 3, 1, 4, 2)  # channels, place, pair of channels, word, channel
    return joined(starts, taps, factors)


def in_fours(words, is_exact):
    """Return channels that run together, and of these, [four, channel]: starts, factors.

    If channels are no multiple of four, the last four begin earlier.
    """
    channels = len(words)
    firsts = np.minimum(np.arange(0, channels, FOUR), channels - FOUR)
    fours = firsts[:, None] + np.arange(FOUR)
    starts, *factors = (words[:, i][fours] for i in range(4))
    return fours, starts, np.stack(factors if is_exact else factors[:2], axis=2)


def joined(*parts):
    """Return the words of each four of *parts*, one part after the other."""
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)


def _run(params):
    return params["filter_width"] * params["filter_depth"]


def _taps(layer):
    """Return the words of taps in the order of windows: [channel, four, word]."""
    rows = layer.filter.reshape(len(layer.filter), layer.params["filter_height"], -1)
    whole = rows.shape[2] & ~3
    parts = [part.reshape(len(rows), -1) for part in (rows[:, :, :whole], rows[:, :, whole:])]
    taps = np.concatenate(parts, axis=1).astype(np.int16).astype(np.uint16).astype(np.uint32)
    fours = np.pad(taps, ((0, 0), (0, -taps.shape[1] % 4))).reshape(len(rows), -1, 4)
    return fours[:, :, :2] | fours[:, :, 2:] << 16
