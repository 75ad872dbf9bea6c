"""Two inputs of float32 that broadcast to the output's shape."""

from .common import (
    allow_elementwise,
    arguments,
    float_activation,
    functions_of,
    options_of,
    require_activation,
    require_type,
    row_types,
    set_kernel,
)

_ADD = 0  # builtin code
# builtin code: number of its options in BuiltinOptions, of operators with a fused activation
_OPTIONS = {_ADD: 11, 18: 21, 41: 28, 42: 29}
_FUNCTIONS = functions_of("PAIRS_F32")
_UNBOUNDED = -0x800000, 0x7F800000  # bits of both infinities, as signed words


def prepare(context, node, rank, dims):
    """Prepare *node*, of two inputs; *rank* and *dims* come from broadcast_dims."""
    code = node.operator.builtin
    low, high = _UNBOUNDED
    if code in _OPTIONS:
        activation = options_of(node, _OPTIONS[code]).byte(0)
        low, high = float_activation(require_activation(node, activation))
    types = row_types("POW", "ATAN2")
    for i in (0, 1):
        require_type(node, node.required(i), "input %d" % i, *types)
    require_type(node, node.output(0), "output", *types)
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
