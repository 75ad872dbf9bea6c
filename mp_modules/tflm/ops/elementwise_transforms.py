"""EXP, LOG, SQRT, SIN, COS and GELU of int8 and int16; GELU of float32."""

from ..memory.allocator import scratch_arg
from ..schema import FLOAT32, INT16
from .common import (
    allow_elementwise,
    arguments,
    functions_of,
    input_and_output,
    options_of,
    require_elements,
    row_types,
    scale_of,
    set_kernel,
    signed_zero_point,
)

_FUNCTIONS = functions_of("TRANSFORM")
_GELU = 150  # builtin codes
_SQRT = 75
_GELU_OPTIONS = 116  # BuiltinOptions
_TABLE = 513  # entries of int16


def prepare(context, node):
    code = node.operator.builtin
    data, output = input_and_output(node, row_types("EXP", "LOG", "SQRT", "SIN", "COS", "GELU"))
    require_elements(node, output, "output", data.elements)
    allow_elementwise(context, node)
    args, function = arguments(node, 1), _FUNCTIONS[code]
    if code == _GELU:
        is_approximate = int(options_of(node, _GELU_OPTIONS).byte(0) != 0)
        if data.type == FLOAT32:
            size = data.elements
            set_kernel(context, node, "gelu_f32", args, size=size, is_approximate=is_approximate)
            return
        function += is_approximate
    kernel = "transform_s8"
    if data.type == INT16:
        kernel = "transform_s16"
        nbytes = 2 if code == _SQRT else 2 * _TABLE
        args.append(scratch_arg(context.request_scratch_buffer(node, nbytes)))
    set_kernel(
        context,
        node,
        kernel,
        args,
        size=data.elements,
        function=function,
        input_zero_point=signed_zero_point(node, data, "input"),
        output_zero_point=signed_zero_point(node, output, "output"),
        input_scale=scale_of(node, data, "input"),
        output_scale=scale_of(node, output, "output"),
    )
