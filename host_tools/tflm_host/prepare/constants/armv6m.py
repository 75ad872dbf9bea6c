"""Constants of the Cortex-M0 kernels: see firmware/tflm/kernels/armv6m/channels.h.

A word that names the form, then the channels.
"""

import struct

import numpy as np

from .linear32 import fit

EXACT, LINEAR = 1, 2  # tflm_m0_form_t
HEADER = "<i"
EXACT_CHANNEL = "<iiii"  # start, bias, multiplier, right
LINEAR_CHANNEL = "<iiiiii"  # start, bias, limit, high, low, addend

SAFE_SUM = 1 << 28
RIGHT_MAX = 22
TAPS_MAX = 128  # of depthwise filters that use im2col


def build(layer):
    """Return the constants of *layer*, b"" where its kernel makes them itself."""
    params = layer.params
    weights = layer.filter.astype(np.int64)
    if params.get("filter_offset", 0) != 0 or not _pairs_are_safe(layer):
        return b""
    offset = params["input_offset"]
    low, high = -128 + offset, 127 + offset
    positive = weights.clip(min=0).sum(axis=1)
    negative = weights.clip(max=0).sum(axis=1)
    bias = layer.bias.astype(np.int64)
    reaches = np.stack(
        [bias + positive * low + negative * high, bias + positive * high + negative * low], axis=1
    ).tolist()
    starts = bias + (offset - _input_bias(layer)) * weights.sum(axis=1)
    channels = list(zip(starts.tolist(), bias.tolist(), strict=True))
    return _linear(layer, reaches, channels) or _exact(layer, reaches, channels)


def _input_bias(layer):
    """Return the addend of inputs in im2col: see conv_pairs.h."""
    return 0 if layer.kind.startswith("fully") or _is_narrow(layer.params) else 1


def _is_narrow(params):
    return (
        params.get("depth_multiplier") == 1
        and params["filter_width"] <= 3
        and params["dilation_height"] == params["dilation_width"] == 1
    )


def _pairs_are_safe(layer):
    """Tell whether the products of two taps always fit 16 bits, where they must."""
    if _input_bias(layer) == 0:
        return True
    taps = layer.filter.shape[1]
    if layer.kind.startswith("depthwise") and taps > TAPS_MAX:
        return False
    pairs = layer.filter[:, taps % 2 :].reshape(len(layer.filter), -1, 2)
    return not (pairs == -128).all(axis=2).any()


def _linear(layer, reaches, channels):
    params = layer.params
    output_range = [params[name] for name in ("output_offset", "activation_min", "activation_max")]
    blob = struct.pack(HEADER, LINEAR)
    for reach, factor, (start, bias) in zip(reaches, layer.multipliers, channels, strict=True):
        linear = fit(reach, factor, output_range) if factor[1] <= 0 else None
        if linear is None:
            return b""
        starts = _wrap(start - linear.middle), _wrap(bias - linear.middle)
        words = *starts, linear.limit, linear.high, linear.low, linear.addend
        blob += struct.pack(LINEAR_CHANNEL, *words)
    return blob


def _exact(layer, reaches, channels):
    blob = struct.pack(HEADER, EXACT)
    for reach, factor, (start, bias) in zip(reaches, layer.multipliers, channels, strict=True):
        multiplier, right = factor[0], -factor[1] if factor[0] else 1
        if not 1 <= right <= RIGHT_MAX or max(-reach[0], reach[1]) >= SAFE_SUM:
            return b""
        blob += struct.pack(EXACT_CHANNEL, _wrap(start), _wrap(bias), multiplier, right)
    return blob


def _wrap(value):
    """Return *value* modulo 2**32, as an int32."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
