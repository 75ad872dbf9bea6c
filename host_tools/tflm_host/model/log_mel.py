"""Models that turn windows of sound into log-mel features, in integers, with TFLM's operators.

The parameters have librosa's names. The loudness of a band is in decibels, as
librosa.power_to_db(librosa.feature.melspectrogram(..., center=False)) gives it for samples of -1
to 1, quantised to int8.

Weights of windows and bands are int16. The FFT has 16 bits; its input is shifted left as far as it
goes, and the roots of the bands' sums are shifted back. Quiet bands beside loud ones are less
exact.
"""

from dataclasses import dataclass
from math import log, log10

import numpy as np
from flatbuffers import flexbuffers

from . import flatfile
from .files import InputError
from .flatfile import Table

CUSTOM, QUANTIZE = 32, 114  # BuiltinOperator
INT16, INT32, INT8, UINT32, UINT64 = 7, 2, 9, 15, 12  # TensorType
FULL = 1 << 15  # samples of 16 bits stand for -1 to 1
LARGEST = FULL - 1
LOG_SCALE = 1024  # of a natural logarithm; that of 2**32 still fits into int16
DECIBELS = 20 / log(10)  # of a natural logarithm of an amplitude
LONGEST = 4096


@dataclass(frozen=True)
class LogMel:
    """How sound becomes features, as librosa names it.

    n_fft  samples of a window; win_length  of them that count, None: all;  htk, norm  of
    librosa.filters.mel;  scale, zero_point  of the int8 output, whose numbers are decibels
    """

    scale: float
    zero_point: int
    sr: int = 16000
    n_fft: int = 512
    win_length: int | None = None
    n_mels: int = 40
    fmin: float = 0
    fmax: float | None = None
    htk: bool = False
    norm: str | None = "slaney"

    def check(self):
        """Raise InputError, which names the parameter that is wrong."""
        length = self.win_length or self.n_fft
        rest = self.n_fft
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if not 16 <= self.n_fft <= LONGEST or self.n_fft % 4 or rest != 1:
            raise InputError(
                f"n_fft is {self.n_fft}: 16 to {LONGEST}, a multiple of 4 without prime factors"
                " above 5 expected"
            )
        if not 0 < length <= self.n_fft:
            raise InputError(f"win_length is {length}, 1 to {self.n_fft} expected")
        if self.n_mels < 1:
            raise InputError(f"n_mels is {self.n_mels}, 1 or more expected")
        if not 0 <= self.fmin < self.top <= self.sr / 2:
            raise InputError(
                f"fmin is {self.fmin:g} and fmax {self.top:g}: 0 to {self.sr / 2:g} Hz, and fmin"
                " below fmax, expected"
            )
        if not (self.scale > 0 and np.isfinite(self.scale) and -128 <= self.zero_point <= 127):
            raise InputError(f"scale {self.scale:g}, zero point {self.zero_point}: none of int8")

    @property
    def top(self):
        return self.sr / 2 if self.fmax is None else self.fmax

    def window(self):
        """Return the window as float64: a periodic Hann window in the middle of n_fft values."""
        length = self.win_length or self.n_fft
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)
        before = (self.n_fft - length) // 2
        return np.pad(hann, (before, self.n_fft - length - before))

    def points(self):
        """Return the n_mels + 2 frequencies at which triangles begin, peak and end, in Hz."""
        ends = self._mel(np.array([self.fmin, self.top], float))
        return self._hertz(np.linspace(ends[0], ends[1], self.n_mels + 2))

    def _mel(self, hertz):
        if self.htk:
            return 2595 * np.log10(1 + hertz / 700)
        linear = 3 * hertz / 200
        return np.where(
            hertz < 1000, linear, 15 + 27 * np.log(np.maximum(hertz, 1) / 1000) / log(6.4)
        )

    def _hertz(self, mel):
        if self.htk:
            return 700 * (10 ** (mel / 2595) - 1)
        return np.where(mel < 15, 200 * mel / 3, 1000 * np.exp(log(6.4) * (mel - 15) / 27))

    def norms(self):
        """Return the factor of each band's triangle."""
        points = self.points()
        return 2 / (points[2:] - points[:-2]) if self.norm == "slaney" else np.ones(self.n_mels)

    def bank(self):
        """Return (falling, rising, starts, places, widths, k), int16, and k.

        Between two points, one of n_mels + 1 slopes, the band before falls and the next one rises.
        Its weights of bins are times k.
        """
        points, norms = self.points(), self.norms()
        bins = np.arange(self.n_fft // 2 + 1) * self.sr / self.n_fft
        first = np.searchsorted(bins, points, "left")
        widths = np.diff(first)
        falling, rising = [], []
        for slope, (low, high) in enumerate(zip(points[:-1], points[1:], strict=True)):
            up = (bins[first[slope] : first[slope + 1]] - low) / (high - low)
            rising.append(up * (norms[slope] if slope < self.n_mels else 0))
            falling.append((1 - up) * (norms[slope - 1] if slope else 0))
        for band in range(self.n_mels):
            if not np.any(rising[band]) and not np.any(falling[band + 1]):
                raise InputError(
                    f"band {band} of {self.n_mels} has no bin: raise n_fft or lower n_mels"
                )
        down, up = np.concatenate(falling), np.concatenate(rising)
        k = LARGEST / max(down.max(), up.max())
        places = np.concatenate([[0], np.cumsum(widths)[:-1]])
        tables = np.rint(down * k), np.rint(up * k), first[:-1], places, widths
        return *(table.astype(np.int16) for table in tables), k

    def offset(self, k):
        """Return the decibels of a band whose root is 1, where weights are times *k*."""
        return 20 * log10(self.n_fft / FULL * FULL / LARGEST) - 10 * log10(k)

    def description(self):
        length = self.win_length or self.n_fft
        return (
            f"log-mel: sr={self.sr} n_fft={self.n_fft} win_length={length} window=hann"
            f" center=False power=2 n_mels={self.n_mels} fmin={self.fmin:g} fmax={self.top:g}"
            f" htk={self.htk} norm={self.norm} dB"
        )


class _Builder:
    """A model of one graph, built tensor by tensor."""

    def __init__(self):
        self.buffers = [Table("Buffer")]
        self.tensors, self.operators, self.codes = [], [], []

    def tensor(self, name, kind, shape, data=None, quantization=None):
        place = 0
        if data is not None:
            self.buffers.append(Table("Buffer", data=data.astype("<i2").tobytes()))
            place = len(self.buffers) - 1
        self.tensors.append(
            Table(
                "Tensor",
                shape=list(shape),
                type=kind,
                buffer=place,
                name=name.encode(),
                quantization=quantization,
            )
        )
        return len(self.tensors) - 1

    def operator(self, name, inputs, outputs, **options):
        data = bytes(flexbuffers.Dumps(options)) if options else None
        self._add(CUSTOM, name.encode(), inputs, outputs, data)

    def builtin(self, code, inputs, output):
        self._add(code, None, inputs, [output], None)

    def _add(self, builtin, name, inputs, outputs, data):
        code = Table(
            "OperatorCode",
            deprecated_builtin=builtin,
            builtin=builtin,
            custom_code=name,
            version=1,
        )
        self.codes.append(code)
        table = Table("Operator", opcode=len(self.codes) - 1, inputs=inputs, outputs=outputs)
        if data is not None:
            table.custom_options = data
        self.operators.append(table)

    def model(self, inputs, outputs, description):
        parts = self.tensors, self.operators, self.codes, self.buffers
        return flatfile.of_one_graph(*parts, inputs, outputs, description)


def log_mel_model(settings):
    """Return the .tflite file of a LogMel: int16 [n_fft] in, int8 [n_mels] out.

    Raises InputError where a parameter is wrong.
    """
    settings.check()
    falling, rising, starts, places, widths, k = settings.bank()
    size, bands = settings.n_fft, settings.n_mels
    count = size // 2 + 1
    made = _Builder()
    add = made.tensor
    sound = add("sound", INT16, [size])
    hann = add("window", INT16, [size], np.rint(settings.window() * LARGEST))
    windowed = add("windowed", INT16, [size])
    made.operator("SignalWindow", [sound, hann], [windowed], shift=15)
    scaled, bits = add("scaled", INT16, [size]), add("bits", INT32, [])
    made.operator("SignalFftAutoScale", [windowed], [scaled, bits])
    spectrum = add("spectrum", INT16, [2 * count])
    made.operator("SignalRfft", [scaled], [spectrum], T=INT16, fft_length=size)
    energy = add("energy", UINT32, [count])
    made.operator("SignalEnergy", [spectrum], [energy], start_index=0, end_index=count)
    names = ("falling", "rising", "starts", "places", "widths")
    tables = falling, rising, starts, places, widths
    banks = [
        add(name, INT16, [len(table)], table) for name, table in zip(names, tables, strict=True)
    ]
    sums = add("sums", UINT64, [bands])
    made.operator("SignalFilterBank", [energy, *banks], [sums], num_channels=bands)
    roots = add("roots", UINT32, [bands])
    made.operator("SignalFilterBankSquareRoot", [sums, bits], [roots])
    step = DECIBELS / LOG_SCALE
    zero = round(-settings.offset(k) / step)
    logs = add("logs", INT16, [bands], None, _quantization(step, zero))
    made.operator(
        "SignalFilterBankLog", [roots], [logs], output_scale=LOG_SCALE, input_correction_bits=0
    )
    shown = _quantization(settings.scale, settings.zero_point)
    features = add("features", INT8, [bands], None, shown)
    made.builtin(QUANTIZE, [logs], features)
    return made.model([sound], [features], settings.description())


def _quantization(scale, zero_point):
    return Table("Quantization", scale=[float(np.float32(scale))], zero_point=[zero_point])
