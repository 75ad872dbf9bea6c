"""Runs on stock firmware that an emulator has: gives it the heap of a smaller board.

Blocks of memory hold all heap that the smaller board does not have. The host sends this file, then
calls its functions; they print their results.
"""

import gc
import io
import os
import sys

import vfs

AT_START = 2048  # bytes of heap that MicroPython itself has taken when a program starts
_held = []


def shrink(nbytes):
    """Leave what is free at the start of a board whose heap has *nbytes*.

    Of 128 bytes of a heap the collector's tables take 3.
    """
    gc.collect()
    left = size = gc.mem_free() - (nbytes * 125 // 128 - AT_START)
    while left >= 64:
        try:
            _held.append(bytearray(min(left, size)))
            left -= len(_held[-1])
        except MemoryError:
            size //= 2
    gc.collect()


class _File(io.IOBase):
    """A file that has no address, as in a filesystem of blocks: what is loaded is copied."""

    def __init__(self, file):
        self.file = file

    def readinto(self, buffer):
        return self.file.readinto(buffer)

    def ioctl(self, _request, _argument):
        self.file.close()
        return 0


class _Copied:
    """The folder /rom as a filesystem whose files have no address."""

    def open(self, path, mode):
        return _File(open("/rom" + path, mode))

    def stat(self, path):
        return os.stat("/rom" + path)

    def mount(self, _readonly, _mkfs):
        pass

    def umount(self):
        pass


def import_copied():
    """Import modules as from a filesystem of blocks, whatever lies in /rom/lib."""
    vfs.mount(_Copied(), "/flash")
    sys.path[:] = ["", "/flash/lib"]


def _largest():
    """Return the bytes of the largest block that can be allocated, rounded down to 256."""
    low, high = 0, gc.mem_free() // 256 + 1  # high fails
    while high - low > 1:
        middle = (low + high) // 2
        try:
            bytearray(256 * middle)
            low = middle
        except MemoryError:
            high = middle
        gc.collect()
    return 256 * low


def use(model):
    """Run *model* once. Print the heap that it takes with the package, and the largest block left.

    Print nothing if there is too little memory.
    """
    before = gc.mem_alloc()
    try:
        import tflm

        gc.collect()
        interp = tflm.Interpreter(model, prepared=True)
        interp.invoke()
        gc.collect()
        print(gc.mem_alloc() - before, _largest(), interp.backend)
    except MemoryError:
        pass
