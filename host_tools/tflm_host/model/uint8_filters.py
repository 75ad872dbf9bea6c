"""Filters of uint8 as int8 ones: TFLM's convolutions of int8 know no zero point of a filter.

If all values minus the zero point fit into int8, they are the filter. Otherwise a convolution of
1x1 becomes a FULLY_CONNECTED, whose filters have a zero point. All others read their input twice,
with a filter for the part that fits and one for the rest. The sums are equal.
"""

import numpy as np

from .flatfile import Table
from .uint8_editor import SHIFT, VALID, scalars, set_options

CONCATENATION, CONV, DEPTHWISE, DENSE, RESHAPE, DECONV = 2, 3, 4, 9, 22, 67
FILTERS = (CONV, DEPTHWISE, DENSE, DECONV)
LOW, HIGH = -128, 127
ABSENT = -1
RESHAPE_OPTIONS = 17


def add_filter(editor, index, operator, code):
    """Add *operator*, number *index*, of builtin *code*, with its filter as int8."""
    if code != DENSE and operator.inputs[-1] == ABSENT:
        operator.inputs.pop()  # TFLM's DEPTHWISE_CONV_2D knows a bias that is left out, and no -1
    place = operator.inputs[1]
    tensor, data = editor.tensor(place), editor.data(place)
    editor.expect(data, index, place, "the filter is not constant")
    scale, zero_point = editor.quant(place)
    scales = len(tensor.quantization.scale) if tensor.quantization else 0
    editor.expect(scales == 1, index, place, "%d scales, 1 expected", scales)
    values = np.frombuffer(data, np.uint8).astype(np.int32) - zero_point
    values = values.reshape(tensor.shape)
    filter_ = _Filter(editor, index, operator, scale)
    if values.min() >= LOW and values.max() <= HIGH:
        filter_.set(values, 0)
        editor.operators.append(operator)
    elif code == DENSE or (code == CONV and _is_dense(operator, values)):
        if code == CONV:
            set_options(operator, 8, {0: scalars(operator, [3])[0], 1: 0, 2: 1})
            values = values.reshape(len(values), -1)
        filter_.set(values + (zero_point - SHIFT), zero_point - SHIFT)
        editor.add(DENSE, operator)
    elif code == DEPTHWISE:
        _double_rows(filter_, values)
    else:
        _double_channels(filter_, values, code)


def _is_dense(operator, values):
    return values.shape[1:3] == (1, 1) and scalars(operator, (1, 2)) == [1, 1]


class _Filter:
    """An operator and its filter, which change together."""

    def __init__(self, editor, index, operator, scale):
        self.editor, self.index, self.operator, self.scale = editor, index, operator, scale
        self.place = operator.inputs[1]

    def set(self, values, zero_point):
        """Make the filter of *values*."""
        quant = Table("Quantization", scale=[self.scale], zero_point=[zero_point])
        data = values.astype(np.int8).tobytes()
        place = self.editor.replace(self.place, values.shape, quant, data)
        self.operator.inputs[1] = place

    def halves(self, values):
        """Return two arrays that int8 holds, whose sum is *values*."""
        fits = np.clip(values, LOW, HIGH)
        rest = values - fits
        message = "%d..%d less the zero point is too wide"
        bounds = values.min(), values.max()
        self.editor.expect(rest.max() <= HIGH, self.index, self.place, message, *bounds)
        return fits, rest

    def read_twice(self, slot, axis):
        """Concatenate input *slot* of the operator with itself along *axis*."""
        editor, source = self.editor, self.operator.inputs[slot]
        shape = list(editor.tensor(source).shape)
        shape[axis] *= 2
        twice = editor.add_tensor(shape, self.quant_of(source))
        operator = Table("Operator", inputs=[source, source], outputs=[twice])
        set_options(operator, 10, {0: axis, 1: 0})
        editor.add(CONCATENATION, operator)
        self.operator.inputs[slot] = twice
        return shape

    def quant_of(self, source):
        scale, zero_point = self.editor.quant(source)
        return Table("Quantization", scale=[scale], zero_point=[zero_point - SHIFT])


def _double_channels(filter_, values, code):
    """Let the input have all channels twice, and the filter a half for each."""
    operator = filter_.operator
    slot = 0 if code == CONV else 2
    filter_.set(np.concatenate(filter_.halves(values), axis=3), 0)
    filter_.read_twice(slot, 3)
    filter_.editor.operators.append(operator)


def _double_rows(filter_, values):
    """Let the input have all rows twice, one after the other, and the filter a half for each."""
    editor, operator = filter_.editor, filter_.operator
    padding, stride_w, stride_h, multiplier, activation, across, down = scalars(operator, range(7))
    source, output = operator.inputs[0], operator.outputs[0]
    batch, height, width, channels = editor.tensor(source).shape
    taps = (values.shape[1] - 1) * max(down, 1) + 1
    spread = np.zeros((1, 2 * taps, *values.shape[2:]), np.int32)
    for first, half in enumerate(filter_.halves(values)):
        spread[:, first :: 2 * max(down, 1)] = half
    rows = editor.tensor(output).shape[1]
    above_and_below = max((rows - 1) * stride_h + taps - height, 0)
    if padding != VALID and above_and_below % 2:
        # The odd row lies below; of twice as many, one would lie above.
        spread = np.concatenate([np.zeros_like(spread[:, :2]), spread], axis=1)
    filter_.set(spread, 0)
    filter_.read_twice(0, 2)
    shape = [batch, 2 * height, width, channels]
    doubled = editor.add_tensor(shape, filter_.quant_of(source))
    reshape = Table("Operator", inputs=[operator.inputs[0]], outputs=[doubled])
    reshape.options_type, reshape.options = (
        RESHAPE_OPTIONS,
        Table("ReshapeOptions", new_shape=shape),
    )
    editor.add(RESHAPE, reshape)
    operator.inputs[0] = doubled
    options = {0: padding, 1: stride_w, 2: 2 * stride_h, 3: multiplier, 4: activation}
    set_options(operator, 2, {**options, 5: max(across, 1), 6: 1})
    editor.operators.append(operator)
