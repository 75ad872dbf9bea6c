"""Models of TFLM's signal library, one operator each."""

from functools import partial
from math import prod

from flatbuffers import flexbuffers

from cases.op import Op
from support.draw.one_op import OneOp, pack

T_INT16, T_FLOAT32 = 7, 0
KINDS = {"INT16": T_INT16, "INT32": 2, "FLOAT32": T_FLOAT32}  # TensorType
ENDS = {
    "INT16": [pack("h", [v]) for v in (-32768, 32767)],
    "INT32": [pack("i", [v]) for v in (-(2**31), 2**31 - 1)],
    "UINT32": [pack("I", [v]) for v in (0, 1, 2**31, 2**32 - 1)],
    "UINT64": [pack("Q", [v]) for v in (0, 2**32 - 1, 2**32, 2**63, 2**64 - 1)],
}


def _finish(model, op, inputs, outputs, **options):
    """Add custom operator *op*; *outputs* are (shape, dtype). Return model and input makers."""
    tensors = [model.builder.tensor(shape, dtype, None) for shape, dtype in outputs]
    data = bytes(flexbuffers.Dumps(options)) if options else b""
    model.builder.op(op, inputs, tensors, custom_options=data)
    return model.builder.build(model.inputs, tensors), model.makers


def _input(model, shape, dtype, make=None):
    """Add a graph input; make() returns bytes of which some become the ends of the type."""
    make = make or partial(model.draw.bytes_of, dtype, prod(shape))
    tensor = model.input(shape, None, "INT16")
    model.builder.subgraphs[-1].tensors[tensor].dtype = dtype
    model.makers[-1] = lambda: _clipped(model.draw, dtype, make())
    return tensor


def _clipped(draw, dtype, data):
    """Sound that is too loud: in half of the cases some values, few or most, are at an end."""
    if dtype not in ENDS or draw.odds(0.5):
        return data
    ends, share = ENDS[dtype], draw.rng.choice((0.05, 0.3, 0.9))
    size = len(ends[0])
    values = [data[i : i + size] for i in range(0, len(data), size)]
    return b"".join(draw.rng.choice(ends) if draw.odds(share) else v for v in values)


def _constants(draw, count):
    return _clipped(draw, "INT16", draw.int16(count))


def _words(draw, count):
    """Unsigned words, of any number of bits."""
    return pack("I", [draw.rng.getrandbits(draw.size(1, 32)) for _ in range(count)])


def window(draw):
    shape = draw.shape(draw.size(1, 3))
    model = OneOp(draw)
    x = _input(model, shape, "INT16")
    weights = model.const([shape[-1]], "INT16", _constants(draw, shape[-1]))
    return _finish(model, "SignalWindow", [x, weights], [(shape, "INT16")], shift=draw.size(0, 16))


def scale(draw):
    size = draw.size(1, 40)
    model = OneOp(draw)
    limit = draw.rng.choice((1, 5, 300, 32767, 32768))

    def make():
        return pack("h", [draw.size(-limit, min(limit, 32767)) for _ in range(size)])

    x = _input(model, [size], "INT16", make)
    return _finish(model, "SignalFftAutoScale", [x], [([size], "INT16"), ([], "INT32")])


LENGTHS = (4, 6, 8, 10, 12, 16, 18, 20, 24, 30, 32, 48, 50, 64, 96, 100, 128)


def transform(op, dtype, draw):
    length = draw.rng.choice(LENGTHS)
    outer = draw.shape(draw.size(0, 2), limit=3)
    inverse = op == "SignalIrfft"
    row = length + 2 if inverse else draw.size(1, length)
    model = OneOp(draw)
    x = _input(model, [*outer, row], dtype)
    output = ([*outer, length if inverse else length + 2], dtype)
    return _finish(model, op, [x], [output], T=KINDS[dtype], fft_length=length)


def energy(draw):
    size = draw.size(1, 20)
    model = OneOp(draw)
    x = _input(model, [2 * size], "INT16")
    # TFLM leaves the rest of the output as it lay there
    output = ([size], "UINT32")
    return _finish(model, "SignalEnergy", [x], [output], start_index=0, end_index=size)


def filter_bank(draw):
    channels = draw.size(1, 6)
    widths = [draw.size(0, 6) for _ in range(channels + 1)]
    starts = [draw.size(0, 9) for _ in widths]
    at = [sum(widths[:i]) for i in range(len(widths))]
    size, count = max(s + w for s, w in zip(starts, widths, strict=True)) + 1, sum(widths) + 1
    model = OneOp(draw)
    inputs = [_input(model, [size], "UINT32", partial(_words, draw, size))]
    inputs += [model.const([count], "INT16", _constants(draw, count)) for _ in range(2)]
    inputs += [
        model.const([channels + 1], "INT16", pack("h", values)) for values in (starts, at, widths)
    ]
    output = ([channels], "UINT64")
    return _finish(model, "SignalFilterBank", inputs, [output], num_channels=channels)


def square_root(draw):
    size = draw.size(1, 12)
    model = OneOp(draw)

    def make():
        numbers = [draw.rng.getrandbits(draw.size(1, 64)) for _ in range(size)]
        roots = [draw.rng.getrandbits(draw.size(1, 32)) for _ in range(size)]
        near = [max(0, r * r + draw.size(-2, 2)) % 2**64 for r in roots]
        return pack("Q", [draw.rng.choice(pair) for pair in zip(numbers, near, strict=True)])

    x = _input(model, [size], "UINT64", make)
    bits = _input(model, [], "INT32", lambda: pack("i", [draw.rng.choice((draw.size(0, 15), 34))]))
    output = ([size], "UINT32")
    return _finish(model, "SignalFilterBankSquareRoot", [x, bits], [output])


def subtract(draw):
    size = draw.size(1, 12)
    model = OneOp(draw)
    x = _input(model, [size], "UINT32", partial(_words, draw, size))
    one = 1 << draw.size(8, 14)
    first, second = draw.size(0, one), draw.size(0, one)
    options = {
        "smoothing": first,
        "one_minus_smoothing": one - first,
        "alternate_smoothing": second,
        "alternate_one_minus_smoothing": one - second,
        "clamping": draw.size(0, 1),
        "min_signal_remaining": draw.size(0, one),
        "num_channels": size,
        "smoothing_bits": draw.size(0, 12),
        "spectral_subtraction_bits": one.bit_length() - 1,
    }
    outputs = [([size], "UINT32"), ([size], "UINT32")]
    return _finish(model, "SignalFilterBankSpectralSubtraction", [x], outputs, **options)


def pcan(draw):
    size = draw.size(1, 12)
    model = OneOp(draw)
    inputs = [_input(model, [size], "UINT32", partial(_words, draw, size)) for _ in range(2)]
    inputs.append(model.const([125], "INT16", _constants(draw, 125)))
    return _finish(model, "SignalPCAN", inputs, [([size], "UINT32")], snr_shift=draw.size(0, 20))


def log(draw):
    size = draw.size(1, 12)
    model = OneOp(draw)
    x = _input(model, [size], "UINT32", partial(_words, draw, size))
    options = {"output_scale": draw.size(0, 1 << 12), "input_correction_bits": draw.size(0, 6)}
    return _finish(model, "SignalFilterBankLog", [x], [([size], "INT16")], **options)


def framer(draw):
    step = draw.size(1, 6)
    size, frames = draw.size(step, 12), draw.size(1, 4)
    outer = draw.shape(draw.size(0, 2), limit=3)
    model = OneOp(draw)
    x = _input(model, [*outer, frames * step], "INT16")
    outputs = [([*outer, frames, size], "INT16"), ([], "BOOL")]
    options = {"frame_size": size, "frame_step": step, "prefill": True}
    return _finish(model, "SignalFramer", [x], outputs, **options)


def stacker(draw):
    channels, left = draw.size(1, 6), draw.size(0, 3)
    model = OneOp(draw)
    x = _input(model, [channels], "INT16")
    outputs = [([channels * (left + 1)], "INT16"), ([], "BOOL")]
    options = {
        "num_channels": channels,
        "stacker_left_context": left,
        "stacker_right_context": 0,
        "stacker_step": 1,
    }
    return _finish(model, "SignalStacker", [x], outputs, **options)


def delay(draw):
    shape = draw.shape(draw.size(1, 3))
    model = OneOp(draw)
    x = _input(model, shape, "INT16")
    return _finish(model, "SignalDelay", [x], [(shape, "INT16")], delay_length=draw.size(1, 12))


def overlap(dtype, draw):
    outer = draw.shape(draw.size(0, 2), limit=3)
    frames, size = draw.size(1, 4), draw.size(1, 9)
    step = draw.size(1, size)
    model = OneOp(draw)
    x = _input(model, [*outer, frames, size], dtype)
    output = ([*outer, frames * step], dtype)
    kind = T_INT16 if dtype == "INT16" else T_FLOAT32
    return _finish(model, "SignalOverlapAdd", [x], [output], T=kind, frame_step=step)


CASES = {
    "signal_window": Op(window, step=2, kernel="signal_window_s16"),
    "signal_scale": Op(scale, kernel="signal_scale_s16"),
    "signal_rfft": Op(partial(transform, "SignalRfft", "INT16"), kernel="signal_rfft_s16"),
    "signal_irfft": Op(partial(transform, "SignalIrfft", "INT16"), kernel="signal_irfft_s16"),
    "signal_rfft_s32": Op(partial(transform, "SignalRfft", "INT32"), kernel="signal_rfft_s32"),
    "signal_irfft_s32": Op(partial(transform, "SignalIrfft", "INT32"), kernel="signal_irfft_s32"),
    "signal_rfft_f32": Op(partial(transform, "SignalRfft", "FLOAT32"), kernel="signal_rfft_f32"),
    "signal_irfft_f32": Op(
        partial(transform, "SignalIrfft", "FLOAT32"), kernel="signal_irfft_f32"
    ),
    "signal_energy": Op(energy, kernel="signal_energy_s16"),
    "signal_filter_bank": Op(filter_bank, kernel="signal_filter_bank"),
    "signal_square_root": Op(square_root, kernel="signal_square_root"),
    "signal_subtract": Op(subtract, invokes=4, kernel="signal_subtract"),
    "signal_pcan": Op(pcan, kernel="signal_pcan"),
    "signal_log": Op(log, kernel="signal_log"),
    "signal_framer": Op(framer, invokes=5, kernel="signal_framer_s16"),
    "signal_stacker": Op(stacker, invokes=5, kernel="signal_stacker_s16"),
    "signal_delay": Op(delay, invokes=5, kernel="signal_delay_s16"),
    "signal_overlap": Op(partial(overlap, "INT16"), invokes=4, kernel="signal_overlap_s16"),
    "signal_overlap_f32": Op(partial(overlap, "FLOAT32"), invokes=4, kernel="signal_overlap_f32"),
}
