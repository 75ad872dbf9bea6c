"""One output an element, from that alone; here RELU6, float32's RELU, and LOOKUP.

LOOKUP is any function of one int8, as a table: what prepared models have in place of activations.
"""

import micropython
from micropython import const

PARTS = (
    ("elementwise_curves", "logistic_s8 tanh_s8"),
    ("elementwise_relu", "relu_s8 leaky_relu_s8"),
)

_SIZE = const(0)
# CLAMP
_MINIMUM = const(1)
_MAXIMUM = const(2)
# LOOKUP
_ELEMENTS = const(0)


@micropython.viper
def relu6_s8(params, input, output):
    """int8 -> int8 of the same scale, clamped."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    # Bytes with their sign bit flipped compare as unsigned.
    minimum = (p[_MINIMUM] ^ 128) & 255
    maximum = (p[_MAXIMUM] ^ 128) & 255
    for i in range(p[_SIZE]):
        v = x[i] ^ 128
        if v < minimum:
            v = minimum
        if v > maximum:
            v = maximum
        y[i] = v ^ 128


@micropython.viper
def relu_f32(params, input, output):
    """float32 -> float32: 0 where the input is below 0; -0.0 and NaN pass."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    for i in range(0, p[_SIZE] << 2, 4):
        low = x[i] | x[i + 1] << 8 | x[i + 2] << 16
        high = x[i + 3]
        # Below 0: the sign is set and the rest is 1 (not -0.0) to 7f800000 (not a NaN).
        exponent = ((high & 127) << 24 | low) - 1 >> 23
        if high > 127 and exponent >= 0 and exponent < 255:
            low = high = 0
        y[i] = low
        y[i + 1] = low >> 8
        y[i + 2] = low >> 16
        y[i + 3] = high


@micropython.viper
def lookup_s8(params, input, table, output):
    """int8 -> table[the input's byte]."""
    p = ptr32(params)
    x = ptr8(input)
    t = ptr8(table)
    y = ptr8(output)
    for i in range(p[_ELEMENTS]):
        y[i] = t[x[i]]
