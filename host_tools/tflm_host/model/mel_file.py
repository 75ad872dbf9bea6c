"""The tables of tflm.mel.Features: what a front end is, and the file that says it in integers.

A front end sums energies in bands, takes logarithms, and is linear from there on.
firmware/tflm/audio/mel.h has the layout of the file.
"""

from dataclasses import dataclass
from math import log2
from struct import pack
from zlib import crc32

import numpy as np

from tflm.ops.signal_fft import factors_of, turns
from tflm.schema import INT16, INT32

from .files import InputError

MAGIC, VERSION = 0x4D464C54, 1
HEADER = 33  # words
WIDE, NARROW = 32, 16  # bits of the transform
HALF = 1 << 15  # an int16 sample of -1
DROPPED = 15  # bits of energies of 32-bit numbers
LARGEST_WEIGHT = 0xFFFF
LARGEST = (1 << 15) - 1
SHORT = -HALF, LARGEST, 2  # bounds and bytes of int16 lines
FLAT = 0.6  # mean from which on a window leaves no room for sums of the transform
LOG_BITS = 16  # behind the point of logarithms
OFFSET_BITS = 8
TYPICAL = -20  # log2 of a power at which rounding the matrix costs nothing: -60 dB
WORDS = "<%di"
SHORTEST, LONGEST = 16, 4096  # points of a transform
MOST_STEP = 1 << 20


@dataclass(frozen=True)
class Lines:
    """What a line's values are: int8 or int16, of this scale and zero point, within bounds.

    nbytes  of a value
    """

    scale: float
    zero_point: int
    low: int = -128
    high: int = 127
    nbytes: int = 1


@dataclass(frozen=True)
class Normal:
    """What normalised values are: int8 of this scale and zero point; over so many lines."""

    window: int
    scale: float
    zero_point: int


@dataclass(frozen=True)
class FrontEnd:
    """A front end in real numbers.

    window    float64 [samples]: what samples are multiplied by, at most 1
    lag, emphasis  emphasis times the sample `lag` before is subtracted first; window is all 1 then
    n_fft     points of the transform
    step      samples from a line to the next
    bank      float64 [bands, n_fft / 2 + 1]: weights of bins in bands
    amplitude, divisor  what a sample, and a power, is divided by
    silence   what a power of 0 counts as;  least  the smallest other one
    matrix    float64 [values, bands], or the diagonal's [values]
    offsets   float64 [values]: a value is the sum of matrix * log2 of powers + offset
    rows      lines that the model reads, 0 where nobody has said so
    """

    description: str
    rate: int
    window: np.ndarray
    n_fft: int
    step: int
    bank: np.ndarray
    matrix: np.ndarray
    offsets: np.ndarray
    lines: Lines
    amplitude: float = HALF
    divisor: float = 1
    lag: int = 0
    emphasis: float = 0
    silence: float = 1e-10
    least: float = 1e-10
    normal: Normal | None = None
    rows: int = 0


def check_length(name, points):
    """Raise InputError unless a transform of *points* points, named *name*, is possible."""
    is_known = points % 4 == 0 and factors_of(points // 2)
    if not SHORTEST <= points <= LONGEST or not is_known:
        raise InputError(
            f"{name} is {points}: {SHORTEST} to {LONGEST}, a multiple of 4 without prime factors"
            " above 5 expected"
        )


def check_step(name, step):
    """Raise InputError unless lines may be *step* samples apart."""
    if not 1 <= step <= MOST_STEP:
        raise InputError(f"{name} is {step}, 1 to {MOST_STEP} expected")


def mel_file(front, bits=WIDE):
    """Return the bytes of the tables of *front*, whose transform has *bits* bits: 16 or 32.

    Raises InputError where a parameter is wrong.
    """
    return _File(front, bits).data()


class _File:
    def __init__(self, front, bits):
        self.front, self.bits = front, bits
        self.tables = bytearray()
        self.peak = front.bank.max()

    def put(self, kind, values):
        """Append *values*; return their place."""
        self.tables += bytes(-len(self.tables) % 4)
        self.tables += np.asarray(values).astype(kind).tobytes()
        return 4 * HEADER + len(self.tables) - np.dtype(kind).itemsize * np.size(values)

    def data(self):
        front = self.front
        kind = INT32 if self.bits == WIDE else INT16
        words = turns(front.n_fft // 2, False, kind)
        transform = [1, len(front.window), front.n_fft, *words]
        unit, before = self.emphasis()
        log_unit = self.log_unit(unit)
        rows, weights = self.rows()
        matrix, shift, offsets = self.matrix(log_unit)
        places = [
            self.put("<i2", np.rint(front.window * unit)),
            self.put("<i4", transform),
            self.put("<u2", rows),
            self.put("<u2", weights),
            self.put("<i2", matrix),
            self.put("<i4", offsets),
        ]
        self.tables += bytes(-len(self.tables) % 4)
        lines, normal = front.lines, front.normal
        shown = normal or lines
        header = [
            *(VERSION, 4 * HEADER + len(self.tables), self.bits, front.lag + len(front.window)),
            *(front.lag, before, 30 if front.window.mean() > FLAT else 31, front.step),
            *(len(front.bank), len(matrix), 1 if matrix.ndim == 1 else len(front.bank), shift),
            *(self.log_of(front.silence, log_unit), self.log_of(front.least, log_unit)),
            *(lines.low, lines.high, lines.nbytes),
            normal.window if normal else 0,
            round(256 / normal.scale) if normal else 0,
            normal.zero_point if normal else 0,
            *places,
            *(len(weights), front.rows),
            *np.array([shown.scale], "<f4").view("<i4").tolist(),
            *(shown.zero_point, front.rate),
        ]
        body = pack(WORDS % len(header), *header) + bytes(self.tables)
        return pack("<II", MAGIC, crc32(body)) + body

    def emphasis(self):
        """Return the integers by which samples, and those before, are multiplied."""
        if not self.front.lag:
            return LARGEST, 0
        units = np.arange(LARGEST, LARGEST // 2, -1)
        factors = np.rint(units * self.front.emphasis)
        best = np.argmin(abs(factors / units - self.front.emphasis))
        return int(units[best]), int(factors[best])

    def log_unit(self, unit):
        """Return log2 of the power that a sum of 1 stands for, if nothing is shifted."""
        front = self.front
        scale = log2(self.peak / LARGEST_WEIGHT) + 2 * log2(front.n_fft / front.amplitude / unit)
        scale -= log2(front.divisor)
        if self.bits == WIDE:
            return scale + DROPPED
        return scale + 2 * 16 - 2 * log2(_gain(front.n_fft))

    @staticmethod
    def log_of(power, log_unit):
        return max(-(1 << 30), round((log2(power) - log_unit) * (1 << LOG_BITS)))

    def rows(self):
        """Return first bin and width of each band, and the weights of its bins."""
        rows, weights = [], []
        for band in np.rint(self.front.bank / self.peak * LARGEST_WEIGHT):
            used = np.flatnonzero(band)
            if used.size == 0:
                raise InputError(
                    f"band {len(rows) // 2} of {len(self.front.bank)} has no bin: a longer"
                    " transform or fewer bands expected"
                )
            rows += [used[0], used[-1] - used[0] + 1]
            weights.append(band[used[0] : used[-1] + 1])
        return rows, np.concatenate(weights)

    def matrix(self, log_unit):
        """Return the integers of the matrix, by how many bits its sums are shifted, and offsets.

        The offsets make up for the rounding of the matrix where all powers are TYPICAL.
        """
        front = self.front
        real = front.matrix / front.lines.scale / (1 << LOG_BITS)
        shift = int(np.floor(log2(LARGEST / abs(real).max())))
        rounded = np.rint(real * 2.0**shift)
        power = TYPICAL + 2 * log2(HALF / front.amplitude)
        typical = (power - log_unit) * (1 << LOG_BITS)
        sums = (lambda table: table) if real.ndim == 1 else (lambda table: table.sum(axis=1))
        values = sums(front.matrix) * power + front.offsets
        offsets = values / front.lines.scale - sums(rounded) * typical / 2.0**shift
        offsets += front.lines.zero_point
        return rounded, shift, np.rint(offsets * (1 << OFFSET_BITS))


def _gain(points):
    """Return what kissfft's 16 bits make of an amplitude of 1, as its divisions round down."""
    gain, factors = 1.0, factors_of(points // 2)
    for radix in factors:
        gain *= (LARGEST // radix) * radix / HALF
    gain *= (1 - 1 / HALF) ** (len(factors) - 1)  # of the turns
    return gain * (LARGEST // 2) * 2 / HALF
