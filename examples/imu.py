"""Read an accelerometer MPU-6050: metres per second squared of x, y and z.

record       tflm record --port /dev/ttyACM0 --source imu --driver examples/imu.py -o data/wave
in a program mpremote cp examples/imu.py :imu.py, then `import imu` and `imu.read()`

It expects the sensor at a Pico: SDA at GPIO 4, SCL at 5, VCC at 3V3(OUT), GND at GND. For another
sensor write a read() that returns its numbers.
"""

from struct import unpack

from machine import I2C, Pin

ADDRESS = 0x68
WAKE, ACCELERATION = 0x6B, 0x3B  # registers
FULL = 2 * 9.80665  # of 32768, in the range of 2 g that it has at first

bus = I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)
bus.writeto_mem(ADDRESS, WAKE, b"\0")  # it sleeps after power-on


def read() -> list[float]:
    """Return the acceleration of x, y and z."""
    raw = unpack(">hhh", bus.readfrom_mem(ADDRESS, ACCELERATION, 6))
    return [FULL * value / 32768 for value in raw]
