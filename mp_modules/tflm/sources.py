"""Where sound comes from: wave files, raw samples, microphones; 16 kHz, one channel, int16.

    mic = I2SMicrophone(sck=16, ws=17, sd=18)     # INMP441 on a Pico
    print(mic.check())
    mic.record(2).save("hello.wav")

A source has readinto(buffer), which returns how many bytes it wrote, 0 at the end, None where
there are none yet. It may have `rate`, samples a second, and `lost`, samples lost so far.
"""

from array import array
from math import log10
from struct import pack, unpack

from .audio import RATE, _tflm
from .base.clock import ticks_diff, ticks_us
from .base.port import const

try:
    import micropython as _micropython
except ImportError:
    _micropython = None

_PCM = const(1)
_EXTENSIBLE = const(0xFFFE)
_KINDS = ("h", "int16", "b", "B")
_BLOCK = const(16)  # samples that a port's I2S drops at a time
_FRAMES = const(128)  # bytes of so many frames
_SKIPPED = const(640)  # bytes, 20 ms


def spaced(number):
    """Return *number* with a comma at each thousand."""
    return "{:,}".format(number)


def only(value, hint, when=""):
    """Return the warning where all samples are *value*."""
    return "only %s%s: %s" % ("the value %d" % value if value else "zeros", when, hint)


class Samples:
    """A buffer of int16 samples, or of their bytes, as a source; save() writes a wave file."""

    lost = 0
    hint = None  # silence may be meant

    def __init__(self, samples, rate=RATE):
        self.samples = samples
        self.rate = rate
        self._bytes = data = _bytes_of(samples)
        if len(data) % 2:
            raise ValueError("samples: byte %d has no second half" % (len(data) - 1))
        self._at = 0

    def readinto(self, buffer):
        """Copy the next samples; return how many bytes, 0 at the end."""
        part = self._bytes[self._at : self._at + len(buffer)]
        count = len(part)
        buffer[:count] = part
        self._at += count
        return count

    def save(self, path):
        """Write a wave file."""
        n, rate = len(self._bytes), self.rate
        head = b"RIFF", 36 + n, b"WAVEfmt ", 16, _PCM, 1, rate, 2 * rate, 2, 16, b"data", n
        with open(path, "wb") as file:
            file.write(pack("<4sI8sIHHIIHH4sI", *head))
            file.write(self._bytes)


def _bytes_of(samples):
    if isinstance(samples, (bytes, bytearray)):
        return memoryview(samples)
    if isinstance(samples, (str, list, tuple)):
        raise TypeError("samples: a buffer of int16 values expected")
    return memoryview(bytes(samples if _micropython else _checked(samples)))


def _checked(samples):
    """Return the bytes of *samples*, a buffer of CPython, after a check of its type."""
    kind = "h"
    for name in ("dtype", "typecode", "format"):  # they have one of them
        kind = str(getattr(samples, name, kind))
    if kind not in _KINDS:
        raise TypeError("samples: a buffer of int16 values expected, %s given" % kind)
    if len(getattr(samples, "shape", (1,))) > 1:
        raise ValueError("samples: one channel expected, shape %s given" % (samples.shape,))
    return samples.tobytes()


class Pcm:
    """Raw samples of 16 bits, little-endian, from a file, or from a stream with readinto()."""

    hint = None
    lost = 0

    def __init__(self, source, rate=RATE):
        self.name = getattr(source, "name", "the stream")
        self.rate = rate
        if isinstance(source, str):
            self.name = source
            source = open(source, "rb")  # noqa: SIM115 - the source holds it
        self._file = source

    def readinto(self, buffer):
        """Fill the buffer as far as there is something; return how many bytes."""
        return self._file.readinto(buffer)


class Wav(Pcm):
    """A wave file of 16 bits. Of two channels the left one is taken, and a note says so.

    name, rate, channels  as the file has them;  count  samples
    Raises ValueError, which names the byte where a file is wrong.
    """

    def __init__(self, source):
        Pcm.__init__(self, source)
        self._size = self._file.seek(0, 2)
        self.channels = 0
        self._left = self._find()
        self.count = self._left // (2 * self.channels)
        self._pair = None
        if self.channels == 2:
            print("%s has two channels: the left one is taken" % self.name)
            self._pair = memoryview(bytearray(256))

    def _read(self, at, count):
        self._file.seek(at)
        data = self._file.read(count)
        if len(data) < count:
            raise ValueError("%s: the file ends at byte %d, in a header" % (self.name, self._size))
        return data

    def _find(self):
        """Read the headers; return the bytes of the samples, at which the file then stands."""
        kind, whole, form = unpack("<4sI4s", self._read(0, 12))
        if kind != b"RIFF" or form != b"WAVE":
            raise ValueError(
                "%s is no wave file: byte 0 is not RIFF, or byte 8 not WAVE" % self.name
            )
        at = 12
        while at + 8 <= self._size:
            kind, nbytes = unpack("<4sI", self._read(at, 8))
            end = at + 8 + nbytes
            if end > self._size:
                self._refuse_size(at + 4, nbytes)
            if kind == b"fmt ":
                self._take_format(at + 8, nbytes)
            elif kind == b"data":
                if not self.channels:
                    raise ValueError(
                        '%s: byte %d begins data before a "fmt " chunk' % (self.name, at)
                    )
                if nbytes % (2 * self.channels):
                    raise ValueError(
                        "%s: byte %d says %s bytes, which are no whole samples"
                        % (self.name, at + 4, spaced(nbytes))
                    )
                if not at + nbytes <= whole <= self._size - 8:
                    self._refuse_size(4, whole)
                self._file.seek(at + 8)
                return nbytes
            at = end + nbytes % 2
        raise ValueError('%s: no "data" chunk before its end at byte %d' % (self.name, self._size))

    def _refuse_size(self, at, nbytes):
        raise ValueError(
            "%s: byte %d says that %s bytes follow, but there are %s"
            % (self.name, at, spaced(nbytes), spaced(self._size - at - 4))
        )

    def _take_format(self, at, nbytes):
        if nbytes < 16:
            raise ValueError(
                "%s: byte %d says %d bytes of format, 16 expected" % (self.name, at - 4, nbytes)
            )
        code, channels, rate, _, _, bits = unpack("<HHIIHH", self._read(at, 16))
        if code == _EXTENSIBLE and nbytes >= 26:
            code = unpack("<H", self._read(at + 24, 2))[0]
        if code != _PCM:
            raise ValueError(
                "%s: byte %d says format %d, 1 expected, which is PCM" % (self.name, at, code)
            )
        if bits != 16:
            raise ValueError(
                "%s has %d bits a sample (byte %d), 16 expected: sox %s -b 16 out.wav"
                % (self.name, bits, at + 14, self.name)
            )
        if channels not in (1, 2):
            raise ValueError(
                "%s: byte %d says %d channels, 1 expected" % (self.name, at + 2, channels)
            )
        self.rate, self.channels = rate, channels

    def readinto(self, buffer):
        """Fill *buffer* with samples of one channel; return how many bytes, 0 at the end."""
        pairs, done = self._pair, 0
        if pairs is None:
            count = self._file.readinto(memoryview(buffer)[: self._left])
            self._left -= count
            return count
        while done + 2 <= len(buffer) and self._left:
            part = pairs[: min(2 * (len(buffer) - done) // 4 * 4, self._left)]
            count = self._file.readinto(part)
            self._left = self._left - count if count == len(part) else 0  # a file that was cut
            for i in range(0, count - 3, 4):
                buffer[done] = part[i]
                buffer[done + 1] = part[i + 1]
                done += 2
        return done

    def close(self):
        """Close the file."""
        self._file.close()


class _Microphone:
    """The base class of microphones. One whose DMA is in C calls _open(), others have readinto().

    hint  says what to look at where nothing is heard
    """

    name = "the microphone"
    rate = RATE
    lost = 0

    def _open(self, kind, hint, *options):
        start = getattr(_tflm, kind, None)
        if not start:
            raise ImportError("%sMicrophone needs this firmware on an RP2040 or RP2350" % kind)
        self.hint = hint % options[0]
        self._unit = unit = start(*options)
        self._skip = unit.skip

    def readinto(self, buffer):
        """Wait for so many samples; return how many bytes."""
        unit = self._unit
        nbytes = unit.read(buffer)
        self.lost = unit.lost()
        return nbytes

    def record(self, seconds):
        """Return Samples of so many seconds, from now on. A second takes 32 KB of heap."""
        samples = bytearray(2 * int(seconds * self.rate))
        self._skip()
        self.readinto(samples)
        return Samples(samples, self.rate)

    def check(self):
        """Listen for half a second; return a line that says whether the microphone works."""
        samples = array("h", bytes(self.rate))  # takes time: what comes meanwhile is skipped
        self._skip()
        start = ticks_us()
        self.readinto(samples)
        spent = max(ticks_diff(ticks_us(), start), 1)
        count = len(samples)
        if min(samples) == max(samples):
            return only(samples[0], self.hint)
        total = clipped = 0
        mean = sum(samples) // count
        for value in samples:
            clipped += (value ^ value >> 15) == 32767  # or -32768
            value -= mean  # noqa: PLW2901 - shorter on boards
            total += value * value
        return "{:,} Hz, level {} dB, {} of {:,} clipped".format(
            int(count * 1000000 / spent),
            round(10 * log10(max(total // count, 1) / (1 << 30))),
            clipped,
            count,
        )

    def close(self):
        """Stop."""
        self._unit.deinit()


class I2SMicrophone(_Microphone):
    """A microphone with an I2S interface, such as INMP441 or SPH0645.

    Wiring of an INMP441: VDD to 3.3 V, GND and L/R to ground; SCK, WS and SD to three pins. On a
    board with an RP2040 or RP2350 `ws` must be the pin after `sck`. Without L/R to ground the
    microphone speaks in the other channel, and all samples are zeros.

    sck, ws, sd  numbers or names of pins;  number  of the I2S unit;  buffer  milliseconds that
    sound may wait for a slow reader; later sound is lost, in whole blocks of 16 samples
    lost  samples lost so far, from the clock, so within a few blocks
    """

    hint = "SD or L/R pin?"

    def __init__(self, sck, ws, sd, number=0, rate=RATE, buffer=200):
        try:
            from machine import I2S, Pin
        except ImportError:
            raise ImportError("this board's MicroPython has no machine.I2S") from None
        self.rate = rate
        nbytes = 8 * rate * buffer // 1000  # the ports keep frames of 8 bytes
        self._unit = I2S(
            number,
            sck=Pin(sck),
            ws=Pin(ws),
            sd=Pin(sd),
            mode=I2S.RX,
            bits=16,
            format=I2S.MONO,
            rate=rate,
            ibuf=nbytes,
        )
        # An interrupt moves 16 frames at a time, where the ring has room and one byte more.
        self._room = (nbytes - 1) // _FRAMES * _BLOCK
        self._waiting = -1  # samples in the ring, as the clock has it; -1 before the first call
        self._taken = 0  # samples so far, modulo a block
        self._rest = 0  # of a sample, in thousands
        self._last = ticks_us()

    def readinto(self, buffer):
        """Wait for so many samples; return how many bytes."""
        came = self._came()
        waiting = self._waiting + came
        if self._waiting < 0:
            waiting = min(came, self._room)
        over = (waiting - self._room) // _BLOCK * _BLOCK
        if over > 0:
            self.lost += over
            waiting -= over
        nbytes = self._unit.readinto(buffer)
        count = nbytes // 2
        came = self._came()
        waiting += came - count
        self._taken = (self._taken + count) % _BLOCK
        self._has_waited = came > count // 4 + _BLOCK // 2
        if self._has_waited:
            # Now the ring has only what is left of a block; what else should be there is lost.
            left = -self._taken % _BLOCK
            self.lost += max((waiting - left + _BLOCK // 2) // _BLOCK * _BLOCK, 0)
            waiting = left
        self._waiting = max(waiting, 0)
        return nbytes

    def _came(self):
        """Return how many samples came since the last call."""
        now = ticks_us()
        self._rest += ticks_diff(now, self._last) * (self.rate // 100) // 10
        self._last = now
        came = self._rest // 1000
        self._rest -= 1000 * came
        return came

    def _skip(self):
        """Read the samples that wait, until there are no more; they do not count as lost."""
        lost = self.lost
        part = bytearray(_SKIPPED)
        self._has_waited = False
        while not self._has_waited:
            self.readinto(part)
        self.lost = lost


class AdcMicrophone(_Microphone):
    """A microphone that gives a voltage, as MAX9814 or MAX4466, for a Pico: RP2040 or RP2350.

    Wiring: VDD to 3V3(OUT), GND to AGND, OUT to GPIO 26, 27 or 28. While it listens, other pins
    cannot be read by ADC. It takes two channels of DMA.

    pin  number or name;  buffer  milliseconds that sound may wait for a slow reader: after that
    the oldest samples are lost
    lost  samples lost so far
    The samples have 12 bits, and the mean of the last 32 ms is taken from them.
    """

    def __init__(self, pin=26, buffer=200):
        self._open("Adc", "OUT to pin %s?", pin, buffer)


class PdmMicrophone(_Microphone):
    """A digital microphone that gives single bits, as MP34DT01 or SPH0641, for a Pico.

    Wiring: VDD to 3V3(OUT), GND and SEL (or L/R) to GND, CLK and DAT to any two pins. Without SEL
    to ground the microphone speaks while nobody listens. PIO makes the clock, 64 times the rate:
    it takes one state machine, room for two instructions, and two channels of DMA.

    clk, data  numbers or names of pins;  rate  8,000 to 48,000 samples a second
    gain  1 to 64: these microphones are made for much louder sound than speech
    buffer  milliseconds that sound may wait for a slow reader, 8 bytes a sample: after that the
    oldest samples are lost
    lost  samples lost so far
    The first 62 ms are left out, and the mean of the last 512 samples is taken from all others.
    Raises OSError where no state machine or channel of DMA is free.
    """

    def __init__(self, clk, data, rate=RATE, gain=8, buffer=200):
        self.rate = rate
        self._open("Pdm", "DAT to pin %s, SEL to GND?", data, clk, rate, gain, buffer)
