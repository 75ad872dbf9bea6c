"""Edge Impulse's spectral features of motion: a model of float32 that the board builds.

    spectral = Spectral(moves.inputs[0], samples=125, rate=62.5, filter_type="low",
                        filter_cutoff=3)
    window = Window(spectral.input, hop=62)        # of tflm.stream
    for sample in imu:
        if window.add(sample):
            spectral.write()                       # into the input of the model
            moves.invoke()

The parameters have the names of `ei_dsp_config_spectral_analysis_t` in an exported model's
`model_metadata.h`. `tflm.stream` has the class, too. Firmware has this module as a file.

Sources, read for facts: spectral_analysis/dsp.py and common/spectrum.py of
edgeimpulse/processing-blocks (9b0ceb2); dsp/spectral/feature.hpp, filters.hpp and dsp/numpy.hpp
of edgeimpulse/inferencing-sdk-cpp (919819f). As they have it:

- the filter is a cascade of second-order Butterworth sections, by the bilinear transform with the
  cutoff prewarped, from rest. It comes before the mean is subtracted;
- skewness and kurtosis divide by the number of values (biased); 3 is subtracted from kurtosis;
- the spectrum is the maximum over frames of |rfft|^2 / fft_length, without a window function.
  Frames start at 0 and each fft_length or its half, as long as there are samples; zeros fill them.

Here the filter is its own response, cut where the rest is below 2^-30 of it. All tables are
computed with integers: so the model has the same bytes everywhere, and its features have the same
bits.
"""

from array import array
from struct import pack, pack_into

import tflm

from .base.port import const

# Of TensorType: firmware has not the names of schema.py.
_FLOAT32, _INT32, _BOOL, _INT8 = const(0), const(2), const(6), const(9)
_ONE = 1 << 60
_PI = 3622009729038561421  # of 2^60
_CUT = 1 << 30
# Bits of float32, as boards read a literal with an error: 1e-10, 1 / ln 10, 1e-18.
_SMALL, _LOG10, _TINY = 0x2EDBE6FF, 0x3EDE5BD9, 0x219392EF
_THREE = 0x40400000
_LONGEST = const(4096)
_CUSTOM = const(32)
# Operators: code, number of their options, the options' fields.
_CODES = {
    "CONCATENATION": (2, 10),
    "CONV_2D": (3, 1),
    "RESHAPE": (22, 0),
    "MUL": (18, 21),
    "PAD": (34, 0),
    "TRANSPOSE": (39, 0),
    "MEAN": (40, 27),
    "SUB": (41, 28),
    "DIV": (42, 29),
    "MAXIMUM": (55, 0),
    "SLICE": (65, 0),
    "EQUAL": (71, 0),
    "LOG": (73, 0),
    "SUM": (74, 27),
    "SQRT": (75, 0),
    "REDUCE_MAX": (82, 27),
    "QUANTIZE": (114, 0),
    "SELECT_V2": (123, 0),
    "SignalRfft": (_CUSTOM, 0),
}
# A map of flexbuffers: T, which is 0 for float32, and fft_length at byte 24.
_RFFT = b"T\0fft_length\0\x02\x0e\x0d\x02\0\x01\0\x02\0\0\0\0\0\x05\x05\x06\x25\x01"
_RFFT_LENGTH = const(24)


class _Slices:
    def __getitem__(self, key):
        return key


_ALL = _Slices()[:]  # made once: a slice takes heap


class Spectral:
    """Spectral features of a window, as Edge Impulse's block "Spectral analysis" has them.

    tensor   the input that takes the features, int8 or float32; None: only `output` has them
    samples  of a window;  rate  of them a second, in Hz;  axes  numbers of a sample
    scale_axes        by which each number is multiplied
    filter_type       "none", "low" or "high"
    filter_cutoff     in Hz, above 0 and below rate / 2, where there is a filter
    filter_order      2, 4, 6 or 8; 0: only leave out the bins beyond the cutoff
    fft_length        a power of two, 4 to 4096
    do_log            take the logarithm, base 10, of the bins
    do_fft_overlap    a frame starts each half of fft_length
    implementation_version  2 to 4. 4 adds skewness and kurtosis of the spectrum
    arena    of the features, as Interpreter takes it

    input    float32 of shape (1, samples, axes): write it, or give it to Window
    output   of shape (1, axes * count), with the type and scale of *tensor*
    count    features of an axis: RMS, skewness, kurtosis; in version 4 the spectrum's skewness
             and kurtosis; then bins from low to high. An axis comes whole before the next one
    interp   the interpreter of the features;  data  its model, the bytes of a .tflite file

    Once made, it takes no heap. Raises ValueError where options do not fit each other or *tensor*.
    Decimation, extra_low_freq, wavelets and version 1 are not here.
    """

    def __init__(self, tensor=None, samples=0, rate=0, axes=3, arena=None, **options):
        scale = zero_point = 0
        if tensor is not None and tensor.type != _FLOAT32:
            if tensor.type != _INT8:
                raise ValueError("input %s: int8 or float32 expected" % tensor.name)
            scale, zero_point = tensor._one_scale(), tensor.zero_point
        self.data, self.count = build(samples, rate, axes, scale, zero_point, **options)
        if tensor is not None and len(tensor) != axes * self.count:
            raise ValueError(
                "input %s has %d elements, but %d axes of %d features are %d: does the model"
                " have other options?"
                % (tensor.name, len(tensor), axes, self.count, axes * self.count)
            )
        self.interp = tflm.Interpreter(self.data, arena)
        self.input, self.output = self.interp.inputs[0], self.interp.outputs[0]
        self._from = self.output.data
        self._to = None if tensor is None else tensor.data

    def write(self):
        """Compute the features of the window in `input`, and write them into the model's input."""
        self.interp.invoke()
        if self._to is not None:
            self._to[_ALL] = self._from


def build(
    samples,
    rate,
    axes=3,
    scale=0,
    zero_point=0,
    *,
    scale_axes=1,
    filter_type="none",
    filter_cutoff=0,
    filter_order=6,
    fft_length=16,
    do_log=True,
    do_fft_overlap=True,
    implementation_version=4,
):
    """Return (bytes of a .tflite model of the features, how many an axis has): see Spectral.

    scale, zero_point  of an int8 output; scale 0: the output is float32
    """
    _check(samples, rate, axes, fft_length, implementation_version)
    first, last = 1, fft_length // 2 + 1
    taps = None
    if filter_type != "none":
        first, last = _bins(filter_type, filter_cutoff, rate, fft_length)
        if filter_order:
            taps = _response(filter_type, filter_cutoff, rate, filter_order, samples)
    step = fft_length // 2 if do_fft_overlap else fft_length
    graph = _Graph(axes)
    values = graph.tensor(1, samples, axes, name="window")
    graph.inputs = (values,)
    values = _filtered(graph, values, samples, scale_axes, taps)
    found = _moments(graph, graph.minus_mean(values, samples), samples)
    values = found.pop()
    power = _power(graph, values, samples, fft_length, step)
    if implementation_version > 3:
        bins = fft_length // 2 + 1
        found += _moments(graph, graph.minus_mean(power, bins), bins)[1:3]
    found.append(_logarithms(graph, power, first, last - first, do_log))
    count = len(found) - 1 + last - first
    values = graph.add("CONCATENATION", found, (axes, count), options=(1,))
    values = graph.shaped(values, 1, axes * count)
    if scale:
        values = graph.add("QUANTIZE", [values], (1, axes * count), _INT8, (scale, zero_point))
    return graph.written(values), count


def _check(samples, rate, axes, length, version):
    if samples < 1 or axes < 1 or not rate > 0:
        raise ValueError(
            "samples %s, rate %s, axes %s: all above 0 expected" % (samples, rate, axes)
        )
    if not 4 <= length <= _LONGEST or length & (length - 1):
        raise ValueError("fft_length %s: a power of two, 4 to %d, expected" % (length, _LONGEST))
    if version not in (2, 3, 4):
        raise ValueError("implementation_version %s: 2, 3 or 4 expected" % (version,))


def _fraction(value):
    """Return the float32 nearest to *value* times 2^40, a whole number."""
    return int(array("f", [value])[0] * 1048576.0 * 1048576.0)


def _bins(kind, cutoff, rate, length):
    """Return the first bin that the filter leaves, and the one behind the last."""
    if kind not in ("low", "high"):
        raise ValueError("filter_type %s: none, low or high expected" % (kind,))
    if not 0 < 2 * cutoff < rate:
        raise ValueError(
            "filter_cutoff %s Hz: above 0 and below half of the rate of %s Hz expected"
            % (cutoff, rate)
        )
    twice = 2 * _fraction(cutoff) * length
    rate = _fraction(rate)
    # C and Python of Edge Impulse round towards 0.
    if kind == "low":
        first, last = 1, (twice + rate) // (2 * rate) + 1
    else:
        first = (twice - rate) // (2 * rate) + 1 if twice > rate else 1
        last = length // 2 + 1
    if first >= last:
        raise ValueError(
            "filter_cutoff %s Hz leaves no bin of fft_length %d: take a longer one"
            % (cutoff, length)
        )
    return first, last


# The filter, in whole numbers of 2^-60


def _mul(a, b):
    return (a * b + (_ONE >> 1)) >> 60


def _sine(x):
    """Return the sine of 0 <= x < 2, by its series."""
    total = term = x
    square = _mul(x, x)
    k = 2
    while term:
        term = -_mul(term, square) // (k * (k + 1))
        if term == -1:  # rounded down for ever
            break
        total += term
        k += 2
    return total


def _response(kind, cutoff, rate, order, samples):
    """Return the response to a sample of 1, as bits of float32, the latest first."""
    if order not in (2, 4, 6, 8):
        raise ValueError("filter_order %s: 0, 2, 4, 6 or 8 expected" % (order,))
    angle = _PI * _fraction(cutoff) // _fraction(rate)
    warped = (_sine(angle) << 60) // _sine(_PI // 2 - angle)
    square = _mul(warped, warped)
    values = [_ONE] + [0] * (samples - 1)
    for i in range(order // 2):
        damped = 2 * _mul(warped, _sine(_PI * (2 * i + 1) // (2 * order)))
        whole = square + damped + _ONE
        gain = ((square if kind == "low" else _ONE) << 60) // whole
        d1 = (2 * (_ONE - square) << 60) // whole
        d2 = (damped - square - _ONE << 60) // whole
        w1 = w2 = 0
        for at, value in enumerate(values):
            w0 = _mul(d1, w1) + _mul(d2, w2) + value
            values[at] = _mul(gain, w0 + w2 + (2 * w1 if kind == "low" else -2 * w1))
            w1, w2 = w0, w1
    least = max(abs(value) for value in values) // _CUT
    while -least <= values[-1] <= least and len(values) > 1:
        values.pop()
    values.reverse()
    return [_float32(value) for value in values]


def _float32(value):
    """Return the bits of the float32 nearest to value / 2^60."""
    sign, value = (0x80000000, -value) if value < 0 else (0, value)
    if not value:
        return 0
    exponent = 0
    while value >> exponent:
        exponent += 1
    shift = exponent - 24  # of bits that get lost
    if shift > 0:
        half = 1 << (shift - 1)
        value = (value + half - 1 + (value >> shift & 1)) >> shift
    else:
        value <<= -shift
    return sign | (exponent + 65 << 23) + value


# The steps


def _filtered(graph, values, samples, scale, taps):
    """Return [axes, samples]: each axis scaled and filtered."""
    axes = graph.axes
    values = graph.add("TRANSPOSE", [values, graph.ints(0, 2, 1)], (1, axes, samples))
    if scale != 1:
        factor = graph.constant(pack("<f", scale), 1)
        values = graph.add("MUL", [values, factor], (1, axes, samples), options=(0,))
    if taps is None:
        return graph.shaped(values, axes, samples)
    count = len(taps)
    values = graph.shaped(values, axes, 1, samples, 1)
    if count > 1:
        pads = graph.ints(0, 0, 0, 0, count - 1, 0, 0, 0, shape=(4, 2))
        values = graph.add("PAD", [values, pads], (axes, 1, samples + count - 1, 1))
    taps = graph.constant(pack("<%dI" % count, *taps), 1, 1, count, 1)
    options = (1, 1, 1, 0, 1, 1)  # only whole windows
    values = graph.add("CONV_2D", [values, taps], (axes, 1, samples, 1), options=options)
    return graph.shaped(values, axes, samples)


def _moments(graph, values, count):
    """Return [RMS, skewness, kurtosis, values] of rows of *count* values, whose means are 0."""
    shape = (graph.axes, count)
    square = graph.add("MUL", [values, values], shape, options=(0,))
    rms = graph.add("SQRT", [graph.mean(square)], (graph.axes, 1))
    # Where all values are 0, so are these: skewness 0 and kurtosis -3, as Edge Impulse has it.
    divisor = graph.add("MAXIMUM", [rms, graph.real(_TINY)], (graph.axes, 1))
    unit = graph.add("DIV", [values, divisor], shape, options=(0,))
    square = graph.add("MUL", [unit, unit], shape, options=(0,))
    cube = graph.add("MUL", [square, unit], shape, options=(0,))
    fourth = graph.add("MUL", [square, square], shape, options=(0,))
    inputs = [graph.mean(fourth), graph.real(_THREE)]
    kurtosis = graph.add("SUB", inputs, (graph.axes, 1), options=(0,))
    return [rms, graph.mean(cube), kurtosis, values]


def _power(graph, values, samples, length, step):
    """Return [axes, length / 2 + 1]: the largest power of each bin among the frames."""
    axes, frames = graph.axes, (samples + step - 1) // step
    bins, whole = length // 2 + 1, (frames - 1) * step + length
    if whole > samples:
        pads = graph.ints(0, 0, 0, whole - samples, shape=(2, 2))
        values = graph.add("PAD", [values, pads], (axes, whole))
    if frames > 1 and step < length:
        values = graph.shaped(values, axes, frames + 1, step)
        size = graph.ints(axes, frames, step)
        halves = [
            graph.add("SLICE", [values, graph.ints(0, i, 0), size], (axes, frames, step))
            for i in range(2)
        ]
        values = graph.add("CONCATENATION", halves, (axes, frames, length), options=(2,))
    else:
        values = graph.shaped(values, axes, frames, length)
    shape = (axes, frames, 2 * bins)
    values = graph.add("SignalRfft", [values], shape, options=length)
    values = graph.add("MUL", [values, values], shape, options=(0,))
    values = graph.shaped(values, axes * frames, bins, 2)
    values = graph.add("SUM", [values, graph.ints(2)], (axes * frames, bins), options=(0,))
    if frames > 1:
        values = graph.shaped(values, axes, frames, bins)
        values = graph.add("REDUCE_MAX", [values, graph.ints(1)], (axes, bins), options=(0,))
    part = graph.real(_float32(_ONE // length))
    return graph.add("MUL", [values, part], (axes, bins), options=(0,))


def _logarithms(graph, power, first, count, do_log):
    """Return [axes, count]: the bins from *first* on, or their logarithms."""
    axes, shape = graph.axes, (graph.axes, count)
    power = graph.add("SLICE", [power, graph.ints(0, first), graph.ints(axes, count)], shape)
    if not do_log:
        return power
    small = graph.real(_SMALL)
    is_none = graph.add("EQUAL", [power, graph.real(0)], shape, _BOOL)
    power = graph.add("SELECT_V2", [is_none, small, power], shape)
    power = graph.add("LOG", [power], shape)
    return graph.add("MUL", [power, graph.real(_LOG10)], shape, options=(0,))


# The file


class _Graph:
    """Collects a model; written() returns its FlatBuffer.

    _place() writes it. Lists are tables, with None where a field is not there. Tuples are
    vectors of tables, or (alignment, count, bytes).
    """

    def __init__(self, axes):
        self.axes = axes
        self.inputs = ()
        self._tensors = []
        self._operators = []
        self._buffers = [[]]  # the first one has no data
        self._codes = {}

    def tensor(self, *shape, kind=_FLOAT32, buffer=0, quant=None, name=None):
        if quant:
            points = _vector(pack("<q", quant[1]), 8)
            quant = [None, None, _vector(pack("<f", quant[0]), 4), points]
        self._tensors.append([_ints(shape), kind, buffer, name and _string(name), quant])
        return len(self._tensors) - 1

    def constant(self, data, *shape, kind=_FLOAT32):
        self._buffers.append([(16, len(data), data)])
        return self.tensor(*shape, kind=kind, buffer=len(self._buffers) - 1)

    def ints(self, *values, shape=None):
        data = pack("<%di" % len(values), *values)
        return self.constant(data, *(shape or (len(values),)), kind=_INT32)

    def real(self, bits):
        return self.constant(pack("<I", bits), 1)

    def add(self, name, inputs, shape, kind=_FLOAT32, quant=None, options=None):
        """Add an operator; return its output, of *shape*."""
        output = self.tensor(*shape, kind=kind, quant=quant)
        number = _CODES[name][1]
        code = self._codes.setdefault(name, len(self._codes))
        operator = [code, _ints(inputs), _ints((output,))]
        if number:
            operator += [number, list(options)]
        elif options:
            data = bytearray(_RFFT)
            pack_into("<H", data, _RFFT_LENGTH, options)
            operator += [None, None, (1, len(data), data)]
        self._operators.append(operator)
        return output

    def shaped(self, values, *shape):
        return self.add("RESHAPE", [values, self.ints(*shape)], shape)

    def mean(self, values):
        return self.add("MEAN", [values, self.ints(1)], (self.axes, 1), options=(1,))

    def minus_mean(self, values, count):
        inputs = [values, self.mean(values)]
        return self.add("SUB", inputs, (self.axes, count), options=(0,))

    def written(self, output):
        codes = [None] * len(self._codes)
        for name, i in self._codes.items():
            code = _CODES[name][0]
            custom = _string(name) if code == _CUSTOM else None
            codes[i] = [code, custom, 1, code]
        graph = [tuple(self._tensors), _ints(self.inputs), _ints((output,))]
        graph.append(tuple(self._operators))
        out = bytearray(b"\0\0\0\0TFL3")
        _place(out, 0, [3, tuple(codes), (graph,), None, tuple(self._buffers)])
        return bytes(out)


def _string(text):
    return 1, len(text), text.encode() + b"\0"


def _ints(values):
    return _vector(pack("<%di" % len(values), *values), 4)


def _vector(data, size):
    return (size, len(data) // size, data)


def _place(out, at, value):
    """Append *value* and its parts to *out*, and let the offset at *at* point to it."""
    if isinstance(value, list):
        _place_table(out, at, value)
        return
    is_data = not value or not isinstance(value[0], list)
    align, count, data = value if is_data else (4, len(value), None)
    out.extend(bytes(-(len(out) + 4) % max(align, 4)))
    pack_into("<I", out, at, len(out) - at)
    out.extend(pack("<I", count))
    if data is not None:
        out.extend(data)
        return
    first = len(out)
    out.extend(bytes(4 * count))
    for i, one in enumerate(value):
        _place(out, first + 4 * i, one)


def _place_table(out, at, fields):
    out.extend(bytes(-len(out) % 4))
    known = [value is not None for value in fields]
    size = 4 + 4 * sum(known)
    vtable = 4 + 2 * len(fields)
    start = len(out)
    out.extend(pack("<HH", vtable, size))
    place = 4
    for is_known in known:
        out.extend(pack("<H", place if is_known else 0))
        place += 4 * is_known
    out.extend(bytes(-len(out) % 4))
    table = len(out)
    pack_into("<I", out, at, table - at)
    out.extend(pack("<i", table - start) + bytes(size - 4))
    place = table + 4
    for value in fields:
        if isinstance(value, int):
            pack_into("<i", out, place, value)
        elif value is not None:
            _place(out, place, value)
        if value is not None:
            place += 4
