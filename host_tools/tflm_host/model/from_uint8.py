"""Makes int8 models of TensorFlow 1's uint8 models: every byte 128 lower, for equal results.

Types, zero points and constants change. So do operators that TFLM's int8 kernels compute in
another way: filters (see uint8_filters), means of an even number of elements, which round halves
by their sign, and RESIZE_BILINEAR. TFLite computes that of uint8 in float32, TFLM of int8 with ten
bits of a position.
"""

import numpy as np

from tflm.base.errors import ModelError
from tflm.ops.collect import rows
from tflm.schema import FLOAT32, INT32, OP_CUSTOM, UINT8

from . import flatfile
from .flatfile import Table, code_of
from .uint8_editor import SHIFT, VALID, Editor, scalars, set_options
from .uint8_filters import FILTERS, add_filter

AVERAGE_POOL, DEPTHWISE, DEQUANTIZE = 1, 4, 6
ADD, FLOOR, RESHAPE, RESIZE_BILINEAR, QUANTIZE = 0, 8, 22, 23, 114
DETECTION = b"TFLite_Detection_PostProcess"
# Values of the column uint8 of operators that stay as they are: they move elements, take one of
# two, or have one formula for both types in TFLite's sources. TFLM looks at the input's scale only
# for "one_scale". LiteRT's reference kernels computed uint8_golden.txt of the tests.
KNOWN = ("alike", "one_scale")
WEIGHT = 64  # of a mean: the first of TFLM's two roundings is exact


def has_uint8(data):
    """Return whether *data*, a model, has an operator that reads or writes uint8."""
    root = flatfile.read(data)
    editors = [Editor(root, graph, number) for number, graph in enumerate(root.subgraphs)]
    return any(e.has_uint8(operator) for e in editors for operator in e.graph.operators)


def to_int8(data):
    """Return the int8 model of the uint8 model *data*; raise ModelError over what hinders."""
    root = flatfile.read(data)
    found = False
    for number, graph in enumerate(root.subgraphs):
        editor = Editor(root, graph, number)
        for index, operator in enumerate(graph.operators):
            code = code_of(root, operator)
            if not editor.has_uint8(operator):
                editor.operators.append(operator)
                continue
            found = True
            if code in FILTERS:
                add_filter(editor, index, operator, code)
            else:
                _add(editor, index, operator, code)
        graph.operators = editor.operators
        found |= editor.convert_tensors()
    if not found:
        missing = "no uint8, no sparse tensor, no ARG_MAX of int64, no loop that writes a list"
        missing += ", no shapes that disagree, no operator that others can replace"
        raise ModelError(f"nothing to convert: {missing}")
    flatfile.empty_unused_buffers(root)
    return flatfile.write(root)


def _add(editor, index, operator, code):
    """Add *operator*, which has no filter."""
    if code == AVERAGE_POOL:
        _add_average(editor, index, operator)
        return
    if code == RESIZE_BILINEAR:
        _add_bilinear(editor, operator)
        return
    if code == OP_CUSTOM and editor.custom_code(operator) == DETECTION:
        _add_detection(editor, operator)
        return
    output = operator.outputs[0] if operator.outputs else -1
    row = rows().operators.get(code)
    kind = row.uint8 if row else "no"
    editor.expect(kind in KNOWN, index, output, "int8 is computed in another way")
    for i in operator.inputs if kind == "one_scale" else ():
        same = editor.quant(i) == editor.quant(output)
        editor.expect(same, index, i, "scale or zero point is not the output's")
    editor.operators.append(operator)


def _add_detection(editor, operator):
    """Add a TFLite_Detection_PostProcess, whose inputs TFLM takes only as float32."""
    for place, index in enumerate(operator.inputs):
        tensor = editor.tensor(index)
        if (tensor.type or 0) != UINT8:
            continue
        data = editor.data(index)
        if data:
            scale, zero_point = editor.quant(index)
            steps = np.frombuffer(data, np.uint8).astype(np.float32) - zero_point
            data = (steps * np.float32(scale)).astype("<f4").tobytes()
        wide = editor.add_tensor(tensor.shape, None, data or None, dtype=FLOAT32)
        if not data:
            editor.add(DEQUANTIZE, Table("Operator", inputs=[index], outputs=[wide]))
        operator.inputs[place] = wide
    editor.operators.append(operator)


def _add_bilinear(editor, operator):
    """Add a RESIZE_BILINEAR of float32, which TFLite's reference kernel computes of uint8, too.

    It reads the bytes themselves, whatever they stand for, and cuts off what is behind the point
    of each result plus a half. Hence the RESHAPEs, to a scale of 1 and from it.
    """
    source, output = operator.inputs[0], operator.outputs[0]
    shapes = [editor.tensor(i).shape for i in (source, output)]

    def floats(shape):
        return editor.add_tensor(shape, None, dtype=FLOAT32)

    def constant(values, dtype, kind):
        return editor.add_tensor([len(values)], None, np.array(values, kind).tobytes(), dtype)

    raw, made = [
        editor.add_tensor(shape, Table("Quantization", scale=[1.0], zero_point=[-SHIFT]))
        for shape in shapes
    ]
    wide, resized, raised, whole = [floats(shapes[i]) for i in (0, 1, 1, 1)]
    operator.inputs[0], operator.outputs[0] = wide, resized
    half, sizes = constant([0.5], FLOAT32, "<f4"), [constant(s, INT32, "<i4") for s in shapes]
    editor.add(RESHAPE, Table("Operator", inputs=[source, sizes[0]], outputs=[raw]))
    editor.add(DEQUANTIZE, Table("Operator", inputs=[raw], outputs=[wide]))
    editor.operators.append(operator)
    raising = Table("Operator", inputs=[resized, half], outputs=[raised])
    set_options(raising, 11, {0: 0})
    editor.add(ADD, raising)
    editor.add(FLOOR, Table("Operator", inputs=[raised], outputs=[whole]))
    editor.add(QUANTIZE, Table("Operator", inputs=[whole], outputs=[made]))
    editor.add(RESHAPE, Table("Operator", inputs=[made, sizes[1]], outputs=[output]))


def _add_average(editor, index, operator):
    """Add an AVERAGE_POOL_2D; where its windows are even, a DEPTHWISE_CONV_2D of equal weights.

    The sums are positive there if the zero point is 0, and then halves are rounded up, too.
    """
    source, output = operator.inputs[0], operator.outputs[0]
    padding, stride_w, stride_h, width, height, activation = scalars(operator, range(6))
    shapes = [editor.tensor(i).shape for i in (source, output)]
    clipped = any(
        (out - 1) * stride + size > full
        for full, out, stride, size in zip(
            shapes[0][1:3], shapes[1][1:3], (stride_h, stride_w), (height, width), strict=True
        )
    )
    count = height * width
    if count == 1 or (count % 2 and not clipped):
        editor.operators.append(operator)
        return
    editor.expect(not clipped, index, source, "windows of different sizes round in another way")
    zero_point = editor.quant(source)[1]
    editor.expect(zero_point == 0, index, source, "zero point is %d, 0 expected", zero_point)
    channels = shapes[0][3]
    quant = Table("Quantization", scale=[float(np.float32(1 / (WEIGHT * count)))], zero_point=[0])
    data = bytes([WEIGHT]) * (count * channels)
    filter_ = editor.add_tensor([1, height, width, channels], quant, data)
    operator.inputs = [source, filter_]
    options = {0: VALID, 1: stride_w, 2: stride_h, 3: 1, 4: activation, 5: 1, 6: 1}
    set_options(operator, 2, options)
    editor.add(DEPTHWISE, operator)
