"""examples/imu.py wakes an MPU-6050 and reads its acceleration."""

import sys
from runpy import run_path
from types import SimpleNamespace

import pytest

from tflm_host.places import ROOT


class Bus:
    """An I2C bus with an MPU-6050, which gives zeros while it sleeps."""

    def __init__(self, number, sda, scl, freq):
        self.wires = number, sda, scl, freq
        self.registers = {0x6B: 0x40}
        for i, byte in enumerate(b"\x40\x00\xc0\x00\x7f\xff"):
            self.registers[0x3B + i] = byte

    def writeto_mem(self, address, register, data):
        assert address == 0x68
        self.registers[register] = data[0]

    def readfrom_mem(self, address, register, count):
        assert address == 0x68
        if self.registers[0x6B] & 0x40:
            return bytes(count)
        return bytes(self.registers[register + i] for i in range(count))


def test_the_accelerometer_is_woken_and_read_in_metres_per_second_squared(monkeypatch):
    machine = SimpleNamespace(I2C=Bus, Pin=lambda number: number)
    monkeypatch.setitem(sys.modules, "machine", machine)
    driver = run_path(str(ROOT / "examples" / "imu.py"))
    assert driver["bus"].wires == (0, 4, 5, 400000)
    assert driver["read"]() == pytest.approx([9.80665, -9.80665, 2 * 9.80665 * 32767 / 32768])
