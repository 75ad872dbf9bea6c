"""Convolutions whose sums lie around the steps of the output, where rounding is decided."""

import struct

from support.draw.record_parts import activation, float_bits, zero


def near_steps(rng, depth):
    """Return a 1x1 CONV_2D of *depth* inputs whose sums lie around steps of the output.

    The filter is 0, so the sums are the bias.
    """
    ones = (
        "batches input_height filter_height filter_width output_height stride_height stride_width"
    )
    record = dict.fromkeys(f"{ones} dilation_height dilation_width".split(), 1)
    record |= {"input_width": 4, "output_width": 4, "pad_top": 0, "pad_left": 0}
    record |= {"input_depth": depth, "filter_depth": depth, "output_depth": 80, "scale_step": 0}
    scale = 2.0 ** -rng.uniform(-1, 17)
    offset = zero(rng)
    record |= {"input_offset": 0, "output_offset": offset, **activation(rng)}
    record |= {"input_scale": float_bits(scale), "output_scale": float_bits(1.0)}
    bias = []
    for _ in range(record["output_depth"]):
        step = rng.choice((-128, 127, record["activation_min"], rng.randrange(-130, 130))) - offset
        bias.append(round((step + 0.5) / scale) + rng.choice((-2, -1, 0, 0, 1, 2)))
    inputs = [bytes(4 * depth), bytes(len(bias) * depth), struct.pack(f"<{len(bias)}i", *bias)]
    return record, [*inputs, struct.pack("<f", 1.0), b""], []
