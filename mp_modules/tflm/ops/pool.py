"""AVERAGE_POOL_2D and MAX_POOL_2D, int8, int16 and float32; L2_POOL_2D, float32."""

from ..schema import FLOAT32, INT8, INT16
from .common import (
    Window,
    allow_rows,
    arguments,
    float_activation,
    is_float,
    kernel,
    operator,
    options_of,
    output_range,
    require_activation,
    require_rank,
    require_type,
    row_types,
    set_kernel,
    signed_zero_point,
)

RECORDS = {
    "POOL_2D": (
        "batches",
        "input_height",
        "input_width",
        "depth",
        "filter_height",
        "filter_width",
        "output_height",
        "output_width",
        "stride_height",
        "stride_width",
        "pad_top",
        "pad_left",
        "activation_min",
        "activation_max",
    ),
    # Of prepared models: a mean over the whole image, whose rows come one after the other. It is
    # sum / divisor, or, where that is 0, sum + bias scaled as in reduce.
    "ROWS_MEAN": (
        "first",
        "rows",
        "height",
        "width",
        "depth",
        "divisor",
        "multiplier",
        "shift",
        "bias",
        "output_offset",
        "activation_min",
        "activation_max",
    ),
}

KERNELS = (
    kernel(
        5,
        "average_pool_2d_s8",
        record="POOL_2D",
        arguments="s8 input -> s8 output",
        slices="pools 5",
    ),
    kernel(
        6, "max_pool_2d_s8", record="POOL_2D", arguments="s8 input -> s8 output", slices="pools 5"
    ),
    kernel(
        96,
        "average_pool_2d_s16",
        record="POOL_2D",
        arguments="raw16 input -> s16 output",
        slices="pools 5",
        traits="native",
    ),
    kernel(
        97,
        "max_pool_2d_s16",
        record="POOL_2D",
        arguments="raw16 input -> s16 output",
        slices="pools 5",
        traits="native",
    ),
    kernel(
        67,
        "average_pool_2d_f32",
        record="POOL_2D",
        arguments="raw input -> raw output",
        slices="pools 8",
        traits="native",
    ),
    kernel(
        68,
        "max_pool_2d_f32",
        record="POOL_2D",
        arguments="raw input -> raw output",
        slices="pools 8",
        traits="native",
    ),
    kernel(
        164,
        "rows_mean_s8",
        record="ROWS_MEAN",
        arguments="s8 input -> s8 output, s32 sums",
        traits="native group",
    ),
    kernel(
        147,
        "l2_pool_2d_f32",
        record="POOL_2D",
        arguments="raw input -> raw output",
        slices="pools 8",
        traits="native",
    ),
)


_AVERAGE_POOL_2D = 1  # builtin codes
_L2_POOL_2D = 12
_MAX_POOL_2D = 17
_OPTIONS = 5  # BuiltinOptions
_SCALE_TOLERANCE = 1e-6  # between input and output; the values are not requantized


_POOLS = {  # by type: kernels by builtin code
    INT8: {_AVERAGE_POOL_2D: "average_pool_2d_s8", _MAX_POOL_2D: "max_pool_2d_s8"},
    INT16: {_AVERAGE_POOL_2D: "average_pool_2d_s16", _MAX_POOL_2D: "max_pool_2d_s16"},
    FLOAT32: {
        _AVERAGE_POOL_2D: "average_pool_2d_f32",
        _L2_POOL_2D: "l2_pool_2d_f32",
        _MAX_POOL_2D: "max_pool_2d_f32",
    },
}


def _prepare_pool(context, node):
    node.expect_counts(1, 1)
    options = options_of(node, _OPTIONS)
    data, output = node.required(0), node.output(0)
    if node.operator.builtin == _L2_POOL_2D:
        floats = True
        types = row_types("L2_POOL_2D")
        require_type(node, data, "input", *types)
        require_type(node, output, "output", *types)
    else:
        floats = is_float(node, row_types("AVERAGE_POOL_2D", "MAX_POOL_2D"))
    for tensor, what in ((data, "input"), (output, "output")):
        require_rank(node, tensor, what, 4)
    batches, height, width, depth = data.shape
    node.expect(
        output.shape[0] == batches and output.shape[3] == depth,
        "input shape %s, output shape %s",
        data.shape,
        output.shape,
    )
    node.expect(
        floats
        or signed_zero_point(node, output, "output") == data.zero_point()
        and abs(data.scale() - output.scale()) <= _SCALE_TOLERANCE,
        "input and output must have the same scale and zero point",
    )
    padding = options.byte(0)
    sizes = height, options.word(4), output.shape[1]
    rows = Window(node, "height", sizes, (options.word(2), 1), padding)
    sizes = width, options.word(3), output.shape[2]
    columns = Window(node, "width", sizes, (options.word(1), 1), padding)
    code = require_activation(node, options.byte(5))
    low, high = float_activation(code) if floats else output_range(node, code)[1:]
    allow_rows(context, node, rows)
    set_kernel(
        context,
        node,
        _POOLS[data.type][node.operator.builtin],
        arguments(node, 1),
        batches=batches,
        input_height=height,
        input_width=width,
        depth=depth,
        filter_height=options.word(4),
        filter_width=options.word(3),
        output_height=output.shape[1],
        output_width=output.shape[2],
        stride_height=rows.stride,
        stride_width=columns.stride,
        pad_top=rows.pad,
        pad_left=columns.pad,
        activation_min=low,
        activation_max=high,
    )


OPERATORS = (
    operator(
        1,
        _prepare_pool,
        "AVERAGE_POOL_2D",
        version=3,
        options=5,
        fields=(
            "padding:i8 stride_w:i32 stride_h:i32 filter_width:i32 filter_height:i32 activation:i8"
        ),
        traits="channelwise",
        shape="pool",
        rows="window",
        uint8="own",
        types="int8, int16, float32",
    ),
    operator(
        12,
        _prepare_pool,
        "L2_POOL_2D",
        version=1,
        options=5,
        fields=(
            "padding:i8 stride_w:i32 stride_h:i32 filter_width:i32 filter_height:i32 activation:i8"
        ),
        traits="channelwise",
        shape="pool",
        rows="all",
        uint8="no",
        types="float32",
    ),
    operator(
        17,
        _prepare_pool,
        "MAX_POOL_2D",
        version=3,
        options=5,
        fields=(
            "padding:i8 stride_w:i32 stride_h:i32 filter_width:i32 filter_height:i32 activation:i8"
        ),
        traits="channelwise",
        shape="pool",
        rows="window",
        uint8="alike",
        types="int8, int16, float32",
    ),
)
