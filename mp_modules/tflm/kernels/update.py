"""DYNAMIC_UPDATE_SLICE, and SLICE from where it computes.

Source: tensorflow/lite/micro/kernels/dynamic_update_slice.cc, slice.cc.
"""

import micropython
from micropython import const

from .move import move

_NBYTES = const(0)
_WIDE = const(1)
_RUN = const(2)
_COUNT = const(3)
_STEP = const(4)
_RANK = const(5)
_DIMS = const(6)


def update(params, input, update, starts, output):
    """Bytes, bytes, int32 or int64 [rank] -> bytes; the output may be the input."""
    _copy(params, input, output)
    _move_part(params, update, output, _place(params, starts), 1)


def slice_at(params, input, starts, output):
    """Bytes, starts int32 or int64 [rank] -> the bytes from these starts on."""
    _move_part(params, input, output, _place(params, starts), 0)


@micropython.viper
def _copy(params, input, output):
    p = ptr32(params)
    move(input, 0, output, 0, p[_NBYTES])


@micropython.viper
def _move_part(params, source, target, place: int, is_update: int):
    """Move runs that lie together to a tensor's part from *place* on; without an update, back."""
    p = ptr32(params)
    last = _DIMS + 3 * p[_RANK] - 3
    run = p[_RUN]
    repeats = 1
    for d in range(_DIMS, last + 1, 3):
        repeats *= p[d]
    k = 0
    for i in range(repeats):
        at = place
        rest = i
        d = last
        while d >= _DIMS:
            quotient = rest // p[d]
            at += (rest - quotient * p[d]) * p[d + 2]
            rest = quotient
            d -= 3
        for _ in range(p[_COUNT]):
            if is_update:
                move(source, k, target, at, run)
            else:
                move(source, at, target, k, run)
            k += run
            at += p[_STEP]


@micropython.viper
def _place(params, starts) -> int:
    """Return the byte where the update begins: its starts are clamped."""
    p = ptr32(params)
    z = ptr8(starts)
    wide = p[_WIDE]
    place = 0
    at = 0
    for d in range(_DIMS, _DIMS + 3 * p[_RANK], 3):
        start = z[at] | z[at + 1] << 8 | z[at + 2] << 16 | (z[at + 3] & 63) << 24
        if z[at + 3] > 63:
            start = 0x3FFFFFFF
        for i in range(4, wide):
            if z[at + i]:
                start = 0x3FFFFFFF
        if z[at + wide - 1] > 127:
            start = 0
        if start > p[d + 1]:
            start = p[d + 1]
        place += start * p[d + 2]
        at += wide
    return place
