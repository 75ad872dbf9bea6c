# Runs on the device: cuts an update by tflm_update.py at each write to a block device, on a file
# system of the device, and looks for a whole model each time.
import gc
from hashlib import sha256

import vfs

BLOCK, COUNT = 512, 64


class Cut(Exception):
    pass


class Disk:
    """Blocks in RAM. The power fails at write number *cut*, or in the middle of it.

    Then it does nothing, and takes no heap: a file may close while rubbish is collected.
    """

    def __init__(self, data, cut=0, is_torn=False):
        self.data, self.cut, self.is_torn = data, cut, is_torn
        self.done = 0
        self.is_off = False

    def readblocks(self, block, buffer, offset=0):
        if not self.is_off:
            self.read(BLOCK * block + offset, buffer)

    def writeblocks(self, block, buffer, offset=0):
        if not self.is_off:
            self.write(BLOCK * block + offset, buffer)

    def read(self, start, buffer):
        buffer[:] = memoryview(self.data)[start : start + len(buffer)]

    def write(self, start, buffer):
        self.done += 1
        self.is_off = self.done == self.cut
        size = len(buffer)
        if self.is_off:
            size = size // 2 if self.is_torn else 0
        self.data[start : start + size] = memoryview(buffer)[:size]
        if self.is_off:
            raise Cut

    def ioctl(self, request, _argument):
        if request == 4:
            return COUNT
        return BLOCK if request == 5 else 0


def mounted(kind, disk, work):
    """Return work() while *disk* is mounted."""
    vfs.mount(kind(disk), "/cut")
    try:
        return work()
    finally:
        vfs.umount("/cut")


def model(number, size):
    return bytes([0, 0, 0, 0]) + b"TFL3" + bytes([number]) * (size - 8)


def update(kind_of_slots, data):
    slots = kind_of_slots("/cut/models/wake")
    try:
        slots.begin(len(data), sha256(data).digest())
        for i in range(0, len(data), 700):
            slots.write(memoryview(data)[i : i + 700])
        slots.commit()
    finally:
        slots.abort()  # or the file would be closed while rubbish is collected, without heap
    slots.start()
    slots.confirm()


def used(kind_of_slots):
    slots = kind_of_slots("/cut/models/wake")
    if slots.path is None:
        return 0
    with open(slots.path, "rb") as file:
        data = file.read()
    return data[8] if data in (OLD, NEW) else -1


OLD, NEW = model(1, 3000), model(2, 2500)


def run(slots, kind, torn):
    """Print the number of writes, and how often the old and the new model was used."""
    base = bytearray(BLOCK * COUNT)
    kind.mkfs(Disk(base))
    mounted(kind, Disk(base), lambda: update(slots, OLD))
    data = bytearray(base)
    whole = Disk(data)
    mounted(kind, whole, lambda: update(slots, NEW))
    found = [0, 0, 0]  # none or a wrong one, the old one, the new one
    for is_torn in (False, True) if torn else (False,):
        for cut in range(1, whole.done + 1):
            gc.collect()
            data[:] = base
            try:
                mounted(kind, Disk(data, cut, is_torn), lambda: update(slots, NEW))
                raise RuntimeError("the power did not fail")
            except Cut:
                pass
            number = mounted(kind, Disk(data), lambda: used(slots))
            found[number if number in (1, 2) else 0] += 1
            mounted(kind, Disk(data), lambda: update(slots, NEW))  # it goes on
            if mounted(kind, Disk(data), lambda: used(slots)) != 2:
                found[0] += 1
    print([whole.done, found])
