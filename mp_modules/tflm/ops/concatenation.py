"""CONCATENATION, any type of fixed size: rows of bytes side by side."""

from ..schema import INT8, TYPE_SIZES
from .common import (
    PREPARE,
    arguments,
    options_of,
    require_elements,
    require_type,
    set_kernel,
)

_OPTIONS = 10  # BuiltinOptions


def _check_input(node, i, axis):
    """Raise unless input *i* fits the output in all axes but *axis*."""
    tensor, output = node.required(i), node.output(0)
    require_type(node, tensor, "input %d" % i, output.type)
    rank = len(output.shape)
    same = len(tensor.shape) == rank and all(
        [tensor.shape[a] == output.shape[a] for a in range(rank) if a != axis]
    )
    node.expect(same, "input %d has shape %s, output %s", i, tensor.shape, output.shape)
    node.expect(
        output.type != INT8
        or (
            tensor.scale_bits() == output.scale_bits()
            and tensor.zero_point() == output.zero_point()
        ),
        "input %d (tensor %d) and output differ in scale or zero point",
        i,
        tensor.index,
    )


def _prepare_concatenation(context, node):
    count = len(node.operator.inputs)
    node.expect_counts(1, count)
    options = options_of(node, _OPTIONS)
    node.expect(options.byte(1) == 0, "fused activation %d is not supported", options.byte(1))
    output = node.output(0)
    rank = len(output.shape)
    axis = options.word(0)
    node.expect(-rank <= axis < rank, "axis %d, output has %d dimensions", axis, rank)
    axis %= rank
    element = TYPE_SIZES[output.type]
    node.expect(element > 0, "%s tensors cannot be stored", output.type_name)
    outer = 1
    for extent in output.shape[:axis]:
        outer *= extent
    elements = 0
    sizes = []
    for i in range(count):
        _check_input(node, i, axis)
        elements += node.input(i).elements
        sizes.append(node.input(i).elements // outer * element if outer else 0)
    require_elements(node, output, "output", elements)
    args = arguments(node, count)
    set_kernel(context, node, "concatenation", args, outer=outer, count=count, sizes=sizes)


PREPARE[2] = _prepare_concatenation, 5
