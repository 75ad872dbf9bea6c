"""SVDF with int8 or int16 state.

Source: tensorflow/lite/micro/kernels/svdf_common.cc.
"""

import micropython
from micropython import const

from .fixed_point import WORK, scale
from .requantize import setup, store

_BATCHES = const(0)
_INPUT_DEPTH = const(1)
_FILTERS = const(2)
_MEMORY = const(3)
_RANK = const(4)
_INPUT_OFFSET = const(5)
_STATE_ZERO_POINT = const(6)
_OUTPUT_OFFSET = const(7)
_FEATURE_MULTIPLIER = const(8)
_FEATURE_SHIFT = const(9)
_TIME_MULTIPLIER = const(10)
_TIME_SHIFT = const(11)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)


@micropython.viper
def svdf_s8(
    params, input, weights_feature, weights_time, bias, state, output, scratch, output_scratch
):
    """int8 [N, I], [F, I], [F, M], int32 [U] -> int8 state [N, F, M], int8 [N, U]."""
    _features(params, input, weights_feature, state, scratch, 1)
    _sums(params, weights_time, state, scratch, 1)
    _outputs(params, bias, output, scratch, output_scratch)


@micropython.viper
def svdf_s16(
    params, input, weights_feature, weights_time, bias, state, output, scratch, output_scratch
):
    """As svdf_s8, with int16 weights_time and state. The int32 sums wrap, as upstream's do."""
    _features(params, input, weights_feature, state, scratch, 2)
    _sums(params, weights_time, state, scratch, 2)
    _outputs(params, bias, output, scratch, output_scratch)


@micropython.viper
def _features(params, input, weights_feature, state, scratch, width: int):
    # Shift the whole state left by one element; put each filter's dot product in its last slot.
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    f = ptr8(weights_feature)
    s = ptr8(state)
    acc = ptr32(scratch)
    filters = p[_FILTERS]
    depth = p[_INPUT_DEPTH]
    zero = p[_INPUT_OFFSET] - 128
    count = p[_BATCHES] * filters
    for i in range((count * p[_MEMORY] - 1) * width):
        s[i] = s[i + width]
    for k in range(count):
        i = k // filters * depth
        first = k % filters * depth
        total = 0
        for j in range(first, first + depth):
            total += ((x[i] ^ 128) + zero) * ((f[j] ^ 128) - 128)
            i += 1
        acc[k] = total
    w[_W_MULTIPLIER] = p[_FEATURE_MULTIPLIER]
    w[_W_SHIFT] = p[_FEATURE_SHIFT]
    scale(WORK, scratch, 0, count)
    one = 1
    sign = one << 31
    limit = one << ((width << 3) - 1)
    for k in range(count):
        v = (acc[k] ^ sign) - sign
        if v < -limit:
            v = -limit
        if v >= limit:
            v = limit - 1
        v += p[_STATE_ZERO_POINT]
        i = ((k + 1) * p[_MEMORY] - 1) * width
        s[i] = v
        if width == 2:
            s[i + 1] = v >> 8


@micropython.viper
def _sums(params, weights_time, state, scratch, width: int):
    # scratch[N, F] = sum over the memory of weights_time * (state - zero point)
    p = ptr32(params)
    t = ptr8(weights_time)
    s = ptr8(state)
    acc = ptr32(scratch)
    memory = p[_MEMORY] * width
    filters = p[_FILTERS]
    one = 1
    sign = one << ((width << 3) - 1)
    zero = sign + p[_STATE_ZERO_POINT]
    for k in range(p[_BATCHES] * filters):
        i = k * memory
        j = k % filters * memory
        end = j + memory
        total = 0
        while j < end:
            a = t[j]
            b = s[i]
            if width == 2:
                a |= t[j + 1] << 8
                b |= s[i + 1] << 8
            total += ((a ^ sign) - sign) * ((b ^ sign) - zero)
            i += width
            j += width
        acc[k] = total


@micropython.viper
def _outputs(params, bias, output, scratch, output_scratch):
    p = ptr32(params)
    w = ptr32(WORK)
    b = ptr8(bias)
    acc = ptr32(scratch)
    out = ptr32(output_scratch)
    biased = int(len(bias))
    rank = p[_RANK]
    units = p[_FILTERS] // rank
    count = p[_BATCHES] * units
    for k in range(count):
        total = 0
        if biased:
            i = k % units << 2
            total = b[i] | b[i + 1] << 8 | b[i + 2] << 16 | b[i + 3] << 24
        for i in range(k * rank, (k + 1) * rank):
            total += acc[i]
        out[k] = total
    setup(WORK, params, _OUTPUT_OFFSET, 1)
    w[_W_MULTIPLIER] = p[_TIME_MULTIPLIER]
    w[_W_SHIFT] = p[_TIME_SHIFT]
    scale(WORK, output_scratch, 0, count)
    store(WORK, output_scratch, 0, output, count)
