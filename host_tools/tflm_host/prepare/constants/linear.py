"""Requantisation on cores with 64-bit products, as one linear function if that is exact.

    output = ((scale * sum + start) * multiplier + 2**31 >> 32) + addend >> shift

TFLM's double rounding and this function both never fall as the sum grows. So they are equal
everywhere if they are equal around each sum at which TFLM's output steps. `fit` finds constants
for all sums that a channel can reach, by integer arithmetic at every step. The term `start *
multiplier + addend * 2**32` approximates any constant of 64 bits closely enough.
"""

from dataclasses import dataclass

import numpy as np

from .linear32 import first_sums, requantize

SUM_LIMIT = MULTIPLIER_LIMIT = 1 << 31
SCALE_MAX = 256  # of a filter's int8, in int16
STARTS = 1 << 9, 1 << 14, 1 << 20  # that are tried in turn, around the bias
ADDEND_LIMIT = 1 << 30  # what is added to it is below, too


@dataclass
class Linear:
    """The constants of one channel. scale: what taps are multiplied by, inputs with them."""

    scale: int
    start: int  # of the scaled sum of products; even
    multiplier: int
    addend: int


def fit(reach, factor, output_range, bias, form):
    """Return a Linear that equals TFLM's for all sums reach[0]..reach[1], bias included, or None.

    reach         smallest and largest sum, inside int32
    factor        (multiplier, shift)
    output_range  offset, minimum and maximum of the int8 outputs; linear outputs are clamped, too
    form          shift, and scale, None for any
    """
    shift, scale = form
    if factor[1] > 0:
        return None
    steps = _steps(reach, factor, output_range)
    if steps.constant is not None:
        return Linear(scale or 1, 0, 0, steps.constant << shift)
    power = factor[1] + shift + 1
    scale = scale or 1 << max(power, 0)
    if scale > SCALE_MAX or scale * max(-reach[0], reach[1]) + STARTS[-1] >= SUM_LIMIT:
        return None
    nearest = _shifted(factor[0], power + 1 - scale.bit_length())
    for multiplier in (nearest, nearest + 1):
        if 0 < multiplier < MULTIPLIER_LIMIT:
            found = _start(multiplier, *_bounds(scale * multiplier, 32 + shift, steps))
            if found is not None:
                return Linear(scale, scale * bias + found[0], multiplier, found[1])
    return None


def _start(multiplier, least, most):
    """Return (start, addend), whose constant lies between two others, or None."""
    for count in STARTS if least <= most else ():
        starts = np.arange(-count // 2, count // 2) * 2
        below = (most - (1 << 31)) % (1 << 32) - starts * multiplier
        fits = below % (1 << 32) <= min(most - least, (1 << 32) - 1)
        if fits.any():
            start = int(starts[np.argmax(fits)])
            addend = (most - (1 << 31) - start * multiplier) >> 32
            return (start, addend) if abs(addend) < ADDEND_LIMIT else None
    return None


@dataclass
class _Steps:
    """The steps of TFLM's outputs: outputs[i] begins at sums[i].

    constant   the output of all sums, if there is only one
    low, high  the smallest and the largest sum, None if it does not matter
    """

    constant: int | None
    outputs: np.ndarray | None = None
    sums: np.ndarray | None = None
    low: int | None = None
    high: int | None = None


def _steps(reach, factor, output_range):
    offset, minimum, maximum = output_range
    ends = requantize(np.array(reach), factor, offset)
    first, last = np.clip(ends, minimum, maximum).tolist()
    if first == last:
        return _Steps(first)
    outputs = np.arange(first + 1, last + 1)
    sums = first_sums(outputs, reach, factor, offset)
    # An end that TFLM clamps may lie anywhere beyond: it is clamped here as well.
    low = reach[0] if ends[0] >= minimum else None
    high = reach[1] if ends[1] <= maximum else None
    return _Steps(None, outputs, sums, low, high)


def _shifted(value, power):
    return value << power if power >= 0 else value >> -power


def _bounds(multiplier, shift, steps):
    """Return the least and the most constant with which outputs begin at their sums."""
    outputs, sums, unit = steps.outputs, steps.sums, 1 << shift
    least = int((outputs * unit - sums * multiplier).max())
    most = int((outputs * unit - (sums - 1) * multiplier).min()) - 1
    if steps.low is not None:
        least = max(least, (int(outputs[0]) - 1) * unit - steps.low * multiplier)
    if steps.high is not None:
        most = min(most, (int(outputs[-1]) + 1) * unit - 1 - steps.high * multiplier)
    return least, most
