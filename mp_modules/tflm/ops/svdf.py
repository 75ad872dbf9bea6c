"""SVDF, float32, and int8 with int8 or int16 state, in a variable tensor."""

import tflm.ops.quantize as q

from ..memory.allocator import scratch_arg
from ..schema import FLOAT32, INT8, INT16, INT32
from .common import (
    arguments,
    check_bias,
    kernel,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_activation,
    require_rank,
    require_shape,
    require_type,
    row_types,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "SVDF": (
        "batches",
        "input_depth",
        "filters",
        "memory",
        "rank",
        "input_offset",
        "state_zero_point",
        "output_offset",
        "feature_multiplier",
        "feature_shift",
        "time_multiplier",
        "time_shift",
    ),
    "SVDF_F32": ("batches", "input_depth", "filters", "memory", "rank", "activation"),
}

KERNELS = (
    kernel(
        18,
        "svdf_s8",
        record="SVDF",
        arguments=(
            "s8 input, s8 weights_feature, s8 weights_time, raw bias"
            " -> s8 state, s8 output, s32 scratch, s32 output_scratch"
        ),
        slices="svdf 2",
    ),
    kernel(
        19,
        "svdf_s16",
        record="SVDF",
        arguments=(
            "s8 input, s8 weights_feature, raw weights_time, raw bias"
            " -> s16 state, s8 output, s32 scratch, s32 output_scratch"
        ),
        slices="svdf 2",
    ),
    kernel(
        133,
        "svdf_f32",
        record="SVDF_F32",
        arguments=(
            "raw input, raw weights_feature, raw weights_time, raw bias -> f32 state, f32 output"
        ),
        slices="svdf 8",
        traits="native",
    ),
)


_OPTIONS = 6  # BuiltinOptions
_INT16_LIMITS = -32768, 32767
_SIGN_BIT = 5  # the last of fused activations


def _shapes(node, rank, bias_type):
    """Check all shapes and the bias; return (batches, input depth, filters, memory)."""
    data, features, times = node.required(0), node.required(1), node.required(2)
    for tensor, what in ((data, "input"), (features, "feature weights"), (times, "time weights")):
        require_rank(node, tensor, what, 2)
    batches, depth = data.shape
    filters, memory = times.shape
    require_shape(node, features, "feature weights", (filters, depth))
    node.expect(rank > 0 and filters % rank == 0, "%d filters, rank %d", filters, rank)
    check_bias(node, node.input(3), filters // rank, bias_type)
    state = node.required(4)
    require_shape(node, state, "state", (batches, filters * memory))
    node.expect(state.is_variable, "state (tensor %d) is no variable tensor", state.index)
    require_shape(node, node.output(0), "output", (batches, filters // rank))
    return batches, depth, filters, memory


def _multipliers(node):
    """Return ((multiplier, shift) of the features, the same of the output)."""
    tensors = [(node.input(i), "input %d" % i) for i in (0, 1, 2, 4)]
    data, features, times, state = [real_scale_of(node, t, what) for t, what in tensors]
    output = real_scale_of(node, node.output(0), "output")
    return (
        multiplier_of(node, q.mul(data, features, q.DOUBLE), state),
        multiplier_of(node, q.mul(state, times, q.DOUBLE), output),
    )


def _prepare_svdf(context, node):
    node.expect_counts(5, 5)
    data, features, times, state = (node.required(i) for i in (0, 1, 2, 4))
    output = node.output(0)
    require_type(node, data, "input", *row_types("SVDF"))
    if data.type == FLOAT32:
        _prepare_float(context, node)
        return
    for tensor, what in ((features, "feature weights"), (output, "output")):
        require_type(node, tensor, what, INT8)
    require_type(node, state, "state", INT8, INT16)
    require_type(node, times, "time weights", state.type)
    rank = options_of(node, _OPTIONS).word(0)
    batches, depth, filters, memory = _shapes(node, rank, INT32)
    feature, time = _multipliers(node)
    limits = _INT16_LIMITS if state.type == INT16 else (-128, 127)
    args = arguments(node, 5)
    args.append(scratch_arg(context.request_scratch_buffer(node, 4 * batches * filters)))
    args.append(scratch_arg(context.request_scratch_buffer(node, 4 * batches * filters // rank)))
    set_kernel(
        context,
        node,
        "svdf_s16" if state.type == INT16 else "svdf_s8",
        args,
        batches=batches,
        input_depth=depth,
        filters=filters,
        memory=memory,
        rank=rank,
        input_offset=-zero_point_of(node, data, "input"),
        state_zero_point=zero_point_of(node, state, "state", *limits),
        output_offset=zero_point_of(node, output, "output"),
        feature_multiplier=feature[0],
        feature_shift=feature[1],
        time_multiplier=time[0],
        time_shift=time[1],
    )


def _prepare_float(context, node):
    for i, what in ((1, "feature weights"), (2, "time weights"), (4, "state")):
        require_type(node, node.required(i), what, FLOAT32)
    require_type(node, node.output(0), "output", FLOAT32)
    options = options_of(node, _OPTIONS)
    rank, activation = options.word(0), options.byte(1)
    if activation > _SIGN_BIT:
        require_activation(node, activation)
    batches, depth, filters, memory = _shapes(node, rank, FLOAT32)
    set_kernel(
        context,
        node,
        "svdf_f32",
        arguments(node, 5),
        batches=batches,
        input_depth=depth,
        filters=filters,
        memory=memory,
        rank=rank,
        activation=activation,
    )


OPERATORS = (
    operator(
        27,
        _prepare_svdf,
        "SVDF",
        version=4,
        options=6,
        fields="rank:i32 activation:i8",
        shape="svdf",
        rows="all",
        uint8="no",
        types="int8, float32",
        notes="int8 or int16 state",
    ),
)
