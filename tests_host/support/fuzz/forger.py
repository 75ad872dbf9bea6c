"""Forges the snapshot of a prepared model, and sums it again: what anybody can do.

Each of FORGERIES is a function of (file as a bytearray, position of the snapshot, words of its
header) that changes what would make kernels read or write elsewhere.
"""

import struct

from tflm.base import layout
from tflm.model import PREPARED, Model
from tflm.run.prepared import HEADER, SUMMED

FAR = 0x3FFFFF00  # an even tagged offset: some 512 MB behind the arena's base
HUGE = 0x7FFFFFFF
NODES, TABLE, ARENA, TENSORS, VARIABLES, KERNELS = 36, 40, 32, 48, 52, 68  # bytes of the header


def forged(data, what):
    """Return the prepared model *data* with the forgery *what* and the sum that it needs."""
    out = bytearray(data)
    pos, nbytes = Model(data, prepared=False).metadata_entry(PREPARED)
    FORGERIES[what](out, pos, struct.unpack_from(HEADER, out, pos))
    return summed(out, pos, nbytes)


def summed(out, pos, nbytes):
    """Return the file *out* with the right checksum in its snapshot."""
    total = 0
    for (word,) in struct.iter_unpack("<I", bytes(out[pos + SUMMED : pos + nbytes])):
        total = ((total << 5 | total >> 27) ^ word) * 0x9E3779B1 & 0xFFFFFFFF
    struct.pack_into("<I", out, pos + 4, total)
    return bytes(out)


def _nodes(out, words):
    """Yield (position of the entry, tagged offsets, position of the parameters) of each node."""
    for i in range(words[6]):
        at = words[7] + layout.NODE_SIZE * i
        _, refs, record = struct.unpack_from(layout.NODE_FORMAT, out, at)
        yield at, refs, record >> 1


def _writes_far(out, _pos, words):
    for _, refs, record in _nodes(out, words):
        for k in range(refs):
            (ref,) = struct.unpack_from("<i", out, record + 4 * k)
            if ref >= 0 and ref & 1 == layout.ARENA:
                struct.pack_into("<i", out, record + 4 * k, FAR)


def _reads_far(out, _pos, words):
    _, _, record = next(_nodes(out, words))
    struct.pack_into("<i", out, record, FAR)


def _reads_far_in_the_file(out, _pos, words):
    _, _, record = next(_nodes(out, words))
    struct.pack_into("<i", out, record, FAR | layout.MODEL)


def _word(byte, *values):
    def forge(out, pos, _words):
        struct.pack_into(f"<{len(values)}i", out, pos + byte, *values)

    return forge


def _kernel(out, _pos, words):
    struct.pack_into("<H", out, words[7], 0x7FFF)


def _refs(out, _pos, words):
    struct.pack_into("<H", out, words[7] + 2, 0xFFF0)


def _record(place):
    def forge(out, _pos, words):
        struct.pack_into("<i", out, words[7] + 4, place)

    return forge


FORGERIES = {
    "write": _writes_far,
    "read": _reads_far,
    "read the file": _reads_far_in_the_file,
    "nodes": _word(NODES, HUGE),
    "arena": _word(ARENA, 0),
    "huge arena": _word(ARENA, HUGE),
    "kernels": _word(KERNELS, HUGE, 0),
    "kernels elsewhere": _word(KERNELS, HUGE, -1),
    "table": _word(TABLE, 0x7FFFFF00),
    "tensors": _word(TENSORS, 0x7FFFFF00),
    "variables": _word(VARIABLES, HUGE, 0),
    "kernel": _kernel,
    "refs": _refs,
    "record behind the end": _record(0x7FFFFFF1),
    "record in the arena": _record(0),
    "record between words": _record(203),
}
