"""One input, element by element: activations; functions of float32 in elementwise_float.py."""

import tflm.ops.quantize as q

from ..schema import FLOAT32, INT8, INT16
from .common import (
    INT8_MAX,
    INT16_MAX,
    allow_elementwise,
    arguments,
    input_and_output,
    is_float,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_elements,
    row_types,
    set_kernel,
    signed_zero_point,
    zero_point_of,
)
from .elementwise_kernels import KERNELS, RECORDS  # noqa: F401 - index.py takes them

_LARGEST = {INT8: INT8_MAX, INT16: INT16_MAX}
_RELU = 19  # builtin codes
_RELU6 = 21
_LEAKY_RELU = 98
_LEAKY_OPTIONS = 75  # BuiltinOptions


def _check_activation(context, node, types):
    """Check the node, allow in-place reuse; return (input, output, arguments)."""
    data, output = input_and_output(node, types)
    require_elements(node, output, "output", data.elements)
    allow_elementwise(context, node)
    return data, output, arguments(node, 1)


def _activation_scales(node, data, output):
    """Return (input scale, output scale)."""
    return real_scale_of(node, data, "input"), real_scale_of(node, output, "output")


def _prepare_relu(context, node):
    data, output, args = _check_activation(context, node, row_types("RELU"))
    if data.type == FLOAT32:
        set_kernel(context, node, "relu_f32", args, size=data.elements)
        return
    multiplier, shift = multiplier_of(node, *_activation_scales(node, data, output))
    zero_point = signed_zero_point(node, output, "output")
    set_kernel(
        context,
        node,
        "relu_s8" if data.type == INT8 else "relu_s16",
        args,
        size=data.elements,
        input_zero_point=signed_zero_point(node, data, "input"),
        output_zero_point=zero_point,
        multiplier=multiplier,
        shift=shift,
        activation_min=zero_point,
        activation_max=_LARGEST[data.type],
    )


def _prepare_sign(context, node):
    types = row_types("SIGN")
    if is_float(node, types):
        _prepare_float(context, node)
        return
    data, _, args = _check_activation(context, node, types)
    set_kernel(context, node, "sign_s32", args, size=data.elements)


def _prepare_relu_0_to_1(context, node):
    """Prepare RELU_0_TO_1 as TFLite's reference does; TFLM lacks it."""
    types = row_types("RELU_0_TO_1")
    if is_float(node, types):
        _prepare_float(context, node)
        return
    data, output, args = _check_activation(context, node, types)
    scale, output_scale = _activation_scales(node, data, output)
    multiplier, shift = multiplier_of(node, q.div(scale, output_scale, q.SINGLE), (1, 0))
    zero_point = zero_point_of(node, output, "output")
    one = q.round_to_int(q.div((1, 0), output_scale, q.SINGLE))
    set_kernel(
        context,
        node,
        "relu_s8",
        args,
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        output_zero_point=zero_point,
        multiplier=multiplier,
        shift=shift,
        activation_min=zero_point,
        activation_max=min(zero_point + one, INT8_MAX),
    )


def _prepare_float(context, node):
    """Prepare a function of float32."""
    from .elementwise_float import prepare

    prepare(context, node)


def _prepare_function(context, node):
    """Prepare a function of float32, int8 and perhaps int16."""
    if node.required(0).type == FLOAT32:
        from .elementwise_float import prepare
    else:
        from .elementwise_functions import prepare
    prepare(context, node)


def _prepare_transform(context, node):
    """Prepare a function of float32 that int8 and int16 compute by it."""
    if node.required(0).type == FLOAT32:
        from .elementwise_float import prepare
    else:
        from .elementwise_transforms import prepare
    prepare(context, node)


def _prepare_gelu(context, node):
    from .elementwise_transforms import prepare

    prepare(context, node)


def _prepare_relu6(context, node):
    types = row_types("RELU6")
    if is_float(node, types):
        _prepare_float(context, node)
        return
    data, _, args = _check_activation(context, node, types)
    zero = signed_zero_point(node, data, "input")
    six = q.round_to_int(q.div((6, 0), real_scale_of(node, data, "input"), q.SINGLE))
    set_kernel(
        context,
        node,
        "relu6_s8" if data.type == INT8 else "relu6_s16",
        args,
        size=data.elements,
        minimum=zero,
        maximum=min(zero + six, _LARGEST[data.type]),
    )


def _prepare_leaky(context, node):
    types = row_types("LEAKY_RELU")
    if is_float(node, types):
        _prepare_float(context, node)
        return
    data, output, args = _check_activation(context, node, types)
    alpha = options_of(node, _LEAKY_OPTIONS).word(0)
    node.expect(alpha & 0x7F800000 != 0x7F800000, "alpha (bits %08x) is not finite", alpha)
    scale, output_scale = _activation_scales(node, data, output)
    product = q.mul(scale, q.from_bits(alpha), q.DOUBLE)
    alpha_multiplier, alpha_shift = multiplier_of(node, product, output_scale)
    multiplier, shift = multiplier_of(node, scale, output_scale)
    set_kernel(
        context,
        node,
        "leaky_relu_s8" if data.type == INT8 else "leaky_relu_s16",
        args,
        size=data.elements,
        input_zero_point=signed_zero_point(node, data, "input"),
        output_zero_point=signed_zero_point(node, output, "output"),
        identity_multiplier=multiplier,
        identity_shift=shift,
        alpha_multiplier=-alpha_multiplier if alpha >> 31 else alpha_multiplier,
        alpha_shift=alpha_shift,
    )


_LOGISTIC = 14  # builtin codes
_TANH = 28
_INTEGER_BITS = 4  # of the scaled input
_CURVE_SCALE = 2**-15  # of a curve's int16 output
_LARGEST_FACTOR = 32767
_POWER = 0x39800000  # 2**-12
_NEAR_POWER = ((11620, 5813), (11624, 5815))  # steps of a scale below and above 2**-12, 2**-11


def _prepare_curve(context, node):
    types = row_types("LOGISTIC", "TANH")
    if is_float(node, types):
        _prepare_float(context, node)
        return
    is_tanh = node.operator.builtin == _TANH
    data, output = input_and_output(node, types)
    require_elements(node, output, "output", data.elements)
    if data.type == INT16:
        _prepare_curve_s16(context, node, is_tanh)
        return
    output_zero_point = 0 if is_tanh else -128
    node.expect(
        output.zero_point() == output_zero_point,
        "output has zero point %d, %d expected",
        output.zero_point(),
        output_zero_point,
    )
    real = q.shifted(real_scale_of(node, data, "input"), 31 - _INTEGER_BITS)
    multiplier, shift = q.quantize_multiplier(real)
    # Beyond 31 the radius is 0: every input saturates and nothing is shifted.
    node.expect(multiplier > 0 and shift >= 0, "input scale %s is too small", data.scale())
    allow_elementwise(context, node)
    set_kernel(
        context,
        node,
        "tanh_s8" if is_tanh else "logistic_s8",
        arguments(node, 1),
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        input_range_radius=q.input_radius(_INTEGER_BITS, shift),
        multiplier=multiplier,
        left_shift=shift,
    )


def _power_of(bits, is_tanh):
    """Return 0 or 1 where a scale of these *bits* counts as 2**-12 or TANH's as 2**-11, else None.

    It does where its logarithm, computed in float32, is less than 0.001 from a whole number.
    """
    for power in range(1 + is_tanh):
        less, more = _NEAR_POWER[power]
        if -less <= bits - (_POWER + (power << 23)) <= more:
            return power
    return None


def _prepare_curve_s16(context, node, is_tanh):
    """Scale inputs to 12 bits behind the point, times 3: by a factor of 16 bits and a shift."""
    data, output = node.input(0), node.output(0)
    node.expect(
        output.scale() == _CURVE_SCALE and signed_zero_point(node, output, "output") == 0,
        "output has the scale %s, 1/32768 expected",
        output.scale(),
    )
    signed_zero_point(node, data, "input")
    real, shift = real_scale_of(node, data, "input"), 0
    m, e = q.shifted(q.mul((3, 0), real, q.DOUBLE), 12)
    power = _power_of(data.scale_bits(), is_tanh)
    if power is None:
        while shift <= 30 and not q.less((_LARGEST_FACTOR, 0), (2 * m, e + shift)):
            shift += 1
        factor = m << (e + shift) if e + shift >= 0 else m >> -(e + shift)
    else:
        factor = 3 << power
    node.expect(factor < 1 << 16, "input scale %s is too large", data.scale())
    allow_elementwise(context, node)
    name = "tanh_s16" if is_tanh else "logistic_s16"
    args = arguments(node, 1)
    set_kernel(context, node, name, args, size=data.elements, multiplier=factor, left_shift=shift)


OPERATORS = (
    operator(
        8,
        _prepare_float,
        "FLOOR",
        version=1,
        functions="UNARY_F32:2",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="float32",
    ),
    operator(
        14,
        _prepare_curve,
        "LOGISTIC",
        version=3,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        19,
        _prepare_relu,
        "RELU",
        version=3,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        21,
        _prepare_relu6,
        "RELU6",
        version=3,
        functions="UNARY_F32:9",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="one_scale",
        types="int8, int16, float32",
    ),
    operator(
        28,
        _prepare_curve,
        "TANH",
        version=3,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        47,
        _prepare_transform,
        "EXP",
        version=2,
        functions="TRANSFORM:0",
        options=33,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
    ),
    operator(
        59,
        _prepare_float,
        "NEG",
        version=1,
        functions="UNARY_F32:1",
        options=42,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="float32",
    ),
    operator(
        66,
        _prepare_transform,
        "SIN",
        version=1,
        functions="TRANSFORM:3",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
    ),
    operator(
        73,
        _prepare_transform,
        "LOG",
        version=2,
        functions="TRANSFORM:1",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
        notes="integers: the lowest of 0 and less",
    ),
    operator(
        75,
        _prepare_transform,
        "SQRT",
        version=1,
        functions="UNARY_F32:6 TRANSFORM:2",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
        notes="integers: 0 of negative ones",
    ),
    operator(
        76,
        _prepare_function,
        "RSQRT",
        version=3,
        functions="UNARY_F32:7 FORMULA:0",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
        notes="integers: the largest of negative ones",
    ),
    operator(
        92,
        _prepare_float,
        "SQUARE",
        version=1,
        functions="UNARY_F32:5",
        options=66,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="float32",
    ),
    operator(
        98,
        _prepare_leaky,
        "LEAKY_RELU",
        version=2,
        options=75,
        fields="alpha:f32",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        101,
        _prepare_function,
        "ABS",
        version=5,
        functions="UNARY_F32:0 FORMULA:3",
        options=78,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
    ),
    operator(
        104,
        _prepare_float,
        "CEIL",
        version=1,
        functions="UNARY_F32:3",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="float32",
    ),
    operator(
        108,
        _prepare_transform,
        "COS",
        version=1,
        functions="TRANSFORM:4",
        options=84,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, float32",
    ),
    operator(
        111,
        _prepare_function,
        "ELU",
        version=1,
        functions="FORMULA:1",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, float32",
    ),
    operator(
        116,
        _prepare_float,
        "ROUND",
        version=1,
        functions="UNARY_F32:4",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="float32",
    ),
    operator(
        117,
        _prepare_function,
        "HARD_SWISH",
        version=1,
        functions="UNARY_F32:8 FORMULA:2",
        options=91,
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, float32",
    ),
    operator(
        150,
        _prepare_gelu,
        "GELU",
        version=2,
        functions="TRANSFORM:5",
        options=116,
        fields="approximate:bool",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        152,
        _prepare_relu_0_to_1,
        "RELU_0_TO_1",
        version=1,
        functions="UNARY_F32:11",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="alike",
        types="int8, float32",
    ),
    operator(
        158,
        _prepare_sign,
        "SIGN",
        version=1,
        functions="UNARY_F32:10",
        traits="channelwise",
        shape="same",
        rows="each",
        uint8="no",
        types="int32, float32",
    ),
)
