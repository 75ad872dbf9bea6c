"""Runs on a board, after one_wire_bus.py: the drivers of sensors and pixels against it.

Prints a line for each result; test_drivers.py knows what they are.
"""

import sys

for _name in ("dht", "ds18x20", "neopixel", "onewire"):
    sys.modules.pop(_name, None)  # they are imported again, with what stands in for the hardware

ROMS = [[0x28, 1, 2, 3, 4, 5, 6], [0x28, 1, 2, 3, 4, 5, 7], [0x10, 9, 0, 0, 0, 0, 0]]
ROMS += [[0x22, 0xFF, 0, 0x80, 0, 0, 1], [0x01, 7, 7, 7, 7, 7, 7]]
# 85 C, -10.125 C, 85.0 C of a DS18S20 (whose counters add a quarter less), 0.5 C.
SCRATCH = [[0x50, 5, 0, 0, 0x7F, 0xFF, 0xC, 0x10], [0x5E, 0xFF, 0, 0, 0x7F, 0xFF, 2, 0x10]]
SCRATCH += [[0xAA, 0, 0, 0, 0xFF, 0xFF, 0xC, 0x10], [8, 0, 0, 0, 0x7F, 0xFF, 8, 0x10], [0] * 8]


class Pin:
    OUT, OPEN_DRAIN, PULL_UP = 1, 2, 3

    def init(self, *modes):
        print("pin", modes)


class Machine:
    """The module `machine`, with what a driver takes of it."""


def try_one_wire():
    pairs = zip(ROMS, SCRATCH)  # noqa: B905
    devices = [Thermometer(with_crc(rom), with_crc(data)) for rom, data in pairs]  # noqa: F821
    sys.modules["_onewire"] = bus = Bus(devices)  # noqa: F821
    import ds18x20
    import onewire

    wire = onewire.OneWire(Pin())
    print("scan", sorted([bytes(rom) for rom in wire.scan()]) == sorted([d.rom for d in devices]))
    sensor = ds18x20.DS18X20(wire)
    sensor.convert_temp()
    for rom in sorted([bytes(rom) for rom in sensor.scan()]):
        print(rom[0], sensor.read_temp(rom))
    sensor.write_scratch(devices[1].rom, b"\x01\x02\x3f")
    print([getattr(device, "configuration", None) for device in devices])
    devices[0].memory = devices[0].memory[:8] + b"\x00"
    try:
        sensor.read_temp(devices[0].rom)
    except onewire.OneWireError as error:
        print(error)
    bus.devices = []
    print(wire.scan(), wire.reset())
    try:
        sensor.convert_temp()
    except onewire.OneWireError as error:
        print(error)


def try_pixels():
    sent = []
    sys.modules["machine"] = machine = Machine()
    machine.bitstream = lambda *args: sent.append(args)
    import neopixel

    pin = Pin()
    pixels = neopixel.NeoPixel(pin, 3)
    pixels.fill((1, 2, 3))
    pixels[-1] = (4, 5, 6)
    pixels.write()
    print(len(pixels), pixels[0], pixels[-1], sent[0][0] is pin, sent[0][1:])
    white = neopixel.NeoPixel(pin, 1, bpp=4, timing=0)
    white[0] = (1, 2, 3, 4)
    print(bytes(white.buf), white.timing, neopixel.NeoPixel(pin, 1, timing=(1, 2, 3, 4)).timing)
    for wrong in (lambda: pixels[3], lambda: pixels.fill((1, 2))):
        try:
            wrong()
        except IndexError:
            print("IndexError")


def try_humidity():
    answers = [[45, 0, 23, 0, 68], [0x02, 0x8C, 0x81, 0x5F, 0x6E], [1, 1, 1, 1, 5]]

    def readinto(_pin, buf):
        buf[:] = bytes(answers.pop(0))

    sys.modules["machine"] = machine = Machine()
    machine.dht_readinto = readinto
    import dht

    old, new = dht.DHT11(Pin()), dht.DHT22(Pin())
    old.measure()
    print(old.humidity(), old.temperature())
    new.measure()
    print(new.humidity(), new.temperature())
    try:
        new.measure()
    except Exception as error:
        print(error)
