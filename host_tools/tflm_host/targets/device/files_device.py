"""Runs on a real board: takes files under test into RAM, or into files that were not there.

The host sends this file, then calls its functions; they print their results.
"""

import gc
import os
from binascii import a2b_base64, hexlify

OURS = "tflm_test_{}.tmp"
held = {}  # file name: its bytes, in RAM


def fits(sizes):
    """Say whether blocks of *sizes* bytes find room in the heap, all at once."""
    blocks = []
    gc.collect()
    try:
        for size in sizes:
            blocks.append(bytearray(size))
        print(True)
    except MemoryError:
        print(False)
    blocks = None
    gc.collect()


def hold(name, nbytes):
    held[name] = bytearray(nbytes)


def put(name, offset, text):
    data = a2b_base64(text)
    held[name][offset : offset + len(data)] = data


def has(path, nbytes):
    """Print the sha256 of the file at *path*, None where there is none of *nbytes*."""
    from hashlib import sha256

    total, size = sha256(), 0
    try:
        with open(path, "rb") as file:
            while True:
                data = file.read(512)
                if not data:
                    break
                total.update(data)
                size += len(data)
    except OSError:
        size = -1
    print(hexlify(total.digest()).decode() if size == nbytes else None)


def spare():
    """Print a path of a file that is not there, and the free bytes of its filesystem."""
    folder = os.getcwd().rstrip("/")
    names = os.listdir(folder or "/")
    values = os.statvfs(folder or "/")
    i = 0
    while OURS.format(i) in names:
        i += 1
    print(folder + "/" + OURS.format(i), values[1] * values[4])


def append(path, text):
    with open(path, "ab") as file:
        file.write(a2b_base64(text))
