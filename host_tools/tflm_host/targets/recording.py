"""Sound from the microphone of a board; record_device.py does the work there.

with Recorder("RPI_PICO", (16, 17, 18), mic="hello.wav") as recorder:
    samples = recorder.take(1)        # int16, little-endian, recorder.rate of them a second
"""

import base64

from tflm.audio import RATE

from .answers import is_count, is_text
from .device import script
from .listening import HOUR, Lines, is_base64
from .open_target import open_target

SPARE_SECONDS = 300  # besides the recording: an emulated Pico takes long for its samples
FORMS = {
    "rate": lambda value: value == RATE,
    "sound": is_base64,
    "lost": lambda value: is_count(value) and value < HOUR,
    "error": [is_text, is_text],
}


class Recorder:
    """A board whose microphone is on.

    pins  numbers or names of SCK, WS and SD of I2S, of CLK and DAT of PDM, or of an ADC's pin
    mic   path of a wave file that an emulated Pico's microphone hears
    Raises TargetError where the board has no such microphone, no tflm, or gives no reply.
    """

    rate = RATE

    def __init__(self, port, pins, mic=None):
        self._samples = bytearray()
        self.lost = 0  # samples, of all recordings
        self._target = open_target(port, mic=mic)
        self._reader = Lines(self._target.name, FORMS, self._keep)
        try:
            self._target.exec(script("record_device"))
            self._do(f"attempt(begin, {list(pins)!r})")
        except BaseException:
            self._target.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._target.exec("end()")
        finally:
            self._target.close()

    def take(self, seconds):
        """Return the samples of the next *seconds*, bytes."""
        self._samples = bytearray()
        self._do(f"attempt(record, {seconds!r})", seconds + SPARE_SECONDS)
        return bytes(self._samples)

    def _do(self, code, seconds=SPARE_SECONDS):
        self._reader.read(self._target.exec(code, seconds))

    def _keep(self, kind, value):
        if kind == "sound":
            self._samples += base64.b64decode(value)
        elif kind == "lost":
            self.lost += value
