"""Sensors DHT11 and DHT22 of humidity and temperature: MicroPython's documented module `dht`."""

from machine import dht_readinto


class DHTBase:
    """A sensor on *pin*; `buf` holds what measure() read: two words and their sum."""

    def __init__(self, pin):
        self.pin = pin
        self.buf = bytearray(5)

    def measure(self):
        """Ask the sensor. Raises OSError where none answers."""
        dht_readinto(self.pin, self.buf)
        if sum(self.buf[:4]) & 0xFF != self.buf[4]:
            raise Exception("checksum error")


class DHT11(DHTBase):
    def humidity(self):
        """Return the relative humidity in per cent."""
        return self.buf[0]

    def temperature(self):
        """Return degrees Celsius."""
        return self.buf[2]


class DHT22(DHTBase):
    def humidity(self):
        """Return the relative humidity in per cent."""
        return (self.buf[0] << 8 | self.buf[1]) / 10

    def temperature(self):
        """Return degrees Celsius."""
        tenths = (self.buf[2] & 0x7F) << 8 | self.buf[3]
        return (-tenths if self.buf[2] & 0x80 else tenths) / 10
