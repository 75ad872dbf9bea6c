"""LOGISTIC and TANH, int8."""

from .. import quantize as q
from ..allocator import tensor_arg
from ..op_resolver import Registration
from ..schema import INT8
from .common import allow_elementwise, require_elements, require_type, scale_of, zero_point_of

_INTEGER_BITS = 4  # of the scaled input


def _prepare(context, node, kernel, output_zero_point):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", INT8)
    require_type(node, output, "output", INT8)
    require_elements(node, output, "output", data.elements)
    node.expect(
        output.zero_point() == output_zero_point,
        "output has zero point %d, %d expected",
        output.zero_point(),
        output_zero_point,
    )
    real = q.shifted(q.from_bits(scale_of(node, data, "input")), 31 - _INTEGER_BITS)
    multiplier, shift = q.quantize_multiplier(real)
    # Beyond 31 the radius is 0: every input saturates and nothing is shifted.
    node.expect(multiplier > 0 and shift >= 0, "input scale %s is too small", data.scale())
    allow_elementwise(context, node)
    context.set_kernel(
        node,
        kernel,
        (tensor_arg(data.index), tensor_arg(output.index)),
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        input_range_radius=q.input_radius(_INTEGER_BITS, shift),
        multiplier=multiplier,
        left_shift=shift,
    )


LOGISTIC = Registration(prepare=lambda c, n: _prepare(c, n, "logistic_s8", -128))
TANH = Registration(prepare=lambda c, n: _prepare(c, n, "tanh_s8", 0))
