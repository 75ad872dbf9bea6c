"""Functions of one input that TFLM does not have, as in TFLite's reference kernels, in Python.

The functions of float32 are those of this machine's libm. `IS_GLIBC` says whether it is one whose
bits are known: glibc before 2.41, which has another erfcf and tanhf.
Source: tensorflow/lite/kernels/internal/common.h, LUTPopulate; reference/gelu.h.
"""

import ctypes
import ctypes.util
import math
import platform
from functools import cache

import numpy as np

from tflm.model import Model
from tflm.schema import FLOAT32, INT8

LIBRARY, VERSION = platform.libc_ver()
IS_GLIBC = LIBRARY == "glibc" and tuple(map(int, VERSION.split("."))) < (2, 41)
STEPS = 512
F = np.float32


@cache
def _libm(name):
    function = getattr(ctypes.CDLL(ctypes.util.find_library("m")), name)
    function.argtypes, function.restype = (ctypes.c_float,), ctypes.c_float
    return lambda x: F(function(x))


def _gelu(x):
    return F(0.5) * x * _libm("erfcf")(x * F(-math.sqrt(0.5)))


def _gelu_approximately(x):
    cubic = F(0.044715) * x * x * x
    return F(0.5) * x * (F(1) + _libm("tanhf")(F(math.sqrt(2 / math.pi)) * (x + cubic)))


def _round(x):
    if x != x:
        return 0.0  # only wrong models come here
    return math.copysign(math.floor(abs(float(x)) + 0.5), x)


def _function(operator, lowest):
    """Return the function of float32; *lowest* is what LOG is where there is none."""
    name = operator.name
    if name == "GELU":
        return _gelu_approximately if operator.options(116).byte(0) else _gelu
    if name == "LOG":
        return lambda x: _libm("logf")(x) if x > 0 else lowest
    return _libm({"EXP": "expf", "SIN": "sinf", "COS": "cosf"}[name])


def _roots(x, tensors, most):
    """SQRT: numbers *x* of the input; results are cut off."""
    data, output = tensors
    steps = np.maximum(x - data.zero_point(), 0).astype(F)
    found = np.sqrt(steps * F(data.scale())) / F(output.scale())
    return np.clip(found.astype(np.int64) + output.zero_point(), -most - 1, most)


def _of_int8(function, x, data, output):
    inverse = F(1) / F(output.scale())
    table = []
    for number in range(-128, 128):
        y = function(F(data.scale()) * F(number - data.zero_point()))
        table.append(min(max(_round(y * inverse) + output.zero_point(), -128), 127))
    return np.array(table)[x + 128]


def _of_int16(function, x, data, output):
    scale, output_scale = F(data.scale()), F(output.scale())
    first, last = scale * F(-32768), scale * F(32767)
    step = (last - first) / F(STEPS)
    inverse = F(65536) / (output_scale * F(32767) - output_scale * F(-32768))

    def at(place):
        return function(place) * inverse

    table = []
    for i in range(STEPS):
        here = first + F(i) * step
        y = F(_round(at(here)))
        line = F(_round((at(first + F(i + 1) * step) + y) / F(2)))
        middle = F(_round(at(here + step / F(2))))
        table.append(y - F(_round((line - middle) / F(2))))
    table.append(_round(at(last)))
    table = np.clip(table, -32768, 32767).astype(np.int64)
    index, rest = STEPS // 2 + (x >> 7), x & 127
    return table[index] + ((table[index + 1] - table[index]) * rest + 64 >> 7)


def answer(model, inputs):
    """Return the output of the one operator of *model*."""
    graph = Model(model).subgraphs[0]
    operator = graph.operator(0)
    data, output = graph.tensor(operator.inputs[0]), graph.tensor(operator.outputs[0])
    if data.type == FLOAT32:
        function = _function(operator, None)
        return [np.array([function(x) for x in np.frombuffer(inputs[0], "<f4")], "<f4").tobytes()]
    kind, most = ("i1", 127) if data.type == INT8 else ("<i2", 32767)
    x = np.frombuffer(inputs[0], kind).astype(np.int64)
    if operator.name == "SQRT":
        return [_roots(x, (data, output), most).astype(kind).tobytes()]
    function = _function(operator, F(-most - 1 - output.zero_point()) * F(output.scale()))
    compute = _of_int8 if data.type == INT8 else _of_int16
    return [compute(function, x, data, output).astype(kind).tobytes()]
