"""Random operator parameters and operands: one function a kernel, rng -> (record, inputs, states).

Values are drawn so that the rare cases are common: full-range bytes, multipliers at both ends,
shifts beyond what a model has, windows that hang over the image, batches, groups, broadcasting.
"""

import math
import struct

from support.draw.record_parts import (
    activation,
    any_bytes,
    bias_of,
    float_bits,
    multiplier_of,
    scales_near,
    zero,
)


def _window(rng, record, dilated):
    """Add one spatial axis pair to *record*: size, window, stride, padding, output."""
    for size, pad in (("height", "top"), ("width", "left")):
        extent, k = rng.randrange(1, 8), rng.randrange(1, 4)
        stride, dilation = rng.randrange(1, 4), rng.randrange(1, 3) if dilated else 1
        reach = (k - 1) * dilation + 1
        if rng.random() < 0.5 or reach > extent:
            out = math.ceil(extent / stride)  # SAME
        else:
            out = math.ceil((extent - reach + 1) / stride)
        record[f"input_{size}"], record[f"filter_{size}"] = extent, k
        record[f"output_{size}"], record[f"stride_{size}"] = out, stride
        record[f"dilation_{size}"] = dilation
        record[f"pad_{pad}"] = max((out - 1) * stride + reach - extent, 0) // 2
    return record


def window_3x3(rng, record, _dilated):
    """Add windows of 3x3 to *record*, one beside the other, with padding or not."""
    for size, pad in (("height", "top"), ("width", "left")):
        out, inside = rng.randrange(1, 10), rng.random() < 0.5
        record[f"input_{size}"], record[f"output_{size}"] = out + 2 * inside, out
        record |= {f"filter_{size}": 3, f"stride_{size}": 1, f"dilation_{size}": 1}
        record[f"pad_{pad}"] = 1 - inside
    return record


def convolution(rng, record, window=_window):
    """Return a random layer with the depths in *record*, its sizes drawn by *window*."""
    window(rng, record, True)
    step = rng.choice((0, 4))
    ratio = rng.choice((1e-4, 0.002, 0.01, 0.5, 3.0))
    record |= {
        "batches": rng.choice((1, 1, 2)),
        "input_offset": -zero(rng),
        "output_offset": zero(rng),
        "input_scale": float_bits(rng.uniform(0.001, 0.1)),
        "output_scale": float_bits(rng.uniform(0.001, 0.1)),
        "scale_step": step,
        **activation(rng),
    }
    r = record
    channels = r["output_depth"]
    taps = r["filter_height"] * r["filter_width"] * r.get("filter_depth", 1)
    x = r["batches"] * r["input_height"] * r["input_width"] * r["input_depth"]
    scales = scales_near(rng, channels if step else 1, ratio)
    inputs = [
        any_bytes(rng, x),
        any_bytes(rng, taps * channels),
        bias_of(rng, channels),
        scales,
        b"",
    ]
    return record, inputs, []


def conv_2d_s8(rng):
    groups, depth = rng.choice(((1, 1), (1, 3), (2, 2), (3, 1), (1, 5))), rng.randrange(1, 4)
    record = {"filter_depth": depth, "input_depth": depth * groups[0]}
    record["output_depth"] = groups[0] * groups[1]
    return convolution(rng, record)


def depthwise_conv_2d_s8(rng):
    depth, multiplier = rng.randrange(1, 5), rng.choice((1, 1, 2, 3))
    record = {"input_depth": depth, "depth_multiplier": multiplier}
    record["output_depth"] = depth * multiplier
    return convolution(rng, record)


def _dense(rng):
    record = {
        "batches": rng.choice((1, 1, 3)),
        "input_depth": rng.randrange(1, 40),
        "output_depth": rng.randrange(1, 40),
        "input_offset": -zero(rng),
        "output_offset": zero(rng),
        **activation(rng),
    }
    x = record["batches"] * record["input_depth"]
    f = record["output_depth"] * record["input_depth"]
    return (
        record,
        [any_bytes(rng, x), any_bytes(rng, f), bias_of(rng, record["output_depth"]), b""],
        [],
    )


def fully_connected_s8(rng):
    record, inputs, states = _dense(rng)
    record["multiplier"], record["shift"] = multiplier_of(rng)
    record["filter_offset"] = rng.choice((0, 0, -zero(rng)))
    return record, inputs, states


def fully_connected_per_channel_s8(rng):
    record, inputs, states = _dense(rng)
    record["input_scale"] = float_bits(rng.uniform(0.001, 0.1))
    record["output_scale"] = float_bits(rng.uniform(0.001, 0.1))
    inputs.insert(3, scales_near(rng, record["output_depth"], rng.choice((0.002, 0.01, 0.5))))
    return record, inputs, states


def _pool(rng):
    record = _window(rng, {}, False)
    record |= {"batches": rng.choice((1, 2)), "depth": rng.randrange(1, 5), **activation(rng)}
    x = record["batches"] * record["input_height"] * record["input_width"] * record["depth"]
    return record, [any_bytes(rng, x)], []


average_pool_2d_s8 = max_pool_2d_s8 = _pool


def _broadcast(rng):
    """Return rank, dims and both operand sizes."""
    rank = rng.randrange(1, 5)
    dims, sizes = [], [1, 1]
    for _ in range(rank):
        extent, steps = rng.choice((1, 2, 3, 5, 7)), []
        for i in range(2):
            repeated = rng.random() < 0.3
            steps.append(0 if repeated else sizes[i])
            sizes[i] *= 1 if repeated else extent
        dims = [extent, *steps, *dims]
    return rank, dims, sizes


def _element_wise(rng, **fields):
    rank, dims, sizes = _broadcast(rng)
    record = {"rank": rank, "dims": dims, "output_offset": zero(rng), **activation(rng)}
    record |= {"input1_offset": -zero(rng), "input2_offset": -zero(rng), **fields}
    return record, [any_bytes(rng, n) for n in sizes], []


def add_s8(rng):
    fields = {"left_shift": 20}
    for what, low, high in (("input1", -8, 0), ("input2", -8, 0), ("output", -24, -10)):
        fields[what + "_multiplier"], fields[what + "_shift"] = multiplier_of(rng, low, high)
    return _element_wise(rng, **fields)


sub_s8 = add_s8


def mul_s8(rng):
    multiplier, shift = multiplier_of(rng, -14, 2)
    return _element_wise(rng, multiplier=multiplier, shift=shift)


def compare_s16(rng):
    rank, dims, sizes = _broadcast(rng)
    record = {"rank": rank, "dims": dims, "accepted": rng.randrange(8)}
    for what in ("input1", "input2"):
        record[what + "_factor"] = rng.choice((2**23, 2**24 - 1, rng.randrange(2**23, 2**24)))
        record[what + "_exponent"] = rng.choice((0, 0, 1, 24))
    few = [struct.pack("<h", v) for v in (-32768, 32767, -1, 0, 1)]
    few += [rng.randbytes(2) for _ in range(2)]
    return record, [b"".join(rng.choices(few, k=n)) for n in sizes], []


def softmax_s8(rng):
    record = {"rows": rng.randrange(1, 4), "depth": rng.choice((1, 2, 10, 40))}
    record["multiplier"], record["left_shift"] = multiplier_of(rng, 16, 26)
    radius = math.floor(31 * 2**26 / 2 ** record["left_shift"])
    record["diff_min"] = -radius
    n = record["rows"] * record["depth"]
    data = any_bytes(rng, n)
    if rng.random() < 0.5:
        data = bytes(rng.randrange(-6, 7) & 0xFF for _ in range(n))
    return record, [data], []


softmax_s8_s16 = softmax_s8


def copy(rng):
    n = rng.randrange(1, 90)
    return {"nbytes": n}, [any_bytes(rng, n)], []


def concatenation(rng):
    sizes = [rng.randrange(1, 9) for _ in range(rng.randrange(1, 6))]
    outer = rng.randrange(1, 5)
    record = {"outer": outer, "count": len(sizes), "sizes": sizes}
    return record, [tuple(any_bytes(rng, n * outer) for n in sizes)], []


def pad_s8(rng):
    rank = rng.randrange(1, 6)
    dims, n = [], 1
    for _ in range(rank):
        extent = rng.randrange(1, 4)
        dims += [rng.randrange(0, 3), extent, rng.randrange(0, 3)]
        n *= extent
    return {"pad_value": zero(rng), "rank": rank, "dims": dims}, [any_bytes(rng, n)], []


def mean_s8(rng):
    axes, n = [], 1
    for _ in range(rng.randrange(1, 5)):
        extent = rng.randrange(1, 6)
        axes.append((extent, n, rng.random() < 0.5))
        n *= extent
    axes.reverse()
    kept = [a[:2] for a in axes if not a[2]]
    reduced = [a[:2] for a in axes if a[2]] or [(1, 1)]
    terms = math.prod(extent for extent, _ in reduced)
    multiplier, shift = multiplier_of(rng, -8, 1)
    record = {"multiplier": multiplier // terms, "shift": shift, "bias": -zero(rng) * terms}
    record |= {"output_offset": zero(rng), "kept": len(kept), "reduced": len(reduced)}
    record["dims"] = [v for pair in kept + reduced for v in pair]
    return record, [any_bytes(rng, n)], []


def _flat(rng, **fields):
    n = rng.randrange(1, 90)
    record = {"size": n, "input_zero_point": zero(rng), "output_zero_point": zero(rng)}
    return record | activation(rng) | fields, [any_bytes(rng, n)], []


def logistic_s8(rng):
    multiplier, shift = multiplier_of(rng, 18, 26)
    radius = math.floor(15 * 2**27 / 2**shift)
    return _flat(rng, multiplier=multiplier, left_shift=shift, input_range_radius=radius)


tanh_s8 = logistic_s8


def relu_s8(rng):
    multiplier, shift = multiplier_of(rng, -8, 4)
    return _flat(rng, multiplier=multiplier, shift=shift)


def requantize_s8(rng):
    multiplier, shift = multiplier_of(rng, -8, 4)
    offsets = {"input_offset": -zero(rng), "output_offset": zero(rng)}
    return _flat(rng, multiplier=multiplier, shift=shift, **offsets)


def requantize_s16_s8(rng):
    record, _, _ = requantize_s8(rng)
    record["multiplier"], record["shift"] = multiplier_of(rng, -14, 0)
    record["input_offset"] = 0
    return record, [any_bytes(rng, 2 * record["size"])], []


def requantize_s16_s32(rng):
    record, inputs, _ = requantize_s16_s8(rng)
    record["multiplier"], record["shift"] = multiplier_of(rng, -3, 15)
    offset = 2 ** rng.choice((8, 31))
    record["output_offset"] = rng.randrange(-offset, offset)
    return record, inputs, []


def lookup_s8(rng):
    n = rng.randrange(1, 90)
    return {"elements": n}, [any_bytes(rng, n), any_bytes(rng, 256)], []


def relu6_s8(rng):
    low = zero(rng)
    return _flat(rng, minimum=low, maximum=rng.randrange(low, 128))


def leaky_relu_s8(rng):
    identity, identity_shift = multiplier_of(rng, -6, 3)
    alpha, alpha_shift = multiplier_of(rng, -10, 3)
    alpha *= rng.choice((1, 1, -1))
    fields = {"identity_multiplier": identity, "identity_shift": identity_shift}
    return _flat(rng, alpha_multiplier=alpha, alpha_shift=alpha_shift, **fields)


def _svdf(rng, width):
    rank, units = rng.choice((1, 2)), rng.choice((rng.randrange(1, 6), rng.randrange(1, 20)))
    record = {"batches": rng.choice((1, 2)), "input_depth": rng.randrange(1, 20)}
    record |= {"filters": rank * units, "memory": rng.randrange(1, 20), "rank": rank}
    record |= {"input_offset": -zero(rng), "output_offset": zero(rng)}
    record["state_zero_point"] = zero(rng) if width == 1 else 0
    usual = {"feature": (-14, -4) if width == 1 else (-4, 3), "time": (-22, -2)}
    for what, bits in usual.items():
        # A fifth goes beyond what models have.
        shifts = (-31, 3) if rng.random() < 0.2 else bits
        record[what + "_multiplier"], record[what + "_shift"] = multiplier_of(rng, *shifts)
    filters, memory = record["filters"], record["memory"]
    inputs = [any_bytes(rng, record["batches"] * record["input_depth"])]
    inputs += [
        any_bytes(rng, filters * record["input_depth"]),
        any_bytes(rng, filters * memory * width),
    ]
    inputs.append(bias_of(rng, units))
    return record, inputs, [any_bytes(rng, record["batches"] * filters * memory * width)]


def svdf_s8(rng):
    return _svdf(rng, 1)


def svdf_s16(rng):
    return _svdf(rng, 2)


_SPECIAL = (0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001, 0x7F7FFFFF)


def _floats(rng, n, special):
    words = []
    for _ in range(n):
        bits = struct.unpack("<I", struct.pack("<f", rng.gauss(0, 3)))[0]
        words.append(rng.choice(_SPECIAL) if rng.random() < special else bits)
    return struct.pack(f"<{n}I", *words)


def _float_range(rng):
    low, high = rng.choice(((-math.inf, math.inf), (0.0, math.inf), (0.0, 6.0), (-1.0, 1.0)))
    return {"activation_min": float_bits(low), "activation_max": float_bits(high)}


def fully_connected_f32(rng):
    batches, depth, channels = rng.randrange(1, 3), rng.randrange(1, 20), rng.randrange(1, 8)
    record = {"batches": batches, "input_depth": depth, "output_depth": channels}
    bias = _floats(rng, channels, 0) if rng.random() < 0.8 else b""
    sizes = (batches * depth, channels * depth)
    return record | _float_range(rng), [*(_floats(rng, n, 0) for n in sizes), bias], []


def add_f32(rng):
    rank, dims, sizes = _broadcast(rng)
    record = {"rank": rank, "dims": dims, **_float_range(rng)}
    # No infinity in the second: the sign of inf - inf is the processor's.
    second = _floats(rng, sizes[1], 0.2).replace(b"\x80\x7f", b"\x80\x3f")
    return record, [_floats(rng, sizes[0], 0.2), second.replace(b"\x80\xff", b"\x80\xbf")], []


def relu_f32(rng):
    n = rng.randrange(1, 60)
    return {"size": n}, [_floats(rng, n, 0.4)], []


def quantize_f32_s8(rng):
    n = rng.randrange(1, 60)
    scale = rng.choice((0.5, 0.0235, rng.uniform(0.001, 0.3)))
    record = {"size": n, "scale": float_bits(scale), "zero_point": zero(rng)}
    values = [
        rng.choice((rng.gauss(0, 60), rng.randrange(-300, 300) / 2)) * scale for _ in range(n)
    ]
    return record, [struct.pack(f"<{n}f", *values)], []
