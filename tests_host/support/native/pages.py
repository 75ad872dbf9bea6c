"""Memory with an end that is noticed: what C reads or writes outside of it ends the process."""

import ctypes
from mmap import PAGESIZE, mmap

NONE, READ, WRITE = 0, 1, 3  # of mprotect

_libc = ctypes.CDLL(None, use_errno=True)


class Pages:
    """*size* bytes between two pages that nobody may touch."""

    def __init__(self, size):
        size = (size + PAGESIZE - 1) & -PAGESIZE
        self._map = mmap(-1, size + 2 * PAGESIZE)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self._size = size
        self._protect(0, PAGESIZE, NONE)
        self._protect(PAGESIZE + size, PAGESIZE, NONE)
        self._all = memoryview(self._map)[PAGESIZE : PAGESIZE + size]

    def _protect(self, start, size, access):
        place = ctypes.c_void_p(self._address + start)
        if _libc.mprotect(place, ctypes.c_size_t(size), access):
            raise OSError(ctypes.get_errno(), "mprotect")

    def end(self, size):
        """Return the last *size* bytes, writable."""
        return self._all[self._size - size :]

    def place(self, data):
        """Copy the bytes *data* to the end; return their address."""
        start = self._size - len(data)
        self._all[start:] = data
        return self._address + PAGESIZE + start

    def hold(self, data, slack=0):
        """Return a view of *data*, *slack* bytes before the end, that nobody can write."""
        start = self._size - len(data) - slack
        page = start & -PAGESIZE
        self._protect(PAGESIZE + page, self._size - page, WRITE)
        self._all[start : start + len(data)] = data
        self._protect(PAGESIZE + page, self._size - page, READ)
        return self._all[start : start + len(data)].toreadonly()
