"""The 1-Wire bus: the module `onewire` that MicroPython documents."""

import _onewire
from micropython import const

_ROM_BITS = const(64)
_DEVICES_MAX = const(255)


class OneWireError(Exception):
    """No device answered, or what came was damaged."""


class OneWire:
    """The bus on *pin*."""

    SEARCH_ROM = 0xF0
    MATCH_ROM = 0x55
    SKIP_ROM = 0xCC

    def __init__(self, pin):
        pin.init(pin.OPEN_DRAIN, pin.PULL_UP)
        self.pin = pin

    def reset(self, required=False):
        """Reset the bus; return whether a device is there, or raise OneWireError if *required*."""
        present = _onewire.reset(self.pin)
        if required and not present:
            raise OneWireError("no device answers")
        return present

    def readbit(self):
        return _onewire.readbit(self.pin)

    def readbyte(self):
        return _onewire.readbyte(self.pin)

    def readinto(self, buf):
        """Fill *buf* with bytes from the bus."""
        for i in range(len(buf)):
            buf[i] = self.readbyte()

    def writebit(self, value):
        return _onewire.writebit(self.pin, value)

    def writebyte(self, value):
        return _onewire.writebyte(self.pin, value)

    def write(self, buf):
        """Write the bytes of *buf*."""
        for value in buf:
            self.writebyte(value)

    def select_rom(self, rom):
        """Let the device with this code alone take part until the next reset."""
        self.reset()
        self.writebyte(self.MATCH_ROM)
        self.write(rom)

    def scan(self):
        """Return the codes, bytearrays of eight, of all devices on the bus."""
        found = []
        rom, fork = bytearray(_ROM_BITS // 8), -1
        for _ in range(_DEVICES_MAX):
            fork = self._search(rom, fork)
            if fork is None:
                break
            found.append(bytearray(rom))
            if fork < 0:
                break
        return found

    def _search(self, rom, fork):
        """Put the next device's code into *rom*, which holds the one before it.

        Devices answer bit by bit, all at once; each bit that is written lets those with that bit
        go on. Up to bit *fork* the way is that of last time; there it is now 1, and 0 behind it
        wherever there are both. Return the last bit at which 0 was taken of both, -1 if there was
        none, None where nobody answers.
        """
        if not self.reset():
            return None
        self.writebyte(self.SEARCH_ROM)
        last = -1
        for place in range(_ROM_BITS):
            index, mask = place >> 3, 1 << (place & 7)
            bit, inverse = self.readbit(), self.readbit()
            if bit and inverse:
                return None
            if not bit and not inverse:
                bit = int(place == fork or (place < fork and rom[index] & mask != 0))
                if not bit:
                    last = place
            self.writebit(bit)
            rom[index] = rom[index] & ~mask | (mask if bit else 0)
        return last

    def crc8(self, data):
        """Return the checksum of *data*: 0 where its last byte is that of those before it."""
        return _onewire.crc8(data)
