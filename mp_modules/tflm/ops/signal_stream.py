"""Signal operators that keep samples from one invoke to the next: a part of signal."""

from ..memory.allocator import resource_arg, tensor_arg
from ..schema import BOOL, FLOAT32, INT16
from .common import require_elements, require_shape, require_type, row_types, set_kernel

_MAX_SHIFT = 31
_MAX_SIZE = 1 << 20


def _state(context, nbytes):
    """Return the argument for *nbytes* of zeros that last until a reset."""
    return resource_arg(context.resources().add(nbytes))


def _args(context, node, nbytes):
    operator = node.operator
    args = [tensor_arg(i) for i in operator.inputs[:1] + operator.outputs]
    return args + [_state(context, nbytes)]


def _require(node, inputs, outputs):
    node.expect_counts(1, 1, len(outputs))
    require_type(node, node.required(0), "input", *inputs)
    for i, kind in enumerate(outputs):
        require_type(node, node.output(i), "output %d" % i, kind)


def _expect_range(node, what, value, least, most):
    node.expect(least <= value <= most, "%s is %d, %d..%d expected", what, value, least, most)


def _prepare_subtract(context, node, values):
    types = row_types("SignalFilterBankSpectralSubtraction")
    _require(node, types, types * 2)
    rest2, smoothing2, clamping, least, size, rest, smoothing, up, bits = values[:9]
    for what, value in (("smoothing_bits", up), ("spectral_subtraction_bits", bits)):
        _expect_range(node, what, value, 0, _MAX_SHIFT)
    for value in (rest2, smoothing2, least, rest, smoothing):
        _expect_range(node, "a factor", value, 0, 0x7FFFFFFF)
    require_elements(node, node.input(0), "input", size)
    for i in (0, 1):
        require_elements(node, node.output(i), "output %d" % i, size)
    set_kernel(
        context,
        node,
        "signal_subtract",
        _args(context, node, 4 * size),
        size=size,
        smoothing=smoothing,
        rest=rest,
        alternate_smoothing=smoothing2,
        alternate_rest=rest2,
        clamping=1 if clamping else 0,
        least=least,
        smoothing_bits=up,
        bits=bits,
    )


def _prepare_framer(context, node, values):
    types = row_types("SignalFramer")
    _require(node, types, types + (BOOL,))
    size, step, prefill = values[:3]
    _expect_range(node, "frame_step", step, 1, _MAX_SIZE)
    _expect_range(node, "frame_size", size, step if prefill else 1, _MAX_SIZE)
    data = node.input(0)
    length = data.shape[-1] if data.shape else 0
    node.expect(
        length > 0 and length % step == 0, "input has shape %s, steps %d", data.shape, step
    )
    shape = data.shape[:-1] + (length // step, size)
    require_elements(node, node.output(0), "output", data.elements // step * size)
    node.expect(node.output(0).shape[-1:] == (size,), "frames have %d samples, %s", size, shape)
    require_elements(node, node.output(1), "output 1", 1)
    rows = data.elements // length
    kept = (size + step - 1) // step * step
    set_kernel(
        context,
        node,
        "signal_framer_s16",
        _args(context, node, rows * (4 + 2 * kept)),
        rows=rows,
        length=length,
        size=size,
        step=step,
        kept=size - step if prefill else 0,
    )


def _prepare_stacker(context, node, values):
    types = row_types("SignalStacker")
    _require(node, types, types + (BOOL,))
    channels, left, right, step = values[:4]
    _expect_range(node, "stacker_left_context", left, 0, _MAX_SIZE)
    _expect_range(node, "stacker_right_context", right, 0, _MAX_SIZE)
    frames = left + right + 1
    _expect_range(node, "stacker_step", step, 1, frames)
    require_elements(node, node.input(0), "input", channels)
    require_elements(node, node.output(0), "output", channels * frames)
    require_elements(node, node.output(1), "output 1", 1)
    set_kernel(
        context,
        node,
        "signal_stacker_s16",
        _args(context, node, 8 + 2 * channels * frames),
        channels=channels,
        frames=frames,
        left=left,
        step=step,
    )


def _prepare_delay(context, node, values):
    types = row_types("SignalDelay")
    _require(node, types, types)
    delay = values[0]
    _expect_range(node, "delay_length", delay, 0, _MAX_SIZE)
    data = node.input(0)
    require_shape(node, node.output(0), "output", data.shape)
    node.expect(data.shape and data.elements > 0, "input has shape %s", data.shape)
    length = data.shape[-1]
    rows = data.elements // length
    args = _args(context, node, 2 * rows * delay)
    set_kernel(context, node, "signal_delay_s16", args, rows=rows, length=length, delay=delay)


def _prepare_overlap(context, node, values):
    kind, step = values[:2]
    node.expect(
        kind in row_types("SignalOverlapAdd"), "T is %d, %d or %d expected", kind, FLOAT32, INT16
    )
    _require(node, (kind,), (kind,))
    data = node.input(0)
    node.expect(len(data.shape) > 1 and data.elements > 0, "input has shape %s", data.shape)
    frames, size = data.shape[-2:]
    _expect_range(node, "frame_step", step, 1, size)
    rows = data.elements // (frames * size)
    require_elements(node, node.output(0), "output", rows * frames * step)
    set_kernel(
        context,
        node,
        "signal_overlap_s16" if kind == INT16 else "signal_overlap_f32",
        _args(context, node, rows * size * (2 if kind == INT16 else 4)),
        rows=rows,
        frames=frames,
        size=size,
        step=step,
    )


# By operator: what prepares it, and the names of its options, sorted.
PREPARES = {
    "SignalFilterBankSpectralSubtraction": (
        _prepare_subtract,
        "alternate_one_minus_smoothing alternate_smoothing clamping min_signal_remaining"
        " num_channels one_minus_smoothing smoothing smoothing_bits spectral_subtraction_bits",
    ),
    "SignalFramer": (_prepare_framer, "frame_size frame_step prefill"),
    "SignalStacker": (
        _prepare_stacker,
        "num_channels stacker_left_context stacker_right_context stacker_step",
    ),
    "SignalDelay": (_prepare_delay, "delay_length"),
    "SignalOverlapAdd": (_prepare_overlap, "T frame_step"),
}
