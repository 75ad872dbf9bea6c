"""Replace a model while the board is in use: two slots, a checksum, and a way back.

    slots = tflm_update.Slots("/models/wake", factory="/rom/wake.tflite")
    interp = tflm.Interpreter(slots.start())      # the newest model that is whole
    ...                                           # it works
    slots.confirm()

    slots.begin(size, sha256)                     # later: a new model comes, from anywhere
    slots.write(chunk)                            # again and again
    slots.commit()                                # from the next start() on

A slot has up to four files, here wake-a and wake-b. The model is wake-a.tflite. wake-a.ok says
that it is whole, and is written last. wake-a.run has a byte for each start without confirm(), and
wake-a.good ends the count. No file is renamed or replaced, so the power may fail at any moment, on
littlefs and on FAT.
"""

import os
import struct
from binascii import crc32, hexlify, unhexlify
from hashlib import sha256

_RECORD = "<4sII32s"  # magic, number of the update, size, SHA-256; then a CRC-32 of it
_MAGIC = b"TFLu"
_PART = 512  # bytes that are read at a time
_LETTERS = "ab"


class Slots:
    """Two places for a model.

    base     a path without ending: the files are base-a.tflite and so on
    factory  path of a model that is there always, such as one in /rom; or None
    tries    starts without confirm(), after which the model before is used

    path     the file to load, or None where there is no model yet
    """

    def __init__(self, base: str, factory: "str | None" = None, tries: int = 3) -> None:
        self.base = base
        self.factory = factory
        self.tries = tries
        self._file = None
        self._target = ""
        self._wanted = b""
        self._left = 0
        self._number = 0  # of the newest update
        self._used = ""  # the slot of path, "" for the factory's
        self._choose()

    @property
    def path(self) -> "str | None":
        return self._name(self._used, "tflite") if self._used else self.factory

    @property
    def checksum(self) -> str:
        """The SHA-256 of the model in use, as hex digits; "" of the factory's."""
        found = self._record(self._used) if self._used else None
        return hexlify(found[2]).decode() if found else ""

    def start(self) -> "str | None":
        """Return `path`; count a start unless the model was confirmed. Call it once a boot."""
        if self._used and not self._has(self._used, "good"):
            with open(self._name(self._used, "run"), "ab") as file:
                file.write(b".")
        return self.path

    def confirm(self) -> None:
        """Say that the model of `path` works: its starts are no longer counted."""
        if self._used and not self._has(self._used, "good"):
            with open(self._name(self._used, "good"), "wb"):
                pass

    def begin(self, size: int, sha256: "str | bytes") -> None:
        """Prepare to take a model of *size* bytes with this checksum, hex digits or 32 bytes.

        The model in use stays. Raises ValueError where the checksum is none, OSError where the
        file system has no room.
        """
        wanted = unhexlify(sha256) if isinstance(sha256, str) else bytes(sha256)
        if len(wanted) != 32 or size < 8:
            raise ValueError("begin: a size in bytes and a SHA-256 of 64 hex digits expected")
        self.abort()
        slot = "b" if self._used == "a" else "a"
        for kind in ("ok", "good", "run", "tflite"):  # from now on the slot is empty
            if self._has(slot, kind):
                os.remove(self._name(slot, kind))
        self._make_folder()
        name = self._name(slot, "tflite")
        self._file = open(name, "wb")  # type: ignore[assignment]  # noqa: SIM115
        self._target, self._wanted, self._left = slot, wanted, size

    def write(self, chunk: "bytes | bytearray | memoryview") -> None:
        """Take the next bytes of the model. Raises ValueError where there are more than *size*."""
        if self._file is None:
            raise ValueError("write: begin(size, sha256) comes first")
        if len(chunk) > self._left:
            raise ValueError("write: %d bytes more than the size" % (len(chunk) - self._left))
        if self._file.write(chunk) != len(chunk):
            raise OSError(28)  # ENOSPC, of file systems that only write less
        self._left -= len(chunk)

    def abort(self) -> None:
        """Give up an update that has begun, for example after a lost connection."""
        try:
            self._close()
        except OSError:  # nothing of it is used
            pass

    def _close(self) -> None:
        file, self._file = self._file, None
        if file:
            file.close()

    def commit(self, check=None) -> None:  # type: ignore[no-untyped-def]
        """Read the model back; if it is the right one, it is the one of the next start.

        check(path)  of yours, which raises if the model is not the one that your program needs
        Raises ValueError where bytes are missing or wrong. The model in use then stays.
        """
        if self._file is None:
            raise ValueError("commit: begin(size, sha256) comes first")
        slot, missing = self._target, self._left
        self._close()
        name = self._name(slot, "tflite")
        if missing:
            raise ValueError("%s: %d bytes are missing" % (name, missing))
        size, found, head = _digest(name)
        if found != self._wanted:
            raise ValueError("%s: its SHA-256 is another one, so it was damaged" % name)
        if head[4:8] != b"TFL3":
            raise ValueError("%s: no .tflite file" % name)
        if check:
            check(name)
        record = struct.pack(_RECORD, _MAGIC, self._number + 1, size, found)
        with open(self._name(slot, "ok"), "wb") as file:
            file.write(record + struct.pack("<I", crc32(record)))
        self._choose()

    def _choose(self) -> None:
        """Find the newest whole model that has not failed too often."""
        records = [(self._record(slot), slot) for slot in _LETTERS]
        found = [(record[0], slot, record) for record, slot in records if record]
        found.sort(reverse=True)
        self._number = found[0][0] if found else 0
        self._used = ""
        failed = []
        for _, slot, record in found:
            if self._has_failed(slot):
                failed.append((slot, record))
            elif self._is_whole(slot, record):
                self._used = slot
                return
        if not self.factory:  # one that failed is better than none; the older one worked once
            for slot, record in failed:
                if self._is_whole(slot, record):
                    self._used = slot

    def _record(self, slot: str):  # type: ignore[no-untyped-def]
        """Return (number, size, SHA-256) of *slot*, or None where its model is not whole."""
        try:
            with open(self._name(slot, "ok"), "rb") as file:
                data = file.read()
        except OSError:
            return None
        size = struct.calcsize(_RECORD)
        if len(data) != size + 4 or data[:4] != _MAGIC:
            return None
        if struct.unpack_from("<I", data, size)[0] != crc32(data[:size]):
            return None
        return struct.unpack_from(_RECORD, data)[1:]

    def _is_whole(self, slot: str, record) -> bool:  # type: ignore[no-untyped-def]
        try:
            size, found, _ = _digest(self._name(slot, "tflite"))
        except OSError:
            return False
        return (size, found) == tuple(record[1:])

    def _has_failed(self, slot: str) -> bool:
        if self._has(slot, "good"):
            return False
        try:
            return os.stat(self._name(slot, "run"))[6] >= self.tries
        except OSError:
            return False

    def _has(self, slot: str, kind: str) -> bool:
        try:
            os.stat(self._name(slot, kind))
        except OSError:
            return False
        return True

    def _name(self, slot: str, kind: str) -> str:
        return "%s-%s.%s" % (self.base, slot, kind)

    def _make_folder(self) -> None:
        folder = self.base[: self.base.rfind("/") + 1].rstrip("/")
        if folder:
            try:
                os.stat(folder)
            except OSError:
                os.mkdir(folder)


def _digest(name: str):  # type: ignore[no-untyped-def]
    """Return (size, SHA-256, first bytes) of a file."""
    total, size, head = sha256(), 0, b""
    part = bytearray(_PART)
    with open(name, "rb") as file:
        while True:
            count = file.readinto(part)
            if not count:
                return size, total.digest(), head
            if not size:
                head = bytes(part[:8])
            total.update(memoryview(part)[:count])
            size += count
