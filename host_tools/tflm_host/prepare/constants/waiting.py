"""Decide whether constants pay if a core reads the file from flash through a small cache.

Constants and packed weights spare instructions, but the core reads them from flash as well. If
they do not fit the cache beside the filter, they evict it, and each pass reads both again. So each
layer gets the form that takes the fewest cycles, cache misses included.
"""

from dataclasses import dataclass, replace

from ...model.flash_cache import ART_CACHE, ART_LINE, ART_WAIT, LINE, misses_of
from ..evictions import CODE, WAY, again
from . import dsp_wide, dsp_winograd

SCALE = 8  # bytes of a channel without constants: its bias and scale
SLAB = 12 * 1024  # TFLM_SLAB of firmware/tflm/kernels/dsp/conv_positions.h
LANES = 36  # bytes of a depthwise channel's constants, its filter among them
NONE, CONSTANTS, PACKED = range(3)  # forms, the indices of WORK
HOT_IN_RAM = {"armv6m"}  # ISAs whose boards with such a cache have the loops of layers in RAM


@dataclass(frozen=True)
class Work:
    """Cycles of a form of constants besides cache misses, fitted to runs of single layers.

    filter    for each weight, once in a run
    weight    bytes that are read for one weight
    constant  bytes that are read of a channel's constants, or its scale and bias
    art       for each product, waiting of an STM32F4 for code: the loop exceeds its cache
    outputs   positions that a pass over the filter computes
    """

    product: float
    output: float
    channel: float
    filter: float = 0
    weight: float = 1
    constant: int = 16
    art: float = 0
    outputs: int = 2


# Without constants, with them, with packed weights, with Winograd's terms in their place.
WORK = {
    ("armv6m", "fully_connected_s8"): (
        Work(4.0, 0, 82, constant=0),
        Work(4.0, 0, 0),
    ),
    ("armv6m", "fully_connected_per_channel_s8"): (
        Work(4.0, 0, 320, constant=SCALE),
        Work(4.0, 0, 0, constant=24),
    ),
    ("armv6m", "conv_2d_s8"): (
        Work(4.0, 0.8, 320, filter=7.5, constant=SCALE),
        Work(4.0, 0, 0, constant=24),
    ),
    ("armv6m", "depthwise_conv_2d_s8"): (
        Work(4.0, 1.6, 320, constant=SCALE),
        Work(4.0, 0, 0, constant=24),
    ),
    ("dsp", "fully_connected_s8"): (
        Work(1.2, 0, 50, constant=0),
        Work(1.2, 0, 0),
    ),
    ("dsp", "fully_connected_per_channel_s8"): (
        Work(1.2, 0, 130, constant=SCALE),
        Work(1.2, 0, 0),
    ),
    ("dsp", "conv_2d_s8"): (
        Work(1.25, 17, 150, constant=SCALE, art=0.4),
        Work(1.25, 16.9, 0, art=0.4),
        Work(1.06, 11, 0, weight=2),
        Work(0.71, 36, 0, weight=8 / 3, outputs=dsp_winograd.OUTPUTS),
    ),
    ("dsp", "depthwise_conv_2d_s8"): (
        Work(1.25, 2, 260, constant=SCALE),
        Work(1.25, 0, 0, weight=0, constant=LANES),
    ),
}

# Of the first two forms of a convolution on "dsp", where positions run three at a time.
THREES = Work(1.125, 15, 150, constant=SCALE, art=0.33), Work(1.125, 15, 0, art=0.33)
THREES_TAPS_MAX = 256  # TFLM_THREES_TAPS_MAX of firmware/tflm/kernels/dsp/convolution.h
THREES_PRODUCTS_MIN = 1 << 15  # of a row: PRODUCTS_MIN of firmware/tflm/kernels/dsp/conv_threes.c


def best_form(isa, layer):
    """Return the form that takes the fewest cycles, None where the core waits for no flash."""
    if not layer.flash_cache or (isa, layer.kind) not in WORK:
        return None
    costs = _costs(isa, layer)
    return costs.index(min(costs))


def gain(isa, layer):
    """Return the cycles that the constants of *layer* save in a run, cache misses included."""
    form = best_form(isa, layer)
    if form is None:
        return 0
    costs = _costs(isa, layer)
    return costs[NONE] - costs[form]


def _costs(isa, layer):
    """Return the cycles of one run of *layer* in each form that it can have."""
    works = WORK[isa, layer.kind]
    packed = ()  # in these cores' forms
    if dsp_winograd.is_winograd(layer):
        packed = works[PACKED + 1 :]
    elif dsp_wide.is_wide(layer):
        outputs = dsp_wide.outputs(layer)
        packed = tuple(replace(work, outputs=outputs) for work in works[PACKED : PACKED + 1])
    return [_cycles(isa, layer, work) for work in (*_plain_works(isa, layer), *packed)]


def _plain_works(isa, layer):
    """Return the Work of *layer* with its filter as it is, without and with constants."""
    if (isa, layer.kind) == ("dsp", "conv_2d_s8"):
        channels, taps = len(layer.filter), layer.filter[0].size
        products = layer.params["output_width"] * channels * taps
        if taps <= THREES_TAPS_MAX and products >= THREES_PRODUCTS_MIN:
            return THREES
    return WORK[isa, layer.kind][:PACKED]


def _cycles(isa, layer, work):
    positions, passes = _positions(isa, layer, work)
    channels, size = len(layer.filter), layer.filter.size
    cycles = work.product * size * positions + work.filter * size
    cycles += work.output * channels * positions + work.channel * channels
    weights, constants = round(size * work.weight), channels * work.constant
    if layer.flash_cache == ART_CACHE:  # which keeps no data from one pass to the next
        cycles += (weights + constants) / ART_LINE * passes * ART_WAIT
        return cycles + work.art * size * positions
    # Packed weights have the constants among them.
    blocks = (weights, constants) if work.weight == 1 else (weights + constants,)
    code = () if isa in HOT_IN_RAM else CODE
    first = (weights + constants) / LINE * misses_of(isa)[0]
    passes += work.filter > 0  # of the kernel, which sums up the filter before
    return cycles + first + (passes - 1) * sum(again(isa, blocks, code))


def _positions(isa, layer, work):
    """Return at how many positions *layer* computes outputs, and its passes over the filter.

    A pass computes the outputs of *work*. With channel blocks it computes a row, on "armv6m" all
    of the layer: nearly always its outputs lie apart from its inputs. A depthwise layer reads each
    channel's filter once for all positions.
    """
    params = layer.params
    positions = params["batches"]
    if layer.kind.startswith("fully"):
        return positions, positions
    rows = positions * params["output_height"]
    positions = rows * params["output_width"]
    if layer.kind.startswith("depthwise"):
        return positions, 1
    if has_blocks(isa, layer, work):
        return positions, 1 if isa == "armv6m" else rows
    return positions, -(-positions // work.outputs)


def has_blocks(isa, layer, work):
    """Tell whether a convolution has channel blocks if its constants have the form *work*."""
    if isa == "dsp":  # those with constants are prepared for memory that does not wait
        has_cache = layer.flash_cache != ART_CACHE
        return has_cache and layer.filter.size > SLAB and work is _plain_works(isa, layer)[NONE]
    return isa in HOT_IN_RAM and layer.filter.size > WAY
