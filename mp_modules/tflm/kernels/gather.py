"""The operators GATHER and GATHER_ND. An index outside of the input gives zeros.

Source: tensorflow/lite/micro/kernels/gather.cc, gather_nd.cc.
"""

import micropython
from micropython import const

_BATCHES = const(0)
_OUTER = const(1)
_EXTENT = const(2)
_COUNT = const(3)
_ROW = const(4)
_ND_COUNT = const(0)
_ND_ROW = const(1)
_LAST = const(2)
_DEPTH = const(3)
_STEPS = const(4)


@micropython.viper
def _number(indices, k: int) -> int:
    """Return int32 number *k*, at any alignment; 0x3FFFFFFF where it is larger, or negative."""
    p = ptr8(indices)
    k *= 4
    high = p[k + 3]
    if high > 63:
        return 0x3FFFFFFF
    return p[k] | p[k + 1] << 8 | p[k + 2] << 16 | high << 24


@micropython.viper
def take(params, input, indices, output):
    """[batches, outer, extent] rows, int32 [batches, count] -> [batches, outer, count] rows."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    row = p[_ROW]
    count = p[_COUNT]
    outer = p[_OUTER]
    k = 0
    for b in range(p[_BATCHES] * outer):
        first = b // outer * count
        for i in range(count):
            index = int(_number(indices, first + i))
            if index < p[_EXTENT]:
                start = (b * p[_EXTENT] + index) * row
                for j in range(row):
                    y[k + j] = x[start + j]
            else:
                for j in range(row):
                    y[k + j] = 0
            k += row


@micropython.viper
def take_nd(params, input, indices, output):
    """Bytes, int32 [count, depth] -> count rows."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    z = ptr8(indices)
    row = p[_ND_ROW]
    depth = p[_DEPTH]
    last = p[_LAST]
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    k = 0
    for i in range(p[_ND_COUNT]):
        start = 0
        for d in range(depth):
            at = 4 * (i * depth + d)
            number = z[at] | z[at + 1] << 8 | z[at + 2] << 16 | z[at + 3] << 24
            start += number * p[_STEPS + d]
        start = (start << spare) >> spare
        if start < 0 or start > last:
            for j in range(row):
                y[k + j] = 0
        else:
            for j in range(row):
                y[k + j] = x[start + j]
        k += row
