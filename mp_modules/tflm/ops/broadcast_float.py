"""Two inputs of float32 that broadcast to the output's shape."""

from ..schema import FLOAT32
from .common import (
    allow_elementwise,
    arguments,
    float_activation,
    options_of,
    require_activation,
    require_type,
    set_kernel,
)

_ADD = 0  # builtin code
# builtin code: number of its options in BuiltinOptions, of operators with a fused activation
_OPTIONS = {_ADD: 11, 18: 21, 41: 28, 42: 29}
# builtin code: number of the function in broadcast_f32.c
_FUNCTIONS = {
    41: 0,  # SUB
    18: 1,  # MUL
    42: 2,  # DIV
    99: 3,  # SQUARED_DIFFERENCE
    55: 4,  # MAXIMUM
    57: 5,  # MINIMUM
    54: 6,  # PRELU
    90: 7,  # FLOOR_DIV
    95: 8,  # FLOOR_MOD
    78: 9,  # POW
}
_UNBOUNDED = -0x800000, 0x7F800000  # bits of both infinities, as signed words


def prepare(context, node, rank, dims):
    """Prepare *node*, of two inputs; *rank* and *dims* are what broadcast_dims returned."""
    code = node.operator.builtin
    low, high = _UNBOUNDED
    if code in _OPTIONS:
        activation = options_of(node, _OPTIONS[code]).byte(0)
        low, high = float_activation(require_activation(node, activation))
    for i in (0, 1):
        require_type(node, node.required(i), "input %d" % i, FLOAT32)
    require_type(node, node.output(0), "output", FLOAT32)
    allow_elementwise(context, node)
    if code == _ADD:
        set_kernel(
            context,
            node,
            "add_f32",
            arguments(node, 2),
            activation_min=low,
            activation_max=high,
            rank=rank,
            dims=dims,
        )
        return
    set_kernel(
        context,
        node,
        "pairs_f32",
        arguments(node, 2),
        function=_FUNCTIONS[code],
        activation_min=low,
        activation_max=high,
        rank=rank,
        dims=dims,
    )
