"""Constants of 3x3 depthwise layers for the DSP kernels: what tflm_dsp_fours reads.

For each four channels, their lanes (tflm_lane_t of conv_depthwise_rows.h) and then their factors.
The last four begin early where channels are no multiple of four.
"""

import numpy as np

from .linear import fit

FORM = 8  # TFLM_LINEAR_8, and its shift
LANES = 4
STRIDE_MAX = 2
EXACT_SCALE = 2  # of taps


def is_3x3(layer):
    """Return whether conv_depthwise_3x3.c runs *layer*."""
    params = layer.params
    if layer.kind != "depthwise_conv_2d_s8":
        return False
    last = (params["output_width"] - 1) * params["stride_width"] - params["pad_left"]
    return (
        (params["filter_height"], params["filter_width"]) == (3, 3)
        and params["dilation_width"] == 1
        and params["stride_width"] <= STRIDE_MAX
        and params["pad_left"] <= 1
        and last + 2 <= params["input_width"]
        and (is_single(params) or params["depth_multiplier"] % LANES == 0)
    )


def is_single(params):
    return params["depth_multiplier"] == 1 and params["output_depth"] >= LANES


def linear(layer, reaches):
    """Return a Linear of each channel, or None where one has none."""
    params = layer.params
    limits = [params[name] for name in ("output_offset", "activation_min", "activation_max")]
    found = []
    for reach, factor, bias in zip(reaches, layer.multipliers, layer.bias.tolist(), strict=True):
        one = fit(reach, factor, limits, bias, (FORM, None))
        if one is None:
            return None
        found.append(one)
    return found


def linear_words(filters, channels):
    """Return the words of all fours; *channels* come from linear()."""
    scales, starts, multipliers, addends = (
        np.array([getattr(one, name) for one in channels], np.int64)
        for name in ("scale", "start", "multiplier", "addend")
    )
    factors = [_fours(multipliers), _fours(addends)]
    return _words(filters * scales[:, None], starts, np.concatenate(factors, axis=1))


def exact_words(filters, rows):
    """Return the same of *rows*: start, multiplier, addend and right of each channel."""
    taps = filters.astype(np.int64) * EXACT_SCALE
    return _words(taps, rows[:, 0], _fours(rows).reshape(-1, LANES * 4))


def _words(taps, starts, factors):
    lanes = np.concatenate([_taps(taps), starts[:, None] % (1 << 32)], axis=1)
    fours = _fours(lanes).reshape(len(factors), -1)
    return np.concatenate([fours, factors % (1 << 32)], axis=1)


def _fours(rows):
    """Return the rows of each four channels: [four, channel, ...]."""
    starts = [min(c, len(rows) - LANES) for c in range(0, len(rows), LANES)]
    return np.stack([rows[c : c + LANES] for c in starts])


def _taps(taps):
    """Return five words of each channel: three columns of two rows, the last row as two pairs."""
    halves = (taps % (1 << 16)).reshape(-1, 3, 3)  # channel, row, column
    pairs = halves[:, 0] | halves[:, 1] << 16
    last = halves[:, 2, :2] | halves[:, 2, 1:] << 16
    return np.concatenate([pairs, last], axis=1)
