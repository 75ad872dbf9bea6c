"""UNIDIRECTIONAL_SEQUENCE_LSTM: int8 or int16, int8 weights, int16 cell state; float32."""

import tflm.ops.quantize as q

from ..base.errors import UnsupportedOpError
from ..base.port import const
from ..memory.allocator import tensor_arg
from ..schema import FLOAT32, INT8, INT16, INT32, INT64
from .common import (
    kernel,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_elements,
    require_rank,
    require_shape,
    require_type,
    row_types,
    set_kernel,
    signed_zero_point,
    zero_point_of,
)

RECORDS = {
    # Step t of batch b is row t * step_rows + b * batch_rows of input and output.
    "LSTM": (
        "steps",
        "batches",
        "input_depth",
        "units",
        "step_rows",
        "batch_rows",
        "input_offset",
        "hidden_zero_point",
        "cell_power",  # the cell state's scale is 2**cell_power
        "cell_clip",  # a cell state lies between this and its negative
        "output_multiplier",
        "output_shift",
        # (multiplier, shift) of the input, then of the hidden state, for each gate in turn: input,
        # forget, cell, output
        "factors[]",
    ),
    "LSTM_F32": (
        "steps",
        "batches",
        "input_depth",
        "units",
        "step_rows",
        "batch_rows",
        "cell_clip",  # float32 bits; infinite for none
    ),
}

KERNELS = (
    kernel(
        44,
        "lstm_s8",
        record="LSTM",
        arguments=(
            "s8 input, s8 w_input, s8 w_forget, s8 w_cell, s8 w_output, s8 r_input,"
            " s8 r_forget, s8 r_cell, s8 r_output, raw b_input, raw b_forget, raw b_cell,"
            " raw b_output -> s8 hidden, s16 cell, s8 output"
        ),
        slices="lstm 2",
        traits="native",
    ),
    kernel(
        131,
        "lstm_s16",
        record="LSTM",
        arguments=(
            "s16 input, s8 w_input, s8 w_forget, s8 w_cell, s8 w_output, s8 r_input,"
            " s8 r_forget, s8 r_cell, s8 r_output, raw b_input, raw b_forget, raw b_cell,"
            " raw b_output -> s16 hidden, s16 cell, s16 output"
        ),
        slices="lstm 3",
        traits="native",
    ),
    kernel(
        132,
        "lstm_f32",
        record="LSTM_F32",
        arguments=(
            "raw input, raw w_input, raw w_forget, raw w_cell, raw w_output, raw r_input,"
            " raw r_forget, raw r_cell, raw r_output, raw b_input, raw b_forget, raw b_cell,"
            " raw b_output -> f32 hidden, f32 cell, f32 output"
        ),
        slices="lstm 8",
        traits="native",
    ),
)


_OPTIONS = 71  # BuiltinOptions
_TANH = 4  # of fused activations
_COUNT = const(24)  # of inputs
# Of the first gate; the others follow.
_INPUT_WEIGHTS = const(1)
_RECURRENT_WEIGHTS = const(5)
_BIASES = const(12)
_HIDDEN = const(18)
_CELL = const(19)
_ABSENT = (9, 10, 11, 16, 17, 20, 21, 22, 23)  # peepholes, projection, normalisation
_GATES = ("input", "forget", "cell", "output")
_WIDE = {INT16: (INT8, INT64), FLOAT32: (FLOAT32, FLOAT32)}  # types of weights and biases
_GATE_POWER = const(-12)  # of the scale of a gate before its activation
_CURVE_POWER = const(-15)  # and after it
_POWERS = (-29, 2)  # of the cell state: what the kernel shifts by fits 31 bits
_NO_CLIP = const(1 << 15)
_INFINITE = const(0x7F800000)


def _prepare_lstm(context, node):
    node.expect_counts(_COUNT, _COUNT)
    options = options_of(node, _OPTIONS)
    node.expect(
        options.byte(0) == _TANH, "activation %d, %d (tanh) expected", options.byte(0), _TANH
    )
    for i in _ABSENT:
        if node.input(i) is not None:
            raise UnsupportedOpError(
                "%s #%d: input %d is not supported" % (node.operator.name, node.index, i)
            )
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *row_types("UNIDIRECTIONAL_SEQUENCE_LSTM"))
    require_type(node, output, "output", data.type)
    require_rank(node, data, "input", 3)
    is_time_major = options.byte(3)
    steps, batches = data.shape[:2] if is_time_major else (data.shape[1], data.shape[0])
    units = _check_states(node, batches, data.type)
    require_shape(node, output, "output", data.shape[:2] + (units,))
    _check_weights(node, data.shape[2], units)
    step_rows, batch_rows = (batches, 1) if is_time_major else (1, steps)
    inputs = node.operator.inputs
    order = [0] + list(range(1, 9)) + list(range(12, 16)) + [_HIDDEN, _CELL]
    args = [tensor_arg(inputs[i]) for i in order] + [tensor_arg(node.operator.outputs[0])]
    clip = options.word(1)
    if not 0 < clip <= _INFINITE:  # 0, negative or NaN
        clip = 0
    if data.type == FLOAT32:
        set_kernel(
            context,
            node,
            "lstm_f32",
            args,
            steps=steps,
            batches=batches,
            input_depth=data.shape[2],
            units=units,
            step_rows=step_rows,
            batch_rows=batch_rows,
            cell_clip=clip or _INFINITE,
        )
        return
    power = _cell_power(node)
    hidden = node.input(_HIDDEN)
    hidden_scale = real_scale_of(node, hidden, "hidden state")
    multiplier, shift = multiplier_of(node, (1, 2 * _CURVE_POWER), hidden_scale)
    set_kernel(
        context,
        node,
        "lstm_s8" if data.type == INT8 else "lstm_s16",
        args,
        steps=steps,
        batches=batches,
        input_depth=data.shape[2],
        units=units,
        step_rows=step_rows,
        batch_rows=batch_rows,
        input_offset=-signed_zero_point(node, data, "input"),
        hidden_zero_point=signed_zero_point(node, hidden, "hidden state"),
        cell_power=power,
        cell_clip=_cell_clip(clip, power),
        output_multiplier=multiplier,
        output_shift=shift,
        factors=_factors(node, real_scale_of(node, data, "input"), hidden_scale),
    )


def _check_states(node, batches, type_):
    """Check both states; return how many units there are."""
    hidden, cell = node.required(_HIDDEN), node.required(_CELL)
    require_rank(node, hidden, "hidden state", 2)
    units = hidden.shape[1]
    cell_type = FLOAT32 if type_ == FLOAT32 else INT16
    for tensor, what, wanted in ((hidden, "hidden state", type_), (cell, "cell state", cell_type)):
        require_type(node, tensor, what, wanted)
        require_shape(node, tensor, what, (batches, units))
        node.expect(tensor.is_variable, "%s (tensor %d) is no variable tensor", what, tensor.index)
    return units


def _check_weights(node, depth, units):
    weights_type, bias_type = INT8, INT32
    if node.input(0).type != INT8:
        weights_type, bias_type = _WIDE[node.input(0).type]
    for i, gate in enumerate(_GATES):
        for first, what, shape in (
            (_INPUT_WEIGHTS, "weights of the input for the %s gate", (units, depth)),
            (_RECURRENT_WEIGHTS, "recurrent weights of the %s gate", (units, units)),
        ):
            weights = node.required(first + i)
            require_type(node, weights, what % gate, weights_type)
            require_shape(node, weights, what % gate, shape)
            count = weights.quantization()[1]
            node.expect(count <= 1, "%s have %d scales, 1 expected", what % gate, count)
            zero_point_of(node, weights, what % gate, 0, 0)
        bias = node.required(_BIASES + i)
        require_type(node, bias, "bias of the %s gate" % gate, bias_type)
        require_elements(node, bias, "bias of the %s gate" % gate, units)


def _cell_power(node):
    """Return the exponent of the cell state's scale, a power of two."""
    cell = node.input(_CELL)
    m, power = real_scale_of(node, cell, "cell state")
    while m and m & 1 == 0:
        m >>= 1
        power += 1
    low, high = _POWERS
    node.expect(
        m == 1 and low <= power <= high,
        "cell state (tensor %d) has the scale %s, a power of two expected",
        cell.index,
        cell.scale(),
    )
    zero_point_of(node, cell, "cell state", 0, 0)
    return power


def _cell_clip(bits, power):
    """Return the limit of cell states for the option with float32 *bits*, 0 for none."""
    if not bits:
        return _NO_CLIP
    if bits == _INFINITE:
        return _NO_CLIP - 1
    m, e = q.from_bits(bits)
    e -= power
    whole = m << min(e, 16) if e >= 0 else m >> min(-e, 31)
    return min(whole, _NO_CLIP - 1)


def _factors(node, input_scale, hidden_scale):
    """Return the parameter `factors`."""
    words = []
    for i in range(4):
        for scale, first in ((input_scale, _INPUT_WEIGHTS), (hidden_scale, _RECURRENT_WEIGHTS)):
            weights = real_scale_of(node, node.input(first + i), "input %d" % (first + i))
            product = q.mul(scale, weights, q.DOUBLE)
            words += multiplier_of(node, product, (1, _GATE_POWER))
    return words


OPERATORS = (
    operator(
        44,
        _prepare_lstm,
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
        version=4,
        options=71,
        fields=(
            "activation:i8 cell_clip:f32 proj_clip:f32 time_major:bool"
            " asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool"
        ),
        shape="last_stays",
        rows="all",
        uint8="no",
        types="int8, int16, float32",
        notes="without peepholes, projection or normalisation",
    ),
)
