"""Models of TRANSPOSE_CONV."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import TYPICAL, WANTED, bias_s16, filter_scales, int16_scale
from support.draw.one_op import OneOp, f32
from support.models.model_builder import SAME, VALID, Quant


def _axis(draw, padding):
    """Return input, filter, stride and output of one axis."""
    size, kernel, stride = draw.size(1, 7), draw.size(1, 5), draw.size(1, 3)
    if padding == SAME:
        return size, kernel, stride, size * stride - draw.size(0, stride - 1)
    return size, kernel, stride, (size - 1) * stride + kernel + draw.size(0, stride - 1)


def transpose_conv(dtype, draw):
    depth, channels = draw.size(1, 9), draw.size(1, 9)
    if draw.odds(0.1):
        channels = draw.size(17, 40)
    return _transpose_conv(dtype, draw, depth, channels)


def transpose_conv_deep(dtype, draw):
    """Draw depths and channels about those that fill the vectors of fast kernels."""
    depth = draw.rng.choice((4, 8, 12, 15, 16, 17, 20, 31, 32, 33, 40))
    return _transpose_conv(
        dtype, draw, depth, draw.rng.choice((1, 3, 4, 7, 8, 15, 16, 17, 20, 33))
    )


def _transpose_conv(dtype, draw, depth, channels):
    padding = draw.rng.choice((SAME, VALID))
    axes = [_axis(draw, padding) for _ in range(2)]
    sizes, kernels, strides, outs = zip(*axes, strict=True)
    batches = draw.size(1, 2)
    narrow = dtype == "INT8"
    model = OneOp(draw)
    quant = draw.quant() if narrow else Quant(draw.scale(0.00002, 0.002))
    filter_shape = [channels, *kernels, depth]
    scales = filter_scales(draw, channels, 0)
    shape = [batches, *outs, channels]
    inputs = [model.ints(shape)]
    inputs.append(model.const(filter_shape, "INT8", draw.weights(prod(filter_shape)), scales))
    inputs.append(model.input([batches, *sizes, depth], quant, dtype))
    biases = [f32(quant.scale * scale) for scale in scales.scales]
    types = ["INT32"] if narrow else ["INT64", "INT16"]
    bias, _ = bias_s16(draw, model, (channels, biases), types)
    terms = depth * max(1, prod(kernels) // prod(strides))
    wanted = quant.scale * max(scales.scales) * TYPICAL * sqrt(terms) * draw.spread()
    wanted *= TYPICAL / WANTED if narrow else 1
    scale = f32(wanted) if narrow else int16_scale(wanted)
    output = (shape, Quant(scale, draw.zero_point() if narrow else 0), dtype)
    options = {"padding": padding, "stride_h": strides[0], "stride_w": strides[1]}
    options["activation"] = draw.activation()
    return model.finish("TRANSPOSE_CONV", inputs + bias, output, **options)


def transpose_conv_f32(draw):
    padding = draw.rng.choice((SAME, VALID))
    sizes, kernels, strides, outs = zip(*[_axis(draw, padding) for _ in range(2)], strict=True)
    batches, depth, channels = draw.size(1, 2), draw.size(1, 9), draw.size(1, 9)
    model = OneOp(draw)
    shape, filter_shape = [batches, *outs, channels], [channels, *kernels, depth]
    inputs = [model.ints(shape)]
    inputs.append(model.const(filter_shape, "FLOAT32", draw.float32(prod(filter_shape))))
    inputs.append(model.input([batches, *sizes, depth], None, "FLOAT32"))
    if draw.odds(0.7):
        inputs.append(model.const([channels], "FLOAT32", draw.float32(channels)))
    options = {"padding": padding, "stride_h": strides[0], "stride_w": strides[1]}
    options["activation"] = draw.activation()
    return model.finish("TRANSPOSE_CONV", inputs, (shape, None, "FLOAT32"), **options)


CASES = {
    "transpose_conv_f32": Op(transpose_conv_f32, kernel="transpose_conv_f32"),
} | {
    f"transpose_conv_{name}{suffix}": Op(partial(draw, dtype), kernel=f"transpose_conv_{name}")
    for name, dtype in (("s8", "INT8"), ("s16", "INT16"))
    for suffix, draw in (("", transpose_conv), ("_deep", transpose_conv_deep))
}
