"""The ring that the DMA of a microphone fills, microphone.c, with filters, compiled here."""

import ctypes
import subprocess

import pytest

from tflm_host.model.native import FLAGS, BuildError, compiler
from tflm_host.places import SOURCES

TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-shared"]


class Ring(ctypes.Structure):
    """tflm_ring_t."""

    _fields_ = [
        ("samples", ctypes.c_void_p),
        *((name, ctypes.c_uint32) for name in ("size", "head", "at", "lost")),
        ("mean", ctypes.c_int32),
    ]


def ring_library(folder, *filters):
    """Compile the ring and the files *filters*; undefined behaviour ends the process."""
    try:
        cc = compiler()
    except BuildError as error:
        pytest.skip(str(error))
    path = folder / "ring.so"
    sources = [SOURCES / "audio" / name for name in ("microphone.c", *filters)]
    subprocess.run([cc, *FLAGS, *TRAPS, f"-I{SOURCES}", *sources, "-o", path], check=True)
    return ctypes.CDLL(str(path))
