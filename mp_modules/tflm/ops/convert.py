"""From one type or quantization to another: QUANTIZE and DEQUANTIZE."""

from ..schema import FLOAT16, FLOAT32, INT8, INT16, INT32, UINT8
from .common import (
    allow_elementwise,
    arguments,
    kernel,
    multiplier_of,
    operator,
    real_scale_of,
    require_elements,
    require_type,
    row_types,
    scale_of,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "QUANTIZE": ("size", "scale", "zero_point"),
    "DEQUANTIZE": ("size", "scale", "zero_point"),
    "REQUANTIZE": ("size", "input_offset", "output_offset", "multiplier", "shift"),
}

KERNELS = (
    kernel(
        14,
        "quantize_f32_s8",
        record="QUANTIZE",
        arguments="raw input -> s8 output",
        slices="elements 12",
    ),
    kernel(
        15,
        "requantize_s8",
        record="REQUANTIZE",
        arguments="s8 input -> s8 output",
        slices="elements 9",
        traits="table",
    ),
    kernel(
        16,
        "requantize_s16_s8",
        record="REQUANTIZE",
        arguments="s16 input -> s8 output",
        slices="elements 9",
    ),
    kernel(
        17,
        "requantize_s16_s32",
        record="REQUANTIZE",
        arguments="s16 input -> s32 output",
        slices="elements 9",
    ),
    kernel(
        32,
        "requantize_s8_u8",
        record="REQUANTIZE",
        arguments="s8 input -> u8 output",
        slices="elements 9",
    ),
    kernel(
        33,
        "requantize_u8_s8",
        record="REQUANTIZE",
        arguments="u8 input -> s8 output",
        slices="elements 9",
    ),
    kernel(
        34,
        "dequantize_s8_f32",
        record="DEQUANTIZE",
        arguments="s8 input -> raw output",
        slices="elements 8",
    ),
    kernel(
        35,
        "dequantize_u8_f32",
        record="DEQUANTIZE",
        arguments="u8 input -> raw output",
        slices="elements 8",
    ),
    kernel(
        36,
        "dequantize_s16_f32",
        record="DEQUANTIZE",
        arguments="s16 input -> raw output",
        slices="elements 8",
    ),
    kernel(
        58,
        "quantize_f32_s16",
        record="QUANTIZE",
        arguments="raw input -> s16 output",
        slices="elements 12",
        traits="native",
    ),
    kernel(
        59,
        "requantize_s8_s16",
        record="REQUANTIZE",
        arguments="s8 input -> s16 output",
        slices="elements 9",
        traits="native",
    ),
    kernel(
        60,
        "requantize_s8_s32",
        record="REQUANTIZE",
        arguments="s8 input -> s32 output",
        slices="elements 9",
        traits="native",
    ),
    kernel(
        61,
        "requantize_s16",
        record="REQUANTIZE",
        arguments="raw16 input -> s16 output",
        slices="elements 9",
        traits="native",
    ),
    kernel(
        62,
        "requantize_s32_s8",
        record="REQUANTIZE",
        arguments="raw input -> s8 output",
        slices="elements 9",
        traits="native",
    ),
    kernel(
        63,
        "requantize_s32_s16",
        record="REQUANTIZE",
        arguments="raw input -> s16 output",
        slices="elements 9",
        traits="native",
    ),
    kernel(
        152,
        "dequantize_f16_f32",
        record="DEQUANTIZE",
        arguments="raw16 input -> raw output",
        slices="elements 8",
        traits="native",
    ),
)


_LIMITS = {
    INT8: (-128, 127),
    UINT8: (0, 255),
    INT16: (-32768, 32767),
    INT32: (1 - (1 << 31), (1 << 31) - 1),  # whose negative is one, too
}
_QUANTIZE = {
    (FLOAT32, INT8): "quantize_f32_s8",
    (FLOAT32, INT16): "quantize_f32_s16",
    (INT8, INT8): "requantize_s8",
    (INT8, UINT8): "requantize_s8_u8",
    (INT8, INT16): "requantize_s8_s16",
    (INT8, INT32): "requantize_s8_s32",
    (UINT8, INT8): "requantize_u8_s8",
    (INT16, INT8): "requantize_s16_s8",
    (INT16, INT16): "requantize_s16",
    (INT16, INT32): "requantize_s16_s32",
    (INT32, INT8): "requantize_s32_s8",
    (INT32, INT16): "requantize_s32_s16",
}
_DEQUANTIZE = {
    INT8: "dequantize_s8_f32",
    UINT8: "dequantize_u8_f32",
    INT16: "dequantize_s16_f32",
    FLOAT16: "dequantize_f16_f32",
}


def _prepare_quantize(context, node):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *row_types("QUANTIZE"))
    require_type(node, output, "output", *[o for i, o in _QUANTIZE if i == data.type])
    kernel = _QUANTIZE[data.type, output.type]
    require_elements(node, output, "output", data.elements)
    scale = scale_of(node, output, "output")
    zero_point = zero_point_of(node, output, "output", *_LIMITS[output.type])
    allow_elementwise(context, node)
    args = arguments(node, 1)
    size = data.elements
    if data.type == FLOAT32:
        set_kernel(context, node, kernel, args, size=size, scale=scale, zero_point=zero_point)
        return
    multiplier, shift = multiplier_of(
        node, real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
    )
    set_kernel(
        context,
        node,
        kernel,
        args,
        size=size,
        input_offset=-zero_point_of(node, data, "input", *_LIMITS[data.type]),
        output_offset=zero_point,
        multiplier=multiplier,
        shift=shift,
    )


def _prepare_dequantize(context, node):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *row_types("DEQUANTIZE"))
    require_type(node, output, "output", FLOAT32)
    require_elements(node, output, "output", data.elements)
    scale = zero_point = 0
    if data.type == FLOAT16:
        node.expect(data.data, "input (tensor %d) is float16 and not constant", data.index)
    else:
        scale = scale_of(node, data, "input")
        zero_point = zero_point_of(node, data, "input", *_LIMITS[data.type])
    allow_elementwise(context, node)
    set_kernel(
        context,
        node,
        _DEQUANTIZE[data.type],
        arguments(node, 1),
        size=data.elements,
        scale=scale,
        zero_point=zero_point,
    )


OPERATORS = (
    operator(
        6,
        _prepare_dequantize,
        "DEQUANTIZE",
        version=6,
        options=38,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, uint8, int16, float16 to float32",
        notes="float16: only constants",
    ),
    operator(
        114,
        _prepare_quantize,
        "QUANTIZE",
        version=3,
        options=89,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="float32, int8, uint8, int16, int32 to int8, int16",
        notes="int8, int16 to int32; int8 and uint8",
    ),
)
