"""Runs on the target: what it costs to set, read and compare the elements of a tensor."""

from array import array

from tflm.run.tensor import Tensor

INT8 = 9


class Info:
    """Stands for the model of a Tensor."""

    name = "bench"
    index = 0

    def __init__(self, elements):
        self.type = INT8
        self.shape = (1, elements)
        self.elements = self.nbytes = elements

    def scales(self):
        return (0.0078125,)

    def zero_point(self):
        return -1

    def _runs(self):
        """The number of runs that the interpreter has begun; this class stands for it, too."""
        return 0


def calls(tensor, elements):
    """Yield (called name, kind of values, function without arguments)."""
    data = bytes([i & 255 for i in range(elements)])
    yield "quantize", "bytes", lambda: tensor.quantize(data)
    pixels = array("B", data)
    yield "quantize", "array B", lambda: tensor.quantize(pixels)
    samples = array("h", [i % 500 - 250 for i in range(elements)])
    yield "quantize", "array h", lambda: tensor.quantize(samples)
    reals = array("f", [(i & 255) / 127 - 1 for i in range(elements)])
    yield "quantize", "array f", lambda: tensor.quantize(reals)
    yield "dequantize", "array f", lambda: tensor.dequantize(reals)
    yield "dequantize", "list", tensor.dequantize
    yield "argmax", "", tensor.argmax
    yield "assign", "bytes", lambda: tensor.assign(data)
    signed = array("b", [(i & 255) - 128 for i in range(elements)])
    yield "assign", "array b", lambda: tensor.assign(signed)
    yield "==", "array b", lambda: tensor == signed
    integers = list(signed)
    yield "assign", "list of int", lambda: tensor.assign(integers)
    yield "==", "list of int", lambda: tensor == integers
    yield "quantize", "list of int", lambda: tensor.quantize(integers)
    yield "slice", "list", lambda: tensor[:]
    integers = signed = None
    numbers = list(reals)
    yield "quantize", "list of float", lambda: tensor.quantize(numbers)


def bench(elements, count, nothing):
    """Print a line for each of calls(): its names and the result of count(function)."""
    info = Info(elements)
    tensor = Tensor(info, memoryview(bytearray(elements)), info)
    for call, values, function in calls(tensor, elements):
        function()
        print(call, values, count(function) - count(nothing), sep=",")
