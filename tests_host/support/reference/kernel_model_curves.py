"""The rest of kernel_model: softmax, logistic, tanh and the float32 kernels."""

import numpy as np

from support.reference.kernel_model import (
    _broadcast,
    as_bytes,
    clamp,
    divide_by_power,
    high_multiply,
    int8s,
    multiply,
    real_bits,
    wrap,
)

_TOP = 2**31 - 1
_FACTORS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)


def _saturating_shift(x, bits):
    return clamp(x << bits, -(2**31), _TOP)


def _exp_on_interval(a):
    x = a + 2**28
    x2 = high_multiply(x, x)
    x3, x4 = high_multiply(x2, x), high_multiply(x2, x2)
    cubic = high_multiply(divide_by_power(x4, 2) + x3, 715827883)
    return 1895147668 + high_multiply(1895147668, x + divide_by_power(cubic + x2, 1))


def exp_on_negative(a, integer_bits):
    """Return exp(a) in Q31 of a <= 0 with that many integer bits."""
    if a == 0:
        return _TOP
    quarter = 2 ** (29 - integer_bits)
    a_mod = a % quarter - quarter
    result = _exp_on_interval(_saturating_shift(a_mod, integer_bits))
    rest = (a_mod - a) // quarter
    for bit, factor in enumerate(_FACTORS[: integer_bits + 2]):
        if rest >> bit & 1:
            result = high_multiply(result, factor)
    return result


def _newton(a):
    half = (a + 2**31) // 2
    x = 1515870810 + high_multiply(half, -1010580540)
    for _ in range(3):
        x += _saturating_shift(high_multiply(x, 2**29 - high_multiply(half, x)), 2)
    return x


def softmax_s8(p, x):
    return [as_bytes(_softmax(p, x, 8))]


def softmax_s8_s16(p, x):
    return [np.array(_softmax(p, x, 16), "<i2").tobytes()]


def _softmax(p, x, bits):
    out = []
    half = 2 ** (bits - 1)
    for row in int8s(x).reshape(p.rows, p.depth):
        distances = [int(v - row.max()) for v in row]
        exps = [
            exp_on_negative(multiply(d, p.multiplier, p.left_shift), 5)
            if d >= p.diff_min
            else None
            for d in distances
        ]
        total = sum(divide_by_power(e, 12) for e in exps if e is not None)
        headroom = 32 - total.bit_length()
        factor = _saturating_shift(_newton((total << headroom) - 2**31), 1)
        for e in exps:
            shift = 12 - headroom + 31 - bits
            v = 0 if e is None else divide_by_power(high_multiply(factor, e), shift)
            out.append(clamp(v - half, -half, half - 1))
    return out


def logistic_s8(p, x):
    def curve(z):
        y = _saturating_shift(_newton(exp_on_negative(-abs(z), 4)), 1)
        y = 2**30 if z == 0 else y if z > 0 else _TOP - y
        return divide_by_power(y, 23) - 128

    return _sigmoid(p, x, curve)


def tanh_s8(p, x):
    def curve(z):
        y = _saturating_shift(_newton(exp_on_negative(-abs(z), 5)) - 2**29, 2)
        return divide_by_power(0 if z == 0 else y if z > 0 else -y, 24)

    return _sigmoid(p, x, curve)


def _sigmoid(p, x, curve):
    out = []
    for v in int8s(x):
        d = int(v) - p.input_zero_point
        if abs(d) >= p.input_range_radius:
            out.append(127 if d > 0 else -128)
        else:
            out.append(clamp(curve(wrap(multiply(d, p.multiplier, p.left_shift))), -128, 127))
    return [as_bytes(out)]


def _singles(data):
    return np.frombuffer(data, "<f4")


def _bounded(values, p):
    low, high = np.float32(real_bits(p.activation_min)), np.float32(real_bits(p.activation_max))
    values = np.asarray(values, np.float32)
    values = np.where(values < low, low, values)
    return [np.where(high < values, high, values).astype("<f4").tobytes()]


def fully_connected_f32(p, x, f, bias):
    x = _singles(x).reshape(p.batches, p.input_depth)
    f = _singles(f).reshape(p.output_depth, p.input_depth)
    total = np.zeros((p.batches, p.output_depth), np.float32)
    with np.errstate(all="ignore"):
        for i in range(p.input_depth):
            total = total + x[:, i : i + 1] * f[:, i]
        total = total + (_singles(bias) if bias else np.float32(0))
    return _bounded(total.ravel(), p)


def add_f32(p, a, b):
    with np.errstate(all="ignore"):
        return _bounded([x + y for x, y in _broadcast(p, _singles(a), _singles(b))], p)


def relu_f32(_, x):
    x = _singles(x)
    return [np.where(x < 0, np.float32(0), x).astype("<f4").tobytes()]


def quantize_f32_s8(p, x):
    out = []
    with np.errstate(all="ignore"):
        quotients = _singles(x) / np.float32(real_bits(p.scale))
    for v in (float(clamp(q, np.float32(-1e6), np.float32(1e6))) for q in quotients):
        whole = int(abs(v))
        whole += abs(v) - whole >= 0.5
        out.append(clamp((whole if v >= 0 else -whole) + p.zero_point, -128, 127))
    return [as_bytes(out)]
