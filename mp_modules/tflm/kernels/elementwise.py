"""One output per element, from that element only: LOOKUP, a function of one int8 as a table."""

import micropython
from micropython import const

PARTS = (
    ("elementwise_curves", "logistic_s8 tanh_s8"),
    ("elementwise_relu", "relu_s8 relu6_s8 leaky_relu_s8 relu_f32"),
)

_ELEMENTS = const(0)


@micropython.viper
def lookup_s8(params, input, table, output):
    """int8 -> table[the input's byte]."""
    p = ptr32(params)
    x = ptr8(input)
    t = ptr8(table)
    y = ptr8(output)
    for i in range(p[_ELEMENTS]):
        y[i] = t[x[i]]
