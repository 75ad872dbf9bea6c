"""Requantisation on cores with 32-bit products, as one linear function if that is exact.

    x = sum clamped to -limit..limit
    output = (x * high + (x * low >> 12) + addend) >> 23

equals floor((floor(x * multiplier / 2**12) + addend) / 2**23) with multiplier = high * 2**12 +
low, since x * high is an integer. The sum begins at a value that centres the sums at which
outputs step around zero. TFLM's double rounding and this function both never fall as the sum
grows. So they are equal everywhere if they are equal around each sum at which TFLM's output steps.
`fit` finds such constants, for all sums that a channel can reach.
"""

from dataclasses import dataclass

import numpy as np

LOW_BITS = 12
SHIFT = 23  # 128 * 2**23 leaves half of an int32 for the excess over the last step
LIMIT_MAX = 1 << (31 - LOW_BITS)  # limit * low stays below 2**31
NEAR = 3  # sums around where an output steps with one rounding
SUM_LIMIT = 1 << 30  # sums less their middle stay inside 32 bits
WORD_LIMIT = 1 << 31


@dataclass
class Linear:
    """The constants of one channel. middle: what its sums' start is less."""

    middle: int
    limit: int
    high: int
    low: int
    addend: int

    def __call__(self, sums):
        """Return the outputs of *sums* (an array)."""
        x = np.clip(np.asarray(sums, np.int64) - self.middle, -self.limit, self.limit)
        return (x * self.high + (x * self.low >> LOW_BITS) + self.addend) >> SHIFT


def requantize(sums, factor, offset):
    """Return TFLM's outputs of *sums*, not clamped. factor: (multiplier, shift), shift -31 to 0.

    Source: MultiplyByQuantizedMultiplier, tensorflow/lite/kernels/internal/common.h.
    """
    multiplier, shift = factor
    high = (np.asarray(sums, np.int64) * multiplier + (1 << 30)) >> 31
    if shift == 0:
        return high + offset
    half = 1 << (-shift - 1)
    return ((high + half - (high < 0)) >> -shift) + offset


def first_sums(outputs, reach, factor, offset):
    """Return, for each of *outputs*, the first sum in reach[0]..reach[1]+1 that gives no less."""
    multiplier, shift = factor
    # Exact except for the double rounding.
    near = (outputs - offset - 0.5) * 2.0 ** (31 - shift) / multiplier
    near = np.clip(near, reach[0] - 1, reach[1] + 1).astype(np.int64)
    below = np.maximum(near - NEAR, reach[0] - 1)
    found = np.minimum(near + NEAR, reach[1] + 1)
    low = (below >= reach[0]) & (requantize(below, factor, offset) >= outputs)
    high = (found <= reach[1]) & (requantize(found, factor, offset) < outputs)
    below, found = np.where(low, reach[0] - 1, below), np.where(high, reach[1] + 1, found)
    while (found - below > 1).any():
        middle = (below + found) >> 1
        enough = requantize(middle, factor, offset) >= outputs
        found = np.where(enough, middle, found)
        below = np.where(enough, below, middle)
    return found


def fit(reach, factor, output_range):
    """Return Linear constants that equal TFLM's for all sums reach[0]..reach[1], or None.

    reach         smallest and largest sum, inside int32
    factor        (multiplier, shift), shift -31 to 0
    output_range  offset, minimum and maximum of the int8 outputs
    """
    offset, minimum, maximum = output_range
    first, last = np.clip(requantize(np.array(reach), factor, offset), minimum, maximum).tolist()
    if first == last:
        return Linear(0, 0, 0, 0, first << SHIFT)
    if max(-reach[0], reach[1]) >= SUM_LIMIT:
        return None
    outputs = np.arange(first + 1, last + 1)
    sums = first_sums(outputs, reach, factor, offset)
    middle = int(sums[0] + sums[-1]) >> 1
    steps = sums - middle
    limit = int(max(1 - steps[0], steps[-1]))
    if limit >= LIMIT_MAX:
        return None
    nearest = int(factor[0] * 2.0 ** (factor[1] - 31 + SHIFT + LOW_BITS))
    for multiplier in (nearest, nearest + 1):
        addend = _addend(multiplier, outputs << SHIFT, steps, limit)
        if addend is not None:
            high, low = divmod(multiplier, 1 << LOW_BITS)
            return Linear(middle, limit, high, low, addend)
    return None


def _addend(multiplier, outputs, steps, limit):
    """Return an addend with which *outputs* (shifted) begin at their *steps*, or None.

    None is gone below the first or above the last one, up to *limit*.
    """
    unit = 1 << SHIFT
    at_steps = steps * multiplier >> LOW_BITS
    before = (steps - 1) * multiplier >> LOW_BITS
    ends = [-limit * multiplier >> LOW_BITS, limit * multiplier >> LOW_BITS]
    least = max(int((outputs - at_steps).max()), int(outputs[0]) - unit - ends[0])
    most = min(int((outputs - before).min()) - 1, int(outputs[-1]) + unit - 1 - ends[1])
    addend = (least + most) >> 1
    return addend if least <= most and abs(addend) < WORD_LIMIT else None
