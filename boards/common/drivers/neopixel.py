"""Strips of WS2812 pixels: the module `neopixel` that MicroPython documents."""

from machine import bitstream

HIGH_LOW = 0  # the encoding of bitstream(): a bit is a high and a low
# Nanoseconds of high and low of a 0, then of a 1, at 400 kHz and at 800 kHz.
TIMINGS = ((800, 1700, 1600, 900), (400, 850, 800, 450))


class NeoPixel:
    """*n* pixels on *pin*; a pixel is a tuple of *bpp* values: red, green, blue and, for 4, white.

    timing  1: 800 kHz, 0: 400 kHz; or a tuple as those of TIMINGS
    """

    ORDER = (1, 0, 2, 3)  # where in a pixel's bytes each value goes

    def __init__(self, pin, n, bpp=3, timing=1):
        pin.init(pin.OUT)
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.timing = TIMINGS[bool(timing)] if isinstance(timing, int) else timing

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        first = index * self.bpp
        return tuple([self.buf[first + place] for place in self.ORDER[: self.bpp]])

    def __setitem__(self, index, pixel):
        first = index * self.bpp
        for k in range(self.bpp):
            self.buf[first + self.ORDER[k]] = pixel[k]

    def fill(self, pixel):
        """Set all pixels; write() shows them."""
        for index in range(self.n):
            self[index] = pixel

    def write(self):
        """Send all pixels to the strip."""
        bitstream(self.pin, HIGH_LOW, self.timing, self.buf)
