"""ADD, SUB, MUL, DIV and SQUARED_DIFFERENCE of int32."""

from ..schema import ACTIVATION_NONE
from .common import arguments, set_kernel
from .common_broadcast import broadcast_dims

_INT32_MAX = (1 << 31) - 1
# By fused activation: none, ReLU, ReLU1, ReLU6.
_RANGES = ((-_INT32_MAX - 1, _INT32_MAX), (0, _INT32_MAX), (-1, 1), (0, 6))


def prepare_int32(context, node, kernel, code):
    """Prepare an operator of int32, which wraps. TFLM's ADD ignores the activation."""
    if kernel not in ("mul_s32", "squared_difference_s32"):
        for i in (0, 1):
            count = node.input(i).quantization()[1]
            node.expect(count == 0, "input %d is int32 and has a scale", i)
    if kernel == "add_s32":
        code = ACTIVATION_NONE
    low, high = _RANGES[code]
    rank, dims = broadcast_dims(node)
    set_kernel(
        context,
        node,
        kernel,
        arguments(node, 2),
        activation_min=low,
        activation_max=high,
        rank=rank,
        dims=dims,
    )
