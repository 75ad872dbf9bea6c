"""A 1-Wire bus with thermometers, in place of the module `_onewire`; runs on boards, too.

The bus is the wired AND of what all devices that take part say.
"""


def crc8(data):
    """Return the checksum of Maxim's devices: x^8 + x^5 + x^4 + 1, the lowest bit first."""
    crc = 0
    for value in data:
        for place in range(8):
            bit = (crc ^ value >> place) & 1
            crc = crc >> 1 ^ 0x8C * bit
    return crc


def with_crc(data):
    return bytes(data) + bytes([crc8(data)])


class Thermometer:
    """A device with the code *rom* and nine bytes of memory."""

    def __init__(self, rom, memory):
        self.rom = rom
        self.memory = memory

    def code_bit(self, place):
        return self.rom[place >> 3] >> (place & 7) & 1


class Bus:
    """The functions of `_onewire`; the pin is not used."""

    SEARCH, MATCH, SKIP, WRITE, READ, CONVERT = 0xF0, 0x55, 0xCC, 0x4E, 0xBE, 0x44

    def __init__(self, devices):
        self.devices = devices
        self.reset(None)

    crc8 = staticmethod(crc8)

    def reset(self, _pin):
        self.active = list(self.devices)
        self.state = None  # what the next bytes are for
        self.written = []
        self.place = self.half = 0
        self.out = []
        return bool(self.devices)

    def readbit(self, _pin):
        bits = [device.code_bit(self.place) ^ self.half for device in self.active]
        self.half ^= 1
        return int(all(bits))

    def writebit(self, _pin, value):
        self.active = [d for d in self.active if d.code_bit(self.place) == value]
        self.place += 1

    def readbyte(self, _pin):
        return self.out.pop(0) if self.out else 0xFF

    def writebyte(self, _pin, value):
        if self.state is None:
            self.state = value
            if value == self.READ:
                self.out = list(self.active[0].memory)
            elif value == self.SKIP:
                self.state = None
            return
        self.written.append(value)
        if self.state == self.MATCH and len(self.written) == 8:
            self.active = [d for d in self.active if list(d.rom) == self.written]
            self.state, self.written = None, []
        elif self.state == self.WRITE:
            for device in self.active:
                device.configuration = bytes(self.written)
