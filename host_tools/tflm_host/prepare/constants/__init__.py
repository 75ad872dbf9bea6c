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
from .dsp_wide import MANY_POSITIONS, NEVER

SUM_LIMIT = 1 << 31
KEPT = 256  # layers whose constants are remembered


@dataclass
class Layer:
    """A convolution or a fully connected layer.

    kind         name of its kernel
    params       {name: word} of its parameters, as in layout.py
    filter       int8 [channels, values of one window]
    bias         int32 [channels], zeros if the model has none
    multipliers  [(multiplier, shift)] of each channel
    packed_from  positions that must read a filter, if it is not small, so that it is packed
    flash_cache  bytes of cache through which the core reads the file, 0 for full speed
    """

    kind: str
    params: dict
    filter: np.ndarray
    bias: np.ndarray
    multipliers: list
    packed_from: int = MANY_POSITIONS
    flash_cache: int = 0


def build(isa, layer):
    """Return the constants of *layer* for the kernels of *isa*, b"" for none."""
    module = f"{__name__}.{isa}"
    form = waiting.best_form(isa, layer)
    if find_spec(module) is None or form == waiting.NONE or _wraps(layer):
        return b""
    if form == waiting.CONSTANTS:
        layer.packed_from = NEVER
    return _built(module, _Key(layer))


def _wraps(layer):
    """Return whether a sum of *layer* may leave 32 bits: constants suppose that none does."""
    weights = layer.filter.astype(np.int64) + layer.params.get("filter_offset", 0)
    inputs = np.array([-128, 127]) + layer.params["input_offset"]
    ends = np.stack([weights * end for end in inputs])
    low, high = ends.min(axis=0).sum(axis=1), ends.max(axis=0).sum(axis=1)
    bias = layer.bias.astype(np.int64)
    return bool((bias + low < -SUM_LIMIT).any() or (bias + high >= SUM_LIMIT).any())


def scratch(isa, layer, nbytes):
    """Return the bytes of scratch of *layer*, which has constants and takes *nbytes* else."""
    module = import_module(f"{__name__}.{isa}")
    return module.scratch(layer, nbytes) if hasattr(module, "scratch") else nbytes


def lead(isa, layer):
    """Return the bytes of the constants of *layer* before words that are read a line at a time.

    None if there are none.
    """
    module = import_module(f"{__name__}.{isa}")
    return module.lead(layer) if hasattr(module, "lead") else None


class _Key:
    """A Layer that equals another of the same content: a model is built several times over."""

    def __init__(self, layer):
        self.layer = layer
        arrays = layer.filter.shape, layer.filter.tobytes(), layer.bias.tobytes()
        words = tuple(layer.params.items()), tuple(layer.multipliers)
        self._content = layer.kind, layer.packed_from, layer.flash_cache, *words, *arrays

    def __eq__(self, other):
        return self._content == other._content

    def __hash__(self):
        return hash(self._content)


@lru_cache(KEPT)
def _built(module, key):
    return import_module(module).build(key.layer)
