"""Decide whether constants pay if a core reads the file from flash through a small cache.

Constants and packed weights spare instructions, but the core reads them from flash as well. If
they do not fit the cache beside the filter, they evict it, and each pass reads both again. So each
layer gets the form that takes the fewest cycles, cache misses included.
"""

from dataclasses import dataclass

from ...model.flash_cache import LINE, MISS, read_again

CHANNEL = 16  # bytes of its constants, about
NONE, CONSTANTS, PACKED = range(3)  # forms, the indices of WORK


@dataclass(frozen=True)
class Work:
    """Cycles of a form of constants besides cache misses, measured by `make bench`.

    weight  bytes that are read for one weight
    """

    product: float
    output: float
    channel: float
    weight: int = 1
    has_constants: bool = True


# Without constants, with them, with packed weights.
WORK = {
    ("armv6m", "fully_connected_s8"): (
        Work(4.0, 0, 82, has_constants=False),
        Work(4.0, 0, 0),
    ),
    ("dsp", "fully_connected_s8"): (
        Work(1.2, 0, 50, has_constants=False),
        Work(1.2, 0, 0),
    ),
    ("dsp", "conv_2d_s8"): (
        Work(1.25, 17, 150, has_constants=False),
        Work(1.25, 14, 0),
        Work(1.0, 12, 0, weight=2),
    ),
}


def best_form(isa, layer):
    """Return the form that takes the fewest cycles, None where the core waits for no flash."""
    works = WORK.get((isa, layer.kind))
    if not layer.flash_cache or works is None:
        return None
    costs = [_cycles(isa, layer, work) for work in works]
    return costs.index(min(costs))


def _cycles(isa, layer, work):
    """Return the cycles of one run of *layer*, with its cache misses."""
    positions, passes = _positions(layer)
    channels = len(layer.filter)
    nbytes = layer.filter.size * work.weight + CHANNEL * channels * work.has_constants
    cycles = work.product * layer.filter.size * positions
    cycles += work.output * channels * positions + work.channel * channels
    read = nbytes + read_again(nbytes, layer.flash_cache, passes)
    return cycles + read / LINE * MISS[isa]


def _positions(layer):
    """Return at how many positions *layer* computes outputs, and its passes over the filter."""
    params = layer.params
    positions = params["batches"]
    if layer.kind.startswith("fully"):
        return positions, positions
    positions *= params["output_height"] * params["output_width"]
    return positions, -(-positions // 2)
