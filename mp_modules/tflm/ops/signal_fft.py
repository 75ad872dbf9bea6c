"""Factors and turns (roots of unity) of a Fourier transform, as TFLM's kissfft has them.

It rounds what the C library's cos() and sin() give in double precision. Boards have single
precision, so this is done in integers: with 62 bits behind the point, and, where that does not say
which way a half is rounded, from the very double that was the angle.
Source: kiss_fft.c and tools/kiss_fftr.c of kissfft 130.
"""

import tflm.quantize as q

_BITS = 62
_ONE = 1 << _BITS
_PI = 14488038916154245684  # of 2^62
_FINE = 128  # bits
_FINE_PI = 1069028584064966747859680373161870783300
_PI_DOUBLE = 7074237752028440, -51  # a real of quantize.py
_DOUBT = 1 << 24
_LARGEST = 32767


def factors_of(n):
    """Return the radices of a transform of *n* points, the outermost first; None if above 4."""
    factors = []
    for radix in (4, 2, 3):
        while n % radix == 0:
            factors.append(radix)
            n //= radix
    return factors if n == 1 else None


def turns(n, inverse):
    """Return words, each of a complex number as two int16: the real part below, times 32767.

    e^(-2 pi i k / n) for k < n, then e^(-pi i ((k + 1) / n + 1/2)) for k < n // 2; inverse:
    their conjugates
    """
    words = []
    words.append(_LARGEST)  # 1: there is no angle
    for k in range(1, n):
        angle = q.div(q.mul(_doubled(_PI_DOUBLE), (k, 0), q.DOUBLE), (n, 0), q.DOUBLE)
        words.append(_word(k, n, angle, inverse))
    for k in range(n // 2):
        share = q.div((k + 1, 0), (n, 0), q.DOUBLE)
        angle = q.mul(_PI_DOUBLE, _plus_half(share), q.DOUBLE)
        words.append(_word(2 * (k + 1) + n, 4 * n, angle, inverse))
    return words


def _doubled(real):
    return q.shifted(real, 1)


def _plus_half(real):
    """Return *real* + 1/2, rounded to double precision."""
    m, e = real
    return q.mul((m + (1 << (-1 - e)), e), (1, 0), q.DOUBLE) if e < 0 else (2 * m + 1, -1)


def _word(num, den, angle, inverse):
    """Return e^(-i * angle) as a word; the angle is 2 pi * num / den, and a double close to it."""
    cosine, sine = _rough(num, den)
    real = _rounded(cosine, angle, 0)
    imaginary = _rounded(sine if inverse else -sine, angle, 1 if inverse else -1)
    word = (real & 0xFFFF) | (imaginary & 0xFFFF) << 16
    return word - (1 << 32) if word >> 31 else word


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
