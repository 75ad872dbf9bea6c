"""The number of a layout of kernels and records: builds tell by it which prepared models fit."""

import zlib

from tflm import layout

FACTS = ("KERNELS", "PREPARED_FORMAT", "NODE_FORMAT")


def layout_number(names):
    """Return a number that differs where those of *names*, as layout.py has them, differ."""
    facts = [names[name] for name in FACTS]
    return zlib.crc32(repr(facts).encode()) >> 2  # a small int on every board


LAYOUT = layout_number(vars(layout))  # `_tflm.layout` of this version
