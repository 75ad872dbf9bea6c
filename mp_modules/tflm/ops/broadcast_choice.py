"""MAXIMUM, MINIMUM, LOGICAL_OR and LOGICAL_AND but of float32."""

from ..schema import BOOL, INT8, INT16, INT32, INT64
from .common import allow_elementwise, arguments, require_type, row_types, set_kernel
from .common_broadcast import broadcast_dims

_MAXIMUM = 55  # builtin codes
_LOGICAL_OR = 84


def prepare(context, node, is_logic):
    """Prepare a choice: elements as they are, whatever their scales.

    Of bytes that are 0 or 1, LOGICAL_OR is the larger one and LOGICAL_AND the smaller one.
    """
    first = node.required(0)
    types = row_types("MAXIMUM", "MINIMUM")
    if is_logic:
        types = row_types("LOGICAL_OR", "LOGICAL_AND")
    require_type(node, first, "input 0", *types)
    require_type(node, node.required(1), "input 1", first.type)
    require_type(node, node.output(0), "output", first.type)
    allow_elementwise(context, node)
    rank, dims = broadcast_dims(node)
    is_minimum = node.operator.builtin not in (_MAXIMUM, _LOGICAL_OR)
    args = arguments(node, 2)
    if first.type in (INT8, BOOL):
        kernel = "minimum_s8" if is_minimum else "maximum_s8"
        set_kernel(context, node, kernel, args, rank=rank, dims=dims)
        return
    set_kernel(
        context,
        node,
        "extreme",
        args,
        nbytes={INT16: 2, INT32: 4, INT64: 8}[first.type],
        is_minimum=int(is_minimum),
        rank=rank,
        dims=dims,
    )
