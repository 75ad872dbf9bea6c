"""TFLM's signal library: windows, Fourier transforms and filter banks of audio front ends.

These are custom operators. Their options are a FlexBuffer's map, of which TFLM reads the values by
place, not by name. Source: signal/micro/kernels of tflite-micro.
"""

from struct import unpack_from

from ..base.errors import message_of
from ..file.flexbuffer import in_order
from ..memory.allocator import tensor_arg
from ..schema import INT16, INT32, UINT32, UINT64
from .common import (
    arguments,
    kernel,
    operator,
    require_elements,
    require_shape,
    require_type,
    row_types,
    set_kernel,
)

RECORDS = {
    "SIGNAL_WINDOW": ("rows", "length", "bits"),
    # turns[]: see signal_fft.turns; input_length: of a row
    "SIGNAL_RFFT": ("rows", "input_length", "length", "turns[]"),
    "SIGNAL_ENERGY": ("size", "first", "last"),
    "SIGNAL_SIZE": ("size",),
    "SIGNAL_PCAN": ("size", "snr_bits"),
    "SIGNAL_LOG": ("size", "correction_bits", "scale"),
    "SIGNAL_SUBTRACT": (
        "size",
        "smoothing",
        "rest",  # 1 less the smoothing
        "alternate_smoothing",  # of channels 1, 3, 5...
        "alternate_rest",
        "clamping",
        "least",  # share of the input that remains
        "smoothing_bits",
        "bits",  # behind the point of all factors
    ),
    "SIGNAL_FRAMER": ("rows", "length", "size", "step", "kept"),
    "SIGNAL_STACKER": ("channels", "frames", "left", "step"),
    "SIGNAL_DELAY": ("rows", "length", "delay"),
    "SIGNAL_OVERLAP": ("rows", "frames", "size", "step"),
}

KERNELS = (
    kernel(
        107,
        "signal_window_s16",
        record="SIGNAL_WINDOW",
        arguments="raw16 input, raw16 weights -> s16 output",
        traits="native",
    ),
    kernel(
        108,
        "signal_scale_s16",
        record="SIGNAL_SIZE",
        arguments="raw16 input -> s16 output, s32 bits",
        traits="native",
    ),
    kernel(
        109,
        "signal_rfft_s16",
        record="SIGNAL_RFFT",
        arguments="raw16 input -> s16 output, s16 scratch",
        traits="native",
    ),
    kernel(
        110,
        "signal_irfft_s16",
        record="SIGNAL_RFFT",
        arguments="raw16 input -> s16 output, s16 scratch",
        traits="native",
    ),
    kernel(
        111,
        "signal_energy_s16",
        record="SIGNAL_ENERGY",
        arguments="raw16 input -> s32 output",
        traits="native",
    ),
    kernel(
        112,
        "signal_filter_bank",
        record="SIGNAL_SIZE",
        arguments=(
            "raw input, raw16 weights, raw16 unweights, raw16 starts, raw16 weight_starts,"
            " raw16 widths -> bytes output"
        ),
        traits="native",
    ),
    kernel(
        113,
        "signal_square_root",
        record="SIGNAL_SIZE",
        arguments="bytes input, raw scale_bits -> s32 output",
        traits="native",
    ),
    kernel(
        114,
        "signal_pcan",
        record="SIGNAL_PCAN",
        arguments="raw input, raw noise, raw16 gains -> s32 output",
        traits="native",
    ),
    kernel(
        115,
        "signal_log",
        record="SIGNAL_LOG",
        arguments="raw input -> s16 output",
        traits="native",
    ),
    kernel(
        116,
        "signal_subtract",
        record="SIGNAL_SUBTRACT",
        arguments="raw input -> s32 output, s32 noise, s32 state",
        traits="native",
    ),
    kernel(
        117,
        "signal_framer_s16",
        record="SIGNAL_FRAMER",
        arguments="raw16 input -> s16 output, bytes valid, s32 state",
        traits="native",
    ),
    kernel(
        118,
        "signal_stacker_s16",
        record="SIGNAL_STACKER",
        arguments="raw16 input -> s16 output, bytes valid, s32 state",
        traits="native",
    ),
    kernel(
        119,
        "signal_delay_s16",
        record="SIGNAL_DELAY",
        arguments="raw16 input -> s16 output, s16 state",
        traits="native",
    ),
    kernel(
        120,
        "signal_overlap_s16",
        record="SIGNAL_OVERLAP",
        arguments="raw16 input -> s16 output, s16 state",
        traits="native",
    ),
    kernel(
        121,
        "signal_overlap_f32",
        record="SIGNAL_OVERLAP",
        arguments="raw input -> raw output, raw state",
        traits="native",
    ),
    kernel(
        155,
        "signal_rfft_s32",
        record="SIGNAL_RFFT",
        arguments="raw input -> s32 output, s32 scratch",
        traits="native",
    ),
    kernel(
        156,
        "signal_irfft_s32",
        record="SIGNAL_RFFT",
        arguments="raw input -> s32 output, s32 scratch",
        traits="native",
    ),
    kernel(
        157,
        "signal_rfft_f32",
        record="SIGNAL_RFFT",
        arguments="raw input -> f32 output, f32 scratch",
        traits="native",
    ),
    kernel(
        158,
        "signal_irfft_f32",
        record="SIGNAL_RFFT",
        arguments="raw input -> f32 output, f32 scratch",
        traits="native",
    ),
)

_MAX_SHIFT = 31
_GAINS = 125  # entries of PCAN's table that a 32-bit number can lead to


def _options(node, names):
    """Return the values of the custom options, one for each of *names*, which are sorted."""
    try:
        values = in_order(node.operator.custom_options)
    except ValueError as error:
        node.operator.fail("custom options: %s" % error)
    names = message_of(names).split()  # firmware packs what is long
    node.expect(
        len(values) >= len(names)
        and all([isinstance(value, (int, bool)) for value in values[: len(names)]]),
        "has the custom options %s, numbers expected for %s",
        values,
        names,
    )
    return values


def _expect_range(node, what, value, least, most):
    node.expect(least <= value <= most, "%s is %d, %d..%d expected", what, value, least, most)


def _require_types(node, inputs, outputs):
    """Raise unless the node has inputs and outputs of these types."""
    node.expect_counts(len(inputs), len(inputs), len(outputs))
    for i, kind in enumerate(inputs):
        require_type(node, node.required(i), "input %d" % i, kind)
    for i, kind in enumerate(outputs):
        require_type(node, node.output(i), "output %d" % i, kind)


def _prepare_window(context, node):
    types = row_types("SignalWindow")
    _require_types(node, types * 2, types)
    (shift,) = _options(node, "shift")[:1]
    _expect_range(node, "shift", shift, 0, _MAX_SHIFT)
    data, length = node.input(0), node.input(1).elements
    require_shape(node, node.output(0), "output", data.shape)
    node.expect(
        length > 0 and data.shape[-1:] == (length,),
        "input has shape %s, the window %d weights",
        data.shape,
        length,
    )
    context.allow_overlap(node, 0)
    args, rows = arguments(node, 2), data.elements // length
    set_kernel(context, node, "signal_window_s16", args, rows=rows, length=length, bits=shift)


def _prepare_scale(context, node):
    types = row_types("SignalFftAutoScale")
    _require_types(node, types, types + (INT32,))
    size = node.input(0).elements
    require_elements(node, node.output(0), "output", size)
    require_elements(node, node.output(1), "output 1", 1)
    args = arguments(node, 1) + [tensor_arg(node.operator.outputs[1])]
    set_kernel(context, node, "signal_scale_s16", args, size=size)


def _prepare_transform(context, node):
    kind, length = _options(node, "T fft_length")[:2]
    from .signal_fft import prepare

    prepare(context, node, kind, length)


def _prepare_energy(context, node):
    _require_types(node, row_types("SignalEnergy"), (UINT32,))
    last, first = _options(node, "end_index start_index")[:2]
    size = node.output(0).elements
    require_elements(node, node.input(0), "input", 2 * size)
    node.expect(
        0 <= first <= last <= size, "indices are %d to %d, of %d values", first, last, size
    )
    args = arguments(node, 1)
    set_kernel(context, node, "signal_energy_s16", args, size=size, first=first, last=last)


def _prepare_filter_bank(context, node):
    _require_types(node, row_types("SignalFilterBank") + (INT16,) * 5, (UINT64,))
    (channels,) = _options(node, "num_channels")[:1]
    require_elements(node, node.output(0), "output", channels)
    lists = []
    for i in (3, 4, 5):
        tensor = node.input(i)
        node.expect(tensor.data, "input %d (tensor %d) is not constant", i, tensor.index)
        require_elements(node, tensor, "input %d" % i, channels + 1)
        lists.append(unpack_from("<%dh" % (channels + 1), node.subgraph.model.buf, tensor.data))
    counts = node.input(0).elements, node.input(1).elements
    require_elements(node, node.input(2), "input 2", counts[1])
    for channel, (start, at, width) in enumerate(zip(*lists)):
        node.expect(
            start >= 0 and at >= 0 and width >= 0 and start + width <= counts[0],
            "channel %d reads %d of %d values from %d on",
            channel,
            width,
            counts[0],
            start,
        )
        node.expect(
            at + width <= counts[1],
            "channel %d takes %d of %d weights from %d on",
            channel,
            width,
            counts[1],
            at,
        )
    set_kernel(context, node, "signal_filter_bank", arguments(node, 6), size=channels)


def _prepare_square_root(context, node):
    _require_types(node, row_types("SignalFilterBankSquareRoot") + (INT32,), (UINT32,))
    size = node.input(0).elements
    require_elements(node, node.input(1), "scale bits", 1)
    require_elements(node, node.output(0), "output", size)
    set_kernel(context, node, "signal_square_root", arguments(node, 2), size=size)


def _prepare_pcan(context, node):
    types = row_types("SignalPCAN")
    _require_types(node, types * 2 + (INT16,), types)
    (shift,) = _options(node, "snr_shift")[:1]
    _expect_range(node, "snr_shift", shift, 0, _MAX_SHIFT)
    size = node.input(0).elements
    require_elements(node, node.input(1), "noise", size)
    require_elements(node, node.output(0), "output", size)
    gains = node.input(2)
    node.expect(gains.elements >= _GAINS, "%d gains, %d expected", gains.elements, _GAINS)
    set_kernel(context, node, "signal_pcan", arguments(node, 3), size=size, snr_bits=shift)


def _prepare_log(context, node):
    _require_types(node, row_types("SignalFilterBankLog"), (INT16,))
    bits, scale = _options(node, "input_correction_bits output_scale")[:2]
    _expect_range(node, "input_correction_bits", bits, 0, _MAX_SHIFT)
    _expect_range(node, "output_scale", scale, 0, 0x7FFFFFFF)
    size = node.input(0).elements
    require_elements(node, node.output(0), "output", size)
    args = arguments(node, 1)
    set_kernel(context, node, "signal_log", args, size=size, correction_bits=bits, scale=scale)


def _prepare_stream(context, node):
    from .signal_stream import PREPARES

    prepare, options = PREPARES[node.operator.custom_name]
    prepare(context, node, _options(node, options))


OPERATORS = (
    operator(
        "SignalFilterBankSpectralSubtraction",
        _prepare_stream,
        "SignalFilterBankSpectralSubtraction",
        version=1,
        types="uint32",
    ),
    operator("SignalFramer", _prepare_stream, "SignalFramer", version=1, types="int16"),
    operator("SignalStacker", _prepare_stream, "SignalStacker", version=1, types="int16"),
    operator(
        "SignalDelay", _prepare_stream, "SignalDelay", version=1, shape="same", types="int16"
    ),
    operator(
        "SignalOverlapAdd", _prepare_stream, "SignalOverlapAdd", version=1, types="int16, float32"
    ),
    operator(
        "SignalWindow", _prepare_window, "SignalWindow", version=1, shape="same", types="int16"
    ),
    operator("SignalFftAutoScale", _prepare_scale, "SignalFftAutoScale", version=1, types="int16"),
    operator(
        "SignalRfft",
        _prepare_transform,
        "SignalRfft",
        version=1,
        shape="last_stays",
        types="int16, int32, float32",
        notes="lengths with the factors 2, 3 and 5",
    ),
    operator(
        "SignalIrfft",
        _prepare_transform,
        "SignalIrfft",
        version=1,
        shape="last_stays",
        types="int16, int32, float32",
    ),
    operator("SignalEnergy", _prepare_energy, "SignalEnergy", version=1, types="int16 to uint32"),
    operator(
        "SignalFilterBank",
        _prepare_filter_bank,
        "SignalFilterBank",
        version=1,
        types="uint32 to uint64",
        notes="constant starts and widths",
    ),
    operator(
        "SignalFilterBankSquareRoot",
        _prepare_square_root,
        "SignalFilterBankSquareRoot",
        version=1,
        types="uint64 to uint32",
    ),
    operator("SignalPCAN", _prepare_pcan, "SignalPCAN", version=1, types="uint32"),
    operator(
        "SignalFilterBankLog",
        _prepare_log,
        "SignalFilterBankLog",
        version=1,
        types="uint32 to int16",
    ),
)
