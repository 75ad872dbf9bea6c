"""Models whose ARG_MAX and ARG_MIN give int64, TensorFlow's default, with int32 in its place.

The results are equal numbers. TFLM's operators give only int32.
"""

from tflm.base.errors import ModelError
from tflm.schema import INT32, INT64

from . import flatfile
from .flatfile import Scalars, code_of

ARG_MAX, ARG_MIN, CAST = 56, 79, 53
OPTIONS = {ARG_MAX: 40, ARG_MIN: 57, CAST: 37}  # tables whose first field is a type


def narrowed(data):
    """Return the model *data* with int32 for all int64 places; as it is where there are none.

    Raises ModelError where another operator than CAST reads them.
    """
    root = flatfile.read(data)
    found = False
    for graph in root.subgraphs:
        for operator in graph.operators:
            if code_of(root, operator) not in (ARG_MAX, ARG_MIN):
                continue
            output = graph.tensors[operator.outputs[0]]
            if (output.type or 0) == INT64:
                found = True
                _narrow(root, graph, operator)
    return flatfile.write(root) if found else data


def _narrow(root, graph, operator):
    (index,) = operator.outputs
    graph.tensors[index].type = INT32
    _set_type(root, operator)
    for number, reader in enumerate(graph.operators):
        if index not in reader.inputs:
            continue
        if code_of(root, reader) != CAST:
            name = (graph.tensors[index].name or b"").decode(errors="replace")
            message = f"node {number} reads tensor {index} ({name}) as int64, which TFLM lacks"
            raise ModelError(message + ": cast the result of tf.argmax to int32")
        _set_type(root, reader)


def _set_type(root, operator):
    """Let the first field of the operator's options name int32."""
    values = dict(operator.options.values) if operator.options else {}
    values[0] = ("u8", INT32)
    operator.options_type = OPTIONS[code_of(root, operator)]
    operator.options = Scalars(max(values) + 1, values)
