"""FULLY_CONNECTED: int8 with a per-tensor or per-channel filter, and float32."""

from .. import quantize as q
from ..allocator import model_arg, tensor_arg
from ..layout import ABSENT
from ..op_resolver import Registration
from ..schema import FLOAT32, INT8
from .common import (
    INT8_MAX,
    INT8_MIN,
    check_bias,
    float_activation,
    is_float,
    multiplier_of,
    options_of,
    require_activation,
    require_elements,
    require_type,
    scale_of,
    zero_point_of,
)
from .conv import filter_scales

_OPTIONS = 8  # BuiltinOptions


def _prepare(context, node):
    node.expect_counts(2, 3)
    options = options_of(node, _OPTIONS)
    node.expect(options.byte(1) == 0, "weights format %d is not supported", options.byte(1))
    activation = require_activation(node, options.byte(0))
    data, weights, output = node.required(0), node.required(1), node.output(0)
    node.expect(
        len(weights.shape) >= 2 and weights.elements > 0,
        "filter (tensor %d) has shape %s",
        weights.index,
        weights.shape,
    )
    depth, out_depth = weights.shape[-1], weights.shape[-2]
    node.expect(weights.elements == depth * out_depth, "filter has shape %s", weights.shape)
    batches = output.elements // out_depth
    require_elements(node, output, "output", batches * out_depth)
    require_elements(node, data, "input", batches * depth)
    shape = {"batches": batches, "input_depth": depth, "output_depth": out_depth}
    if is_float(node):
        _prepare_float(context, node, shape, activation)
    else:
        _prepare_int8(context, node, shape, activation)


def _args(node, scale_pos=None):
    inputs = node.operator.inputs
    bias = inputs[2] if len(inputs) > 2 else -1
    args = [tensor_arg(inputs[0]), tensor_arg(inputs[1]), tensor_arg(bias)]
    if scale_pos is not None:
        args.append(model_arg(scale_pos))
    if not is_float(node):
        args.append(ABSENT)  # constants: made when the kernel runs
    args.append(tensor_arg(node.operator.outputs[0]))
    return args


def _prepare_float(context, node, shape, activation):
    require_type(node, node.input(1), "filter", FLOAT32)
    bias = node.input(2)
    if bias is not None:
        require_type(node, bias, "bias", FLOAT32)
        require_elements(node, bias, "bias", shape["output_depth"])
    low, high = float_activation(activation)
    context.set_kernel(
        node, "fully_connected_f32", _args(node), activation_min=low, activation_max=high, **shape
    )


def _prepare_int8(context, node, shape, activation):
    data, weights, output = node.input(0), node.input(1), node.output(0)
    require_type(node, weights, "filter", INT8)
    check_bias(node, node.input(2), shape["output_depth"])
    scale_of(node, data, "input")
    output_scale = scale_of(node, output, "output")
    output_offset = zero_point_of(node, output, "output")
    low, high = q.activation_range(INT8_MIN, INT8_MAX, activation, output_scale, output_offset)
    common = {
        "input_offset": -zero_point_of(node, data, "input"),
        "output_offset": output_offset,
        "activation_min": low,
        "activation_max": high,
    }
    common.update(shape)
    if weights.quantization()[1] > 1:
        bits = data.scale_bits(), output_scale
        scales, _ = filter_scales(node, weights, shape["output_depth"], bits)
        context.set_kernel(
            node,
            "fully_connected_per_channel_s8",
            _args(node, scales),
            input_scale=bits[0],
            output_scale=output_scale,
            **common,
        )
        return
    multiplier, shift = _multiplier(node, data, weights, output)
    context.set_kernel(
        node,
        "fully_connected_s8",
        _args(node),
        filter_offset=-zero_point_of(node, weights, "filter"),
        multiplier=multiplier,
        shift=shift,
        **common,
    )


def _multiplier(node, data, weights, output):
    """Return (multiplier, shift): of input scale * filter scale / output scale."""
    bits = weights.scale_bits()
    node.expect(0 <= bits < 0x7F800000, "filter (tensor %d) has a bad scale", weights.index)
    scale = q.from_bits(bits)
    product = q.mul(q.from_bits(data.scale_bits()), scale, q.DOUBLE)
    output_scale = q.from_bits(output.scale_bits())
    bias = node.input(2)
    if bias is not None:
        _check_bias_scale(node, product, q.from_bits(bias.scale_bits()), output_scale)
    return multiplier_of(node, q.div(product, output_scale, q.DOUBLE))


def _check_bias_scale(node, product, bias_scale, output_scale):
    """Raise unless |product - bias_scale| <= 0.02 * output_scale."""
    e = min(product[1], bias_scale[1])
    difference = abs((product[0] << (product[1] - e)) - (bias_scale[0] << (bias_scale[1] - e)))
    node.expect(
        not q.less(output_scale, (difference * 50, e)),
        "the scale of the bias (tensor %d) is not input scale * filter scale",
        node.input(2).index,
    )


FULLY_CONNECTED = Registration(prepare=_prepare)
