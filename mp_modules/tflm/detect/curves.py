"""The exponential function in whole numbers of 1/65536, the same on any core.

Its relative error is 1.1e-4: two to the fraction is a polynomial of degree 3.
"""

from ..base.port import const

ONE = const(65536)
_LOG2_E = 94548  # 1/65536
_TERMS = 5129, 14831, 45576  # of 2**x between 0 and 1, which add up to 1


def exp(x):
    """Return e to the *x*, at most 2**30."""
    x = x * _LOG2_E >> 16
    whole, part = x >> 16, x & 65535
    cubic, square, linear = _TERMS
    value = ONE + ((((cubic * part >> 16) + square) * part >> 16) + linear) * part // ONE
    if whole < 0:
        return value >> min(-whole, 31)
    return min(value << min(whole, 14), 1 << 30)


def sigmoid(x):
    """Return 1 / (1 + e to the -x)."""
    return ONE * ONE // (ONE + exp(-x))
