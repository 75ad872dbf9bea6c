"""Filters of 16 bits for the DSP kernels: the stream of firmware/tflm/kernels/dsp/conv_wide.h.

They add twice the filter's bytes to the model. So they are only for layers with small filters, or
with filters that are read at many positions.
"""

import numpy as np

FLAG = 64  # TFLM_WIDE
FOUR = 4  # channels that run together
POSITIONS_MIN = 100  # that read a filter which is not small
SMALL = 1024  # bytes of a filter
CHANNELS_PER_REPEATED = 8  # channels for each that runs twice, to fill the last four
COPY_BYTES = 96  # TFLM_COPY_BYTES of conv_gather.h


def is_wide(layer):
    """Return whether *layer* gets a stream."""
    params = layer.params
    channels, taps = layer.filter.shape
    if layer.kind != "conv_2d_s8" or channels < FOUR or layer.is_small:
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
    return positions >= POSITIONS_MIN or layer.filter.size <= SMALL


def stream(layer, words, is_exact):
    """Return the words of the stream; *words* are four for each channel."""
    channels = len(words)
    firsts = np.minimum(np.arange(0, channels, FOUR), channels - FOUR)
    fours = firsts[:, None] + np.arange(FOUR)
    starts, *factors = (words[:, i][fours] for i in range(4))
    parts = (
        starts,
        _taps(layer)[fours].transpose(0, 2, 3, 1),  # channels, place, word, channel
        np.stack(factors if is_exact else factors[:2], axis=2),
    )
    return np.concatenate([part.reshape(len(fours), -1) for part in parts], axis=1)


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
