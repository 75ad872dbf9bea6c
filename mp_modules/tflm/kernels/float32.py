"""Single-precision numbers at any alignment, on ports whose floats may be doubles.

A sum, product or quotient of two singles may be rounded to a double and then to a single. The
result equals the single operation, because a double has more than twice the bits plus 2.
"""

from struct import pack, pack_into, unpack, unpack_from


def single(x):
    """Round to single precision."""
    return unpack("<f", pack("<f", x))[0]


def get(buffer, index):
    """Return element *index*."""
    return unpack_from("<f", buffer, 4 * index)[0]


def put(output, index, x, bounds):
    """Store x clamped as std::min(std::max(x, low), high) does: NaN passes."""
    low, high = bounds
    x = low if x < low else x
    pack_into("<f", output, 4 * index, high if high < x else x)
