"""Sums of float32 products have the bits of this machine's floats where a core has none.

Cortex-M0, M0+ and M3, and RISC-V cores without F add products in integers: see
kernels/common/products_f32.h. BATCH_MATMUL takes both factors as inputs, so each invoke draws new
ones.
TFLM_PATTERNS is how many sums each board makes of each kind of factors.
"""

import ctypes
import os
import shutil
import struct
import zlib

import numpy as np
import pytest

from kernels.test_curves_f32 import FACTORS, LIMITS, SCRIPT, SECONDS, patterns_of
from support.models.model_builder import ModelBuilder
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

ROWS, DEPTH, COLUMNS = 10, 24, 8
SUMS = int(os.environ.get("TFLM_PATTERNS", "4000"))
SIGN = 1 << 31
BOARDS = ("M0PLUS", "MPS2_AN385", "VIRT_RV32")
# Bits that are kept, bits that are set, one in how many words is 0 or -0.
KINDS = {
    "any": (0xFFFFFFFF, 0, 0),
    "near 1": (0x81FFFFFF, 124 << 23, 0),
    "few bits": (0x81E00000, 124 << 23, 0),
    "zeros": (0x83FFFFFF, 120 << 23, 3),
    "far apart": (0x8FFFFFFF, 96 << 23, 0),
    "subnormal": (0x81FFFFFF, 62 << 23, 0),
    "subnormal, few bits": (0x81C00000, 60 << 23, 0),
    "infinite": (0x81FFFFFF, 188 << 23, 0),
}


def model(turned):
    b = ModelBuilder()
    x = b.tensor([1, ROWS, DEPTH], "FLOAT32")
    w = b.tensor([1, COLUMNS, DEPTH] if turned else [1, DEPTH, COLUMNS], "FLOAT32")
    y = b.tensor([1, ROWS, COLUMNS], "FLOAT32")
    b.op("BATCH_MATMUL", [x, w], [y], adj_y=turned)
    return b.build([x, w], [y])


def words_of(masks, first, count):
    """Return the factors that products_device.py gives the board."""
    kept, fixed, zeros = masks
    words = patterns_of(first + count)[first:] & np.uint32(kept) | np.uint32(fixed)
    if zeros:
        words[::zeros] &= np.uint32(SIGN)
    return words


def in_order(x, w):
    """Return the sums of products of the rows of *x* and of *w*, added one after the other."""
    total = np.zeros((len(x), len(w)), np.float32)
    with np.errstate(all="ignore"):
        for i in range(x.shape[1]):
            total = total + x[:, i, None] * w[None, :, i]
    return total


def expected(turned, masks, invokes):
    crc = first = 0
    for _ in range(invokes):
        x = words_of(masks, first, ROWS * DEPTH).view(np.float32).reshape(ROWS, DEPTH)
        first += ROWS * DEPTH
        w = words_of(masks, first, COLUMNS * DEPTH).view(np.float32)
        first += COLUMNS * DEPTH
        w = w.reshape(COLUMNS, DEPTH) if turned else w.reshape(DEPTH, COLUMNS).T
        found = in_order(x, w).view(np.uint32)
        found[found & LIMITS[0] > LIMITS[1]] = LIMITS[2]
        crc = zlib.crc32(found.tobytes(), crc)
    return crc


def test_kinds_of_factors_reach_what_they_are_named_for():
    def share(name, low, high):
        words = words_of(KINDS[name], 0, 4800).view(np.float32).reshape(-1, 2, DEPTH)
        sums = np.array([in_order(x[:1], x[1:])[0, 0] for x in words])
        bits = sums.view(np.uint32) & LIMITS[0]
        return np.mean((bits >= low) & (bits <= high))

    smallest_normal = 1 << 23
    assert share("subnormal", 1, 8 * smallest_normal) > 0.5
    assert share("subnormal, few bits", 0, smallest_normal) > 0.5
    assert share("infinite", LIMITS[1], LIMITS[0]) > 0.05
    assert share("near 1", 100 << 23, 140 << 23) > 0.99


class Products(ctypes.Structure):
    """tflm_products_t."""

    _fields_ = [
        ("x", ctypes.c_void_p),
        ("w", ctypes.c_void_p),
        ("next_x", ctypes.c_int32),
        ("next_w", ctypes.c_int32),
        ("end", ctypes.c_void_p),
    ]


@pytest.mark.parametrize("name", KINDS)
def test_integers_of_this_machine_have_the_bits_of_its_floats(name):
    add = ctypes.CDLL(native.library(isa="armv6m")).tflm_add_products
    add.restype, add.argtypes = ctypes.c_float, [ctypes.c_float, Products]
    words = words_of(KINDS[name], 0, 2000 * 2 * DEPTH).view(np.float32).reshape(-1, 2, DEPTH)
    for x, w in words:
        end = x.ctypes.data + x.nbytes
        found = np.float32(add(0.0, Products(x.ctypes.data, w.ctypes.data, 4, 4, end)))
        wanted = in_order(x[None], w[None])[0, 0]
        assert found.tobytes() == wanted.tobytes() or np.isnan([found, wanted]).all()


@pytest.mark.firmware
@pytest.mark.parametrize("board", BOARDS)
def test_sums_on_a_board_have_the_bits_of_this_machine(board):
    if shutil.which(QEMU) is None and board != "VIRT_RV32":
        pytest.skip(f"{QEMU} is not installed")
    invokes = -(-SUMS // (ROWS * COLUMNS))
    factors, limits = (struct.pack(f"<{len(words)}I", *words) for words in (FACTORS, LIMITS))
    models = [(str(turned), model(turned)) for turned in (False, True)]
    with open_target(board, models=models) as target:
        target.exec(SCRIPT.read_text())
        target.exec(
            (ROOT / "tests_host" / "support" / "device" / "products_device.py").read_text()
        )
        for name, masks in KINDS.items():
            packed = struct.pack("<4I", *masks, SIGN)
            for turned in (False, True):
                call = f"{target.source(str(turned))}, {invokes}, {factors}, {packed}, {limits}"
                found = int(target.exec(f"sums({call})", SECONDS))
                assert found == expected(turned, masks, invokes), (name, turned)
