"""Fourier transforms, a part of signal: checks; factors and turns (roots of unity) as in kissfft.

TFLM's kissfft rounds the results of the C library's cos() and sin() in double precision. Boards
have single precision, so this module computes with integers and 62 fractional bits. If these bits
leave the rounding of a half open, it starts from the double of the angle.
Source: kiss_fft.c and tools/kiss_fftr.c of kissfft 130.
"""

import tflm.ops.quantize as q

from ..memory.allocator import scratch_arg
from ..schema import FLOAT32, INT16, INT32
from .common import arguments, require_shape, require_type, row_types, set_kernel

# By TensorType, as the option T has it: bytes, kernels.
_KERNELS = {
    INT16: (2, "signal_rfft_s16", "signal_irfft_s16"),
    INT32: (4, "signal_rfft_s32", "signal_irfft_s32"),
    FLOAT32: (4, "signal_rfft_f32", "signal_irfft_f32"),
}
_MAX_LENGTH = 1 << 15

_BITS = 62
_ONE = 1 << _BITS
_PI = 14488038916154245684  # of 2^62
_FINE = 128  # bits
_FINE_PI = 1069028584064966747859680373161870783300
_PI_DOUBLE = 7074237752028440, -51  # a real of quantize.py
_DOUBT = 1 << 24
_LARGEST = 32767
_LARGEST_S32 = 0x7FFFFFFF
_DOUBT_S32 = 1 << 41


def prepare(context, node, kind, length):
    """Prepare SignalRfft or SignalIrfft, whose options these are."""
    is_inverse = node.operator.custom_name == "SignalIrfft"
    types = row_types("SignalRfft", "SignalIrfft")
    node.expect(kind in types, "T is %s, one of %s expected", kind, sorted(types))
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input 0", kind)
    require_type(node, output, "output 0", kind)
    node.expect(
        4 <= length <= _MAX_LENGTH, "fft_length is %d, 4..%d expected", length, _MAX_LENGTH
    )
    node.expect(
        length % 2 == 0 and factors_of(length // 2),
        "fft_length is %d, an even product of 2, 3 and 5 expected",
        length,
    )
    spectrum = length + 2
    wanted = (data.shape[:-1]) + (length if is_inverse else spectrum,)
    require_shape(node, output, "output", wanted)
    row = data.shape[-1] if data.shape else 0
    fits = row == spectrum if is_inverse else 0 < row <= length
    node.expect(fits, "input has shape %s, fft_length is %d", data.shape, length)
    size, *names = _KERNELS[kind]
    args = arguments(node, 1)
    args.append(scratch_arg(context.request_scratch_buffer(node, size * length)))
    set_kernel(
        context,
        node,
        names[is_inverse],
        args,
        rows=data.elements // row,
        input_length=row,
        length=length,
        turns=turns(length // 2, is_inverse, kind),
    )


def factors_of(n):
    """Return the radices of a transform of *n* points, the outermost first; None if above 5."""
    factors = []
    for radix in (4, 2, 3, 5):  # TFLM's fails with 7 and above: it may not allocate
        while n % radix == 0:
            factors.append(radix)
            n //= radix
    return factors if n == 1 else None


def turns(n, inverse, kind=INT16):
    """Return words of complex numbers: two int16, the real part below, or two words of *kind*.

    e^(-2 pi i k / n) for k < n, then e^(-pi i ((k + 1) / n + 1/2)) for k < n // 2; inverse:
    their conjugates. Integers are times the largest of their type.
    """
    words = _words(0, n, q.ZERO, inverse, kind)
    for k in range(1, n):
        angle = q.div(q.mul(_doubled(_PI_DOUBLE), (k, 0), q.DOUBLE), (n, 0), q.DOUBLE)
        words += _words(k, n, angle, inverse, kind)
    for k in range(n // 2):
        share = q.div((k + 1, 0), (n, 0), q.DOUBLE)
        angle = q.mul(_PI_DOUBLE, _plus_half(share), q.DOUBLE)
        words += _words(2 * (k + 1) + n, 4 * n, angle, inverse, kind)
    return words


def _words(num, den, angle, inverse, kind):
    """Return e^(-i * angle) as words; the angle is 2 pi * num / den, and a double close to it."""
    sign = 1 if inverse else -1
    if kind == FLOAT32:
        return [_float(angle, 0), _float(angle, sign)]
    cosine, sine = _rough(num, den) if num else (_ONE, 0)
    sine *= sign
    if kind != INT16:
        return [_rounded_s32(cosine, angle, 0), _rounded_s32(sine, angle, sign)]
    if not num:
        return [_LARGEST]
    real, imaginary = _rounded(cosine, angle, 0), _rounded(sine, angle, sign)
    word = (real & 0xFFFF) | (imaginary & 0xFFFF) << 16
    return [word - (1 << 32) if word >> 31 else word]


def _float(angle, sign):
    """Return the bits of the cosine, or of the sine times *sign*, as a float32 in a word."""
    if not angle[0]:
        return 0x3F800000 if sign == 0 else 0 if sign > 0 else -0x80000000
    m, e = _double(angle, sign != 0)
    negative = m * sign < 0 if sign else m < 0
    m, e = q.mul((abs(m), e), (1, 0), q.SINGLE)
    bits = q.bit_length(m)
    word = (e + bits + 126) << 23 | ((m << 24) >> bits & 0x7FFFFF)
    return word - 0x80000000 if negative else word


def _rounded_s32(value, angle, sign):
    """Return floor(1/2 + (2^31 - 1) * x), in double precision, for x = *value* / 2^62."""
    if not value:
        return 0  # and no long 0: that has no digits, which MicroPython would read
    total = _LARGEST_S32 * value + (_ONE >> 1)
    rest = total & (_ONE - 1)
    if _DOUBT_S32 < rest < _ONE - _DOUBT_S32 or not angle[0]:
        return total >> _BITS or 0
    m, e = _double(angle, sign != 0)
    product = q.mul((abs(m), e), (_LARGEST_S32, 0), q.DOUBLE)
    negative = m * sign < 0 if sign else m < 0
    half = 1 << (-1 - product[1])
    total = half - product[0] if negative else half + product[0]
    m, e = q.mul((abs(total), product[1]), (1, 0), q.DOUBLE)
    return (-m if total < 0 else m) >> -e or 0


def _doubled(real):
    return q.shifted(real, 1)


def _plus_half(real):
    """Return *real* + 1/2, rounded to double precision."""
    m, e = real
    return q.mul((m + (1 << (-1 - e)), e), (1, 0), q.DOUBLE) if e < 0 else (2 * m + 1, -1)


def _rounded(value, angle, sign):
    """Return floor(32767 * x + 1/2) for x = *value* / 2^62.

    sign  0: x is the cosine of *angle*; else x is its sine with this sign
    """
    total = _LARGEST * value + (_ONE >> 1)
    rest = total & (_ONE - 1)
    if _DOUBT < rest < _ONE - _DOUBT:
        return total >> _BITS
    m, e = _double(angle, sign != 0)
    m = -m if sign < 0 else m
    return (_LARGEST * m * 2 + (1 << -e)) >> (1 - e)


def _series(x, bits):
    """Return (cosine, sine) of *x*, all with *bits* bits behind the point; |x| < 1."""
    square = x * x >> bits
    sums, term, i = [1 << bits, x], [1 << bits, x], 1
    while not (-2 < term[0] < 2 and -2 < term[1] < 2):
        for k in (0, 1):
            term[k] = -(term[k] * square >> bits) // ((i + k) * (i + k + 1)) if term[k] else 0
            sums[k] += term[k]
        i += 2
    return sums


def _turned(cosine, sine, quarters):
    """Return (cosine, sine) of an angle that is larger by *quarters* right angles."""
    while quarters & 3:
        cosine, sine, quarters = -sine, cosine, quarters - 1
    return cosine, sine


def _rough(num, den):
    """Return (cosine, sine) of 2 pi * num / den, with 62 bits behind the point."""
    quarters, rest = divmod(8 * num + den, 2 * den)  # the nearest right angle
    if rest == den:
        return _turned(_ONE, 0, quarters)
    cosine, sine = _series((rest - den) * _PI // (4 * den), _BITS)
    return _turned(cosine, sine, quarters)


def _double(angle, is_sine):
    """Return the cosine or the sine of *angle*, a double, as a double: (m, e), m with a sign."""
    m, e = angle
    x = m << (_FINE + e)
    quarters = (4 * x + _FINE_PI) // (2 * _FINE_PI)
    if quarters:
        x -= quarters * _FINE_PI >> 1
    values = _turned(*(_series(x, _FINE) + [quarters]))
    value = values[1 if is_sine else 0]
    m, e = q.mul((abs(value), -_FINE), (1, 0), q.DOUBLE)
    return (-m if value < 0 else m), e
