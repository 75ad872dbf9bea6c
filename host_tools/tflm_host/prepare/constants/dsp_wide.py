"""Filters of 16 bits for the DSP kernels: the stream of firmware/tflm/kernels/dsp/conv_wide.h.

They take twice the filter's bytes more in the model, so only layers have them whose filters are
small or read at many positions.
"""

import numpy as np

FLAG = 64  # TFLM_WIDE
POSITIONS_MIN = 100  # that read a filter which is not small
SMALL = 1024  # bytes of a filter
COPY_BYTES = 96  # TFLM_COPY_BYTES of conv_gather.h


def is_wide(layer):
    """Return whether *layer* gets a stream."""
    params = layer.params
    channels, taps = layer.filter.shape
    if layer.kind != "conv_2d_s8" or channels < 2 or layer.is_small:
        return False
    if params["filter_depth"] != params["input_depth"]:
        return False
    if params["filter_width"] != 1 and params["dilation_width"] != 1:
        return False
    if _run(params) % 4 != 0 and taps > COPY_BYTES:
        return False
    positions = params["batches"] * params["output_height"] * params["output_width"]
    return positions >= POSITIONS_MIN or layer.filter.size <= SMALL


def stream(layer, words, is_exact):
    """Return the words of the stream; *words* are four for each channel."""
    channels = len(words)
    firsts = list(range(0, channels - 1, 2)) + [channels - 2] * (channels % 2)
    pairs = np.stack([np.arange(2) + first for first in firsts])
    starts, *factors = (words[:, i][pairs] for i in range(4))
    taps = _taps(layer)[pairs]  # pair, channel, four, word
    parts = (
        np.repeat(starts, 2, axis=1),
        taps.transpose(0, 2, 1, 3),
        np.stack(factors, axis=2) if is_exact else np.stack(factors[:2], axis=1),
    )
    return np.concatenate([part.reshape(len(pairs), -1) for part in parts], axis=1)


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
