"""Models of CONV_2D and DEPTHWISE_CONV_2D."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import (
    TYPICAL,
    Geometry,
    bias_s16,
    filter_scales,
    given_bias,
    int16_scale,
    linear,
    output_size,
)
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import end, start, tie, weight
from support.models.model_builder import SAME, VALID, Quant


def conv_2d(draw, weights="INT8"):
    groups = draw.size(2, 4) if draw.odds(0.2) else 1
    depths = groups, draw.size(1, 9), groups * draw.size(1, 6)
    return _conv_2d(draw, Geometry(draw), depths, weights)


def conv_2d_deep(draw):
    """Draw what the loops of fast kernels are made for: many channels, and up to 576 taps."""
    geometry = Geometry(draw, dilate=False)
    geometry.batches = 1
    groups = draw.rng.choice((1, 1, 1, 1, 2))
    most = max(1, 576 // (geometry.kernel_h * geometry.kernel_w))
    filter_depth = min(most, draw.rng.choice((4, 8, 12, 16, 16, 20, 32, 48, 64)))
    depths = groups, filter_depth, groups * draw.rng.choice((4, 8, 15, 16, 16, 17, 20, 23, 24))
    return _conv_2d(draw, geometry, depths, "INT8")


def conv_2d_pixels(draw):
    """Draw 1x1 windows of many channels on narrow images, where pairs leave their row."""
    geometry = Geometry(draw, dilate=False)
    geometry.batches, geometry.width = draw.rng.choice((1, 1, 2)), draw.rng.choice((1, 1, 2, 3, 5))
    geometry.kernel_h = geometry.kernel_w = geometry.stride_h = geometry.stride_w = 1
    geometry.out = [geometry.height, geometry.width]
    depths = 1, draw.rng.choice((16, 16, 32, 48, 64)), draw.rng.choice((4, 8, 16, 16, 17, 32, 48))
    return _conv_2d(draw, geometry, depths, "INT8")


def conv_2d_3x3(draw):
    """Draw windows of 3x3 of four, eight, ... channels, most of which lie side by side."""
    geometry = Windows3x3(draw)
    if draw.odds(0.8):
        geometry.go_by_ones()
    depths = 1, 4 * draw.size(1, 8), draw.rng.choice((4, 8, 15, 16, 17, 23, 24))
    return _conv_2d(draw, geometry, depths, "INT8")


class Lines(Geometry):
    """Windows of long rows, most of which lie inside the image side by side."""

    def __init__(self, draw):
        super().__init__(draw, dilate=False)
        self.batches, self.width = draw.rng.choice((1, 1, 2)), draw.size(12, 60)
        self.stride_w = draw.rng.choice((1, 1, 1, 2, 3))
        self.out[1] = output_size(self.padding, self.width, self.kernel_w, self.stride_w)


def conv_2d_lines(draw):
    """Draw rows of 2^15 products and more, and at times weights that are extremes only."""
    geometry = Lines(draw)
    window = geometry.kernel_h * geometry.kernel_w
    most = min(256 // window, 24000 // (geometry.batches * geometry.height * geometry.width))
    filter_depth = 4 * draw.size(1, max(1, most // 4))
    least = 2**15 // (geometry.out[1] * window * filter_depth) + 1
    out_depth = draw.size(min(least, 64), 64)
    extremes = bytes(draw.rng.choices((0x80, 0x7F), k=out_depth * window * filter_depth))
    data = extremes if draw.odds(0.2) else None
    return _conv_2d(draw, geometry, (1, filter_depth, out_depth), "INT8", data)


def conv_2d_large(draw):
    """Draw filters of 8 to 40 KB: a Pico's cache before its flash does not hold most of them."""
    geometry = Geometry(draw)
    while geometry.batches * prod(geometry.out) > 40:
        geometry = Geometry(draw)
    window = geometry.kernel_h * geometry.kernel_w
    most = 24000 // (geometry.batches * geometry.height * geometry.width)
    taps = draw.rng.choice((64, 144, 200, 256, 288, 400, 576, 1100, 2600))
    filter_depth = max(1, min(most, taps // window))
    out_depth = min(400, draw.size(8000, 40000) // (window * filter_depth) + 1)
    return _conv_2d(draw, geometry, (1, filter_depth, out_depth), "INT8")


def conv_2d_blocks(draw):
    """Draw layers whose channels take more scratch than their images have bytes."""
    channels, depth = draw.size(100, 330), draw.size(1, 40)
    geometry = Geometry(draw)
    while not _is_small(geometry, channels, depth):
        geometry = Geometry(draw)
    return _conv_2d(draw, geometry, (1, depth, channels), "INT8")


def _is_small(geometry, channels, depth):
    data = geometry.batches * geometry.height * geometry.width * depth
    made = geometry.batches * prod(geometry.out) * 32
    return made + data < 16 * (channels - 64)


def _conv_2d(draw, geometry, depths, weights, data=None):
    groups, filter_depth, out_depth = depths
    model = OneOp(draw)
    shape = [geometry.batches, geometry.height, geometry.width, groups * filter_depth]
    model.input(shape, draw.quant())
    filter_shape = [out_depth, geometry.kernel_h, geometry.kernel_w, filter_depth]
    filter_quant = filter_scales(draw, out_depth, 0)
    data = draw.weights_of(weights, prod(filter_shape)) if data is None else data
    kernel = model.const(filter_shape, weights, data, filter_quant)
    depth = prod(filter_shape[1:])
    inputs, output = linear(
        draw,
        model,
        (kernel, filter_quant, depth, out_depth),
        [geometry.batches, *geometry.out, out_depth],
    )
    options = {**geometry.options(), **geometry.dilations(), "activation": draw.activation()}
    return model.finish("CONV_2D", inputs, output, **options)


def depthwise_conv_2d(draw, weights="INT8"):
    return depthwise(
        draw, Geometry(draw), (draw.size(1, 10), draw.rng.choice((1, 1, 2, 3))), weights
    )


def depthwise_3x3(draw):
    """Draw what cores with DSP and MVE have loops for, wide rows as well."""
    depths = draw.rng.choice(((draw.size(4, 21), 1), (draw.size(1, 3), 4), (1, 8)))
    return depthwise(draw, Windows3x3(draw), depths)


class Windows3x3(Geometry):
    """3x3 windows side by side, of any stride."""

    def __init__(self, draw):
        super().__init__(draw, dilate=False)
        self.padding = draw.rng.choice((SAME, SAME, VALID))
        least = 1 if self.padding == SAME else 3
        self.batches, self.height = draw.rng.choice((1, 1, 2)), draw.size(least, 6)
        self.width = draw.size(least, draw.rng.choice((8, 30, 80)))
        self.stride_h, self.stride_w = draw.size(1, 3), draw.rng.choice((1, 1, 1, 2, 2, 3))
        self.kernel_h = self.kernel_w = 3
        if draw.odds(0.2) and self.height >= 5:
            self.dilation_h = 2
        self._set_out()

    def go_by_ones(self):
        """Let each window begin one row or column behind the last one."""
        self.stride_h = self.stride_w = self.dilation_h = 1
        self._set_out()

    def _set_out(self):
        self.out = [
            output_size(self.padding, self.height, 3, self.stride_h, self.dilation_h),
            output_size(self.padding, self.width, 3, self.stride_w),
        ]


def depthwise(draw, geometry, depths, weights="INT8"):
    in_depth, multiplier = depths
    out_depth = in_depth * multiplier
    model = OneOp(draw)
    model.input([geometry.batches, geometry.height, geometry.width, in_depth], draw.quant())
    filter_shape = [1, geometry.kernel_h, geometry.kernel_w, out_depth]
    filter_quant = filter_scales(draw, out_depth, 3)
    data = draw.weights_of(weights, prod(filter_shape))
    kernel = model.const(filter_shape, weights, data, filter_quant)
    inputs, output = linear(
        draw,
        model,
        (kernel, filter_quant, geometry.kernel_h * geometry.kernel_w, out_depth),
        [geometry.batches, *geometry.out, out_depth],
        given_bias,  # without one, the reference crashes in prepare
    )
    options = {
        **geometry.options(),
        **geometry.dilations(),
        "depth_multiplier": multiplier,
        "activation": draw.activation(),
    }
    return model.finish("DEPTHWISE_CONV_2D", inputs, output, **options)


def convolution_s16(op, draw, is_large=False):
    """*is_large*: windows of a size that the kernel does not gather."""
    geometry = Geometry(draw)
    is_depthwise = op == "DEPTHWISE_CONV_2D"
    window = [geometry.kernel_h, geometry.kernel_w]
    if is_depthwise:
        in_depth, multiplier = draw.size(1, 10), draw.rng.choice((1, 1, 2, 3))
        out_depth, terms = in_depth * multiplier, prod(window)
        filter_shape, axis = [1, *window, out_depth], 3
        own = {"depth_multiplier": multiplier}
    else:
        groups = draw.size(2, 4) if draw.odds(0.2) else 1
        filter_depth, out_depth, own = draw.size(1, 9), groups * draw.size(1, 9), {}
        out_depth *= 5 if draw.odds(0.2) else 1
        if is_large:
            filter_depth += 160 // prod(window)
        in_depth, terms = groups * filter_depth, prod(window) * filter_depth
        filter_shape, axis = [out_depth, *window, filter_depth], 0
    model, quant = OneOp(draw), Quant(draw.scale(0.00002, 0.002))
    shape = [geometry.batches, geometry.height, geometry.width, in_depth]
    scales = filter_scales(draw, out_depth, axis)
    weights = model.const(filter_shape, "INT8", draw.weights(prod(filter_shape)), scales)
    inputs = [model.input(shape, quant, "INT16"), weights]
    types = ["INT64"] if is_depthwise else ["INT64", "INT32"]
    bias_scales = [f32(quant.scale * scale) for scale in scales.scales]
    bias, option = bias_s16(draw, model, (out_depth, bias_scales), types)
    wanted = quant.scale * max(scales.scales) * TYPICAL * sqrt(terms) * draw.spread()
    output = ([geometry.batches, *geometry.out, out_depth], Quant(int16_scale(wanted)), "INT16")
    options = {**geometry.options(), **geometry.dilations(), **own, **option}
    return model.finish(op, inputs + bias, output, activation=draw.activation(), **options)


def convolution_f32(op, draw, weights="FLOAT32"):
    geometry = Geometry(draw)
    is_depthwise = op == "DEPTHWISE_CONV_2D"
    window = [geometry.kernel_h, geometry.kernel_w]
    if is_depthwise:
        in_depth, multiplier = draw.size(1, 10), draw.rng.choice((1, 1, 2, 3))
        out_depth = in_depth * multiplier
        filter_shape = [1, *window, out_depth]
        own = {"depth_multiplier": multiplier}
    else:
        groups = draw.size(2, 4) if draw.odds(0.2) else 1
        filter_depth, out_depth, own = draw.size(1, 9), groups * draw.size(1, 9), {}
        in_depth = groups * filter_depth
        filter_shape = [out_depth, *window, filter_depth]
    model = OneOp(draw)
    shape = [geometry.batches, geometry.height, geometry.width, in_depth]
    inputs = [model.input(shape, None, "FLOAT32")]
    if weights == "INT8":
        scales = filter_scales(draw, out_depth, 3 if is_depthwise else 0)
        data = draw.weights(prod(filter_shape))
    else:
        scales, data = None, draw.float32(prod(filter_shape))
    inputs.append(model.const(filter_shape, weights, data, scales))
    if draw.odds(0.7):
        inputs.append(model.const([out_depth], "FLOAT32", draw.float32(out_depth)))
    output = ([geometry.batches, *geometry.out, out_depth], None, "FLOAT32")
    options = {**geometry.options(), **geometry.dilations(), **own}
    return model.finish(op, inputs, output, activation=draw.activation(), **options)


def tie_convolution(op, draw):
    model, x, scale = start(draw, [1, 16, 16, 1])
    w_scale, value, data = weight(draw)
    axis = 3 if op == "DEPTHWISE_CONV_2D" else 0
    w = model.const([1, 1, 1, 1], "INT8", data, Quant([w_scale], 0, axis))
    bias = model.const([1], "INT32", pack("i", [draw.size(-50, 50)]), Quant(f32(scale * w_scale)))
    out = tie(draw, scale * w_scale, value)
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "activation": 0}
    options |= {"dilation_w": 1, "dilation_h": 1}
    if axis:
        options["depth_multiplier"] = 1
    return end(draw, model, op, [x, w, bias], [1, 16, 16, 1], out, **options)


CASES = {
    "conv_2d": Op(conv_2d, rows=True),
    "conv_2d_deep": Op(conv_2d_deep, rows=True, kernel="conv_2d_s8"),
    "conv_2d_pixels": Op(conv_2d_pixels, rows=True, viper=False),
    "conv_2d_3x3": Op(conv_2d_3x3, rows=True, viper=False),
    "conv_2d_lines": Op(conv_2d_lines, rows=True, viper=False),
    "conv_2d_large": Op(conv_2d_large, rows=True, viper=False),
    "conv_2d_blocks": Op(conv_2d_blocks, kernel="conv_2d_s8_blocks"),
    "depthwise_conv_2d": Op(depthwise_conv_2d, rows=True),
    "depthwise_conv_2d_3x3": Op(depthwise_3x3, rows=True, kernel="depthwise_conv_2d_s8"),
    "conv_2d_s4": Op(partial(conv_2d, weights="INT4"), rows=True, kernel="conv_2d_s4"),
    "depthwise_conv_2d_s4": Op(
        partial(depthwise_conv_2d, weights="INT4"), rows=True, kernel="depthwise_conv_2d_s4"
    ),
    "conv_2d_s16": Op(partial(convolution_s16, "CONV_2D"), rows=True, kernel="conv_2d_s16"),
    "conv_2d_s16_large": Op(
        partial(convolution_s16, "CONV_2D", is_large=True), rows=True, viper=False
    ),
    "depthwise_conv_2d_s16": Op(
        partial(convolution_s16, "DEPTHWISE_CONV_2D"), rows=True, kernel="depthwise_conv_2d_s16"
    ),
    "conv_2d_f32": Op(partial(convolution_f32, "CONV_2D"), rows=True, kernel="conv_2d_f32"),
    "depthwise_conv_2d_f32": Op(
        partial(convolution_f32, "DEPTHWISE_CONV_2D"), rows=True, kernel="depthwise_conv_2d_f32"
    ),
    "conv_2d_hybrid": Op(
        partial(convolution_f32, "CONV_2D", weights="INT8"), kernel="conv_2d_hybrid"
    ),
    "depthwise_conv_2d_hybrid": Op(
        partial(convolution_f32, "DEPTHWISE_CONV_2D", weights="INT8"),
        kernel="depthwise_conv_2d_hybrid",
    ),
    "tie_conv_2d": Op(partial(tie_convolution, "CONV_2D"), tie=True),
    "tie_depthwise_conv_2d": Op(partial(tie_convolution, "DEPTHWISE_CONV_2D"), tie=True),
}
