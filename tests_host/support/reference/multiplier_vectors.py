"""Scales whose per-channel factor is hard to round, and what double arithmetic makes of them."""

import base64
import math
import random
import struct

from support.reference.kernel_model import quantize_multiplier, real_bits

_MULTIPLIERS = """
from binascii import a2b_base64
from struct import pack_into, unpack_from
from tflm.kernels.fixed_point import WORK
from tflm.kernels.requantize import load_channels
channel = bytearray(16)

def check(rows):
    rows = a2b_base64(rows)
    for i in range(0, len(rows), 20):
        a, b, d, multiplier, shift = unpack_from("<5i", rows, i)
        pack_into("<5i", WORK, 32, a, d, 1, 0, 0)
        load_channels(WORK, b"", rows[i + 4 : i + 8], 4, channel)
        bias, got, shifts, _ = unpack_from("<4i", channel)
        got = got, (shifts & 31) - (shifts >> 16)
        if bias or got != (multiplier, shift):
            print("DIFFERENT", a, b, d, got, multiplier, shift)
"""


def _scale_bits(rng):
    """Float32 bits of a scale; mantissas near the ends are as likely as any."""
    mantissa = rng.choice([0, 1, 0x7FFFFF, 0x7FFFFE, 0x400000, rng.getrandbits(23)])
    if rng.random() < 0.7:
        mantissa = rng.getrandbits(23)
    return (rng.randrange(110, 140) << 23) | mantissa


def _near_tie(rng):
    """Bits of three scales whose exact quotient lies within a few units of a rounding tie.

    With mantissas a, b, d and a shift k that makes a * b * 2**k / d a 31-bit number, b solves
    a * b * 2**k = d // 2 - small (mod d).
    """
    while True:
        a, d = (rng.randrange(2**23, 2**24) | 1 for _ in range(2))
        if math.gcd(a, d) != 1:
            continue
        k = rng.randrange(6, 9)
        b = (d // 2 - rng.randrange(-4, 5)) * pow(a << k, -1, d) % d
        if b >= 2**23 and 2**30 <= (a * b << k) // d < 2**31:
            return [(rng.randrange(110, 140) << 23) + v - 2**23 for v in (a, b, d)]


def script(count, seed):
    """MicroPython source that compares load_channels' factors with double arithmetic's."""
    rng = random.Random(f"multiplier {seed}")
    rows = []
    for _ in range(count):
        bits = [_scale_bits(rng) for _ in range(3)]
        if rng.random() < 0.5:
            bits = _near_tie(rng)
        real = [real_bits(v) for v in bits]
        multiplier, shift = quantize_multiplier(real[0] * real[1] / real[2])
        factor = (multiplier, min(shift, 31))  # beyond 31 TFLM's result is undefined
        rows.append(struct.pack("<5i", *bits, *factor))
    calls = (
        f"check({base64.b64encode(b''.join(rows[i : i + 50]))})\n" for i in range(0, count, 50)
    )
    return _MULTIPLIERS + "".join(calls) + 'print("DONE")\n'
