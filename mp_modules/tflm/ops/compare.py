"""EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL; LOGICAL_NOT."""

from ..base.port import const
from ..schema import BOOL, FLOAT32, INT8, INT16, INT32, INT64
from .common import (
    arguments,
    input_and_output,
    kernel,
    multiplier_of,
    operator,
    real_scale_of,
    require_elements,
    require_type,
    row_types,
    set_kernel,
    zero_point_of,
)
from .common_broadcast import broadcast_dims

RECORDS = {
    # accepted: the sum of 1 (less), 2 (equal), 4 (greater), 8 (one is NaN) that give true.
    # dims[]: as in broadcast.
    "COMPARE": ("kind", "accepted", "rank", "dims[]"),
    "COMPARE_S8": (
        "accepted",
        "input1_offset",
        "input1_multiplier",
        "input1_shift",
        "input2_offset",
        "input2_multiplier",
        "input2_shift",
        "rank",
        "dims[]",
    ),
    # The real number of a value is a common positive one times value * factor * 2^exponent.
    "COMPARE_S16": (
        "accepted",
        "input1_factor",
        "input1_exponent",
        "input2_factor",
        "input2_exponent",
        "rank",
        "dims[]",
    ),
    "NOT": ("elements",),
}

KERNELS = (
    kernel(
        93,
        "compare",
        record="COMPARE",
        arguments="bytes input1, bytes input2 -> bytes output",
        traits="native",
    ),
    kernel(
        94,
        "compare_s8",
        record="COMPARE_S8",
        arguments="s8 input1, s8 input2 -> bytes output",
        traits="native",
    ),
    kernel(
        95, "logical_not", record="NOT", arguments="bytes input -> bytes output", traits="native"
    ),
    kernel(
        174,
        "compare_s16",
        record="COMPARE_S16",
        arguments="raw16 input1, raw16 input2 -> bytes output",
        traits="native",
    ),
)


_GREATER = const(61)  # builtin codes
_EQUAL = 71
_NOT_EQUAL = 72
_ACCEPTED = {58: 1, _EQUAL: 2, 63: 3, 61: 4, 62: 6, _NOT_EQUAL: 13}
_KINDS = {BOOL: 0, INT32: 1, INT64: 2, FLOAT32: 3}
_LEFT_SHIFT = const(8)  # headroom of a value, in bits
_FAR = const(24)  # from here on the larger scale decides: a product has 15 + 24 bits


def _prepare_compare(context, node):
    node.expect_counts(2, 2)
    code, first = node.operator.builtin, node.required(0)
    types = row_types("LESS", "LESS_EQUAL", "GREATER_EQUAL")
    if code in (_EQUAL, _NOT_EQUAL):
        types = row_types("EQUAL", "NOT_EQUAL")
    elif code == _GREATER:
        types = row_types("GREATER")
    require_type(node, first, "input 0", *types)
    require_type(node, node.required(1), "input 1", first.type)
    require_type(node, node.output(0), "output", BOOL)
    rank, dims = broadcast_dims(node)
    args, accepted = arguments(node, 2), _ACCEPTED[code]
    if first.type == INT16:
        _prepare_s16(context, node, args, accepted, rank, dims)
        return
    if first.type != INT8:
        set_kernel(
            context,
            node,
            "compare",
            args,
            kind=_KINDS[first.type],
            accepted=accepted,
            rank=rank,
            dims=dims,
        )
        return
    factors = [_factor(node, i) for i in (0, 1)]
    set_kernel(
        context,
        node,
        "compare_s8",
        args,
        accepted=accepted,
        input1_offset=-zero_point_of(node, first, "input 0"),
        input1_multiplier=factors[0][0],
        input1_shift=factors[0][1],
        input2_offset=-zero_point_of(node, node.input(1), "input 1"),
        input2_multiplier=factors[1][0],
        input2_shift=factors[1][1],
        rank=rank,
        dims=dims,
    )


def _prepare_s16(context, node, args, accepted, rank, dims):
    factors = [_exact_factor(node, i) for i in (0, 1)]
    least = min(factors[0][1], factors[1][1])
    exponents = [min(exponent - least, _FAR) for _, exponent in factors]
    set_kernel(
        context,
        node,
        "compare_s16",
        args,
        accepted=accepted,
        input1_factor=factors[0][0],
        input1_exponent=exponents[0],
        input2_factor=factors[1][0],
        input2_exponent=exponents[1],
        rank=rank,
        dims=dims,
    )


def _exact_factor(node, i):
    """Return (m, e) with m * 2^e the scale of input *i*; without any, values are themselves."""
    what, tensor = "input %d" % i, node.input(i)
    if not tensor.quantization()[1]:
        return 1 << 23, -23
    zero_point_of(node, tensor, what, 0, 0)
    return real_scale_of(node, tensor, what)


def _factor(node, i):
    """Return (multiplier, shift) of the scale of input *i*, which must be below 1."""
    what = "input %d" % i
    multiplier, shift = multiplier_of(node, real_scale_of(node, node.input(i), what), (1, 0))
    node.expect(
        shift <= 0, "%s has the scale %s, one below 1 expected", what, node.input(i).scale()
    )
    return multiplier, shift


def _prepare_not(context, node):
    data, output = input_and_output(node, row_types("LOGICAL_NOT"))
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "logical_not", arguments(node, 1), elements=data.elements)


OPERATORS = (
    operator(
        58,
        _prepare_compare,
        "LESS",
        version=2,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="int8, int32, int64, float32",
    ),
    operator(
        61,
        _prepare_compare,
        "GREATER",
        version=2,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="int8, int16, int32, int64, float32",
    ),
    operator(
        62,
        _prepare_compare,
        "GREATER_EQUAL",
        version=2,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="int8, int32, int64, float32",
    ),
    operator(
        63,
        _prepare_compare,
        "LESS_EQUAL",
        version=2,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="int8, int32, int64, float32",
    ),
    operator(
        71,
        _prepare_compare,
        "EQUAL",
        version=4,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="bool, int8, int32, int64, float32",
    ),
    operator(
        72,
        _prepare_compare,
        "NOT_EQUAL",
        version=3,
        shape="broadcast",
        rows="all",
        uint8="alike",
        types="bool, int8, int32, int64, float32",
    ),
    operator(
        87,
        _prepare_not,
        "LOGICAL_NOT",
        version=1,
        shape="same",
        rows="all",
        uint8="no",
        types="bool",
    ),
)
