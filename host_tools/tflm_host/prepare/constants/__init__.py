"""Constants that `tflm prepare` adds to a layer for the kernels of one ISA: one module per ISA.

Each module has `build(layer)`, which returns the ISA's argument `constants`, at a multiple of four
bytes, or b"" for none. The format is the kernel's own. A change must raise
layout.PREPARED_FORMAT.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from . import waiting

KEPT = 256  # layers whose constants are remembered


@dataclass
class Layer:
    """A convolution or a fully connected layer.

    kind         name of its kernel
    params       {name: word} of its parameters, as in layout.py
    filter       int8 [channels, values of one window]
    bias         int32 [channels], zeros if the model has none
    multipliers  [(multiplier, shift)] of each channel
    is_small     whether the file may not hold the filter a second time
    flash_cache  bytes of cache through which the core reads the file, 0 for full speed
    """

    kind: str
    params: dict
    filter: np.ndarray
    bias: np.ndarray
    multipliers: list
    is_small: bool = False
    flash_cache: int = 0


def build(isa, layer):
    """Return the constants of *layer* for the kernels of *isa*, b"" for none."""
    module = f"{__name__}.{isa}"
    form = waiting.best_form(isa, layer)
    if find_spec(module) is None or form == waiting.NONE:
        return b""
    layer.is_small |= form == waiting.CONSTANTS
    return _built(module, _Key(layer))


class _Key:
    """A Layer that equals another of the same content: a model is built several times over."""

    def __init__(self, layer):
        self.layer = layer
        arrays = layer.filter.shape, layer.filter.tobytes(), layer.bias.tobytes()
        words = tuple(layer.params.items()), tuple(layer.multipliers)
        self._content = layer.kind, layer.is_small, layer.flash_cache, *words, *arrays

    def __eq__(self, other):
        return self._content == other._content

    def __hash__(self):
        return hash(self._content)


@lru_cache(KEPT)
def _built(module, key):
    return import_module(module).build(key.layer)
