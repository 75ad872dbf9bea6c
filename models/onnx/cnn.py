"""Writes cnn.onnx, a network of four layers with random weights. It needs only onnx."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

rng = np.random.default_rng(1)
shapes = {"w1": (4, 1, 3, 3), "b1": (4,), "w2": (3, 4), "b2": (3,)}
weights = [
    numpy_helper.from_array(rng.uniform(-1, 1, shape).astype("f4"), name)
    for name, shape in shapes.items()
]
nodes = [
    helper.make_node("Conv", ["x", "w1", "b1"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c"], ["r"]),
    helper.make_node("GlobalAveragePool", ["r"], ["g"]),
    helper.make_node("Flatten", ["g"], ["f"]),
    helper.make_node("Gemm", ["f", "w2", "b2"], ["z"], transB=1),
    helper.make_node("Softmax", ["z"], ["y"]),
]
x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 16, 16])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])
graph = helper.make_graph(nodes, "cnn", [x], [y], weights)
net = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(net)
onnx.save(net, "cnn.onnx")
