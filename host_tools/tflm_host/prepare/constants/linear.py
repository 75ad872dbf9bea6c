"""Requantisation on cores with 64-bit products, as one linear function where that is exact.

    output = (2 * sum * multiplier + constant) >> 32 >> shift

TFLM's double rounding and this function both never fall as the sum grows, so they are equal
everywhere if they are equal around each sum where TFLM's output steps. `fit` finds constants for
which that holds, over all sums that a channel can reach, by integer arithmetic at every step.
"""

import numpy as np

from .linear32 import first_sums, requantize

SUM_LIMIT = 1 << 30  # twice a sum stays inside 32 bits
MULTIPLIER_LIMIT = 1 << 31


def fit(reach, factor, output_range, shift):
    """Return (multiplier, constant) that equal TFLM's for all sums reach[0]..reach[1], or None.

    reach: least and largest sum, inside int32. factor: (multiplier, shift), shift -31 to 0.
    output_range: offset, minimum and maximum of the outputs, which are int8; the linear ones are
    clamped, too.
    """
    offset, minimum, maximum = output_range
    ends = requantize(np.array(reach), factor, offset)
    first, last = np.clip(ends, minimum, maximum).tolist()
    if first == last:
        return 0, first << (32 + shift)
    if max(-reach[0], reach[1]) >= SUM_LIMIT:
        return None
    outputs = np.arange(first + 1, last + 1)
    sums = first_sums(outputs, reach, factor, offset)
    # An end that TFLM clamps may lie anywhere beyond: it is clamped here as well.
    low = reach[0] if ends[0] >= minimum else None
    high = reach[1] if ends[1] <= maximum else None
    power = factor[1] + shift
    nearest = factor[0] << power if power >= 0 else factor[0] >> -power
    for multiplier in (nearest, nearest + 1):
        if multiplier < MULTIPLIER_LIMIT:
            constant = _constant(2 * multiplier, 32 + shift, (outputs, sums), (low, high))
            if constant is not None:
                return multiplier, constant
    return None


def _constant(multiplier, shift, steps, ends):
    """Return a constant with which outputs begin at their sums, or None.

    steps: outputs, sums. ends: the least and the largest sum, None where it does not matter.
    """
    outputs, sums = steps
    unit = 1 << shift
    least = int((outputs * unit - sums * multiplier).max())
    most = int((outputs * unit - (sums - 1) * multiplier).min()) - 1
    if ends[0] is not None:
        least = max(least, (int(outputs[0]) - 1) * unit - ends[0] * multiplier)
    if ends[1] is not None:
        most = min(most, (int(outputs[-1]) + 1) * unit - 1 - ends[1] * multiplier)
    return (least + most) >> 1 if least <= most else None
