# Runs on the device: the disk of ram_disk.py, whose files lie outside of the heap, as those of a
# flash do.
import ram_disk
import uctypes

START = 0x21200000  # behind the image of /rom, in memory that nothing uses


class Outside:
    """Bytes that grow at their end while no other ones do."""

    end = START

    def __init__(self):
        self.start, self.size = Outside.end, 0

    def extend(self, data):
        uctypes.bytearray_at(Outside.end, len(data))[:] = data
        Outside.end += len(data)
        self.size += len(data)

    def __len__(self):
        return self.size

    def __getitem__(self, part):
        first = min(part.start, self.size)
        last = min(part.stop, self.size)
        return uctypes.bytes_at(self.start + first, last - first) if last > first else b""


ram_disk.RamDisk.content = Outside
ram_disk.room = None
