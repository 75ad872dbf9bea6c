"""Functions for float32 operators with filters of int8: TFLite's hybrid models.

Kernels widen some channels of the filter at a time; the result is that of a filter of float32.
"""

from ..base.port import const
from ..memory.allocator import model_arg, scratch_arg
from .common import F32_ONE, filter_scales, zero_point_of

_WIDENED = const(4)  # channels at a time


def widen(context, node, args, channels, taps):
    """Add scales and scratch to *args*; return the bytes from a channel's scale to the next.

    taps  values of a channel's filter
    """
    weights = node.input(1)
    zero_point_of(node, weights, "filter", 0, 0)
    scales, step = filter_scales(node, weights, channels, (F32_ONE, F32_ONE))
    args.insert(3, model_arg(scales))
    nbytes = 4 * min(channels, _WIDENED) * taps
    args.append(scratch_arg(context.request_scratch_buffer(node, nbytes)))
    return step
