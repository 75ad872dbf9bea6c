"""Resource variables, which last as long as the interpreter: see tflm/load/resources.py."""

from ..memory.allocator import resource_arg, tensor_arg
from ..schema import RESOURCE
from .common import operator, require_elements, require_type, row_types, set_kernel

RECORDS = {}
KERNELS = ()


def _prepare_handle(context, node):
    node.expect_counts(0, 0)
    require_type(node, node.output(0), "output", *row_types("VAR_HANDLE"))
    resources = context.resources()
    variable = resource_arg(resources.handles[node.subgraph.index, node.operator.outputs[0]])
    set_kernel(context, node, "copy", [variable, variable], nbytes=0)  # nothing to run


def _variable_of(context, node, value, what):
    """Return (argument of the variable, its bytes); *value*, the tensor *what*, must fit."""
    resources = context.resources()
    handle = node.required(0)
    require_type(node, handle, "handle", RESOURCE)
    require_elements(node, handle, "handle", 1)
    number = resources.number(node.operator)
    nbytes = resources.sizes[number][0]
    node.expect(
        value.nbytes == nbytes,
        "%s (tensor %d) has %d bytes, variable %s has %d",
        what,
        value.index,
        value.nbytes,
        resources.name(number),
        nbytes,
    )
    return resource_arg(number), nbytes


def _prepare_read(context, node):
    node.expect_counts(1, 1)
    variable, nbytes = _variable_of(context, node, node.output(0), "output")
    args = [variable, tensor_arg(node.operator.outputs[0])]
    set_kernel(context, node, "copy", args, nbytes=nbytes)


def _prepare_assign(context, node):
    node.expect_counts(2, 2, 0)
    variable, nbytes = _variable_of(context, node, node.required(1), "value")
    args = [tensor_arg(node.operator.inputs[1]), variable]
    set_kernel(context, node, "copy", args, nbytes=nbytes)


OPERATORS = (
    operator(
        142,
        _prepare_handle,
        "VAR_HANDLE",
        version=1,
        options=111,
        fields="container:string shared_name:string",
        shape="fixed",
        rows="all",
        uint8="alike",
        types="resource",
    ),
    operator(
        143,
        _prepare_read,
        "READ_VARIABLE",
        version=1,
        options=112,
        shape="fixed",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        144,
        _prepare_assign,
        "ASSIGN_VARIABLE",
        version=1,
        options=113,
        shape="fixed",
        rows="all",
        uint8="alike",
        types="any",
    ),
)
