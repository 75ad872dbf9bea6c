"""Thermometers DS18S20, DS1822 and DS18B20: the module `ds18x20` that MicroPython documents."""

from micropython import const
from onewire import OneWireError

_DS18S20 = const(0x10)  # the first byte of a code says what the device is
_DS1822 = const(0x22)
_DS18B20 = const(0x28)
_CONVERT = const(0x44)
_WRITE_SCRATCHPAD = const(0x4E)
_READ_SCRATCHPAD = const(0xBE)
_SCRATCHPAD_BYTES = const(9)


class DS18X20:
    """The thermometers on a bus, a onewire.OneWire."""

    def __init__(self, onewire):
        self.ow = onewire
        self.buf = bytearray(_SCRATCHPAD_BYTES)

    def scan(self):
        """Return the codes of the thermometers on the bus."""
        return [rom for rom in self.ow.scan() if rom[0] in (_DS18S20, _DS1822, _DS18B20)]

    def convert_temp(self):
        """Let all of them measure, which takes 750 ms."""
        self.ow.reset(True)
        self.ow.writebyte(self.ow.SKIP_ROM)
        self.ow.writebyte(_CONVERT)

    def read_scratch(self, rom):
        """Return the memory of one, nine bytes that the next call overwrites."""
        self._select(rom)
        self.ow.writebyte(_READ_SCRATCHPAD)
        self.ow.readinto(self.buf)
        if self.ow.crc8(self.buf):
            raise OneWireError("the checksum is wrong")
        return self.buf

    def write_scratch(self, rom, buf):
        """Write the alarms and, but for a DS18S20, the resolution."""
        self._select(rom)
        self.ow.writebyte(_WRITE_SCRATCHPAD)
        self.ow.write(buf)

    def read_temp(self, rom):
        """Return what one measured, in degrees Celsius."""
        data = self.read_scratch(rom)
        value = data[0] | data[1] << 8
        if value & 0x8000:
            value -= 0x10000
        if rom[0] != _DS18S20:
            return value / 16
        # Halves of a degree, which are left out here, and finer steps by its counters.
        left, whole = data[6], data[7]
        return (value >> 1) - 0.25 + (whole - left) / whole

    def _select(self, rom):
        self.ow.reset(True)
        self.ow.select_rom(rom)
