"""Requantisation on cores with 64-bit products, as one linear function where that is exact.

    output = (2 * sum * multiplier + constant) >> 32 >> shift

or, with taps that are `scale` times the filter's, in one instruction,

    output = ((scaled sum + start) * multiplier + 2**31 >> 32) + addend >> 8

TFLM's double rounding and these functions never fall as the sum grows, so they are equal
everywhere if they are equal around each sum where TFLM's output steps. `fit` and `fit_high` find
constants for which that holds, over all sums that a channel can reach, by integer arithmetic at
every step.
"""

from dataclasses import dataclass

import numpy as np

from .linear32 import first_sums, requantize

SUM_LIMIT = 1 << 30  # twice a sum stays inside 32 bits
MULTIPLIER_LIMIT = 1 << 31
HIGH_SHIFT = 8
SCALE_MAX = 256  # of a filter's int8, in int16
STARTS = 1 << 14  # that are tried, around the bias
ADDEND_LIMIT = 1 << 30  # what is added to it is below, too


def fit(reach, factor, output_range, shift):
    """Return (multiplier, constant) that equal TFLM's for all sums reach[0]..reach[1], or None.

    reach: least and largest sum, inside int32. factor: (multiplier, shift), shift -31 to 0.
    output_range: offset, minimum and maximum of the outputs, which are int8; the linear ones are
    clamped, too.
    """
    steps = _steps(reach, factor, output_range)
    if steps.constant is not None:
        return 0, steps.constant << (32 + shift)
    if max(-reach[0], reach[1]) >= SUM_LIMIT:
        return None
    nearest = _shifted(factor[0], factor[1] + shift)
    for multiplier in (nearest, nearest + 1):
        if multiplier < MULTIPLIER_LIMIT:
            least, most = _bounds(2 * multiplier, 32 + shift, steps)
            if least <= most:
                return multiplier, (least + most) >> 1
    return None


@dataclass
class High:
    """What fit_high finds."""

    scale: int
    start: int
    multiplier: int
    addend: int

    def __call__(self, products):
        """Return the outputs of *products* (an array), the sums without bias."""
        sums = np.asarray(products, np.int64) * self.scale + self.start
        return ((sums * self.multiplier + (1 << 31) >> 32) + self.addend) >> HIGH_SHIFT


def fit_high(reach, factor, output_range, bias):
    """Return a High that equals TFLM's for all sums reach[0]..reach[1], bias included, or None.

    Arguments as of fit().
    """
    steps = _steps(reach, factor, output_range)
    if steps.constant is not None:
        return High(1, 0, 0, steps.constant << HIGH_SHIFT)
    power = factor[1] + HIGH_SHIFT + 1
    scale = 1 << max(power, 0)
    largest = max(-reach[0], reach[1], abs(bias))
    if scale > SCALE_MAX or 2 * largest * scale + STARTS >= MULTIPLIER_LIMIT:
        return None
    nearest = _shifted(factor[0], min(power, 0))
    for multiplier in (nearest, nearest + 1):
        if 0 < multiplier < MULTIPLIER_LIMIT:
            found = _start(multiplier, *_bounds(scale * multiplier, 32 + HIGH_SHIFT, steps))
            if found is not None:
                return High(scale, scale * bias + found[0], multiplier, found[1])
    return None


def _start(multiplier, least, most):
    """Return (start, addend), whose constant lies between two others, or None."""
    starts = np.arange(STARTS) - STARTS // 2
    starts = starts[np.argsort(np.abs(starts), kind="stable")]
    below = (most - (1 << 31)) % (1 << 32) - starts * multiplier
    fits = below % (1 << 32) <= min(most - least, (1 << 32) - 1)
    if not fits.any():
        return None
    start = int(starts[np.argmax(fits)])
    addend = (most - (1 << 31) - start * multiplier) >> 32
    return (start, addend) if abs(addend) < ADDEND_LIMIT else None


@dataclass
class _Steps:
    """Where TFLM's outputs step: outputs[i] begins at sums[i].

    constant: the output of all sums, if there is but one. low, high: the least and the largest
    sum, None where it does not matter.
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
