"""Both audio front ends in plain Python: an oracle that shares no code and no tables with the C.

One frame is 480 samples. `Model("micro").line(frame)` gives its 40 raw values.
"""

import math

import numpy as np

WINDOW, POINTS, BANDS, RATE = 480, 512, 40, 16000
STEPS = {"micro_speech": 320, "micro": 160}
WORD = 0xFFFFFFFF
# What glibc 2.36's log1pf makes of them: correct rounding gives one less.
UNROUNDED = {149: 2471, 221: 1401}


def _int16(x):
    return ((x + 0x8000) & 0xFFFF) - 0x8000


def _rounded(x):
    return _int16((x + 0x4000) >> 15)


def _window(name):
    values = [0.5 - 0.5 * math.cos(math.tau * (i + 0.5) / WINDOW) for i in range(WINDOW)]
    table = np.array([math.floor(4096 * value + 0.5) for value in values], np.int64)
    table[17] += name == "micro"  # in float32 it is rounded up
    return table


def _bank(name):
    """Return the weights of each bin in each band."""
    kind = np.float32 if name == "micro" else np.float64
    one, full = kind(1), kind(4096)

    def mel(hertz):
        ratio = kind(hertz) / kind(700)
        return kind(1127) * kind(math.log1p(float(ratio)))

    low, high = mel(125), mel(7500)
    step = kind(kind(high - low) / kind(BANDS + 1))
    centres = [low, *(kind(low + kind(step * kind(i + 1))) for i in range(BANDS + 1))]
    bank = np.zeros((POINTS // 2 + 1, BANDS + 2), np.int64)
    slope = 1
    for k in range(5, POINTS // 2):
        at = mel(k * RATE / POINTS)
        while slope <= BANDS + 1 and at > centres[slope]:
            slope += 1
        if slope > BANDS + 1:
            break
        weight = kind(kind(centres[slope] - at) / kind(centres[slope] - centres[slope - 1]))
        if name == "micro":
            below = UNROUNDED.get(k, math.floor(kind(weight * full) + kind(0.5)))
            above = 4096 - below
        else:
            below, above = int(weight * full), int(kind(one - weight) * full)
        bank[k, slope - 1] += below
        bank[k, slope] += above
    return bank[:, 1 : BANDS + 1]


def _gain_at(x):
    return min(int(2**21 * (x / 128 + 80) ** -0.95 + 0.5), 0x7FFF)


def _gain(noise):
    """Return the gain: a parabola through three points between two powers of two."""
    if noise < 2:
        return _gain_at(noise)
    bits = noise.bit_length()
    first = 1 << (bits - 1)
    last = 2 * first - (bits == 32)
    start = _gain_at(first)
    middle, end = _gain_at(3 * first // 2) - start, _gain_at(last) - start
    if noise == 2:
        return start
    linear = 4 * middle - end
    part = (noise * 1024 >> (bits - 1)) & 1023
    rise = (((end - linear) * part >> 5) + linear * 32) * part
    return _int16(((rise + 0x4000) >> 15) + start)


def _log(x):
    if x <= 1:
        return 0
    whole = x.bit_length() - 1
    fraction = (x << 16 >> whole) - 0x10000
    at = fraction >> 9
    low, high = (round(65536 * (math.log2(1 + i / 128) - i / 128)) for i in (at, at + 1))
    log2 = (whole << 16) + fraction + low + ((high - low) * (fraction & 511) >> 16)
    return (((45426 * log2 + 0x8000) >> 16) * 64 + 0x8000) >> 16


def _root(x):
    root = math.isqrt(x)
    most = 0xFFFF if x <= WORD else WORD
    return root + 1 if x - root * root > root and root != most else root


def _turn(re, im, angle):
    c, s = (math.floor(0.5 + 32767 * f(angle)) for f in (math.cos, math.sin))
    return _rounded(re * c - im * s), _rounded(re * s + im * c)


def _transform(x):
    """Return the transform of complex numbers, (re, im) each: 4^n of them."""
    count = len(x)
    if count == 1:
        return x
    parts = [_transform(x[i::4]) for i in range(4)]
    out = [None] * count
    for k in range(count // 4):
        inner = []
        for i, part in enumerate(parts):
            re, im = (_rounded(value * 8191) for value in part[k])
            inner.append(_turn(re, im, -math.tau * i * k / count) if i else (re, im))
        (a, b), (c, d), (e, f), (g, h) = inner
        for i, (re, im) in enumerate(
            [
                (a + e + c + g, b + f + d + h),
                (a - e + d - h, b - f - c + g),
                (a + e - c - g, b + f - d - h),
                (a - e - d + h, b - f + c - g),
            ]
        ):
            out[k + i * count // 4] = _int16(re), _int16(im)
    return out


def _energies(x):
    half = POINTS // 2
    z = _transform(list(zip(x[0::2], x[1::2], strict=True)))
    found = np.zeros(half + 1, object)
    for k in range(1, half // 2 + 1):
        a, b = (_rounded(value * 16383) for value in z[k])
        c, d = (_rounded(_int16(v) * 16383) for v in (z[half - k][0], -z[half - k][1]))
        even = _int16(a + c), _int16(b + d)
        odd = _turn(_int16(a - c), _int16(b - d), -math.pi * (k / half + 0.5))
        re, im = (even[0] + odd[0]) >> 1, (even[1] + odd[1]) >> 1
        found[k] = re * re + im * im
        re, im = (even[0] - odd[0]) >> 1, (odd[1] - even[1]) >> 1
        found[half - k] = re * re + im * im
    return found


class Model:
    """A front end; `line` has the state of the noise."""

    def __init__(self, name):
        self.name = name
        self.window = _window(name)
        self.bank = _bank(name).astype(object)
        self.noise = [0] * BANDS

    def _shift(self, values):
        if self.name == "micro":
            most = max([abs(v) for v in values if v != -0x8000], default=0)
            return 15 - most.bit_length()
        most = 0
        for v in values:  # of int16, which has no 32768
            most = v if v > most else _int16(-v) if -v > most else most
        return 0 if most <= 0 else max(15 - most.bit_length(), 0)

    def line(self, frame):
        """Return the 40 values of *frame*, 480 samples."""
        values = [int(v) for v in (np.asarray(frame, np.int64) * self.window) >> 12]
        shift = self._shift(values)
        moved = [_int16(v << shift) for v in values] + [0] * (POINTS - WINDOW)
        energies = _energies(moved)
        energies[:5] = energies[241:] = 0
        return [self._value(i, _root(int(v)) >> shift) for i, v in enumerate(energies @ self.bank)]

    def _value(self, i, signal):
        weight = 983 if i % 2 else 409
        up = (signal << 10) & WORD
        self.noise[i] = noise = ((up * weight + self.noise[i] * (16384 - weight)) >> 14) & WORD
        signal = max((up - min(noise, up)) >> 10, signal * 819 >> 14)
        ratio = ((signal * _gain(noise)) >> 6) & WORD
        signal = (ratio * ratio & WORD) >> 20 if ratio < 8192 else (ratio >> 6) - 64
        return _log((signal << 3) & WORD)

    def lines(self, samples):
        """Return an array of uint16 with a row for each line of a whole sound."""
        step = STEPS[self.name]
        count = max((len(samples) - WINDOW) // step + 1, 0)
        rows = [self.line(samples[step * i : step * i + WINDOW]) for i in range(count)]
        return np.array(rows, np.uint16).reshape(count, BANDS)


def as_output(raw, output):
    """Return raw values as *output* has them."""
    raw = raw.astype(np.int64)
    if output == "raw":
        return raw.astype(np.uint16)
    if output == "esphome":
        return np.clip((raw * 256 + 333) // 666 - 128, -128, 127).astype(np.int8)
    scale = np.float64(np.float32(26 / 255))
    values = np.round((raw.astype(np.float32) * np.float32(0.0390625)) / scale + -128)
    return values.astype(np.int64).astype(np.int8)  # wraps
