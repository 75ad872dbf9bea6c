"""Inputs of fuzz_fence.c: prepared models, each behind the position of its snapshot's header."""

import struct

import _tflm
from support.fuzz.fuzz_reader import LARGEST
from tflm import ArenaError, Model, ModelError, UnsupportedOpError
from tflm.model import PREPARED
from tflm.run.prepared import HEADER, KERNEL
from tflm_host.prepare import prepare

FORM = 1  # of every kernel, for fuzz_fence.c
REFUSED = ArenaError, MemoryError, ModelError, UnsupportedOpError, ValueError


def of_prepared(models):
    """Return an input for each of *models* that can be prepared, where it is not too long."""
    found = []
    for data in models:
        if len(data) > LARGEST:
            continue
        try:
            found.append(input_of(prepare(data, _tflm.isa)))
        except REFUSED:
            continue
    return [data for data in found if len(data) <= LARGEST]


def input_of(made):
    """Return the input for the prepared model *made*, whose kernels all get FORM."""
    pos, nbytes = Model(made, prepared=False).metadata_entry(PREPARED)
    out = bytearray(made[: pos + nbytes])
    count, first = struct.unpack_from(HEADER, made, pos)[14:16]
    for i in range(count):
        struct.pack_into("<i", out, first + struct.calcsize(KERNEL) * i + 4, FORM)
    return struct.pack("<i", pos) + out
