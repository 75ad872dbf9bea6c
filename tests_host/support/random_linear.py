"""Random models of the ops that multiply and accumulate, and of pooling."""

from math import prod, sqrt

from support.model_builder import SAME, VALID, Quant
from support.random_draw import OneOp, f32

TYPICAL = 74  # standard deviation of a uniform int8
WANTED = 60  # standard deviation that fills the output's range


def _window(draw, size):
    """Draw (filter, stride, dilation) of one axis that fits SAME and VALID alike."""
    kernel = draw.size(1, min(size, 5))
    dilation = draw.size(1, 3) if kernel > 1 else 1
    while (kernel - 1) * dilation + 1 > size:
        dilation -= 1
    return kernel, draw.size(1, 3), dilation


def _output_size(padding, size, kernel, stride, dilation=1):
    if padding == SAME:
        return -(-size // stride)
    return -(-(size - (kernel - 1) * dilation) // stride)


class _Geometry:
    """Input and window of a convolution or a pool, and the output size that follows."""

    def __init__(self, draw, dilate=True):
        self.batches = draw.rng.choice((1, 1, 2, 3))
        self.height, self.width = draw.size(1, 12), draw.size(1, 12)
        self.padding = draw.rng.choice((SAME, VALID))
        self.kernel_h, self.stride_h, self.dilation_h = _window(draw, self.height)
        self.kernel_w, self.stride_w, self.dilation_w = _window(draw, self.width)
        if not dilate:
            self.dilation_h = self.dilation_w = 1
        self.out = [
            _output_size(self.padding, self.height, self.kernel_h, self.stride_h, self.dilation_h),
            _output_size(self.padding, self.width, self.kernel_w, self.stride_w, self.dilation_w),
        ]

    def options(self):
        return {"padding": self.padding, "stride_w": self.stride_w, "stride_h": self.stride_h}

    def dilations(self):
        return {"dilation_w": self.dilation_w, "dilation_h": self.dilation_h}


def _filter_quant(draw, channels, axis):
    """Return per-tensor or per-channel scales, at times widely apart."""
    if draw.odds(0.3):
        return Quant(draw.scale(0.001, 0.1), 0, 0)
    low = draw.rng.choice((0.001, 0.02, 0.00001))
    return Quant([draw.scale(low, 0.1) for _ in range(channels)], 0, axis)


def _bias(draw, model, channels, scales):
    """Return [tensor] or what stands for no bias: [] or [-1]."""
    if draw.odds(0.25):
        return draw.rng.choice(([], [-1]))
    return _given_bias(draw, model, channels, scales)


def _given_bias(draw, model, channels, scales):
    quant = Quant(list(scales))
    data = draw.int32(channels, draw.rng.choice((10, 20000, 2000000)))
    return [model.const([channels], "INT32", data, quant)]


def _linear(draw, model, weights, out_shape, bias=_bias):
    """Choose the output scale for the accumulators to come, and add the bias."""
    x, x_scale = model.inputs[0], model.builder.subgraphs[0].tensors[0].quant.scale
    filter_tensor, filter_quant, depth, channels = weights
    scales = [f32(x_scale * scale) for scale in filter_quant.scales]
    wanted = max(scales) * TYPICAL * TYPICAL * sqrt(depth) / WANTED * draw.spread()
    inputs = [x, filter_tensor, *bias(draw, model, channels, scales)]
    return inputs, (out_shape, Quant(f32(wanted), draw.zero_point()), "INT8")


def conv_2d(draw):
    geometry = _Geometry(draw)
    groups = draw.size(2, 4) if draw.odds(0.2) else 1
    filter_depth, out_depth = draw.size(1, 9), groups * draw.size(1, 6)
    model = OneOp(draw)
    shape = [geometry.batches, geometry.height, geometry.width, groups * filter_depth]
    model.input(shape, draw.quant())
    filter_shape = [out_depth, geometry.kernel_h, geometry.kernel_w, filter_depth]
    filter_quant = _filter_quant(draw, out_depth, 0)
    data = draw.weights(prod(filter_shape))
    kernel = model.const(filter_shape, "INT8", data, filter_quant)
    depth = prod(filter_shape[1:])
    inputs, output = _linear(
        draw,
        model,
        (kernel, filter_quant, depth, out_depth),
        [geometry.batches, *geometry.out, out_depth],
    )
    options = {**geometry.options(), **geometry.dilations(), "activation": draw.activation()}
    return model.finish("CONV_2D", inputs, output, **options)


def depthwise_conv_2d(draw):
    geometry = _Geometry(draw)
    in_depth, multiplier = draw.size(1, 10), draw.rng.choice((1, 1, 2, 3))
    out_depth = in_depth * multiplier
    model = OneOp(draw)
    model.input([geometry.batches, geometry.height, geometry.width, in_depth], draw.quant())
    filter_shape = [1, geometry.kernel_h, geometry.kernel_w, out_depth]
    filter_quant = _filter_quant(draw, out_depth, 3)
    data = draw.weights(prod(filter_shape))
    kernel = model.const(filter_shape, "INT8", data, filter_quant)
    inputs, output = _linear(
        draw,
        model,
        (kernel, filter_quant, geometry.kernel_h * geometry.kernel_w, out_depth),
        [geometry.batches, *geometry.out, out_depth],
        _given_bias,  # without one, the reference crashes in prepare
    )
    options = {
        **geometry.options(),
        **geometry.dilations(),
        "depth_multiplier": multiplier,
        "activation": draw.activation(),
    }
    return model.finish("DEPTHWISE_CONV_2D", inputs, output, **options)


def _dense_shapes(draw, depth, units):
    """Return input shape, output shape and keep_num_dims."""
    outer = draw.shape(draw.size(1, 3), 3)
    if draw.odds(0.4):
        return [*outer, depth], [*outer, units], True
    return [*outer, depth], [prod(outer), units], False


def fully_connected(draw):
    depth, units = draw.size(1, 40), draw.size(1, 20)
    shape, out_shape, keep = _dense_shapes(draw, depth, units)
    model = OneOp(draw)
    model.input(shape, draw.quant())
    filter_quant = _filter_quant(draw, units, 0)
    if len(filter_quant.scales) == 1 and draw.odds(0.3):
        filter_quant.zero_point = draw.size(-10, 10)
    kernel = model.const([units, depth], "INT8", draw.weights(units * depth), filter_quant)
    weights = (kernel, filter_quant, depth, units)
    inputs, output = _linear(draw, model, weights, out_shape)
    options = {"activation": draw.activation(), "keep_num_dims": keep}
    return model.finish("FULLY_CONNECTED", inputs, output, **options)


def fully_connected_f32(draw):
    depth, units = draw.size(1, 40), draw.size(1, 20)
    shape, out_shape, keep = _dense_shapes(draw, depth, units)
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    kernel = model.const([units, depth], "FLOAT32", draw.float32(units * depth))
    inputs = [x, kernel]
    if draw.odds(0.7):
        inputs.append(model.const([units], "FLOAT32", draw.float32(units)))
    options = {"activation": draw.activation(), "keep_num_dims": keep}
    return model.finish("FULLY_CONNECTED", inputs, (out_shape, None, "FLOAT32"), **options)


def pool_2d(op, draw):
    geometry = _Geometry(draw, dilate=False)
    depth, quant = draw.size(1, 10), draw.quant()
    model = OneOp(draw)
    x = model.input([geometry.batches, geometry.height, geometry.width, depth], quant)
    options = {
        **geometry.options(),
        "filter_width": geometry.kernel_w,
        "filter_height": geometry.kernel_h,
        "activation": draw.activation(),
    }
    output = ([geometry.batches, *geometry.out, depth], quant, "INT8")
    return model.finish(op, [x], output, **options)


def svdf(state_type, draw):
    batches, rank = draw.size(1, 3), draw.size(1, 3)
    # Mostly small; at times what takes the loops of a core's kernels around more than once.
    depth, memory, units = (
        draw.size(1, large if draw.odds(0.3) else small)
        for small, large in ((20, 100), (8, 40), (8, 20))
    )
    filters = rank * units
    model, quant = OneOp(draw), draw.quant()
    x = model.input([batches, depth], quant)
    feature_scale, time_scale = draw.scale(0.001, 0.1), draw.scale(0.0001, 0.1)
    feature_data, time_count = draw.weights(filters * depth), filters * memory
    feature = model.const([filters, depth], "INT8", feature_data, Quant(feature_scale))
    narrow = state_type == "INT8"
    state_limit = WANTED if narrow else 256 * WANTED
    state_scale = f32(
        quant.scale
        * feature_scale
        * TYPICAL
        * TYPICAL
        * sqrt(depth)
        / state_limit
        * min(draw.spread(), 50)
    )
    time_data = draw.weights(time_count) if narrow else draw.int16(time_count)
    time = model.const([filters, memory], state_type, time_data, Quant(time_scale))
    time_typical = TYPICAL if narrow else 256 * TYPICAL
    wanted = state_scale * state_limit * time_scale * time_typical * sqrt(memory * rank) / WANTED
    bias = model.const(
        [units], "INT32", draw.int32(units, 20000), Quant(f32(state_scale * time_scale))
    )
    state_quant = Quant(state_scale, draw.size(-20, 20) if narrow else 0)
    state = model.builder.tensor([batches, time_count], state_type, state_quant, variable=True)
    output = ([batches, units], Quant(f32(wanted * draw.spread()), draw.zero_point()), "INT8")
    inputs = [x, feature, time, bias, state]
    return model.finish("SVDF", inputs, output, rank=rank, activation=1)
