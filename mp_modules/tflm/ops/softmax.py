"""SOFTMAX, int8 to int8, over the last axis."""

from .. import quantize as q
from ..allocator import tensor_arg
from ..op_resolver import Registration
from ..schema import INT8
from .common import options_of, require_shape, require_type, scale_of

_OPTIONS = 9  # BuiltinOptions
_INTEGER_BITS = 5  # of the scaled difference to the row's maximum
_OUTPUT_SCALE = 0x3B800000  # 1/256
_OUTPUT_ZERO_POINT = -128


def _prepare(context, node):
    node.expect_counts(1, 1)
    options = options_of(node, _OPTIONS)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", INT8)
    require_type(node, output, "output", INT8)
    require_shape(node, output, "output", data.shape)
    node.expect(data.elements > 0, "input has shape %s", data.shape)
    node.expect(
        output.scale_bits() == _OUTPUT_SCALE and output.zero_point() == _OUTPUT_ZERO_POINT,
        "output has scale %s and zero point %d, 1/256 and -128 expected",
        output.scale(),
        output.zero_point(),
    )
    beta = options.u32(0)
    node.expect(q.is_positive_finite(beta), "beta (bits %08x) must be positive", beta)
    real = q.mul(q.from_bits(beta), q.from_bits(scale_of(node, data, "input")), q.DOUBLE)
    real = q.shifted(real, 31 - _INTEGER_BITS)
    limit = (1 << 31) - 1, 0
    multiplier, shift = q.quantize_multiplier(limit if q.less(limit, real) else real)
    node.expect(shift > 0, "beta * input scale is too small: 2**%d", shift - 27)
    depth = data.shape[-1] if data.shape else 1
    context.set_kernel(
        node,
        "softmax_s8",
        (tensor_arg(data.index), tensor_arg(output.index)),
        rows=data.elements // depth,
        depth=depth,
        multiplier=multiplier,
        left_shift=shift,
        diff_min=-q.input_radius(_INTEGER_BITS, shift),
    )


SOFTMAX = Registration(prepare=_prepare)
