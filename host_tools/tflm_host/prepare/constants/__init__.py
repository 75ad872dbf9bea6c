"""What `tflm prepare` puts beside a layer for the kernels of one ISA: one module an ISA.

Each module has `build(layer)`, which returns the bytes that the ISA's kernel takes as its argument
`constants`, at a multiple of four bytes; b"" where it has no use for any. Their format is the
kernel's own; changing one raises layout.PREPARED_FORMAT.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import numpy as np


@dataclass
class Layer:
    """A convolution or a fully connected layer.

    kind         name of its kernel
    params       {name: word} of its record, as in layout.py
    filter       int8 [channels, values of one window]
    bias         int32 [channels], zeros where the model has none
    multipliers  [(multiplier, shift)] of each channel
    is_small     whether the file may not hold the filter a second time
    """

    kind: str
    params: dict
    filter: np.ndarray
    bias: np.ndarray
    multipliers: list
    is_small: bool = False


def build(isa, layer):
    """Return the constants of *layer* for the kernels of *isa*, b"" for none."""
    name = f"{__name__}.{isa}"
    if find_spec(name) is None:
        return b""
    return import_module(name).build(layer)
