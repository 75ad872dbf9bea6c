"""Winograd's F(2, 3) for the DSP kernels: the stream of firmware/tflm/kernels/dsp/conv_winograd.h.

Two neighbouring outputs take four products in place of six. The terms of a filter take 2.7 times
the filter's bytes, so they are for the layers that dsp_wide.py packs.
"""

import numpy as np

from . import dsp_wide
from .dsp_wide import FOUR

FLAG = 128  # TFLM_WINOGRAD
TAPS = 3
OUTPUTS = 4  # that are computed at once
ROOM = 49  # bytes of scratch for each input channel: terms of four outputs' windows, a zero
# Terms of m1, m2, m3 and m0, of the taps of a row.
TERMS = np.array([[1, 1, 1], [1, -1, 1], [0, 0, 2], [2, 0, 0]], np.int16)


def is_winograd(layer):
    """Return whether *layer* gets a stream, and takes fewer products with it."""
    if not dsp_wide.is_wide(layer):
        return False
    params = layer.params
    if {params[f"filter_{side}"] for side in ("height", "width")} != {TAPS}:
        return False
    steps = [params[f"{what}_{side}"] for what in _STEPS for side in ("height", "width")]
    width = params["output_width"]
    products = TAPS * (width + width % 2), 2 * (width + -width % OUTPUTS)
    return {*steps} == {1} and params["input_depth"] % FOUR == 0 and products[1] < products[0]


_STEPS = "stride", "dilation"


def scratch(layer):
    """Return the bytes of scratch of such a *layer*."""
    return ROOM * layer.params["input_depth"]


def flags(layer):  # noqa: ARG001 - as in dsp_wide.py
    """Return what the form of *layer* is marked with."""
    return FLAG


def stream(layer, words, is_exact):
    """Return the words of the stream; *words* are four for each channel."""
    fours, starts, factors = dsp_wide.in_fours(words, is_exact)
    return dsp_wide.joined(starts, factors, _terms(layer)[fours].transpose(0, 2, 3, 4, 1))


def _terms(layer):
    """Return the words of terms: [channel, kind, four of a row, word]."""
    taps = layer.filter.reshape(len(layer.filter), TAPS, TAPS, -1).astype(np.int16)
    terms = np.einsum("kx,oyxi->okyi", TERMS, taps).astype(np.uint16).astype(np.uint32)
    fours = terms.reshape(*terms.shape[:2], -1, 4)
    return fours[..., :2] | fours[..., 2:] << 16
