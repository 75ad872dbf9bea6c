"""Samples of a sensor of a board, or pictures of its camera; sensor_device.py does the work there.

with Sensor("RPI_PICO", "imu", IMU, text=open("imu.py").read()) as sensor:
    values = sensor.samples(100, rate=50)        # float32 [100, 3]
"""

import base64

import numpy as np

from .answers import is_count, is_size, is_text
from .listening import Session, is_base64
from .open_target import open_target
from .repl import ExecError, TargetError

IMU = ("read",)  # what a driver must have
CAM = ("readinto", "shape")
FORMS = {
    "shape": ([is_size, is_size], [is_size, is_size, is_size]),
    "data": is_base64,
    "late": [is_count, is_count],
    "error": [is_text, is_text],
}
LAST_LINES = 4  # of a traceback


class Sensor(Session):
    """A board with a driver: Python that reads a sensor or a camera.

    name    of a module of the board, where *text* is ""
    needed  the names that the driver must have: IMU or CAM
    text    the driver's source, which the board runs
    late, seconds  of the last samples(): samples that came a period late or more, and how long it
    took
    Raises TargetError where the driver cannot be had, raises itself, or the board does not reply.
    """

    seconds_to_spare = 120

    def __init__(self, port, name, needed, text=""):
        self._data, self._shape = bytearray(), None
        self.late = 0
        self.seconds = 0.0
        self._name = name
        begins = f"attempt(begin, {name!r}, {text!r}, {needed!r})"
        super().__init__(open_target(port), "sensor_device", begins, FORMS)

    def samples(self, count, rate):
        """Return *count* samples, *rate* a second: float32, a row of numbers each."""
        self._ask(f"attempt(record, {count}, {rate!r})", count / rate)
        return self._array(np.dtype("<f4"), 2)

    def picture(self):
        """Return a picture, uint8 of height, width, channels."""
        self._ask("attempt(take)", 0)
        return self._array(np.dtype(np.uint8), 3)

    def _array(self, dtype, dimensions):
        shape = self._shape or ()
        if len(shape) != dimensions or len(self._data) != np.prod(shape) * dtype.itemsize:
            raise TargetError(f"{self._target.name}: {len(self._data)} bytes came, of {shape}")
        return np.frombuffer(bytes(self._data), dtype).reshape(shape)

    def _ask(self, code, seconds):
        self._data, self._shape = bytearray(), None
        self._do(code, seconds)

    def _do(self, code, seconds=0):
        try:
            super()._do(code, seconds)
        except ExecError as error:
            last = "\n".join(str(error).strip().splitlines()[-LAST_LINES:])
            raise TargetError(f"{self._target.name}: {self._name} raised\n{last}") from None

    def _keep(self, kind, value):
        if kind == "data":
            self._data += base64.b64decode(value)
        elif kind == "shape":
            self._shape = tuple(value)
        elif kind == "late":
            self.late, self.seconds = value[0], value[1] / 1e6
