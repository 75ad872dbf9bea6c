"""Byte layout of everything that the runtime keeps in the arena, declared once.

Node table   one entry a node, in execution order, NODE_SIZE bytes each:
                 u16 kernel   index in KERNELS, or NO_KERNEL for a node that runs in Python
                 u16 refs     number of refs in the record
                 i32 record   ref of the node's record
Record       refs (i32 each, one a kernel argument, in the kernel's order), then the
             parameters (i32 each, in the order of the record's tuple below).
Ref          offset << 1 | space; the space is ARENA or MODEL; ABSENT is -1.

All words are little-endian. Offsets count from the 16-byte aligned arena base or from the
first byte of the model, so an arena can be moved, saved and loaded elsewhere.

A record's name ending in "[]" is an array that fills the rest of the record. Float32 scales
and bounds are carried as their bit patterns. `make layout` writes firmware/tflm/layout.h
(structs, prototypes and the kernel table) from this file; the viper twins are checked
against it by a test.
"""

from .port import const

ALIGNMENT = const(16)
NODE_SIZE = const(8)
NODE_FORMAT = "<HHi"
NO_KERNEL = const(0xFFFF)
WORD = const(4)

# To be raised with any change of what constants and tables in a prepared model mean to a kernel;
# with KERNELS it makes the number that such a model and its build must share (`_tflm.layout`).
PREPARED_FORMAT = const(2)

ARENA = const(0)
MODEL = const(1)
ABSENT = const(-1)

CONV_2D = (
    "batches",
    "input_height",
    "input_width",
    "input_depth",
    "filter_height",
    "filter_width",
    "filter_depth",  # input_depth / groups
    "output_height",
    "output_width",
    "output_depth",
    "stride_height",
    "stride_width",
    "dilation_height",
    "dilation_width",
    "pad_top",
    "pad_left",
    "input_offset",  # -zero_point of the input
    "output_offset",  # +zero_point of the output
    "activation_min",
    "activation_max",
    "input_scale",  # float32 bits
    "output_scale",  # float32 bits
    "scale_step",  # bytes from one channel's filter scale to the next: 4, or 0 when they share one
)

DEPTHWISE_CONV_2D = (
    "batches",
    "input_height",
    "input_width",
    "input_depth",
    "filter_height",
    "filter_width",
    "depth_multiplier",
    "output_height",
    "output_width",
    "output_depth",  # input_depth * depth_multiplier
    "stride_height",
    "stride_width",
    "dilation_height",
    "dilation_width",
    "pad_top",
    "pad_left",
    "input_offset",
    "output_offset",
    "activation_min",
    "activation_max",
    "input_scale",
    "output_scale",
    "scale_step",
)

FULLY_CONNECTED = (
    "batches",
    "input_depth",
    "output_depth",
    "input_offset",
    "filter_offset",  # -zero_point of the filter
    "output_offset",
    "multiplier",
    "shift",
    "activation_min",
    "activation_max",
)

FULLY_CONNECTED_PER_CHANNEL = (
    "batches",
    "input_depth",
    "output_depth",
    "input_offset",
    "output_offset",
    "activation_min",
    "activation_max",
    "input_scale",
    "output_scale",
)

FULLY_CONNECTED_F32 = (
    "batches",
    "input_depth",
    "output_depth",
    "activation_min",
    "activation_max",
)

POOL_2D = (
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
)

# Broadcasting: dims[] holds rank triples (extent, step of input1, step of input2), outermost
# first; steps in elements, 0 where that input repeats. The output is written in order.
ADD = (
    "left_shift",
    "input1_offset",
    "input1_multiplier",
    "input1_shift",
    "input2_offset",
    "input2_multiplier",
    "input2_shift",
    "output_offset",
    "output_multiplier",
    "output_shift",
    "activation_min",
    "activation_max",
    "rank",
    "dims[]",
)
MUL = (
    "input1_offset",
    "input2_offset",
    "output_offset",
    "multiplier",
    "shift",
    "activation_min",
    "activation_max",
    "rank",
    "dims[]",
)
ADD_F32 = ("activation_min", "activation_max", "rank", "dims[]")

SOFTMAX = ("rows", "depth", "multiplier", "left_shift", "diff_min")
COPY = ("nbytes",)
QUANTIZE = ("size", "scale", "zero_point")
REQUANTIZE = ("size", "input_offset", "output_offset", "multiplier", "shift")

SVDF = (
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
)

# dims[] holds rank triples (elements before, extent of the input, elements after).
PAD = ("pad_value", "rank", "dims[]")

# dims[] holds kept pairs (extent, step of the input in elements), then reduced pairs.
# "bias" is -zero_point of the input times the number of elements reduced.
MEAN = ("multiplier", "shift", "bias", "output_offset", "kept", "reduced", "dims[]")

# sizes[] holds, for each input, the bytes that it gives to each of the `outer` rows.
CONCATENATION = ("outer", "count", "sizes[]")

LOGISTIC = ("size", "input_zero_point", "input_range_radius", "multiplier", "left_shift")
RELU = (
    "size",
    "input_zero_point",
    "output_zero_point",
    "multiplier",
    "shift",
    "activation_min",
    "activation_max",
)
CLAMP = ("size", "minimum", "maximum")
LEAKY_RELU = (
    "size",
    "input_zero_point",
    "output_zero_point",
    "identity_multiplier",
    "identity_shift",
    "alpha_multiplier",
    "alpha_shift",
)
RELU_F32 = ("size",)
LOOKUP = ("elements",)

# name, parameters, arguments in order. An argument is "type name"; types: s8, s16, s32 and f32
# (aligned, in the arena unless said), raw (little-endian words at any alignment), bytes, and
# "..." (any number of bytes arguments). The last arguments after "->" are written.
KERNELS = (
    (
        "conv_2d_s8",
        CONV_2D,
        "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch",
    ),
    (
        "depthwise_conv_2d_s8",
        DEPTHWISE_CONV_2D,
        "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch",
    ),
    (
        "fully_connected_s8",
        FULLY_CONNECTED,
        "s8 input, s8 filter, raw bias, s32 constants -> s8 output",
    ),
    (
        "fully_connected_per_channel_s8",
        FULLY_CONNECTED_PER_CHANNEL,
        "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output",
    ),
    ("fully_connected_f32", FULLY_CONNECTED_F32, "raw input, raw filter, raw bias -> raw output"),
    ("average_pool_2d_s8", POOL_2D, "s8 input -> s8 output"),
    ("max_pool_2d_s8", POOL_2D, "s8 input -> s8 output"),
    ("add_s8", ADD, "s8 input1, s8 input2 -> s8 output"),
    ("sub_s8", ADD, "s8 input1, s8 input2 -> s8 output"),
    ("mul_s8", MUL, "s8 input1, s8 input2 -> s8 output"),
    ("add_f32", ADD_F32, "raw input1, raw input2 -> raw output"),
    ("softmax_s8", SOFTMAX, "s8 input -> s8 output"),
    ("softmax_s8_s16", SOFTMAX, "s8 input -> s16 output"),
    ("copy", COPY, "bytes input -> bytes output"),
    ("quantize_f32_s8", QUANTIZE, "raw input -> s8 output"),
    ("requantize_s8", REQUANTIZE, "s8 input -> s8 output"),
    ("requantize_s16_s8", REQUANTIZE, "s16 input -> s8 output"),
    ("requantize_s16_s32", REQUANTIZE, "s16 input -> s32 output"),
    (
        "svdf_s8",
        SVDF,
        "s8 input, s8 weights_feature, s8 weights_time, raw bias"
        " -> s8 state, s8 output, s32 scratch, s32 output_scratch",
    ),
    (
        "svdf_s16",
        SVDF,
        "s8 input, s8 weights_feature, raw weights_time, raw bias"
        " -> s16 state, s8 output, s32 scratch, s32 output_scratch",
    ),
    ("pad_s8", PAD, "s8 input -> s8 output"),
    ("mean_s8", MEAN, "s8 input -> s8 output"),
    ("concatenation", CONCATENATION, "... inputs -> bytes output"),
    ("logistic_s8", LOGISTIC, "s8 input -> s8 output"),
    ("tanh_s8", LOGISTIC, "s8 input -> s8 output"),
    ("relu_s8", RELU, "s8 input -> s8 output"),
    ("relu6_s8", CLAMP, "s8 input -> s8 output"),
    ("leaky_relu_s8", LEAKY_RELU, "s8 input -> s8 output"),
    ("relu_f32", RELU_F32, "raw input -> raw output"),
    ("lookup_s8", LOOKUP, "s8 input, bytes table -> s8 output"),
)


def words_of(name, params):
    """Return the words of a record of kernel *name*; in *params* an array goes without "[]"."""
    fields = KERNELS[kernel_index(name)][1]
    if len(fields) != len(params):
        raise TypeError("kernel %s takes %s, not %s" % (name, fields, sorted(params)))
    words = [params[field.rstrip("[]")] for field in fields]
    if fields[-1].endswith("[]"):
        words += words.pop()
    return words


def kernel_names():
    """Return the names of all kernels, in order."""
    return [kernel[0] for kernel in KERNELS]


def kernel_index(name):
    """Return the index of kernel *name* in KERNELS."""
    names = kernel_names()
    if name not in names:
        raise ValueError("no kernel is called " + name)
    return names.index(name)
