"""LOOKUP: any function of one int8, as a table."""

import micropython
from micropython import const

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
