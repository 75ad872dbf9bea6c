"""Frames of a camera with eight data lines, such as an OV7670 or a GC2145, for a Pico.

    camera = DvpCamera(data=2, pclk=10, href=11, vsync=12, xclk=13)
    frame = bytearray(camera.nbytes)
    camera.readinto(frame)                  # waits for one whole frame

    camera.start(frame)                     # or: the next one comes while the model runs
    look.invoke()
    camera.wait()

PIO reads the pins and DMA writes the frame, so no instruction of the core is spent. Rows follow
each other without gaps, bytes as they come over the wire: RGB565 of most cameras is big-endian.
"""

from .base.clock import ticks_diff, ticks_us
from .base.errors import StateError

_MACHINES = 4  # of a PIO
_RX_REQUEST = 4  # of DMA: that of the first machine of the first PIO; 8 more for the next PIO
_WORD = 2  # of DMA: transfers of four bytes
_SETTLING = 2  # milliseconds behind each register: a reset takes 1 of an OV7670
_MANY = 1 << 20  # words: more than any frame has
_TIMEOUT = 1000  # milliseconds


def _program(rp2, pclk, vsync):
    """Return the program that takes a byte with each rising edge of PCLK while HREF is high."""
    from rp2 import PIO

    # These names are instructions where rp2.asm_pio calls the function.
    # ruff: noqa: F821
    @rp2.asm_pio(in_shiftdir=PIO.SHIFT_RIGHT, autopush=True, push_thresh=32, fifo_join=PIO.JOIN_RX)
    def program():
        wait(0, gpio, vsync)
        wait(1, gpio, vsync)
        wait(0, gpio, vsync)
        wrap_target()
        label("pixel")
        wait(0, gpio, pclk)
        wait(1, gpio, pclk)
        jmp(pin, "take")
        jmp("pixel")
        label("take")
        in_(pins, 8)
        wrap()

    return program


class DvpCamera:
    """A camera at a board with an RP2040 or RP2350: D0 to D7, PCLK, HREF, VSYNC.

    data   GPIO of D0; D1 to D7 are at the next seven. PCLK, HREF, VSYNC: any other GPIO
    xclk   GPIO that gives the camera its clock of `frequency` Hz; None: it has one
    width, height, depth   of a frame that it is set to send; depth: bytes of a pixel, 1 or 2
    machine   number of the state machine of PIO, 0 to 7. It takes a channel of DMA and room for
              eight instructions
    i2c, address, registers   a machine.I2C and pairs (register, value) that are written to the
              camera at the start, 8 bits each, with 2 ms behind each pair

    VSYNC must be high between frames and HREF high in rows, as cameras have them after a reset.
    Raises OSError where no channel of DMA, no room in PIO, or no camera at `address` is there.
    """

    torn = 0  # frames so far that were shorter than they should be

    def __init__(
        self,
        data,
        pclk,
        href,
        vsync,
        xclk=None,
        width=160,
        height=120,
        depth=2,
        machine=0,
        frequency=12_000_000,
        i2c=None,
        address=0x21,
        registers=(),
    ):
        try:
            from time import sleep_ms

            import rp2
            from machine import Pin
        except ImportError:
            raise ImportError("DvpCamera needs a board with an RP2040 or RP2350") from None
        self.width, self.height, self.depth = width, height, depth
        self.nbytes = width * height * depth
        if self.nbytes <= 0 or self.nbytes % 4:
            raise ValueError(
                "a frame of %d x %d pixels of %d bytes: a multiple of 4 bytes expected"
                % (width, height, depth)
            )
        self._size = width, height, depth, self.nbytes
        self._clock = None
        if xclk is not None:
            from machine import PWM

            self._clock = PWM(Pin(xclk), freq=frequency, duty_u16=32768)
        for i in range(8):
            Pin(data + i, Pin.IN)
        self._vsync, jump = Pin(vsync, Pin.IN), Pin(href, Pin.IN)
        Pin(pclk, Pin.IN)
        for register, value in registers:
            try:
                i2c.writeto(address, bytes((register, value)))
            except OSError as error:
                raise OSError("no camera at address 0x%x of I2C: %s" % (address, error)) from None
            sleep_ms(_SETTLING)
        self._pins = data, pclk, href, vsync
        self._program = _program(rp2, pclk, vsync)
        self._unit = rp2.PIO(machine // _MACHINES)
        self._machine = rp2.StateMachine(machine, self._program, in_base=Pin(data), jmp_pin=jump)
        self._dma = rp2.DMA()
        self._dma.active(0)  # a soft reset does not stop a channel
        self._request = _RX_REQUEST + machine // _MACHINES * 8 + machine % _MACHINES
        self._frame = None  # that DMA writes
        self._syncs = 0  # rising edges of VSYNC since start()
        self._vsync.irq(self._sync, Pin.IRQ_RISING, hard=True)

    def _sync(self, _pin):
        self._syncs += 1

    def start(self, frame):
        """Let the next whole frame come into *frame*, a bytearray or memoryview of `nbytes`.

        The program goes on meanwhile; wait() tells when it is there.
        Raises ValueError for another size, StateError while a frame comes.
        """
        width, height, depth, nbytes = self._size
        if len(frame) != nbytes:
            raise ValueError(
                "a frame of %d x %d pixels of %d bytes has %d bytes, the buffer has %d"
                % (width, height, depth, nbytes, len(frame))
            )
        if self._frame is not None:
            raise StateError("a frame comes already: wait() first")
        self._begin(frame, nbytes // 4, True)

    def _begin(self, frame, words, has_room):
        """Let DMA write so many words from the next frame on, all to the first one if no room."""
        machine, dma = self._machine, self._dma
        machine.active(0)
        while machine.rx_fifo():
            machine.get()
        machine.restart()
        ctrl = dma.pack_ctrl(
            size=_WORD, inc_read=False, inc_write=has_room, treq_sel=self._request
        )
        self._frame = frame
        dma.config(read=machine, write=frame, count=words, ctrl=ctrl, trigger=True)
        self._syncs = 0
        machine.active(1)

    def is_ready(self):
        """Return whether the frame that start() asked for is there."""
        return not self._dma.active()

    def wait(self, timeout=_TIMEOUT):
        """Wait for the frame that start() asked for; return its bytes, `nbytes`.

        timeout  milliseconds for a frame to begin, and again for it to end
        Raises OSError where none begins, or where it is shorter than `nbytes`; the next one can
        be started then. StateError where none was started.
        """
        if self._frame is None:
            raise StateError("no frame comes: start() one first")
        self._await(self.nbytes, timeout)
        self._stop()
        return self.nbytes

    def _await(self, nbytes, timeout):
        """Wait until so many bytes of the frame have come; refuse a torn frame and a late one."""
        seen, since = 0, ticks_us()
        while self._dma.active() and self._came() < nbytes:
            syncs = self._syncs
            if syncs > 1:
                self._refuse_torn()
            if syncs != seen:
                seen, since = syncs, ticks_us()
            elif ticks_diff(ticks_us(), since) > 1000 * timeout:
                self._refuse_late(syncs)

    def readinto(self, frame):
        """Wait for the next whole frame; return its bytes. As start(), then wait()."""
        self.start(frame)
        return self.wait()

    def rows(self, frame):
        """Yield each row of the next frame, a part of *frame*, as soon as it has come."""
        self.start(frame)
        view, nbytes = memoryview(frame), self.width * self.depth
        for end in range(nbytes, self.nbytes + 1, nbytes):
            self._await(end, _TIMEOUT)
            yield view[end - nbytes : end]
        self._stop()

    def check(self):
        """Watch two frames; return a line that says what the camera sends.

        Raises OSError where no frame begins, StateError while a frame comes.
        """
        if self._frame is not None:
            raise StateError("a frame comes: wait() first")
        self._begin(bytearray(4), _MANY, False)
        start = self._edge(1)
        spent = max(ticks_diff(self._edge(2), start), 1)
        nbytes = 4 * (_MANY - self._dma.count)
        self._stop()
        said = "%d bytes a frame, %d.%d frames a second" % (
            nbytes,
            1000000 // spent,
            10000000 // spent % 10,
        )
        if nbytes != self.nbytes:
            said += ": %d x %d pixels of %d bytes are %d" % self._size
        return said

    def _edge(self, count):
        """Wait for the rising edge of VSYNC with that number; return its time in microseconds."""
        since = ticks_us()
        while self._syncs < count:
            if ticks_diff(ticks_us(), since) > 1000 * _TIMEOUT:
                self._refuse_late(self._syncs)
        return ticks_us()

    def _stop(self):
        self._machine.active(0)
        self._dma.active(0)
        self._frame = None

    def _came(self):
        return self.nbytes - 4 * self._dma.count

    def _refuse_torn(self):
        came = self._came()
        self._stop()
        self.torn += 1
        width, height, depth, nbytes = self._size
        raise OSError(
            "the frame ended after %d bytes, %d x %d pixels of %d bytes are %d: is the camera set"
            " to this size?" % (came, width, height, depth, nbytes)
        )

    def _refuse_late(self, syncs):
        came = self._came()
        self._stop()
        _, pclk, href, vsync = self._pins
        if not syncs:
            raise OSError("no frame begins: VSYNC at GPIO %d does not rise" % vsync)
        raise OSError(
            "%d of %d bytes came: PCLK at GPIO %d, HREF at GPIO %d?"
            % (came, self.nbytes, pclk, href)
        )

    def close(self):
        """Stop, and free PIO and DMA."""
        self._stop()
        self._vsync.irq(None)
        self._dma.close()
        self._unit.remove_program(self._program)
        if self._clock is not None:
            self._clock.deinit()
