"""Parts of random operator parameters and operands, rng -> values; rare ones are common."""

import struct


def any_bytes(rng, n):
    if rng.random() < 0.25:
        return bytes(rng.choice((127, 128)) for _ in range(n))
    return rng.randbytes(n)


def bias_of(rng, n):
    if rng.random() < 0.2:
        return b""
    bits = rng.choice((8, 20, 31))
    return struct.pack(f"<{n}i", *(rng.randrange(-(2**bits), 2**bits) for _ in range(n)))


def scales_near(rng, n, around):
    return struct.pack(f"<{n}f", *(around * rng.uniform(0.001, 1.3) for _ in range(n)))


def float_bits(x):
    return struct.unpack("<i", struct.pack("<f", x))[0]


def multiplier_of(rng, low=-12, high=1):
    multiplier = rng.choice((2**30, 2**31 - 1, rng.randrange(2**30, 2**31)))
    return multiplier, rng.choice((low, high, rng.randrange(low, high + 1)))


def activation(rng):
    low, high = rng.choice(((-128, 127), (-128, 127), (rng.randrange(-128, 0), 127), (-20, 31)))
    return {"activation_min": low, "activation_max": high}


def zero(rng):
    return rng.choice((-128, 127, 0, rng.randrange(-128, 128)))
