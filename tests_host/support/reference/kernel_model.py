"""What each kernel must write, in plain Python integers: independent of the C and viper code.

A function takes operator parameters as a namespace (arrays as `dims`), then the kernel's arguments
as bytes, and returns its outputs as a list of bytes. Slow and literal on purpose.
Source: the formulas of tensorflow/lite/kernels/internal and gemmlowp/fixedpoint.
"""

import itertools
import math
import struct

import numpy as np

_TOP = 2**31 - 1


def wrap(x):
    """Return x modulo 2**32 as a signed 32-bit integer."""
    return (x + 2**31) % 2**32 - 2**31


def high_multiply(a, b):
    """Return a * b / 2**31, to nearest, ties up; saturated."""
    return min((a * b + 2**30) >> 31, _TOP)


def divide_by_power(x, exponent):
    """Return x / 2**exponent, to nearest, ties away from zero."""
    magnitude = (2 * abs(x) + 2**exponent) // 2 ** (exponent + 1)
    return magnitude if x >= 0 else -magnitude


def multiply(x, multiplier, shift):
    """Return MultiplyByQuantizedMultiplier(x, multiplier, shift), double rounding."""
    x = high_multiply(wrap(x << max(shift, 0)), multiplier)
    return divide_by_power(x, max(-shift, 0))


def quantize_multiplier(real):
    """Return (multiplier, shift) of a double."""
    if real == 0:
        return 0, 0
    fraction, exponent = math.frexp(real)
    multiplier = math.floor(fraction * 2**31 + 0.5)
    if multiplier == 2**31:
        multiplier, exponent = 2**30, exponent + 1
    return (0, 0) if exponent < -31 else (multiplier, exponent)


def clamp(x, low, high):
    return min(max(x, low), high)


def int8s(data):
    return np.frombuffer(data, np.int8).astype(int)


def int32s(data):
    return np.frombuffer(data, "<i4").astype(int)


def as_bytes(values):
    return bytes(int(v) & 0xFF for v in values)


def real_bits(bits):
    """Return the double of float32 bits."""
    return struct.unpack("<f", struct.pack("<i", bits))[0]


def _finish(p, acc, multiplier, shift):
    y = multiply(wrap(int(acc)), multiplier, shift) + p.output_offset
    return clamp(y, p.activation_min, p.activation_max)


def _channel_multipliers(p, scales, step, channels):
    words = [struct.unpack_from("<f", scales, step * c)[0] for c in range(channels)]
    s_in, s_out = real_bits(p.input_scale), real_bits(p.output_scale)
    return [quantize_multiplier(s_in * w / s_out) for w in words]


def _convolve(p, x, filter_of, bias, scales):
    bias = int32s(bias) if bias else [0] * p.output_depth
    x = int8s(x).reshape(p.batches, p.input_height, p.input_width, p.input_depth)
    y = np.zeros((p.batches, p.output_height, p.output_width, p.output_depth), int)
    multipliers = _channel_multipliers(p, scales, p.scale_step, p.output_depth)
    for n, oy, ox, c in np.ndindex(y.shape):
        acc = bias[c]
        taps, channels = filter_of(c)
        for ky, kx in np.ndindex(taps.shape[:2]):
            iy = oy * p.stride_height - p.pad_top + ky * p.dilation_height
            ix = ox * p.stride_width - p.pad_left + kx * p.dilation_width
            if 0 <= iy < p.input_height and 0 <= ix < p.input_width:
                acc += int(np.sum((x[n, iy, ix, channels] + p.input_offset) * taps[ky, kx]))
        y[n, oy, ox, c] = _finish(p, acc, *multipliers[c])
    return [as_bytes(y.ravel())]


def conv_2d_s8(p, x, f, bias, scales, _constants):
    f = int8s(f).reshape(p.output_depth, p.filter_height, p.filter_width, p.filter_depth)
    per_group = p.output_depth * p.filter_depth // p.input_depth

    def filter_of(c):
        first = c // per_group * p.filter_depth
        return f[c], slice(first, first + p.filter_depth)

    return _convolve(p, x, filter_of, bias, scales)


def depthwise_conv_2d_s8(p, x, f, bias, scales, _constants):
    f = int8s(f).reshape(p.filter_height, p.filter_width, p.output_depth, 1)

    def filter_of(c):
        first = c // p.depth_multiplier
        return f[:, :, c], slice(first, first + 1)

    return _convolve(p, x, filter_of, bias, scales)


def _dense(p, x, f, bias, filter_offset):
    x = int8s(x).reshape(p.batches, p.input_depth) + p.input_offset
    f = int8s(f).reshape(p.output_depth, p.input_depth) + filter_offset
    return x @ f.T + (int32s(bias) if bias else 0)


def fully_connected_s8(p, x, f, bias, _constants):
    acc = _dense(p, x, f, bias, p.filter_offset)
    return [as_bytes(_finish(p, a, p.multiplier, p.shift) for a in acc.ravel())]


def fully_connected_per_channel_s8(p, x, f, bias, scales, _constants):
    acc = _dense(p, x, f, bias, 0)
    rows = _channel_multipliers(p, scales, 4, p.output_depth)
    return [as_bytes(_finish(p, a, *rows[c % len(rows)]) for c, a in enumerate(acc.ravel()))]


def _windows(p, x):
    x = int8s(x).reshape(p.batches, p.input_height, p.input_width, p.depth)
    shape = (p.batches, p.output_height, p.output_width, p.depth)
    for n, oy, ox, c in np.ndindex(shape):
        top, left = oy * p.stride_height - p.pad_top, ox * p.stride_width - p.pad_left
        rows = slice(max(top, 0), max(top + p.filter_height, 0))
        yield x[n, rows, max(left, 0) : max(left + p.filter_width, 0), c].ravel()


def average_pool_2d_s8(p, x):
    out = []
    for v in _windows(p, x):
        total = int(v.sum())
        mean = (2 * abs(total) + len(v) - len(v) % 2) // (2 * len(v))
        out.append(clamp(mean if total > 0 else -mean, p.activation_min, p.activation_max))
    return [as_bytes(out)]


def max_pool_2d_s8(p, x):
    return [as_bytes(clamp(v.max(), p.activation_min, p.activation_max) for v in _windows(p, x))]


def _broadcast(p, a, b):
    """Yield the operands of each output, in order."""
    extents, steps_a, steps_b = p.dims[0::3], p.dims[1::3], p.dims[2::3]
    for index in itertools.product(*(range(n) for n in extents)):
        i = sum(k * s for k, s in zip(index, steps_a, strict=True))
        j = sum(k * s for k, s in zip(index, steps_b, strict=True))
        yield a[i], b[j]


def _sum(p, a, b, sign):
    out = []
    unit = 2**p.left_shift
    for v, w in _broadcast(p, int8s(a), int8s(b)):
        x = multiply((int(v) + p.input1_offset) * unit, p.input1_multiplier, p.input1_shift)
        y = multiply((int(w) + p.input2_offset) * unit, p.input2_multiplier, p.input2_shift)
        out.append(_finish(p, x + sign * y, p.output_multiplier, p.output_shift))
    return [as_bytes(out)]


def add_s8(p, a, b):
    return _sum(p, a, b, 1)


def sub_s8(p, a, b):
    return _sum(p, a, b, -1)


def mul_s8(p, a, b):
    products = (
        (int(x) + p.input1_offset) * (int(y) + p.input2_offset)
        for x, y in _broadcast(p, int8s(a), int8s(b))
    )
    return [as_bytes(_finish(p, v, p.multiplier, p.shift) for v in products)]


def compare_s16(p, a, b):
    factors = p.input1_factor << p.input1_exponent, p.input2_factor << p.input2_exponent
    pairs = _broadcast(p, *(np.frombuffer(data, "<i2").astype(object) for data in (a, b)))
    signs = [
        (v * factors[0] > w * factors[1]) - (v * factors[0] < w * factors[1]) for v, w in pairs
    ]
    return [bytes(p.accepted >> (sign + 1) & 1 for sign in signs)]


def copy(p, x):
    return [x[: p.nbytes]]


def concatenation(p, inputs):
    sizes = p.dims
    rows = [
        x[r * n : r * n + n] for r in range(p.outer) for x, n in zip(inputs, sizes, strict=True)
    ]
    return [b"".join(rows)]


def pad_s8(p, x):
    before, extents, after = p.dims[0::3], p.dims[1::3], p.dims[2::3]
    x = int8s(x).reshape(extents)
    widths = list(zip(before, after, strict=True))
    return [as_bytes(np.pad(x, widths, constant_values=p.pad_value).ravel())]


def mean_s8(p, x):
    x = int8s(x)
    pairs = list(zip(p.dims[0::2], p.dims[1::2], strict=True))
    kept, reduced = pairs[: p.kept], pairs[p.kept :]

    def positions(dims):
        for index in itertools.product(*(range(n) for n, _ in dims)):
            yield sum(k * s for k, (_, s) in zip(index, dims, strict=True))

    out = []
    for first in positions(kept):
        acc = p.bias + sum(int(x[first + i]) for i in positions(reduced))
        out.append(clamp(multiply(acc, p.multiplier, p.shift) + p.output_offset, -128, 127))
    return [as_bytes(out)]


def _requantize(p, x):
    values = (multiply(int(v) + p.input_offset, p.multiplier, p.shift) for v in x)
    return [as_bytes(clamp(v + p.output_offset, -128, 127) for v in values)]


def requantize_s8(p, x):
    return _requantize(p, int8s(x))


def requantize_s16_s8(p, x):
    return _requantize(p, np.frombuffer(x, "<i2"))


def requantize_s16_s32(p, x):
    values = np.frombuffer(x, "<i2")
    values = [multiply(int(v) + p.input_offset, p.multiplier, p.shift) for v in values]
    return [struct.pack(f"<{len(values)}i", *(wrap(v + p.output_offset) for v in values))]


def relu_s8(p, x):
    values = (multiply(int(v) - p.input_zero_point, p.multiplier, p.shift) for v in int8s(x))
    low, high = p.activation_min, p.activation_max
    return [as_bytes(clamp(v + p.output_zero_point, low, high) for v in values)]


def lookup_s8(p, x, table):
    return [bytes(table[byte] for byte in x[: p.elements])]


def relu6_s8(p, x):
    return [as_bytes(clamp(v, p.minimum, p.maximum) for v in int8s(x))]


def leaky_relu_s8(p, x):
    out = []
    for v in int8s(x) - p.input_zero_point:
        rescale = (p.identity_multiplier, p.identity_shift)
        if v < 0:
            rescale = (p.alpha_multiplier, p.alpha_shift)
        out.append(clamp(multiply(int(v), *rescale) + p.output_zero_point, -128, 127))
    return [as_bytes(out)]


def svdf_s8(p, x, features, times, bias, state):
    return _svdf(p, x, features, int8s(times), bias, np.frombuffer(state, np.int8))


def svdf_s16(p, x, features, times, bias, state):
    times = np.frombuffer(times, "<i2").astype(int)
    return _svdf(p, x, features, times, bias, np.frombuffer(state, "<i2"))


def _svdf(p, x, features, times, bias, state):
    x = int8s(x).reshape(p.batches, p.input_depth) + p.input_offset
    dots = x @ int8s(features).reshape(p.filters, p.input_depth).T
    limits = np.iinfo(state.dtype)
    shifted = np.append(state[1:], state[-1]).astype(int)
    shifted = shifted.reshape(p.batches, p.filters, p.memory)
    for n, f in np.ndindex(dots.shape):
        v = multiply(int(dots[n, f]), p.feature_multiplier, p.feature_shift)
        shifted[n, f, -1] = clamp(v, limits.min, limits.max) + p.state_zero_point
    after = shifted.astype(state.dtype)
    times = times.reshape(p.filters, p.memory)
    sums = np.sum((after.astype(int) - p.state_zero_point) * times, axis=2)
    sums = sums.reshape(p.batches, p.filters // p.rank, p.rank).sum(axis=2)
    sums = sums + (int32s(bias) if bias else 0)
    out = (multiply(wrap(int(v)), p.time_multiplier, p.time_shift) for v in sums.ravel())
    out = as_bytes(clamp(v + p.output_offset, -128, 127) for v in out)
    return [after.tobytes(), out, None, None]
