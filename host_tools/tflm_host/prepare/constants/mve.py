"""Constants of the MVE kernels: tflm_lanes_t of kernels/mve/requantize_lanes.h."""

import numpy as np

SIXTEEN = 16


def build(layer):
    """Return starts, multipliers and shifts of all channels; only starts for a shared factor."""
    offset = layer.params["input_offset"]
    start = layer.bias.astype(np.int64) + offset * layer.filter.sum(axis=1, dtype=np.int64)
    words = [start]
    if layer.kind != "fully_connected_s8":
        words.extend(np.array(layer.multipliers, np.int64).T)
        if _in_vector_order(layer):
            words = [_vector_order(array) for array in words]
        if _in_blocks(layer):
            words = [np.stack(words).reshape(3, -1, 4).swapaxes(0, 1).ravel()]
    return np.concatenate(words).astype("<u4").tobytes()


def _in_blocks(layer):
    """Say whether kernels/mve/conv.c takes this layer's constants four channels at a time."""
    if layer.kind != "conv_2d_s8":
        return False
    groups = layer.params["input_depth"] // layer.params["filter_depth"]
    return len(layer.bias) // groups % 4 == 0


def _in_vector_order(layer):
    """Say whether kernels/mve/conv_depthwise.c takes this layer sixteen channels at a time."""
    return (
        layer.kind == "depthwise_conv_2d_s8"
        and layer.params["depth_multiplier"] == 1
        and len(layer.bias) % SIXTEEN == 0
        and all(shift <= 0 for _, shift in layer.multipliers)
    )


def _vector_order(array):
    """Return the words of each sixteen channels as tflm_sixteen_constants_t has them."""
    return array.reshape(-1, 4, 4).swapaxes(1, 2).ravel()
