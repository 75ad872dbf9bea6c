"""Functions for operators with int16 values and int8 weights."""

from ..schema import INT16, INT32, INT64
from .common import (
    filter_scales,
    require_elements,
    require_type,
    scale_of,
    signed_zero_point,
    zero_point_of,
)

_BIAS_BYTES = {INT16: 2, INT32: 4, INT64: 8}


def check_scales(node, data, weights, channels):
    """Check quantization of int16 data and int8 weights; return (scales, step, input, output).

    scales, step  where the filter's are;  input, output  bits of their scales
    """
    node.expect(not data.data, "input (tensor %d) is constant", data.index)
    signed_zero_point(node, data, "input")
    bits = scale_of(node, data, "input"), scale_of(node, node.output(0), "output")
    if weights.quantization()[1] == 1:
        zero_point_of(node, weights, "filter", 0, 0)
    scales, step = filter_scales(node, weights, channels, bits)
    return (scales, step) + bits


def bias_of(node, bias, channels, types):
    """Return the bytes of an element of *bias*, 0 where there is none."""
    if bias is None:
        return 0
    require_type(node, bias, "bias", *types)
    require_elements(node, bias, "bias", channels)
    return _BIAS_BYTES[bias.type]


def is_wide(bias_bytes, option):
    """Return whether sums have 64 bits: the bias decides; without one the *option* does."""
    return int(bias_bytes == 8 or (bias_bytes == 0 and option != INT32))
