"""One of two inputs, by a third: SELECT, SELECT_V2."""

from ..schema import BOOL
from .common import arguments, kernel, operator, require_shape, require_type, set_kernel
from .common_shapes import require_same_type, steps_of

# dims[] holds rank fours: extent of the output, steps in bytes of the three inputs.
RECORDS = {"SELECT": ("element", "rank", "dims[]")}

KERNELS = (
    kernel(
        105, "select", record="SELECT", arguments="bytes which, raw yes, raw no -> bytes output"
    ),
)

_SELECT = 64  # builtin code


def _steps(node, i, shape, element):
    """Return the steps of input *i* along the axes of *shape*: 0 where it repeats itself."""
    tensor = node.input(i)
    lacking = len(shape) - len(tensor.shape)
    fits = lacking >= 0 and all([n in (1, shape[lacking + k]) for k, n in enumerate(tensor.shape)])
    node.expect(fits, "input %d has shape %s, output %s", i, tensor.shape, shape)
    steps = steps_of(tensor.shape, element)
    return [0] * lacking + [0 if n == 1 else s for n, s in zip(tensor.shape, steps)]


def _plain_steps(node, shape, element):
    """Return the steps of the inputs of SELECT, whose condition may have the first axis only."""
    for i in (1, 2):
        require_shape(node, node.input(i), "input %d" % i, shape)
    which = node.input(0).shape
    fits = which in ((), shape, shape[:1])
    node.expect(fits, "condition has shape %s, output %s", which, shape)
    steps = steps_of(shape, element)
    if which == shape:
        return [steps_of(shape, 1), steps, steps]
    first = [1] * len(which) + [0] * (len(shape) - len(which))
    return [first, steps, steps]


def _prepare_select(context, node):
    node.expect_counts(3, 3)
    require_type(node, node.required(0), "condition", BOOL)
    element = require_same_type(node, node.required(1), "input 1")
    require_type(node, node.required(2), "input 2", node.input(1).type)
    shape = node.output(0).shape
    if node.operator.builtin == _SELECT:
        steps = _plain_steps(node, shape, element)
    else:
        steps = [_steps(node, i, shape, 1 if i == 0 else element) for i in range(3)]
    for axis, n in enumerate(shape):
        is_filled = n == 1 or any([step[axis] for step in steps])
        node.expect(is_filled, "output has shape %s, the inputs are broadcast to less", shape)
    dims = []
    for axis in reversed(range(len(shape))):
        here = [step[axis] for step in steps]
        if dims and here == [dims[0] * step for step in dims[1:4]]:
            dims[0] *= shape[axis]
        elif shape[axis] != 1:
            dims[:0] = [shape[axis]] + here
    dims = dims or [1, 0, 0, 0]
    rank = len(dims) // 4
    set_kernel(context, node, "select", arguments(node, 3), element=element, rank=rank, dims=dims)


OPERATORS = (
    operator(
        64,
        _prepare_select,
        "SELECT",
        version=4,
        shape="second",
        rows="all",
        uint8="alike",
        types="any",
        notes="condition of the output's shape, of its first axis, or one",
    ),
    operator(
        123,
        _prepare_select,
        "SELECT_V2",
        version=2,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="any",
        notes="broadcast",
    ),
)
