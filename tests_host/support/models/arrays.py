"""What the operator of a model of one operator reads, as arrays of numpy."""

import numpy as np

from tflm.model import Model
from tflm_host.model.tensor_io import NUMPY_TYPES


def arrays_of(model, inputs):
    """Return ([array of each input of the operator], the operator).

    inputs  bytes of each graph input. Constants come from the file
    """
    graph = Model(model).subgraphs[0]
    (operator,) = graph.operators()
    given = dict(zip(graph.inputs, inputs, strict=True))
    arrays = []
    for i in operator.inputs:
        tensor = graph.tensor(i)
        data = given[i] if i in given else model[tensor.data : tensor.data + tensor.nbytes]
        arrays.append(np.frombuffer(data, NUMPY_TYPES[tensor.type_name]).reshape(tensor.shape))
    return arrays, operator


def output_of(operator):
    """Return the tensor that *operator* writes, and its type of numpy."""
    tensor = operator.subgraph.tensor(operator.outputs[0])
    return tensor, NUMPY_TYPES[tensor.type_name]
