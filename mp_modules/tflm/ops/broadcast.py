"""Two inputs that broadcast to the output's shape; float32 in broadcast_float.py."""

import tflm.ops.quantize as q

from ..schema import ACTIVATION_NONE, FLOAT32, INT8, INT16, INT32
from .broadcast_kernels import KERNELS, RECORDS  # noqa: F401 - index.py takes them
from .common import (
    allow_elementwise,
    arguments,
    multiplier_of,
    operator,
    options_of,
    output_range,
    require_activation,
    require_type,
    row_types,
    set_kernel,
)
from .common_broadcast import broadcast_dims, offsets_of, scales_of

_ADD = 0  # builtin codes
_MUL = 18
_SUB = 41
_LOGICAL_OR = 84
_LOGICAL_AND = 86
_FLOOR_MOD = 95
_SQUARED_DIFFERENCE = 99
_ADD_OPTIONS = 11  # BuiltinOptions
_MUL_OPTIONS = 21
_SUB_OPTIONS = 28
_DIV_OPTIONS = 29
# Headroom of a sum and of a difference that is squared, in bits.
_LEFT_SHIFTS = {INT8: (20, 7), INT16: (15, 0)}


def _check_arithmetic(context, node, types):
    """Check types, allow in-place reuse of the inputs; return the type."""
    node.expect_counts(2, 2)
    first = node.required(0)
    require_type(node, first, "input 0", *types)
    require_type(node, node.required(1), "input 1", first.type)
    require_type(node, node.output(0), "output", first.type)
    allow_elementwise(context, node)
    return first.type


_SUMS = {  # by builtin code: number of its options, kernels
    _ADD: (_ADD_OPTIONS, {INT8: "add_s8", INT16: "add_s16", INT32: "add_s32"}),
    _SUB: (_SUB_OPTIONS, {INT8: "sub_s8", INT16: "sub_s16", INT32: "sub_s32"}),
    _SQUARED_DIFFERENCE: (
        0,
        {
            INT8: "squared_difference_s8",
            INT16: "squared_difference_s16",
            INT32: "squared_difference_s32",
        },
    ),
}


def _prepare_sum(context, node):
    """Prepare ADD, SUB or SQUARED_DIFFERENCE."""
    if node.required(0).type == FLOAT32:
        _prepare_float(context, node)
        return
    number, kernels = _SUMS[node.operator.builtin]
    types = row_types("ADD", "SUB", "SQUARED_DIFFERENCE")
    dtype = _check_arithmetic(context, node, types)
    code = ACTIVATION_NONE
    if number:
        code = require_activation(node, options_of(node, number).byte(0))
    if dtype == INT32:
        _prepare_int32(context, node, kernels[dtype], code)
        return
    left_shift = _LEFT_SHIFTS[dtype][number == 0]
    scale1, scale2, output_scale = scales_of(node)
    twice = q.shifted(scale2 if q.less(scale1, scale2) else scale1, 1)
    zero_point, low, high = output_range(node, code)
    rank, dims = broadcast_dims(node)
    offset1, offset2 = offsets_of(node)
    multiplier1, shift1 = _arithmetic_multiplier(node, "input1", scale1, twice)
    multiplier2, shift2 = _arithmetic_multiplier(node, "input2", scale2, twice)
    if number:
        divisor = q.shifted(output_scale, left_shift)
        multiplier, shift = _arithmetic_multiplier(node, "output", twice, divisor)
    else:
        square = q.mul(twice, twice, q.DOUBLE)
        multiplier, shift = multiplier_of(node, square, q.shifted(output_scale, 2 * left_shift))
    set_kernel(
        context,
        node,
        kernels[dtype],
        arguments(node, 2),
        left_shift=left_shift,
        input1_offset=offset1,
        input1_multiplier=multiplier1,
        input1_shift=shift1,
        input2_offset=offset2,
        input2_multiplier=multiplier2,
        input2_shift=shift2,
        output_offset=zero_point,
        output_multiplier=multiplier,
        output_shift=shift,
        activation_min=low,
        activation_max=high,
        rank=rank,
        dims=dims,
    )


def _arithmetic_multiplier(node, name, real, divisor):
    """Return (multiplier, shift) of *real* / *divisor*, which is to be below 1."""
    multiplier, shift = multiplier_of(node, real, divisor)
    node.expect(shift <= 0, "the %s multiplier is not below 1: the scales differ too much", name)
    return multiplier, shift


def _prepare_float(context, node):  # any of these operators
    from .broadcast_float import prepare

    node.expect_counts(2, 2)
    prepare(context, node, *broadcast_dims(node))


def _prepare_floor(context, node):
    """Prepare FLOOR_DIV or FLOOR_MOD."""
    node.expect_counts(2, 2)
    require_type(node, node.required(0), "input 0", *row_types("FLOOR_DIV", "FLOOR_MOD"))
    if node.required(0).type != INT32:
        _prepare_float(context, node)
        return
    require_type(node, node.required(1), "input 1", INT32)
    require_type(node, node.output(0), "output", INT32)
    allow_elementwise(context, node)
    is_mod = node.operator.builtin == _FLOOR_MOD
    _prepare_int32(context, node, "floor_mod_s32" if is_mod else "floor_div_s32", ACTIVATION_NONE)


def _prepare_int32(context, node, kernel, code):
    from .broadcast_wide import prepare_int32

    prepare_int32(context, node, kernel, code)


def _prepare_product(context, node):
    """Prepare MUL or DIV."""
    if node.required(0).type == FLOAT32:
        _prepare_float(context, node)
        return
    from .broadcast_product import prepare

    is_mul = node.operator.builtin == _MUL
    types = row_types("MUL") if is_mul else row_types("DIV")
    dtype = _check_arithmetic(context, node, types)
    options = options_of(node, _MUL_OPTIONS if is_mul else _DIV_OPTIONS)
    code = require_activation(node, options.byte(0))
    if dtype == INT32:
        _prepare_int32(context, node, "mul_s32" if is_mul else "div_s32", code)
    else:
        prepare(context, node, code, scales_of(node, 0), offsets_of(node))


def _prepare_choice(context, node):
    """Prepare MAXIMUM, MINIMUM, LOGICAL_OR or LOGICAL_AND."""
    node.expect_counts(2, 2)
    is_logic = node.operator.builtin in (_LOGICAL_OR, _LOGICAL_AND)
    if node.required(0).type == FLOAT32 and not is_logic:
        _prepare_float(context, node)
        return
    from .broadcast_choice import prepare

    prepare(context, node, is_logic)


def _prepare_prelu(context, node):
    node.expect_counts(2, 2)
    if node.required(0).type == FLOAT32:
        _prepare_float(context, node)
        return
    from .broadcast_prelu import prepare

    prepare(context, node, scales_of, offsets_of)


OPERATORS = (
    operator(
        0,
        _prepare_sum,
        "ADD",
        version=5,
        options=11,
        fields="activation:i8 pot_scale_int16:bool",
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="alike",
        types="int8, int16, int32, float32",
        notes="broadcast",
    ),
    operator(
        18,
        _prepare_product,
        "MUL",
        version=7,
        functions="PAIRS_F32:1",
        options=21,
        fields="activation:i8",
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="alike",
        types="int8, int16, int32, float32",
        notes="broadcast",
    ),
    operator(
        42,
        _prepare_product,
        "DIV",
        version=2,
        functions="PAIRS_F32:2",
        options=29,
        fields="activation:i8",
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="no",
        types="int8, int32, float32",
        notes="broadcast; integers: 0 where the divisor is 0",
    ),
    operator(
        90,
        _prepare_floor,
        "FLOOR_DIV",
        version=3,
        functions="PAIRS_F32:7",
        options=65,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="int32, float32",
        notes="broadcast; int32: 0 where the divisor is 0",
    ),
    operator(
        95,
        _prepare_floor,
        "FLOOR_MOD",
        version=2,
        functions="PAIRS_F32:8",
        options=72,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="int32, float32",
        notes="broadcast; int32: 0 where the divisor is 0",
    ),
    operator(
        78,
        _prepare_float,
        "POW",
        version=1,
        functions="PAIRS_F32:9",
        options=56,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="float32",
        notes="broadcast",
    ),
    operator(
        156,
        _prepare_float,
        "ATAN2",
        version=1,
        functions="PAIRS_F32:10",
        options=122,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="float32",
        notes="broadcast",
    ),
    operator(
        54,
        _prepare_prelu,
        "PRELU",
        version=1,
        functions="PAIRS_F32:6",
        shape="broadcast",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
        notes="broadcast",
    ),
    operator(
        84,
        _prepare_choice,
        "LOGICAL_OR",
        version=1,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="bool",
        notes="broadcast",
    ),
    operator(
        86,
        _prepare_choice,
        "LOGICAL_AND",
        version=1,
        shape="broadcast",
        rows="all",
        uint8="no",
        types="bool",
        notes="broadcast",
    ),
    operator(
        55,
        _prepare_choice,
        "MAXIMUM",
        version=4,
        functions="PAIRS_F32:4",
        options=39,
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="alike",
        types="int8, int16, int32, int64, float32",
        notes="broadcast",
    ),
    operator(
        57,
        _prepare_choice,
        "MINIMUM",
        version=4,
        functions="PAIRS_F32:5",
        options=39,
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="alike",
        types="int8, int16, int32, int64, float32",
        notes="broadcast",
    ),
    operator(
        99,
        _prepare_sum,
        "SQUARED_DIFFERENCE",
        version=2,
        functions="PAIRS_F32:3",
        options=76,
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="no",
        types="int8, int16, int32, float32",
        notes="broadcast",
    ),
    operator(
        41,
        _prepare_sum,
        "SUB",
        version=5,
        functions="PAIRS_F32:0",
        options=28,
        fields="activation:i8 pot_scale_int16:bool",
        traits="channelwise",
        shape="broadcast",
        rows="each",
        uint8="alike",
        types="int8, int16, int32, float32",
        notes="broadcast",
    ),
)
