"""Functions of one float32, element by element."""

from .common import (
    allow_elementwise,
    arguments,
    functions_of,
    input_and_output,
    options_of,
    require_elements,
    row_types,
    set_kernel,
)

_FUNCTIONS = functions_of("UNARY_F32")
# builtin code: kernel
_CURVES = {
    47: "exp_f32",
    73: "log_f32",
    66: "sin_f32",
    108: "cos_f32",
    28: "tanh_f32",
    111: "elu_f32",
    14: "logistic_f32",
}
_LEAKY_RELU = 98
_LEAKY_OPTIONS = 75  # BuiltinOptions


def prepare(context, node):
    types = row_types("CEIL", "FLOOR", "NEG", "ROUND", "SQUARE")
    data, output = input_and_output(node, types)
    require_elements(node, output, "output", data.elements)
    allow_elementwise(context, node)
    args, code = arguments(node, 1), node.operator.builtin
    if code in _CURVES:
        set_kernel(context, node, _CURVES[code], args, size=data.elements)
    elif code == _LEAKY_RELU:
        alpha = options_of(node, _LEAKY_OPTIONS).word(0)
        set_kernel(context, node, "leaky_relu_f32", args, size=data.elements, alpha=alpha)
    else:
        function = _FUNCTIONS[code]
        set_kernel(context, node, "unary_f32", args, size=data.elements, function=function)
