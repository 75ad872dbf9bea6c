"""Constants of the portable kernels: tflm_channel_constants_t of kernels/common/channels.h."""

import struct

CHANNEL = "<iiii"  # bias, multiplier, shift, 0
KINDS = ("conv_2d_s8", "depthwise_conv_2d_s8")


def build(layer):
    """Return one CHANNEL for each output channel of a convolution."""
    if layer.kind not in KINDS:
        return b""
    pairs = zip(layer.bias.tolist(), layer.multipliers, strict=True)
    return b"".join(struct.pack(CHANNEL, bias, *factor, 0) for bias, factor in pairs)
