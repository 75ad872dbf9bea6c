"""Operators that run subgraphs: their checks at load. tflm/file/control.py runs the subgraphs."""

from ..file.control import called_by, links
from ..schema import BOOL
from .common import operator, require_elements, require_type

RECORDS = {}
KERNELS = ()


def _check_links(node):
    """Raise unless the node's inputs and outputs fit the inputs and outputs of its subgraphs."""
    for tensors, subgraph, is_input, inner in links(node.operator):
        what = "input" if is_input else "output"
        node.expect(
            len(tensors) == len(inner),
            "has %d tensors for the %ss of subgraph %d, which has %d",
            len(tensors),
            what,
            subgraph.index,
            len(inner),
        )
        for i, (outside, inside) in enumerate(zip(tensors, inner)):
            node.expect(outside >= 0, "%s %d of subgraph %d is absent", what, i, subgraph.index)
            _check_pair(node, what, i, node.subgraph.tensor(outside), subgraph.tensor(inside))
            node.expect(
                not (is_input and subgraph.tensor(inside).is_constant),
                "input %d of subgraph %d (tensor %d) is constant",
                i,
                subgraph.index,
                inside,
            )


def _check_pair(node, what, i, outside, inside):
    """Raise unless both tensors have one type and as many bytes, as TFLM requires."""
    node.expect(
        outside.type == inside.type and outside.nbytes == inside.nbytes,
        "tensor %d is %s%s, %s %d of the subgraph (tensor %d) %s%s",
        outside.index,
        outside.type_name,
        outside.shape,
        what,
        i,
        inside.index,
        inside.type_name,
        inside.shape,
    )


def _check_condition(node, condition, what):
    require_type(node, condition, what, BOOL)
    require_elements(node, condition, what, 1)


def _prepare_if(_context, node):
    _check_condition(node, node.required(0), "condition")
    _check_links(node)


def _prepare_while(_context, node):
    count, outputs = len(node.operator.inputs), len(node.operator.outputs)
    node.expect(count == outputs, "has %d inputs, %d outputs", count, outputs)
    _check_links(node)
    for i in range(count):
        shapes = node.input(i).shape, node.output(i).shape
        fits = node.input(i).nbytes == node.output(i).nbytes
        node.expect(fits, "input %d: shape %s becomes %s", i, shapes[0], shapes[1])
    test = node.subgraph.model.subgraphs[called_by(node.operator)[0]]
    node.expect(len(test.outputs) > 0, "subgraph %d, its condition, has no output", test.index)
    _check_condition(node, test.tensor(test.outputs[0]), "condition")


def _prepare_call_once(_context, node):
    _check_links(node)


OPERATORS = (
    operator(
        118,
        _prepare_if,
        "IF",
        version=1,
        options=92,
        fields="then_subgraph:i32 else_subgraph:i32",
        shape="fixed",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        119,
        _prepare_while,
        "WHILE",
        version=1,
        options=93,
        fields="cond_subgraph:i32 body_subgraph:i32",
        shape="fixed",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        129,
        _prepare_call_once,
        "CALL_ONCE",
        version=1,
        options=103,
        fields="init_subgraph:i32",
        shape="fixed",
        rows="all",
        uint8="alike",
        types="none",
        notes="reset() does not run it again",
    ),
)
