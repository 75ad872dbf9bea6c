"""Sound from the microphone of a board; record_device.py does the work there.

with Recorder("RPI_PICO", (16, 17, 18), mic="hello.wav") as recorder:
    samples = recorder.take(1)        # int16, little-endian, recorder.rate of them a second
"""

import base64

from tflm.audio import RATE

from .answers import is_count, is_text
from .listening import HOUR, Session, is_base64
from .open_target import open_target

FORMS = {
    "rate": lambda value: value == RATE,
    "sound": is_base64,
    "lost": lambda value: is_count(value) and value < HOUR,
    "error": [is_text, is_text],
}


class Recorder(Session):
    """A board whose microphone is on.

    pins  numbers or names of SCK, WS and SD of I2S, of CLK and DAT of PDM, or of an ADC's pin
    mic   path of a wave file that an emulated Pico's microphone hears
    Raises TargetError where the board has no such microphone, no tflm, or gives no reply.
    """

    rate = RATE

    def __init__(self, port, pins, mic=None):
        self._samples = bytearray()
        self.lost = 0  # samples, of all recordings
        begins = f"attempt(begin, {list(pins)!r})"
        super().__init__(open_target(port, mic=mic), "record_device", begins, FORMS)

    def __exit__(self, *exc_info):
        try:
            self._target.exec("end()")
        finally:
            super().__exit__(*exc_info)

    def take(self, seconds):
        """Return the samples of the next *seconds*, bytes."""
        self._samples = bytearray()
        self._do(f"attempt(record, {seconds!r})", seconds)
        return bytes(self._samples)

    def _keep(self, kind, value):
        if kind == "sound":
            self._samples += base64.b64decode(value)
        elif kind == "lost":
            self.lost += value
