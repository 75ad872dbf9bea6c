"""From a node and its operator parameters to a constants.Layer."""

import numpy as np

from tflm.ops import quantize as q

from .constants import Layer

KINDS = (
    "conv_2d_s8",
    "depthwise_conv_2d_s8",
    "fully_connected_s8",
    "fully_connected_per_channel_s8",
)


def layer_of(node, kind, params):
    """Return the Layer of *node*, or None where *kind* is none of KINDS or the filter varies."""
    weights = node.input(1) if kind in KINDS else None
    if weights is None or not weights.is_constant:
        return None
    bias = node.input(2)
    if bias is not None and not bias.is_constant:
        return None
    channels = params["output_depth"]
    buf = node.subgraph.model.buf
    values = np.frombuffer(buf, np.int8, weights.elements, weights.data)
    if kind == "depthwise_conv_2d_s8":
        values = values.reshape(-1, channels).T
    starts = np.zeros(channels, np.int32)
    if bias is not None:
        starts = np.frombuffer(bytes(buf[bias.data : bias.data + 4 * channels]), "<i4")
    return Layer(
        kind, params, values.reshape(channels, -1), starts, _multipliers(params, weights, channels)
    )


def _multipliers(params, weights, channels):
    if "multiplier" in params:
        return [(params["multiplier"], params["shift"])] * channels
    first, count, _ = weights.quantization()
    bits = np.frombuffer(bytes(weights._buf[first : first + 4 * count]), "<u4").tolist()
    factors = [_factor(params, scale) for scale in bits]
    return factors if count == channels else factors * channels


def _factor(params, scale):
    """Return (multiplier, shift) of one channel, as tflm_channel_factor() does."""
    if not q.is_normal(scale):
        return 0, 0
    product = q.mul(q.from_bits(params["input_scale"]), q.from_bits(scale), q.DOUBLE)
    return q.quantize_multiplier(q.div(product, q.from_bits(params["output_scale"]), q.DOUBLE))
