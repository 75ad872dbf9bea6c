"""Widens constants in the file that a kernel would widen at each run: int4 filters, float16
constants, int8 filters of float32 operators. Each function changes a flatfile and tells whether it
found any.
"""

from collections import Counter
from math import prod

import numpy as np

from tflm.base.errors import ModelError
from tflm.model import Model
from tflm.schema import FLOAT16, FLOAT32, INT4, INT8

from . import flatfile
from .flatfile import Table, code_of, empty_unused_buffers

LINEAR = {3: 0, 4: 3, 9: 0}  # builtin codes of operators with filters: axis of their channels
DEQUANTIZE, RESHAPE = 6, 22
FILTER = 1


def for_oracle(data, model=None):
    """Return the model *data* with constants of float32 where TFLM has no kernels for others.

    model  a Model of *data*, if there is one
    """
    try:
        model = model or Model(data, prepared=False)
        types = {
            graph.tensor(i).type for graph in model.subgraphs for i in range(graph.tensor_count)
        }
        if FLOAT16 not in types and not {FLOAT32, INT8} <= types:
            return data
        root = flatfile.read(model.buf)
        found = [fold_float16(root, _add_copy), widen_filters(root)]
    except ModelError:  # whatever it is, TFLM may run it
        return data
    return flatfile.write(root) if any(found) else data


def unpack_int4(root):
    """Give the filters of int4 a byte for each value."""
    found = False
    for graph in root.subgraphs:
        for operator, filter_ in _filters(root, graph):
            data = _constant(root, filter_, INT4)
            if data is not None and graph.tensors[operator.inputs[0]].type == INT8:
                packed = np.frombuffer(data, np.uint8)
                halves = np.stack([packed & 15, packed >> 4], axis=1).reshape(-1)
                values = ((halves ^ 8).astype(np.int8) - 8)[: prod(filter_.shape)]
                _replace(root, filter_, INT8, values.astype(np.int8).tobytes())
                found = True
    return _swept(root, found)


def fold_float16(root, copy=None):
    """Take out each DEQUANTIZE of a float16 constant; its output becomes a constant.

    copy  called with root, graph and operator if the output is an output of the graph, to copy the
          constant there. With None the operator stays
    """
    found = False
    for graph in root.subgraphs:
        kept = []
        for operator in graph.operators:
            data = None
            if code_of(root, operator) == DEQUANTIZE:
                source, output = (graph.tensors[i[0]] for i in (operator.inputs, operator.outputs))
                data = _constant(root, source, FLOAT16)
            is_output = data is not None and operator.outputs[0] in graph.outputs
            is_kept = data is None or output.shape != source.shape or output.is_variable
            if is_kept or (is_output and copy is None):
                kept.append(operator)
                continue
            values = np.frombuffer(data, "<f2", prod(source.shape)).astype("<f4")
            if is_output:
                output = copy(root, graph, operator)
                kept.append(operator)
            _replace(root, output, FLOAT32, values.tobytes())
            found = True
        graph.operators = kept
    return _swept(root, found)


def _add_copy(root, graph, operator):
    """Make a RESHAPE of *operator*; return its new input."""
    root.operator_codes.append(Table("OperatorCode", deprecated_builtin=RESHAPE, builtin=RESHAPE))
    shape = graph.tensors[operator.outputs[0]].shape
    graph.tensors.append(Table("Tensor", shape=list(shape), name=b"constant"))
    operator.opcode = len(root.operator_codes) - 1
    operator.inputs = [len(graph.tensors) - 1]
    operator.options_type = operator.options = None
    return graph.tensors[-1]


def widen_filters(root):
    """Make float32 of the int8 filters of float32 operators."""
    found = False
    for graph in root.subgraphs:
        for operator, filter_ in _filters(root, graph):
            data = _constant(root, filter_, INT8)
            if data is None or (graph.tensors[operator.inputs[0]].type or 0) != FLOAT32:
                continue
            values = np.frombuffer(data, np.int8, prod(filter_.shape)).reshape(filter_.shape)
            scales = np.array(filter_.quantization.scale, "<f4")
            if len(scales) > 1:
                axis = LINEAR[code_of(root, operator)]
                scales = scales.reshape([-1 if i == axis else 1 for i in range(values.ndim)])
            _replace(root, filter_, FLOAT32, (values.astype("<f4") * scales).tobytes())
            filter_.quantization = None
            found = True
    return _swept(root, found)


def _filters(root, graph):
    """Yield each operator that has a filter, and the filter's tensor, which is only that."""
    uses = Counter(i for operator in graph.operators for i in operator.inputs)
    uses.update(graph.outputs)
    linear = [
        operator
        for operator in graph.operators
        if code_of(root, operator) in LINEAR and len(operator.inputs) > FILTER
    ]
    as_filters = Counter(operator.inputs[FILTER] for operator in linear)
    for operator in linear:
        index = operator.inputs[FILTER]
        if uses[index] == as_filters[index]:
            yield operator, graph.tensors[index]


def _constant(root, tensor, dtype):
    """Return the bytes of *tensor* where it is a constant of *dtype*, else None."""
    data = root.buffers[tensor.buffer or 0].data
    return data if data and (tensor.type or 0) == dtype else None


def _replace(root, tensor, dtype, data):
    root.buffers.append(Table("Buffer", data=data))
    tensor.buffer, tensor.type = len(root.buffers) - 1, dtype


def _swept(root, found):
    """If *found*, empty the buffers that nothing uses any more. Return *found*."""
    if found:
        empty_unused_buffers(root)
    return found
