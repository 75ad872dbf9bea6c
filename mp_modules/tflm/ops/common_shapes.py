"""Shapes, axes and steps, for families that move elements."""

from ..memory.allocator import tensor_arg
from ..schema import INT4, INT32, INT64, TYPE_SIZES
from .common import require_elements, require_type, set_kernel

_MAX_COMPUTED = 6  # dimensions, in computed.h


def product(extents):
    """Return the product of *extents*, 1 for none."""
    result = 1
    for extent in extents:
        result *= extent
    return result


def element_of(node, tensor, what):
    """Return the bytes of an element; raise where elements have none of their own."""
    size = TYPE_SIZES[tensor.type]
    if size == 0 or tensor.type == INT4:
        named = what, tensor.index, tensor.type_name  # which is slow to find
        node.expect(False, "%s (tensor %d): %s elements cannot be moved", *named)
    return size


def require_same_type(node, tensor, what):
    """Raise unless *tensor* and output 0 have one type; return the bytes of an element."""
    require_type(node, node.output(0), "output", tensor.type)
    return element_of(node, tensor, what)


def axis_of(node, axis, rank):
    """Return *axis* from 0 on; raise unless it is one of *rank*."""
    node.expect(-rank <= axis < rank, "axis %d, there are %d dimensions", axis, rank)
    return axis % rank


def constant_ints(node, i, what, count=None):
    """Return the constant int32 or int64 numbers of input *i*, which is called *what*.

    count  how many there must be
    """
    tensor = node.required(i)
    require_type(node, tensor, what, INT32, INT64)
    node.expect(tensor.data, "%s (tensor %d) is not constant", what, tensor.index)
    if count is not None:
        require_elements(node, tensor, what, count)
    return tensor.int_data()


def is_computed(node, i, rank):
    """Return whether a run computes input *i*; the kernels for that want a *rank* of 1 to 6."""
    if node.required(i).data:
        return False
    data = node.output(0)
    fits = 0 < rank <= _MAX_COMPUTED and data.elements > 0
    node.expect(fits, "output has shape %s, and tensor %d is computed", data.shape, i)
    return True


def steps_of(shape, element):
    """Return the bytes from one element to the next along each axis."""
    steps, step = [], element
    for extent in reversed(shape):
        steps.insert(0, step)
        step *= extent
    return steps


def set_strided(context, node, start, pairs, element, source=0):
    """Let output 0 be taken from input *source*.

    start    bytes from the input's first element to the output's
    pairs    (extent of the output, step of the input in bytes), outermost first
    element  bytes that lie together
    """
    dims = []
    for extent, step in reversed(pairs):
        if not dims and step == element:
            element *= extent
        elif dims and step == dims[0] * dims[1]:
            dims[0] *= extent
        elif extent != 1:
            dims[:0] = (extent, step)
    args = [tensor_arg(node.operator.inputs[source]), tensor_arg(node.operator.outputs[0])]
    if not dims:
        context.allow_overlap(node, source)
        if start == 0:
            set_kernel(context, node, "copy", args, nbytes=element)
            return
    while len(dims) < 4:  # the kernel wants two dimensions
        dims[:0] = (1, 0)
    set_kernel(
        context,
        node,
        "strided",
        args,
        element=element,
        start=start,
        rank=len(dims) // 2,
        dims=dims,
    )
