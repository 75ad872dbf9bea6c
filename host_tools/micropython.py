"""CPython's stand-in for MicroPython's `micropython` module: what the runtime package uses of it."""


def const(value):
    return value
