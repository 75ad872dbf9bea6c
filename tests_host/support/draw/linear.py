"""What random models of ops that multiply and accumulate, and of pooling, draw."""

from math import sqrt

from support.draw.one_op import f32, pack
from support.models.model_builder import SAME, TYPES, VALID, Quant

TYPICAL = 74  # standard deviation of a uniform int8
LEAST_SCALE = 2.0**-27  # of an output: TFLM refuses 6, the bound of RELU6, over it from 2 ** 31 on
WANTED = 60  # standard deviation that fills the output's range


def _window(draw, size):
    """Draw (filter, stride, dilation) of one axis that fits SAME and VALID alike."""
    kernel = draw.size(1, min(size, 5))
    dilation = draw.size(1, 3) if kernel > 1 else 1
    while (kernel - 1) * dilation + 1 > size:
        dilation -= 1
    return kernel, draw.size(1, 3), dilation


def output_size(padding, size, kernel, stride, dilation=1):
    if padding == SAME:
        return -(-size // stride)
    return -(-(size - (kernel - 1) * dilation) // stride)


class Geometry:
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
            output_size(self.padding, self.height, self.kernel_h, self.stride_h, self.dilation_h),
            output_size(self.padding, self.width, self.kernel_w, self.stride_w, self.dilation_w),
        ]

    def options(self):
        return {"padding": self.padding, "stride_w": self.stride_w, "stride_h": self.stride_h}

    def dilations(self):
        return {"dilation_w": self.dilation_w, "dilation_h": self.dilation_h}


def filter_scales(draw, channels, axis):
    """Return per-tensor or per-channel scales, at times widely apart."""
    if draw.odds(0.3):
        return Quant(draw.scale(0.001, 0.1), 0, 0)
    low = draw.rng.choice((0.001, 0.02, 0.00001))
    return Quant([draw.scale(low, 0.1) for _ in range(channels)], 0, axis)


def _bias(draw, model, channels, scales):
    """Return [tensor] or what stands for no bias: [] or [-1]."""
    if draw.odds(0.25):
        return draw.rng.choice(([], [-1]))
    return given_bias(draw, model, channels, scales)


def given_bias(draw, model, channels, scales):
    quant = Quant(list(scales))
    data = draw.int32(channels, draw.rng.choice((10, 20000, 2000000)))
    return [model.const([channels], "INT32", data, quant)]


def linear(draw, model, weights, out_shape, bias=_bias):
    """Choose the output scale for the accumulators to come, and add the bias."""
    x, x_scale = model.inputs[0], model.builder.subgraphs[0].tensors[0].quant.scale
    filter_tensor, filter_quant, depth, channels = weights
    scales = [f32(x_scale * scale) for scale in filter_quant.scales]
    wanted = max(scales) * TYPICAL * TYPICAL * sqrt(depth) / WANTED * draw.spread()
    inputs = [x, filter_tensor, *bias(draw, model, channels, scales)]
    return inputs, (out_shape, Quant(f32(wanted), draw.zero_point()), "INT8")


def int16_scale(wanted):
    """Return the scale of an int16 output, *wanted* where any activation can have it."""
    return f32(max(wanted, LEAST_SCALE))


def bias_s16(draw, model, channels, types):
    """Return [tensor] or [], and the options that say how wide sums are.

    channels  how many, and the scales of the bias;  types  that it may have
    """
    if draw.odds(0.3):
        kinds = [0, *(TYPES[dtype] for dtype in types)]
        return [], {"quantized_bias_type": draw.rng.choice(kinds)} if len(types) > 1 else {}
    dtype, limit = draw.rng.choice(types), draw.rng.choice((1000, 30000))
    count, scales = channels
    values = [draw.size(-limit, limit) for _ in range(count)]
    codes = {"INT16": "h", "INT32": "i", "INT64": "q"}
    return [model.const([count], dtype, pack(codes[dtype], values), Quant(list(scales)))], {}
