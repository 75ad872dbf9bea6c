"""ADD, SUB and MUL with broadcasting: int8, and ADD in float32."""

from .. import quantize as q
from ..allocator import tensor_arg
from ..op_resolver import Registration
from ..schema import FLOAT32, INT8
from .common import (
    INT8_MAX,
    INT8_MIN,
    allow_elementwise,
    float_activation,
    multiplier_of,
    options_of,
    require_activation,
    require_type,
    scale_of,
    zero_point_of,
)

_ADD_OPTIONS = 11  # BuiltinOptions
_MUL_OPTIONS = 21
_SUB_OPTIONS = 28
_LEFT_SHIFT = 20  # headroom of the int8 sum, in bits


def broadcast_dims(node):
    """Return (rank, triples): extent and both inputs' steps, with neighbouring axes merged.

    Raises ModelError unless the output has the broadcast shape of the inputs.
    """
    shapes = node.required(0).shape, node.required(1).shape
    output = node.output(0).shape
    rank = len(output)
    fits = len(shapes[0]) <= rank and len(shapes[1]) <= rank
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    if fits:
        for a, b, extent in zip(padded[0], padded[1], output):
            fits = fits and extent == max(a, b) and min(a, b) in (1, extent)
    node.expect(fits, "shapes %s and %s do not broadcast to %s", shapes[0], shapes[1], output)
    return _merge(output, padded)


def _merge(output, padded):
    """Return (rank, triples) with innermost steps first merged as far as both inputs allow."""
    dims = []  # innermost first: [extent, step1, step2]
    sizes = [1, 1]  # elements of each input below the present axis
    for axis in range(len(output) - 1, -1, -1):
        extent = output[axis]
        if extent == 1:
            continue
        steps = [sizes[i] if padded[i][axis] > 1 else 0 for i in (0, 1)]
        inner = dims[-1] if dims else None
        if inner and all([steps[i] == inner[i + 1] * inner[0] for i in (0, 1)]):
            inner[0] *= extent
        else:
            dims.append([extent] + steps)
        for i in (0, 1):
            sizes[i] *= padded[i][axis]
    if not dims:
        dims.append([1, 0, 0])
    triples = []
    for dim in reversed(dims):
        triples.extend(dim)
    return len(dims), triples


def _args(node):
    inputs = node.operator.inputs
    return tensor_arg(inputs[0]), tensor_arg(inputs[1]), tensor_arg(node.operator.outputs[0])


def _check(context, node, options_type, *types):
    """Check types, let the output lie over inputs; return (options, is the operator float32)."""
    node.expect_counts(2, 2)
    options = options_of(node, options_type)
    first = node.required(0)
    require_type(node, first, "input 0", *types)
    require_type(node, node.required(1), "input 1", first.type)
    require_type(node, node.output(0), "output", first.type)
    allow_elementwise(context, node)
    return options, first.type == FLOAT32


def _scales(node):
    """Return the scales of input 0, input 1 and output."""
    tensors = (node.input(0), "input 0"), (node.input(1), "input 1"), (node.output(0), "output")
    return [q.from_bits(scale_of(node, t, what)) for t, what in tensors]


def _quantized(node, code):
    """Return the parameters that all int8 operators here share."""
    output = node.output(0)
    zero_point = zero_point_of(node, output, "output")
    scale = scale_of(node, output, "output")
    low, high = q.activation_range(INT8_MIN, INT8_MAX, code, scale, zero_point)
    rank, dims = broadcast_dims(node)
    return {
        "input1_offset": -zero_point_of(node, node.input(0), "input 0"),
        "input2_offset": -zero_point_of(node, node.input(1), "input 1"),
        "output_offset": zero_point,
        "activation_min": low,
        "activation_max": high,
        "rank": rank,
        "dims[]": dims,
    }


def _prepare_float(context, node, code):
    low, high = float_activation(code)
    rank, dims = broadcast_dims(node)
    params = {"activation_min": low, "activation_max": high, "rank": rank, "dims[]": dims}
    context.set_kernel(node, "add_f32", _args(node), **params)


def _prepare_sum(context, node, kernel):
    """Prepare ADD or SUB."""
    is_add = kernel == "add_s8"
    types = (INT8, FLOAT32) if is_add else (INT8,)
    options, is_float = _check(context, node, _ADD_OPTIONS if is_add else _SUB_OPTIONS, *types)
    code = require_activation(node, options.byte(0))
    if is_float:
        _prepare_float(context, node, code)
        return
    scale1, scale2, output_scale = _scales(node)
    twice = q.shifted(scale2 if q.less(scale1, scale2) else scale1, 1)
    params = _quantized(node, code)
    reals = (
        ("input1", q.div(scale1, twice, q.DOUBLE)),
        ("input2", q.div(scale2, twice, q.DOUBLE)),
        ("output", q.div(twice, q.shifted(output_scale, _LEFT_SHIFT), q.DOUBLE)),
    )
    for name, real in reals:
        multiplier, shift = multiplier_of(node, real)
        node.expect(
            shift <= 0, "the %s multiplier is not below 1: the scales differ too much", name
        )
        params[name + "_multiplier"] = multiplier
        params[name + "_shift"] = shift
    context.set_kernel(node, kernel, _args(node), left_shift=_LEFT_SHIFT, **params)


def _prepare_mul(context, node):
    options, _ = _check(context, node, _MUL_OPTIONS, INT8)
    scale1, scale2, output_scale = _scales(node)
    product = q.mul(scale1, scale2, q.DOUBLE)
    multiplier, shift = multiplier_of(node, q.div(product, output_scale, q.DOUBLE))
    params = _quantized(node, require_activation(node, options.byte(0)))
    context.set_kernel(node, "mul_s8", _args(node), multiplier=multiplier, shift=shift, **params)


ADD = Registration(prepare=lambda c, n: _prepare_sum(c, n, "add_s8"))
SUB = Registration(prepare=lambda c, n: _prepare_sum(c, n, "sub_s8"))
MUL = Registration(prepare=_prepare_mul)
