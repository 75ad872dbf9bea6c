"""BATCH_MATMUL, int8, int16 and float32."""

import tflm.ops.quantize as q

from ..memory.allocator import scratch_arg
from ..schema import FLOAT32, INT8
from .common import (
    arguments,
    kernel,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_shape,
    require_type,
    row_types,
    set_kernel,
    signed_zero_point,
)

RECORDS = {
    # dims[] holds rank triples (extent, step of lhs, step of rhs) of the batches, outermost
    # first; steps in matrices, 0 where that input repeats.
    "BATCH_MATMUL": (
        "rows",
        "depth",
        "columns",
        "is_lhs_turned",  # lhs is [depth, rows]
        "is_rhs_turned",  # rhs is [columns, depth]
        "lhs_offset",
        "rhs_offset",
        "output_offset",
        "multiplier",
        "shift",
        "rank",
        "dims[]",
    ),
    "BATCH_MATMUL_F32": (
        "rows",
        "depth",
        "columns",
        "is_lhs_turned",
        "is_rhs_turned",
        "rank",
        "dims[]",
    ),
}

KERNELS = (
    kernel(
        99,
        "batch_matmul_s8",
        record="BATCH_MATMUL",
        arguments="s8 lhs, s8 rhs -> s8 output, s32 scratch",
        traits="native",
    ),
    kernel(
        100,
        "batch_matmul_s16",
        record="BATCH_MATMUL",
        arguments="raw16 lhs, raw16 rhs -> s16 output",
        traits="native",
    ),
    kernel(
        124,
        "batch_matmul_f32",
        record="BATCH_MATMUL_F32",
        arguments="raw lhs, raw rhs -> raw output",
        traits="native",
    ),
)


_OPTIONS = 101  # BuiltinOptions


def _batches(node, first, second, output):
    """Return (rank, triples) of the batches, which broadcast to the output's batches."""
    rank = max(len(first), len(second))
    padded = [(1,) * (rank - len(s)) + s for s in (first, second)]
    triples, steps, joined = [], [1, 1], ()
    for axis in range(rank - 1, -1, -1):
        a, b = padded[0][axis], padded[1][axis]
        node.expect(a == b or 1 in (a, b), "batches %s and %s do not broadcast", first, second)
        joined = (a if b == 1 else b,) + joined
        triples = [joined[0], steps[0] * (a > 1), steps[1] * (b > 1)] + triples
        steps = [steps[0] * a, steps[1] * b]
    node.expect(
        output == tuple(joined), "output has batches %s, %s expected", output, tuple(joined)
    )
    return rank, triples


def _prepare_matmul(context, node):
    node.expect_counts(2, 2)
    options = options_of(node, _OPTIONS)
    lhs, rhs, output = node.required(0), node.required(1), node.output(0)
    require_type(node, lhs, "lhs", *row_types("BATCH_MATMUL"))
    require_type(node, rhs, "rhs", lhs.type)
    require_type(node, output, "output", lhs.type)
    for tensor, what in ((lhs, "lhs"), (rhs, "rhs"), (output, "output")):
        node.expect(
            2 <= len(tensor.shape) <= 5 and tensor.elements > 0,
            "%s (tensor %d) has shape %s, 2 to 5 positive dimensions expected",
            what,
            tensor.index,
            tensor.shape,
        )
    turned = int(options.byte(0) != 0), int(options.byte(1) != 0)
    rows, depth = (lhs.shape[-1], lhs.shape[-2]) if turned[0] else (lhs.shape[-2], lhs.shape[-1])
    columns, other = (
        (rhs.shape[-2], rhs.shape[-1]) if turned[1] else (rhs.shape[-1], rhs.shape[-2])
    )
    node.expect(depth == other, "rows of lhs have %d values, columns of rhs %d", depth, other)
    rank, dims = _batches(node, lhs.shape[:-2], rhs.shape[:-2], output.shape[:-2])
    require_shape(node, output, "output", output.shape[:-2] + (rows, columns))
    if lhs.type == FLOAT32:
        set_kernel(
            context,
            node,
            "batch_matmul_f32",
            arguments(node, 2),
            rows=rows,
            depth=depth,
            columns=columns,
            is_lhs_turned=turned[0],
            is_rhs_turned=turned[1],
            rank=rank,
            dims=dims,
        )
        return
    scale = q.mul(real_scale_of(node, lhs, "lhs"), real_scale_of(node, rhs, "rhs"), q.DOUBLE)
    multiplier, shift = multiplier_of(node, scale, real_scale_of(node, output, "output"))
    args, name = arguments(node, 2), "batch_matmul_s16"
    if lhs.type == INT8:
        name = "batch_matmul_s8"
        nbytes = turned[0] * depth + (1 - turned[1]) * depth * columns
        args.append(scratch_arg(context.request_scratch_buffer(node, nbytes + 3 & -4)))
    set_kernel(
        context,
        node,
        name,
        args,
        rows=rows,
        depth=depth,
        columns=columns,
        is_lhs_turned=turned[0],
        is_rhs_turned=turned[1],
        lhs_offset=-signed_zero_point(node, lhs, "lhs"),
        rhs_offset=-signed_zero_point(node, rhs, "rhs"),
        output_offset=signed_zero_point(node, output, "output"),
        multiplier=multiplier,
        shift=shift,
        rank=rank,
        dims=dims,
    )


OPERATORS = (
    operator(
        126,
        _prepare_matmul,
        "BATCH_MATMUL",
        version=4,
        options=101,
        fields="adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool",
        shape="matmul",
        rows="all",
        uint8="no",
        types="int8, int16, float32",
        notes="broadcast batches",
    ),
)
